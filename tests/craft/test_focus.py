from __future__ import annotations

from typing import Any

from foundry.analysis import analyse
from foundry.craft.windows import find_focus
from foundry.records import Chunk, Document, Focus
from tests.craft.documents import build, chunks_of, heading, speech

PARTS = [
    heading(1, "3 Electrical"),
    ("paragraph", None, "This chapter has limits. The supply voltage is 24 V. It is dull."),
    heading(2, "3.1 Cable"),
    ("paragraph", None, "Use shielded cable. The length is at most 250 m."),
    ("table", None, "| Part | Length |\n| Stub | 2 m |\n| Line | 250 m |"),
]


def focus_on(document: Document, words: str) -> tuple[str, Focus]:
    chunk: Chunk = chunks_of(document, (700, 1000), (100, 150))[0]
    found = find_focus(chunk, set(analyse(words, "en")))
    return document.text[found.start : found.end], found


def test_the_focus_is_the_sentence_with_most_terms() -> None:
    words, found = focus_on(build(PARTS), "supply voltage")
    assert words == "The supply voltage is 24 V."
    assert (found.heading_path, found.page) == (("3 Electrical",), 1)


def test_terms_of_the_heading_above_count_too() -> None:
    words, found = focus_on(build(PARTS), "cable length")
    assert words == "The length is at most 250 m."
    assert found.section == "3.1 Cable"


def test_the_focus_in_a_table_is_a_row() -> None:
    assert focus_on(build(PARTS), "stub 2 m")[0] == "| Stub | 2 m |"


def test_the_focus_in_a_cue_has_its_time() -> None:
    document = speech([("Ann", "Good morning."), ("Bo", "The price is high.")])
    words, found = focus_on(document, "price")
    assert (words, found.time) == ("The price is high.", 4.0)


def test_without_a_match_the_focus_is_the_first_sentence_below_a_heading() -> None:
    assert focus_on(build(PARTS), "unrelated words")[0] == "This chapter has limits."


def test_a_match_in_a_heading_moves_the_focus_into_its_section() -> None:
    parts = [*PARTS[:2], heading(2, "3.2 Weight"), ("paragraph", None, "Two kilos. No more.")]
    assert focus_on(build(parts), "weight")[0] == "Two kilos."


def test_a_chunk_of_headings_is_its_own_focus() -> None:
    assert focus_on(build([heading(1, "Annex")]), "nothing")[0] == "Annex"


def test_a_line_that_reads_like_a_heading_is_not_the_best_part() -> None:
    parts: list[Any] = [
        ("paragraph", None, "INVOICE"),
        ("paragraph", None, "Total amount due: $5,000.00"),
    ]
    assert focus_on(build(parts), "invoice total")[0] == "Total amount due: $5,000.00"


def test_a_line_of_contents_is_never_the_best_part() -> None:
    parts: list[Any] = [
        ("paragraph", None, "3.2 Supply voltage ........ 14"),
        ("paragraph", None, "The supply is 24 V."),
    ]
    assert focus_on(build(parts), "supply voltage")[0] == "The supply is 24 V."
