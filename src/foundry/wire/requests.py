"""The JSON that the HTTP API takes, and the events of its streams."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from foundry.records import (
    CellVerdict,
    Confidentiality,
    DocumentStatus,
    EarlierTurn,
    FileState,
    RowKind,
    SearchMode,
    SectionForm,
)
from foundry.wire.base import Text, WireModel

_BROKEN = re.compile(r"[\0\ud800-\udfff]")


def require_whole_text(value: object) -> object:
    """The value, or ``ValueError`` for a broken text in it: no database keeps it as text.

    JSON can say NUL and half a surrogate pair.
    """
    if isinstance(value, str) and _BROKEN.search(value):
        raise ValueError("a NUL or half of a surrogate pair is not text")
    if isinstance(value, list | dict):
        for item in (*value, *value.values()) if isinstance(value, dict) else value:
            require_whole_text(item)
    return value


class RequestModel(BaseModel):
    """What a client sends; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_broken_text(cls, value: object) -> object:
        return require_whole_text(value)


Tag = Annotated[str, Field(min_length=1, max_length=200)]


class ScopeRequest(RequestModel):
    """What a search is limited to."""

    filters: list[str] = Field(
        default=[],
        max_length=100,
        description="only sources that match: KEY=VALUE, as --filter of the commands takes them;"
        " keys are source (path or id), folder, type, tag, confidentiality, from and to (dates), and"
        " revision: all, or a mark or date; by default the current revision of each document",
        examples=[["source=sources/manual.pdf"], ["type=pdf", "tag=2026"], ["from=2026-01-31"]],
    )
    mode: SearchMode | None = Field(
        default=None, description="default: retrieval.mode", examples=["bm25"]
    )


EXACT = Field(
    default=False, description="compare every vector, also in a large index", examples=[True]
)


class SearchRequest(ScopeRequest):
    query: str = Field(description="a question or words", examples=["input fuse rating"])
    top_k: int | None = Field(
        default=None, ge=1, le=1000, description="passages; default: retrieval.top_k", examples=[3]
    )
    exact: bool = EXACT


class AnswerRequest(ScopeRequest):
    """How a question is answered."""

    agent: str | None = Field(
        default=None, description="an agent that answers", examples=["answer"]
    )
    exact: bool = EXACT
    all: bool = Field(
        default=False,
        description="read every passage that may hold an item, for how many, which or list all",
        examples=[True],
    )


class QuestionRequest(AnswerRequest):
    question: str = Field(description="one question", examples=["Which fuse protects the input?"])


class EarlierTurnRequest(RequestModel):
    question: str = Field(description="question of an earlier turn")
    answer: str = Field(description="answer of that turn, empty if there was none")
    language: str = "und"
    id: str | None = Field(
        default=None, max_length=64, description="of that answer: the log keeps the conversation"
    )

    @classmethod
    def from_record(cls, turn: EarlierTurn) -> EarlierTurnRequest:
        """What a client sends of a turn."""
        return cls.model_construct(**asdict(turn))

    def to_record(self) -> EarlierTurn:
        """The turn as ``chat`` takes it."""
        return EarlierTurn(self.question, self.answer, self.language, self.id)


class TurnRequest(AnswerRequest):
    typed: str
    earlier: list[EarlierTurnRequest] = Field(
        default=[], max_length=100, description="the turns before, oldest first"
    )


MOST_VERIFIED = 100_000
"""Characters of a text to verify: some 40 pages, half a minute of processor time (a guess)."""


class TextRequest(ScopeRequest):
    text: str = Field(
        max_length=MOST_VERIFIED,
        description="in Markdown",
        examples=["The input fuse is rated at 3.15 A [source: datasheet.pdf, p. 2]."],
    )
    judge: Literal["configured", "none"] = Field(
        default="configured",
        description="who decides what the rules leave open: validation.verifier, or nobody",
        examples=["none"],
    )


class FeedbackRequest(RequestModel):
    judgement: Literal["correct", "wrong_source", "wrong_fact", "missing"]
    note: str = Field(default="", max_length=2000)


class LabelsRequest(RequestModel):
    """Labels of a source to change; null leaves one as it is."""

    tags: list[Tag] | None = Field(default=None, max_length=50, description="in place of all")
    add_tags: list[Tag] = Field(default=[], max_length=50, examples=[["2026"]])
    remove_tags: list[Tag] = Field(default=[], max_length=50, examples=[["concept"]])
    confidentiality: Confidentiality | None = None
    status: DocumentStatus | Literal["as_read"] | None = Field(
        default=None, description="what a person says; as_read for what the document says itself"
    )


