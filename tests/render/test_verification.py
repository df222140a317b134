"""The report of a verified text: the worst first, and what a reader has to read."""

from __future__ import annotations

from foundry.messages import Message
from foundry.records import (
    CheckedStatement,
    ClaimCheck,
    ClaimVerdict,
    DocumentStatement,
    TextRegion,
    Verification,
)
from foundry.render.verification import render_verification
from foundry.wire.verification import VerificationJson
from tests.render.samples import excerpt

WHY = Message("claim-no-support")


def check(text: str, verdict: ClaimVerdict, **facts: object) -> CheckedStatement:
    claim = ClaimCheck(text, verdict, 0.5, WHY, **facts)  # type: ignore[arg-type]
    nearest = (excerpt(),) if verdict == "unclear" else ()
    return CheckedStatement(
        DocumentStatement(text, 0, len(text), region=TextRegion(1, 1, 1, len(text) + 1)),
        claim,
        None,
        nearest,
    )


def verification(*checked: CheckedStatement) -> Verification:
    names = (
        "exact",
        "supported",
        "misattributed",
        "partly",
        "unclear",
        "contradicted",
        "unsupported",
    )
    verdicts = [item.check.verdict for item in checked]
    counts = {name: verdicts.count(name) for name in names}  # type: ignore[arg-type]
    return Verification(
        "note.md", "en", checked, (), counts, coverage=0.5, min_attribution=0.9, timings_ms={},
        exact=0.25, judged=0.25,
    )  # fmt: skip


MIXED = verification(
    check("Five volts.", "exact"),
    check("It is judged.", "supported"),
    check("The supply is 5 V and waterproof.", "unclear", shared=("supply", "5 V"), missing=("waterproof",)),
    check("Six volts.", "contradicted", differs="5 V"),
)  # fmt: skip


def test_what_the_source_contradicts_comes_first_then_what_must_be_read() -> None:
    text = render_verification(MIXED)
    assert text.startswith("✗ contradicted — line 1\n  Six volts.\n")
    assert "source says: 5 V" in text
    assert text.index("✗ contradicted") < text.index("? read these")
    assert "Five volts." not in text


def test_an_open_statement_has_its_passage_with_what_it_has_and_lacks() -> None:
    text = render_verification(MIXED)
    assert "nearest passage lacks: waterproof" in text
    assert "nearest: docs/sheet.pdf, 3.2 Supply, p. xiv\n    “The *supply* is *5 V*.”" in text
    assert "It must not exceed 6 V." not in text


def test_with_verbose_the_whole_passage_is_shown_and_the_nearest_line_marked() -> None:
    text = render_verification(MIXED, verbose=True)
    assert "    ▸ “The *supply* is *5 V*.”\n    “It must not exceed 6 V.”" in text
    assert "✓ exact — line 1\n  Five volts." in text


def test_of_what_must_be_read_a_missing_figure_comes_first() -> None:
    near = check("Near.", "unclear", shared=("a", "b"), missing=("c",))
    far = check("Far.", "unclear", shared=("a",), missing=("b", "c"))
    figure = check("Figure.", "unclear", shared=("a", "b"), missing=("7 V",))
    text = render_verification(verification(near, far, figure))
    assert text.index("Figure.") < text.index("Far.") < text.index("Near.")


def test_exact_and_judged_are_counted_apart() -> None:
    summary = render_verification(MIXED).splitlines()[-2:]
    assert "✗ 1 contradicted, ? 1 read these, ✓ 1 exact, ✓ 1 judged supported" in summary[0]
    assert summary[1].startswith("Coverage 50% (exact 25%, judged 25%): below")


def test_json_has_the_passages_to_read_and_what_the_nearest_lacks() -> None:
    made = VerificationJson.from_record(MIXED).model_dump(mode="json")
    open_one = made["statements"][2]
    assert (made["exact"], made["judged"], made["counts"]["contradicted"]) == (0.25, 0.25, 1)
    assert (open_one["shared"], open_one["missing"]) == (["supply", "5 V"], ["waterproof"])
    assert open_one["nearest"][0]["lines"][0]["text"] == "The supply is 5 V."
