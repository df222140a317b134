"""Blocks → pieces, the smallest parts of a chunk, and pieces → groups that are chunked independently.

A piece is a short block, or a sentence, row or line of a longer one. Its ``rank`` says how well a
chunk may begin at it. An edit changes the group it falls in, at most its neighbours, and no others.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from foundry.analysis import find_sentences
from foundry.analysis.lexer import trim_span
from foundry.ports import CountTokens
from foundry.records import Block

# How well a chunk may begin at a piece: lower is better. Headings have their level, 1–6.
BLOCK, ITEM, FOLLOWS, SENTENCE, CLAUSE = 8, 10, 11, 12, 13
INSIDE = 15
"""A row or line of a table or listing that fits into a chunk as a whole."""
AFTER_HEADING = 30
"""The piece belongs to the heading before it, or is a bare heading that ends the source."""

_MAX_SHORT_CHARS = 240
_KEY_CHARS = 200
_SMALL_GAP = 3
# Longer runs are cut before counting: tokenizers are slow on text without spaces.
_CHARS_PER_TOKEN = 12
# A sentence longer than a quarter of a chunk is split.
_PARTS = 4
_BREAK = re.compile(r"\s+(?=\S)|(?<=[、，。；：！？])")
_WORD_EDGE = re.compile(r"\b")
_CLAUSE_ENDS = tuple(",;:.)–、，；")


@dataclass(frozen=True, slots=True)
class ChunkPiece:
    """A stretch of one block.

    ``gap`` counts the tokens between it and the piece before; ``key`` is a hash of its first words.
    """

    start: int
    end: int
    tokens: int
    gap: int
    rank: int
    key: int
    block: Block


def cut_pieces(
    text: str, blocks: Sequence[Block], language: str, count: CountTokens, most: int
) -> list[ChunkPiece]:
    """The pieces of all blocks in order, where possible none of more than ``most`` tokens."""
    pieces: list[ChunkPiece] = []
    last, speaker = 0, None
    for block, rank in zip(blocks, _rank_blocks(text, blocks), strict=True):
        label = f"{block.speaker}: " if block.speaker and block.speaker != speaker else ""
        made = list(_Cutter(text, language, count, most, block).cut(last, label))
        if made:
            whole = (
                made[0].block.kind in ("table", "code")
                and sum(piece.tokens for piece in made) <= most
            )
            pieces.append(replace(made[0], rank=rank))
            pieces.extend(replace(p, rank=INSIDE) if whole else p for p in made[1:])
            last, speaker = made[-1].end, block.speaker
    return pieces


def _rank_blocks(text: str, blocks: Sequence[Block]) -> list[int]:
    """The rank of each block's first piece."""
    bare = len(blocks)
    while bare and blocks[bare - 1].kind == "heading":
        bare -= 1
    # Headings at the end of a source introduce nothing, so they stay with what precedes.
    ranks = [AFTER_HEADING] * len(blocks)
    for index in range(bare):
        ranks[index] = _rank_block(text, blocks[index - 1] if index else None, blocks[index])
    return ranks