class SourceWishes(RequestModel):
    """Which files a list has; an empty field is no wish."""

    q: str = Field(default="", max_length=200, description="words in path, title, revision or tags")
    type: str = Field(default="", max_length=200, description="pdf, docx …")
    tag: str = Field(default="", max_length=200)
    folder: str = Field(default="", max_length=1000, description="with all below it")
    confidentiality: Confidentiality | Literal[""] = ""
    status: DocumentStatus | Literal[""] = ""
    state: FileState | Literal[""] = Field(
        default="", description="new, changed and gone compare the whole folder"
    )
    current: bool = Field(default=False, description="without older revisions")
    filters: list[str] = Field(
        default=[], max_length=100, description="besides, KEY=VALUE, as searches take them"
    )

    def list_filters(self) -> list[str]:
        """All filters, as ``KEY=VALUE``."""
        keys = ("type", "tag", "folder", "confidentiality")
        named = [f"{key}={getattr(self, key)}" for key in keys if getattr(self, key).strip()]
        return [*self.filters, *named]


class SelectionRequest(RequestModel):
    """Sources by their paths or ids, or all that match."""

    sources: list[str] = Field(default=[], max_length=10_000, description="paths or ids")
    matching: SourceWishes | None = Field(default=None, description="instead: all that match")
    expected: int | None = Field(
        default=None, ge=0, description="of the sources that match; another number is refused"
    )


class ChangeSourcesRequest(SelectionRequest, LabelsRequest):
    """Labels that many sources get."""


class RemoveSourcesRequest(SelectionRequest):
    files: bool = Field(default=False, description="delete their files too")


class NewCorrectionRequest(RequestModel):
    """What to correct in a source; exactly one of read, drop and what follows them."""

    words: str | None = Field(default=None, max_length=2000, description="as they were read")
    block: int | None = Field(default=None, ge=1, le=10_000_000, description="number from 1")
    cell: str | None = Field(default=None, max_length=20, description="of a table: B3")
    row: str | None = Field(default=None, max_length=20, description="of a table: 3, or 3-5")
    read: str | None = Field(
        default=None, max_length=20_000, description="words or rows (one a line) as printed"
    )
    drop: bool = Field(default=False, description="leave the rows out")
    heading: str | None = Field(default=None, max_length=10, description="1 to 6, or text")
    header_rows: int | str | None = Field(
        default=None, description="first rows that name the columns, or which: 3-4"
    )
    header_columns: int | None = Field(
        default=None, ge=0, le=10_000, description="first columns that name the rows"
    )
    span: str | None = Field(
        default=None, max_length=2000, description="cells that are one: B1:D1,E1:F1"
    )
    split: bool = Field(default=False, description="another table begins at the row")
    merge: bool = Field(default=False, description="the next table is part of this one")
    start: int | None = Field(
        default=None, ge=0, le=10_000_000, description="offset of the words in their block"
    )
    reason: str = Field(max_length=2000)
    by: str = Field(default="", max_length=200, description="default: the token's name")


class OlderRevisionRequest(RequestModel):
    older: str = Field(max_length=2000, description="path or id of the source that it revises")
    reason: str = Field(default="", max_length=2000)
    by: str = Field(default="", max_length=200, description="default: the token's name")


class ConversationRequest(RequestModel):
    title: str = Field(default="", max_length=200, description="empty: as it is")
    removed: bool = Field(default=False, description="from the list; the log keeps its rows")


class ShareRequest(RequestModel):
    role: Confidentiality = Field(description="who may see the copy: this role and above")


class TokenRequest(RequestModel):
    name: str = Field(max_length=64, description="of the person or program", examples=["Anna"])
    role: Confidentiality = Field(default="public", description="what its holder may see at most")
    expires: str = Field(default="30d", max_length=10, description="12h, 30d or 4w from now")


class RoleRequest(RequestModel):
    role: Confidentiality = Field(description="what the person may see in the project")


class PersonRequest(RequestModel):
    by: str = Field(default="", max_length=200, description="default: the token's name")
    note: str = Field(default="", max_length=2000)


OneLine = Annotated[
    str, Field(max_length=1000), AfterValidator(lambda value: " ".join(value.split()))
]
"""A text on one line: line ends and other white space are blanks."""


class SectionRequest(RequestModel):
    title: OneLine
    form: SectionForm | None = Field(default=None, description="what it is made of")
    wants: list[OneLine] | None = Field(
        default=None, max_length=100, description="what it must contain; null: as the text has it"
    )


