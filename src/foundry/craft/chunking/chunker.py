"""Blocks → chunks: pieces of one group are packed into spans by size, rank and hash."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, takewhile

from foundry.analysis.lexer import TAG
from foundry.craft.chunking.pieces import (
    AFTER_HEADING,
    INSIDE,
    ChunkPiece,
    cut_pieces,
    split_groups,
)
from foundry.ids import make_chunk_id
from foundry.ports import CountTokens
from foundry.records import Block, Chunk, Document
from foundry.text.headings import is_contents_line
from foundry.text.tables import list_missing_lines

CHUNKER_VERSION = 3
"""Raised when the same document gives other chunks; sources are then indexed again."""


def chunk_document(
    document: Document,
    *,
    source_id: str,
    language: str,
    title: str,
    count: CountTokens,
    bounds: tuple[int, int],
    overlap: tuple[int, int],
) -> list[Chunk]:
    """Cut a document into chunks in reading order; the same input gives the same chunks.

    ``bounds`` and ``overlap`` are in tokens of ``count``. A chunk's ``headings`` omit ``title``,
    which is indexed on its own. A document with text but no blocks counts as one paragraph; one
    without text has no chunks; tables of contents are in none. Takes time linear in the length.
    """
    blocks = document.blocks or (Block("paragraph", 0, len(document.text)),)
    limits = ChunkLimits(*bounds, *overlap)
    content = Content(document.text, blocks)
    spans = []
    # What is on both sides of a table of contents is in separate chunks.
    for is_evidence, run in groupby(
        blocks, key=lambda block: not _is_contents(block, document.text)
    ):
        if is_evidence:
            pieces = cut_pieces(document.text, list(run), language, count, limits.most)
            groups = split_groups(pieces, limits.least, limits.most)
            spans += Packer(pieces, content, count, limits).pack(groups)
    occurrences: dict[str, int] = {}
    chunks: list[Chunk] = []
    for position, span in enumerate(spans):
        text = document.text[span.start : span.end]
        occurrences[text] = occurrences.get(text, -1) + 1
        inside = content.blocks(span.start, span.end)
        chunks.append(
            Chunk(
                id=make_chunk_id(source_id, text, occurrences[text]),
                source_id=source_id,
                position=position,
                start=span.start,
                end=span.end,
                text=text,
                # One copy of the words: of a large file it is a tenth of the memory.
                content=text if span.content == text else span.content,
                tokens=span.tokens,
                language=language,
                heading_path=_find_shared_path(inside),
                headings=_collect_headings(inside, title),
                blocks=inside,
            )
        )
    return chunks


_MIN_ENTRIES = 3
"""Lines that lead to a page, from which a block may be a table of contents. A guess."""


def _is_contents(block: Block, text: str) -> bool:
    """Whether a block is a table of contents: at least half of its lines lead to a page."""
    if block.kind in {"contents", "code"}:
        return block.kind == "contents"
    lines = text[block.start : block.end].splitlines()
    entries = sum(map(is_contents_line, lines))
    return entries >= _MIN_ENTRIES and 2 * entries >= len(lines)


def _find_shared_path(blocks: Sequence[Block]) -> tuple[str, ...]:
    levels = zip(*(block.heading_path for block in blocks), strict=False)
    return tuple(names[0] for names in takewhile(lambda names: len(set(names)) == 1, levels))


def _collect_headings(blocks: Sequence[Block], title: str) -> tuple[str, ...]:
    names = dict.fromkeys(name for block in blocks for name in block.heading_path)
    return tuple(name for name in names if name != title)


class Content:
    """The words and the blocks of any span of one source."""

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self._text = text
        self._blocks = blocks
        self._starts = [block.start for block in blocks]
        self._ends = [block.end for block in blocks]

    def blocks(self, start: int, end: int) -> tuple[Block, ...]:
        """The blocks within a span, clipped to it."""
        inside = self._blocks[bisect_right(self._ends, start) : bisect_left(self._starts, end)]
        return tuple(
            block
            if start <= block.start and block.end <= end
            else replace(block, start=max(start, block.start), end=min(end, block.end))
            for block in inside
        )

    def text(self, start: int, end: int) -> str:
        """The source text of a span."""
        return self._text[start:end]

    def words(self, start: int, end: int) -> str:
        """The text of a span; of cues their words, with "Name: " at each speaker's turn.

        A table that begins above the span gets what it says there: title, unit, header.
        """
        blocks = self.blocks(start, end)
        if all(block.kind != "cue" for block in blocks):
            return self._introduce_table(start, end, blocks)
        lines: list[str] = []
        turn: tuple[str | None] | None = None
        for block in blocks:
            words = self._text[block.start : block.end].strip()
            if block.kind == "cue":
                words = " ".join(TAG.sub("", words).split())
            if block.kind != "cue":
                turn = None
                lines.append(words)
            elif turn == (block.speaker,):
                lines[-1] = f"{lines[-1]} {words}"
            else:
                turn = (block.speaker,)
                lines.append(_label_speaker(words, block.speaker))
        return "\n".join(lines)

    def _introduce_table(self, start: int, end: int, blocks: Sequence[Block]) -> str:
        """The text of a span, its first table with the title, unit and header that it lacks."""
        block = next((block for block in blocks if block.table is not None), None)
        if block is None or block.table is None:
            return self._text[start:end]
        before, after = self._text[start : block.start], self._text[block.start : end]
        lines = list_missing_lines(block.table, before, after, block.start)
        return before + "".join(f"{line}\n" for line in lines) + after


def _label_speaker(words: str, speaker: str | None) -> str:
    if not speaker or words.startswith(f"{speaker}:"):
        return words
    return f"{speaker}: {words}"


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """The bounds of a chunk and of an overlap, in tokens."""

    least: int
    most: int
    least_overlap: int
    most_overlap: int


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A future chunk: a slice of the text, with the words to index and their tokens."""

    start: int
    end: int
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Draft:
    """Pieces from ``repeated`` to ``end``; those before ``start`` are overlap."""

    repeated: int
    start: int
    end: int
    span: ChunkSpan


