"""Evaluation data: questions with known answers, runs over them, feedback of readers.

An expectation names a place with the answer: a whole source, one of its pages or sections,
or exact spans. A question that the sources do not answer has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from foundry.doc import HIDDEN, Doc
from foundry.records.answers import Usage
from foundry.records.kinds import FeedbackKind, GateVerdict, Language, Notices, Timings, Verdict
from foundry.roles import Confidentiality

Origin = Literal["added", "imported", "feedback", "drafted"]
"""How a question was created."""

RunKind = Literal["ask", "retrieval"]
"""Full answers, or search and gate only."""

Figures = Annotated[
    Mapping[str, Annotated[float | None, Doc(digits=6)]],
    Doc("by measure; null if it cannot be computed"),
]


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
    """A stored question; ``answers`` are alternative correct wordings."""

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
    """The result of one question in a run."""

    question: Annotated[EvalQuestion, HIDDEN]
    ranking: tuple[RankedChunk, ...] = ()
    verdict: Annotated[Verdict | None, Doc("of the answer; null in a retrieval run")] = None
    gate_verdict: GateVerdict | None = None
    score: Annotated[float | None, Doc("the gate's, 0 to 1", digits=6)] = None
    answer: Annotated[str, Doc("with citation marks; empty if there is none")] = ""
    citations: Annotated[
        tuple[CitedSpan, ...], Doc("quotes of the answer, or the passages shown")
    ] = ()
    coverage: Annotated[float | None, Doc("share of verified sentences", digits=6)] = None
    figures: Figures = field(default_factory=dict)
    timings_ms: Timings = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    error: Annotated[str | None, Doc("what failed; nothing else counts then")] = None
    notices: Notices = ()
    unknown: Annotated[tuple[str, ...], Doc("an expected source that the index lacks")] = ()


@dataclass(frozen=True, slots=True)
class EvalRun:
    """A run over a set of questions.

    ``figures`` are means and shares over the whole run, ``counts`` the numbers behind them. ``role`` is
    that of the caller who started the run; lower roles do not see it.
    """

    id: int
    name: str
    kind: Annotated[RunKind, Doc("whole answers, or search alone")]
    sets: tuple[str, ...]
    started: datetime
    finished: Annotated[datetime | None, Doc("ISO 8601; null while it runs or if interrupted")] = (
        None
    )
    config: Annotated[Mapping[str, Any], Doc("the value used; JSON unless it is text")] = field(
        default_factory=dict
    )
    overrides: Annotated[Mapping[str, str], Doc("set by -o")] = field(default_factory=dict)
    versions: Annotated[Mapping[str, str], Doc("programs, models, hashes of prompts and brief")] = (
        field(default_factory=dict)
    )
    index: Annotated[str, Doc("hash of sources, chunks and vectors")] = ""
    questions: Annotated[str, Doc("hash of the questions")] = ""
    figures: Figures = field(default_factory=dict)
    counts: Annotated[Mapping[str, int], Doc("questions, errors, answerable, judged …")] = field(
        default_factory=dict
    )
    seconds: Annotated[float, Doc("of asking and saving, without loading models", digits=3)] = 0.0
    notices: Notices = ()
    role: Annotated[Confidentiality, HIDDEN] = "secret"


@dataclass(frozen=True, slots=True)
class Feedback:
    """A reader's verdict on an answer in the query log."""

    query_id: Annotated[str, Doc("qry_…")]
    correct: bool
    time: datetime
    note: Annotated[str, Doc("may be empty")] = ""
    kind: Annotated[FeedbackKind | None, Doc("what is wrong; null if correct or not said")] = None


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """What was asked and what a reader said of its answer last; ``query`` is "" if its row is gone."""

    feedback: Feedback
    query: str
    verdict: Verdict | None = None


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
