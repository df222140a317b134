"""The order in which pages are read, and the signs that are no letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.messages import Message
from foundry.readers.symbols import find_symbol_font, read_printed
from tests.readers.drawn_pages import Sheet
from tests.readers.pdf_files import print_codes, raw
from tests.readers.sample_files import read_path

LEFT = "Every unit answers the packets of the controller within the time that is set for it {} and"
RIGHT = "A lamp that loses its signal keeps the last level until the next packet {} arrives and"


def columns(sheet: Sheet, left: list[str], right: list[str], *, size: float = 6.0) -> None:
    top = sheet.line_y
    for x, lines in ((40, left), (310, right)):
        sheet.line_y = top
        for line in lines:
            sheet.line_of(line, x=x, size=size)


def test_a_column_with_a_table_in_it_is_read_after_the_one_beside_it(tmp_path: Path) -> None:
    sheet = Sheet()
    prose = [RIGHT.format(number) for number in range(8)]
    rows = [f"Mode {number}          {number}7 mA" for number in range(12)]
    columns(sheet, [LEFT.format(number) for number in range(20)], rows + prose)
    words = sheet.read(tmp_path).text.split()
    assert words.index("19") < words.index("Mode")
    assert "packet 0 arrives and A lamp" in " ".join(words)


def test_indented_lines_beside_a_gap_are_in_their_column(tmp_path: Path) -> None:
    sheet = Sheet()
    right = [RIGHT.format(number) for number in range(20)]
    columns(sheet, [LEFT.format(number) for number in range(20)], right[:6])
    for line in right[6:]:
        sheet.line_of(line, x=352, size=6.0)
    words = " ".join(sheet.read(tmp_path).text.split())
    assert "for it 2 and Every unit" in words
    assert "packet 2 arrives and A lamp" in words


@pytest.mark.parametrize(
    ("name", "signs"),
    [
        ("ABCDEF+SymbolMT", "symbol"),
        ("Wingdings2", "wingdings 2"),
        ("Wingdings-Regular", "wingdings"),
        ("SegoeUISymbol", None),
        ("Symbola", None),
    ],
)
def test_a_font_of_signs_is_known_by_its_whole_name(name: str, signs: str | None) -> None:
    assert find_symbol_font(name) == signs


def test_a_sign_in_a_word_does_not_make_its_letters_greek(tmp_path: Path) -> None:
    path = print_codes(tmp_path / "a.pdf", ("SymbolMT", b"\xb0\xb3"), ("Arial", b"VRMS"))
    assert "°≥VRMS" in read_path(path).text


def test_a_sign_that_a_font_gives_by_its_name_is_not_taken_for_a_code(tmp_path: Path) -> None:
    path = print_codes(tmp_path / "a.pdf", ("Symbol", b"\x6d\xb4\xb0"), ("Arial", b"V"))
    assert "µ×°V" in read_path(path).text


def test_a_private_sign_of_an_unknown_font_is_shown_and_said() -> None:
    assert read_printed("\uf0b7", "symbol") == "•"
    assert read_printed("\uf0b7", None) == "\ufffd"
    assert read_printed("\uf731", None) == "1"
    assert read_printed("\x84", "wingdings") == "\ufffd"


def test_unknown_signs_are_counted(tmp_path: Path) -> None:
    path = print_codes(tmp_path / "a.pdf", ("Icons", b"AB"), ("Arial", b"V"), private=True)
    document = read_path(path)
    assert "��V" in document.text
    pages = Message("readers-pages", numbers="1", number=1)
    assert Message("readers-pdf-unknown-signs", number=2, pages=pages) in document.warnings


def test_a_watermark_marked_as_an_artifact_is_in_no_sentence(tmp_path: Path) -> None:
    mark = "/Artifact << /Type /Pagination /Subtype /Watermark >> BDC"
    path = raw(
        tmp_path / "a.pdf",
        "BT /F 8 Tf 20 300 Td (The fuse of the lamp is ) Tj ET "
        f"{mark} BT /F 8 Tf 125 300 Td (DRAFT ) Tj ET EMC "
        "BT /F 8 Tf 160 300 Td (rated for two amperes.) Tj ET",
    )
    assert "lamp is rated for two amperes." in read_path(path).text
    assert "DRAFT" in read_path(path).text


def mark_sheet(mark: str, *, angle: float = 0.0, size: float = 60.0, pages: int = 1) -> Sheet:
    """Pages of prose, each with a mark in large print over it."""
    sheet = Sheet()
    for page in range(pages):
        if page:
            sheet.add_page()
        sheet.line_y = 60.0
        for number in range(20):
            sheet.line_of(LEFT.format(number))
        sheet.set_font("helvetica", "B", size)
        with sheet.rotation(angle, 100, 180):
            sheet.text(100, 180, mark)
    return sheet


@pytest.mark.parametrize("angle", [0.0, 40.0])
def test_a_watermark_over_lines_is_in_no_sentence(tmp_path: Path, angle: float) -> None:
    document = mark_sheet("DRAFT", angle=angle).read(tmp_path)
    texts = [document.text[block.start : block.end] for block in document.blocks]
    assert "DRAFT" in texts
    assert "for it 5 and Every unit answers" in " ".join(texts[0].split())


def test_a_watermark_of_all_pages_is_kept_once(tmp_path: Path) -> None:
    document = mark_sheet("CONFIDENTIAL", angle=40.0, pages=3).read(tmp_path)
    assert document.text.count("CONFIDENTIAL") == 1


def test_a_watermark_gives_the_status_of_the_document(tmp_path: Path) -> None:
    document = mark_sheet("Draft for review", size=40.0).read(tmp_path)
    facts = {fact.name: (fact.value, fact.origin) for fact in document.facts}
    assert facts["status"] == ("draft", "watermark")


def test_a_slanted_phrase_that_covers_the_page_is_a_watermark(tmp_path: Path) -> None:
    sheet = mark_sheet("DRAFT", angle=40.0, size=10.0)
    for x in (200, 300, 400):
        with sheet.rotation(40.0, x, 200):
            sheet.text(x, 200, "DRAFT")
    document = sheet.read(tmp_path)
    assert document.text.count("DRAFT") == 1


def test_a_large_title_above_text_is_no_watermark(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.line_y = 120.0
    sheet.line_of("Draft horses", size=40.0)
    columns(sheet, [LEFT.format(number) for number in range(9)], [])
    document = sheet.read(tmp_path)
    assert document.text.startswith("Draft horses")
    assert {fact.name for fact in document.facts} == {"title"}


def prose(number: int) -> str:
    return LEFT.format(number) if number == 0 else LEFT.format(number).lower()


def note_sheet(*notes: str, size: float) -> Sheet:
    """Twelve lines of prose with notes beside the first ones."""
    sheet = Sheet()
    for number in range(12):
        if number < len(notes):
            sheet.write_at(500, notes[number], size=size)
        sheet.line_of(prose(number))
    return sheet


def test_a_marginal_note_is_in_no_sentence_but_before_its_paragraph(tmp_path: Path) -> None:
    document = note_sheet("The packets are", "of 512 slots.", size=7.0).read(tmp_path)
    text = " ".join(document.text.split())
    assert text.startswith("The packets are of 512 slots. Every unit")
    assert "for it 0 and every unit" in text


def test_a_side_column_in_the_print_of_the_text_stays_in_its_rows(tmp_path: Path) -> None:
    document = note_sheet("Yes", "No", "Yes", "Yes", "No", size=10.0).read(tmp_path)
    assert "it 0 and | Yes" in document.text


def test_a_sentence_goes_on_over_the_notes_of_two_pages(tmp_path: Path) -> None:
    sheet = note_sheet("A note", size=7.0)
    sheet.add_page()
    sheet.line_y = 60.0
    sheet.write_at(500, "Another note", size=7.0)
    for number in range(12):
        sheet.line_of(prose(number + 12))
    text = " ".join(sheet.read(tmp_path).text.split())
    assert "for it 11 and every unit answers" in text


def box_sheet(*, boxes: int = 1) -> Sheet:
    """Prose, and a shaded box with prose of its own beside the first lines."""
    sheet = Sheet()
    sheet.set_fill_color(225)
    for number in range(boxes):
        sheet.rect(470, 45 + 70 * number, 120, 70, style="F")
    for number in range(12):
        if number < 5 * boxes:
            text = "Five spare fuses" if number == 0 else "are within reach of"
            sheet.write_at(480, text, size=9.0)
        sheet.line_of(prose(number), size=9.0)
    return sheet


def test_a_box_beside_the_text_is_in_no_sentence(tmp_path: Path) -> None:
    text = " ".join(box_sheet().read(tmp_path).text.split())
    assert "Five spare fuses are within reach of are within" in text
    assert "for it 0 and every unit" in text


def test_boxes_that_touch_are_cells(tmp_path: Path) -> None:
    document = box_sheet(boxes=2).read(tmp_path)
    assert "for it 0 and every unit" not in " ".join(document.text.split())
