"""Where quoted words are on the pages of a source, pictures of those pages, and the files behind them.

Only the file that was read is shown: what changed since, or is gone, is a reason instead. Parser
processes open the files (``PageDesk``), because a hostile one may hang or crash them. An attachment is
unpacked from the file that it is in, and kept in ``.foundry/cache/originals``. A picture in
``.foundry/cache/pages`` is known by the hash of its file's content, so it never goes stale. Whoever
asks for one has been checked before: these caches know no roles.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import cast

from foundry.errors import ReadError
from foundry.journeys.passages.texts import WINDOW
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.corrections import restore_words
from foundry.readers.pages.matching import QuotedBlock
from foundry.readers.pages.requests import (
    PageAnswer,
    PageDesk,
    PageRequest,
    PageTask,
    PictureTask,
    PlaceTask,
    SizesTask,
    WordsTask,
)
from foundry.readers.worker_process import hash_file
from foundry.readers.workers import ParserPool, ReadJob
from foundry.records import (
    Block,
    Box,
    MarkedPage,
    PageLine,
    PagePicture,
    PageSize,
    PageWords,
    Placement,
    Source,
    list_containers,
)
from foundry.workspace import Workspace

PAGED_TYPES = frozenset({"pdf", "png", "jpg", "jpeg", "tif", "tiff", "bmp", "webp", "gif", "image"})
"""Types of sources whose pages can be shown."""
MIN_SCALE, MAX_SCALE, _SCALE_STEP = 0.5, 4.0, 0.25
"""Pixels per point of a picture; steps, so that few pictures of a page are kept."""
_MARGIN = 24.0
"""Points around marked words in the picture of a region: about two lines."""
_LEAST_WIDTH = 0.6
"""Share of the page's width that the picture of a region has at least. A guess."""
_MOST_HEIGHT = 0.35
"""Share of the page's height that the picture of a region has at most. A guess."""


def open_page_desk(workspace: Workspace, workers: int = 2) -> PageDesk:
    """Parser processes for pages, with the configured memory limit; use it as a context manager."""
    return PageDesk(workers, workspace.config.ingest.parse_memory_mb)


def has_pages(source: Source) -> bool:
    """Whether a source has pages that can be shown."""
    return source.type in PAGED_TYPES


def find_places(
    workspace: Workspace, desk: PageDesk, source: Source, *spans: tuple[int, int]
) -> Placement:
    """The pages and rectangles of spans of the source's text, exactly over its characters.

    What the page has only in a picture is placed as the area of its block.
    """
    short = ((start, min(end, start + WINDOW)) for start, end in spans)
    blocks = [block for span in short for block in _list_quoted(workspace, source, *span)]
    if not blocks:
        code = "page-not-placed" if has_pages(source) else "page-none"
        return Placement(reason=Message(code, path=source.path))
    answer = _ask(workspace, desk, source, PlaceTask(tuple(blocks)))
    return Placement(reason=answer) if isinstance(answer, Message) else cast("Placement", answer)


def list_page_sizes(
    workspace: Workspace, desk: PageDesk, source: Source, first: int = 1, last: int = 1_000_000
) -> tuple[PageSize, ...] | Message:
    """The sizes of a source's pages from ``first`` to ``last``, or why there are none."""
    answer = _ask(workspace, desk, source, SizesTask(first, last))
    return answer if isinstance(answer, Message) else cast("tuple[PageSize, ...]", answer)


def read_lines(
    workspace: Workspace, desk: PageDesk, source: Source, first: int, last: int
) -> tuple[PageWords, ...] | Message:
    """The words of the pages from ``first`` to ``last`` line by line, or why there are none.

    Lines are in reading order. Of a page that is only a picture they are those that OCR read, in the
    boxes of their blocks.
    """
    answer = _ask(workspace, desk, source, WordsTask(first, last))
    if isinstance(answer, Message):
        return answer
    text = workspace.store.source_text(source.id)
    printed: dict[int, list[tuple[Block, Box]]] = {}
    for block in workspace.store.source_blocks(source.id):
        if block.page is not None and block.box is not None and first <= block.page <= last:
            printed.setdefault(block.page, []).append((block, block.box))
    made: list[PageWords] = []
    for page in cast("tuple[PageWords, ...]", answer):
        blocks = printed.get(page.page.number, [])
        lines = order_lines(page.lines, [box for _, box in blocks])
        if not lines:
            words = [(text[block.start : block.end], box) for block, box in blocks]
            lines = [line for part in words for line in _spread(*part)]
        made.append(replace(page, lines=tuple(lines)))
    return tuple(made)


