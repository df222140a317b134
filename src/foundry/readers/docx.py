"""Reads Word documents (DOCX, DOCM, DOTX) into blocks under their printed section numbers.

The XML parts are read directly: mammoth gives good HTML but no automatic numbers, and
no library keeps numbers, text boxes, notes and tracked changes in order at once.
Headers, footers, comments, deleted and hidden text and tables of contents are left
out; Word keeps no stable pages, so blocks have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element
from foundry.readers.building import DocumentBuilder
from foundry.readers.docx_body import Body, Notes
from foundry.readers.docx_numbering import Numbering
from foundry.readers.docx_styles import Styles
from foundry.readers.openxml import PREFIXES, Graphics, find_property_title, get_main_part
from foundry.readers.pieces import CHECK_EMPTY, add_pieces, first_heading, revision_in
from foundry.readers.titles import choose_title
from foundry.records import Document

_KIND = "a Word document"
_UNNUMBERED = (
    "Some automatic numbers are in a format that is not known here: "
    "those headings and items stand without their number."
)


def read_docx(path: Path, options: ReadOptions) -> Document:
    """Read a DOCX file; raises ``ReadError`` when it is none, is locked or has no text."""
    with Archive(path, _KIND) as archive:
        main = get_main_part(archive, _KIND, "word/document.xml")
        builder = DocumentBuilder("docx")
        body = _body(archive, main)
        root = archive.get_xml(main, PREFIXES)
        pieces = list(body.pieces(root.findall("w.body/*")))
        add_pieces(builder, pieces)
        _warn(builder, archive, main, body)
        revision = revision_in(pieces, _headers(archive, main))
        offers = (find_property_title(archive), body.title, first_heading(pieces))
    title = choose_title(offers, Path(options.name))
    return builder.build(title, None, *revision, **_why_empty(body))


def _body(archive: Archive, main: str) -> Body:
    def part(kind: str) -> Element | None:
        target = archive.related(main, kind)
        return None if target is None else archive.find_xml(target, PREFIXES)

    notes = Notes(
        {"footnote": part("footnotes"), "endnote": part("endnotes")},
        settings=part("settings"),
    )
    styles, numbering = Styles(part("styles")), Numbering(part("numbering"))
    return Body(styles, numbering, notes, Graphics(archive, main))


def _headers(archive: Archive, main: str) -> str:
    targets = [to for kind, to in archive.relations(main).values() if kind in {"header", "footer"}]
    roots = [archive.find_xml(target, PREFIXES) for target in targets]
    paragraphs = (item for root in roots if root is not None for item in root.iter("w.p"))
    return "\n".join("".join(_header_words(paragraph)) for paragraph in paragraphs)


def _header_words(paragraph: Element) -> Iterator[str]:
    for item in paragraph.iter():
        if item.tag == "w.t":
            yield item.text or ""
        elif item.tag in {"w.tab", "w.ptab"}:
            yield "\t"


def _warn(builder: DocumentBuilder, archive: Archive, main: str, body: Body) -> None:
    for count, sentence in (
        (body.words.deleted, "Tracked changes: insertions were kept and deletions left out."),
        (body.words.hidden, "Hidden text was left out."),
        (_comments(archive, main), "Comments were left out."),
        (body.embedded, "Documents embedded in this one (altChunk) were not read."),
        (body.unnumbered, _UNNUMBERED),
    ):
        if count:
            builder.warn(sentence)


def _comments(archive: Archive, main: str) -> int:
    part = archive.related(main, "comments")
    root = archive.find_xml(part, PREFIXES) if part else None
    return 0 if root is None else sum(1 for text in root.iter("w.t") if text.text)


def _why_empty(body: Body) -> dict[str, str]:
    if body.words.pictures:
        return {
            "reason": "The document holds pictures and no text.",
            "fix": "Export it as a PDF, and install Tesseract to have the pictures read.",
        }
    return {"fix": CHECK_EMPTY}
