"""Contradictions between sources: the two places, what differs, and which of them holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from foundry.records.quotes import Quote

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
