"""The pages of a PDF: their rows of words, rules, and what was filled in on forms.

pdfium reads text; the Tesseract that liteparse has built in reads scans.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foundry.readers.ocr import Tessdata
from foundry.readers.pdf.facts import count_pinned, get_pdfium_error, has_picture
from foundry.readers.pdf.lines import Row, build_rows
from foundry.readers.pdf.rules import Rules, read_rules
from foundry.readers.pdf.words import PLAIN, Frame, PageView, Word, read_words, view_page
from foundry.records import Box

_WIDGET = 20  # FPDF_ANNOT_WIDGET
_BUTTON, _CHECKBOX, _RADIO = 1, 2, 3  # FPDF_FORMFIELD_…
_MAX_FIELDS = 5_000
"""Most fields of a page that are read, against hostile files."""


@dataclass(slots=True)
class PageContent:
    """A page; ``rows`` run from left to right, ``turned`` are frames with other rows."""

    number: int
    frame: Frame
    rows: list[Row]
    turned: list[tuple[Frame, list[Row]]] = field(default_factory=list)
    rules: Rules = field(default_factory=Rules)
    fields: list[tuple[str, Box]] = field(default_factory=list)
    label: str | None = None
    has_picture: bool = False
    pinned_files: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was read on it."""
        return not (self.rows or self.turned or self.fields)

    def count_letters(self, enough: int) -> int:
        """Count letters and digits, and stop at ``enough``."""
        count = 0
        for row in [*self.rows, *(row for _, rows in self.turned for row in rows)]:
            count += sum(char.isalnum() for char in row.text)
            if count >= enough:
                break
        return count


def read_pages(
    pdf: Any, labels: Sequence[str | None], *, pictures: bool = False
) -> Iterator[PageContent | int]:
    """Read the pages of a PDF in order; of one that cannot be read only its number is given.

    With ``pictures`` each page says whether it shows one.
    """
    forms = bool(pdf.get_formtype())
    if forms:
        pdf.init_forms()
    for index, label in enumerate(labels):
        try:
            page = pdf[index]
        except get_pdfium_error():
            yield index + 1
            continue
        try:
            content = read_page(page, index + 1)
            content.label = label
            content.pinned_files = count_pinned(page)
            content.has_picture = pictures and has_picture(page)
            if forms:
                content.fields = list(_read_fields(pdf, page))
            yield content
        except get_pdfium_error():
            yield index + 1
        finally:
            page.close()


def read_page(page: Any, number: int) -> PageContent:
    """Read an open page."""
    view = view_page(page)
    upright, *turned = read_words(page, view)
    content = build_page(number, upright, turned)
    # Looking for rules takes as long as reading words, and prose has no use for them.
    if sum(len(row.segments) > 1 for row in content.rows) > 1:
        content.rules = read_rules(page, view)
    return content


def build_page(number: int, upright: Frame, turned: Sequence[Frame] = ()) -> PageContent:
    """Build a page from its frames of words."""
    others = [(frame, build_rows(frame.words)) for frame in turned if frame.words]
    return PageContent(number, upright, build_rows(upright.words), others)


def _read_fields(pdf: Any, page: Any) -> Iterator[tuple[str, Box]]:
    """Read what was filled in on a form, which is not part of the page's text."""
    from pypdfium2 import raw

    view = view_page(page)
    form = pdf.formenv.raw
    for index in range(min(_MAX_FIELDS, raw.FPDFPage_GetAnnotCount(page.raw))):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            if raw.FPDFAnnot_GetSubtype(annotation) == _WIDGET:
                text = _read_field(raw, form, annotation)
                if text:
                    yield text, _find_place(raw, annotation, view)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _read_field(raw: Any, form: Any, annotation: Any) -> str:
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    value = _read_string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
    if kind in {_CHECKBOX, _RADIO}:
        checked = raw.FPDFAnnot_IsChecked(form, annotation)
        value = ("✓" if value in {"", "Yes", "On"} else value) if checked else ""
    if not value or kind == _BUTTON:
        return ""
    name = _read_string(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
    name = name or _read_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)
    return f"{name}: {value}" if name else value


def _read_string(function: Any, form: Any, annotation: Any) -> str:
    size = function(form, annotation, None, 0)
    buffer = ctypes.create_string_buffer(max(2, size))
    function(form, annotation, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return " ".join(buffer.raw.decode("utf-16-le", "replace").strip("\x00").split())


def _find_place(raw: Any, annotation: Any, view: PageView) -> Box:
    rect = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, ctypes.byref(rect))
    (x0, y0), (x1, y1) = view.show(rect.left, rect.bottom), view.show(rect.right, rect.top)
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


_PAGES_AT_ONCE = 4
# Share of the height of a recognised word: its baseline, and its size of print. Guesses.
_BASE, _SIZE = 0.8, 0.9


def read_scans(
    path: Path, password: str | None, pages: Sequence[int], tessdata: Tessdata
) -> Iterator[PageContent]:
    """Read the given pages (from 1) by OCR. Raises ``get_scan_error()``."""
    # Imported here: only workers that read scans need its 34 MB.
    from liteparse import LiteParse

    for start in range(0, len(pages), _PAGES_AT_ONCE):
        parser = LiteParse(
            ocr_enabled=True,
            ocr_language=tessdata.languages,
            # Without it liteparse would download language data.
            tessdata_path=str(tessdata.folder),
            target_pages=",".join(map(str, pages[start : start + _PAGES_AT_ONCE])),
            num_workers=1,
            emit_word_boxes=True,
            extract_links=False,
            image_mode="off",
            keep_headers_footers=True,
            continue_on_page_error=True,
            quiet=True,
            password=password,
            max_pages=1_000_000,
        )
        for page in parser.parse(path).pages:
            frame = Frame(0, page.width, page.height, list(_list_words(page)))
            yield build_page(page.page_num, frame)


def get_scan_error() -> type[Exception]:
    """Return the exception of liteparse, which is imported only when needed."""
    from liteparse import ParseError

    error: type[Exception] = ParseError
    return error


def _list_words(page: Any) -> Iterator[Word]:
    for item in page.text_items:
        base, size = item.y + _BASE * item.height, _SIZE * item.height
        for word in item.words or [item]:
            if word.text.strip():
                yield Word(word.text.strip(), (word.x, word.x + word.width), base, size, PLAIN)
