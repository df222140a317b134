"""The JSON of evaluation: questions, runs over them, comparisons and reports."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BeforeValidator, Field

from foundry.evaluation.comparison import Comparison
from foundry.evaluation.gate_curve import GateCurve
from foundry.evaluation.metrics.measures import CHIEF, MEASURES
from foundry.evaluation.metrics.statistics import Interval
from foundry.evaluation.questions import DraftReport, ImportReport, QuestionView
from foundry.evaluation.questions.files import ReviewResult
from foundry.evaluation.report.report import find_faulty
from foundry.messages import Message
from foundry.records import (
    EvalQuestion,
    EvalResult,
    EvalRun,
    Expectation,
    RunKind,
    kinds,
)
from foundry.records.evaluation import Figures
from foundry.wire import fields
from foundry.wire.base import RecordModel, WireModel

if TYPE_CHECKING:
    from foundry.evaluation.comparison import ChangedQuestion
    from foundry.evaluation.metrics.measures import Breach
    from foundry.evaluation.report import Report, RunSummary
    from foundry.evaluation.report.tables import ComparedRun

# Questions


class SetCountsJson(WireModel):
    questions: int
    answerable: int
    unanswerable: int
    unlabelled: int = Field(description="answerable is null")
    unreviewed: int = Field(description="drafts, left out of runs until accepted")


class EvalListJson(WireModel):
    questions: list[EvalQuestion]
    sets: dict[str, SetCountsJson]


class SpanWordsJson(WireModel):
    source: kinds.SourcePath
    start: fields.CharStart
    end: int
    text: str = Field(description="the words there now")


class EvalShowJson(RecordModel, of=EvalQuestion):
    quotes: list[SpanWordsJson]
    unknown_sources: list[str] = Field(description="expected but not in the project")

    @classmethod
    def from_record(cls, view: QuestionView) -> Self:
        return cls.copy_fields(view.question, quotes=view.quotes, unknown_sources=view.unknown)


class EvalImportJson(RecordModel, of=ImportReport):
    """What an import did."""


class EvalDraftJson(RecordModel, of=DraftReport):
    """The drafted questions, and what gave none."""


class EvalAcceptJson(RecordModel, of=ReviewResult):
    """The questions that were accepted or rejected."""


class EvalRemoveJson(WireModel):
    removed: list[str] = Field(description="set/id")


class EvalExportJson(WireModel):
    path: str = Field(description="of the file")
    questions: int


# Runs


def _format_setting(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class EvalRunJson(RecordModel, of=EvalRun):
    intervals: dict[str, Interval | None] | None
    config: dict[str, Annotated[str, BeforeValidator(_format_setting)]] = Field(
        description="the value used; JSON unless it is text"
    )

    @classmethod
    def from_record(cls, run: EvalRun) -> Self:
        return cls.from_run(run)

    @classmethod
    def from_run(cls, run: EvalRun, intervals: Mapping[str, Interval | None] | None = None) -> Self:
        """The run; ``intervals`` are null if none are given."""
        by_measure = intervals and {name: intervals.get(name) for name in MEASURES}
        return cls.copy_fields(run, intervals=by_measure)


class EvalResultJson(RecordModel, of=EvalResult):
    key: str = Field(description="set/id")
    text: str
    answerable: bool | None
    expected: list[Expectation]
    answers: list[str] = Field(description="an accepted answer")

    @classmethod
    def from_record(cls, result: EvalResult) -> Self:
        return cls.copy_fields(result, result.question)


class SideIndexJson(WireModel):
    path: kinds.SourcePath
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


class ComparisonJson(RecordModel, of=Comparison):
    first: ComparedRunJson
    second: ComparedRunJson
    changed: list[ChangedQuestionJson]
    worse: list[str] = Field(description="a measure that is clearly worse, not a time or cost")

    @classmethod
    def from_record(cls, comparison: Comparison) -> Self:
        return cls.copy_fields(comparison, worse=[item.measure for item in comparison.worse()])


class GateCurveJson(RecordModel, of=GateCurve):
    """What the gate refuses and lets through at each threshold."""


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
    notices: kinds.Notices

    @classmethod
    def from_report(cls, report: Report, path: Path, notices: Sequence[Message]) -> Self:
        """The report as written to a file, with the notices of the command."""
        size = len(report.text.encode())
        return cls.copy_fields(report, path=str(path), format="html", bytes=size, notices=notices)
