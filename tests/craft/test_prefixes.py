"""The prompt for context prefixes: what it contains of a document, and how its reply is parsed."""

from __future__ import annotations

from dataclasses import replace

from foundry.craft.prefixes import (
    ELISION,
    build_heading_prefix,
    build_prefix_prompt,
    parse_prefixes,
    render_surroundings,
)
from foundry.prompts import load_templates, truncate_to_tokens
from foundry.records import Chunk
from tests.craft.samples import make_chunk

TEMPLATE = load_templates().prefixes


def words(text: str) -> int:
    return len(text.split())


def numbered(first: int, last: int) -> str:
    return "\n".join(f"Line {number} of the document." for number in range(first, last))


def chunk_at(text: str, part: str, name: str = "a") -> Chunk:
    chunk = make_chunk(part, start=text.index(part))
    return replace(chunk, id=name, tokens=words(part))


def test_the_built_in_prefix_is_title_and_headings() -> None:
    chunk = replace(make_chunk("x"), heading_path=("3 Power",), headings=("3 Power", "3.1 Supply"))
    assert build_heading_prefix(chunk, "Manual") == "Manual\n3 Power\n3.1 Supply"


def test_every_line_of_a_short_document_appears_once() -> None:
    text = numbered(0, 30)
    chunk = chunk_at(text, numbered(10, 12))
    prompt = build_prefix_prompt(
        TEMPLATE, [chunk], text=text, title="Manual", language="Dutch", count=words,
        longest=500, room=1500,
    )  # fmt: skip
    assert all(prompt.count(f" Line {number} of") == 1 for number in range(30))
    assert "C1| Line 10 of the document.\nC1| Line 11" in prompt
    assert "D| Line 9 of the document.\nD| [C1]\nD| Line 12" in prompt
    assert "Write in Dutch." in prompt


def test_of_a_long_document_the_opening_and_the_surroundings_are_kept() -> None:
    text = numbered(0, 2000)
    chunk = chunk_at(text, numbered(1000, 1010))
    around = render_surroundings(text, [chunk], "Manual", words, 300)
    assert words(around) <= 300
    assert "Line 0 of" in around
    assert "Line 999 of" in around
    assert "Line 1010 of" in around
    assert ELISION in around
    assert "Line 500 of" not in around


def test_overlapping_chunks_repeat_nothing() -> None:
    text = numbered(0, 20)
    chunks = [chunk_at(text, numbered(2, 6), "a"), chunk_at(text, numbered(5, 9), "b")]
    around = render_surroundings(text, chunks, "Manual", words, 1000)
    assert "Line 5 of" not in around
    assert around.index("[C1]") < around.index("[C2]") < around.index("Line 9 of")


def test_without_room_the_document_is_omitted() -> None:
    text = numbered(0, 20)
    assert render_surroundings(text, [chunk_at(text, "Line 3 of")], "Manual", words, 0) == ""


def test_a_chunk_longer_than_its_share_is_cut() -> None:
    chunk = chunk_at(numbered(0, 100), numbered(0, 100))
    prompt = build_prefix_prompt(
        TEMPLATE, [chunk], text=chunk.text, title="", language="Dutch", count=words,
        longest=50, room=0,
    )  # fmt: skip
    assert "C1| Line 9 of" in prompt
    assert "Line 11 of" not in prompt


def test_a_short_chunk_leaves_its_room_to_a_long_one() -> None:
    text = numbered(0, 100)
    chunks = [chunk_at(text, numbered(0, 90), "a"), chunk_at(text, "Line 95 of", "b")]
    prompt = build_prefix_prompt(
        TEMPLATE, chunks, text=text, title="", language="Dutch", count=words, longest=500, room=900,
    )  # fmt: skip
    assert "C1| Line 89 of" in prompt
    assert "C2| Line 95 of" in prompt


def test_the_first_entry_of_a_known_chunk_counts() -> None:
    entries = [
        {"id": "C1", "text": "First."},
        {"id": "C1", "text": "Again."},
        {"id": "C2", "text": " \u200b "},
        {"id": "S1", "text": "Unknown."},
        "nonsense",
    ]
    chunks = [replace(make_chunk("x"), id=name) for name in ("a", "b")]
    assert parse_prefixes({"prefixes": entries}, chunks, words) == {"a": "First."}
    assert parse_prefixes(None, chunks, words) == {}
    assert parse_prefixes({"prefixes": "x"}, chunks, words) == {}


def test_a_text_is_cut_between_words() -> None:
    assert truncate_to_tokens("one two three four", 2, words) == "one two"
    assert truncate_to_tokens("short", 2, words) == "short"
    assert truncate_to_tokens("x" * 100, 10, len) == "x" * 10
