"""The JSON of evaluation: questions, runs over them, comparisons and reports."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BeforeValidator, Field

from foundry.evaluation.comparison import UncomparedQuestions
from foundry.evaluation.metrics.measures import CHIEF, MEASURES
from foundry.evaluation.report.report import find_faulty
from foundry.records import (
    CitedSpan,
    EvalResult,
    EvalRun,
    Expectation,
    GateVerdict,
    Origin,
    RankedChunk,
    RunKind,
    Verdict,
)
from foundry.wire import fields
from foundry.wire.base import MessageJson, UsageJson, WireModel

if TYPE_CHECKING:
    from foundry.evaluation.comparison import ChangedQuestion, Comparison
    from foundry.evaluation.metrics.measures import Breach
    from foundry.evaluation.metrics.statistics import Interval
    from foundry.evaluation.questions import QuestionView
    from foundry.evaluation.report import Report, RunSummary
    from foundry.evaluation.report.tables import ComparedRun
    from foundry.messages import Message

Keys = Annotated[list[str], Field(description="set/id")]
Figure = Annotated[int | float | None, fields.round_to(6)]
Figures = Annotated[
    dict[str, Figure], Field(description="by measure; null if it cannot be computed")
]

# Questions


class EvalQuestionJson(WireModel):
    id: str = Field(description="unique in its set")
    set: str
    text: str = Field(description="the question")
    answerable: bool | None = Field(description="null if unlabelled")
    language: fields.Language
    expected: list[Expectation]
    answers: list[str] = Field(description="an accepted answer")
    tags: list[str]
    origin: Origin
    reviewed: bool = Field(description="false for a draft until a person accepts it")
    note: str = Field(description="may be empty")
    key: str = Field(description="set/id")


class SetCountsJson(WireModel):
    questions: int
    answerable: int
    unanswerable: int
    unlabelled: int = Field(description="answerable is null")
    unreviewed: int = Field(description="drafts, left out of runs until accepted")


class EvalListJson(WireModel):
    questions: list[EvalQuestionJson]
    sets: dict[str, SetCountsJson]


class SpanWordsJson(WireModel):
    source: fields.SourcePath
    start: fields.CharStart
    end: int
    text: str = Field(description="the words there now")


class EvalShowJson(EvalQuestionJson):
    quotes: list[SpanWordsJson]
    unknown_sources: list[str] = Field(description="expected but not in the project")

    @classmethod
    def from_record(cls, view: QuestionView) -> Self:
        return cls.copy_fields(view.question, quotes=view.quotes, unknown_sources=view.unknown)


class RefusedLineJson(WireModel):
    file: str
    line: int | None = Field(description="from 1")
    reason: MessageJson
    fix: str
    id: str | None


class EvalImportJson(WireModel):
    added: Keys
    updated: Keys
    unchanged: Keys
    refused: list[RefusedLineJson]
    notices: fields.Notices


class SkippedDraftJson(WireModel):
    source: fields.SourcePath
    what: fields.Text
    reason: MessageJson


class EvalDraftJson(WireModel):
    set: str
    model: str = Field(description="who drafted")
    questions: list[EvalQuestionJson]
    kept: Keys = Field(description="set/id of a question drafted before and left alone")
    skipped: list[SkippedDraftJson]
    usage: UsageJson
    notices: fields.Notices


class EvalAcceptJson(WireModel):
    accepted: Keys
    rejected: Keys
    before: Keys = Field(description="set/id of a question accepted before")
    notices: fields.Notices


class EvalRemoveJson(WireModel):
    removed: Keys


class EvalExportJson(WireModel):
    path: str = Field(description="of the file")
    questions: int


# Runs


class IntervalJson(WireModel):
    low: Figure
    high: Figure


def _format_setting(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class EvalRunJson(WireModel):
    id: int
    name: str
    kind: RunKind = Field(description="whole answers, or search alone")
    sets: list[str]
    started: fields.Timestamp
    finished: fields.Timestamp | None = Field(
        description="ISO 8601; null while it runs or if interrupted"
    )
    seconds: fields.Seconds = Field(description="of asking and saving, without loading models")
    figures: Figures
    intervals: dict[str, IntervalJson | None] | None
    counts: dict[str, int] = Field(description="questions, errors, answerable, judged …")
    overrides: dict[str, str] = Field(description="set by -o")
    config: dict[str, Annotated[str, BeforeValidator(_format_setting)]] = Field(
        description="the value used; JSON unless it is text"
    )
    versions: dict[str, str] = Field(description="programs, models, hashes of prompts and brief")
    index: str = Field(description="hash of sources, chunks and vectors")
    questions: str = Field(description="hash of the questions")
    notices: fields.Notices

    @classmethod
    def from_record(cls, run: EvalRun) -> Self:
        return cls.from_run(run)

    @classmethod
    def from_run(cls, run: EvalRun, intervals: Mapping[str, Interval | None] | None = None) -> Self:
        """The run; ``intervals`` are null if none are given."""
        by_measure = intervals and {name: intervals.get(name) for name in MEASURES}
        return cls.copy_fields(run, intervals=by_measure)


class EvalResultJson(WireModel):
    key: str = Field(description="set/id")
    text: str
    answerable: bool | None
    expected: list[Expectation]
    answers: list[str] = Field(description="an accepted answer")
    verdict: Verdict | None = Field(description="of the answer; null in a retrieval run")
    gate_verdict: GateVerdict | None
    score: Figure = Field(description="the gate's, 0 to 1")
    answer: str = Field(description="with citation marks; empty if there is none")
    coverage: Figure = Field(description="share of verified sentences")
    figures: Figures
    citations: list[CitedSpan] = Field(description="quotes of the answer, or the passages shown")
    ranking: list[RankedChunk]
    timings_ms: fields.Timings
    usage: UsageJson
    error: str | None = Field(description="what failed; nothing else counts then")
    unknown: list[str] = Field(description="an expected source that the index lacks")
    notices: fields.Notices

    @classmethod
    def from_record(cls, result: EvalResult) -> Self:
        return cls.copy_fields(result, result.question)


class SideIndexJson(WireModel):
    path: fields.SourcePath
    size: int = Field(description="bytes")


class EvalRunsJson(WireModel):
    runs: list[EvalRunJson]
    questions: list[EvalResultJson]
    indexes: list[SideIndexJson]
    removed: list[int] = Field(description="id of a run")
    cleared: list[str] = Field(description="path of a removed index")


class ComparedRunJson(WireModel):
    id: int
    name: str
    kind: RunKind
    sets: list[str]
    finished: bool

    @classmethod
    def from_record(cls, run: EvalRun) -> Self:
        return cls.copy_fields(run, finished=run.finished is not None)


class MeasureChangeJson(WireModel):
    measure: str
    first: Figure = Field(description="over the questions where both runs have it")
    second: Figure
    difference: Figure = Field(description="second - first")
    interval: IntervalJson | None
    n: int = Field(description="questions behind it")
    clear: bool = Field(description="the interval excludes 0")
    better: bool = Field(description="clearly")
    worse: bool = Field(description="clearly, or undefined now and defined before")


class ChangedQuestionJson(WireModel):
    key: str = Field(description="set/id")
    text: str
    what: Literal["error", "verdict", "recall@10", "exact_match", "f1", "shown_gold"]
    first: str | None
    second: str | None
    direction: Literal["better", "worse", "changed"]

    @classmethod
    def from_record(cls, changed: ChangedQuestion) -> Self:
        first, second = (
            None if value is None else str(value) for value in (changed.first, changed.second)
        )
        return cls.copy_fields(changed, changed.question, first=first, second=second)


class RunDifferenceJson(WireModel):
    """A key, version or hash that differs; null where a run lacks it."""

    name: MessageJson
    first: str | None
    second: str | None


class ComparisonJson(WireModel):
    first: ComparedRunJson
    second: ComparedRunJson
    common: int = Field(description="questions compared")
    left_out: UncomparedQuestions
    differs: list[RunDifferenceJson]
    measures: list[MeasureChangeJson]
    worse: list[str] = Field(description="a measure that is clearly worse, not a time or cost")
    changed: list[ChangedQuestionJson]
    notices: fields.Notices

    @classmethod
    def from_record(cls, comparison: Comparison) -> Self:
        return cls.copy_fields(comparison, worse=[item.measure for item in comparison.worse()])


class BreachJson(WireModel):
    measure: str
    least: float | None = Field(description="from --fail-below")
    most: float | None = Field(description="from --fail-above")
    value: float | None

    @classmethod
    def from_record(cls, breach: Breach) -> Self:
        bound = breach.bound
        least, most = (None, bound.limit) if bound.above else (bound.limit, None)
        return cls(measure=bound.measure, least=least, most=most, value=breach.value)


class RunOutcomeJson(WireModel):
    run: EvalRunJson
    passed: bool = Field(description="false exits with 1")
    failed: list[BreachJson]
    worse: list[str] = Field(description="a measure that is clearly worse than in the baseline")
    baseline: ComparisonJson | None


# Reports


class RunSummaryJson(WireModel):
    id: int
    name: str
    label: str = Field(description="its name in the report, with its number if two share a name")
    kind: RunKind = Field(description="whole answers, or search alone")
    finished: bool
    questions: int = Field(description="with an outcome")
    errors: int
    wrong: int = Field(description="outcomes with an error, a wrong refusal, a missing place …")
    figures: Figures

    @classmethod
    def from_record(cls, summary: RunSummary) -> Self:
        return cls.copy_fields(
            summary.run,
            label=summary.label,
            finished=summary.run.finished is not None,
            questions=len(summary.results),
            errors=sum(result.error is not None for result in summary.results),
            wrong=len(find_faulty(summary.results)),
            figures={name: summary.figures.get(name) for name in CHIEF},
        )


class RunChangesJson(WireModel):
    id: int = Field(description="of a run compared with the first")
    common: int = Field(description="questions that both asked in the same way")
    better: list[str] = Field(description="a measure that is clearly better")
    worse: list[str]

    @classmethod
    def from_record(cls, compared: ComparedRun) -> Self:
        return cls(
            id=compared.run.run.id,
            common=compared.comparison.common if compared.comparison else 0,
            better=[name for name, change in compared.changes.items() if change.better],
            worse=[name for name, change in compared.changes.items() if change.worse],
        )


class ReportJson(WireModel):
    path: str = Field(description="the file written")
    format: Literal["html"]
    bytes: int
    runs: list[RunSummaryJson]
    compared: list[RunChangesJson]
    notices: fields.Notices

    @classmethod
    def from_report(cls, report: Report, path: Path, notices: Sequence[Message]) -> Self:
        """The report as written to a file, with the notices of the command."""
        size = len(report.text.encode())
        return cls.copy_fields(report, path=str(path), format="html", bytes=size, notices=notices)
