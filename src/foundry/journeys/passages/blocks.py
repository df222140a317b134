"""The blocks of a source: as the reader made them, and what corrections made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foundry.journeys.passages.texts import cut_block, find_words
from foundry.readers.corrections import correct_document
from foundry.readers.text_edits import TextEdits
from foundry.records import Block, Correction, Document, Reading, Source
from foundry.render.source_html import render_source
from foundry.text.table_layout import count_header_rows, find_table_rows
from foundry.text.tables import TextRow
from foundry.workspace import Workspace

_MOST_BLOCKS = 60
"""Blocks that are shown together. A guess."""
_MOST_CHARS = 20_000
"""Characters of blocks that are shown together: some eight pages."""


@dataclass(frozen=True, slots=True)
class NumberedBlock:
    """A block as it was read, with its number from 1 and its text.

    ``lines`` are the rows of a table, whose offsets are those of the source; the first
    ``header_rows`` name its columns, None for other blocks.
    """

    number: int
    block: Block
    text: str
    header_rows: int | None = None
    lines: tuple[TextRow, ...] = ()

    @property
    def rows(self) -> list[list[str]]:
        """The words of a table's cells, row by row."""
        first = self.block.start
        return [[self.text[a - first : b - first] for a, b in row.cells] for row in self.lines]


def list_blocks(
    workspace: Workspace, source: Source, page: int | None = None, words: str | None = None
) -> list[NumberedBlock]:
    """The blocks of a source as they were read, those of a page or with some words."""
    return [
        one
        for one in number_blocks(get_reading(workspace, source))
        if page in {None, one.block.page} and (not words or find_words(one.text, words, limit=1))
    ]


def number_blocks(reading: Reading) -> Iterator[NumberedBlock]:
    """Yield the blocks of a reading with their numbers."""
    return (_number(reading, number) for number in range(1, len(reading.blocks) + 1))


def _number(reading: Reading, number: int) -> NumberedBlock:
    block = reading.blocks[number - 1]
    text = reading.text[block.start : block.end]
    if block.kind != "table":
        return NumberedBlock(number, block, text)
    rows = tuple(find_table_rows(reading.text, block))
    return NumberedBlock(number, block, text, count_header_rows(block), rows)


def get_reading(workspace: Workspace, source: Source) -> Reading:
    """What the reader made of a source; without corrections the source itself."""
    store = workspace.store
    reading = store.find_reading(source.id)
    if reading is not None:
        return reading
    blocks = tuple(store.source_blocks(source.id))
    return Reading(source.title, store.source_text(source.id), blocks)


def build_document(source: Source, reading: Reading) -> Document:
    """The document that a reader made of a source."""
    return Document(
        reading.text,
        reading.blocks,
        source.type,
        reading.title,
        pages=source.pages,
        revision=source.revision,
        revision_date=source.revision_date,
        facts=source.facts,
        names=source.names,
        warnings=source.warnings,
    )


@dataclass(frozen=True, slots=True)
class ReadBlock:
    """A block as it was read, and as it is now.

    ``parts`` are what it became in the ``text`` of the source, from ``start`` to ``end``.
    """

    read: NumberedBlock
    parts: tuple[Block, ...]
    text: str
    start: int
    end: int
    kind: str

    @property
    def words(self) -> str:
        """Its text as it is now."""
        return self.text[self.start : self.end]

    @property
    def corrections(self) -> list[str]:
        """The ids of the corrections that are applied to it."""
        return list(dict.fromkeys(part.id for block in self.parts for part in block.corrections))

    def count_pieces(self) -> int:
        """How many pieces it is shown in: one, or more if it is long."""
        return len(self._cut())

    def find_piece(self, offset: int) -> int:
        """The piece at an offset of the text, or the nearest."""
        return max(0, sum(piece.start <= offset for piece in self._cut()) - 1)

    def render(self, piece: int = 0) -> str:
        """A piece of it as the HTML of ``render_source``."""
        blocks = self._cut()[piece : piece + 1]
        return render_source(self.text, blocks, self.kind, page=self.read.block.page)

    def _cut(self) -> list[Block]:
        return [piece for part in self.parts for piece in cut_block(self.text, part)]


@dataclass(frozen=True, slots=True)
class SourceBlocks:
    """All blocks of a source; ``parts`` has what each block of the ``reading`` became in ``text``."""

    kind: str
    reading: Reading
    text: str
    parts: Sequence[Sequence[Block]]
    edits: TextEdits

    def get(self, number: int) -> ReadBlock:
        """The block with this number, from 1."""
        block = self.reading.blocks[number - 1]
        start, end = self.edits.move(block.start), self.edits.move(block.end, end=True)
        read, parts = _number(self.reading, number), tuple(self.parts[number - 1])
        return ReadBlock(read, parts, self.text, start, end, self.kind)

    def find(self, offset: int) -> int:
        """The number of the block at an offset of the text, or of the last one before it."""
        starts = (parts[0].start if parts else 0 for parts in self.parts)
        return max(1, sum(start <= offset for start in starts))

    def split(self) -> list[range]:
        """The numbers of the blocks that are shown together: those of a page, or fewer."""
        made: list[range] = []
        page, first, size = None, 1, 0
        for number, block in enumerate(self.reading.blocks, 1):
            length = min(block.end - block.start, _MOST_CHARS)
            other = block.page not in {None, page} and number > 1
            full = number - first >= _MOST_BLOCKS or size + length > _MOST_CHARS
            if number > first and (other or full):
                made.append(range(first, number))
                first, size = number, 0
            page = block.page or page
            size += length
        return [*made, range(first, len(self.reading.blocks) + 1)]


def read_blocks(workspace: Workspace, source: Source) -> SourceBlocks:
    """The blocks of a source with the corrections that are applied to it."""
    reading = get_reading(workspace, source)
    applied: list[Correction] = []
    if workspace.store.find_reading(source.id) is not None:
        now = workspace.store.source_blocks(source.id)
        ids = {part.id for block in now for part in block.corrections}
        known = workspace.store.list_corrections(source.content_hash)
        applied = [one for one in known if one.id in ids]
    if not applied:
        parts = [(block,) for block in reading.blocks]
        return SourceBlocks(source.type, reading, reading.text, parts, TextEdits(()))
    overlay = correct_document(build_document(source, reading), applied)
    return SourceBlocks(source.type, reading, overlay.document.text, overlay.parts, overlay.edits)
