"""The sets of words that records choose from, and on whose behalf work is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from foundry.messages import Message, format_message
from foundry.roles import CONFIDENTIALITY_LEVELS, Confidentiality

BlockKind = Literal[
    "heading", "paragraph", "list_item", "table", "code", "caption", "cue", "contents"
]
SourceStatus = Literal["added", "updated", "unchanged", "removed", "failed"]
JobStatus = Literal["waiting", "running", "done", "failed", "cancelled"]
UnreadStatus = Literal["failed", "left_out"]
GateVerdict = Literal["answer", "low_confidence", "no_evidence"]
Verdict = Literal["answer", "low_confidence", "passages", "no_evidence"]
"""``passages``: no model wrote anything; the nearest passages are shown and called no answer."""
ClaimVerdict = Literal[
    "exact", "supported", "misattributed", "partly", "unclear", "contradicted", "unsupported"
]
"""Rules decide ``exact``, ``contradicted``, ``unclear`` and, for a number that no source has,
``unsupported``; a judge decides ``supported``, ``partly`` and ``unsupported``; ``misattributed`` is exact
or supported, but not by what it cites."""
SectionForm = Literal["prose", "steps", "list", "table", "figures", "quote"]
"""What a section of a document is made of: running text, numbered steps, items, rows, captions of
figures, or quotations word for word."""
NameKind = Literal["organisation", "product", "identifier", "term", "abbreviation"]
NamePlace = Literal["front", "text"]
FeedbackKind = Literal["wrong_source", "wrong_fact", "missing"]

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

    problem: Message

    @property
    def message(self) -> str:
        """What is wrong, in the current language."""
        return format_message(self.problem)

    @property
    def fix(self) -> str:
        """What to do about it, in the current language."""
        return format_message(self.problem, attribute="fix")
