"""Evaluation data: questions with known answers, runs over them, feedback of readers.

An expectation names a place with the answer: a whole source, one of its pages or sections,
or exact spans. A question that the sources do not answer has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from foundry.doc import Doc
from foundry.messages import Message
from foundry.records.answers import Usage
from foundry.records.kinds import FeedbackKind, GateVerdict, Language, Verdict
from foundry.roles import Confidentiality

Origin = Literal["added", "imported", "feedback", "drafted"]
"""How a question was created."""

RunKind = Literal["ask", "retrieval"]
"""Full answers, or search and gate only."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A place with the answer; fields that are None or empty do not narrow it.

    ``source`` is its path in the project. ``spans`` are [start, end) in code points of its stored
    text. ``relevance`` above 1 ranks it over other places (graded judgements).
    """

    source: str
    spans: tuple[tuple[int, int], ...] = ()
    page: int | None = None
    section: str | None = None
    relevance: int = 1


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """A stored question. ``key`` is unique in the project, ``id`` in its ``set``.

    ``answerable`` is None if unknown; ``answers`` are alternative correct wordings. ``reviewed``
    is False for a machine-drafted question until a person accepts it.
    """

    id: Annotated[str, Doc("unique in its set")]
    set: str
    text: Annotated[str, Doc("the question")]
    answerable: Annotated[bool | None, Doc("null if unlabelled")] = None
    language: Language = "und"
    expected: tuple[Expectation, ...] = ()
    answers: Annotated[tuple[str, ...], Doc("an accepted answer")] = ()
    tags: tuple[str, ...] = ()
    origin: Origin = "added"
    reviewed: Annotated[bool, Doc("false for a draft until a person accepts it")] = True
    note: Annotated[str, Doc("may be empty")] = ""

    @property
    def key(self) -> Annotated[str, Doc("set/id")]:
        """``set/id``."""
        return f"{self.set}/{self.id}"


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk of the fused ranking with its position.

    ``covers`` are indexes into ``expected``. ``relevance`` (0–1) is None for chunks that the gate
    does not judge.
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
    """A quote or a passage shown by an answer, at [start, end) of a source's text."""

    source: str
    start: int
    end: int
    text: str
    page: int | None = None
    covers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EvalResult:
    """The result of one question in a run; with an ``error`` only that counts.

    ``figures`` contains every measure of this question by name (``recall@10``, ``f1``, …), None if
    undefined. ``score`` is the gate's, ``coverage`` the attribution coverage. ``unknown`` are
    expected sources that are not in the index.
    """

    question: EvalQuestion
    ranking: tuple[RankedChunk, ...] = ()
    verdict: Verdict | None = None
    gate_verdict: GateVerdict | None = None
    score: float | None = None
    answer: str = ""
    citations: tuple[CitedSpan, ...] = ()
    coverage: float | None = None
    figures: Mapping[str, float | None] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    error: str | None = None
    notices: tuple[Message, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvalRun:
    """A run over a set of questions; ``finished`` is None while it runs or if interrupted.

    ``config`` is the complete configuration used, ``overrides`` what ``-o`` changed in it;
    ``index`` is a hash of all chunks and the embedding fingerprint; ``questions`` a hash of the
    questions as asked. ``figures`` are means and shares over the whole run by name, None if
    undefined; ``counts`` the numbers behind them (``questions``, ``errors``, …). ``role`` is that
    of the caller who started the run; lower roles do not see it.
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
    notices: tuple[Message, ...] = ()
    role: Confidentiality = "secret"


@dataclass(frozen=True, slots=True)
class Feedback:
    """A reader's verdict on an answer in the query log; ``kind`` says what is wrong with it."""

    query_id: Annotated[str, Doc("qry_…")]
    correct: bool
    time: datetime
    note: Annotated[str, Doc("may be empty")] = ""
    kind: Annotated[FeedbackKind | None, Doc("what is wrong; null if correct or not said")] = None


@dataclass(frozen=True, slots=True)
class FittedCalibration:
    """The gate's calibration fitted to the project's own questions, replacing the shipped one.

    It is valid only for vectors with this ``fingerprint``. ``gate`` has the form of a model's
    entry in ``craft/gate/constants.json``. ``figures`` are the cross-validated ones of the fit.
    """

    model: str
    fingerprint: str
    made: datetime
    gate: Mapping[str, Any]
    figures: Mapping[str, Any] = field(default_factory=dict)
