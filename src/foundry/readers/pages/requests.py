"""Questions about a file's pages, and the parser processes that answer them.

A page that hangs or crashes pdfium ends only one of these (``readers.workers``).
"""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Self, cast

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.pages.characters import PageText, read_characters
from foundry.readers.pages.matching import QuotedBlock, find_quoted
from foundry.readers.pdf.facts import get_pdfium_error, open_pdf
from foundry.readers.pdf.images import count_pages, open_pages
from foundry.readers.pdf.scans import POINTS
from foundry.readers.workers import ParserPool, ReadJob
from foundry.records import Box, MarkedPage, PagePicture, PageSize, PageWords, Placement

MAX_PIXELS = 4_000_000
"""Largest picture of a page: A4 at 200 dpi, for zooming; a hostile page may be metres wide."""
MAX_SIDE = 8000
"""Most pixels of a picture's side: browsers show no picture that is much wider."""
MOST_COLOURS = 1 << 14
"""Colours of a page that is still print. A guess: of ten thousand, a scan has many more."""
MAX_READ = 60
"""Most pages whose words are read at once: twice what a view has at first."""
MAX_SIZES = 10_000
"""Most pages whose sizes are listed at once."""
_LEAST_SIDE = 1.0
"""Points of the smallest side of a region that is rendered."""
PAGE_TIMEOUT_S = 20.0
"""Time limit of one page. A guess: a reader waits no longer; the slowest honest page took 3 s."""
_WAIT_S = 30.0
"""Longest wait for a process that is free. A guess."""


@dataclass(frozen=True, slots=True)
class PlaceTask:
    """Place quoted blocks on their pages."""

    blocks: tuple[QuotedBlock, ...]


@dataclass(frozen=True, slots=True)
class PictureTask:
    """Render a page, or a region of it in points, at pixels per point, or less if that is large."""

    page: int
    scale: float
    region: Box | None = None
    max_pixels: int = MAX_PIXELS


