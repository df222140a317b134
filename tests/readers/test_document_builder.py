import pytest

from foundry.errors import ReadError
from foundry.readers.document_builder import DocumentBuilder, TextMarker


def test_offsets_point_at_the_words_of_each_block() -> None:
    builder = DocumentBuilder("pdf")
    builder.add_heading("2  Use", 1, page=3)
    builder.add("paragraph", "  Press start.\r\nWait. ", page=3)
    document = builder.build("Manual", pages=9)
    words = [document.text[block.start : block.end] for block in document.blocks]
    assert words == ["2 Use", "Press start.\nWait."]
    assert document.text == "2 Use\n\nPress start.\nWait."


def test_a_heading_closes_those_of_its_level_and_deeper() -> None:
    builder = DocumentBuilder("docx")
    for title, level in (("1 A", 1), ("1.1 B", 2), ("1.1.1 C", 3), ("1.2 D", 2)):
        builder.add_heading(title, level)
    builder.add("paragraph", "text")
    assert builder.build("x").blocks[-1].heading_path == ("1 A", "1.2 D")


def test_a_section_without_a_heading_names_what_follows_and_adds_no_text() -> None:
    builder = DocumentBuilder("pdf")
    builder.open_section("Annex", 1)
    builder.add("paragraph", "text")
    document = builder.build("x")
    assert document.text == "text"
    assert document.blocks[0].heading_path == ("Annex",)


def test_list_items_are_on_neighbouring_lines() -> None:
    builder = DocumentBuilder("html")
    builder.add("list_item", "- one")
    builder.add("list_item", "- two")
    builder.add("paragraph", "after")
    assert builder.build("x").text == "- one\n- two\n\nafter"


def test_a_document_without_text_is_an_error_with_a_reason() -> None:
    builder = DocumentBuilder("pptx")
    builder.add("paragraph", " \n ")
    with pytest.raises(ReadError, match="only pictures"):
        builder.build("x", reason="It holds only pictures.")


def test_characters_that_databases_reject_are_dropped() -> None:
    builder = DocumentBuilder("pdf")
    builder.add("paragraph", "a\x00b\ud800c\ufffed\x84e")
    text = builder.build("x").text
    assert text == "abcde"
    assert text.encode()


def test_a_heading_needs_a_level() -> None:
    with pytest.raises(ValueError, match="level"):
        DocumentBuilder("pdf").add("heading", "1 Use")


def test_a_mark_never_reaches_into_the_previous_block() -> None:
    marker = TextMarker("txt", "one two three")
    marker.mark("paragraph", 0, 8)
    marker.mark("paragraph", 4, 13)
    spans = [(block.start, block.end) for block in marker.build("x").blocks]
    assert spans == [(0, 7), (8, 13)]