def _rank_block(text: str, before: Block | None, block: Block) -> int:
    if before is not None and before.kind == "heading":
        return AFTER_HEADING
    if block.kind == "heading":
        return block.level or 6
    if before is None:
        return BLOCK
    kinds = (before.kind, block.kind)
    if kinds == ("cue", "cue"):
        return BLOCK if before.speaker != block.speaker else ITEM
    if kinds == ("list_item", "list_item"):
        return ITEM
    introduced = text[before.start : before.end].rstrip().endswith(":")
    return FOLLOWS if introduced or set(kinds) == {"caption", "table"} else BLOCK


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Cuts one block. ``last`` is the end of the previous piece, ``label`` a new speaker's name."""

    text: str
    language: str
    count: CountTokens
    most: int
    block: Block

    def cut(self, last: int, label: str) -> Iterator[ChunkPiece]:
        for start, end in self._spans():
            piece = None
            if end - start <= self.most * _CHARS_PER_TOKEN:
                piece = self._piece(last, start, end, label)
            if piece and piece.tokens <= max(1, self.most // _PARTS):
                yield piece
            else:
                yield from self._parts(last, start, end, label)
            last, label = end, ""

    def _spans(self) -> list[tuple[int, int]]:
        """Spans of sentences, rows or lines, trimmed; a short block is one span."""
        block = self.block
        start, end = trim_span(self.text, block.start, block.end)
        if block.kind == "code":
            # The first line keeps its indentation like the others.
            start = max(block.start, self.text.rfind("\n", block.start, start) + 1)
        if end - start <= _MAX_SHORT_CHARS or block.kind == "heading":
            return [(start, end)] if start < end else []
        words = self.text[start:end]
        if block.kind in ("table", "code"):
            return _split_lines(words, start, keep_indent=block.kind == "code")
        return [(start + a, start + b) for a, b in find_sentences(words, self.language)]

    def _parts(self, last: int, start: int, end: int, label: str) -> Iterator[ChunkPiece]:
        """A long sentence in parts whose cuts depend on its own words only."""
        rank = SENTENCE
        for left, right in self._stretches(start, end):
            piece = replace(self._piece(last, left, right, label), rank=rank)
            if piece.tokens <= self.most:
                yield piece
            else:
                yield from self._split(piece)
            rank, last, label = CLAUSE, right, ""

    def _split(self, piece: ChunkPiece) -> Iterator[ChunkPiece]:
        """The last resort, for runs without spaces that make too many tokens."""
        gap, rank = piece.gap, piece.rank
        for start, end in self._halve(piece.start, piece.end):
            yield replace(self._piece(start, start, end, ""), gap=gap, rank=rank)
            gap, rank = 0, CLAUSE

    def _halve(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Parts of at most ``most`` tokens, cut in the middle or between words soon after it."""
        start, end = trim_span(self.text, start, end)
        if end - start < 2 or self.count(self.text[start:end]) <= self.most:
            yield from [(start, end)] if start < end else []
            return
        middle = (start + end) // 2
        found = _WORD_EDGE.search(self.text, middle, (middle + end) // 2)
        cut = found.start() if found else middle
        yield from self._halve(start, cut)
        yield from self._halve(cut, end)

    def _stretches(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Parts of about a tenth of a chunk, cut where the hash of the next words is lowest."""
        longest = max(8, self.most * 4 // 10)
        while start < end:
            cut = end
            if end - start > longest:
                window = self.text[start : start + longest]
                ends = (match.end() for match in _BREAK.finditer(window, longest // 3))
                places = ((self._break_rank(start + index), start + index) for index in ends)
                cut = min(places, default=((0, 0), start + longest))[1]
            left, right = trim_span(self.text, start, cut)
            if left < right:
                yield left, right
            start = cut

    def _break_rank(self, index: int) -> tuple[int, int]:
        before = self.text[max(0, index - 2) : index]
        stop = 0 if "\n" in before else 1 if before[:1] in _CLAUSE_ENDS else 2
        return stop, _hash_words(self.text, index, index + 24)

    def _piece(self, last: int, start: int, end: int, label: str) -> ChunkPiece:
        words = self.text[start:end]
        gap = 0
        if self.block.kind == "cue":
            lead = f" {label}"
        elif start - last <= _SMALL_GAP:
            # Tokenizers join spaces with the following word, so they are counted with it.
            lead = self.text[last:start]
        else:
            lead = ""
            near = start - last <= self.most * _CHARS_PER_TOKEN
            gap = self.count(self.text[last:start]) if near else self.most + 1
        tokens = self.count(lead + words)
        return ChunkPiece(
            start, end, tokens, gap, SENTENCE, _hash_words(self.text, start, end), self.block
        )


def _split_lines(words: str, start: int, *, keep_indent: bool) -> list[tuple[int, int]]:
    spans = []
    for line in words.splitlines(keepends=True):
        if not line.isspace():
            left = start if keep_indent else start + len(line) - len(line.lstrip())
            spans.append((left, start + len(line.rstrip())))
        start += len(line)
    return spans


def _hash_words(text: str, start: int, end: int) -> int:
    words = text[start : min(end, start + _KEY_CHARS)]
    return zlib.crc32(words.encode("utf-8", "surrogatepass"))


_MIN_PART_CHUNKS = 3
"""Least length of a part of a long group, in full chunks; shorter parts would leave small chunks."""


def split_groups(pieces: Sequence[ChunkPiece], least: int, most: int) -> list[tuple[int, int]]:
    """Index ranges of groups, in order, covering all pieces.

    A top section of at least ``least`` tokens is a group; smaller neighbours share one. A group
    below ``least`` absorbs what follows; the last one joins the group before. Long groups are split
    at anchors.
    """
    groups: list[tuple[int, int]] = []
    sizes: list[int] = []
    open_run = False
    for first, last in _split_sections(pieces):
        size = sum(piece.tokens for piece in pieces[first:last])
        large = size >= least
        if groups and (sizes[-1] < least or (open_run and not large)):
            groups[-1] = (groups[-1][0], last)
            sizes[-1] += size
        else:
            groups.append((first, last))
            sizes.append(size)
        open_run = not large
    if len(groups) > 1 and sizes[-1] < least:
        (first, _), (_, last) = groups[-2:]
        groups[-2:] = [(first, last)]
    return [
        part
        for group in groups
        for part in _split_at_anchors(pieces, *group, _MIN_PART_CHUNKS * most)
    ]


def _split_sections(pieces: Sequence[ChunkPiece]) -> list[tuple[int, int]]:
    """Index ranges of top sections; one without a body belongs to the next.

    Top sections are those of the shallowest heading level that occurs twice.
    """
    top = _find_top_level(pieces)
    starts = [0] if pieces else []
    bodied = False
    for index, piece in enumerate(pieces):
        heading = piece.block.kind == "heading"
        if heading and bodied and (piece.block.level or 6) <= top:
            starts.append(index)
            bodied = False
        bodied = bodied or not heading
    if len(starts) > 1 and not bodied:
        starts.pop()
    return list(pairwise([*starts, len(pieces)]))


def _find_top_level(pieces: Sequence[ChunkPiece]) -> int:
    blocks = {piece.block.start: piece.block for piece in pieces}
    levels = Counter(block.level or 6 for block in blocks.values() if block.kind == "heading")
    repeated = [level for level, times in levels.items() if times > 1]
    return min(repeated or levels, default=0)


def _split_at_anchors(
    pieces: Sequence[ChunkPiece], first: int, last: int, radius: int
) -> list[tuple[int, int]]:
    """The group split at its anchors.

    An anchor is the best place (by rank, then hash) within ``radius`` tokens on either side. It
    depends on those words alone, so it survives edits elsewhere.
    """
    ahead = _measure_reach(pieces, range(first, last))
    behind = _measure_reach(pieces, range(last - 1, first - 1, -1))
    anchors = [
        index
        for index in range(first + 1, last)
        if pieces[index].rank < INSIDE
        and ahead[index - first] >= radius
        and behind[last - 1 - index] >= radius
    ]
    return list(pairwise([first, *anchors, last]))


def _measure_reach(pieces: Sequence[ChunkPiece], order: range) -> list[int]:
    """Tokens from each piece, in ``order``, to the next better place or to the end."""
    sums = [0, *accumulate(pieces[index].tokens for index in order)]
    reach = [0] * len(order)
    waiting: list[int] = []
    for nth, index in enumerate(order):
        while waiting and _get_order_key(pieces[index]) < _get_order_key(
            pieces[order[waiting[-1]]]
        ):
            held = waiting.pop()
            reach[held] = sums[nth] - sums[held]
        waiting.append(nth)
    for held in waiting:
        reach[held] = sums[-1] - sums[held]
    return reach


def _get_order_key(piece: ChunkPiece) -> tuple[int, int, int]:
    return piece.rank, piece.key, piece.start