def order_lines(lines: Sequence[PageLine], boxes: Sequence[Box]) -> list[PageLine]:
    """Lines in the order of the blocks that they are in; a line in none stays with the one before it."""
    place = -1
    placed: list[tuple[int, PageLine]] = []
    for line in lines:
        x, y = (line.box.x0 + line.box.x1) / 2, (line.box.y0 + line.box.y1) / 2
        found = (n for n, b in enumerate(boxes) if b.x0 <= x <= b.x1 and b.y0 <= y <= b.y1)
        place = next(found, place)
        placed.append((place, line))
    return [line for _, line in sorted(placed, key=lambda one: one[0])]


def _spread(text: str, box: Box) -> Iterator[PageLine]:
    """The lines of a block, each with an equal part of its height."""
    lines = [line for line in text.splitlines() if line.strip()]
    height = (box.y1 - box.y0) / max(1, len(lines))
    for number, line in enumerate(lines):
        top = box.y0 + number * height
        yield PageLine(line.strip(), replace(box, y0=top, y1=top + height))


def render_page(
    workspace: Workspace, desk: PageDesk, source: Source, page: int, scale: float = 1.5
) -> PagePicture | Message:
    """A picture of a page (from 1) at ``scale`` pixels per point, or why there is none."""
    return _render(workspace, desk, source, PictureTask(page, _round_scale(scale)))


def render_region(
    workspace: Workspace, desk: PageDesk, source: Source, marked: MarkedPage, scale: float = 1.5
) -> PagePicture | Message:
    """A picture of the page around its marked words, or why there is none; ``region`` says where."""
    boxes = marked.boxes or marked.areas
    region = choose_region(boxes, marked.page) if boxes else None
    task = PictureTask(marked.page.number, _round_scale(scale), region)
    return _render(workspace, desk, source, task)


def choose_region(boxes: tuple[Box, ...], page: PageSize) -> Box:
    """What of a page a small picture shows: the boxes, or the first of them, with a margin."""
    tall = _MOST_HEIGHT * page.height
    top = min(box.y0 for box in boxes) - _MARGIN
    shown = [box for box in boxes if box.y1 <= top + tall] or [min(boxes, key=lambda box: box.y0)]
    left = min(box.x0 for box in shown) - _MARGIN
    right = max(box.x1 for box in shown) + _MARGIN
    missing = max(0.0, _LEAST_WIDTH * page.width - (right - left))
    # To where the page goes on, not to its margin.
    before = missing * max(left, 0.0) / max(left + page.width - right, 1.0)
    left, right = left - before, right + missing - before
    # A region is moved onto the page, so that its width stays.
    shift = max(0.0, -left) - max(0.0, right - page.width)
    bottom = min(max(box.y1 for box in shown) + _MARGIN, top + tall + 2 * _MARGIN)
    sides = (left + shift, top, right + shift, bottom)
    limits = (page.width, page.height, page.width, page.height)
    return Box(
        *(round(min(max(side, 0.0), most), 1) for side, most in zip(sides, limits, strict=True))
    )


def _list_quoted(workspace: Workspace, source: Source, start: int, end: int) -> list[QuotedBlock]:
    """The blocks with pages that the span touches, each with its quoted part."""
    if not has_pages(source) or start >= end:
        return []
    text = workspace.store.source_text(source.id)
    return [
        QuotedBlock(
            *restore_words(text, block, max(start, block.start), min(end, block.end)),
            block.page,
            block.box,
            block.kind,
            recognised=block.recognition is not None,
        )
        for block in workspace.store.source_blocks(source.id)
        if block.start < end and start < block.end
        if block.page is not None and block.box is not None
    ]


def _round_scale(scale: float) -> float:
    steps = round(min(max(scale, MIN_SCALE), MAX_SCALE) / _SCALE_STEP)
    return steps * _SCALE_STEP


def _render(
    workspace: Workspace, desk: PageDesk, source: Source, task: PictureTask
) -> PagePicture | Message:
    cache = PictureCache(workspace.root)
    key = f"{source.content_hash}:{task}:webp"
    picture = cache.find(key)
    if picture is not None:
        return picture
    answer = _ask(workspace, desk, source, task)
    if isinstance(answer, Message):
        return answer
    picture = cast("PagePicture", answer)
    cache.save(key, picture)
    return picture


def _ask(
    workspace: Workspace, desk: PageDesk, source: Source, task: PageTask
) -> PageAnswer | Message:
    if not has_pages(source):
        return Message("page-none", path=source.path)
    path = find_original(workspace, source)
    if isinstance(path, Message):
        return path
    try:
        request = PageRequest(source.path, workspace.passwords(), task=task)
        answer, content_hash = desk.ask(path, request)
    except ReadError as error:
        return error.problem
    if content_hash != source.content_hash:
        return Message("page-file-changed", path=source.path)
    return answer


