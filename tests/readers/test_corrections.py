"""Corrections laid over what readers made: the text, its blocks, and what was there before."""

from __future__ import annotations

from dataclasses import replace

from foundry.ids import hash_text
from foundry.readers.corrections import correct_document, restore_words
from foundry.readers.document_builder import DocumentBuilder, read_cells
from foundry.readers.grids import build_cells
from foundry.records import Correction, CorrectionKind, Document, Doubt, Recognition
from foundry.text.table_layout import count_header_rows
from tests.store.records import WHEN


def make_document() -> Document:
    builder = DocumentBuilder("png")
    builder.add_heading("Purnp manual", 1, page=1)
    builder.add_heading("1 Service", 3, page=1)
    unsure = Recognition(0.5, (Doubt("l6", "16"), Doubt("hose", "nose")))
    builder.add("paragraph", "The hose is l6 mm wide.", page=1, recognition=unsure)
    builder.add("paragraph", "1.1 Intervals Clean it weekly.", page=1)
    builder.add_heading("2 Data", 2, page=1)
    rows = [("Part", "Rnass"), ("", "kg"), ("Purnp", "l2"), ("Hose", "3")]
    builder.add_table(read_cells(build_cells(rows)), page=1)
    return builder.build("Purnp manual")


def make_correction(
    document: Document, block: int, kind: CorrectionKind, after: str, words: str = ""
) -> Correction:
    span = document.blocks[block]
    text = document.text[span.start : span.end]
    start = text.index(words)
    end = start + len(words) if words else len(text)
    return Correction(
        f"cor_{block}{kind}{after}", "a.png", "hash", "public", kind, block + 1, hash_text(text),
        start, end, text[start:end], text[start:end], after, "print", "Ann", WHEN,
    )  # fmt: skip


def correct(document: Document, *corrections: Correction) -> Document:
    overlay = correct_document(document, corrections)
    assert overlay.refused == {}
    return overlay.document


def words_of(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks]


def test_corrected_words_move_all_that_follows_and_keep_the_original() -> None:
    read = make_document()
    document = correct(read, make_correction(read, 2, "words", "sixteen", "l6"))
    assert words_of(document)[2:4] == ["The hose is sixteen mm wide.", words_of(read)[3]]
    part = document.blocks[2].corrections[0]
    assert document.text[part.start : part.end] == part.after == "sixteen"
    assert part.before == "l6"
    table = document.blocks[5].table
    assert table
    assert [document.text[cell.start : cell.end] for cell in table.cells] == ["l2", "3"]


def test_a_person_settles_the_doubt_of_ocr_about_the_same_words() -> None:
    read = make_document()
    document = correct(read, make_correction(read, 2, "words", "16", "l6"))
    recognition = document.blocks[2].recognition
    assert recognition == Recognition(0.5, (Doubt("hose", "nose"),))


def test_a_part_of_a_word_is_put_right_in_the_title_in_paths_and_in_labels() -> None:
    read = make_document()
    document = correct(
        read,
        make_correction(read, 0, "words", "m", "rn"),
        make_correction(read, 5, "words", "M", "Rn"),
    )
    assert document.title == "Pump manual"
    assert document.blocks[2].heading_path[0] == "Pump manual"
    table = document.blocks[5].table
    assert table
    assert table.cells[0].column[0] == "Mass"


def test_a_value_of_a_table_is_corrected_in_its_cell() -> None:
    read = make_document()
    document = correct(read, make_correction(read, 5, "words", "12", "l2"))
    table = document.blocks[5].table
    assert table
    assert [cell.value for cell in table.cells] == ["12", "3"]


def test_a_heading_at_another_level_takes_its_sections_along() -> None:
    read = make_document()
    document = correct(read, make_correction(read, 4, "heading", "4"))
    assert document.blocks[4].level == 4
    assert document.blocks[5].heading_path == ("Purnp manual", "1 Service", "2 Data")
    assert document.text == read.text


def test_words_within_a_paragraph_become_a_heading_with_a_section_of_its_own() -> None:
    read = make_document()
    document = correct(read, make_correction(read, 3, "heading", "4", "1.1 Intervals"))
    heading, rest = document.blocks[3:5]
    assert (heading.kind, heading.level) == ("heading", 4)
    assert words_of(document)[4] == "Clean it weekly."
    assert rest.heading_path == ("Purnp manual", "1 Service", "1.1 Intervals")
    assert document.blocks[6].heading_path == ("Purnp manual", "2 Data")


def test_a_heading_that_is_none_becomes_text_of_the_section_before() -> None:
    read = make_document()
    document = correct(read, make_correction(read, 4, "heading", "text"))
    assert document.blocks[4].kind == "paragraph"
    assert document.blocks[5].heading_path == ("Purnp manual", "1 Service")


