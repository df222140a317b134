"""The plots of a report: those for which its runs have figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foundry.evaluation.metrics.gate import calibration_error, reliability
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.plots import (
    PlottedChange,
    plot_coverage,
    plot_differences,
    plot_gate_scores,
    plot_latency,
    plot_recall_curves,
    plot_reliability,
)
from foundry.evaluation.report.figures import CHIEF_QUALITY, name_measure
from foundry.evaluation.report.run_summary import ComparedRun, RunSummary
from foundry.records import EvalResult


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot with its caption; a narrow one shares a line with others."""

    title: str
    svg: str
    caption: str
    narrow: bool = False


def draw_plots(
    runs: Sequence[RunSummary], compared: Sequence[ComparedRun], phrases: Phrases
) -> tuple[list[Drawing], list[str]]:
    """Draw the plots; of each that cannot be drawn return the reason."""
    drawings: list[Drawing] = []
    missing: list[str] = []
    for name, drawn in (
        ("recall", _draw_recall(runs, phrases)),
        ("differences", _draw_differences(compared, phrases)),
        ("gate", _draw_gates(runs, phrases)),
        ("reliability", _draw_reliabilities(runs, phrases)),
        ("coverage", _draw_coverage(runs, phrases)),
        ("latency", _draw_latency(runs, phrases)),
    ):
        own = list(drawn)
        drawings += own
        if not own and (name != "differences" or compared):
            missing.append(f"{phrases(f'report-plot-{name}')}: {phrases(f'report-missing-{name}')}")
    return drawings, missing


def _draw_recall(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    known = {r.label: r.figures for r in runs if r.figures.get("recall@10") is not None}
    if known:
        svg = plot_recall_curves(known, phrases)
        yield Drawing(phrases("report-plot-recall"), svg, phrases("report-caption-recall"))


def _draw_differences(compared: Sequence[ComparedRun], phrases: Phrases) -> Iterator[Drawing]:
    changes = [
        PlottedChange(
            measure=name_measure(name, phrases),
            run=pair.run.label,
            mean=change.difference or 0.0,
            low=change.interval.low if change.interval else None,
            high=change.interval.high if change.interval else None,
        )
        for name in CHIEF_QUALITY
        for pair in compared
        if (change := pair.changes.get(name))
    ]
    if changes:
        svg = plot_differences(changes, phrases)
        yield Drawing(
            phrases("report-plot-differences"), svg, phrases("report-caption-differences")
        )


def _draw_gates(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    for run in runs:
        scores: dict[bool | None, list[float]] = {True: [], False: [], None: []}
        for result in _drop_errors(run):
            if result.score is not None:
                scores[result.question.answerable].append(result.score)
        if any(scores.values()):
            title = _name_run("report-plot-gate", run, runs, phrases)
            svg = plot_gate_scores(
                scores[True],
                scores[False],
                scores[None],
                threshold=_read_setting(run, "retrieval.min_score"),
                phrases=phrases,
                title=title,
                key=str(run.run.id),
            )
            yield Drawing(title, svg, phrases("report-caption-gate"))


def _draw_reliabilities(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    for run in runs:
        known = [
            (result.score, result.question.answerable)
            for result in _drop_errors(run)
            if result.score is not None and result.question.answerable is not None
        ]
        if len({label for _score, label in known}) < 2:
            continue
        bins = reliability([score for score, _ in known], [label for _, label in known])
        title = _name_run("report-plot-reliability", run, runs, phrases)
        svg = plot_reliability(
            bins,
            phrases=phrases,
            title=title,
            score=phrases("report-plot-gate-axis"),
            true=phrases("report-plot-answerable-share"),
            key=str(run.run.id),
        )
        error = phrases.share(calibration_error(bins))
        yield Drawing(title, svg, phrases("report-caption-reliability", error=error), narrow=True)


def _draw_coverage(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    coverages = {
        run.label: [result.coverage for result in _drop_errors(run) if result.coverage is not None]
        for run in runs
    }
    known = {label: values for label, values in coverages.items() if values}
    if known:
        targets = {_read_setting(run, "validation.min_attribution") for run in runs}
        target = targets.pop() if len(targets) == 1 else None
        svg = plot_coverage(known, target, phrases)
        yield Drawing(phrases("report-plot-coverage"), svg, phrases("report-caption-coverage"))


def _draw_latency(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    whole = {run.label: _list_times(run, "total") for run in runs if run.answers}
    retrieval = {run.label: _list_times(run, "retrieval") for run in runs}
    if any(whole.values()) or any(retrieval.values()):
        svg = plot_latency(whole, retrieval, phrases)
        yield Drawing(phrases("report-plot-latency"), svg, phrases("report-caption-latency"))


def _list_times(run: RunSummary, name: str) -> list[float]:
    return [result.timings_ms[name] for result in _drop_errors(run) if name in result.timings_ms]


def _drop_errors(run: RunSummary) -> list[EvalResult]:
    return [result for result in run.results if result.error is None]


def _name_run(key: str, run: RunSummary, runs: Sequence[RunSummary], phrases: Phrases) -> str:
    return phrases(key) if len(runs) == 1 else f"{phrases(key)}: {run.label}"


def _read_setting(run: RunSummary, name: str) -> float | None:
    """A number of the configuration, which is stored as one table or by dotted names."""
    value: object = run.run.config.get(name, run.run.config)
    for part in name.split("."):
        if isinstance(value, dict):
            value = value.get(part)
    return float(value) if isinstance(value, int | float) else None