@dataclass(frozen=True, slots=True)
class SizesTask:
    """List the sizes of the pages from ``first`` to ``last``, both included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class WordsTask:
    """Read the lines of the pages from ``first`` to ``last``, both included."""

    first: int
    last: int


PageTask = PlaceTask | PictureTask | SizesTask | WordsTask
PageAnswer = Placement | PagePicture | tuple[PageSize, ...] | tuple[PageWords, ...]


@dataclass(frozen=True, slots=True)
class PageRequest(ReadOptions):
    """A task on the pages of a file, with what is needed to open it."""

    task: PageTask = SizesTask(1, 1)


def answer(path: Path, request: PageRequest) -> PageAnswer:
    """Do a task on the pages of a PDF or an image. Raises ``ReadError``."""
    opened = _open_pdf if path.suffix.lower() == ".pdf" else _open_image
    try:
        with opened(path, request) as pages:
            return _do(request.task, pages)
    except get_pdfium_error() as error:
        raise ReadError("readers-pdf-damaged") from error


class _Pages:
    """An open file: its pages with their sizes, their characters and their pictures."""

    def __init__(
        self,
        count: int,
        measure: Callable[[int], PageSize],
        read: Callable[[int], PageText | None],
        render: Callable[[int, float, Box], Any],
    ) -> None:
        self.count, self.measure, self.read, self.render = count, measure, read, render

    def get(self, number: int) -> PageSize:
        """The page with that number. Raises ``ReadError`` if there is none."""
        if not 1 <= number <= self.count:
            raise ReadError("page-unknown", page=number, pages=self.count)
        return self.measure(number)


def _do(task: PageTask, pages: _Pages) -> PageAnswer:
    if isinstance(task, PlaceTask):
        return _place(task, pages)
    if isinstance(task, PictureTask):
        page = pages.get(task.page)
        region = _clip(task.region or Box(0, 0, page.width, page.height), page)
        width, height = region.x1 - region.x0, region.y1 - region.y0
        most = (min(task.max_pixels, MAX_PIXELS) / (width * height)) ** 0.5
        scale = min(task.scale, most, MAX_SIDE / max(width, height))
        picture = pages.render(page.number, scale, region)
        stream = BytesIO()
        # Print is smallest without loss; a photograph or scan is not, and shows none at this quality.
        lossless = picture.convert("RGB").getcolors(MOST_COLOURS) is not None
        picture.save(stream, "WEBP", lossless=lossless, quality=80 if lossless else 90)
        return PagePicture(stream.getvalue(), picture.width, picture.height, page, region)
    if isinstance(task, WordsTask):
        numbers = range(max(1, task.first), min(task.last, pages.count, task.first + MAX_READ) + 1)
        return tuple(_read_words(number, pages) for number in numbers)
    last = min(task.last, pages.count, task.first + MAX_SIZES - 1)
    return tuple(pages.measure(number) for number in range(max(1, task.first), last + 1))


def _read_words(number: int, pages: _Pages) -> PageWords:
    text = pages.read(number)
    return PageWords(pages.measure(number), tuple(text.list_lines()) if text else ())


def _place(task: PlaceTask, pages: _Pages) -> Placement:
    marked: dict[int, tuple[list[Box], list[Box]]] = {}
    missing = 0
    for block in task.blocks:
        page = pages.read(block.page)
        if page is None or block.recognised or not page.list_inside(block.box):
            marked.setdefault(block.page, ([], []))[1].append(block.box)
            continue
        found = find_quoted(block, pages.read)
        missing += not found
        for number, indexes in found.items():
            shown = page if number == block.page else pages.read(number)
            boxes = shown.outline(indexes) if shown else []
            marked.setdefault(number, ([], []))[0].extend(boxes)
    shown_pages = tuple(
        MarkedPage(pages.get(number), tuple(boxes), tuple(areas))
        for number, (boxes, areas) in sorted(marked.items())
    )
    code = "page-not-placed" if not shown_pages else "page-partly-placed"
    return Placement(shown_pages, Message(code) if missing or not shown_pages else None)


def _clip(region: Box, page: PageSize) -> Box:
    """The part of a region that is on the page, at least a point wide and high."""
    x0 = min(max(region.x0, 0.0), max(page.width - _LEAST_SIDE, 0.0))
    y0 = min(max(region.y0, 0.0), max(page.height - _LEAST_SIDE, 0.0))
    x1 = max(min(region.x1, page.width), x0 + _LEAST_SIDE)
    y1 = max(min(region.y1, page.height), y0 + _LEAST_SIDE)
    return Box(x0, y0, x1, y1)


@contextlib.contextmanager
def _open_pdf(path: Path, request: ReadOptions) -> Iterator[_Pages]:
    with open_pdf(path, request) as pdf:
        if pdf.get_formtype():
            pdf.init_forms()
        read: dict[int, PageText | None] = {}

        def measure(number: int) -> PageSize:
            width, height = pdf.get_page_size(number - 1)
            return PageSize(number, width, height, pdf.get_page_label(number - 1).strip() or None)

        def read_page(number: int) -> PageText | None:
            if number not in read:
                read[number] = None
                if 1 <= number <= len(pdf):
                    with contextlib.closing(pdf[number - 1]) as page:
                        read[number] = read_characters(page)
            return read[number]

        def render(number: int, scale: float, region: Box) -> Any:
            width, height = pdf.get_page_size(number - 1)
            edges = (region.x0, height - region.y1, width - region.x1, region.y0)
            with contextlib.closing(pdf[number - 1]) as page:
                return page.render(scale=scale, crop=tuple(max(0.0, e) for e in edges)).to_pil()

        yield _Pages(len(pdf), measure, read_page, render)


@contextlib.contextmanager
def _open_image(path: Path, _request: ReadOptions) -> Iterator[_Pages]:
    opened: dict[int, tuple[Any, float]] = {}

    def get(number: int) -> tuple[Any, float]:
        # One page at a time: a scan of a hundred pages would not fit into memory.
        if number not in opened:
            opened.clear()
            found = next(open_pages(path, number), None)
            if found is None:
                raise ReadError("page-unknown", page=number, pages=number - 1)
            opened[number] = found[0], POINTS / found[1]
        return opened[number]

    def measure(number: int) -> PageSize:
        picture, size = get(number)
        return PageSize(number, picture.width * size, picture.height * size)

    def render(number: int, scale: float, region: Box) -> Any:
        picture, size = get(number)
        box = tuple(side / size for side in (region.x0, region.y0, region.x1, region.y1))
        width, height = region.x1 - region.x0, region.y1 - region.y0
        shape = max(1, round(width * scale)), max(1, round(height * scale))
        return picture.resize(shape, box=box)

    yield _Pages(count_pages(path), measure, lambda _number: None, render)


class PageDesk:
    """Parser processes for pages, shared by the threads of a server; a context manager."""

    def __init__(
        self,
        workers: int,
        memory_mb: int,
        timeout_s: float = PAGE_TIMEOUT_S,
        *,
        answer: str = "foundry.readers.pages.requests:answer",
    ) -> None:
        self._pools = [
            ParserPool(1, timeout_s, memory_mb, reader=answer) for _ in range(max(1, workers))
        ]
        self._free: queue.LifoQueue[ParserPool] = queue.LifoQueue()
        for pool in self._pools:
            self._free.put(pool)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; no other thread may be asking."""
        for pool in self._pools:
            pool.close()

    def ask(self, path: Path, request: PageRequest) -> tuple[PageAnswer, str]:
        """The answer, and the SHA-256 of the file that it is about. Raises ``ReadError``."""
        with self._take() as pool:
            outcome = next(pool.read_all([ReadJob(path, request)]))
        if outcome.error:
            raise outcome.error
        # A pool passes on what its function returns, here no document.
        return cast("Any", outcome.document), outcome.content_hash or ""

    @contextlib.contextmanager
    def _take(self) -> Iterator[ParserPool]:
        try:
            pool = self._free.get(timeout=_WAIT_S)
        except queue.Empty:
            raise ReadError("page-busy", seconds=_WAIT_S) from None
        try:
            yield pool
        finally:
            self._free.put(pool)
