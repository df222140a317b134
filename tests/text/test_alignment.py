"""Two sentences aligned word by word: the shared words in order, and the gaps between."""

from __future__ import annotations

from dataclasses import replace

from foundry.text.alignment import Alignment, align
from foundry.text.lines import parse_line
from foundry.text.passages import find_passages
from foundry.text.polarity import ANTONYMS, EXCLUSIVE_WORDS
from tests.craft.samples import make_evidence


def aligned(claim: str, source: str) -> Alignment:
    return align(parse_line(claim, "en"), [parse_line(source, "en")], "en")


def test_equal_sentences_have_no_gap() -> None:
    alignment = aligned("The fan runs at 1200 rpm.", "The fan runs at 1200 rpm.")
    assert alignment.same
    assert (alignment.share, alignment.gaps) == (1.0, ())


def test_a_quantity_is_one_word_however_it_is_written() -> None:
    assert aligned("It needs 3.3 V today.", "It needs 3300 mV today.").same
    assert not aligned("It needs 3.3 V today.", "It needs 3.3 A today.").same


def test_a_changed_word_is_paired_with_the_word_it_replaced() -> None:
    gap = aligned("The red lamp blinks.", "The green lamp blinks.").gaps[0]
    assert [token.text for token in (*gap.claim, *gap.source)] == ["red", "green"]
    assert (gap.before, gap.after) == ("The", "lamp")


def test_different_number_words_do_not_match() -> None:
    assert not aligned("Three fuses blew.", "Two fuses blew.").same


def test_codes_match_with_and_without_a_dash() -> None:
    assert aligned("The RS485 port works.", "The RS-485 port works.").same
    assert not aligned("The E1.31 stream works.", "The E1.32 stream works.").same


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
    line = replace(parse_line("Dead after 5 V", "en"), passage=row)
    assert align(parse_line("Dead after 5 V", "en"), [line], "en").same
