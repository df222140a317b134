"""Files made to harm who reads them, each written when it is asked for.

Bombs, nesting, lying sizes, loops, entities, markup that takes parsers the square of its length,
names and links that lead astray.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import xlsxwriter

Write = Callable[[Path], object]
"""Writes the file into the folder with the sources."""

_OFFICE = {
    "docx": "word/document.xml",
    "pptx": "ppt/presentation.xml",
    "odt": "content.xml",
    "epub": "META-INF/container.xml",
}
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_BOMB = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
_OUTSIDE = '<!DOCTYPE d [<!ENTITY b SYSTEM "file:///etc/passwd">]>'
_CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="b.opf"/></rootfiles></container>'
)
_ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
)


@dataclass(frozen=True)
class Attack:
    """A hostile file; ``read`` if its honest part must be searchable, else it must be refused.

    None where both are right: some parsers read it, others give up.
    """

    name: str
    write: Write
    read: bool | None = False
    quick: bool = False


def list_attacks() -> Iterator[Attack]:
    """All attacks, the quick ones marked."""
    yield from _list_bombs()
    yield from _list_entities()
    yield from _list_nested()
    yield from _list_squares()
    yield from _list_sheets()
    yield from _list_pdfs()
    yield from _list_places()


def _list_bombs() -> Iterator[Attack]:
    for kind, part in _OFFICE.items():
        yield Attack(f"zip bomb {kind}", _put_zip(f"a.{kind}", {part: bytes(300 << 20)}))
    parts = {"xl/workbook.xml": bytes(300 << 20), "[Content_Types].xml": b"<a/>"}
    yield Attack("zip bomb xlsx", _put_zip("a.xlsx", parts))
    yield Attack(
        "lying sizes", _put("a.docx", lambda: _lie(_pack({_OFFICE["docx"]: bytes(1 << 20)})))
    )
    many = {f"word/{number}.xml": b"" for number in range(60_000)}
    yield Attack("60,000 parts", _put_zip("a.docx", many))
    yield Attack("nested zips", _put_zip("a.docx", {_OFFICE["docx"]: _pack({"a": bytes(9 << 20)})}))
    yield Attack("cut in half", _put("a.docx", lambda: _pack({_OFFICE["docx"]: b"x" * 9999})[:90]))
    yield Attack("image bomb", _put("a.png", lambda: _build_png(60_000, 60_000)))


def _list_entities() -> Iterator[Attack]:
    hidden = {"": "", " behind a comment": "<!-- <a> -->", " behind an instruction": "<?x <a ?>"}
    body = f"<w:document {_W}><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>"
    for kind, part in _OFFICE.items():
        for how, before in hidden.items():
            text = f"{before}{_BOMB}{body}"
            quick = kind == "docx" and bool(before)
            yield Attack(f"entities {kind}{how}", _put_zip(f"a.{kind}", {part: text}), quick=quick)
    text = f"<!-- <a> -->{_OUTSIDE}{body}"
    yield Attack("external entity", _put_zip("a.docx", {_OFFICE["docx"]: text}))
    utf16 = f"{_BOMB}{body}".encode("utf-16")
    yield Attack("entities in UTF-16", _put_zip("a.docx", {_OFFICE["docx"]: utf16}))


def _list_nested() -> Iterator[Attack]:
    inner = "<w:customXml>" * 50_000 + "</w:customXml>" * 50_000
    deep = f"<w:document {_W}><w:body>{inner}</w:body></w:document>"
    yield Attack("docx, 50,000 levels", _put_zip("a.docx", {_OFFICE["docx"]: deep}))
    inner = "<text:section>" * 50_000 + "</text:section>" * 50_000
    odt = (
        f"<office:document-content {_ODF}><office:body><office:text>{inner}</office:text>"
        "</office:body></office:document-content>"
    )
    yield Attack("odt, 50,000 levels", _put_zip("a.odt", {"content.xml": odt}))
    yield Attack("rtf, 200,000 braces", _put("a.rtf", r"{\rtf1 words" + "{" * 200_000), read=None)
    yield Attack("json, 200,000 brackets", _put("a.json", "[" * 200_000))
    yield Attack("md, 50,000 quotations", _put("a.md", f"{'>' * 50_000} words"), read=None)
    nested = "".join(
        f"Content-Type: multipart/mixed; boundary={number}\n\n--{number}\n" for number in range(900)
    )
    yield Attack("eml, 900 levels", _put("a.eml", f"From: a@b.example\n{nested}"), read=None)
    page = "<html><body>{}words</body></html>"
    for tag in ("<div>", "<ul><li>", "<b>", "<table><tr><td>"):
        text = page.format(tag * 100_000)
        yield Attack(f"html, 100,000 times {tag}", _put("a.html", text), quick=tag == "<div>")


def _list_squares() -> Iterator[Attack]:
    names = " ".join(f"a{number}=1" for number in range(200_000))
    yield Attack("html, 200,000 attributes", _put("a.html", f"<p {names}>words"))
    yield Attack("md, 2,000 times <?", _put("a.md", f"Words.\n\n{'<?' * 2_000}"), read=True)
    yield Attack("md, 2,000 times ![", _put("a.md", f"Words.\n\n{'![' * 2_000}"), read=None)
    spaces = " " * 400_000
    yield Attack(
        "txt, 400,000 spaces", _put("a.txt", f"Words.\n\n{spaces}x"), read=True, quick=True
    )
    yield Attack("txt, one word repeated", _put("a.txt", "said: " * 300), read=True, quick=True)
    header = "\n ".join(["=?utf-8?q?word?="] * 20_000)
    yield Attack(
        "eml, 20,000 encoded words", _put_mail(f"Subject: {header}"), read=True, quick=True
    )
    pieces = ";\n ".join(f"name*{number}=abc" for number in range(20_000))
    yield Attack(
        "eml, 20,000 parameters", _put_mail(f"Content-Type: text/plain; {pieces}"), read=True
    )
    parts = "--x\nContent-Type: text/plain\n\nwords\n\n" * 100_000
    mixed = f"Content-Type: multipart/mixed; boundary=x\n\n{parts}"
    yield Attack("eml, 100,000 parts", _put_mail(mixed))
    yield Attack("epub, a chapter 100,000 times", _put("a.epub", _build_book), read=True)
    yield Attack("csv, 2,000 columns", _put("a.csv", "a," * 2_000 + "\n" + "1," * 2_000), read=None)


def _list_sheets() -> Iterator[Attack]:
    yield Attack("xlsx, a cell at XFD1048576", _write_far_cell, read=True, quick=True)
    row = '<table:table-row table:number-rows-repeated="1000000000">'
    cell = '<table:table-cell table:number-columns-repeated="1000000000"><text:p>x</text:p>'
    ods = (
        f"<office:document-content {_ODF}><office:body><office:spreadsheet><table:table>{row}{cell}"
        "</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    yield Attack("ods, 1e18 cells", _put_zip("a.ods", {"content.xml": ods}))
    table = "<table><tr><td colspan=1000000000 rowspan=1000000000>words</td></tr></table>"
    yield Attack("html, a cell over 1e9 columns", _put("a.html", table), read=True)


def _list_pdfs() -> Iterator[Attack]:
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>"
    outline = "<< /First 5 0 R /Last 5 0 R >>", "<< /Title (x) /First 5 0 R /Last 5 0 R >>"
    loop = ["<< /Type /Pages /Kids [2 0 R] /Count 1 >>"]
    yield Attack("pdf, pages that contain themselves", _put("a.pdf", lambda: _build_pdf(loop)))
    huge = ["<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>", page]
    yield Attack("pdf, 2e9 pages", _put("a.pdf", lambda: _build_pdf(huge)))
    words = "BT /F 12 Tf 9 50 Td (Some words) Tj ET"
    content = f"<< /Length {len(words)} >>\nstream\n{words}\nendstream"
    font = "<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    shown = page.replace("/MediaBox", f"/Contents 6 0 R /Resources {font} /MediaBox")
    book = ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>", shown, *outline, content]
    yield Attack(
        "pdf, an outline in a loop",
        _put("a.pdf", lambda: _build_pdf(book, "/Outlines 4 0 R")),
        read=None,
    )


def _list_places() -> Iterator[Attack]:
    yield Attack("a link to /etc/passwd", lambda place: (place / "a.txt").symlink_to("/etc/passwd"))
    yield Attack(
        "a link to foundry.yaml", lambda place: (place / "a.txt").symlink_to("../foundry.yaml")
    )
    yield Attack("a pipe", lambda place: os.mkfifo(place / "a.txt"), quick=True)
    yield Attack("a link to itself", lambda place: (place / "a.txt").symlink_to("a.txt"))
    for shown, name in (("a line break", "a\nb.txt"), ("an escape", "a\x1b[31m.txt")):
        yield Attack(f"a name with {shown}", _put(name, "words"), quick=True)
    yield Attack("a name that is not UTF-8", _put(os.fsdecode(b"\xff.txt"), "words"))
    controls = f"The \x1b[31mlamp\x1b[0m \x9b2J \u202eis on\x07.\n{'More plain words. ' * 40}"
    yield Attack("text with escapes", _put("a.md", f"# Lamp \x1b]0;x\x07\n\n{controls}"), read=True)


def _put(name: str, content: str | bytes | Callable[[], bytes]) -> Write:
    def write(place: Path) -> None:
        data = content() if callable(content) else content
        (place / name).write_bytes(data.encode() if isinstance(data, str) else data)

    return write


def _put_zip(name: str, parts: Mapping[str, str | bytes]) -> Write:
    return _put(name, lambda: _pack(parts))


def _put_mail(headers: str) -> Write:
    return _put("a.eml", f"From: a@b.example\n{headers}\n\nwords of the message\n")


def _pack(parts: Mapping[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return data.getvalue()


def _lie(data: bytes) -> bytes:
    """The zip file with a size of 9 bytes in its directory for the first part."""
    at = data.index(b"PK\x01\x02") + 24
    return data[:at] + struct.pack("<I", 9) + data[at + 4 :]


def _build_book() -> bytes:
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="c.xhtml" '
        'media-type="application/xhtml+xml"/></manifest>'
        "<spine>" + '<itemref idref="a"/>' * 100_000 + "</spine></package>"
    )
    chapter = f"<html><body>{'<p>Some words here.</p>' * 20}</body></html>"
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": _CONTAINER}
    return _pack({**parts, "b.opf": package, "c.xhtml": chapter})


def _write_far_cell(place: Path) -> None:
    with xlsxwriter.Workbook(str(place / "a.xlsx")) as book:
        sheet = book.add_worksheet("Parts")
        sheet.write_row(0, 0, ["Part", "Value"])
        sheet.write_row(1, 0, ["R12", 10])
        sheet.write(1_048_575, 16_383, "forgotten")


def _build_pdf(objects: list[str], catalog: str = "") -> bytes:
    """A PDF of these objects, numbered from 2, after its catalog."""
    bodies = [f"<< /Type /Catalog /Pages 2 0 R {catalog} >>", *objects]
    parts = [f"{number} 0 obj\n{body}\nendobj\n" for number, body in enumerate(bodies, 1)]
    offsets, text = [], "%PDF-1.4\n"
    for part in parts:
        offsets.append(len(text))
        text += part
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(bodies) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\n"
    return f"{text}{end}startxref\n{len(text)}\n%%EOF\n".encode()


def _build_png(width: int, height: int) -> bytes:
    """A picture that claims a size and contains almost nothing."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(1 << 20))), (b"IEND", b""))
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        check = zlib.crc32(kind + body)
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)
    return data
