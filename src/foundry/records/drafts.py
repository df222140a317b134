"""Drafts, from specification to delivery: what is requested, written, registered, delivered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal

from foundry.doc import HIDDEN, Doc
from foundry.messages import Message
from foundry.records.agents import Agent
from foundry.records.answers import (
    CitedSource,
    ClaimCheck,
    Excerpt,
    GroundingChange,
    Sentence,
    Usage,
)
from foundry.records.conflicts import Conflict, deduplicate_conflicts
from foundry.records.kinds import DocumentStatus, Problem, SectionForm, SourcePath, Verdict
from foundry.records.retrieval import DroppedHit, SearchResult
from foundry.roles import Confidentiality

SpecificationStatus = Literal["draft", "approved", "changed", "broken"]
"""``changed``: edited since its approval, so not approved; ``broken``: unreadable."""


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approved a specification, when, and the hash of what was approved."""

    by: str
    time: datetime
    content_hash: Annotated[str, Doc("SHA-256 of what was approved")]


@dataclass(frozen=True, slots=True)
class SpecificationProblem(Problem):
    """Something missing or wrong in a specification."""

    line: int | None = None
    blocking: Annotated[bool, Doc("whether it prevents approval")] = True


@dataclass(frozen=True, slots=True)
class Specification:
    """A specification as read from its file, ``features/NAME.md``.

    ``sections`` are in the order of the document. ``text`` is the specification without front matter,
    as it appears in a prompt, ``markdown`` the whole file.
    """

    name: str
    path: SourcePath
    title: Annotated[str, Doc("the name if it has no title")]
    status: SpecificationStatus
    content_hash: Annotated[str, Doc("SHA-256 without status and approval; may be empty")]
    owner: Annotated[str, Doc("person responsible for the document; may be empty")] = ""
    sections: Annotated[tuple[str, ...], Doc("heading of the document")] = ()
    source_hierarchy: Annotated[
        tuple[str, ...], Doc("pattern of source paths, most trusted first")
    ] = ()
    text: Annotated[str, HIDDEN] = ""
    markdown: Annotated[str, HIDDEN] = ""
    approval: Approval | None = None
    problems: tuple[SpecificationProblem, ...] = ()
    forms: Annotated[
        Mapping[str, SectionForm], Doc("what a section is made of, by its heading")
    ] = field(default_factory=dict)

    @property
    def approved(self) -> bool:
        """True if its current content was approved."""
        return self.status == "approved"


WARN_AT = 0.85
"""Warn if a budget takes more than this share of the window; a guess that leaves room to reply."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The tokens that a prompt takes of the model's window."""

    brief: Annotated[int, Doc("tokens of the project's brief")]
    spec: Annotated[int, Doc("tokens of the specification")]
    summaries: Annotated[int, Doc("tokens of the source summaries")]
    chunks: Annotated[int, Doc("generation.token_budget")]
    window: Annotated[int | None, Doc("context window; null for the built-in writer")]
    max_summaries: Annotated[int, Doc("generation.max_source_summaries")] = 0

    @property
    def total(self) -> Annotated[int, Doc()]:
        """All tokens of the prompt."""
        return self.brief + self.spec + self.summaries + self.chunks

    @property
    def is_tight(self) -> bool:
        """True if the prompt leaves too little of the window for the reply."""
        return self.window is not None and self.total > WARN_AT * self.window


ScopeState = Literal["covered", "missing", "not_found"]
"""Whether the draft says it; if not, whether the sources hold anything about it."""


@dataclass(frozen=True, slots=True)
class ScopeItem:
    """One thing that a specification asks of a section."""

    text: Annotated[str, Doc("one thing that the specification asks of the section")]
    state: Annotated[
        ScopeState, Doc("missing: the draft does not say it; not_found: nor do the sources")
    ]


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a draft.

    For an empty one ``reason`` says why, and for one with only the nearest passages that these are all.

    ``conflicts`` are those that concern its text. ``reused`` is true if an earlier run wrote it
    and nothing that it depends on has changed. ``scope`` is what its specification or agent asks
    for, ``needs`` the sources that would fill an empty one. ``excerpts`` are the passages that a
    section without a model quotes: ``sentences`` are then their lines, one for one. ``form`` is what
    it should be made of.
    """

    title: str
    sentences: tuple[Sentence, ...]
    sources: tuple[CitedSource, ...] = ()
    search: SearchResult | None = None
    reason: Message | None = None
    attribution_coverage: float | None = None
    shown_coverage: float | None = None
    verdict: Verdict = "answer"
    conflicts: tuple[Conflict, ...] = ()
    dropped: tuple[DroppedHit, ...] = ()
    checks: tuple[ClaimCheck, ...] = ()
    changes: tuple[GroundingChange, ...] = ()
    notices: tuple[Message, ...] = ()
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    reused: bool = False
    scope: tuple[ScopeItem, ...] = ()
    needs: str = ""
    excerpts: tuple[Excerpt, ...] = ()
    form: SectionForm | None = None

    @property
    def left_out(self) -> int:
        """How many sentences were written and removed."""
        return sum(change.action == "removed" for change in self.changes)


@dataclass(frozen=True, slots=True)
class Draft:
    """The result of ``generate``, before rendering."""

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
    notices: tuple[Message, ...] = ()
    feature: Specification | None = None
    budget: Budget | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    agent: Agent | None = None

    @property
    def outlined(self) -> bool:
        """Whether a specification or an agent says which sections there are."""
        return self.feature is not None or self.agent is not None

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts of all sections, without duplicates."""
        return deduplicate_conflicts(
            item for section in self.sections for item in section.conflicts
        )

    @property
    def completeness(self) -> float | None:
        """The share of what the specification asks for that the draft says; None without one."""
        return compute_completeness(self.sections)

    @property
    def cited_paths(self) -> tuple[str, ...]:
        """The paths of the cited sources, in order of first use."""
        cited = (entry for section in self.sections for entry in section.sources)
        return tuple(dict.fromkeys(entry.evidence.hit.source.path for entry in cited))

    @property
    def seconds(self) -> float:
        """The time that generating took."""
        total = self.timings_ms.get("total")
        return (sum(self.timings_ms.values()) if total is None else total) / 1000