class Packer:
    """Packs groups of pieces. Sizes are sums over pieces, checked by one exact count per chunk."""

    def __init__(
        self,
        pieces: Sequence[ChunkPiece],
        content: Content,
        count: CountTokens,
        limits: ChunkLimits,
    ) -> None:
        self._pieces = pieces
        self._content = content
        self._count = count
        self._limits = limits
        # Sums overstate a little, as blank lines merge with the text before them: by up to 1/40 for
        # chunks and 1/25 for overlaps, by eye.
        self._enough = limits.least + limits.least // 40
        self._enough_overlap = limits.least_overlap + limits.least_overlap // 25
        self._sums = [0, *accumulate(piece.gap + piece.tokens for piece in pieces)]
        self._last = len(pieces)

    def pack(self, groups: Sequence[tuple[int, int]]) -> list[ChunkSpan]:
        """The spans in order; every piece is in one, and overlaps in two."""
        spans: list[ChunkSpan] = []
        before = 0
        for first, last in groups:
            self._last = last
            drafts = self._pack_group(first, self._overlap(before, first))
            spans.extend(draft.span for draft in drafts)
            before = drafts[-1].start
        return spans

    def _pack_group(self, start: int, repeated: int) -> list[_Draft]:
        drafts: list[_Draft] = []
        while start < self._last:
            draft = self._close(repeated, start)
            if drafts and (merged := self._merge(drafts[-1], draft)):
                drafts[-1] = draft = merged
            else:
                drafts.append(draft)
            start = draft.end
            if start < self._last:
                repeated = self._overlap(draft.start, start)
        return drafts

    def _close(self, repeated: int, start: int) -> _Draft:
        """The next chunk, closed at the best place that its exact size allows.

        The limit falls until one piece is left; where that does not fit beside the overlap, as what a
        table says above it takes the room, the overlap goes.
        """
        limit = self._limits.most
        while True:
            begin, end = self._choose(repeated, start, limit)
            span = self._span(begin, end)
            if span.tokens <= self._limits.most or end - begin == 1:
                return _Draft(begin, start, end, span)
            if end - start == 1:
                repeated = start
            limit = min(limit - 1, limit * self._limits.most // span.tokens)

    def _choose(self, repeated: int, start: int, limit: int) -> tuple[int, int]:
        grade, end = self._best_end(repeated, start, limit)
        if grade == 0 or repeated == start:
            return repeated, end
        # The overlap prevents something from staying whole, so leave it out.
        bare_grade, bare_end = self._best_end(start, start, limit)
        return (start, bare_end) if bare_grade < grade else (repeated, end)

    def _best_end(self, repeated: int, start: int, limit: int) -> tuple[int, int]:
        """The grade of the closing place (0 is best) and the piece it comes before."""
        if self._size(repeated, self._last) <= limit:
            return 0, self._last
        over = start + 1
        while self._size(repeated, over) <= limit:
            over += 1
        # Pieces start … over - 2 fit; a chunk takes at least one piece.
        best = min(
            (self._grade(repeated, index, over - 1) for index in range(start + 1, over)),
            default=(9, 0, 0, 0, start + 1),
        )
        return best[0], best[-1]

    def _grade(self, repeated: int, index: int, last: int) -> tuple[int, int, int, int, int]:
        """How well the chunk closes before piece ``index``, lower is better; ``last`` overflows.

        By grade: 0 within bounds; 1 early, to keep a table or listing whole; 2 within bounds but
        inside one; 3 early because of a long sentence; 4 early and inside; 5 after a heading. Then
        by what would be left over, by rank, and by hash.
        """
        piece = self._pieces[index]
        size = self._size(repeated, index)
        if piece.rank == AFTER_HEADING:
            return 5, 0, 0, -size, index
        inside = piece.rank >= INSIDE
        if size < self._enough:
            whole = self._stays_whole(self._pieces[last], size)
            return (4 if inside else 1 if whole else 3), 0, 0, -size, index
        if inside:
            return 2, 0, 0, piece.key, index
        return 0, self._waste(index), piece.rank, piece.key, index

    def _stays_whole(self, over: ChunkPiece, size: int) -> bool:
        """Whether a chunk of this size may close early to keep the overflowing block whole.

        A listing is always worth it; a table is not if the chunk would be less than half full.
        """
        if over.rank != INSIDE:
            return False
        return over.block.kind == "code" or 2 * size >= self._limits.least

    def _waste(self, index: int) -> int:
        """0 if the rest of the group from piece ``index`` can fill chunks, 1 if not, 2 if it is tiny."""
        shared = self._limits.most_overlap
        repeats = self._pieces[index].block.kind != "heading"
        rest = self._size(index, self._last) + (self._limits.least_overlap if repeats else 0)
        chunks = max(1, -(-(rest - shared) // max(1, self._limits.most - shared)))
        if rest >= chunks * (self._enough - shared) + shared:
            return 0
        return 2 if 4 * rest < self._limits.least else 1

    def _overlap(self, first: int, end: int) -> int:
        """The piece from which the next chunk repeats what precedes piece ``end``."""
        if self._pieces[end].block.kind == "heading":
            return end
        repeated = end
        # A chunk is never repeated as a whole, so its first piece is left out.
        for index in range(end - 1, first, -1):
            size = self._size(index, end) + self._pieces[end].gap
            if size > self._limits.most_overlap or self._pieces[index].block.kind == "heading":
                break
            repeated = index
            if size >= self._enough_overlap:
                break
        return repeated

    def _merge(self, before: _Draft, draft: _Draft) -> _Draft | None:
        """Both as one chunk if the second is too small and the bounds allow it, else None."""
        if draft.span.tokens >= self._limits.least:
            return None
        if self._size(before.repeated, draft.end) > self._limits.most:
            return None
        span = self._span(before.repeated, draft.end)
        if span.tokens > self._limits.most:
            return None
        return _Draft(before.repeated, before.start, draft.end, span)

    def _size(self, first: int, end: int) -> int:
        return self._sums[end] - self._sums[first] - self._pieces[first].gap

    def _span(self, first: int, end: int) -> ChunkSpan:
        start, stop = self._pieces[first].start, self._pieces[end - 1].end
        content = self._content.words(start, stop)
        tokens = self._count(content)
        if tokens > self._limits.most and end - first == 1:
            # A long row leaves no room for what the table says above it.
            content = self._content.text(start, stop)
            tokens = self._count(content)
        return ChunkSpan(start, stop, content, tokens)