class SpecificationRequest(RequestModel):
    """What a specification is to say: its whole file, or some of it; null leaves a thing as it is."""

    markdown: str | None = Field(
        default=None, max_length=400_000, description="the whole file; its approval is not taken"
    )
    title: OneLine | None = None
    owner: OneLine | None = None
    sections: list[SectionRequest] | None = Field(default=None, max_length=1000)
    source_hierarchy: list[OneLine] | None = Field(
        default=None, max_length=1000, description="patterns of source paths, most trusted first"
    )
    text: str | None = Field(
        default=None, max_length=400_000, description="below the front matter, in Markdown"
    )


class AgentRequest(RequestModel):
    text: str | None = Field(default=None, max_length=100_000, description="of its file, in YAML")
    base: str = Field(default="blueprint", description="the agent that is copied without a text")


class AgentTextRequest(RequestModel):
    text: str = Field(max_length=100_000, description="of its file, in YAML")


class DraftTextRequest(RequestModel):
    markdown: str = Field(max_length=1_000_000, description="the whole draft")


class NoteRequest(RequestModel):
    sentence: str = Field(max_length=3000, description="of the draft, as its content has it")
    text: str = Field(max_length=2000)
    by: str = Field(default="", max_length=200, description="without a token: who remarks")


class NoteStateRequest(RequestModel):
    resolved: bool
    by: str = Field(default="", max_length=200, description="without a token: who resolves it")


class AcceptRequest(PersonRequest):
    unchecked: list[str] = Field(
        default=[],
        max_length=1000,
        description="statements that nobody could check and the reviewer accepts all the same",
    )


class DraftRequest(ScopeRequest):
    topic: str = Field(description="what it is about", examples=["Power supply of the DX-4"])
    feature: str | None = Field(
        default=None,
        description="the specification; default: the only approved one, or none with an agent",
        examples=["installation"],
    )
    agent: str | None = Field(
        default=None, description="an agent that writes documents", examples=["blueprint"]
    )
    output: str = Field(
        default="", description="a Markdown file in the project", examples=["drafts/power.md"]
    )
    fresh: bool = Field(
        default=False, description="write unchanged sections again too", examples=[True]
    )
    overwrite: bool = Field(default=False, description="replace an existing draft", examples=[True])


class BuildRequest(RequestModel):
    format: Literal["md", "docx", "pdf", "html"] = "docx"
    title: str | None = None
    language: Literal["nl", "en"] | None = None
    allow_stale: bool = False


class EvaluationRequest(RequestModel):
    name: str | None = None
    sets: list[str] = []
    tags: list[str] = []
    retrieval_only: bool = False
    overrides: dict[str, str] = Field(
        default={}, description="key of foundry.yaml → value, as -o takes them; no models or hosts"
    )
    limit: int | None = Field(default=None, ge=1, le=1_000_000)


class QuestionDraftRequest(RequestModel):
    number: int = Field(
        default=20, ge=1, le=1000, description="answerable ones; some others are added"
    )


class QuestionReviewRequest(RequestModel):
    questions: list[str] = Field(min_length=1, max_length=5000, description="set/id")
    reject: bool = Field(default=False, description="remove them instead of accepting them")


class TableRunRequest(RequestModel):
    name: str = Field(max_length=200, description="of the table", examples=["suppliers"])
    questions: list[str] = Field(
        default=[],
        max_length=1000,
        description="the columns; default: those of the kept table",
        examples=[["What is the supply voltage?"]],
    )
    filters: list[str] | None = Field(
        default=None,
        max_length=100,
        description="the rows: only sources that match, as --filter of the commands takes them;"
        " default: those of the kept table, else all",
        examples=[["type=pdf"]],
    )
    mode: SearchMode | None = Field(
        default=None, description="default: retrieval.mode", examples=["bm25"]
    )
    jobs: int = Field(default=1, ge=1, le=64, description="cells asked at a time")
    fresh: bool = Field(default=False, description="ask what is known again too", examples=[True])
    confirmed: bool = Field(default=False, description="true for more than 1,000 cells")
    by: RowKind | None = Field(
        default=None, description="what a row is; a kept table keeps its own; default: source"
    )


class CellReviewRequest(RequestModel):
    row: str = Field(max_length=2000, description="row of a cell, or the path of its source")
    column: str = Field(max_length=10_000, description="the question, or its number from 1")
    verdict: CellVerdict
    value: str = Field(default="", max_length=5000, description="the corrected value")
    by: str = Field(default="", max_length=200, description="default: the token's name")
    seen: str = Field(default="", max_length=64, description="version of the answer that was read")
    again: bool = Field(default=False, description="decide again where somebody has decided")


# Events


class StageJson(WireModel):
    stage: Literal["waiting", "search", "write"] = Field(description="what begins now")


class StepJson(WireModel):
    phase: str = Field(description="what is being done: read, embed, write …")
    done: int
    total: int
    unit: str
    item: Text = Field(description="at what, may be empty")
