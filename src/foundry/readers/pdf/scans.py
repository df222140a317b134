"""Pages and pictures that are read by OCR, as pages of words for the analysis of all pages."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.readers.ocr.engines import OcrEngines, PictureText
from foundry.readers.ocr.lines import DEEP, TALL, ScannedLine, weigh_confidence
from foundry.readers.pdf.facts import get_pdfium_error
from foundry.readers.pdf.pages import PageContent, build_page
from foundry.readers.pdf.words import PLAIN, Frame, Word
from foundry.records import Box, Doubt, Recognition

POINTS = 72.0
_DPI = 300.0
"""Resolution at which pages are read: what Tesseract's documentation asks for."""
_MAX_PIXELS = 20e6
"""Largest picture that is read: an A3 page at 300 dpi."""
_UNSURE = 0.8
"""Confidence below which a page gets a warning (see docs/evaluation/ocr.md)."""
_TIME_SHARE = 0.6
"""Share of the time limit of a file that OCR may take, so that the rest of the file is kept."""
_PICTURE_SHARE = 0.2
"""The same for pictures beside text: few of them hold words."""
_SMALLEST = 30
"""Width and height in pixels, at 300 dpi, of the smallest picture that is read: a line of print."""
_EVEN = 0.3
"""Sizes of print that differ by less are one size: heights of scanned lines vary. A guess."""


@dataclass(slots=True)
class ScanReport:
    """What became of the pages that were read by OCR."""

    engines: OcrEngines
    stop: float
    done: list[int] = field(default_factory=list)
    blank: list[int] = field(default_factory=list)
    turned: list[int] = field(default_factory=list)
    unsure: dict[int, float] = field(default_factory=dict)
    dropped: dict[int, int] = field(default_factory=dict)
    doubts: dict[int, tuple[Doubt, ...]] = field(default_factory=dict)
    late: list[int] = field(default_factory=list)
    problem: Message | None = None
    pictures: bool = False

    @property
    def is_late(self) -> bool:
        """Whether there is no more time for OCR."""
        return time.monotonic() > self.stop

    def note(self, number: int, text: PictureText) -> None:
        """Note what was read on a page."""
        (self.done if text.lines else self.blank).append(number)
        if text.turns and text.lines:
            self.turned.append(number)
        confidence = weigh_confidence(text.lines)
        if text.lines and confidence < _UNSURE:
            self.unsure[number] = confidence
        if text.dropped:
            self.dropped[number] = text.dropped
        doubts = tuple(doubt for line in text.lines for doubt in line.doubts)
        if doubts:
            self.doubts[number] = doubts

    def list_warnings(self) -> Iterator[Message]:
        """What a person must know about the pages that were read."""
        if self.done:
            names = self.engines.names
            code = "readers-pdf-pictures-read" if self.pictures else "readers-pdf-ocr-done"
            yield Message(code, pages=format_pages(self.done), engines=names)
        if self.pictures:
            yield from self._list_doubts()
            return
        if self.turned:
            yield Message("readers-ocr-turned", pages=format_pages(self.turned))
        for number, confidence in self.unsure.items():
            percent = round(100 * confidence)
            yield Message("readers-ocr-unsure", page=str(number), confidence=percent)
        yield from self._list_doubts()
        if self.dropped:
            number = sum(self.dropped.values())
            pages = format_pages(list(self.dropped))
            yield Message("readers-ocr-dropped", pages=pages, number=number)
        if self.blank and self.done:
            yield Message("readers-pdf-ocr-blank", pages=format_pages(self.blank))
        if self.late:
            yield Message("readers-ocr-late", pages=format_pages(self.late))

    def _list_doubts(self) -> Iterator[Message]:
        if self.doubts:
            first = next(iter(self.doubts.values()))[0]
            yield Message(
                "readers-ocr-doubts",
                pages=format_pages(list(self.doubts)),
                number=sum(map(len, self.doubts.values())),
                read=first.read,
                other=first.other,
            )


def start_report(
    engines: OcrEngines, time_s: float | None, *, pictures: bool = False
) -> ScanReport:
    """A report on OCR that starts now in a file with a time limit; ``pictures`` beside text."""
    limit = (_PICTURE_SHARE if pictures else _TIME_SHARE) * (time_s or float("inf"))
    return ScanReport(engines, time.monotonic() + limit, pictures=pictures)


def read_scans(pdf: Any, pages: Sequence[int], report: ScanReport) -> Iterator[PageContent]:
    """Read the given pages (from 1) of an open PDF by OCR, while there is time."""
    for number in pages:
        try:
            page = pdf[number - 1]
            size = page.get_size()
            scale = min(_DPI / POINTS, (_MAX_PIXELS / max(1.0, size[0] * size[1])) ** 0.5)
            bitmap = page.render(scale=scale, grayscale=True)
            picture = bitmap.to_pil()
        except get_pdfium_error():
            report.blank.append(number)
            continue
        content = read_picture(picture, scale * POINTS, number, report)
        page.close()
        if content:
            yield content


