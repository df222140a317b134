"""Two sentences aligned word by word: the shared words in order, and the gaps between."""

from __future__ import annotations

from dataclasses import replace

from foundry.text.alignment import Gap, align, tokenize_line
from foundry.text.lines import parse_line
from foundry.text.passages import find_passages
from foundry.text.polarity import ANTONYMS, EXCLUSIVE_WORDS
from tests.craft.samples import make_evidence


def find_gaps(one: str, other: str) -> tuple[Gap, ...]:
    return align(*(tokenize_line(parse_line(text, "en"), "en") for text in (one, other)))


def test_equal_sentences_have_no_gap() -> None:
    assert find_gaps("The fan runs at 1200 rpm.", "The fan runs at 1200 rpm.") == ()


def test_a_quantity_is_one_word_however_it_is_written() -> None:
    assert not find_gaps("It needs 3.3 V today.", "It needs 3300 mV today.")
    assert find_gaps("It needs 3.3 V today.", "It needs 3.3 A today.")


def test_a_changed_word_is_paired_with_the_word_it_replaced() -> None:
    (gap,) = find_gaps("The red lamp blinks.", "The green lamp blinks.")
    assert [token.text for token in (*gap.ours, *gap.theirs)] == ["red", "green"]
    assert (gap.before, gap.after) == ("The", "lamp")


def test_different_number_words_do_not_match() -> None:
    assert find_gaps("Three fuses blew.", "Two fuses blew.")


def test_codes_match_with_and_without_a_dash() -> None:
    assert not find_gaps("The RS485 port works.", "The RS-485 port works.")
    assert find_gaps("The E1.31 stream works.", "The E1.32 stream works.")


def test_exclusive_words_exclude_each_other_both_ways() -> None:
    assert all(
        word in EXCLUSIVE_WORDS[other]
        for word, others in EXCLUSIVE_WORDS.items()
        for other in others
    )
    assert "voor" not in ANTONYMS
    assert "na" in EXCLUSIVE_WORDS["voor"]


def test_a_row_of_one_cell_is_read_like_a_sentence() -> None:
    chunk = make_evidence("| A |\n|---|\n| Dead after 5 V |\n").hit.chunk
    (row,) = (passage for passage in find_passages(chunk) if passage.text.startswith("| Dead"))
    plain = parse_line("Dead after 5 V", "en")
    line = replace(plain, passage=row)
    assert not align(tokenize_line(plain, "en"), tokenize_line(line, "en"))


def test_the_longest_run_of_words_is_kept_together() -> None:
    (first, last) = find_gaps("The fan of the pump runs.", "The pump runs, the fan too.")
    assert [token.text for token in first.ours] == ["The", "fan", "of"]
    assert [token.text for token in last.theirs] == ["the", "fan", "too"]
