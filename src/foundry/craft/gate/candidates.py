"""The passages that the gate judges, and how their words are compared."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from foundry.analysis import fold
from foundry.records import Chunk, RetrieverHit, Source, SubjectFit


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that at least one retriever found. ``cosine`` is None without a vector.

    ``fit`` says whether it is about what the question names.
    """

    chunk: Chunk
    source: Source
    fused: float
    dense: RetrieverHit | None = None
    bm25: RetrieverHit | None = None
    cosine: float | None = None
    fit: SubjectFit = field(default_factory=SubjectFit)

    def join_labels(self) -> str:
        """Its title, path, the names of its source, and its headings, a line each."""
        own = (word for name in self.source.names for word in (name.name, *name.aliases))
        return "\n".join((self.source.title, self.source.path, *own, *self.chunk.heading_path))

    def fold_text(self) -> str:
        """Its title, path, headings and content, folded."""
        source, chunk = self.source, self.chunk
        return fold(" ".join((source.title, source.path, *chunk.heading_path, chunk.content)))


_MIN_LENGTH = 5
_MIN_PART_SHARE = 0.6
"""Smallest share of a compound that its known part must be, as "temperatuur" in
"kamertemperatuur". A guess: more than half."""


def has_similar_word(term: str, vocabulary: Collection[str]) -> bool:
    """Whether the vocabulary has a part or a compound of a folded term.

    Terms with digits never match: E05 is not E12.
    """
    if len(term) < _MIN_LENGTH or not term.isalpha():
        return False
    others = (other for other in vocabulary if len(other) >= _MIN_LENGTH and other.isalpha())
    return any(_is_part(term, other) for other in others)


def _is_part(one: str, other: str) -> bool:
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    ends = longer.startswith(shorter) or longer.endswith(shorter)
    return ends and len(shorter) >= _MIN_PART_SHARE * len(longer)
