"""The pages of a PDF: their rows of words, rules, and what was filled in on forms."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from foundry.readers.pdf.facts import count_pinned, get_pdfium_error, has_picture
from foundry.readers.pdf.lines import Row, build_rows
from foundry.readers.pdf.objects import list_objects
from foundry.readers.pdf.rules import Rules, read_rules
from foundry.readers.pdf.views import PageView, view_page
from foundry.readers.pdf.watermarks import Watermark, take_watermarks
from foundry.readers.pdf.words import Frame, read_words
from foundry.records import Box, Recognition, join_recognitions

_WIDGET = 20  # FPDF_ANNOT_WIDGET
_BUTTON, _CHECKBOX, _RADIO = 1, 2, 3  # FPDF_FORMFIELD_…
_BETWEEN = 0.7
"""Distance of lines that are beside each other, relative to the size of print. A guess."""
_MAX_FIELDS = 5_000
"""Most fields of a page that are read, against hostile files."""


@dataclass(slots=True)
class PageContent:
    """A page; ``rows`` run from left to right, ``turned`` are frames with other rows.

    ``mono`` counts the words in letters of one width. ``readings`` are the lines that were read by OCR: their places, and how surely.
    """

    number: int
    frame: Frame
    rows: list[Row]
    turned: list[tuple[Frame, list[Row]]] = field(default_factory=list)
    rules: Rules = field(default_factory=Rules)
    fields: list[tuple[str, Box]] = field(default_factory=list)
    label: str | None = None
    has_picture: bool = False
    pinned_files: int = 0
    mono: int = 0
    readings: list[tuple[Box, Recognition]] = field(default_factory=list)
    watermarks: list[Watermark] = field(default_factory=list)

    def find_recognition(self, box: Box) -> Recognition | None:
        """How surely OCR read the lines in a box; None on a page of text."""
        inside = [
            recognition
            for line, recognition in self.readings
            if box.x0 - 1 <= (line.x0 + line.x1) / 2 <= box.x1 + 1
            and box.y0 - 1 <= (line.y0 + line.y1) / 2 <= box.y1 + 1
        ]
        return join_recognitions(inside or [recognition for _, recognition in self.readings])

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
            content = read_page(page, index + 1, pictures=pictures)
            content.label = label
            content.pinned_files = count_pinned(page)
            if forms:
                content.fields = list(_read_fields(pdf, page))
            yield content
        except get_pdfium_error():
            yield index + 1
        finally:
            page.close()


def read_page(page: Any, number: int, *, pictures: bool = False) -> PageContent:
    """Read an open page; with ``pictures`` it says whether it shows one."""
    view = view_page(page)
    words = read_words(page, view)
    watermarks = take_watermarks(words)
    content = build_page(number, words[0], words[1:])
    content.watermarks = watermarks
    # Looking for rules takes as long as reading words, and prose has no use for them.
    frames = content.rows, *(rows for _, rows in content.turned)
    ruled = any(map(_may_be_ruled, frames))
    if ruled or pictures:
        objects = list_objects(page)
        content.has_picture = pictures and has_picture(page, objects)
        content.rules = read_rules(objects, view) if ruled else Rules()
    return content


def _may_be_ruled(rows: Sequence[Row]) -> bool:
    """Whether rows have cells, or text of a box between the lines beside it."""
    if sum(len(row.segments) > 1 for row in rows) > 1:
        return True
    close = [low.base - high.base < _BETWEEN * low.size for high, low in pairwise(rows)]
    return sum(close) > 2


def build_page(number: int, upright: Frame, turned: Sequence[Frame] = ()) -> PageContent:
    """Build a page from its frames of words."""
    others = [(frame, build_rows(frame.words)) for frame in turned if frame.words]
    content = PageContent(number, upright, build_rows(upright.words), others)
    content.mono = sum([word.font.mono for word in upright.words])
    return content


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
    return view.show_box(rect.left, rect.bottom, rect.right, rect.top)