def test_a_section_without_a_heading_in_the_text_stays() -> None:
    builder = DocumentBuilder("pptx")
    for slide in ("Slide 1", "Slide 2"):
        builder.open_section(slide, 1)
        builder.add_heading(f"Title of {slide}", 2)
        builder.add("paragraph", "Words.")
    read = builder.build("Deck")
    document = correct(read, make_correction(read, 0, "heading", "3"))
    paths = [block.heading_path for block in document.blocks]
    assert paths == [block.heading_path for block in read.blocks]


def test_a_table_is_read_again_with_the_given_header_rows() -> None:
    read = make_document()
    number = count_header_rows(read.blocks[5])
    document = correct(read, make_correction(read, 5, "header", "1"))
    assert number == 2
    table = document.blocks[5].table
    assert table
    assert [(cell.row, cell.column, cell.value) for cell in table.cells] == [
        ((), ("Rnass",), "kg"),
        (("Purnp",), ("Rnass",), "l2"),
        (("Hose",), ("Rnass",), "3"),
    ]
    assert document.blocks[5].corrections[0].kind == "header"


def test_a_name_above_the_last_header_row_holds_for_the_columns_it_spans() -> None:
    builder = DocumentBuilder("csv")
    rows = [("", "Summer", "", "Winter"), ("", "dry", "wet", "dry"), ("Oil", "1", "2", "3")]
    builder.add_table(read_cells(build_cells(rows)))
    read = builder.build("Oil")
    table = correct(read, make_correction(read, 0, "header", "2")).blocks[0].table
    assert table
    columns = [cell.column for cell in table.cells]
    assert columns == [("Summer", "dry"), ("Summer", "wet"), ("Winter", "dry")]


def test_the_parts_of_a_long_table_get_the_same_header() -> None:
    builder = DocumentBuilder("csv")
    rows = [("kind", "colour"), *((f"lamp {n}", "red " * 20) for n in range(120))]
    builder.add_table(read_cells(build_cells(rows)))
    read = builder.build("Lamps")
    assert len(read.blocks) > 1
    document = correct(read, make_correction(read, 0, "header", "0"))
    tables = [block.table for block in document.blocks]
    assert all(table and table.header == () and not table.cells[0].column for table in tables)


def test_a_second_correction_of_the_same_words_is_left_out() -> None:
    read = make_document()
    first = make_correction(read, 2, "words", "16 mm", "l6 mm")
    second = make_correction(read, 2, "words", "10", "l6")
    # The clock may have gone back between them.
    overlay = correct_document(read, [first, replace(second, created=WHEN.replace(year=2001))])
    assert list(overlay.refused) == [second.id]
    assert words_of(overlay.document)[2] == "The hose is 16 mm wide."


def test_a_block_that_moved_is_found_by_its_text_and_one_that_is_gone_is_not() -> None:
    read = make_document()
    moved = replace(make_correction(read, 2, "words", "16", "l6"), block=9)
    gone = replace(make_correction(read, 3, "heading", "2"), block_hash="?")
    overlay = correct_document(read, [moved, gone])
    assert "16 mm" in overlay.document.text
    assert overlay.refused[gone.id].code == "correction-block-gone"


def test_a_text_that_is_twice_in_a_document_is_corrected_at_its_number_or_not_at_all() -> None:
    builder = DocumentBuilder("png")
    for _ in range(2):
        builder.add("paragraph", "Set it to O.")
    read = builder.build("Settings")
    second = make_correction(read, 1, "words", "0", "O")
    assert words_of(correct(read, second)) == ["Set it to O.", "Set it to 0."]
    overlay = correct_document(read, [replace(second, block=7)])
    assert overlay.refused[second.id].code == "correction-block-several"


def test_the_words_as_read_are_found_again_for_any_span_of_the_corrected_text() -> None:
    read = make_document()
    document = correct(
        read,
        make_correction(read, 2, "words", "sixteen", "l6"),
        make_correction(read, 2, "words", "w", "wide"),
    )
    block, text, first = document.blocks[2], document.text, document.blocks[2].start
    expected = words_of(read)[2]
    for words, original in [
        (words_of(document)[2], expected),
        ("sixteen mm", "l6 mm"),
        ("teen mm w", "l6 mm wide"),
        ("is six", "is l6"),
        ("hose is", "hose is"),
        ("mm", "mm"),
        (".", "."),
    ]:
        start = text.index(words, first)
        whole, begin, end = restore_words(text, block, start, start + len(words))
        assert (whole, whole[begin:end]) == (expected, original)