ORIGINALS = ".foundry/cache/originals"
"""Attachments, by the hash of their content."""
MAX_FILES = 200
"""Most attachments that are kept unpacked. A guess."""
PICTURES = ".foundry/cache/pages"
MAX_BYTES = 200_000_000
"""Size of the cache: some 1,000 pages. A guess."""
_KEPT = 0.8
"""Share of the size that is left when the pictures not used for longest are removed."""


def find_original(workspace: Workspace, source: Source) -> Path | Message:
    """The path of the file that a source was read from, or why there is none.

    The caller compares its content with the source's hash: a file of the project may have changed.
    """
    containers = list_containers(source.path)
    path = workspace.root / (containers[-1] if containers else source.path)
    if not path.is_file():
        return Message("page-file-missing", path=containers[-1] if containers else source.path)
    if not containers:
        return path
    kept = workspace.root / ORIGINALS / f"{source.content_hash}{Path(source.path).suffix.lower()}"
    if kept.is_file():
        return kept
    try:
        return _unpack(workspace, source, path, kept)
    except (ReadError, OSError):
        return Message("page-file-packed", path=source.path)


def open_original(workspace: Workspace, source: Source) -> Path | Message:
    """The same, if the file is still as it was read: what a reader may download."""
    path = find_original(workspace, source)
    if isinstance(path, Message):
        return path
    try:
        same = hash_file(path) == source.content_hash
    except OSError:
        return Message("page-file-missing", path=source.path)
    return path if same else Message("page-file-changed", path=source.path)


def _unpack(workspace: Workspace, source: Source, path: Path, kept: Path) -> Path | Message:
    """Unpack an attachment, and those around it, and keep it as ``kept``. Raises ``ReadError``."""
    names = [*list_containers(source.path)[::-1], source.path]
    settings = workspace.config.ingest
    kept.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=kept.parent) as folder,
        ParserPool(1, settings.parse_timeout_s, settings.parse_memory_mb) as pool,
    ):
        for outer, inner in pairwise(names):
            options = ReadOptions(
                outer, workspace.passwords(), "off", Path(folder), settings.parse_timeout_s
            )
            outcome = next(pool.read_all([ReadJob(path, options)]))
            files = outcome.document.attachments if outcome.document else ()
            wanted = inner.removeprefix(f"{outer}/")
            found = next((file.path for file in files if file.name == wanted), None)
            if found is None:
                return Message("page-file-packed", path=source.path)
            path = found
        if hash_file(path) != source.content_hash:
            return Message("page-file-changed", path=source.path)
        path.replace(kept)
    _prune(kept.parent)
    return kept


def _prune(folder: Path) -> None:
    kept = (path for path in folder.iterdir() if path.is_file())
    files = sorted(kept, key=lambda path: path.stat().st_mtime)
    for path in files[:-MAX_FILES]:
        path.unlink(missing_ok=True)


class PictureCache:
    """The pictures of one project; a disk that is full or read-only only makes it slower."""

    def __init__(self, root: Path, max_bytes: int = MAX_BYTES) -> None:
        self._folder = root / PICTURES
        self._max_bytes = max_bytes

    def find(self, key: str) -> PagePicture | None:
        """The picture saved under a key, or None."""
        path = self._locate(key)
        try:
            head, _, data = path.read_bytes().partition(b"\n")
            facts = json.loads(head)
            page, region = PageSize(**facts["page"]), Box(**facts["region"])
            picture = PagePicture(data, facts["width"], facts["height"], page, region)
        except (OSError, ValueError, TypeError, KeyError):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return picture

    def save(self, key: str, picture: PagePicture) -> None:
        """Save a picture, and remove others if there is no room."""
        facts = {
            "width": picture.width,
            "height": picture.height,
            "page": asdict(picture.page),
            "region": asdict(picture.region),
        }
        path = self._locate(key)
        part = path.with_suffix(f".{secrets.token_hex(4)}.part")
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(json.dumps(facts).encode() + b"\n" + picture.data)
            part.replace(path)
            self._prune()

    def _locate(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.page"

    def _prune(self) -> None:
        files = [(entry.stat(), entry.path) for entry in os.scandir(self._folder)]
        total = sum(status.st_size for status, _ in files)
        if total <= self._max_bytes:
            return
        for status, path in sorted(files, key=lambda item: item[0].st_mtime):
            if total <= _KEPT * self._max_bytes:
                return
            Path(path).unlink(missing_ok=True)
            total -= status.st_size
