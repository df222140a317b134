"""Contradictions between sources: the two places, what differs, and which of them prevails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from foundry.doc import Doc
from foundry.messages import Message
from foundry.records.documents import Quote
from foundry.records.kinds import ChunkId, DocumentStatus, Revision, RevisionDate, SourcePath

ConflictKind = Literal["number", "unit", "date", "version", "negation", "name", "statement"]
"""``statement`` is a contradiction that only a model found, not tied to one value."""


@dataclass(frozen=True, slots=True)
class ConflictSide:
    """One of the two places; ``quote`` is copied byte for byte from its source."""

    chunk_id: ChunkId
    source: SourcePath
    quote: Quote
    revision: Revision = None
    revision_date: RevisionDate = None
    status: DocumentStatus | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two places that contradict each other on one subject.

    ``holds`` is None if nothing decides; ``rule`` is the reason
    ("source hierarchy: sources/service/* before sources/handleiding/*"). The later of two revisions
    prevails if it is ``superseded``, so that a reader need not decide.
    """

    kind: ConflictKind
    a: ConflictSide
    b: ConflictSide
    values: Annotated[tuple[str, str], Doc("what differs, as each side writes it: a, then b")]
    reason: Message
    holds: Annotated[Literal["a", "b"] | None, Doc("the side that is followed")] = None
    rule: Annotated[Message | None, Doc("why that side is followed")] = None
    superseded: Annotated[bool, Doc("revisions of one document; the later is followed")] = False
    found_by: Annotated[str, Doc("rules, or the model's name")] = "rules"

    @property
    def places(self) -> frozenset[tuple[str, int, int]]:
        """The positions of both sides; equal for one conflict found for two sections."""
        sides = (self.a, self.b)
        return frozenset((side.source, side.quote.start, side.quote.end) for side in sides)


def deduplicate_conflicts(conflicts: Iterable[Conflict]) -> tuple[Conflict, ...]:
    """The conflicts, without those at the same two places as an earlier one."""
    first: dict[frozenset[tuple[str, int, int]], Conflict] = {}
    for conflict in conflicts:
        first.setdefault(conflict.places, conflict)
    return tuple(first.values())
