"""The JSON of specifications, agents, drafts and the client's document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field

from foundry.craft.footnotes import DraftProblem
from foundry.craft.specifications import read_wants
from foundry.messages import Message
from foundry.ports import ChatMessage
from foundry.records import (
    Budget,
    DraftState,
    GroundingChange,
    Review,
    ScopeItem,
    Section,
    ShownAnswer,
    ShownSource,
    Specification,
    Usage,
    UsedSource,
    Verdict,
    kinds,
)
from foundry.records.revisions import ChangeKind, TraceKind
from foundry.render.delivery.answer import number_sources
from foundry.wire import fields
from foundry.wire.answers import (
    ConflictJson,
    DroppedHitJson,
    EvidenceIdJson,
    QuoteJson,
    ScoredHitJson,
)
from foundry.wire.base import From, RecordModel, Timestamp, WireModel
from foundry.wire.verification import StatementJson, VerificationJson

if TYPE_CHECKING:
    from foundry.journeys.delivery import BuildResult, DraftFile
    from foundry.journeys.drafts import DraftStatus, DraftVerification
    from foundry.journeys.drafts.content import DraftSentence
    from foundry.journeys.drafts.edits import DraftContent
    from foundry.journeys.generate import DraftPlan, PlannedSection
from foundry.config import Profile
from foundry.records import Agent
from foundry.wire.base import ErrorMessageJson

# Specifications


class SpecificationTextJson(RecordModel, of=Specification):
    text: str = Field(description="the specification without its front matter")
    markdown: str = Field(description="the whole file; empty if it cannot be read")
    wants: dict[str, list[str]] = Field(
        description="section → line of the text that opens with its title and a colon"
    )

    @classmethod
    def from_record(cls, spec: Specification) -> Self:
        return cls.copy_fields(spec, wants=read_wants(spec.text, spec.sections))


class SpecificationListJson(WireModel):
    features: list[Specification]


class SpecificationCheckJson(WireModel):
    ok: bool = Field(description="nothing blocks approval")
    features: list[Specification]


# Generate


class ScoredEvidenceJson(ScoredHitJson, EvidenceIdJson):
    """A hit that is given to the writer, after its id."""


class PlannedSectionJson(WireModel):
    title: str
    wants: list[str] = Field(description="line of the specification or agent about this section")
    verdict: Verdict
    score: kinds.Score = Field(description="the gate's, 0 to 1")
    reasons: list[Message] = Field(description="why there is no evidence")
    evidence: list[ScoredEvidenceJson]
    dropped: list[DroppedHitJson]
    left_out: list[str] = Field(description="S1 …, evidence that does not fit the model's window")
    prompt: list[ChatMessage]
    prompt_tokens: int | None
    notices: kinds.Notices

    @classmethod
    def from_record(cls, planned: PlannedSection) -> Self:
        gathered, prompt = planned.gathered, planned.prompt
        gate, scores = gathered.result.gate, gathered.scores
        return cls.copy_fields(
            gate,
            planned.outline,
            gathered,
            verdict=gate.decision,
            reasons=gate.reasons if gate.decision == "no_evidence" else gathered.reasons,
            evidence=[
                ScoredEvidenceJson.from_hit(item.hit, scores.get(item.hit.chunk.id), id=item.id)
                for item in gathered.evidence
            ],
            left_out=[item.id for item in planned.left_out],
            prompt=prompt.messages if prompt else [],
            prompt_tokens=prompt and prompt.tokens.total,
        )


class DraftPlanJson(WireModel):
    topic: str
    feature: str | None = Field(description="name of the specification")
    agent: str | None = Field(description="name of the agent")
    language: kinds.Language
    sections: list[PlannedSectionJson]
    conflicts: list[ConflictJson]
    budget: Budget
    tight: bool = Field(description="the budget takes more than 85 % of the window")
    usage: Usage
    notices: kinds.Notices

    @classmethod
    def from_record(cls, plan: DraftPlan) -> Self:
        feature = plan.feature and plan.feature.name
        agent = plan.agent and plan.agent.name
        return cls.copy_fields(plan, feature=feature, agent=agent, tight=plan.budget.is_tight)


class WrittenSectionJson(WireModel):
    title: str
    verdict: Verdict
    sentences: int
    unverified: int = Field(description="sentences that no rule settles and no judge has read")
    sources: int = Field(description="citations")
    coverage: fields.Coverage
    shown_coverage: kinds.ShownCoverage
    reason: Message | None = Field(description="why it is empty")
    needs: str = Field(description="sources that would fill it, where it is empty")
    conflicts: int = Field(description="listed below, each once for the document")
    reused: bool = Field(description="written by an earlier run, and nothing changed since")
    scope: list[ScopeItem]
    dropped: list[DroppedHitJson]
    changes: list[GroundingChange]

    @classmethod
    def from_record(cls, section: Section) -> Self:
        return cls.copy_fields(
            section,
            sentences=len(section.sentences),
            unverified=sum(not sentence.verified for sentence in section.sentences),
            sources=len(section.sources),
            conflicts=len(section.conflicts),
        )


class DraftJson(WireModel):
    path: str | None = Field(description="the file; null if nothing was written")
    topic: str
    feature: str | None = Field(description="name of the specification")
    agent: str | None = Field(description="name of the agent")
    language: kinds.Language
    verdict: Verdict
    coverage: fields.Coverage
    shown_coverage: kinds.ShownCoverage
    completeness: fields.Completeness
    sections: list[WrittenSectionJson]
    sources: list[str] = Field(description="path of a cited source, in order of first use")
    model: str = Field(description="who wrote the document")
    models: kinds.Models
    mode: kinds.Mode
    conflicts: list[ConflictJson]
    budget: Budget | None
    usage: Usage
    notices: kinds.Notices
    seconds: fields.Seconds

    @classmethod
    def from_record(cls, file: DraftFile) -> Self:
        draft = file.draft
        return cls.copy_fields(
            draft,
            path=str(file.path) if file.written else None,
            feature=draft.feature and draft.feature.name,
            agent=draft.agent and draft.agent.name,
            sources=draft.cited_paths,
        )


# Drafts


class DraftStatusJson(WireModel):
    path: str = Field(description="within the project, else absolute")
    feature: str | None = Field(description="the specification it was written from")
    agent: str | None = Field(description="the agent that wrote it")
    topic: str
    created: Timestamp
    state: DraftState
    content_hash: str = Field(description="SHA-256 of the file as written")
    feature_hash: str | None = Field(description="content_hash of the specification at that time")
    verdict: Verdict
    coverage: fields.Coverage
    shown_coverage: kinds.ShownCoverage
    completeness: fields.Completeness
    accepted: bool = Field(description="the file was accepted as it is now")
    review: Review | None
    stale: list[Message] = Field(description="why it is out of date")
    gaps: list[Message] = Field(description="what it was asked for and does not say")
    open_notes: int = Field(description="remarks that nobody has resolved")

    @classmethod
    def from_record(cls, status: DraftStatus) -> Self:
        coverage = status.record.attribution_coverage
        open_notes = sum(not note.resolved for note in status.record.notes)
        return cls.copy_fields(status, status.record, coverage=coverage, open_notes=open_notes)


class DraftListJson(WireModel):
    drafts: list[DraftStatusJson]


class SectionSummaryJson(WireModel):
    title: str
    sentences: int
    coverage: fields.Coverage
    shown_coverage: kinds.ShownCoverage
    reason: Message | None = Field(description="why it is empty")
    conflicts: list[ConflictJson]
    scope: list[ScopeItem]


class DraftDetailsJson(DraftStatusJson):
    language: kinds.Language
    model: str = Field(description="who wrote it")
    mode: kinds.Mode
    usage: Usage
    sections: list[SectionSummaryJson]
    sources: list[UsedSource]


class PlacedNoteJson(WireModel):
    id: Annotated[str, From("note.id")]
    text: Annotated[str, From("note.text")]
    by: Annotated[str, From("note.by")]
    time: Annotated[Timestamp, From("note.time")]
    resolved: Annotated[str, From("note.resolved")] = Field(
        description="who resolved it; empty while it is open"
    )
    remarked: Annotated[str, From("note.sentence")] = Field(
        description="the sentence as it was when the remark was made"
    )
    sentence: int | None = Field(description="index of the sentence that it is on now")
    kind: TraceKind = Field(description="changed: on the sentence most like it; lost: on none")


class DraftNotesJson(WireModel):
    notes: list[PlacedNoteJson]


class DraftSentenceJson(WireModel):
    text: Annotated[str, From("claimed.text")]
    line: Annotated[int | None, From("claimed.line")] = Field(description="of the draft, from 1")
    section: Annotated[str | None, From("claimed.section")] = Field(description="heading above it")
    start: Annotated[int, From("claimed.start")] = Field(description="in code points of the text")
    end: Annotated[int, From("claimed.end")]
    edited: bool | None = Field(description="null if what Foundry wrote is not kept")
    verified: bool | None = Field(
        description="by its last check, else when it was written; null if that is not known"
    )
    check: StatementJson | None = Field(
        description="its last check, while sources and settings are the same"
    )


class CitedDraftSentenceJson(DraftSentenceJson):
    numbers: list[int] = Field(description="of the sources that it cites")
    quotes: list[QuoteJson] = Field(description="the words of the sources that it rests on")


class DraftSourceJson(RecordModel, of=ShownSource):
    number: int


class DraftVersionJson(WireModel):
    content_hash: str = Field(description="SHA-256 of the text")
    saved: Timestamp
    written: bool = Field(description="a run wrote it; else somebody saved it")


class DraftContentJson(WireModel):
    path: str
    content_hash: str = Field(description="SHA-256 of the text; a change names it")
    markdown: str = Field(description="the whole file, with line feeds")
    language: kinds.Language
    state: DraftState
    accepted: bool = Field(description="the file was accepted as it is now")
    stale: list[Message] = Field(description="why it is out of date")
    sentences: list[CitedDraftSentenceJson]
    sources: list[DraftSourceJson]
    sections: list[SectionSummaryJson] = Field(description="as they were written")
    conflicts: list[ConflictJson]
    problems: list[DraftProblem] = Field(description="of its footnotes and their quotations")
    notes: list[PlacedNoteJson]
    versions: list[DraftVersionJson] = Field(description="texts that it had, the latest first")

    @classmethod
    def from_record(cls, content: DraftContent) -> Self:
        text, status = content.text, content.status
        return cls.copy_fields(
            status, text, content, status.record,
            sentences=[_cite(one, text.shown, at) for at, one in enumerate(text.sentences)],
            sources=_number(text.shown), conflicts=text.shown.conflicts,
        )  # fmt: skip


def _cite(sentence: DraftSentence, shown: ShownAnswer, at: int) -> CitedDraftSentenceJson:
    numbers, said = number_sources(shown.sentences), shown.sentences[at]
    cited = [numbers[name] for name in said.citations]
    return CitedDraftSentenceJson.copy_fields(sentence, numbers=cited, quotes=said.quotes)


def _number(shown: ShownAnswer) -> list[DraftSourceJson]:
    numbers = number_sources(shown.sentences)
    return [DraftSourceJson.copy_fields(one, number=numbers[one.id]) for one in shown.sources]


class DraftEditJson(WireModel):
    merged: bool = Field(description="with a change that somebody else made meanwhile")
    changed: list[int] = Field(description="index of a sentence that the change brings, checked")
    unchecked: Message | None = Field(
        description="why they could not be checked; the text is saved"
    )
    content: DraftContentJson


class DraftChangeJson(WireModel):
    kind: ChangeKind
    old: DraftSentenceJson | None = Field(description="null if it was added")
    new: DraftSentenceJson | None = Field(description="null if it was removed")


class DraftComparisonJson(WireModel):
    old: Annotated[str, From("old.record.path")] = Field(description="path of the older draft")
    new: Annotated[str, From("new.record.path")]
    old_hash: Annotated[str, From("old.content_hash")]
    new_hash: Annotated[str, From("new.content_hash")]
    same: int = Field(description="sentences, items and rows that both have")
    changes: list[DraftChangeJson]


class DraftVerificationJson(WireModel):
    path: str = Field(description="of the draft")
    feature: str | None
    state: DraftState
    passed: bool = Field(description="false exits with 1")
    headings: list[DraftProblem] = Field(description="sections other than its agent's")
    footnotes: list[DraftProblem]
    quotes: list[DraftProblem]
    verification: VerificationJson | None
    stale: list[Message] = Field(description="why it is out of date")

    @classmethod
    def from_record(cls, result: DraftVerification) -> Self:
        return cls.copy_fields(result, result.record)


# Build


class BuiltFileJson(WireModel):
    format: Literal["md", "docx", "pdf", "html"]
    path: str
    bytes: int


class ChapterJson(WireModel):
    feature: str | None = Field(description="null if an agent wrote it without a specification")
    agent: Annotated[str | None, From("draft.agent")] = Field(description="that wrote it")
    title: str
    owner: str
    approved_by: str
    accepted_by: str
    draft: Annotated[str, From("draft.path")] = Field(description="path of the accepted draft")
    coverage: Annotated[float | None, From("draft.attribution_coverage")] = Field(
        description="verified share, before removal"
    )
    stale: list[Message] = Field(description="what is out of date")


class DeliveredSourceJson(WireModel):
    path: str
    title: str
    revision: kinds.Revision
    revision_date: kinds.RevisionDate
    status: kinds.DocumentStatus | None
    sha256: Annotated[str, From("content_hash")] = Field(
        description="of the file's bytes when the text was written"
    )


class BuildJson(WireModel):
    title: str = Field(description="on the cover")
    project: str
    language: Literal["nl", "en"] = Field(description="of the text around the chapters")
    created: Timestamp
    files: list[BuiltFileJson]
    chapters: list[ChapterJson]
    notes: int = Field(description="footnotes of the document")
    sources: list[DeliveredSourceJson]
    stale: list[Message] = Field(description="what is out of date, with its feature")
    notices: kinds.Notices
    seconds: fields.Seconds

    @classmethod
    def from_record(cls, built: BuildResult) -> Self:
        delivery = built.delivery
        return cls.copy_fields(
            built,
            delivery,
            created=delivery.created.isoformat(timespec="seconds"),
            files=[
                {"format": name, "path": str(path), "bytes": size}
                for name, (path, size) in built.files.items()
            ],
            notes=len(delivery.notes),
            sources=delivery.register,
        )


class KeptBuildJson(WireModel):
    format: Literal["md", "docx", "pdf", "html"]
    name: Annotated[str, From("path.name")]
    bytes: int
    built: Timestamp


class BuildStateJson(WireModel):
    files: list[KeptBuildJson] = Field(description="of the last build; the owner's alone")
    obstacles: list[Message] = Field(description="what prevents a build now")
    only_stale: bool = Field(description="allow_stale builds it all the same")


class AgentJson(RecordModel, of=Agent):
    profile: Profile | None


class AgentEntryJson(WireModel):
    name: str
    path: str = Field(description="within the project; empty for one that Foundry brings")
    agent: AgentJson | None = Field(description="null if its file is wrong")
    model: str = Field(description="the generator of its profile; empty if the file is wrong")
    error: ErrorMessageJson | None = Field(description="what is wrong with its file")


class AgentListJson(WireModel):
    agents: list[AgentEntryJson]


class AgentCheckJson(WireModel):
    ok: bool = Field(description="no file is wrong")
    agents: list[AgentEntryJson]
