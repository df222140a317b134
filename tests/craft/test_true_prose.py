"""What a model writes truly about its sources meets no hard objection."""

from __future__ import annotations

import pytest

from foundry.craft.grounding import Finding, verify_statement
from foundry.text.names import Name, collect_names
from tests.craft.samples import make_evidence

SALES = """Sales of the divisions (in millions)
Division | 2023 | 2022 | Change %
Pumps | 4,812 | 5,066 | (5)
Valves | 1,204 | 1,150 | 5"""

FUND = """The Meridian Fund has three committees. The committees meet twice a year.
The rule of ten years does not apply to: a. members who work abroad; b. members who retired.
The cabinet is rated for 5 to 90 % humidity, non-condensing."""

FONDS = """Het fonds heeft een vestiging in Rotterdam en een webdienst met een pincode.
Het bestuur laat weten of het al dan niet een aanbod doet."""


def verified(claim: str, source: str, language: str = "en") -> Finding:
    return verify_statement(claim, [make_evidence(source, language=language)], language)


@pytest.mark.parametrize(
    "claim",
    [
        "Pumps sold $4,812 million in 2023, against $5,066 million a year earlier.",
        "At 4.8 billion, the sales of pumps were 5% lower than in 2022.",
        "Valves brought 54 million more than in 2022.",
    ],
)
def test_a_value_of_a_table_is_found_in_its_scale(claim: str) -> None:
    assert not verified(claim, SALES).hard


@pytest.mark.parametrize(
    ("claim", "source", "language"),
    [
        ("Remarkably, the three committees meet twice a year.", FUND, "en"),
        ("The ten-year rule does not hold for members who work abroad.", FUND, "en"),
        ("The cabinet takes 5 to 90 % humidity, without condensation.", FUND, "en"),
        ("Daarnaast heeft het fonds een vestiging in Rotterdam.", FONDS, "nl"),
        ("De Rotterdamse vestiging hoort bij het fonds.", FONDS, "nl"),
        ("Voor de webdienst geldt een PIN.", FONDS, "nl"),
        ("Het bestuur laat weten of het een aanbod doet.", FONDS, "nl"),
    ],
)
def test_openers_forms_of_names_and_scoped_negation_are_no_objection(
    claim: str, source: str, language: str
) -> None:
    assert not verified(claim, source, language).hard


def test_a_company_may_be_what_a_text_calls_we() -> None:
    claim = "All warehouses of Norvane are leased."
    assert not verified(claim, "We lease every one of our warehouses.").hard
    assert verified(claim, "Delmont leases every one of its warehouses.").hard


@pytest.mark.parametrize(
    ("name", "text", "known"),
    [
        ("Kubernetes-hosting", "It runs on Kubernetes.", True),
        ("Rotterdamse", "De haven van Rotterdam.", True),
        ("US", "the United States", True),
        ("QEAAs", "a QEAA", True),
        ("HW 2.0", "HW 1.2 and LC-20", False),
        ("Osram", "Philips supplied it.", False),
    ],
)
def test_a_name_may_be_part_inflected_or_abbreviated(name: str, text: str, known: bool) -> None:
    found = Name(name, 0, identifier=True)
    assert collect_names(text).may_have(found, name) == known


@pytest.mark.parametrize(
    "claim",
    [
        "Margins rose through leverage of staff costs.",
        "Smith joined the board in 2019.",
    ],
)
def test_a_contrary_or_another_name_in_a_restated_sentence_is_an_objection(claim: str) -> None:
    source = "Margins rose through deleverage of staff costs. Jones joined the board in 2019."
    assert verified(claim, source).hard


def test_the_documents_own_subject_may_replace_the_company() -> None:
    evidence = make_evidence("The Company rents its head office in Leiden.", title="Norvane 2023")
    claim = "Norvane rents its head office in Leiden."
    assert not verify_statement(claim, [evidence], "en").hard


def test_an_amount_in_another_unit_or_scale_is_an_objection() -> None:
    source = "The regulator supplies 1.5 A. Sales were $4.5 billion."
    assert verified("The regulator supplies 1.5 mA.", source).hard
    assert verified("Sales were $4.5 million.", source).hard
