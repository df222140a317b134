"""What one revision of a document says otherwise than another, and whose words that concerns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from foundry.doc import Doc
from foundry.records.drafts import Approval
from foundry.records.kinds import Notices, Revision, RevisionDate, SourcePath

ChangeKind = Literal["added", "removed", "changed"]
TraceKind = Literal["kept", "changed", "lost"]


@dataclass(frozen=True, slots=True)
class RevisedText:
    """A sentence, list item, row or heading with its place."""

    text: str
    section: Annotated[str | None, Doc("the deepest heading above it")] = None
    page: int | None = None
    page_label: Annotated[str | None, Doc("the page number as printed")] = None


@dataclass(frozen=True, slots=True)
class RevisedCell:
    """A cell of a row that changed."""

    label: Annotated[str, Doc("of its column")]
    old: Annotated[str, Doc("empty if there was none")]
    new: Annotated[str, Doc("empty if there is none")]


@dataclass(frozen=True, slots=True)
class RevisionChange:
    """A sentence, list item, row or heading that was added, removed or changed."""

    kind: ChangeKind
    old: Annotated[RevisedText | None, Doc("null if it was added")]
    new: Annotated[RevisedText | None, Doc("null if it was removed")]
    cells: Annotated[tuple[RevisedCell, ...], Doc("of a row: those that differ")] = ()


@dataclass(frozen=True, slots=True)
class RevisionComparison:
    """What a revision of a document changed, in the order of the new one."""

    old: SourcePath
    new: SourcePath
    same: Annotated[int, Doc("sentences, items, rows and headings that both have")]
    changes: tuple[RevisionChange, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A line of a text that two versions have, or one of them."""

    kind: Literal["same", "added", "removed"]
    text: str


@dataclass(frozen=True, slots=True)
class SpecificationComparison:
    """What a specification says otherwise than what was approved last, status and approval aside."""

    name: str
    content_hash: Annotated[str, Doc("SHA-256 of what it says now")]
    approval: Annotated[Approval | None, Doc("null if it was never approved")]
    kept: Annotated[bool, Doc("false if the approved text is not known here: only its hash")]
    lines: tuple[ComparedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class TracedQuote:
    """A quotation in a draft or answer, and whether the source still has its words."""

    kind: TraceKind
    where: Annotated[str, Doc("path of the draft, or id of the answer in the log")]
    line: Annotated[int | None, Doc("of the draft; null for an answer")]
    statement: Annotated[str, Doc("what rests on the quotation")]
    quote: str
    cited: Annotated[SourcePath, Doc("the source as it was cited")]
    accepted: Annotated[bool, Doc("whether a person accepted the draft")] = False
    now: Annotated[RevisedText | None, Doc("the words there now; null if nothing is like it")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class Impact:
    """What a source, as it is now, means for the drafts and answers that cite it or an older revision."""

    source: SourcePath
    older: Annotated[tuple[SourcePath, ...], Doc("revisions of it that are older")] = ()
    quotes: tuple[TracedQuote, ...] = ()
    unread: Annotated[tuple[str, ...], Doc("drafts whose file cannot be read")] = ()


@dataclass(frozen=True, slots=True)
class RevisionMember:
    """A revision of a document; those of one ``step`` are the same revision in other files."""

    path: SourcePath
    title: str
    revision: Revision
    revision_date: RevisionDate
    step: Annotated[int, Doc("from 1 for the oldest")]


@dataclass(frozen=True, slots=True)
class RevisionLink:
    """What a person said of two sources: ``newer`` revises ``older``, or, not ``linked``, neither does."""

    newer: SourcePath
    older: SourcePath
    linked: Annotated[bool, Doc("false: they are not revisions of one document")]
    author: str
    reason: str
    created: datetime


@dataclass(frozen=True, slots=True)
class RevisionChain:
    """The revisions of one document, the current one first; ``links`` are what people said of them."""

    members: tuple[RevisionMember, ...]
    links: tuple[RevisionLink, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkedRevision:
    """What was saved of two sources; ``notices`` say what contradicts it."""

    link: RevisionLink
    notices: Notices = ()
