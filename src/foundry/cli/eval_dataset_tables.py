"""The tables of ``foundry eval dataset``: a figure with its interval below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foundry.cli.output import format_count, show
from foundry.cli.table import show_table
from foundry.evaluation.dataset import ArmFigures, DatasetReport, Difference, Measured
from foundry.evaluation.dataset.figures import HEAD, RANKING, Figures, Gate
from foundry.evaluation.dataset.spans import NAMES
from foundry.evaluation.measuring.intervals import Interval
from foundry.records import SearchMode

_SPAN_HEAD = ("span_recall@5", "span_precision@5", "span_iou@5", "span_recall@10")


def show_report(report: DatasetReport, *, every: bool) -> None:
    """All of a report; ``every`` adds a table of all measures for each configuration."""
    queries = format_count(len(report.queries), "query", "queries")
    found = report.measured.reused
    kept = f" ({found:,} of them from an earlier run)" if found else ""
    show(f"{report.dataset}: {format_count(report.documents, 'document')}{kept}, {queries}")
    if report.measured.setup.values:
        show(f"{report.measured.setup.name}: {_changes(report.measured)}")
    _show_measured(report.measured, every=every)
    for other in report.compared:
        show()
        show(f"{other.setup.name}: {_changes(other) or 'nothing is changed'}")
        _show_measured(other, every=every)
        show()
        show(f"{other.setup.name} against {report.measured.setup.name} (* differs clearly):")
        _show_differences(other)
    show()
    show("Below each figure: 95 % interval over the questions.")


def _show_measured(measured: Measured, *, every: bool) -> None:
    _show_arms(measured.arms)
    arms = measured.arms
    items = {name: arm.spans for name, arm in arms.items() if arm.spans}
    fits = {name: arm.characters for name, arm in arms.items() if arm.characters}
    if items and fits:
        show()
        show("The expected spans, each found by the first chunk with half of it:")
        _show_figures(items, HEAD)
        show()
        show("The characters of the expected spans in the first chunks:")
        _show_figures(fits, _SPAN_HEAD)
    if measured.gate:
        show()
        _show_gate(measured.gate)
    if every:
        show()
        _show_all({name: arm.ranking for name, arm in arms.items()}, RANKING)
        if fits:
            show()
            _show_all(fits, NAMES)


def _show_arms(arms: Mapping[SearchMode, ArmFigures]) -> None:
    rows: list[tuple[object, ...]] = []
    for name, arm in arms.items():
        times = (_milliseconds(arm.p50_ms), _milliseconds(arm.p95_ms))
        rows.append((name, *(_figure(arm.ranking.means[one]) for one in HEAD), *times))
        rows.append(("", *(_interval(arm.ranking.intervals[one]) for one in HEAD), "", ""))
    columns = (*HEAD, "p50_ms", "p95_ms")
    show_table(("ARM", *columns), rows, elastic="ARM", numbers=columns)


def _show_figures(arms: Mapping[SearchMode, Figures], names: Sequence[str]) -> None:
    rows = []
    for name, figures in arms.items():
        rows.append((name, *(_figure(figures.means[one]) for one in names)))
        rows.append(("", *(_interval(figures.intervals[one]) for one in names)))
    show_table(("ARM", *names), rows, elastic="ARM", numbers=names)


def _show_differences(other: Measured) -> None:
    names = [*HEAD]
    if any("span_recall@5" in found for found in other.differences.values()):
        names = ["spans.ndcg@10", "spans.recall@10", "span_recall@5", "span_iou@5"]
    rows = []
    for arm, found in other.differences.items():
        rows.append((arm, *(_difference(found[name]) for name in names)))
        rows.append(("", *(_interval(found[name].interval, signed=True) for name in names)))
    show_table(("ARM", *names), rows, elastic="ARM", numbers=names)


def _show_all(arms: Mapping[SearchMode, Figures], names: Sequence[str]) -> None:
    rows = [(name, *(_with_interval(figures, name) for figures in arms.values())) for name in names]
    show_table(("MEASURE", *arms), rows, elastic="MEASURE", numbers=tuple(arms))


def _show_gate(gate: Gate) -> None:
    figures = gate.figures
    named = {
        "auroc": figures.auroc,
        "refusal_precision": figures.refusal_precision,
        "refusal_recall": figures.refusal_recall,
        "false_refusal_rate": figures.false_refusal_rate,
    }
    rows = [
        (name, _figure(value), _interval(gate.intervals.get(name))) for name, value in named.items()
    ]
    show(f"The gate at {figures.threshold}, by {gate.arm} search:")
    show_table(("MEASURE", "VALUE", "INTERVAL"), rows, elastic="MEASURE", numbers=("VALUE",))


def _changes(measured: Measured) -> str:
    return ", ".join(f"{key} = {value}" for key, value in measured.setup.changes.items())


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _milliseconds(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.1f}"


def _difference(found: Difference) -> str:
    if found.mean is None:
        return "undefined"
    return f"{found.mean:+.4f}{'*' if found.clear else ''}"


def _interval(found: Interval | None, *, signed: bool = False) -> str:
    if found is None:
        return ""
    return f"{found.low:+.3f}…{found.high:+.3f}" if signed else f"{found.low:.3f}–{found.high:.3f}"


def _with_interval(figures: Figures, name: str) -> str:
    interval = _interval(figures.intervals[name])
    return f"{_figure(figures.means[name])}{f' ({interval})' if interval else ''}"
