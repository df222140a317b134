"""Pieces of one group → the spans of chunks, by size, rank and hash, with the words to index."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from foundry.craft.chunking.pieces import AFTER_HEADING, INSIDE, ChunkPiece
from foundry.ports import CountTokens
from foundry.records import Block

# Voice, style and timing marks within the words of a subtitle.
_CUE_TAG = re.compile(r"</?(?:[bciuv]|lang|ruby|rt|font)(?:[ .][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}")


class Content:
    """The words and the blocks of any span of one source."""

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self._text = text
        self._blocks = blocks
        self._starts = [block.start for block in blocks]
        self._ends = [block.end for block in blocks]

    def blocks(self, start: int, end: int) -> tuple[Block, ...]:
        """The blocks within a span; those that reach over its ends are clipped to it."""
        inside = self._blocks[bisect_right(self._ends, start) : bisect_left(self._starts, end)]
        return tuple(
            block
            if start <= block.start and block.end <= end
            else replace(block, start=max(start, block.start), end=min(end, block.end))
            for block in inside
        )

    def words(self, start: int, end: int) -> str:
        """The span itself; where it has cues, their words with "Name: " at each speaker's turn."""
        blocks = self.blocks(start, end)
        if all(block.kind != "cue" for block in blocks):
            return self._text[start:end]
        lines: list[str] = []
        turn: tuple[str | None] | None = None
        for block in blocks:
            words = self._text[block.start : block.end].strip()
            if block.kind == "cue":
                words = " ".join(_CUE_TAG.sub("", words).split())
            if block.kind != "cue":
                turn = None
                lines.append(words)
            elif turn == (block.speaker,):
                lines[-1] = f"{lines[-1]} {words}"
            else:
                turn = (block.speaker,)
                lines.append(_label_speaker(words, block.speaker))
        return "\n".join(lines)


def _label_speaker(words: str, speaker: str | None) -> str:
    if not speaker or words.startswith(f"{speaker}:"):
        return words
    return f"{speaker}: {words}"


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """Tokens: the bounds of a chunk, then those of an overlap."""

    least: int
    most: int
    least_overlap: int
    most_overlap: int


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A chunk to be: a slice of the text, with what is indexed of it."""

    start: int
    end: int
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Draft:
    """Pieces ``repeated`` to ``end``, of which those before ``start`` are overlap."""

    repeated: int
    start: int
    end: int
    span: ChunkSpan


class Packer:
    """Packs groups of pieces. Sizes are sums over pieces, checked by one exact count a chunk."""

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
        # The sums overstate a little (blank lines merge with what precedes them).
        self._enough = limits.least + limits.least // 40
        self._enough_overlap = limits.least_overlap + limits.least_overlap // 25
        self._sums = [0, *accumulate(piece.gap + piece.tokens for piece in pieces)]
        self._last = len(pieces)

    def pack(self, groups: Sequence[tuple[int, int]]) -> list[ChunkSpan]:
        """The spans in order; every piece is in one, overlaps in two."""
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
        """The next chunk: closed at the best place that its exact size allows."""
        limit = self._limits.most
        while True:
            begin, end = self._choose(repeated, start, limit)
            span = self._span(begin, end)
            if span.tokens <= self._limits.most or end - begin == 1:
                return _Draft(begin, start, end, span)
            limit = min(limit - 1, limit * self._limits.most // span.tokens)

    def _choose(self, repeated: int, start: int, limit: int) -> tuple[int, int]:
        grade, end = self._best_end(repeated, start, limit)
        if grade == 0 or repeated == start:
            return repeated, end
        # The overlap stands in the way of something that must stay whole: leave it out.
        bare_grade, bare_end = self._best_end(start, start, limit)
        return (start, bare_end) if bare_grade < grade else (repeated, end)

    def _best_end(self, repeated: int, start: int, limit: int) -> tuple[int, int]:
        """The grade of the closing place (0 is best) and the piece before which it is."""
        if self._size(repeated, self._last) <= limit:
            return 0, self._last
        over = start + 1
        while self._size(repeated, over) <= limit:
            over += 1
        # Pieces start … over - 2 fit; a chunk takes one piece at least.
        best = min(
            (self._grade(repeated, at, over - 1) for at in range(start + 1, over)),
            default=(9, 0, 0, 0, start + 1),
        )
        return best[0], best[-1]

    def _grade(self, repeated: int, at: int, last: int) -> tuple[int, int, int, int, int]:
        """How well the chunk closes before piece ``at``, lower is better; ``last`` overflows.

        By grade: 0 within bounds; 1 early, to keep a table or listing whole; 2 within
        bounds but inside of one; 3 early for a long sentence; 4 early and inside; 5 after
        a heading. Then by what would be left over, by rank, and by hash.
        """
        piece = self._pieces[at]
        size = self._size(repeated, at)
        if piece.rank == AFTER_HEADING:
            return 5, 0, 0, -size, at
        inside = piece.rank >= INSIDE
        if size < self._enough:
            whole = self._stays_whole(self._pieces[last], size)
            return (4 if inside else 1 if whole else 3), 0, 0, -size, at
        if inside:
            return 2, 0, 0, piece.key, at
        return 0, self._waste(at), piece.rank, piece.key, at

    def _stays_whole(self, over: ChunkPiece, size: int) -> bool:
        """True if a chunk of this size may close early, to keep the overflowing block whole.

        A listing is always worth it; a table not if less than half a chunk would remain.
        """
        if over.rank != INSIDE:
            return False
        return over.block.kind == "code" or 2 * size >= self._limits.least

    def _waste(self, at: int) -> int:
        """0 if what is left of the group from piece ``at`` can fill chunks, 2 if it is tiny."""
        shared = self._limits.most_overlap
        repeats = self._pieces[at].block.kind != "heading"
        rest = self._size(at, self._last) + (self._limits.least_overlap if repeats else 0)
        chunks = max(1, -(-(rest - shared) // max(1, self._limits.most - shared)))
        if rest >= chunks * (self._enough - shared) + shared:
            return 0
        return 2 if 4 * rest < self._limits.least else 1

    def _overlap(self, first: int, end: int) -> int:
        """Where the next chunk begins to repeat what precedes piece ``end``."""
        if self._pieces[end].block.kind == "heading":
            return end
        repeated = end
        # A chunk is never repeated as a whole, so its first piece stays out.
        for at in range(end - 1, first, -1):
            size = self._size(at, end) + self._pieces[end].gap
            if size > self._limits.most_overlap or self._pieces[at].block.kind == "heading":
                break
            repeated = at
            if size >= self._enough_overlap:
                break
        return repeated

    def _merge(self, before: _Draft, draft: _Draft) -> _Draft | None:
        """Both as one chunk, where the second is too small and the bounds allow it."""
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
        return ChunkSpan(start, stop, content, self._count(content))
