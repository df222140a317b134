"""What evaluation keeps: questions with known answers, runs over them, what a reader said.

An expectation names a place that holds the answer: a whole source, a page or section of it, or
exact spans. A question that the sources do not answer has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from foundry.records.answers import Usage
from foundry.records.kinds import Verdict

Origin = Literal["added", "imported", "feedback", "drafted"]
"""Where a question came from."""

RunKind = Literal["ask", "retrieval"]
"""Whole answers, or search and gate alone."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A place that holds the answer; what is None or empty does not narrow it.

    ``source`` is its path in the project. ``spans`` are [start, end) in code points of its stored
    text. ``relevance`` above 1 says that it is the better of several (graded judgements).
    """

    source: str
    spans: tuple[tuple[int, int], ...] = ()
    page: int | None = None
    section: str | None = None
    relevance: int = 1


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """A stored question. ``key`` is unique in a project, ``id`` in its ``set``.

    ``answerable`` is None where nobody said; ``answers`` are wordings that all count as right.
    ``reviewed`` is False for one that was drafted by machine until a person accepts it.
    """

    id: str
    set: str
    text: str
    answerable: bool | None = None
    language: str = "und"
    expected: tuple[Expectation, ...] = ()
    answers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    origin: Origin = "added"
    reviewed: bool = True
    note: str = ""

    @property
    def key(self) -> str:
        """``set/id``."""
        return f"{self.set}/{self.id}"


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk of the whole fused ranking, with its place; ``covers`` are indexes into ``expected``.

    ``relevance`` (0–1) is None below the judged candidates.
    """

    chunk_id: str
    source: str
    start: int
    end: int
    page: int | None = None
    section: str | None = None
    relevance: float | None = None
    covers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """A quote that an answer shows, at [start, end) of a source's text."""

    source: str
    start: int
    end: int
    text: str
    page: int | None = None
    covers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EvalResult:
    """One question's outcome in a run; ``error`` says what failed, and nothing else then counts.

    ``figures`` holds every measure of this question by name (``recall@10``, ``f1``, …), None
    where it is undefined. ``score_claim`` is the gate's, ``coverage`` the attribution coverage.
    ``unknown`` are expected sources that the index does not hold.
    """

    question: EvalQuestion
    ranking: tuple[RankedChunk, ...] = ()
    verdict: Verdict | None = None
    gate_verdict: Verdict | None = None
    score: float | None = None
    answer: str = ""
    citations: tuple[CitedSpan, ...] = ()
    coverage: float | None = None
    figures: Mapping[str, float | None] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    error: str | None = None
    notices: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvalRun:
    """A run over a set of questions. ``finished`` is None while it runs, or where it was cut short.

    ``config`` is the whole configuration as it was used, ``overrides`` what ``-o`` changed of it;
    ``index`` a hash of all chunks and of the embedding fingerprint; ``questions`` a hash of the
    questions as they were asked. ``figures`` are the means and shares of the whole run by name,
    None where undefined; ``counts`` the numbers behind them (``questions``, ``errors``, …).
    """

    id: int
    name: str
    kind: RunKind
    sets: tuple[str, ...]
    started: datetime
    finished: datetime | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    overrides: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    index: str = ""
    questions: str = ""
    figures: Mapping[str, float | None] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a reader said of an answer in the query log."""

    query_id: str
    correct: bool
    time: datetime
    note: str = ""


@dataclass(frozen=True, slots=True)
class FittedCalibration:
    """Constants fitted to a project's own questions, in place of those that ship.

    They hold for vectors of ``compute_fingerprint`` alone. ``gate`` has the shape of a model's entry in
    ``craft/gate/constants.json``, ``verifier`` that of ``craft/grounding/constants.json``; None
    leaves the shipped ones. ``figures`` are the cross-validated ones of the fit.
    """

    model: str
    fingerprint: str
    made: datetime
    gate: Mapping[str, Any] | None = None
    verifier: Mapping[str, Any] | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
