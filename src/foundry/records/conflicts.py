"""Contradictions between sources: the two places, what differs, and which of them holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from foundry.records.documents import Quote

ConflictKind = Literal["number", "unit", "date", "version", "negation", "name", "statement"]
"""``statement``: a contradiction that only a model saw, in no one value."""


@dataclass(frozen=True, slots=True)
class ConflictSide:
    """One of the two places; ``quote`` is byte for byte from its source."""

    chunk_id: str
    source: str
    quote: Quote
    revision: str | None = None
    revision_date: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two places that say different things of one subject.

    ``values`` are what differs, as each side writes it. ``holds`` is the side that the
    document follows ("a" or "b"), or None where nothing decides; ``rule`` says by what
    ("source hierarchy: sources/service/* before sources/handleiding/*"). ``superseded``: both are
    revisions of one document, and the later one holds: no contradiction that a reader
    must settle. ``found_by`` is "rules" or the model's name.
    """

    kind: ConflictKind
    a: ConflictSide
    b: ConflictSide
    values: tuple[str, str]
    reason: str
    holds: Literal["a", "b"] | None = None
    rule: str | None = None
    superseded: bool = False
    found_by: str = "rules"

    @property
    def places(self) -> frozenset[tuple[str, int, int]]:
        """Where both sides stand: the same for a conflict that was found for two sections."""
        sides = (self.a, self.b)
        return frozenset((one.source, one.quote.start, one.quote.end) for one in sides)


def deduplicate_conflicts(conflicts: Iterable[Conflict]) -> tuple[Conflict, ...]:
    """The conflicts without those that name the same two places as one before them."""
    found: dict[frozenset[tuple[str, int, int]], Conflict] = {}
    for conflict in conflicts:
        found.setdefault(conflict.places, conflict)
    return tuple(found.values())