DraftState = Literal["as written", "edited", "missing"]
"""The state of the file, compared with what was written."""


@dataclass(frozen=True, slots=True)
class Review:
    """Who accepted a draft, when, and the hash of the accepted file."""

    by: str
    time: datetime
    content_hash: Annotated[str, Doc("SHA-256 of what was accepted")]
    note: Annotated[str, Doc("may be empty")] = ""
    unchecked: Annotated[
        tuple[str, ...], Doc("statements that Foundry could not check and the reviewer accepted")
    ] = ()


@dataclass(frozen=True, slots=True)
class DraftNote:
    """A reviewer's remark on a sentence of a draft, which is known by its words."""

    id: Annotated[str, Doc("note_…")]
    sentence: Annotated[str, Doc("as it was when the remark was made")]
    text: str
    by: str
    time: datetime
    resolved: Annotated[str, Doc("who resolved it; empty while it is open")] = ""


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """One section of a draft in numbers; for an empty one, ``reason`` says why.

    ``left_out`` counts the sentences that were written and removed, ``unverified`` are those that are
    marked as not verified.
    """

    title: str
    sentences: int
    attribution_coverage: float | None
    shown_coverage: float | None
    reason: Message | None = None
    conflicts: tuple[Conflict, ...] = ()
    scope: tuple[ScopeItem, ...] = ()
    needs: str = ""
    form: SectionForm | None = None
    left_out: int = 0
    unverified: tuple[str, ...] = ()


def compute_completeness(sections: Iterable[Section | SectionSummary]) -> float | None:
    """The share of the sections' scope that is covered, 0 to 1; None if nothing is asked.

    Also None if nobody can say what a section covers: a model wrote it from the lines of an agent.
    """
    sections = tuple(sections)
    if any(section.sentences and not section.scope for section in sections):
        return None
    items = [item for section in sections for item in section.scope]
    return sum(item.state == "covered" for item in items) / len(items) if items else None


def find_gaps(sections: Iterable[Section | SectionSummary]) -> tuple[Message, ...]:
    """What the specification asks for and the sections do not say, each section's in one message."""
    gaps = []
    for section in sections:
        for code, state in (("draft-gap", "missing"), ("draft-gap-in-sources", "not_found")):
            items = tuple(item.text for item in section.scope if item.state == state)
            if items:
                gaps.append(Message(code, section=section.title, items=items))
    return tuple(gaps)


@dataclass(frozen=True, slots=True)
class UsedSource:
    """A source cited by a draft: its path, revision and the SHA-256 of its bytes at that time.

    ``corrections`` are the ids of what was corrected in it then.
    """

    path: str
    title: str
    content_hash: str
    revision: str | None = None
    revision_date: str | None = None
    status: DocumentStatus | None = None
    corrections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """A draft as registered when its file was written.

    ``path`` is relative to the project if the file is inside it, else absolute.
    ``content_hash`` is the SHA-256 of the file's bytes as written; ``feature_hash`` is the
    specification's ``content_hash`` at that time. ``role`` is that of the caller who had it
    written; lower roles do not see the draft. ``notes`` are what reviewers remarked, oldest first.
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
    role: Confidentiality = "secret"
    agent: str | None = None
    notes: tuple[DraftNote, ...] = ()

    @property
    def completeness(self) -> float | None:
        """The share of what the specification asks for that the draft says; None without one."""
        return compute_completeness(self.sections)


@dataclass(frozen=True, slots=True)
class KeptText:
    """A text of a draft or a specification as it was at one time.

    ``content_hash`` is the hash by which its draft, or its approval, names it. ``role`` and ``sources``
    are those of the draft then, and decide who sees it. ``written`` if a run wrote it.
    """

    path: str
    content_hash: str
    text: str
    saved: datetime
    role: Confidentiality = "secret"
    sources: tuple[UsedSource, ...] = ()
    written: bool = False


@dataclass(frozen=True, slots=True)
class CitationNote:
    """A footnote of the delivery: the place of the quotes, and the quotes, as Markdown."""

    number: int
    place: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One accepted draft in the delivery: of a feature, or by an agent on a topic.

    ``markdown`` is the accepted draft without front matter, title and notes; its headings start
    at level 2, and its marks ``[^n]`` refer to the delivery's single list of notes.
    """

    feature: str | None
    title: str
    owner: str
    markdown: str
    approved_by: str
    approved: datetime | None
    accepted_by: str
    accepted: datetime | None
    draft: DraftRecord
    stale: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivery:
    """The client's document before rendering; all formats are made from it.

    ``language`` ("nl" or "en") is that of the text around the chapters. ``stale`` lists what is
    out of date, with reasons; if it is not empty the document is marked. ``extra`` contains
    further lines for the cover, label → text. ``docx_template`` is the Word file whose styles
    the DOCX takes, None for the built-in ones.
    """

    title: str
    project: str
    language: str
    created: datetime
    chapters: tuple[Chapter, ...]
    notes: tuple[CitationNote, ...]
    register: tuple[UsedSource, ...]
    stale: tuple[Message, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
    docx_template: bytes | None = None
