"""The rules' verdict on a statement: exact and contradicted rest on one sentence or row alone."""

from __future__ import annotations

import pytest

from foundry.craft.grounding import Finding, find_quote, verify_statement
from tests.craft.samples import make_doubtful, make_evidence

MANUAL = """# 3.2 Power supply
The controller draws a current of 0.5 A at 1,000 hours, and must not be opened during operation.
Version 2.1 of the firmware was released on 5 March 2026 by Anna Jansen.
However, the RS-485 output drives 32 receivers.
The scope for reopening a case is zds.scopes.zaken.heropenen.
UART3 is available through the locking JST connector.
The fan may run when the housing is warmer than 40 °C.
The kit contains the following parts:
- a cable of 2 m
- one ferrite"""

DUTCH = """Het besluit betekent níet dat de vereniging stopt met de standaarden zelf.
De accu gaat minimaal 1.000 uur mee en mag niet worden vervangen."""

RATINGS = """# 5 Ratings
Symbol | Parameter | Min | Max | Unit
VCC | Supply voltage | 4.5 | 5.5 | V
ICC | Supply current | 0.1 | 1.5 | A
TA | Ambient temperature | -20 | 60 | °C"""

DROPOUT = """Parameter | Condition | Typ
Dropout voltage | 100 mA | 50 mV
Dropout voltage | 600 mA | 350 mV"""


def check(text: str, source: str, language: str = "en") -> Finding:
    return verify_statement(text, [make_evidence(source, language=language)], language)


@pytest.mark.parametrize(
    "text",
    [
        "UART3 is available through the locking JST connector.",
        "UART3 is available through a locking JST connector.",
        "Controller draws a current of 500 mA at 1000 hours, and must not be opened during operation.",
        "Version 2.1 of the firmware was released on 2026-03-05 by Anna Jansen.",
        "The RS485 outputs drive 32 receivers.",
        "The kit contains: a cable of 200 cm",
    ],
)
def test_the_same_sentence_is_exact_in_any_format_unit_or_inflection(text: str) -> None:
    found = check(text, MANUAL)
    assert (found.verdict, found.missing) == ("exact", ())


@pytest.mark.parametrize(
    "text",
    [
        "The controller draws a current of 0.5 A at 1,000 hours.",
        "The controller must be opened during operation.",
        "The fan may run.",
        "The scope for reopening a case is zds.scopes.zaken.geforceerd.",
        "The scope for reopening a case is zaken.heropenen.",
        "UART2 is available through the locking JST connector.",
        "The firmware drives 32 receivers.",
        "Anna Jansen released the firmware in 2026.",
        "The kit contains one ferrite of 2 m.",
    ],
)
def test_what_drops_adds_or_mixes_anything_is_never_exact(text: str) -> None:
    assert check(text, MANUAL).verdict != "exact"


@pytest.mark.parametrize(
    ("text", "said", "differs"),
    [
        ("The RS-485 output drives 16 receivers.", "16", "32"),
        ("The fan must run when the housing is warmer than 40 °C.", "must", "may"),
        ("Version 2.1 of the firmware was released on 6 March 2026 by Anna Jansen.",
         "6 March 2026", "5 March 2026"),
    ],
)  # fmt: skip
def test_another_value_or_a_contrary_word_in_the_same_sentence_contradicts(
    text: str, said: str, differs: str
) -> None:
    found = check(text, MANUAL)
    assert (found.verdict, found.said, found.differs) == ("contradicted", said, differs)


def test_a_stressed_dutch_negation_is_one() -> None:
    claim = "Het besluit betekent dat de vereniging stopt met de standaarden zelf."
    assert check(claim, DUTCH, "nl").verdict == "contradicted"


def test_another_identifier_says_where_to_look_and_contradicts_nothing() -> None:
    found = check("UART2 is available through the locking JST connector.", MANUAL)
    assert (found.verdict, found.differs) == ("open", "UART3")


@pytest.mark.parametrize(
    "text",
    [
        "VCC: Min 4.5 V",
        "The minimum supply voltage VCC is 4.5 V.",
        "The maximum of ICC is 1500 mA.",
        "VCC: Parameter: Supply voltage; Min: 4.5 V; Max: 5.5 V",
    ],
)
def test_a_row_with_its_labels_and_unit_is_exact(text: str) -> None:
    assert check(text, RATINGS).verdict == "exact"


@pytest.mark.parametrize(
    "text",
    [
        "VCC is 4.5 V.",
        "VCC: Min 4.5",
        "VCC: Min: 5.5 V; Max: 4.5 V",
        "The maximum of ICC is at least 1.5 A.",
        "The maximum of ICC is not 1.5 A.",
        "The maximum of ICC is 1.5 A in standby.",
        "TA: Min 4.5 V",
    ],
)
def test_a_row_without_a_label_or_with_another_one_is_not_exact(text: str) -> None:
    assert check(text, RATINGS).verdict != "exact"


def test_another_value_of_the_cell_that_is_named_contradicts() -> None:
    found = check("The maximum of ICC is 2.5 A.", RATINGS)
    assert (found.verdict, found.said, found.differs) == ("contradicted", "2.5 A", "1.5")


def test_a_row_is_not_exact_where_another_one_has_the_same_name() -> None:
    assert check("The typical dropout voltage is 50 mV.", DROPOUT).verdict == "open"


