"""A claim is checked against the source's words, and the reason quotes them."""

from __future__ import annotations

import pytest

from foundry.craft.grounding import Finding, find_quote, verify_statement
from tests.craft.samples import make_evidence

SUPPLY = """# 3 Supply
The controller runs on 24 V and the fan on 12 V.
The relay outputs are not suitable for mains voltage.
Anna Jansen repaired the pump and Piet de Vries inspected the boiler.
Data sheet Rev. A applies to units with hardware version HW 1.2.
The cover, which is not painted, protects the fuse.
The red indicator blinks twice before the motor starts.
Both outputs are isolated, and four inputs are free."""

LIMITS = """# 5 Limits
Parameter | Min | Typ | Max | Unit
Refresh rate | 10 | 30 | 44 | Hz
Supply current | 0.1 | 0.8 | 1.5 | A"""

CUES = "> We ordered three spare fuses.\n> Do not call the plant on Friday."


def verified(claim: str, source: str = SUPPLY, language: str = "en") -> Finding:
    return verify_statement(claim, [make_evidence(source, language=language)], language)


@pytest.mark.parametrize(
    ("claim", "differs"),
    [
        ("The controller runs on 25 V and the fan on 12 V.", "24 V"),
        ("The controller runs on 24 A and the fan on 12 V.", "24 V"),
        ("Anna Jansen repaired the pump and Karel de Vries inspected the boiler.", "Piet"),
        ("Data sheet Rev. B applies to units with hardware version HW 1.2.", "A"),
        ("Data sheet Rev. A applies to units with hardware version HW 1.3.", "1.2"),
        ("The green indicator blinks twice before the motor starts.", "red"),
        ("The red indicator blinks once before the motor starts.", "twice"),
        ("The red indicator blinks twice after the motor starts.", "before"),
        ("Both outputs are isolated, and three inputs are free.", "four"),
    ],
)
def test_the_reason_says_what_the_source_has_instead(claim: str, differs: str) -> None:
    finding = verified(claim)
    assert (finding.verdict, finding.hard) == ("unsupported", True)
    assert finding.differs == differs
    assert differs in str(finding.reason)


def test_two_swapped_values_are_detected() -> None:
    assert verified("The controller runs on 12 V and the fan on 24 V.").hard


def test_a_name_from_elsewhere_in_the_source_does_not_fit_here() -> None:
    assert verified("Piet repaired the pump and Piet de Vries inspected the boiler.").hard


def test_a_value_belongs_to_its_column() -> None:
    assert verified("Refresh rate: Min 10 Hz", LIMITS).supported
    finding = verified("Refresh rate: Min 30", LIMITS)
    assert (finding.hard, finding.differs) == (True, "10")


@pytest.mark.parametrize(
    "claim",
    [
        "The relay outputs are suitable for mains voltage.",
        "The cover, which is painted, protects the fuse.",
        "The red indicator does not blink twice before the motor starts.",
    ],
)
def test_an_added_or_lost_negation_is_detected(claim: str) -> None:
    assert verified(claim).hard


def test_a_negation_in_an_omitted_clause_does_not_count() -> None:
    assert verified("The cover protects the fuse.").supported


@pytest.mark.parametrize(
    ("claim", "kept"),
    [
        ("De teller gaat niet verder dan 999.", True),
        ("De teller gaat verder dan 999.", False),
        ("De klok loopt twee weken door zonder voeding.", True),
        ("De klok loopt twee weken door met voeding.", False),
        ("De klok loopt drie weken door zonder voeding.", False),
        ("De deur is gesloten tenzij het alarm klinkt.", True),
        ("De deur is gesloten als het alarm klinkt.", False),
    ],
)
def test_dutch_negations_are_detected_too(claim: str, kept: bool) -> None:
    source = (
        "De teller gaat niet verder dan 999. De klok loopt twee weken door zonder voeding. "
        "De deur is gesloten tenzij het alarm klinkt."
    )
    assert verified(claim, source, "nl").supported == kept


