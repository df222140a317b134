"""What drafting passes on: a question with the exact place of its answer, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from foundry.records import Source

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question that a source answers.

    ``weight`` says how well such questions read, the best first; ``kind`` becomes its tag.
    ``vague``: it names nothing of its own, and reads better with its source's name. ``also`` are
    other sources that answer it alike.
    """

    source: Source
    text: str
    answer: str
    spans: tuple[Span, ...]
    language: str
    kind: str
    weight: float = 1.0
    page: int | None = None
    section: str | None = None
    vague: bool = False
    also: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that became no question: in which source, what, and why."""

    source: str
    what: str
    reason: str
