"""Drafts from specification to delivery: what is asked for, written, registered and delivered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from foundry.records.answers import CitedSource, ClaimCheck, GroundingChange, Sentence, Usage
from foundry.records.conflicts import Conflict, deduplicate_conflicts
from foundry.records.kinds import Verdict
from foundry.records.retrieval import DroppedHit, SearchResult

SpecificationStatus = Literal["draft", "approved", "changed", "broken"]
"""``changed``: edited since its approval, so no longer approved; ``broken``: it cannot be read."""


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approved a specification, when, and the hash of what was approved."""

    by: str
    time: datetime
    content_hash: str


@dataclass(frozen=True, slots=True)
class SpecificationProblem:
    """Something missing or wrong in a specification; ``blocking`` ones prevent approval."""

    message: str
    fix: str
    line: int | None = None
    blocking: bool = True


@dataclass(frozen=True, slots=True)
class Specification:
    """A specification as its file has it: ``features/NAME.md``.

    ``sections`` are the headings that the document shall have, in order.
    ``source_hierarchy`` are patterns of source paths, the most trusted first.
    ``text`` is the specification without its front matter, as it stands in a prompt.
    ``hash_bytes`` is the SHA-256 of everything but status and approval.
    """

    name: str
    path: str
    title: str
    status: SpecificationStatus
    content_hash: str
    owner: str = ""
    sections: tuple[str, ...] = ()
    source_hierarchy: tuple[str, ...] = ()
    text: str = ""
    approval: Approval | None = None
    problems: tuple[SpecificationProblem, ...] = ()

    @property
    def approved(self) -> bool:
        """True when its present content was approved."""
        return self.status == "approved"


WARN_AT = 0.85
"""Share of the model's window from which a budget is warned about."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a prompt takes of the model's window, in tokens.

    ``chunks`` is ``generation.token_budget``, ``window`` the model's context window, None for a
    writer that has none.
    """

    brief: int
    spec: int
    summaries: int
    chunks: int
    window: int | None
    max_summaries: int = 0

    @property
    def total(self) -> int:
        """Everything that the budget has to hold."""
        return self.brief + self.spec + self.summaries + self.chunks

    @property
    def is_tight(self) -> bool:
        """Whether it takes more of the window than leaves room for the reply (specification §9)."""
        return self.window is not None and self.total > WARN_AT * self.window


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a draft; an empty one says in ``reason`` why nothing stands in it.

    ``conflicts`` are those that touch what is written. ``reused``: it was written by an earlier
    run, and nothing that it depends on changed.
    """

    title: str
    sentences: tuple[Sentence, ...]
    sources: tuple[CitedSource, ...] = ()
    search: SearchResult | None = None
    reason: str | None = None
    attribution_coverage: float | None = None
    shown_coverage: float | None = None
    verdict: Verdict = "answer"
    conflicts: tuple[Conflict, ...] = ()
    dropped: tuple[DroppedHit, ...] = ()
    checks: tuple[ClaimCheck, ...] = ()
    changes: tuple[GroundingChange, ...] = ()
    notices: tuple[str, ...] = ()
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    reused: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """The result of ``generate``, before it is rendered."""

    topic: str
    language: str
    verdict: Verdict
    sections: tuple[Section, ...]
    model: str
    mode: str
    attribution_coverage: float | None
    shown_coverage: float | None
    timings_ms: Mapping[str, float]
    usage: Usage
    created: datetime
    checks: tuple[ClaimCheck, ...] = ()
    changes: tuple[GroundingChange, ...] = ()
    notices: tuple[str, ...] = ()
    feature: Specification | None = None
    budget: Budget | None = None
    models: Mapping[str, str] = field(default_factory=dict)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts of all sections, each once."""
        return deduplicate_conflicts(one for section in self.sections for one in section.conflicts)


DraftState = Literal["as written", "edited", "missing"]
"""Of the file, against what was written there."""


@dataclass(frozen=True, slots=True)
class Review:
    """Who accepted a draft, when, and the hash of the file that was accepted."""

    by: str
    time: datetime
    content_hash: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """One section of a draft in numbers; ``reason`` says why it is empty."""

    title: str
    sentences: int
    attribution_coverage: float | None
    shown_coverage: float | None
    reason: str | None = None
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class UsedSource:
    """A source as a draft cited it: its path, its revision and its bytes' SHA-256 at that time."""

    path: str
    title: str
    content_hash: str
    revision: str | None = None
    revision_date: str | None = None


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """A draft as it was registered when its file was written.

    ``path`` is relative to the project where the file lies in it, else absolute.
    ``hash_bytes`` is the SHA-256 of the file's bytes as written; ``feature_hash`` the
    specification's ``hash_bytes`` at that time.
    """

    path: str
    topic: str
    created: datetime
    content_hash: str
    feature: str | None
    feature_hash: str | None
    verdict: Verdict
    language: str
    model: str
    mode: str
    attribution_coverage: float | None
    shown_coverage: float | None
    sections: tuple[SectionSummary, ...] = ()
    sources: tuple[UsedSource, ...] = ()
    review: Review | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class CitationNote:
    """A footnote of the delivery: where the words stand, and the words, as Markdown."""

    number: int
    place: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One feature in the delivery.

    ``markdown`` is the accepted draft without front matter, title and notes; its headings start at
    level 2, and its marks ``[^n]`` are numbers of the delivery's one list of notes.
    """

    feature: str
    title: str
    owner: str
    markdown: str
    approved_by: str
    approved: datetime
    accepted_by: str
    accepted: datetime
    draft: DraftRecord
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivery:
    """The client's document before it is rendered; every format is made from this.

    ``language`` ("nl" or "en") is that of the words around the chapters. ``stale`` lists
    what is out of date, each with its reason; the document is marked when it is not empty.
    ``extra`` holds further lines for the cover, label → text.
    """

    title: str
    project: str
    language: str
    created: datetime
    chapters: tuple[Chapter, ...]
    notes: tuple[CitationNote, ...]
    register: tuple[UsedSource, ...]
    stale: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
