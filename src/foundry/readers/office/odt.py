"""Reads OpenDocument texts and presentations (ODT, OTT, ODP) into blocks.

The XML is read directly, to have outline numbers, lists, notes and text boxes in order.
Headers, footers, comments, tracked deletions, hidden text and contents lists are left
out. A text has no stable pages; in a presentation a page is a slide.
"""

from __future__ import annotations

from pathlib import Path

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element, build_encryption_error, name_mimetype
from foundry.readers.document_builder import (
    CHECK_EMPTY,
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    find_block_revision,
    find_first_heading,
)
from foundry.readers.metadata import choose_title
from foundry.readers.office.odt_body import OdtBody
from foundry.readers.office.odt_styles import PREFIXES, OdtStyles
from foundry.records import Document

_KIND = "an OpenDocument text or presentation"
_READ = (
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.presentation",
)


def read_odt(path: Path, options: ReadOptions) -> Document:
    """Read an ODT or ODP; raises ``ReadError`` when it is none, is locked or has no text."""
    name = Path(options.name)
    with Archive(path, _KIND) as archive:
        _refuse_other_kinds(archive)
        content = archive.get_xml("content.xml", PREFIXES)
        styles = archive.find_xml("styles.xml", PREFIXES)
        body = OdtBody(OdtStyles([root for root in (styles, content) if root is not None]), archive)
        builder = DocumentBuilder("odp" if name.suffix.lower() == ".odp" else "odt")
        start, pages = _add_blocks(builder, body, content)
        if body.has_changes:
            builder.warn("Tracked changes: insertions were kept and deletions left out.")
        if body.has_comments:
            builder.warn("Comments were left out.")
        offers = (_find_meta_title(archive), body.title, find_first_heading(start))
    return builder.build(
        choose_title(offers, name),
        pages,
        *find_block_revision(start, _read_headers(styles)),
        fix=CHECK_EMPTY,
    )


def _add_blocks(
    builder: DocumentBuilder, body: OdtBody, content: Element
) -> tuple[list[DraftBlock], int | None]:
    slides = content.findall("office.body/office.presentation/draw.page")
    if not slides:
        pieces = list(body.pieces(content.findall("office.body/office.text/*")))
        add_blocks(builder, pieces)
        return pieces, None
    start: list[DraftBlock] = []
    for number, slide in enumerate(slides, 1):
        pieces = body.slide(slide, number)
        add_blocks(builder, pieces, page=number, page_label=str(number))
        start += pieces if len(start) < 60 else []
    return start, len(slides)


def _refuse_other_kinds(archive: Archive) -> None:
    mimetype = (archive.find("mimetype") or b"").decode("ascii", "replace").strip()
    if mimetype and not mimetype.startswith(_READ):
        raise ReadError(
            f"This is {name_mimetype(mimetype)}, not {_KIND}.",
            fix="Give the file the extension of what it is.",
        )
    manifest = archive.find_xml("META-INF/manifest.xml", PREFIXES)
    if manifest is not None and next(manifest.iter("manifest.encryption-data"), None) is not None:
        raise build_encryption_error()


def _find_meta_title(archive: Archive) -> str | None:
    try:
        root = archive.find_xml("meta.xml", PREFIXES)
    except ReadError:
        # A broken title is no reason to lose the text.
        return None
    return None if root is None else root.findtext("office.meta/dc.title")


def _read_headers(styles: Element | None) -> str:
    lines: list[str] = []
    for name in ("style.header", "style.footer"):
        for part in [] if styles is None else styles.iter(name):
            lines += ["".join(paragraph.itertext()) for paragraph in part.iter("text.p")]
    return "\n".join(lines)
