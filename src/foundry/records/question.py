"""A question as every step after its analysis sees it: read once, and passed along."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

from foundry.doc import Doc
from foundry.messages import Message

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A content word of a question with its terms under each language of the index.

    ``terms`` has those of the whole word first, then those of its parts.
    """

    word: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A word that names something; ``initial`` if it opens a sentence, which explains its capital.

    ``key`` is the name folded, without a possessive ending.
    """

    text: str
    start: int
    identifier: bool
    initial: bool = False
    key: str = ""

    @property
    def sure(self) -> bool:
        """Whether it is written like a name wherever it stands."""
        return self.identifier or not self.initial


@dataclass(frozen=True, slots=True)
class Period:
    """A period from ``start`` to ``end`` of its text.

    ``years`` are the first and last year as printed, (0, 0) if none is. ``part`` is "q1" to "q4",
    "h1" or "h2", or "" for whole years. ``fiscal`` years may differ from the calendar's. ``days``
    are the first and last day where the text gives dates or months; ``closing`` if they are
    reckoned back from the day on which an accounting period ended. ``month_day`` is a date
    without a year, else (0, 0).
    """

    start: int
    end: int
    text: str
    years: tuple[int, int] = (0, 0)
    part: str = ""
    fiscal: bool = False
    days: tuple[date, date] | None = None
    closing: bool = False
    month_day: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class AskedValue:
    """What a question asks for: values of one of the ``dimensions``, a year, or a count of things.

    ``stems`` is how the words for the counted things begin; ``known`` are the question's own
    numbers.
    """

    kind: str
    dimensions: frozenset[str] = frozenset()
    stems: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TermSpread:
    """By source: how many of its chunks have a term, and whether its label does.

    The label is what the index has of a source in each chunk: title, file name and the names on its
    front.
    """

    chunks: npt.NDArray[np.int64]
    labelled: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Mentions:
    """Which ``sources`` have some terms: their ids in order, how many chunks each has, the spread by term.

    Arrays, because a word can be in tens of thousands of sources.
    """

    sources: npt.NDArray[np.object_]
    sizes: npt.NDArray[np.int64]
    spread: Mapping[str, TermSpread]

    def select(self, wanted: npt.NDArray[np.bool_]) -> list[str]:
        """Return the ids of some sources."""
        ids: list[str] = self.sources[wanted].tolist()
        return ids

    def find_sizes(self, ids: Collection[str]) -> dict[str, int]:
        """Return source id → number of chunks."""
        pairs = zip(self.sources.tolist(), self.sizes.tolist(), strict=True) if ids else ()
        return {source: size for source, size in pairs if source in ids}


@dataclass(frozen=True, slots=True)
class AskedName:
    """A name in a question that some sources have in their label.

    ``sources`` are the ids of those, and of sources that have it in most of their chunks;
    ``shares`` is the share of chunks that have all of its words, 0–1, by source id, ``traces``
    the share with any. ``sure`` if it is written like a name; else its spread alone makes it one.
    """

    text: str
    sources: frozenset[str]
    shares: Mapping[str, float]
    traces: Mapping[str, float]
    sure: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One of several names by which a question sets documents side by side, and those documents."""

    name: str
    sources: frozenset[str]


@dataclass(frozen=True, slots=True)
class Subject:
    """The names and periods in a question by which documents differ.

    ``sources`` are the ids of those that it is about: that have all of its names, or else any.
    ``sides`` are names of which no document has two, each with its own; none if there are fewer
    than two. ``sizes`` is the number of passages of each source that a name or a side is about.
    """

    names: tuple[AskedName, ...] = ()
    periods: tuple[Period, ...] = ()
    sources: frozenset[str] = frozenset()
    language: str = "und"
    sides: tuple[Side, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """An analysed question.

    Of its text alone: ``names``, in reading order and without periods; ``expected``, those whose lack
    is worth saying; ``periods``; ``numbers``, each with its readings; the ``value`` asked for;
    ``lists_all`` if it asks for all of something by its form, and the ``noun`` for what it counts.

    By the sources: ``words`` with their terms. ``frequencies`` counts the chunks that contain each
    term, out of ``chunks`` in all; ``languages`` are those of the chunks. ``readings`` has the
    misspelt names with the word of a source's label that is searched too. ``subject`` is what it
    names; ``parts`` are what it asks apart, each to be found in a passage of its own.
    """

    text: str
    language: str
    words: tuple[QueryTerm, ...] = ()
    frequencies: Mapping[str, int] = field(default_factory=dict)
    chunks: int = 0
    languages: frozenset[str] = frozenset()
    readings: Mapping[str, str] = field(default_factory=dict)
    names: tuple[Name, ...] = ()
    expected: tuple[Name, ...] = ()
    periods: tuple[Period, ...] = ()
    numbers: tuple[tuple[str, frozenset[float]], ...] = ()
    value: AskedValue | None = None
    lists_all: bool = False
    noun: str = ""
    subject: Subject = field(default_factory=Subject)
    parts: tuple[AskedPart, ...] = ()

    @property
    def sure_names(self) -> tuple[Name, ...]:
        """The names without words that may owe their capital to their place."""
        return tuple(name for name in self.names if name.sure)

    def compute_rarity(self, *terms: str) -> float:
        """BM25's idf of the most frequent of the terms, above 0."""
        known = max((self.frequencies.get(term, 0) for term in terms), default=0)
        return math.log(1 + (self.chunks - known + 0.5) / (known + 0.5))

    def is_covered(self, word: QueryTerm) -> bool:
        """Whether any chunk contains a word of the question."""
        return any(self.frequencies.get(term, 0) for term in word.terms)


@dataclass(frozen=True, slots=True)
class AskedPart:
    """One of several things that a question asks: its own words, in the documents of ``sources``.

    ``label`` names it to a reader. Without ``sources`` it is looked for in all documents.
    """

    label: str
    question: Question
    sources: frozenset[str] = frozenset()

    def admits(self, source_id: str) -> bool:
        """Whether a passage of a source may be what is asked."""
        return not self.sources or source_id in self.sources


@dataclass(frozen=True, slots=True)
class SubjectFit:
    """Whether a passage is about what a question names: a company, product, law, period.

    "other" if its document is about another one, and ``reason`` says so; "unknown" where that is
    in doubt (then with a ``reason``) or the question names nothing that tells documents apart.
    A passage that fits has a ``reason`` if another revision of its document comes first.
    """

    verdict: Annotated[
        Literal["fits", "unknown", "other"],
        Doc("other: its document or period is another one; unknown also if none is named"),
    ] = "unknown"
    reason: Message | None = None
