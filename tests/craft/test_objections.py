"""What the rules hold against a statement that a judge accepts: exact differences from its quotes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foundry.craft.grounding.objections import find_objection, read_quotes
from foundry.craft.grounding.verification import find_quote
from foundry.records import DocumentName, Evidence
from tests.craft.samples import make_doubtful, make_evidence

SALES = """| | Three Months Ended March 31, 2022 | Nine Months Ended March 31, 2022 |
|---|---|---|
| Services margin | 71.5 % | 69.5 % |"""
CODES = "- Code 5102 means that the probe TH4 fails.\n- Code 5103 means that the probe TH5 fails."


def object_to(text: str, quote: str, *evidence: Evidence, language: str = "en") -> str:
    quotes = [find_quote(quote, item, language) for item in evidence]
    quoted = read_quotes([one for one in quotes if one], evidence, language)
    found = find_objection(text, language, quoted)
    return found.code if found else ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Error 5102 stands for a failure of probe TH5.", "objection-value"),
        ("Error 5103 stands for a failure of probe TH5.", ""),
        ("Error 5103 stands for a failure of probe XK-77.", "objection-code"),
        ("Error 5103 of the Kestrel stands for a failure of probe TH5.", "objection-name"),
    ],
)
def test_values_codes_and_names_must_be_in_the_quoted_words(text: str, code: str) -> None:
    assert (
        object_to(text, "Code 5103 means that the probe TH5 fails.", make_evidence(CODES)) == code
    )


def test_another_currency_is_an_objection() -> None:
    expense = make_evidence("Net interest expense was $259 million.")
    assert object_to("De rentelast was €259 miljoen.", expense.hit.chunk.text, expense) == (
        "objection-unit"
    )
    assert object_to("De rentelast was $259 miljoen.", expense.hit.chunk.text, expense) == ""


@pytest.mark.parametrize(("period", "code"), [("nine", ""), ("three", "objection-period")])
def test_a_value_belongs_to_the_period_of_its_column(period: str, code: str) -> None:
    text = f"In the {period} months ended March 31, 2022, the services margin was 69.5 %."
    assert object_to(text, "Services margin 71.5 % 69.5 %", make_evidence(SALES)) == code


@pytest.mark.parametrize(("value", "code"), [("69.5 %", ""), ("71.5 %", "objection-period")])
def test_the_year_of_accounts_may_stand_elsewhere_and_the_length_of_a_column_counts(
    value: str, code: str
) -> None:
    table = f"{SALES}\n\nNo customer stood out in the first nine months of fiscal year 2023."
    text = f"The services margin was {value} in the first nine months of fiscal year 2023."
    assert object_to(text, "Services margin 71.5 % 69.5 %", make_evidence(table)) == code


def test_a_value_belongs_to_the_company_of_its_document() -> None:
    votes = [
        _name(make_evidence("The proposal had 75,612 votes.", "S1", source="a.pdf"), "Alfa Foods"),
        _name(make_evidence("The proposal had 11,254 votes.", "S2", source="b.pdf"), "Beta Shoes"),
    ]
    right = "Alfa Foods had 75,612 votes and Beta Shoes 11,254."
    wrong = "Alfa Foods had 11,254 votes and Beta Shoes 75,612."
    assert object_to(right, "The proposal had votes.", *votes) == ""
    assert object_to(wrong, "The proposal had votes.", *votes) == "objection-owner"


@pytest.mark.parametrize(("version", "code"), [("0.3", ""), ("0.4", "objection-value")])
def test_a_sentence_is_of_the_version_in_its_own_heading(version: str, code: str) -> None:
    loop = "The loop is closed around the sensor."
    design = make_evidence(f"# Rev 0.3\n{loop}\n# Rev 0.4\nA valve is added.")
    text = f"In Rev {version} the loop is closed around the sensor."
    assert object_to(text, loop, design) == code


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("All 25 devices forwarded it.", "All twenty-five devices forwarded it."),
        ("Sales in Q4 2020 were stable.", "Sales in the fourth quarter of 2020 were stable."),
    ],
    ids=["a number in words", "a quarter in words"],
)
def test_the_same_in_another_form_is_no_objection(text: str, quote: str) -> None:
    assert object_to(text, quote, make_evidence(quote)) == ""


@pytest.mark.parametrize(("value", "code"), [("71.5", "claim-cells-doubtful"), ("69.5", "")])
def test_a_value_whose_labels_are_in_doubt_is_an_objection(value: str, code: str) -> None:
    doubtful = make_doubtful(SALES, "71.5 %")
    text = f"The services margin was {value} %."
    assert object_to(text, "Services margin 71.5 % 69.5 %", doubtful) == code


def test_after_a_second_look_a_name_alone_is_no_objection() -> None:
    duty = make_evidence("DISCLOSEE shall tell its employees nothing.")
    quotes = find_quote("DISCLOSEE shall tell its employees nothing.", duty, "en")
    assert quotes
    quoted = read_quotes([quotes], [duty], "en")
    text = "The Receiving Party shall tell its employees nothing."
    assert find_objection(text, "en", quoted) is not None
    assert find_objection(text, "en", quoted, read=True) is None


def test_an_opening_yes_or_no_objects_to_nothing() -> None:
    queue = make_evidence("It is not recommended to use a queue larger than 128.")
    answer = "No, it is not recommended to use a queue larger than 128."
    assert object_to(answer, queue.hit.chunk.text, queue) == ""


def _name(evidence: Evidence, name: str) -> Evidence:
    names = (DocumentName(name, "organisation", place="front"),)
    source = replace(evidence.hit.source, names=names)
    return replace(evidence, hit=replace(evidence.hit, source=source))
