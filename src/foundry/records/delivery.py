"""What is kept of a draft that was written, and the client's document that is made of several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from foundry.records.answers import Usage
from foundry.records.conflicts import Conflict
from foundry.records.kinds import Verdict

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
    ``content_hash`` is the SHA-256 of the file's bytes as written; ``feature_hash`` the
    specification's ``content_hash`` at that time.
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
class Note:
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
    notes: tuple[Note, ...]
    register: tuple[UsedSource, ...]
    stale: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
