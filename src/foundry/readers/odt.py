"""Reads OpenDocument texts and presentations (ODT, OTT, ODP) into blocks.

The XML is read directly, to have outline numbers, lists, notes and text boxes in order.
Headers, footers, comments, tracked deletions, hidden text and contents lists are left
out. A text has no stable pages; in a presentation a page is a slide.
"""

from __future__ import annotations

from pathlib import Path

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element, encrypted, name_mimetype
from foundry.readers.building import DocumentBuilder
from foundry.readers.odt_body import Body
from foundry.readers.odt_styles import PREFIXES, Styles
from foundry.readers.pieces import CHECK_EMPTY, Piece, add_pieces, first_heading, revision_in
from foundry.readers.titles import choose_title
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
        _refuse_others(archive)
        content = archive.get_xml("content.xml", PREFIXES)
        styles = archive.find_xml("styles.xml", PREFIXES)
        body = Body(Styles([root for root in (styles, content) if root is not None]), archive)
        builder = DocumentBuilder("odp" if name.suffix.lower() == ".odp" else "odt")
        start, pages = _add(builder, body, content)
        if body.has_changes:
            builder.warn("Tracked changes: insertions were kept and deletions left out.")
        if body.has_comments:
            builder.warn("Comments were left out.")
        offers = (_meta_title(archive), body.title, first_heading(start))
    return builder.build(
        choose_title(offers, name), pages, *revision_in(start, _headers(styles)), fix=CHECK_EMPTY
    )


def _add(builder: DocumentBuilder, body: Body, content: Element) -> tuple[list[Piece], int | None]:
    slides = content.findall("office.body/office.presentation/draw.page")
    if not slides:
        pieces = list(body.pieces(content.findall("office.body/office.text/*")))
        add_pieces(builder, pieces)
        return pieces, None
    start: list[Piece] = []
    for number, slide in enumerate(slides, 1):
        pieces = body.slide(slide, number)
        add_pieces(builder, pieces, page=number, page_label=str(number))
        start += pieces if len(start) < 60 else []
    return start, len(slides)


def _refuse_others(archive: Archive) -> None:
    mimetype = (archive.find("mimetype") or b"").decode("ascii", "replace").strip()
    if mimetype and not mimetype.startswith(_READ):
        raise ReadError(
            f"This is {name_mimetype(mimetype)}, not {_KIND}.",
            fix="Give the file the extension of what it is.",
        )
    manifest = archive.find_xml("META-INF/manifest.xml", PREFIXES)
    if manifest is not None and next(manifest.iter("manifest.encryption-data"), None) is not None:
        raise encrypted()


def _meta_title(archive: Archive) -> str | None:
    try:
        root = archive.find_xml("meta.xml", PREFIXES)
    except ReadError:
        # A broken title is no reason to lose the text.
        return None
    return None if root is None else root.findtext("office.meta/dc.title")


def _headers(styles: Element | None) -> str:
    lines: list[str] = []
    for name in ("style.header", "style.footer"):
        for part in [] if styles is None else styles.iter(name):
            lines += ["".join(paragraph.itertext()) for paragraph in part.iter("text.p")]
    return "\n".join(lines)
