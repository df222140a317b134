"""Properties of a PDF: page count, page labels, outline, title, and which pages are scans.

Opens the file with pypdfium2, tries the passwords, and turns its errors into ``ReadError``.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foundry.analysis.lexer import FILE_SUFFIX, LETTERS
from foundry.errors import ReadError
from foundry.lexicon import load_shared_lexicon
from foundry.ports import ReadOptions
from foundry.readers.attachments import AttachmentFolder
from foundry.readers.pdf.objects import FORM, IMAGE, ObjectList, list_objects, list_parts

_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_WORDS = load_shared_lexicon().documents
_POINTLESS = _WORDS.page_labels | _WORDS.slide_words | {"p"}
"""Words of bookmarks that say no more than a number."""
_MAX_OUTLINE = 20_000
"""Most bookmarks that are read, against hostile files."""
_PICTURE_SHARE = 0.2
"""Share of the page that pictures cover on a scan. A guess: a logo covers less."""
_LOGO_SHARE = 0.02
"""Share of the page up to which a picture is a logo or a rule: 12 of 620 cm². A guess."""
_PROPERTIES = ("Title", "Version", "Revision", "Status")
_MAX_NOTES = 5_000
"""Most annotations of a page that are searched for files, against hostile files."""
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: ``level`` from 1, ``page`` from 1, ``top`` in points from the page's top."""

    level: int
    title: str
    page: int
    top: float | None


@dataclass(frozen=True, slots=True)
class PdfFacts:
    """Properties of the file."""

    pages: int
    labels: tuple[str | None, ...]
    outline: tuple[OutlineEntry, ...]
    properties: Mapping[str, str]


def read_facts(pdf: Any) -> PdfFacts:
    """Read the properties of an open PDF. Raises ``ReadError``."""
    pages = len(pdf)
    if pages == 0:
        raise ReadError("readers-pdf-no-pages")
    properties = {name.lower(): pdf.get_metadata_value(name) for name in _PROPERTIES}
    return PdfFacts(pages, _read_labels(pdf, pages), _read_outline(pdf), properties)


def unpack_attachments(pdf: Any, folder: AttachmentFolder, pages: Sequence[int]) -> None:
    """Put the files inside a PDF into the folder, with those pinned to ``pages`` (from 1).

    One that cannot be unpacked is empty there.
    """
    attached = [pdf.get_attachment(index) for index in range(pdf.count_attachments())]
    with contextlib.ExitStack() as stack:
        attached += [item for page in pages for item in _list_pinned(pdf, page, stack)]
        for index, attachment in enumerate(attached):
            if folder.is_full:
                folder.skip(len(attached) - index)
                return
            name, data = "", b""
            with contextlib.suppress(get_pdfium_error()):
                name = attachment.get_name()
                data = bytes(attachment.get_data())
            folder.add(name, data)


def count_pinned(page: Any) -> int:
    """Number of files that are pinned to an open page, as notes are."""
    from pypdfium2 import raw

    count = 0
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_NOTES)):
        note = raw.FPDFPage_GetAnnot(page.raw, index)
        count += raw.FPDFAnnot_GetSubtype(note) == raw.FPDF_ANNOT_FILEATTACHMENT
        raw.FPDFPage_CloseAnnot(note)
    return count


def _list_pinned(pdf: Any, number: int, stack: contextlib.ExitStack) -> Iterator[Any]:
    """The files pinned to a page, which stays open until the ``stack`` ends."""
    from pypdfium2 import PdfAttachment, raw

    page = stack.enter_context(contextlib.closing(pdf[number - 1]))
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_NOTES)):
        note = raw.FPDFPage_GetAnnot(page.raw, index)
        stack.callback(raw.FPDFPage_CloseAnnot, note)
        file = raw.FPDFAnnot_GetFileAttachment(note)
        if file:
            yield PdfAttachment(file, pdf)


def has_pictures(path: Path) -> bool:
    """Whether a PDF can show pictures: a page's objects take half as long to list as to read."""
    # Pictures are streams, and the dictionary of a stream is never compressed.
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _PICTURE.search(data) is not None


def has_picture(page: Any, objects: ObjectList) -> bool:
    """Whether an open page with these objects shows a picture larger than a logo."""
    return next(find_pictures(page, objects), None) is not None


def find_pictures(
    page: Any, objects: ObjectList | None = None
) -> Iterator[tuple[float, float, float, float]]:
    """Left, bottom, right, top of the pictures of an open page that are larger than a logo."""
    from pypdfium2 import raw

    width, height = page.get_size()
    sides = [ctypes.c_float() for _ in range(4)]
    for thing in (objects or list_objects(page)).select(IMAGE, FORM):
        if raw.FPDFPageObj_GetBounds(ctypes.cast(thing, raw.FPDF_PAGEOBJECT), *sides):
            left, bottom, right, top = (side.value for side in sides)
            large = (right - left) * (top - bottom) > _LOGO_SHARE * width * height
            if large and _shows_picture(raw, thing):
                yield left, bottom, right, top


