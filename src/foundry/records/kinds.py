"""The sets of words that records choose from, and on whose behalf work is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from foundry.doc import Doc
from foundry.messages import Message, format_message
from foundry.roles import CONFIDENTIALITY_LEVELS, Confidentiality

BlockKind = Literal[
    "heading", "paragraph", "list_item", "table", "code", "caption", "cue", "contents"
]
SourceStatus = Literal["added", "updated", "unchanged", "removed", "failed"]
JobStatus = Literal["waiting", "running", "done", "failed", "cancelled"]
UnreadStatus = Literal["failed", "left_out"]
FileState = Literal["read", "warned", "waiting", "failed", "left_out", "new", "changed", "gone"]
"""``warned``: read with warnings; ``waiting``: or being read; ``new``: in the folder and not read yet;
``changed``: its file has other bytes than were read; ``gone``: its file is not there any more."""
SourceOrder = Literal[
    "path", "title", "type", "revision", "date", "status", "confidentiality", "state", "size",
    "modified", "ingested", "-path", "-title", "-type", "-revision", "-date", "-status",
    "-confidentiality", "-state", "-size", "-modified", "-ingested",
]  # fmt: skip
"""A minus reverses an order. Dates and sizes begin with the latest and the largest."""
GateVerdict = Literal["answer", "low_confidence", "no_evidence"]
Verdict = Literal["answer", "low_confidence", "passages", "no_evidence"]
"""``passages``: no model wrote anything; the nearest passages are shown and called no answer."""
ClaimVerdict = Literal[
    "exact", "supported", "misattributed", "partly", "unclear", "contradicted", "unsupported"
]
"""Rules decide ``exact``, ``contradicted`` and ``unclear`` (also for a number that no source has,
which no judge may accept); a judge decides ``supported``, ``partly`` and ``unsupported``; ``misattributed`` is exact
or supported, but not by what it cites."""
SectionForm = Literal["prose", "steps", "list", "table", "figures", "quote"]
"""What a section of a document is made of: running text, numbered steps, items, rows, captions of
figures, or quotations word for word."""
NameKind = Literal["organisation", "product", "identifier", "term", "abbreviation"]
NamePlace = Literal["front", "text"]
FactName = Literal["title", "revision", "date", "status"]
FactOrigin = Literal[
    "person",
    "front-matter",
    "control-table",
    "cover",
    "watermark",
    "running-line",
    "properties",
    "heading",
    "file-name",
    "folder",
]
"""Where a document says what it is. ``front-matter`` is what its format keeps for that (front matter,
docinfo, the header of a message), ``running-line`` the head or foot of its pages, ``watermark`` what is laid
over them."""
FactConfidence = Literal["high", "medium", "low"]
DocumentStatus = Literal["draft", "proposal", "final", "superseded", "archived", "withdrawn"]
FeedbackKind = Literal["wrong_source", "wrong_fact", "missing"]

Mode = Literal["offline", "online"]

# What fields of many records mean.
Score = Annotated[float, Doc(digits=4)]
Share = Annotated[float | None, Doc(digits=4)]
Language = Annotated[str, Doc("ISO 639-1, or und")]
SourcePath = Annotated[str, Doc("path within the project")]
ChunkId = Annotated[str, Doc("chk_…")]
Revision = Annotated[str | None, Doc("as printed in the source")]
RevisionDate = Annotated[str | None, Doc("as printed in the source, ISO 8601")]
SectionTitle = Annotated[str | None, Doc("deepest heading with its number")]
Page = Annotated[int | None, Doc("from 1")]
PageLabel = Annotated[str | None, Doc("the page number as printed")]
Coverage = Annotated[float | None, Doc("verified share, before removal")]
ShownCoverage = Annotated[float | None, Doc("verified share of the shown sentences")]
Models = Annotated[Mapping[str, str], Doc("model by step")]
Timings = Annotated[Mapping[str, float], Doc("milliseconds by step")]
Notices = Annotated[tuple[Message, ...], Doc("what was skipped or is incomplete")]

SECTION_FORMS: tuple[SectionForm, ...] = get_args(SectionForm)


@dataclass(frozen=True, slots=True)
class Principal:
    """On whose behalf work is done: the role decides what is visible in the project."""

    role: Confidentiality
    project: str

    @property
    def sees_all(self) -> bool:
        """Whether nothing in the project is hidden from the role."""
        return self.role == CONFIDENTIALITY_LEVELS[-1]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong and what to do about it: the base of records that say where."""

    problem: Annotated[Message, Doc("the same as a code with parameters")]

    @property
    def message(self) -> Annotated[str, Doc()]:
        """What is wrong, in the current language."""
        return format_message(self.problem)

    @property
    def fix(self) -> Annotated[str, Doc()]:
        """What to do about it, in the current language."""
        return format_message(self.problem, attribute="fix")
