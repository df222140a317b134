"""Damaged, encrypted and hostile office files give errors that say what to do."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import xlsxwriter

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers import archive, read
from foundry.readers.office.docx import read_docx
from foundry.readers.office.odt import read_odt
from foundry.readers.office.pptx import read_pptx
from foundry.readers.office.spreadsheet import read_spreadsheet
from foundry.readers.web.epub import read_epub
from foundry.records import Document
from tests.readers.office_files import W, options, paragraph, write_docx, write_zip

Read = Callable[[Path, ReadOptions], Document]
ALL = [read_docx, read_odt, read_pptx, read_epub]
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@pytest.mark.parametrize("reader", ALL)
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"%PDF-1.7 text", "This is a PDF"),
        (b"{\\rtf1 text}", "This is an RTF document"),
        (b"<!DOCTYPE html><p>x", "This is an HTML page"),
        (b"gewone tekst", "This is plain text"),
        (b"\x00\x01\x02\x03", "damaged or not complete"),
        (b"PK\x03\x04 and then nothing", "damaged or not complete"),
        (OLE + b"\x00" * 600, "before 2007"),
        (OLE + b"\x00" * 600 + "EncryptedPackage".encode("utf-16-le"), "encrypted with a password"),
    ],
)
def test_the_error_names_what_a_file_really_is(
    tmp_path: Path, reader: Read, content: bytes, reason: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ReadError, match=reason) as caught:
        reader(path, options(path))
    assert caught.value.fix


def test_an_encrypted_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(OLE + b"\x00" * 600 + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(ReadError, match="encrypted with a password"):
        read_spreadsheet(path, options(path))


@pytest.mark.parametrize("keep", [0.3, 0.7, 0.98])
def test_a_truncated_file_is_an_error(tmp_path: Path, keep: float) -> None:
    path = write_docx(tmp_path / "a.docx", paragraph("tekst " * 500))
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(ReadError, match="damaged or not complete"):
        read_docx(path, options(path))


def test_a_damaged_part_is_an_error(tmp_path: Path) -> None:
    path = write_docx(tmp_path / "a.docx", "".join(map(paragraph, "abcdefgh")) * 50)
    data = bytearray(path.read_bytes())
    middle = data.index(b"word/document.xml") + 60
    data[middle : middle + 40] = b"\xff" * 40
    path.write_bytes(bytes(data))
    with pytest.raises(ReadError, match="damaged or not complete"):
        read_docx(path, options(path))


def test_a_zip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "RATIO_FROM_BYTES", 2**20)
    path = write_docx(tmp_path / "a.docx", "<w:p/>" * 1_000_000)
    with pytest.raises(ReadError, match="zip bomb"):
        read_docx(path, options(path))


def test_a_part_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_PART_BYTES", 1000)
    path = write_docx(tmp_path / "a.docx", paragraph("x" * 2000))
    with pytest.raises(ReadError, match="zip bomb"):
        read_docx(path, options(path))


BOMB = (
    '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    f"<w:document {W}><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>"
)
DEFAULTS = BOMB.replace(
    '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">', "<!ATTLIST w a CDATA 'x'>"
)
OUTSIDE = BOMB.replace('<!ENTITY a "aaaaaaaaaa">', '<!ENTITY a SYSTEM "file:///etc/passwd">')


BEHIND = ["<!-- <a> -->", "<?x <a ?>", "<!-- <!DOCTYPE a> -->", "<?xml version='1.0'?><!--<a-->"]
HIDDEN = [before + BOMB for before in BEHIND]


@pytest.mark.parametrize("document", [BOMB, OUTSIDE, DEFAULTS, BOMB.encode("utf-16"), *HIDDEN])
def test_entities_are_refused(tmp_path: Path, document: str | bytes) -> None:
    path = write_zip(tmp_path / "a.docx", {"word/document.xml": document})
    with pytest.raises(ReadError, match="declares entities"):
        read_docx(path, options(path))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("a.docx", "word/document.xml"),
        ("a.odt", "content.xml"),
        ("a.pptx", "ppt/presentation.xml"),
        ("a.epub", "META-INF/container.xml"),
    ],
)
def test_entities_behind_a_comment_are_refused_in_every_format(
    tmp_path: Path, name: str, part: str
) -> None:
    path = write_zip(tmp_path / name, {part: BEHIND[0] + BOMB})
    with pytest.raises(ReadError, match="declares entities"):
        read(path, options(path))


def test_entities_in_a_workbook_are_refused(tmp_path: Path) -> None:
    plain = tmp_path / "plain.xlsx"
    with xlsxwriter.Workbook(str(plain)) as book:
        book.add_worksheet().write_row(0, 0, ["Part", "NAME"])
    with zipfile.ZipFile(plain) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    strings = parts["xl/sharedStrings.xml"].decode().replace("NAME", "&b;")
    head, _, rest = strings.partition("?>")
    declared = BOMB.partition("]>")[0] + "]>"
    parts["xl/sharedStrings.xml"] = (f"{head}?>{BEHIND[0]}{declared}{rest}").encode()
    path = write_zip(tmp_path / "a.xlsx", parts)
    with pytest.raises(ReadError, match="unrecognized entity"):
        read(path, options(path))


def test_a_prolog_without_end_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.docx", {"word/document.xml": "<!--x-->" * 10_000 + BOMB})
    with pytest.raises(ReadError, match="no element in the first 64 kB"):
        read_docx(path, options(path))


def test_a_document_type_without_declarations_is_harmless(tmp_path: Path) -> None:
    text = f'<!DOCTYPE d SYSTEM "http://x/d.dtd"><w:document {W}><w:body>{paragraph("x")}</w:body></w:document>'
    path = write_zip(tmp_path / "a.docx", {"word/document.xml": text})
    assert read_docx(path, options(path)).text == "x"


def test_elements_nested_very_deeply_are_an_error(tmp_path: Path) -> None:
    deep = "<w:customXml>" * 20_000 + paragraph("x") + "</w:customXml>" * 20_000
    path = write_docx(tmp_path / "a.docx", deep)
    with pytest.raises(ReadError, match="nested too deeply"):
        read(path, options(path))


def test_a_zip_with_a_password_is_refused(tmp_path: Path) -> None:
    path = write_docx(tmp_path / "a.docx", paragraph("x"))
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    while at >= 0:
        data[at + 8] |= 1
        at = data.find(b"PK\x01\x02", at + 4)
    path.write_bytes(bytes(data))
    with pytest.raises(ReadError, match="encrypted with a password"):
        read_docx(path, options(path))


def test_part_names_outside_the_archive_reach_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("_rels/.rels", "<Relationships/>")
        file.writestr("../../evil.xml", "<a/>")
    with pytest.raises(ReadError, match="zip file of another kind"):
        read_docx(path, options(path))
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.docx"]
