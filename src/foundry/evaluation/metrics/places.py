"""Which of a question's expected places a chunk or a quote covers.

A place is a whole source, a page or section of it, or one exact span; each span of an
expectation is a separate place. A whole source is covered by anything in it; a page or
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
"""Of the shorter of span and piece, in characters. Half: less is a touch, and a span cut by a
chunk's border still has one chunk with most of it."""

_CACHED = 50_000
"""Chunks remembered at most, so that a long run over a large index does not grow for ever."""
_NUMBER = re.compile(r"[\d.]*\d[a-z]?\.?|[a-z](?:\.\d+)+", re.IGNORECASE)

Item = tuple[int, int]
"""A place: its index in ``EvalQuestion.expected``, and that of its span, 0 where it has none."""

Spot = tuple[int | None, tuple[str, ...]]
"""The page and the heading path of a block."""


@dataclass(frozen=True, slots=True)
class SourceRange:
    """A chunk or quote as [start, end) of a source, by its path, with the spots that it touches."""

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
    """The places of a question with their relevance, without those judged irrelevant."""
    return {
        (index, span): expectation.relevance
        for index, expectation in enumerate(expected)
        if expectation.relevance > 0
        for span in range(max(1, len(expectation.spans)))
    }


def is_whole_source(wanted: Expectation) -> bool:
    """Whether the expectation names a source and no place in it."""
    return not wanted.spans and wanted.page is None and wanted.section is None


def find_covered_items(piece: SourceRange, expected: Sequence[Expectation]) -> list[Item]:
    """The places of a question that a piece covers."""
    return [
        (index, span)
        for index, expectation in enumerate(expected)
        if expectation.relevance > 0 and expectation.source == piece.source
        for span in range(max(1, len(expectation.spans)))
        if _covers(piece, expectation, span)
    ]


def covers_span(piece: tuple[int, int], span: tuple[int, int]) -> bool:
    """Whether a chunk or quote at [start, end) shares enough with a span to count as found."""
    shared = min(piece[1], span[1]) - max(piece[0], span[0])
    return shared > 0 and shared >= LEAST_SHARE * min(span[1] - span[0], piece[1] - piece[0])


def _covers(piece: SourceRange, wanted: Expectation, span: int) -> bool:
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
    """Whether a heading is the wanted section, by its number, its name or both.

    ``3.2 Intervals``, ``3.2``, ``§3.2`` and ``Intervals`` all mean the heading "3.2 Intervals".
    """
    wanted, heading = (" ".join(text.casefold().split()).lstrip("§ ") for text in (wanted, heading))
    number, _, name = heading.partition(" ")
    if not _NUMBER.fullmatch(number):
        return wanted == heading
    return wanted in (heading, name) or wanted.rstrip(".") == number.rstrip(".")


def locate_chunk(chunk: Chunk, source: str) -> SourceRange:
    """The place of a chunk; its spots are those of its blocks."""
    section = chunk.heading_path[-1] if chunk.heading_path else None
    return SourceRange(chunk.id, source, chunk.start, chunk.end, _spots(chunk.blocks), section)


def locate_quote(quote: Quote, chunk: Chunk, source: str) -> SourceRange:
    """The place of a quote; its spots are those of the blocks that it touches."""
    touched = [
        block for block in chunk.blocks if block.start < quote.end and quote.start < block.end
    ]
    return SourceRange(chunk.id, source, quote.start, quote.end, _spots(touched), quote.section)


def _spots(blocks: Iterable[Block]) -> tuple[Spot, ...]:
    return tuple(dict.fromkeys((block.page, block.heading_path) for block in blocks))


@dataclass(slots=True)
class Places:
    """The places of a project's chunks, read once and cached; safe for threads.

    With ``count_missing`` an expected place that the index lacks counts as not found.
    """

    workspace: Workspace
    count_missing: bool = False
    _ranges: dict[str, SourceRange] = field(default_factory=dict)
    _sources: dict[str, Source] = field(default_factory=dict)
    _known: dict[Expectation, str | None] = field(default_factory=dict)

    def get_ranges(self, chunk_ids: Sequence[str]) -> list[SourceRange]:
        """The places of chunks in the given order, without chunks that no longer exist."""
        cache = self._ranges
        missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in cache]
        if len(cache) + len(missing) > _CACHED:
            self._ranges = cache = {
                chunk_id: cache[chunk_id] for chunk_id in chunk_ids if chunk_id in cache
            }
        for chunk in self.workspace.store.get_chunks(missing) if missing else ():
            source = self._source(chunk.source_id)
            if source is not None:
                cache[chunk.id] = locate_chunk(chunk, source.path)
        return [cache[chunk_id] for chunk_id in chunk_ids if chunk_id in cache]

    def find_missing(self, wanted: Expectation) -> str | None:
        """Name the expected source or place that the index lacks; None where it has it."""
        if self.count_missing:
            return None
        if wanted not in self._known:
            self._known[wanted] = self._describe_missing(wanted)
        return self._known[wanted]

    def read_span(self, path: str, span: tuple[int, int]) -> str:
        """The words of the index at a span of a source; empty for a source that it lacks."""
        source = self.workspace.store.find_source(path)
        return self.workspace.store.source_text(source.id)[slice(*span)] if source else ""

    def _describe_missing(self, wanted: Expectation) -> str | None:
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
            source = self.workspace.store.find_source(source_id)
            if source is None:
                return None
            self._sources[source_id] = source
        return self._sources[source_id]
