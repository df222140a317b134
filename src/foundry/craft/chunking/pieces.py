"""Blocks → pieces: the smallest parts that a chunk is made of, each counted once.

A piece is a short block, or a sentence, row or line of a longer one. Its ``rank`` says
how well a chunk may begin at it; packing chooses among ranks and knows nothing of text.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from semantic_text_splitter import TextSplitter

from foundry.analysis import sentence_spans
from foundry.ports import CountTokens
from foundry.records import Block

# How well a chunk may begin at a piece: lower is better. Headings have their level, 1–6.
BLOCK, ITEM, FOLLOWS, SENTENCE, CLAUSE = 8, 10, 11, 12, 13
INSIDE = 15
"""A row of a table, or a line of a listing, that fits a chunk as a whole."""
AFTER_HEADING = 30
"""The piece belongs to the heading before it, or is a bare heading that ends the source."""

_SHORT = 240
_KEY_CHARS = 200
_SMALL_GAP = 3
# Longer runs are cut before they are counted: tokenizers are slow on text without spaces.
_CHARS_PER_TOKEN = 12
# A sentence of more than a quarter of a chunk is handled in parts.
_PARTS = 4
_BREAK = re.compile(r"\s+(?=\S)|(?<=[、，。；：！？])")
_CLAUSE_ENDS = tuple(",;:.)–、，；")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one block.

    ``tokens`` are its own, ``gap`` those of the text between it and the piece before;
    ``key`` is a hash of its first words.
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
) -> list[Piece]:
    """The pieces of all blocks in order, none of more than ``most`` tokens where that can be."""
    pieces: list[Piece] = []
    last, speaker = 0, None
    for block, rank in zip(blocks, _ranks(text, blocks), strict=True):
        label = f"{block.speaker}: " if block.speaker and block.speaker != speaker else ""
        made = list(_Cutter(text, language, count, most, block).cut(last, label))
        if made:
            whole = _stays_whole(made, most)
            pieces.append(replace(made[0], rank=rank))
            pieces.extend(replace(p, rank=INSIDE) if whole else p for p in made[1:])
            last, speaker = made[-1].end, block.speaker
    return pieces


def _ranks(text: str, blocks: Sequence[Block]) -> list[int]:
    """The rank of each block's first piece."""
    bare = len(blocks)
    while bare and blocks[bare - 1].kind == "heading":
        bare -= 1
    # Headings that end the source have nothing to lead to: they stay with what precedes.
    ranks = [AFTER_HEADING] * len(blocks)
    for at in range(bare):
        ranks[at] = _rank(text, blocks[at - 1] if at else None, blocks[at])
    return ranks


def _rank(text: str, before: Block | None, block: Block) -> int:
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
    """Cuts one block. ``last`` is the end of the piece before, ``label`` a new speaker's name."""

    text: str
    language: str
    count: CountTokens
    most: int
    block: Block

    def cut(self, last: int, label: str) -> Iterator[Piece]:
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
        start, end = _trim(self.text, block.start, block.end)
        if block.kind == "code":
            # The first line keeps its indentation like the others.
            start = max(block.start, self.text.rfind("\n", block.start, start) + 1)
        if end - start <= _SHORT or block.kind == "heading":
            return [(start, end)] if start < end else []
        words = self.text[start:end]
        if block.kind in ("table", "code"):
            return _lines(words, start, keep_indent=block.kind == "code")
        return [(start + a, start + b) for a, b in sentence_spans(words, self.language)]

    def _parts(self, last: int, start: int, end: int, label: str) -> Iterator[Piece]:
        """A sentence too long to handle as one, in parts that begin at words of its own."""
        rank = SENTENCE
        for left, right in self._stretches(start, end):
            piece = replace(self._piece(last, left, right, label), rank=rank)
            if piece.tokens <= self.most:
                yield piece
            else:
                yield from self._split(piece)
            rank, last, label = CLAUSE, right, ""

    def _split(self, piece: Piece) -> Iterator[Piece]:
        """The last resort, for runs without spaces that make very many tokens."""
        splitter = TextSplitter.from_callback(self.count, self.most)
        gap, rank = piece.gap, piece.rank
        for at, words in splitter.chunk_indices(self.text[piece.start : piece.end]):
            start = piece.start + at
            part = self._piece(start, start, start + len(words), "")
            yield replace(part, gap=gap, rank=rank)
            gap, rank = 0, CLAUSE

    def _stretches(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Parts of at most a tenth of a chunk, cut where the hash of the next words is least."""
        longest = max(8, self.most * 4 // 10)
        while start < end:
            cut = end
            if end - start > longest:
                window = self.text[start : start + longest]
                ends = (match.end() for match in _BREAK.finditer(window, longest // 3))
                places = ((self._break_rank(start + at), start + at) for at in ends)
                cut = min(places, default=((0, 0), start + longest))[1]
            left, right = _trim(self.text, start, cut)
            if left < right:
                yield left, right
            start = cut

    def _break_rank(self, at: int) -> tuple[int, int]:
        before = self.text[max(0, at - 2) : at]
        stop = 0 if "\n" in before else 1 if before[:1] in _CLAUSE_ENDS else 2
        return stop, _key(self.text, at, at + 24)

    def _piece(self, last: int, start: int, end: int, label: str) -> Piece:
        words = self.text[start:end]
        gap = 0
        if self.block.kind == "cue":
            lead = f" {label}"
        elif start - last <= _SMALL_GAP:
            # Spaces are counted with the word that follows, as tokenizers take them.
            lead = self.text[last:start]
        else:
            lead = ""
            near = start - last <= self.most * _CHARS_PER_TOKEN
            gap = self.count(self.text[last:start]) if near else self.most + 1
        tokens = self.count(lead + words)
        return Piece(start, end, tokens, gap, SENTENCE, _key(self.text, start, end), self.block)


def _stays_whole(pieces: list[Piece], most: int) -> bool:
    return (
        pieces[0].block.kind in ("table", "code") and sum(piece.tokens for piece in pieces) <= most
    )


def _lines(words: str, start: int, *, keep_indent: bool) -> list[tuple[int, int]]:
    spans = []
    for line in words.splitlines(keepends=True):
        if not line.isspace():
            left = start if keep_indent else start + len(line) - len(line.lstrip())
            spans.append((left, start + len(line.rstrip())))
        start += len(line)
    return spans


def _key(text: str, start: int, end: int) -> int:
    words = text[start : min(end, start + _KEY_CHARS)]
    return zlib.crc32(words.encode("utf-8", "surrogatepass"))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
