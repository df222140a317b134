"""Sections of an agent by the built-in writer: what a heading, a row or a label names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from foundry.craft.quoting import Ask, QuoteCandidate, SectionRequest, compose_sections
from foundry.ports import CompareSentences, SentenceMatch
from foundry.records import Evidence
from tests.craft.samples import make_evidence

NOTES = make_evidence(
    "# 1 Field reports\n"
    "Seven units came back. The stock must be replaced.\n"
    "# 2 Line test\n"
    "The line passed at 250 m. Decision: specify 250 m.",
    "S1",
    title="Notes",
)
DUTCH = make_evidence(
    "# 3 Klachten\nZeven exemplaren kwamen terug.", "S2", source="notities.md", language="nl"
)
Near = dict[tuple[str, str], float]


def compare(near: Near) -> CompareSentences:
    """Compares as scripted: pairs of phrase and label have a score, all others none."""
    one = np.ones(1, dtype=np.float32)

    def find(phrase: str, others: Sequence[str]) -> list[SentenceMatch]:
        scores = [one * near.get((phrase, other), 0.0) for other in others]
        return [SentenceMatch(score, one, score, one) for score in scores]

    return find


def compose(
    *asked: tuple[str, ...],
    near: Near | None = None,
    evidence: Sequence[Evidence] = (NOTES,),
    on_topic: Callable[[QuoteCandidate], bool] | None = None,
) -> list[list[str]]:
    requests = [
        SectionRequest(
            f"Part {n}",
            phrases,
            tuple(evidence),
            ask=Ask(phrases, compare(near or {})),
            on_topic=on_topic,
        )
        for n, phrases in enumerate(asked)
    ]
    return [[one.text for one in section] for section in compose_sections(requests, "en")]


def nest(above: str, text: str) -> Evidence:
    """Evidence whose headings are below another one."""
    evidence = make_evidence(text, "S1")
    chunk = evidence.hit.chunk
    blocks = tuple(
        replace(block, heading_path=(above, *block.heading_path)) for block in chunk.blocks
    )
    return replace(evidence, hit=replace(evidence.hit, chunk=replace(chunk, blocks=blocks)))


REPORTS = ["Seven units came back.", "The stock must be replaced."]


def test_all_below_a_heading_that_means_what_is_asked_is_quoted() -> None:
    near = {("complaints", "Field reports"): 0.6}
    assert compose(("complaints",), near=near) == [REPORTS]


def test_a_word_of_the_ask_in_a_sentence_is_no_reason_to_quote_it() -> None:
    assert compose(("units",), ("stock",)) == [[], []]


def test_a_heading_that_looks_alike_in_one_language_alone_names_nothing() -> None:
    near = {("supply", "Field reports"): 0.7, ("levering", "Field reports"): 0.2}
    assert compose(("supply", "levering"), near=near) == [[]]


def test_a_sentence_is_quoted_for_its_label() -> None:
    assert compose(("decision",)) == [["Decision: specify 250 m."]]


def test_a_table_is_quoted_for_the_head_of_a_column() -> None:
    table = make_evidence("# 1 Options\nOption | Risk\nWait | Stock runs out\n", "S1")
    near = {("hazards", "Risk"): 0.8}
    assert compose(("hazards",), near=near, evidence=[table]) != [[]]
    assert compose(("hazards",), near={("hazards", "Risk"): 0.66}, evidence=[table]) == [[]]


def test_a_heading_names_what_is_below_the_headings_under_it() -> None:
    nested = nest("Mounting", "# DIN rail\nHook it on the rail.")
    near = {("assembly", "Mounting"): 0.65}
    assert compose(("assembly",), near=near, evidence=[nested]) == [["Hook it on the rail."]]


def test_a_heading_further_up_must_mean_the_ask_and_not_only_have_its_word() -> None:
    nested = nest("What the mounting must resist", "# Wind\nIt resists a storm of force 8.")
    assert compose(("mounting",), evidence=[nested]) == [[]]


def test_a_heading_further_up_that_is_the_ask_names_what_is_below() -> None:
    nested = nest("4 Deviations", "# Specimen P3\nThe screen failed once.")
    assert compose(("deviations",), evidence=[nested]) == [["The screen failed once."]]


def test_the_title_of_a_document_names_what_no_other_section_asks_for() -> None:
    text = "# Pressure\nP1 gives 4.6 m³/h.\n# Conclusion\nIt may be used."
    report = make_evidence(text, "S1", title="Report of the tests")
    tests, conclusion = compose(("tests",), ("conclusion",), evidence=[report])
    assert (tests, conclusion) == (["P1 gives 4.6 m³/h."], ["It may be used."])


def test_a_table_without_a_heading_is_quoted_for_the_head_of_a_column() -> None:
    offer = make_evidence("Part | Supplier\nTank | Druten\n", "S1", title="Offer")
    assert compose(("suppliers",), evidence=[offer]) != [[]]
    headed = make_evidence("# 1 Parts\nPart | Supplier\nTank | Druten\n", "S1")
    assert compose(("suppliers",), evidence=[headed]) == [[]]


def test_what_is_below_an_introduction_may_be_about_anything() -> None:
    nested = nest("Introduction", "# Terms\nA scene is a state.")
    assert compose(("introduction",), evidence=[nested]) == [[]]


def test_the_title_of_a_document_names_nothing_that_is_right_below_it() -> None:
    notes = make_evidence("# Decisions\nKeep entries short.", "S1", title="Decisions")
    assert compose(("decisions",), evidence=[notes]) == [[]]


def test_a_heading_goes_to_the_section_whose_ask_it_names_best() -> None:
    near = {("faults", "Field reports"): 0.6, ("complaints", "Field reports"): 0.7}
    assert compose(("faults",), ("complaints",), near=near) == [[], REPORTS]


def test_another_language_is_quoted_only_if_there_is_no_heading_in_that_of_the_document() -> None:
    asked, near = ("complaints", "klachten"), {("complaints", "Field reports"): 1.0}
    near[("klachten", "Field reports")] = 0.3
    assert compose(asked, evidence=[DUTCH]) == [["Zeven exemplaren kwamen terug."]]
    assert compose(asked, near=near, evidence=[DUTCH, NOTES]) == [REPORTS]


def test_of_a_narrow_topic_only_what_is_about_it_is_quoted() -> None:
    (section,) = compose(("line test",), on_topic=lambda one: "passed" in one.text)
    assert section == ["The line passed at 250 m."]


def test_a_heading_most_of_which_is_about_the_topic_comes_whole() -> None:
    nested = make_evidence("# 1 Test\nFuse F1 held. Then it rained. Fuse F1 opened.", "S1")
    (section,) = compose(("test",), evidence=[nested], on_topic=lambda one: "F1" in one.text)
    assert len(section) == 3


def test_a_heading_comes_from_the_latest_revision() -> None:
    old = make_evidence("# 1 Load\nThe line carries 300 m.", "S1", source="a.md")
    new = make_evidence("# 2 Load\nThe line carries 250 m.", "S2", source="b.md")
    newer = {old.hit.chunk.source_id: new.hit.chunk.source_id}
    ask = Ask(("load",), compare({}))
    asked = SectionRequest("Load", ("load",), (old, new), ask=ask, newer=newer)
    ((sentence,),) = compose_sections([asked], "en")
    assert sentence.text == "The line carries 250 m."


def test_what_says_no_more_than_the_ask_is_not_shown() -> None:
    listed = make_evidence("# 1 Delivered\nNumber | Part\n1 | DX-4 unit\n2 | Cable\n", "S1")
    ask = ("DX-4 unit", "Number")
    asked = SectionRequest("Part", ask, (listed,), ask=Ask(ask, compare({})))
    assert compose_sections([asked], "en") == ((),)