def read_picture(picture: Any, dpi: float, number: int, report: ScanReport) -> PageContent | None:
    """Read a picture of Pillow that is the page ``number``; None if nothing was read."""
    if report.is_late:
        report.late.append(number)
        return None
    try:
        text = report.engines.read(picture, dpi)
    except ReadError as error:
        report.problem = error.problem
        report.blank.append(number)
        return None
    report.note(number, text)
    return build_scan(text, number, POINTS / dpi) if text.lines else None


def read_region(
    page: Any, region: Box, number: int, report: ScanReport
) -> tuple[PageContent, float, float] | None:
    """Read a part of an open page as it is shown; its words are placed from the part's corner.

    Returns where that is too; None if nothing was read.
    """
    width, height = page.get_size()
    scale = min(_DPI / POINTS, (_MAX_PIXELS / max(1.0, width * height)) ** 0.5)
    shown = page.render(scale=scale, grayscale=True).to_pil()
    x0, y0 = max(0, int(region.x0 * scale)), max(0, int(region.y0 * scale))
    x1, y1 = min(shown.width, int(region.x1 * scale)), min(shown.height, int(region.y1 * scale))
    if x1 - x0 < _SMALLEST or y1 - y0 < _SMALLEST:
        return None
    try:
        text = report.engines.read_upright(shown.crop((x0, y0, x1, y1)), scale * POINTS)
    except ReadError as error:
        report.problem = error.problem
        report.late.append(number)
        return None
    if not text.lines:
        return None
    report.note(number, text)
    return build_scan(text, number, 1 / scale), x0 / scale, y0 / scale


def build_scan(text: PictureText, number: int, scale: float) -> PageContent:
    """A page of what was read in a picture; ``scale`` is the size of a pixel in points."""
    frame = Frame(text.turns, text.width * scale, text.height * scale)
    content = PageContent(number, frame, [])
    for line in text.lines:
        words = _place_words(line, text, scale)
        frame.words += words
        box = frame.place(_surround(words))
        content.readings.append((box, Recognition(round(line.confidence, 3), line.doubts)))
    # Give words of nearly the same size the most usual one, as lines of one font vary.
    rest = sorted(frame.words, key=lambda word: word.size)
    while rest:
        usual = rest[len(rest) // 2].size
        near = [word for word in rest if abs(word.size - usual) <= _EVEN * usual]
        rest = [word for word in rest if abs(word.size - usual) > _EVEN * usual]
        for word in near:
            word.size = usual
    if text.turns:
        page = Frame(
            0, *((frame.height, frame.width) if text.turns % 2 else (frame.width, frame.height))
        )
        built = build_page(number, page, [frame])
    else:
        built = build_page(number, frame)
    content.frame, content.rows, content.turned = built.frame, built.rows, built.turned
    return content


def list_words(content: PageContent) -> Iterator[tuple[str, Box]]:
    """The words of a page, with their places on it as it is shown."""
    for frame in (content.frame, *(turned for turned, _ in content.turned)):
        for word in frame.words:
            yield word.text, frame.place(_surround([word]))


def _place_words(line: ScannedLine, text: PictureText, scale: float) -> list[Word]:
    words = []
    for word in line.words:
        # A page that is askew is levelled, or the cells of a row would not be on one line.
        drop = text.slope * ((word.x0 + word.x1) / 2 - text.width / 2)
        size = (word.y1 - word.y0) / (TALL + DEEP)
        base = (word.y1 - DEEP * size - drop) * scale
        across = (word.x0 * scale, word.x1 * scale)
        words.append(Word(word.text, across, base, size * scale, PLAIN))
    last = words[-1]
    if len(last.text) > 2 and last.text[-1] == "-" and last.text[-2].isalpha():
        last.text, last.broken = last.text[:-1], True
    return words


def _surround(words: Sequence[Word]) -> Box:
    top = min(word.base - TALL * word.size for word in words)
    foot = max(word.base + DEEP * word.size for word in words)
    return Box(words[0].x0, top, words[-1].x1, foot)


def format_pages(pages: Sequence[int]) -> Message:
    """Format page numbers: ``page 3``, ``pages 3, 5–9``."""
    runs: list[list[int]] = []
    for number in sorted(pages):
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number, number])
    parts = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    numbers = ", ".join(parts[:20]) + (" …" if len(parts) > 20 else "")
    return Message("readers-pages", numbers=numbers, number=len(pages))
