"""Assembles a document: one text, and blocks with exact offsets into it.

``DocumentBuilder`` writes the text block by block (PDF, DOCX, HTML …); ``TextMarker``
marks blocks in a text that must stay as it is (TXT, Markdown, subtitles). Both keep the
heading path, and both raise ``ReadError`` rather than return a document without text.
Readers of office formats, web pages and books first collect ``DraftBlock``s, in which a
table is text with one line per row and " | " between cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NotRequired, TypedDict, Unpack

from foundry.analysis.lexer import LETTERS, UNPRINTABLE
from foundry.errors import ReadError
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.readers.front.clues import Clues
from foundry.readers.front.document_names import FRONT_BLOCKS, find_document_names
from foundry.readers.front.facts import decide_facts
from foundry.readers.grids import CELL_BREAK, GridCell, GridReading, read_grid
from foundry.records import Attachment, Block, BlockKind, Box, Document, Recognition
from foundry.text.headings import is_administrative

NO_TEXT = Message("readers-no-text")
MAX_HEADING_CHARS = 200
"""Longer "headings" are whole clauses in a heading style: body text, not a section name.

A guess: the longest section titles in ordinary manuals and contracts stay well below it.
"""
MAX_TABLE_CHARS = 4000
"""Longest block of a table that has more than one row: about a page, and few enough cells to load
with every chunk that has one of its rows."""

_LINES_ABOVE = 3
"""Blocks above a table that may hold its title and unit: caption, title, unit."""

_TAIL = (_LINES_ABOVE + 1) * MAX_HEADING_CHARS

_NO_CLUES = Clues()
_BREAK = "\n\n"
_TIGHT: frozenset[BlockKind] = frozenset({"list_item", "cue"})
_ENDS = frozenset(".:;,!?•–|")
_PAGE_WORDS = load_shared_lexicon().documents.page_labels | load_shared_lexicon().documents.page_of


class BlockPlace(TypedDict):
    """Where a block is in the file: page and box, or time and speaker; and how OCR read it."""

    page: NotRequired[int | None]
    page_label: NotRequired[str | None]
    box: NotRequired[Box | None]
    time_start: NotRequired[float | None]
    time_end: NotRequired[float | None]
    speaker: NotRequired[str | None]
    recognition: NotRequired[Recognition]


class _DocumentDraft:
    """What both builders collect: text, blocks, the heading path and warnings."""

    def __init__(self, type: str, *text: str) -> None:  # noqa: A002  the record's own word
        """``type`` is the name of the reader ("pdf")."""
        self._type = type
        self._parts = list(text)
        self._blocks: list[Block] = []
        self._sections: list[tuple[int, str]] = []
        self._warnings: list[Message] = []
        self._attachments: tuple[Attachment, ...] = ()

    def warn(self, warning: Message | None) -> None:
        """Add a warning about the file, unless it is None or was added before."""
        if warning and warning not in self._warnings:
            self._warnings.append(warning)

    def attach(self, files: tuple[Attachment, ...]) -> None:
        """Set the files inside the file."""
        self._attachments = files

    @property
    def _path(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._sections)

    def _enter(self, level: int, title: str) -> tuple[str, ...]:
        """Open a section, closing those of its level or deeper, and return the new path."""
        self._sections = [section for section in self._sections if section[0] < level]
        self._sections.append((level, title))
        return self._path

    def _find_lines_above(self, tail: str, end: int) -> list[str]:
        """The lines just above a table that may say what it is about: no prose, no table.

        ``tail`` is the text before the table, or its end; it ends at the offset ``end``.
        """
        lines: list[str] = []
        for block in self._blocks[-_LINES_ABOVE:]:
            line = tail[max(len(tail) - end + block.start, 0) : len(tail) - end + block.end]
            line = block.heading_path[-1] if block.kind == "heading" else line
            long = block.end - block.start > MAX_HEADING_CHARS
            prose = long or line.endswith((".", "!", "?", ";"))
            if block.kind in {"heading", "caption", "paragraph"} and "\n" not in line and not prose:
                lines.append(line)
            else:
                lines.clear()
        return lines

    def build(
        self,
        name: str,
        clues: Clues = _NO_CLUES,
        *,
        pages: int | None = None,
        reason: Message = NO_TEXT,
    ) -> Document:
        """Return the document of the file ``name``, with its facts and its names.

        Raises ``ReadError`` with ``reason`` and the warnings if there are no blocks.
        """
        if not self._blocks:
            error = ReadError(reason)
            error.advice = tuple(self._warnings)
            raise error
        document = Document(
            text="".join(self._parts),
            blocks=tuple(self._blocks),
            type=self._type,
            title="",
            pages=pages,
            attachments=self._attachments,
        )
        facts, contradictions = decide_facts(document, clues, name)
        said = {fact.name: fact.value for fact in facts}
        title = _join_lines(said["title"])
        return replace(
            document,
            title=title,
            revision=said.get("revision"),
            revision_date=said.get("date"),
            facts=facts,
            names=find_document_names(document.text, document.blocks, title),
            warnings=(*self._warnings, *contradictions),
        )


class DocumentBuilder(_DocumentDraft):
    """Writes ``Document.text`` block by block, with an empty line between blocks.

    Neighbouring list items and neighbouring cues get a single line break instead. Blocks
    without text are dropped.
    """

    def __init__(self, type: str) -> None:  # noqa: A002  the record's own word
        super().__init__(type)
        self._length = 0

    def add_heading(self, text: str, level: int, **place: Unpack[BlockPlace]) -> None:
        """Add a heading on one line; ``level`` is clamped to 1–6."""
        words = _join_lines(text)
        if not words:
            return
        level = min(max(level, 1), 6)
        path = self._enter(level, words)
        start, end = self._append("heading", words)
        self._blocks.append(Block("heading", start, end, path, level, **place))

    def open_section(self, title: str, level: int) -> None:
        """Open a section that has no heading in the text; only later heading paths show it."""
        words = _join_lines(title)
        if words:
            self._enter(min(max(level, 1), 6), words)

    def close_section(self, level: int) -> None:
        """End the sections of a level and below."""
        self._sections = [section for section in self._sections if section[0] < level]

    def add(self, kind: BlockKind, text: str, **place: Unpack[BlockPlace]) -> None:
        """Add a block under the current heading; use ``add_heading`` for headings."""
        if kind == "heading":
            raise ValueError("use add_heading(): a heading needs a level")
        words = clean_text(text)
        words = words.strip("\n") if kind in {"code", "table"} else words.strip()
        if not words.strip():
            return
        start, end = self._append(kind, words)
        self._blocks.append(Block(kind, start, end, self._path, **place))

    def add_table(
        self,
        grid: GridReading,
        lines_above: Sequence[str] = (),
        *,
        continued: bool = False,
        **place: Unpack[BlockPlace],
    ) -> None:
        """Add a table with one line per row, whose values keep their labels (``Block.table``).

        A long one becomes several blocks. ``continued`` if the grid repeats the header of the table
        before it, and continues its rows.
        """
        tail = "".join(self._parts[-2 * _LINES_ABOVE :])
        named = grid.name(lines_above or self._find_lines_above(tail, self._length))
        for part in named.split(MAX_TABLE_CHARS, continued=continued):
            start = self._open("table")
            words, table = part.write(start)
            self._put(words)
            block = Block("table", start, self._length, self._path, table=table, **place)
            self._blocks.append(block)

    def _append(self, kind: BlockKind, words: str) -> tuple[int, int]:
        start = self._open(kind)
        self._put(words)
        return start, self._length

    def _open(self, kind: BlockKind) -> int:
        """Put the white space before a block, and return where the block starts."""
        if self._blocks:
            tight = kind in _TIGHT and self._blocks[-1].kind == kind
            self._put("\n" if tight else _BREAK)
        return self._length

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


class TextMarker(_DocumentDraft):
    """Marks blocks, in order and without overlap, in a text that stays unchanged."""

    def __init__(self, type: str, text: str) -> None:  # noqa: A002  the record's own word
        super().__init__(type, text)
        self._text = text

    def mark_heading(self, text: str, level: int, start: int, end: int) -> None:
        """Mark a heading; ``text`` is its words without markup."""
        start, end = self._trim(start, end)
        path = self._enter(level, _join_lines(text))
        if start < end:
            self._blocks.append(Block("heading", start, end, path, level))

    def mark(self, kind: BlockKind, start: int, end: int, **place: Unpack[BlockPlace]) -> None:
        """Mark a block without the white space around it; empty blocks are dropped."""
        start, end = self._trim(start, end)
        if start < end:
            self._blocks.append(Block(kind, start, end, self._path, **place))

    def mark_table(self, grid: Iterable[GridCell], start: int, end: int) -> None:
        """Mark a table; the cells of ``grid`` have their spans, and are labelled if it has values."""
        start, end = self._trim(start, end)
        if start >= end:
            return
        above = self._find_lines_above(self._text[max(start - _TAIL, 0) : start], start)
        reading = read_grid(grid).name(above)
        spans = {id(cell): (cell.start, cell.end) for row in reading.rows for cell in row}
        header = [self._text[row[0].start : row[-1].end] for row in reading.rows[: reading.header]]
        table = reading.build_table(spans, tuple(header))
        self._blocks.append(Block("table", start, end, self._path, table=table))

    def find_heading(self, level: int) -> str | None:
        """Return the words of the first heading of a level, or None."""
        headings = (block.heading_path[-1] for block in self._blocks if block.level == level)
        return next(headings, None)

    def _trim(self, start: int, end: int) -> tuple[int, int]:
        # A block must not reach back into the previous one.
        start = max(start, self._blocks[-1].end if self._blocks else 0)
        words = self._text[start:end]
        lead = len(words) - len(words.lstrip())
        return start + lead, start + len(words.rstrip())


@dataclass(frozen=True, slots=True)
class DraftBlock:
    """A block before it has offsets. Headings have a ``level``, tables a ``grid``.

    A heading without text ends the sections of its level and below.
    """

    kind: BlockKind
    text: str
    level: int | None = None
    grid: GridReading | None = None


def read_cells(cells: Iterable[GridCell]) -> GridReading:
    """What a grid says whose texts may have characters that are no words."""
    texts = ((cell, clean_text(cell.text)) for cell in cells)
    return read_grid(c if text == c.text else replace(c, text=text) for c, text in texts)


def draft_table(cells: Iterable[GridCell]) -> DraftBlock:
    """A table as a draft block; its text is its rows."""
    grid = read_cells(cells)
    return DraftBlock("table", grid.write()[0], grid=grid)


def clean_text(text: str) -> str:
    """Remove control characters and lone surrogates; turn every line end into a line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return UNPRINTABLE.sub("", text)


