"""Small office files for tests, written part by part so that every detail is visible."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers.office.docx import read_docx
from foundry.records import Document

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
STRICT = 'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"'
_MORE = (
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PARTS = {
    "styles": "styles.xml",
    "numbering": "numbering.xml",
    "footnotes": "footnotes.xml",
    "comments": "comments.xml",
    "header": "header1.xml",
}

HEADING_STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="Kop{level}"><w:name w:val="heading {level}"/>'
    f'<w:pPr><w:numPr><w:ilvl w:val="{level - 1}"/><w:numId w:val="1"/></w:numPr>'
    f'<w:outlineLvl w:val="{level - 1}"/></w:pPr></w:style>'
    for level in (1, 2, 3)
)
"""Heading styles of a Dutch Word, numbered through list 1."""


def options(path: Path) -> ReadOptions:
    """Return the options of an ingest."""
    return ReadOptions(name=path.name)


def texts(document: Document) -> list[str]:
    """Return the words of each block."""
    return [document.text[block.start : block.end] for block in document.blocks]


def list_headings(document: Document) -> list[str]:
    """Return the headings as they are in the heading paths."""
    return [block.heading_path[-1] for block in document.blocks if block.kind == "heading"]


def write_zip(path: Path, parts: Mapping[str, str | bytes]) -> Path:
    """Write a zip file of parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def relations(*items: tuple[str, str, str]) -> str:
    """Build a relations part from (id, last word of the type, target)."""
    inner = "".join(
        f'<Relationship Id="{id_}" Type="{_TYPES}/{kind}" Target="{target}"/>'
        for id_, kind, target in items
    )
    return f'<Relationships xmlns="{_RELATIONS}">{inner}</Relationships>'


def write_docx(path: Path, body: str, *, namespace: str = W, **parts: str) -> Path:
    """Write a Word file; ``parts`` are the contents of styles, numbering …"""
    files: dict[str, str | bytes] = {
        "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": relations(
            *((f"r{at}", name, _PARTS[name]) for at, name in enumerate(parts))
        ),
        "word/document.xml": (
            f"<w:document {namespace} {_MORE}><w:body>{body}</w:body></w:document>"
        ),
    }
    for name, content in parts.items():
        root = {"header": "hdr"}.get(name, name)
        files[f"word/{_PARTS[name]}"] = f"<w:{root} {namespace} {_MORE}>{content}</w:{root}>"
    return write_zip(path, files)


def read_body(folder: Path, body: str, **parts: str) -> Document:
    """Write a Word file and read it."""
    path = write_docx(folder / "file.docx", body, **parts)
    return read_docx(path, options(path))


def paragraph(text: str, style: str = "", properties: str = "") -> str:
    """Build a ``w:p`` with one run."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def item(text: str, number: int, level: int = 0) -> str:
    """Build a paragraph with its own numbering."""
    marks = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return paragraph(text, properties=marks)


def level(index: int, text: str, form: str = "decimal", more: str = "", start: int = 1) -> str:
    """Build a ``w:lvl`` of a list definition."""
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(
    *levels: str, numbers: str = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
) -> str:
    """Build a numbering part with one definition (0) and its instances."""
    return f'<w:abstractNum w:abstractNumId="0">{"".join(levels)}</w:abstractNum>{numbers}'


def cell(*contents: str, properties: str = "") -> str:
    """Build a table cell; plain words become paragraphs."""
    inner = "".join(text if text.startswith("<") else paragraph(text) for text in contents)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def table(*rows: str) -> str:
    """Build a table from rows of joined cells."""
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
