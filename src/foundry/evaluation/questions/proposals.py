"""What drafting yields: a question with the exact place of its answer, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from foundry.messages import Message
from foundry.records import Source

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DraftedQuestion:
    """A question drafted from a source; one without ``spans`` has no answer in the project.

    ``kind`` becomes its tag. ``vague``: the question names no subject, so the source's
    title is added. ``also`` are other sources with the same answer.
    """

    source: Source
    text: str
    answer: str
    spans: tuple[Span, ...]
    language: str
    kind: str
    page: int | None = None
    section: str | None = None
    vague: bool = False
    also: tuple[DraftedQuestion, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedDraft:
    """Something that gave no question: in which source, what, and why."""

    source: str
    what: Message | str
    reason: Message
