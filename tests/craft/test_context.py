"""Evidence: no repetitions, within the budget, and a reason for everything dropped."""

from __future__ import annotations

from foundry.craft.context import select_evidence
from foundry.records import Hit
from tests.craft.samples import make_hit

SHEET = (
    "The controller runs on a supply of 5 V. The fan turns at 1200 rpm in normal use. "
    "The housing must not be opened while the unit is connected to the mains. "
    "Cables of up to 300 m may be attached to the output on the rear panel."
)


def select(hits: list[Hit], **options: object) -> tuple[list[str], list[str]]:
    limits = {"max_chunks": 10, "token_budget": 10_000, **options}
    result = select_evidence(hits, **limits)  # type: ignore[arg-type]
    assert len(result.evidence) + len(result.dropped) == len(hits)
    assert [item.id for item in result.evidence] == [
        f"S{n + 1}" for n in range(len(result.evidence))
    ]
    kept = [item.hit.source.path for item in result.evidence]
    return kept, [str(dropped.reason) for dropped in result.dropped]


def test_hits_become_evidence_numbered_in_order() -> None:
    hits = [
        make_hit(SHEET, source="a"),
        make_hit("Something else entirely is written here.", source="b"),
    ]
    assert select(hits) == (["a", "b"], [])


def test_a_copy_of_a_file_is_kept_once() -> None:
    kept, reasons = select([make_hit(SHEET, source="a"), make_hit(SHEET, source="copy")])
    assert kept == ["a"]
    assert reasons == ["it repeats S1 (a)"]


def test_overlapping_neighbours_are_kept_once() -> None:
    part = SHEET[SHEET.index("The fan") : SHEET.index(" Cables")]
    kept, _ = select([make_hit(SHEET, source="a"), make_hit(part, source="a", start=40)])
    assert kept == ["a"]


def test_a_revision_with_another_number_stays() -> None:
    hits = [make_hit(SHEET, source="a"), make_hit(SHEET.replace("1200", "1250"), source="b")]
    assert select(hits)[0] == ["a", "b"]


def test_a_revision_with_swapped_values_stays() -> None:
    text = "Idle power of the unit is 5 W here. Maximum power of the unit is 12 W there."
    other = text.replace("5 W", "x").replace("12 W", "5 W").replace("x", "12 W")
    hits = [make_hit(text, source="a"), make_hit(other, source="b")]
    assert select(hits)[0] == ["a", "b"]


def test_a_negated_revision_stays_either_way() -> None:
    denied = make_hit(SHEET, source="denied")
    plain = make_hit(SHEET.replace("must not", "must"), source="plain")
    assert select([denied, plain])[0] == ["denied", "plain"]
    assert select([plain, denied])[0] == ["plain", "denied"]


def test_the_budget_is_kept_and_a_smaller_hit_may_follow() -> None:
    hits = [make_hit(SHEET, source="a"), make_hit("Other words. " * 40, source="b"),
            make_hit("A short note.", source="c")]  # fmt: skip
    budget = hits[0].chunk.tokens + hits[2].chunk.tokens
    kept, reasons = select(hits, token_budget=budget)
    assert kept == ["a", "c"]
    assert "do not fit" in reasons[0]


def test_the_cost_of_a_hit_may_be_given() -> None:
    kept, _ = select([make_hit("Short."), make_hit("Note.", source="b")], cost=lambda _: 6000)
    assert len(kept) == 1


def test_no_more_than_max_chunks() -> None:
    hits = [make_hit(f"Fact {name} is given here.", source=name) for name in "abcd"]
    kept, reasons = select(hits, max_chunks=2)
    assert kept == ["a", "b"]
    assert "max_context_chunks" in reasons[0]


def test_the_same_chunk_twice_counts_once() -> None:
    hit = make_hit(SHEET)
    assert len(select([hit, hit])[0]) == 1


def test_no_hits_give_no_evidence() -> None:
    assert select([]) == ([], [])


MORE = "A note: printed copies are uncontrolled and may be out of date by the time of use."


def group(*hits: Hit) -> dict[str, str]:
    return {hit.source.id: "double" for hit in hits}


def test_of_nearly_identical_sources_the_passage_with_all_words_is_evidence() -> None:
    hits = [make_hit(SHEET, source="a.docx"), make_hit(f"{SHEET} {MORE}", source="a.pdf")]
    assert select(hits, rank=lambda _: (0,))[0] == ["a.docx", "a.pdf"]
    chosen = select_evidence(
        hits, max_chunks=9, token_budget=9000, rank=lambda _: (0,), doubles=group(*hits)
    )
    (item,) = chosen.evidence
    assert item.hit.source.path == "a.pdf"
    assert [str(one) for one in item.hit.notices] == ["also in a.docx"]


def test_what_a_near_double_has_in_two_passages_is_shown_once() -> None:
    first, second = f"{SHEET} {MORE}", f"{MORE} Replace the filter every spring and every autumn."
    hits = [make_hit(first, source="a"), make_hit(second, source="a", start=500)]
    whole = make_hit(
        f"{SHEET} {MORE} Replace the filter every spring and every autumn.", source="b"
    )
    kept, reasons = select([*hits, whole], doubles=group(hits[0], whole))
    assert kept == ["a", "a"]
    assert reasons == ["it repeats S1, S2 (a)"]


def test_a_near_double_that_differs_in_a_number_stays() -> None:
    hits = [make_hit(SHEET, source="a"), make_hit(SHEET.replace("5 V", "6 V"), source="b")]
    assert select(hits, rank=lambda _: (0,), doubles=group(*hits))[0] == ["a", "b"]