def _shows_picture(raw: Any, thing: int, depth: int = 3) -> bool:
    if raw.FPDFPageObj_GetType(ctypes.cast(thing, raw.FPDF_PAGEOBJECT)) == IMAGE:
        return True
    parts = list_parts(thing).select(IMAGE, FORM) if depth else ()
    return any(_shows_picture(raw, part, depth - 1) for part in parts)


def find_scans(pdf: Any, letters: Mapping[int, int]) -> list[int]:
    """Return the pages that are mostly pictures; ``letters`` maps pages (from 1) to letters read."""
    return [
        number
        for number, count in sorted(letters.items())
        if _is_picture(pdf, number - 1, bare=count == 0)
    ]


@contextmanager
def open_pdf(path: Path, options: ReadOptions) -> Iterator[Any]:
    """Open a PDF with the first password that fits, or with none. Raises ``ReadError``."""
    # Imported here: only workers that read PDFs need it.
    import pypdfium2

    for password in (None, *options.passwords):
        try:
            pdf = pypdfium2.PdfDocument(path, password=password)
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) == _PASSWORD_ERROR:
                continue
            raise ReadError("readers-pdf-damaged") from error
        try:
            yield pdf
        finally:
            pdf.close()
        return
    tried = "readers-pdf-passwords-fail" if options.passwords else "readers-pdf-encrypted"
    raise ReadError(tried)


def get_pdfium_error() -> type[Exception]:
    """Return the exception of pdfium, which is imported only when needed."""
    import pypdfium2

    error: type[Exception] = pypdfium2.PdfiumError
    return error


def _read_labels(pdf: Any, pages: int) -> tuple[str | None, ...]:
    first = pdf.get_page_label(0)
    # If the first 50 pages have no labels, do not ask the others: it takes time.
    if not first and not any(pdf.get_page_label(index) for index in range(1, min(pages, 50))):
        return (None,) * pages
    return tuple(pdf.get_page_label(index).strip() or None for index in range(pages))


def _read_outline(pdf: Any) -> tuple[OutlineEntry, ...]:
    entries: list[OutlineEntry] = []
    waiting: list[tuple[int, str]] = []
    for count, bookmark in enumerate(pdf.get_toc(max_depth=8)):
        title = " ".join(bookmark.get_title().replace("\x00", "").split())
        if count >= _MAX_OUTLINE:
            break
        if not title or _is_pointless(title):
            continue
        page, top = _find_destination(pdf, bookmark)
        if page is None:
            waiting.append((bookmark.level + 1, title))
            continue
        # An entry without a place starts where the next one with a place does.
        entries += [OutlineEntry(level, words, page, top) for level, words in waiting]
        waiting = []
        entries.append(OutlineEntry(bookmark.level + 1, title, page, top))
    # Some programs do not write the outline in the order of the pages.
    return tuple(sorted(entries, key=lambda entry: entry.page))


def _is_pointless(title: str) -> bool:
    said = set(LETTERS.findall(title.lower()))
    return said <= _POINTLESS or FILE_SUFFIX.search(title) is not None


def _find_destination(pdf: Any, bookmark: Any) -> tuple[int | None, float | None]:
    target = bookmark.get_dest()
    index = target.get_index() if target else None
    if index is None or not 0 <= index < len(pdf):
        return None, None
    mode, values = target.get_view()
    # XYZ gives left, top, zoom; FitH and FitBH give the top.
    place = {1: 1, 3: 0, 7: 0}.get(mode)
    if place is None or place >= len(values) or not values[place]:
        return index + 1, None
    # Getting the size does not load the page, which would take long.
    _, height = pdf.get_page_size(index)
    return index + 1, max(0.0, height - values[place])


def _is_picture(pdf: Any, index: int, *, bare: bool) -> bool:
    """Whether pictures cover a page, or a page without text (``bare``) has any drawing."""
    try:
        page = pdf[index]
    except get_pdfium_error():
        return False
    area = page.get_width() * page.get_height()
    covered = 0.0
    drawn = False
    for thing in page.get_objects(max_depth=4):
        drawn = True
        if thing.type == IMAGE:
            left, bottom, right, top = thing.get_bounds()
            covered += abs(right - left) * abs(top - bottom)
    page.close()
    return bool(covered > _PICTURE_SHARE * area) or (bare and drawn)