PARTS = """# 7 Parts of the filter holder
Item | Quantity | Maker | Part # | Price (USD) | Capacity on request | Replaced by
A1 | 20 | JST | SXH-001T | 0.10 | 10 / sec | A2
A2 | ~2 | JST | XHP-2 | 0.12 | 20 / sec | none
A3 | (7) | Molex | 5A-10 | 0.10 | 10 sec | A4"""


@pytest.mark.parametrize(
    "text",
    [
        "The price of A2 is 0.12 USD.",
        "Part XHP-2: Price (USD) = 0.12",
        "The maker of part 5A-10 is Molex.",
        "The quantity of the JST part SXH-001T is 20.",
        "The Capacity on request of A1 is 10 / sec.",
        "A1 is replaced by A2.",
        "A2: Quantity = ~2",
    ],
)
def test_a_row_may_be_named_by_a_cell_and_a_unit_stand_with_its_value(text: str) -> None:
    assert check(text, PARTS).verdict == "exact"


@pytest.mark.parametrize(
    "text",
    [
        "The price of A2 is 0.12 EUR.",
        "The price of A2 is 0.12.",
        "The quantity of JST is 20.",
        "The Capacity on request of A1 is 10 sec.",
        "A2 is replaced by A1.",
        "SXH-001T: Replaced by = A1",
        "A2: Quantity = 2",
        "A3: Quantity = 7",
        "The maker of A1 is SXH-001T.",
    ],
)
def test_another_unit_sign_order_or_row_of_that_name_is_not_exact(text: str) -> None:
    assert check(text, PARTS).verdict != "exact"


def test_the_heading_above_a_row_says_which_of_two_with_one_name_is_meant() -> None:
    low = "# Low power\nParameter | Condition | Typ\nDropout voltage | 100 mA | 20 mV"
    source = f"# Full power\n{DROPOUT}\n\n{low}"
    assert check("The Typ of dropout voltage is 20 mV.", source).verdict == "open"
    assert check("Low power: the Typ of dropout voltage is 20 mV.", source).verdict == "exact"
    assert check("Low power: the Typ of dropout voltage is 50 mV.", source).verdict != "exact"


def test_a_statement_on_a_cell_in_doubt_is_not_exact() -> None:
    evidence = make_doubtful(RATINGS, "4.5")
    assert verify_statement("VCC: Min 4.5 V", [evidence], "en").verdict == "open"
    assert verify_statement("VCC: Max 5.5 V", [evidence], "en").verdict == "exact"


def test_a_cell_in_doubt_contradicts_nothing() -> None:
    evidence = make_doubtful(RATINGS, "4.5")
    assert verify_statement("The Min of VCC is 4.8 V.", [evidence], "en").verdict == "open"
    assert verify_statement("The Max of VCC is 5.8 V.", [evidence], "en").verdict == "contradicted"


def test_the_whole_row_is_not_exact_if_a_cell_is_in_doubt() -> None:
    row = "VCC; Parameter: Supply voltage; Min: 4.5 V; Max: 5.5 V"
    assert verify_statement(row, [make_evidence(RATINGS)], "en").verdict == "exact"
    assert verify_statement(row, [make_doubtful(RATINGS, "4.5")], "en").verdict == "open"


def test_a_quote_names_the_values_in_doubt() -> None:
    found = verify_statement("VCC: Min 4.5 V", [make_doubtful(RATINGS, "4.5")], "en")
    assert found.quotes[0].doubtful == ("4.5",)


def test_an_open_statement_has_the_nearest_sentence_and_what_it_shares_and_lacks() -> None:
    found = check("The firmware 2.1 came out in Utrecht.", MANUAL)
    assert found.quotes[0].text.startswith("Version 2.1")
    assert ("firmware" in found.shared, "Utrecht" in found.missing) == (True, True)
    assert 0 < found.nearness < 1


def test_markup_left_in_a_sentence_keeps_it_from_being_exact() -> None:
    blob = '<div class="tabs"> UART2 is ready. </div> <b>UART3</b> is ready.'
    assert check("UART3 is ready.", blob).verdict == "open"


@pytest.mark.parametrize("text", ["", "?!", "and the of", "x" * 3000, "word " * 600])
def test_a_statement_without_content_or_of_any_length_is_open(text: str) -> None:
    assert check(text, MANUAL).verdict == "open"


def test_a_question_of_the_source_says_nothing() -> None:
    assert check("The fuse is rated for 5 A.", "The fuse is rated for 5 A?").verdict == "open"


def test_a_statement_may_be_cut_into_sentences_otherwise_than_its_source() -> None:
    source = "Use cable no. 5 only. It is red. Never pull it."
    assert check("It is red. Never pull it.", source).verdict == "exact"
    assert check("5 only. It is red.", source).verdict == "open"


def test_the_nearest_words_of_a_passage_are_found_or_none() -> None:
    evidence = make_evidence(MANUAL)
    quote = find_quote("How many receivers?", evidence, "en")
    assert quote is not None
    assert "32 receivers" in quote.text
    assert find_quote("Zebra", evidence, "en") is None


@pytest.mark.parametrize("reply", ["No", "Yes"])
def test_an_opening_yes_or_no_denies_nothing_and_is_left_to_a_reader(reply: str) -> None:
    text = f"{reply}, the fan may run when the housing is warmer than 40 °C."
    assert check(text, MANUAL).verdict == "open"
    assert check(text.replace("40", "60"), MANUAL).verdict == "contradicted"
