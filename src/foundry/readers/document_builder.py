"""Assembles a document: one text, and blocks whose offsets in it are exact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NotRequired, TypedDict, Unpack

from foundry.errors import ReadError
from foundry.readers.metadata import find_revision
from foundry.records import Block, BlockKind, Box, Document

NO_TEXT = "There is no text in this file."

_BREAK = "\n\n"
_TIGHT: frozenset[BlockKind] = frozenset({"list_item", "cue"})
# Control characters and lone surrogates carry nothing and break databases and JSON.
_UNWANTED = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_WHITE = re.compile(r"\s+")


class BlockPlace(TypedDict):
    """Where a block stands in the file: page and box, or time and speaker."""

    page: NotRequired[int | None]
    page_label: NotRequired[str | None]
    box: NotRequired[Box | None]
    time_start: NotRequired[float | None]
    time_end: NotRequired[float | None]
    speaker: NotRequired[str | None]


class HeadingPath:
    """The sections that the current place stands in, outermost first."""

    def __init__(self) -> None:
        self._stack: list[tuple[int, str]] = []

    def enter(self, level: int, text: str) -> tuple[str, ...]:
        """Open a section: it closes all open ones of its level or deeper."""
        self._stack = [part for part in self._stack if part[0] < level]
        self._stack.append((level, text))
        return self.current()

    def current(self) -> tuple[str, ...]:
        """The heading path of a block that stands here."""
        return tuple(text for _, text in self._stack)


class DocumentBuilder:
    """Writes ``Document.text`` piece by piece; blocks are set apart by an empty line.

    Neighbouring list items and neighbouring cues are set apart by a single line
    end. Empty pieces are left out. ``type`` is the reader's name ("pdf").
    """

    def __init__(self, type: str) -> None:  # noqa: A002  the record's own word
        self._type = type
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._path = HeadingPath()
        self._warnings: list[str] = []

    @property
    def is_empty(self) -> bool:
        """True as long as no piece with text was added."""
        return not self._blocks

    def heading(self, text: str, level: int, **place: Unpack[BlockPlace]) -> None:
        """Add a heading, on one line; ``level`` is brought within 1–6."""
        words = _WHITE.sub(" ", clean_text(text)).strip()
        if not words:
            return
        level = min(max(level, 1), 6)
        path = self._path.enter(level, words)
        start, end = self._append("heading", words)
        self._blocks.append(Block("heading", start, end, path, level, **place))

    def enter(self, title: str, level: int) -> None:
        """Open a section whose heading is not in the text: it names what follows, and no more."""
        words = _join_lines(title)
        if words:
            self._path.enter(min(max(level, 1), 6), words)

    def add(self, kind: BlockKind, text: str, **place: Unpack[BlockPlace]) -> None:
        """Add a block under the current heading. Headings go through ``heading``."""
        if kind == "heading":
            raise ValueError("use heading(): a heading needs a level")
        words = (
            clean_text(text).strip("\n") if kind in {"code", "table"} else clean_text(text).strip()
        )
        if not words.strip():
            return
        start, end = self._append(kind, words)
        self._blocks.append(Block(kind, start, end, self._path.current(), **place))

    def warn(self, sentence: str) -> None:
        """Tell the person something about the file; said once however often it happens."""
        if sentence not in self._warnings:
            self._warnings.append(sentence)

    def build(
        self,
        title: str,
        pages: int | None = None,
        revision: str | None = None,
        revision_date: str | None = None,
        *,
        reason: str = NO_TEXT,
        fix: str = "",
    ) -> Document:
        """The document. Raises ``ReadError`` with ``reason`` and ``fix`` if nothing was added."""
        if not self._blocks:
            raise ReadError(_append_warnings(reason, self._warnings), fix=fix)
        return Document(
            text="".join(self._parts),
            blocks=tuple(self._blocks),
            type=self._type,
            title=_join_lines(title),
            pages=pages,
            revision=revision,
            revision_date=revision_date,
            warnings=tuple(self._warnings),
        )

    def _append(self, kind: BlockKind, words: str) -> tuple[int, int]:
        if self._blocks:
            tight = kind in _TIGHT and self._blocks[-1].kind == kind
            self._put("\n" if tight else _BREAK)
        start = self._length
        self._put(words)
        return start, self._length

    def _put(self, piece: str) -> None:
        self._parts.append(piece)
        self._length += len(piece)


class TextMarker:
    """Marks blocks in a text that stays unchanged, in order and without overlap."""

    def __init__(self, type: str, text: str) -> None:  # noqa: A002  the record's own word
        self._type = type
        self._text = text
        self._blocks: list[Block] = []
        self._path = HeadingPath()
        self._warnings: list[str] = []

    @property
    def is_empty(self) -> bool:
        """True as long as nothing was marked."""
        return not self._blocks

    def heading(self, text: str, level: int, start: int, end: int) -> None:
        """Mark a heading whose words without markup are ``text``."""
        start, end = self._trimmed(start, end)
        path = self._path.enter(level, _join_lines(text))
        if start < end:
            self._blocks.append(Block("heading", start, end, path, level))

    def mark(self, kind: BlockKind, start: int, end: int, **place: Unpack[BlockPlace]) -> None:
        """Mark a block; white space around it is left out, and so is an empty one."""
        start, end = self._trimmed(start, end)
        if start < end:
            self._blocks.append(Block(kind, start, end, self._path.current(), **place))

    def find_heading(self, level: int) -> str | None:
        """The words of the first heading of a level, or None."""
        for block in self._blocks:
            if block.level == level:
                return block.heading_path[-1]
        return None

    def warn(self, sentence: str) -> None:
        """Tell the person something about the file; said once however often it happens."""
        if sentence not in self._warnings:
            self._warnings.append(sentence)

    def build(
        self,
        title: str,
        revision: str | None = None,
        revision_date: str | None = None,
        *,
        reason: str = NO_TEXT,
        fix: str = "",
    ) -> Document:
        """The document. Raises ``ReadError`` with ``reason`` and ``fix`` if nothing was marked."""
        if not self._blocks:
            raise ReadError(_append_warnings(reason, self._warnings), fix=fix)
        return Document(
            text=self._text,
            blocks=tuple(self._blocks),
            type=self._type,
            title=_join_lines(title),
            revision=revision,
            revision_date=revision_date,
            warnings=tuple(self._warnings),
        )

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        # A block may not reach back into the one before it.
        start = max(start, self._blocks[-1].end if self._blocks else 0)
        words = self._text[start:end]
        lead = len(words) - len(words.lstrip())
        return start + lead, start + len(words.rstrip())


def clean_text(text: str) -> str:
    """Without control characters and lone surrogates; every line end is a line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return _UNWANTED.sub("", text)


