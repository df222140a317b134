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
