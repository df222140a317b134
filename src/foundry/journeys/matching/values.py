"""Where the searched sources have a number or a name that the passages found for a statement lack.

A search returns the passages nearest in words and meaning. That a value is in none of them does not
mean that no source has it, so whole sources are read before a statement is rejected for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from foundry.analysis import analyse, fold
from foundry.craft.grounding.claims import Claim
from foundry.craft.grounding.fact_checks import has_name, is_given_in
from foundry.craft.grounding.figures import find_figures, is_among
from foundry.ports import StoreView
from foundry.records import Chunk, Evidence, Filters, Focus, Hit, Source
from foundry.text.lines import ParsedEvidence, find_shared_terms
from foundry.text.names import Name, is_mentioned_in
from foundry.text.quantities import Quantity

_LEAST_DIGITS = 3
"""A shorter number occurs in any long text, for something else."""

_MOST_SOURCES = 8
"""Sources that are kept in memory, and that are read for one statement (a guess)."""

_MOST_PARSED = 12
"""Passages with the digits of a value that are parsed to find the value itself (a guess)."""

_INDEXED = 10
"""Passages with a value, as it is written, that the text index may name in other sources."""

Value = Quantity | Name


class _Text(NamedTuple):
    """A chunk with the digits of its numbers, its folded text and its terms."""

    chunk: Chunk
    figures: frozenset[str]
    folded: str
    terms: frozenset[str]


@dataclass
class ValueSearch:
    """The values of statements in the whole text of sources, each read once."""

    store: StoreView
    filters: Filters
    sources: dict[str, Source]
    read: Callable[[Evidence], ParsedEvidence]
    _texts: dict[str, list[_Text]] = field(default_factory=dict)

    def find_hits(
        self, claim: Claim, near: Sequence[Source], known: Collection[str], limit: int
    ) -> list[Hit]:
        """At most ``limit`` passages with a value of the claim, those with most of it first.

        ``near`` are the sources whose whole text is read; ``known`` passages are left out. Names
        without a digit count as words do.
        """
        values = list_values(claim)
        if not values:
            return []
        found: dict[str, tuple[float, Hit]] = {}
        for source, text in self._list_candidates(claim, values, near):
            if text.chunk.id in known or text.chunk.id in found:
                continue
            held = sum(_may_have(text, value) for value in values)
            if held:
                words = find_shared_terms(claim.line.terms, text.terms)
                found[text.chunk.id] = (2.0 * held + len(words), _build_hit(text.chunk, source))
        ranked = sorted(found.values(), key=lambda item: -item[0])
        return [hit for _, hit in ranked[:limit]]

    def find_place(self, claim: Claim, value: Value, near: Sequence[Source]) -> Hit | None:
        """The passage with the value that shares most words with the claim, or None."""
        candidates = [
            (source, text)
            for source, text in self._list_candidates(claim, [value], near)
            if _may_have(text, value)
        ]
        candidates.sort(key=lambda item: -len(find_shared_terms(claim.line.terms, item[1].terms)))
        for source, text in candidates[:_MOST_PARSED]:
            hit = _build_hit(text.chunk, source)
            if self._has(hit, value, claim):
                return hit
        return None

    def _has(self, hit: Hit, value: Value, claim: Claim) -> bool:
        material = self.read(Evidence(hit.chunk.id, hit))
        if isinstance(value, Name):
            return has_name(material, value, claim.line.text)
        return is_given_in(value, claim, material)

    def _list_candidates(
        self, claim: Claim, values: Iterable[Value], near: Sequence[Source]
    ) -> Iterator[tuple[Source, _Text]]:
        for source in near[:_MOST_SOURCES]:
            yield from ((source, text) for text in self._read_source(source))
        terms = [term for value in values for term in _list_terms(value, claim.language)]
        owners = {source.id: source for source in self.sources.values()}
        hits = self.store.search_text(terms, _INDEXED, self.filters) if terms else []
        for chunk in self.store.get_chunks([hit.chunk_id for hit in hits]):
            if chunk.source_id in owners:
                yield owners[chunk.source_id], _prepare(chunk)

    def _read_source(self, source: Source) -> list[_Text]:
        if source.id not in self._texts:
            while len(self._texts) >= _MOST_SOURCES:
                self._texts.pop(next(iter(self._texts)))
            chunks = self.store.source_chunks(source.id)
            self._texts[source.id] = [_prepare(chunk) for chunk in chunks]
        return self._texts[source.id]


def list_values(claim: Claim) -> list[Value]:
    """The numbers and codes of a claim that are rare enough to look for."""
    numbers = [q for q in claim.line.quantities if is_rare(q)]
    return [*numbers, *(name for name in claim.names if name.identifier)]


def is_rare(value: Value) -> bool:
    """Whether a value seldom occurs for something else: a name, or a number of three digits."""
    if isinstance(value, Name):
        return True
    return (
        value.kind in {"number", "version"} and sum(map(str.isdigit, value.text)) >= _LEAST_DIGITS
    )


def _may_have(text: _Text, value: Value) -> bool:
    if isinstance(value, Name):
        return is_mentioned_in(value, text.folded)
    if value.kind == "version":
        return fold(value.text) in text.folded
    return is_among(value, text.figures)


def _list_terms(value: Value, language: str) -> list[str]:
    terms = analyse(value.text, language)
    return terms if isinstance(value, Name) else [t for t in terms if any(map(str.isdigit, t))]


def _prepare(chunk: Chunk) -> _Text:
    terms = frozenset(analyse(chunk.text, chunk.language))
    return _Text(chunk, find_figures(chunk.text), fold(chunk.text), terms)


def _build_hit(chunk: Chunk, source: Source) -> Hit:
    return Hit(chunk, source, Focus(chunk.start, chunk.end), relevance=0.0, fused=0.0)
