"""Numbers that a source does not have are absent or calculated from those that it has."""

from __future__ import annotations

import pytest

from foundry.craft.grounding import (
    Attribution,
    EvidenceIndex,
    Judgement,
    Statement,
    attribute,
    find_quote,
    settle,
)
from foundry.craft.grounding.figures import find_absent_figure
from foundry.records import Evidence
from foundry.text.lines import parse_line
from tests.craft.samples import make_evidence

STORES = make_evidence("The company had 969 stores at the end of the quarter, and 982 a year ago.")
BUYBACKS = make_evidence(
    "We spent $328.1 million on repurchases in the quarter and $900.0 million in the year."
)
REVENUE = make_evidence(
    "In millions | 2022 | Change\nRevenue | 14,694 | (5)\nCosts of 1,250.5 | 3 | 4"
)


def attributed(text: str, evidence: Evidence = STORES) -> Attribution:
    """What comes of a statement where the judge says yes."""
    index = EvidenceIndex([evidence], "en", judged=True)
    found = attribute(Statement(text, ("S1",)), index)
    quote = find_quote(text, evidence, "en")
    return settle(found, Judgement("supported", (quote,) if quote else ()), index)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("It had 969 stores, 13 fewer than the 982 of a year ago.", "982 - 969 = 13"),
        ("The 969 and 982 stores are 1,951 in all.", "982 + 969 = 1,951"),
        ("With 969 stores instead of 982 it has 1.3% fewer.", "(969 - 982) / 982 = 1.3%"),
    ],
)
def test_a_value_that_follows_from_the_named_values_is_calculated(text: str, formula: str) -> None:
    assert formula.removesuffix("%") in str(attributed(text).check.computed)


def test_a_share_of_two_amounts_is_calculated() -> None:
    text = "The $328.1 million of the quarter were 36.5% of the $900.0 million of the year."
    assert len(attributed(text, BUYBACKS).check.computed) == 1


def test_a_calculated_value_is_marked_on_the_sentence_that_is_shown() -> None:
    found = attributed("It had 969 stores, 13 fewer than the 982 before.")
    assert found.sentence is not None
    assert found.sentence.computed == ("982 - 969 = 13",)


@pytest.mark.parametrize(
    ("risen", "formula"),
    [
        ("2 percentage points", "12.5% - 10.5% = 2"),
        ("2%-points", "12.5% - 10.5% = 2%"),
        ("200 basis points", "12.5% - 10.5% = 200"),
        ("19%", "(12.5% - 10.5%) / 10.5% = 19%"),
        ("2%", None),
        ("19 percentage points", None),
    ],
)
def test_points_of_percentages_are_not_per_cent(risen: str, formula: str | None) -> None:
    margin = make_evidence("The margin was 12.5% in fiscal 2022, against 10.5% in fiscal 2021.")
    found = attributed(f"The margin rose {risen}, from 10.5% to 12.5%.", margin)
    assert found.check.computed == ((formula,) if formula else ())
    assert (found.sentence is not None) == bool(formula)


def test_a_sum_that_does_not_name_its_parts_is_not_calculated() -> None:
    evidence = make_evidence("It starts in 2.5 seconds instead of 4 seconds.")
    assert attributed("It starts in 6.5 seconds instead of 4 seconds.", evidence).sentence is None


def test_a_value_that_follows_from_nothing_is_refused_for_that_reason() -> None:
    found = attributed("It had 969 stores, 17 fewer than the 982 before.")
    assert (found.sentence, found.candidates) == (None, ())
    assert found.check.reason.code == "claim-figure-absent"


def test_a_calculated_value_does_not_excuse_another_that_no_passage_has() -> None:
    found = attributed("It had 969 stores, 13 fewer than the 982 before, and 4455 workers.")
    assert (found.check.verdict, found.sentence) == ("unclear", None)
    assert found.check.reason.code == "claim-figure-absent"


def test_a_row_is_left_open_where_another_that_was_cited_may_be_meant() -> None:
    pump, valve = (
        make_evidence(f"| Item | Quantity |\n|---|---|\n| A1 | {number} |", id_, source=f"{id_}.md")
        for id_, number in (("S1", 20), ("S2", 3))
    )
    index = EvidenceIndex([pump, valve], "en")
    check = attribute(Statement("The quantity of A1 is 20.", ("S1", "S2")), index).check
    assert (check.verdict, check.reason.code) == ("unclear", "claim-several-rows")


@pytest.mark.parametrize(
    "text",
    ["It was 14.7 billion.", "It was $14,694 million.", "It fell by 5%.", "Het was 1.250,5."],
)
def test_scale_sign_rounding_and_form_do_not_make_a_number_absent(text: str) -> None:
    figures = EvidenceIndex([REVENUE], "en").figures
    language = "nl" if text.startswith("Het") else "en"
    assert find_absent_figure(parse_line(text, language), figures) is None


def test_a_date_and_an_hour_in_another_form_are_not_absent() -> None:
    evidence = make_evidence("On 7 December 2022, at 5 pm, the group met.")
    claim = parse_line("Op 7-12-2022 om 17.00 uur kwam de groep bijeen.", "nl")
    assert find_absent_figure(claim, EvidenceIndex([evidence], "en").figures) is None


@pytest.mark.parametrize("text", ["It was 14.8 billion.", "It was in 2021.", "It was 14,964."])
def test_another_number_is_absent(text: str) -> None:
    figures = EvidenceIndex([REVENUE], "en").figures
    assert find_absent_figure(parse_line(text, "en"), figures) is not None