def test_a_verbatim_sentence_is_certain() -> None:
    for line in SUPPLY.split("\n")[1:]:
        finding = verified(line)
        assert (finding.verdict, finding.score) == ("supported", 1.0)
        assert [quote.text for quote in finding.quotes] == [line]


def test_a_spoken_line_without_content_words_is_found() -> None:
    assert verified("Do not call the plant on Friday.", CUES).supported
    assert verified("That was it then.", "> That was it then.").supported


def test_scattered_words_are_not_support() -> None:
    source = "The pump is loud. The valve opens slowly. A red light shows that oil is low."
    finding = verified("The loud valve shows the oil pump.", source)
    assert not finding.supported
    assert not finding.hard


def test_an_ordinary_word_at_the_start_is_not_an_unknown_name() -> None:
    finding = verified("Similarly, the fan runs on 12 V and the controller runs on 24 V.")
    assert "Similarly" not in str(finding.reason)
    assert verified("Karel repaired the pump.").hard


def test_more_matching_words_give_a_higher_score() -> None:
    close = verified("The relay outputs are not suitable for any mains voltage.")
    loose = verified("These relay contacts cannot take voltage, the vendor warns.")
    assert close.score > loose.score


def test_a_quote_of_a_row_is_the_row() -> None:
    quote = find_quote("The refresh rate is at most 44 Hz.", make_evidence(LIMITS), "en")
    assert quote is not None
    assert quote.text.startswith("Refresh rate | 10")


SALES = """Item | Quarter Ended September 30, 2022 | Quarter Ended September 30, 2021
Product revenue | 15,741 million | 16,631 million"""


def test_a_value_of_a_row_belongs_to_the_date_of_its_column() -> None:
    claim = "Product revenue was {} in the quarter ended September 30, 2022."
    assert verified(claim.format("15,741 million"), SALES).supported
    assert verified(claim.format("16,631 million"), SALES).hard


def test_a_value_of_another_column_may_be_given_for_comparison() -> None:
    claim = "Product revenue was 15,741 million in 2022, against 16,631 million a year earlier."
    assert not verified(claim, SALES).hard


def test_all_parts_of_a_label_choose_the_column() -> None:
    table = """Item | Three months ended October 1, 2022 | Nine months ended October 1, 2022
Research costs | 4,302 million | 13,064 million"""
    claim = "Research costs were {} million in the nine months ended October 1, 2022."
    assert verified(claim.format("13,064"), table).supported
    assert verified(claim.format("4,302"), table).hard


COSTS = """Item | Oct 1, 2022 | Sep 25, 2021
Interest expense | (114) million | (144) million
Rent | 30 million | 31 million"""


def test_a_negative_value_in_its_column_lets_the_other_be_compared() -> None:
    claim = "Interest expense in 2022 was $114 million, against 144 million a year earlier."
    assert not verified(claim, COSTS).hard


def test_a_fiscal_year_is_no_label_of_a_calendar_year() -> None:
    assert not verified("Interest expense in fiscal 2022 was 144 million.", COSTS).hard
    assert verified("Interest expense in 2022 was 144 million.", COSTS).hard


def test_a_row_without_a_word_of_the_claim_proves_nothing() -> None:
    assert not verified("Buildings took 31 million in 2022.", COSTS).hard


def test_a_range_with_its_scale_at_the_end_is_the_same_in_another_language() -> None:
    source = "Operating income increased from $3.3 billion in May to $7.7 billion in June."
    claim = "Het bedrijfsresultaat nam toe van 3,3 naar 7,7 miljard dollar."
    assert not verified(claim, source, "nl").hard


def test_a_value_is_quoted_without_the_full_stop_after_it() -> None:
    reason = verified("The pump delivered 134.4 billion.", "The pump delivered 12 billion.").reason
    assert "'134.4 billion'" in str(reason)


def test_another_month_of_the_same_year_is_another_date() -> None:
    evidence = make_evidence("The printed guide to the controller appeared in May 2025.")
    claim = "The printed guide to the controller appeared in June 2025."
    assert not verify_statement(claim, [evidence], "en").supported
