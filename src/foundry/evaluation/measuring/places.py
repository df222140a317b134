"""Which of a question's expected places a chunk or a quote covers.

A place is a whole source, a page or section of it, or one exact span; each span of an
expectation is a place of its own. A whole source is covered by anything in it; a page or
section by a block that lies there; a span by what shares at least ``LEAST_SHARE`` of it, or of
the piece itself where that is the shorter: a small chunk can lie within a long span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from foundry.records import Block, Chunk, Expectation, Quote, Source
from foundry.workspace import Workspace

LEAST_SHARE = 0.5
"""Of the shorter of span and piece, in characters."""

_KEPT = 50_000
_NUMBER = re.compile(r"[\d.]*\d[a-z]?\.?|[a-z](?:\.\d+)+", re.IGNORECASE)

Item = tuple[int, int]
"""A place: its index in ``EvalQuestion.expected``, and that of its span, 0 where it has none."""

Spot = tuple[int | None, tuple[str, ...]]
"""The page and the heading path of a block."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk or quote by its place: the source's path, [start, end) and the spots it touches."""

    id: str
    source: str
    start: int
    end: int
    spots: tuple[Spot, ...]
    section: str | None = None

    @property
    def page(self) -> int | None:
        """The first page that it touches."""
        return next((page for page, _ in self.spots if page is not None), None)


def items_of(expected: Sequence[Expectation]) -> dict[Item, int]:
    """Every place of a question with its relevance; those judged irrelevant are left out."""
    return {
        (at, span): one.relevance
        for at, one in enumerate(expected)
        if one.relevance > 0
        for span in range(max(1, len(one.spans)))
    }


def is_whole_source(wanted: Expectation) -> bool:
    """True where nothing narrows the source."""
    return not wanted.spans and wanted.page is None and wanted.section is None


def covered(piece: Piece, expected: Sequence[Expectation]) -> list[Item]:
    """The places of a question that a piece covers."""
    return [
        (at, span) for at, span in items_of(expected) if _covers(piece, expected[at], span)
    ]  # fmt: skip


def covers_span(piece: tuple[int, int], span: tuple[int, int]) -> bool:
    """Whether a chunk or quote at [start, end) shares enough with a span to count as finding it."""
    shared = min(piece[1], span[1]) - max(piece[0], span[0])
    return shared > 0 and shared >= LEAST_SHARE * min(span[1] - span[0], piece[1] - piece[0])


def _covers(piece: Piece, wanted: Expectation, span: int) -> bool:
    if piece.source != wanted.source:
        return False
    if wanted.spans:
        return covers_span((piece.start, piece.end), wanted.spans[span])
    if is_whole_source(wanted):
        return True
    return any(_lies_there(spot, wanted) for spot in piece.spots)


def _lies_there(spot: Spot, wanted: Expectation) -> bool:
    page, headings = spot
    if wanted.page is not None and page != wanted.page:
        return False
    return wanted.section is None or any(
        same_section(wanted.section, heading) for heading in headings
    )


@lru_cache(maxsize=10_000)
def same_section(wanted: str, heading: str) -> bool:
    """Whether a heading is the section that is meant: by number and name, or by one of them.

    ``3.2 Intervals``, ``3.2``, ``§3.2`` and ``Intervals`` all mean the heading "3.2 Intervals".
    """
    wanted, heading = (" ".join(text.casefold().split()).lstrip("§ ") for text in (wanted, heading))
    number, _, name = heading.partition(" ")
    if not _NUMBER.fullmatch(number):
        return wanted == heading
    return wanted in (heading, name) or wanted.rstrip(".") == number.rstrip(".")


def piece_of_chunk(chunk: Chunk, source: str) -> Piece:
    """A chunk by its place; its spots are those of its blocks."""
    section = chunk.heading_path[-1] if chunk.heading_path else None
    return Piece(chunk.id, source, chunk.start, chunk.end, _spots(chunk.blocks), section)


def piece_of_quote(quote: Quote, chunk: Chunk, source: str) -> Piece:
    """A quote by its place; its spots are those of the blocks that it touches."""
    touched = [one for one in chunk.blocks if one.start < quote.end and quote.start < one.end]
    return Piece(chunk.id, source, quote.start, quote.end, _spots(touched), quote.section)


def _spots(blocks: Iterable[Block]) -> tuple[Spot, ...]:
    return tuple(dict.fromkeys((block.page, block.heading_path) for block in blocks))


@dataclass(slots=True)
class Places:
    """Where the chunks of a project's index are; read once and remembered, safe for threads."""

    workspace: Workspace
    _pieces: dict[str, Piece] = field(default_factory=dict)
    _sources: dict[str, Source] = field(default_factory=dict)
    _known: dict[Expectation, str | None] = field(default_factory=dict)

    def pieces(self, chunk_ids: Sequence[str]) -> list[Piece]:
        """The chunks in the order asked; those that are gone are left out."""
        kept = self._pieces
        missing = [one for one in chunk_ids if one not in kept]
        if len(kept) + len(missing) > _KEPT:
            self._pieces = kept = {one: kept[one] for one in chunk_ids if one in kept}
        for chunk in self.workspace.store.get_chunks(missing) if missing else ():
            source = self._source(chunk.source_id)
            if source is not None:
                kept[chunk.id] = piece_of_chunk(chunk, source.path)
        return [kept[one] for one in chunk_ids if one in kept]

    def unknown(self, wanted: Expectation) -> str | None:
        """What of an expectation the index does not hold: its source, or the place in it."""
        if wanted not in self._known:
            self._known[wanted] = self._missing(wanted)
        return self._known[wanted]

    def _missing(self, wanted: Expectation) -> str | None:
        source = self.workspace.store.find_source(wanted.source)
        if source is None or source.path != wanted.source:
            return wanted.source
        if wanted.spans:
            length = len(self.workspace.store.source_text(source.id))
            beyond = [span for span in wanted.spans if not 0 <= span[0] < span[1] <= length]
            return f"{wanted.source} [{beyond[0][0]}, {beyond[0][1]})" if beyond else None
        if is_whole_source(wanted):
            return None
        spots = _spots(self.workspace.store.source_blocks(source.id))
        if any(_lies_there(spot, wanted) for spot in spots):
            return None
        section = f" §{wanted.section.lstrip('§ ')}" if wanted.section else ""
        page = f", page {wanted.page}" if wanted.page is not None else ""
        return f"{wanted.source}{section}{page}"

    def _source(self, source_id: str) -> Source | None:
        if source_id not in self._sources:
            found = self.workspace.store.find_source(source_id)
            if found is None:
                return None
            self._sources[source_id] = found
        return self._sources[source_id]