def _join_lines(text: str) -> str:
    return " ".join(clean_text(text).split())


def add_blocks(
    builder: DocumentBuilder, blocks: Iterable[DraftBlock], **place: Unpack[BlockPlace]
) -> None:
    """Add draft blocks to a document; successive lines of code become one block."""
    for is_code, run in groupby(blocks, key=lambda block: block.kind == "code"):
        if is_code:
            builder.add("code", "\n".join(block.text for block in run), **place)
            continue
        for block in run:
            if block.level is not None and not block.text:
                builder.close_section(block.level)
            elif block.level is not None:
                builder.add_heading(block.text, block.level, **place)
            elif block.grid is not None:
                builder.add_table(block.grid, **place)
            else:
                builder.add(block.kind, block.text, **place)


def draft_furniture(text: str) -> list[DraftBlock]:
    """The lines of page headers and footers, once each; page numbers alone are dropped."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    kept = dict.fromkeys(
        line for line in lines if not _PAGE_WORDS.issuperset(LETTERS.findall(line.lower()))
    )
    return [DraftBlock("paragraph", line) for line in kept]


def find_clues(
    start: Sequence[DraftBlock],
    properties: Mapping[str, Any],
    printed: str | None = None,
    *,
    running: str = "",
    watermarks: tuple[str, ...] = (),
) -> Clues:
    """What the first blocks, properties, page headers (``running``) and watermarks of a file say of it."""
    heading = next((block.text for block in start if block.level is not None), None)
    return Clues(properties, False, printed, heading, read_front(start), running, watermarks)


def read_front(start: Sequence[DraftBlock]) -> str:
    """The words above the first section, where a document says its revision; code is an example.

    A section such as "Revision history" is about the document too.
    """
    front = start[:FRONT_BLOCKS]
    headings = [n for n, block in enumerate(front) if block.level and block.text]
    first = headings[1:] if headings[:1] == [0] else headings
    end = next((n for n in first if not is_administrative(front[n].text)), len(front))
    # Headings right below the title may be lines of it: "Working draft of 6 April 2022".
    while headings[: end + 1] == list(range(end + 1)):
        end += 1
    # "Version | 1.2" in a table says the same as "Version 1.2".
    words = (block.text for block in front[:end] if block.kind != "code")
    return "\n".join(words).replace(CELL_BREAK, "  ")


def join_marker(marker: str | None, text: str) -> str:
    """Put a list marker or section number in front of a text."""
    return f"{marker} {text.strip()}" if marker else text


def write_cell(blocks: Iterable[DraftBlock]) -> str:
    """Write the content of one cell on one line, with ";" between unpunctuated paragraphs."""
    text = ""
    for block in blocks:
        words = " ".join(_write_inline(block).split())
        if words:
            text += (" " if text[-1:] in _ENDS else "; ") + words if text else words
    return text


def _write_inline(block: DraftBlock) -> str:
    if block.kind != "table":
        return block.text
    rows = block.grid.rows if block.grid else ()
    return f"({'; '.join(', '.join(cell.text for cell in row) for row in rows)})"
