"""The plots of a report: those that its runs have figures for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foundry.evaluation.metrics.gate import calibration_error, reliability
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.plots import (
    Difference,
    plot_coverage,
    plot_differences,
    plot_gate_scores,
    plot_latency,
    plot_recall_curves,
    plot_reliability,
)
from foundry.evaluation.report.examined import Compared, Examined
from foundry.evaluation.report.figures import CHIEF_QUALITY, measure_name
from foundry.evaluation.report.sheet import Plot
from foundry.records import EvalResult


def draw_plots(
    runs: Sequence[Examined], compared: Sequence[Compared], phrases: Phrases
) -> tuple[tuple[Plot, ...], tuple[str, ...]]:
    """The plots, and of each that cannot be drawn a word why."""
    plots: list[Plot] = []
    missing: list[str] = []
    for name, drawn in (
        ("recall", _recall(runs, phrases)),
        ("differences", _differences(compared, phrases)),
        ("gate", _gates(runs, phrases)),
        ("reliability", _reliabilities(runs, phrases)),
        ("coverage", _coverage(runs, phrases)),
        ("latency", _latency(runs, phrases)),
    ):
        found = list(drawn)
        plots += found
        if not found and (name != "differences" or compared):
            missing.append(f"{phrases(f'plot.{name}')}: {phrases(f'missing.{name}')}")
    return tuple(plots), tuple(missing)


def _recall(runs: Sequence[Examined], phrases: Phrases) -> Iterator[Plot]:
    known = {r.label: r.figures for r in runs if r.figures.get("recall@10") is not None}
    if known:
        svg = plot_recall_curves(known, phrases=phrases)
        yield Plot(phrases("plot.recall"), svg, phrases("caption.recall"))


def _differences(compared: Sequence[Compared], phrases: Phrases) -> Iterator[Plot]:
    rows = [
        Difference(
            measure_name(name, phrases),
            one.run.label,
            change.difference or 0.0,
            change.interval.low if change.interval else None,
            change.interval.high if change.interval else None,
        )
        for name in CHIEF_QUALITY
        for one in compared
        if (change := one.changes.get(name))
    ]
    if rows:
        svg = plot_differences(rows, phrases=phrases)
        yield Plot(phrases("plot.differences"), svg, phrases("caption.differences"))


def _gates(runs: Sequence[Examined], phrases: Phrases) -> Iterator[Plot]:
    for run in runs:
        scores: dict[bool | None, list[float]] = {True: [], False: [], None: []}
        for one in _fine(run):
            if one.score is not None:
                scores[one.question.answerable].append(one.score)
        if any(scores.values()):
            title = _titled("plot.gate", run, runs, phrases)
            svg = plot_gate_scores(
                scores[True], scores[False], scores[None], threshold=_setting(run, "retrieval.min_score"),
                phrases=phrases, title=title, key=str(run.run.id),
            )  # fmt: skip
            yield Plot(title, svg, phrases("caption.gate"))


def _reliabilities(runs: Sequence[Examined], phrases: Phrases) -> Iterator[Plot]:
    for run in runs:
        known = [
            (one.score, one.question.answerable)
            for one in _fine(run)
            if one.score is not None and one.question.answerable is not None
        ]
        if len({label for _score, label in known}) == 2:
            bins = reliability([score for score, _ in known], [label for _, label in known])
            title = _titled("plot.reliability", run, runs, phrases)
            svg = plot_reliability(
                bins, phrases=phrases, title=title, score=phrases("plot.gate.axis"),
                true=phrases("plot.answerable_share"), key=str(run.run.id),
            )  # fmt: skip
            error = phrases.share(calibration_error(bins))
            yield Plot(title, svg, phrases("caption.reliability", error=error), narrow=True)


def _coverage(runs: Sequence[Examined], phrases: Phrases) -> Iterator[Plot]:
    found = {
        run.label: [one.coverage for one in _fine(run) if one.coverage is not None] for run in runs
    }
    known = {label: values for label, values in found.items() if values}
    if known:
        targets = {_setting(run, "validation.min_attribution") for run in runs}
        target = targets.pop() if len(targets) == 1 else None
        svg = plot_coverage(known, target=target, phrases=phrases)
        yield Plot(phrases("plot.coverage"), svg, phrases("caption.coverage"))


def _latency(runs: Sequence[Examined], phrases: Phrases) -> Iterator[Plot]:
    whole = {run.label: _times(run, "total") for run in runs if run.answers}
    retrieval = {run.label: _times(run, "retrieval") for run in runs}
    if any(whole.values()) or any(retrieval.values()):
        svg = plot_latency(whole, retrieval, phrases=phrases)
        yield Plot(phrases("plot.latency"), svg, phrases("caption.latency"))


def _times(run: Examined, name: str) -> list[float]:
    return [one.timings_ms[name] for one in _fine(run) if name in one.timings_ms]


def _fine(run: Examined) -> list[EvalResult]:
    return [one for one in run.results if one.error is None]


def _titled(key: str, run: Examined, runs: Sequence[Examined], phrases: Phrases) -> str:
    return phrases(key) if len(runs) == 1 else f"{phrases(key)}: {run.label}"


def _setting(run: Examined, name: str) -> float | None:
    """A number of the configuration, which is kept as one table or by dotted names."""
    value: object = run.run.config.get(name, run.run.config)
    for part in name.split("."):
        if isinstance(value, dict):
            value = value.get(part)
    return float(value) if isinstance(value, int | float) else None
