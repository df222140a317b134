"""RTF documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.readers.office.rtf import read_rtf
from foundry.records import Document
from tests.readers.office_files import list_headings, options, texts

FONTS = r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset2 Symbol;}{\f2\fcharset204 Arial Cyr;}}"
STYLES = (
    r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s2\sbasedon1 kop 2;}{\s9 Title;}"
    r"{\*\cs10 Default;}}"
)


def read(folder: Path, body: str, end: str = "}") -> Document:
    path = folder / "a.rtf"
    source = r"{\rtf1\ansi\ansicpg1252\deff0" + FONTS + STYLES + body + end
    path.write_bytes(source.encode("cp1252"))
    return read_rtf(path, options(path))


def test_printed_numbers_precede_headings_and_items(tmp_path: Path) -> None:
    body = (
        r"{\listtext\pard\plain 1.\tab}\pard\s1 Algemeen\par"
        r"{\listtext\pard\plain 1.1\tab}\pard\s2 Doel\par"
        r"{\listtext\f1 \'b7\tab}\pard punt\par"
    )
    document = read(tmp_path, body)
    assert texts(document) == ["1. Algemeen", "1.1 Doel", "• punt"]
    assert document.blocks[-1].heading_path == ("1. Algemeen", "1.1 Doel")


def test_the_formatting_of_a_number_is_not_that_of_its_paragraph(tmp_path: Path) -> None:
    document = read(tmp_path, r"\pard\s1{\listtext\pard\plain 1.\tab}Algemeen\par")
    assert list_headings(document) == ["1. Algemeen"]


def test_characters_come_from_code_pages_unicode_and_symbol_fonts(tmp_path: Path) -> None:
    body = r"caf\'e9 \u8364?5 {\f2 \'cf\'f0} {\f1 W} 10{\super 3} \u-10179?\u-8704? \endash\par"
    assert texts(read(tmp_path, body)) == ["café €5 Пр Ω 10³ 😀 –"]


def test_fallbacks_for_unicode_characters_are_skipped(tmp_path: Path) -> None:
    assert texts(read(tmp_path, r"{\uc2\u8364\'80\'80}a {\uc0\u8364}b\par")) == ["€a €b"]


def test_tables_keep_rows(tmp_path: Path) -> None:
    body = (
        r"\trowd\pard\intbl Naam\cell Waarde\cell\row"
        r"\trowd\pard\intbl Spanning\par typisch\cell 5 V\cell\row\pard na\par"
    )
    document = read(tmp_path, body)
    assert texts(document) == ["Naam | Waarde\nSpanning; typisch | 5 V", "na"]


def test_pictures_headers_codes_and_hidden_text_are_left_out(tmp_path: Path) -> None:
    body = (
        r"{\header kop\par}{\pict 89504e47}{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}"
        r"{\v geheim}{\deleted weg}{\*\unknown iets}\par"
    )
    document = read(tmp_path, body)
    assert texts(document) == ["link"]
    assert len(document.warnings) == 2


def test_a_footnote_follows_its_paragraph(tmp_path: Path) -> None:
    body = r"Bron{\super\chftn}{\footnote\pard\chftn  ISO\par 9001}. Klaar\par na\par"
    assert texts(read(tmp_path, body)) == ["Bron[1]. Klaar", "[1] ISO 9001", "na"]


def test_text_boxes_follow_their_paragraph(tmp_path: Path) -> None:
    box = r"{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt\pard in\par}}{\shprslt in}}"
    assert texts(read(tmp_path, rf"voor{box} na\par")) == ["voor na", "in"]


def test_raw_bytes_of_a_picture_are_skipped(tmp_path: Path) -> None:
    assert texts(read(tmp_path, r"a{\pict\bin5 {{}\x}b\par")) == ["ab"]


def test_the_property_title_is_the_title(tmp_path: Path) -> None:
    document = read(tmp_path, r"{\info{\title Handleiding}{\author Jan}}\pard tekst\par")
    assert (document.title, texts(document)) == ("Handleiding", ["tekst"])


def test_a_title_paragraph_is_the_title(tmp_path: Path) -> None:
    document = read(tmp_path, r"\pard\s9 De titel\par\pard tekst\par")
    assert document.title == list_headings(document)[0] == "De titel"


def test_a_file_that_ends_in_the_middle_is_read_with_a_warning(tmp_path: Path) -> None:
    document = read(tmp_path, r"begin {\b half", end="")
    assert texts(document) == ["begin half"]
    assert "may not be complete" in str(document.warnings[0])


def test_groups_nested_very_deeply_are_read(tmp_path: Path) -> None:
    assert texts(read(tmp_path, "{" * 20_000 + "x" + "}" * 20_000)) == ["x"]


def test_the_error_names_a_file_that_is_not_rtf(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_text("gewone tekst")
    with pytest.raises(ReadError, match="plain text, not an RTF"):
        read_rtf(path, options(path))