def _join_lines(text: str) -> str:
    return _WHITE.sub(" ", clean_text(text)).strip()


def _append_warnings(reason: str, warnings: list[str]) -> str:
    return " ".join([reason, *warnings])


CELL_BREAK = " | "
CHECK_EMPTY = "Open it in its own program; if it shows text, save it again or export it as a PDF."
"""What to do about a document without text."""
_ENDS = frozenset(".:;,!?•–|")
_HEAD_BLOCKS = 60


@dataclass(frozen=True, slots=True)
class DraftBlock:
    """A block to be: a heading has a ``level``; a table's text is its rows."""

    kind: BlockKind
    text: str
    level: int | None = None


def add_blocks(
    builder: DocumentBuilder,
    pieces: Iterable[DraftBlock],
    *,
    page: int | None = None,
    page_label: str | None = None,
) -> None:
    """Put pieces into a document; lines of code that follow each other are one block."""
    for is_code, run in groupby(pieces, key=lambda piece: piece.kind == "code"):
        if is_code:
            lines = "\n".join(piece.text for piece in run)
            builder.add("code", lines, page=page, page_label=page_label)
            continue
        for piece in run:
            if piece.level is not None:
                builder.heading(piece.text, piece.level, page=page, page_label=page_label)
            else:
                builder.add(piece.kind, piece.text, page=page, page_label=page_label)


def find_block_revision(
    pieces: Sequence[DraftBlock], extra: str = ""
) -> tuple[str | None, str | None]:
    """The printed revision mark and date near the top, else in ``extra`` (page headers)."""
    head = "\n".join(piece.text for piece in pieces[:_HEAD_BLOCKS])
    # "Version | 1.2" in a table says the same as "Version 1.2".
    mark, date = find_revision(head.replace(CELL_BREAK, "  "))
    more_mark, more_date = find_revision(extra) if extra else (None, None)
    return mark or more_mark, date or more_date


def find_first_heading(pieces: Iterable[DraftBlock]) -> str | None:
    """The text of the first heading, or None."""
    return next((piece.text for piece in pieces if piece.level is not None), None)


def write_row(cells: Iterable[str]) -> str:
    """A table row on one line; empty cells at its end are left out."""
    flat = [" ".join(cell.split()) for cell in cells]
    while flat and not flat[-1]:
        flat.pop()
    return CELL_BREAK.join(flat)


def write_table(rows: Iterable[Iterable[str]]) -> str:
    """A table's rows as lines; rows without any text are left out."""
    lines = (write_row(row) for row in rows)
    return "\n".join(line for line in lines if line)


def write_cell(pieces: Iterable[DraftBlock]) -> str:
    """What stands in one cell, on one line: paragraphs set apart by ";" where no mark does."""
    text = ""
    for piece in pieces:
        words = " ".join(_write_inline(piece).split())
        if words:
            text += (" " if text[-1:] in _ENDS else "; ") + words if text else words
    return text


def _write_inline(piece: DraftBlock) -> str:
    if piece.kind != "table":
        return piece.text
    rows = [re.sub(r"(?:\s*\|\s*)+", ", ", line).strip(", ") for line in piece.text.split("\n")]
    return f"({'; '.join(rows)})"
