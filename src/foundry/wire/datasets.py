"""The JSON of ``foundry eval dataset``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field, create_model

from foundry.evaluation.metrics.measures import GATE, RANKING
from foundry.evaluation.metrics.ranking import SPAN_MEASURES
from foundry.messages import Message
from foundry.records import SearchMode, kinds
from foundry.wire.base import WireModel, round_to

if TYPE_CHECKING:
    from foundry.evaluation.comparison import MeasureChange
    from foundry.evaluation.dataset import DatasetReport, Measurement, ModeFigures
    from foundry.evaluation.dataset.project import ModeRun
    from foundry.evaluation.metrics.statistics import Interval

GATE_MEASURES = ("auroc", *GATE)
COMPARED_MEASURES = (*RANKING, *(f"spans.{name}" for name in RANKING), *SPAN_MEASURES, *GATE_MEASURES)  # fmt: skip

Bounds = Annotated[
    list[Annotated[float, round_to(4)]] | None,
    Field(description="low, high: they contain the true mean in 95 % of such samples"),
]
Milliseconds = Annotated[float | None, round_to(1)]


def _list_fields(names: Sequence[str], description: str) -> dict[str, Any]:
    """A field for every measure, and their intervals."""
    share = (kinds.Share, Field(description=description))
    return {**dict.fromkeys(names, share), "intervals": (dict[str, Bounds], Field())}


# The names of measures contain signs such as @, so that they cannot be written as attributes.
_RANKING = _list_fields(RANKING, "0 to 1; null if no query is judged")
RankingJson = create_model("RankingJson", __base__=WireModel, **_RANKING)
_SPANS = _list_fields(SPAN_MEASURES, "of the characters expected and retrieved, 0 to 1")
SpanFiguresJson = create_model("SpanFiguresJson", __base__=WireModel, **_SPANS)
_ARM: dict[str, Any] = {
    "run": (int, Field(description="of the run in the cached project")),
    "p50_ms": (Milliseconds, Field(description="median time of a search")),
    "p95_ms": (Milliseconds, Field()),
    **_RANKING,
    "spans": (RankingJson | None, Field()),
    "characters": (SpanFiguresJson | None, Field()),
}
ArmJson = create_model("ArmJson", __base__=WireModel, **_ARM)


class DatasetGateJson(WireModel):
    auroc: kinds.Share = Field(description="0 to 1")
    refusal_precision: kinds.Share = Field(description="0 to 1")
    refusal_recall: kinds.Share = Field(description="0 to 1")
    false_refusal_rate: kinds.Share = Field(description="0 to 1")
    threshold: float = Field(description="retrieval.min_score")
    arm: SearchMode = Field(description="the search mode whose gate this is")
    intervals: dict[str, Bounds]


class NamedConfigJson(WireModel):
    name: str = Field(description="default, or the file's name")
    changes: dict[str, str] = Field(description="the value of this key, as JSON")


class CachedProjectJson(WireModel):
    folder: str = Field(description="the cached project")
    reused: int = Field(description="documents that were there before")


class MeasurementJson(WireModel):
    arms: dict[str, ArmJson]
    gate: DatasetGateJson | None
    config: NamedConfigJson
    index: CachedProjectJson


class DifferenceJson(WireModel):
    difference: kinds.Share = Field(description="from the first configuration, mean over queries")
    interval: Bounds
    clear: bool = Field(description="the interval excludes 0")

    @classmethod
    def from_record(cls, change: MeasureChange) -> Self:
        return cls.copy_fields(change, interval=_list_bounds(change.interval))


class ComparedMeasurementJson(MeasurementJson):
    differences: dict[str, dict[str, DifferenceJson]]

    @classmethod
    def from_record(cls, measured: Measurement) -> Self:
        differences = {
            mode: {
                name: changes[name]
                for name in COMPARED_MEASURES
                if name in changes and changes[name].first is not None
            }
            for mode, changes in measured.changes.items()
        }
        return cls(**_describe_measurement(measured), differences=differences)


class _DatasetHead(WireModel):
    dataset: str = Field(description="name of the folder")
    documents: int
    queries: int = Field(description="number of queries searched")


class SkippedLineJson(WireModel):
    file: str
    line: int = Field(description="from 1")
    reason: Message


class DatasetJson(MeasurementJson, _DatasetHead):
    notices: kinds.Notices
    counts: dict[str, int] = Field(description="questions of each kind, and what was left out")
    skipped: list[SkippedLineJson]
    compared: list[ComparedMeasurementJson]

    @classmethod
    def from_record(cls, report: DatasetReport) -> Self:
        measured = _describe_measurement(report.measured)
        return cls.copy_fields(report, **measured, queries=len(report.queries))


def _describe_measurement(measured: Measurement) -> dict[str, Any]:
    """The fields of a measurement."""
    config = measured.config
    changes = {key: json.dumps(value, ensure_ascii=False) for key, value in config.changes.items()}
    return {
        "arms": {mode: _describe_run(run) for mode, run in measured.runs.items()},
        "gate": _describe_gate(measured) if measured.is_labelled else None,
        "config": {"name": config.name, "changes": changes},
        "index": {"folder": str(measured.folder), "reused": measured.reused},
    }


def _describe_run(run: ModeRun) -> dict[str, Any]:
    figures = run.documents.figures
    return {
        "run": run.run.id,
        "p50_ms": figures["latency_p50_ms"],
        "p95_ms": figures["latency_p95_ms"],
        **_describe_figures(run.documents, RANKING),
        "spans": run.spans and _describe_figures(run.spans, RANKING),
        "characters": run.spans and _describe_figures(run.spans, SPAN_MEASURES),
    }


def _describe_gate(measured: Measurement) -> dict[str, Any]:
    documents = measured.runs[measured.gate_mode].documents
    figures = _describe_figures(documents, GATE_MEASURES)
    intervals = _drop_prefix(figures.pop("intervals"))
    own = {"threshold": measured.threshold, "arm": measured.gate_mode, "intervals": intervals}
    return {**_drop_prefix(figures), **own}


def _drop_prefix(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {name.removeprefix("gate_"): value for name, value in figures.items()}


def _describe_figures(measured: ModeFigures, names: Sequence[str]) -> dict[str, Any]:
    intervals = {name: _list_bounds(measured.intervals[name]) for name in names}
    return {**{name: measured.figures[name] for name in names}, "intervals": intervals}


def _list_bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
