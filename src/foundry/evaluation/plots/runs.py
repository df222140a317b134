"""Plots of runs side by side: recall and nDCG by depth, differences with intervals, times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from foundry.evaluation.metrics.ranking import CUTS
from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots.canvas import (
    COLOURS,
    DASHES,
    INK,
    MARKERS,
    QUIET,
    add_legend,
    draw_svg,
    set_log_axis,
    set_number_axis,
    set_unit_axis,
    shorten,
)

PERCENTILES = (5, 25, 50, 75, 95)
_LOG_RATIO = 30.0
"""From this ratio of slowest to fastest a linear axis would squeeze the fast ones into a line."""
_LEAST_REACH = 0.05
"""The narrowest axis of differences: small ones must not fill the page as if they were large."""
_SPREAD = 0.5
"""The part of a measure's row that the runs share."""
_LABELS = {"recall": "recall", "ndcg": "nDCG"}
_FILLS = {"whole": "#8fbfe0", "retrieval": "#f3c98b"}

Figures = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class PlottedChange:
    """The difference of a run from the first one in a measure, with the bounds of its interval."""

    measure: str
    run: str
    mean: float
    low: float | None = None
    high: float | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval, or the mean twice where there is none."""
        return self.mean if self.low is None else self.low, (
            self.mean if self.high is None else self.high
        )


def plot_recall_curves(runs: Mapping[str, Figures], phrases: Phrases = ENGLISH) -> str:
    """Plot ``recall@k`` and ``ndcg@k`` of each run by name; an undefined figure has no point."""
    parts = "; ".join(
        f"{name}: {phrases.share(figures.get('recall@10'))}" for name, figures in runs.items()
    )
    return draw_svg(
        lambda figure: _draw_curves(figure, runs, phrases),
        phrases,
        width=7.2,
        height=3.2 + 0.22 * -(-len(runs) // 2),
        title=phrases("report-plot-recall"),
        description=phrases("report-plot-recall-desc", runs=parts),
    )


def plot_differences(changes: Sequence[PlottedChange], phrases: Phrases = ENGLISH) -> str:
    """Plot each difference as a dot with its interval, hollow where the interval contains 0.

    Differences of one measure must follow each other.
    """
    parts = "; ".join(
        f"{change.measure}, {change.run}: {phrases.format_signed(change.mean)}"
        for change in changes
    )
    return draw_svg(
        lambda figure: _draw_differences(figure, changes, phrases),
        phrases,
        width=7.2,
        height=1.0 + 0.24 * max(4, len(changes)),
        title=phrases("report-plot-differences"),
        description=phrases("report-plot-differences-desc", parts=parts),
    )


def plot_latency(
    whole: Mapping[str, Sequence[float]],
    retrieval: Mapping[str, Sequence[float]],
    phrases: Phrases = ENGLISH,
) -> str:
    """Plot the milliseconds of whole questions and of their retrieval, by run.

    A box is the middle half and its line the median; whiskers reach the 5th and 95th percentile,
    a dot marks the slowest.
    """
    rows = [
        (name, kind, times[name])
        for name in dict.fromkeys([*whole, *retrieval])
        for kind, times in (("whole", whole), ("retrieval", retrieval))
        if len(times.get(name, ()))
    ]
    parts = "; ".join(
        f"{name}, {phrases(f'report-time-{kind}')}: {phrases.time(float(np.median(times)))}"
        for name, kind, times in rows
    )
    return draw_svg(
        lambda figure: _draw_latency(figure, rows, phrases),
        phrases,
        width=7.2,
        height=0.85 + 0.34 * max(2, len(rows)),
        title=phrases("report-plot-latency"),
        description=phrases("report-plot-latency-desc", runs=parts),
    )


def _points(figures: Figures, measure: str) -> list[tuple[int, float]]:
    """The position on the axis and the figure of each depth that has one."""
    values = ((n, figures.get(f"{measure}@{cut}")) for n, cut in enumerate(CUTS))
    return [(n, value) for n, value in values if value is not None]


def _draw_curves(figure: Any, runs: Mapping[str, Figures], phrases: Phrases) -> None:
    panels = figure.subplots(1, 2, sharey=True)
    handles: list[Any] = []
    for axes, (measure, label) in zip(panels, _LABELS.items(), strict=True):
        handles = [
            _draw_curve(axes, _points(figures, measure), n)
            for n, figures in enumerate(runs.values())
        ]
        # Depths at equal distances: the first ten matter most.
        axes.set_xticks(range(len(CUTS)), [str(cut) for cut in CUTS])
        axes.set(xlabel="k", ylim=(-0.02, 1.04))
        axes.set_title(f"{label}@k", fontsize=9, fontweight="bold", loc="left")
        set_unit_axis(axes.yaxis, phrases)
    figure.get_layout_engine().set(wspace=0.06)
    names = [shorten(name) for name in runs]
    add_legend(figure, handles, names, loc="outside lower center", ncols=2)


def _draw_curve(axes: Any, points: Sequence[tuple[int, float]], n: int) -> Any:
    colour = COLOURS[n % len(COLOURS)]
    return axes.plot(
        [position for position, _ in points], [value for _, value in points], color=colour,
        marker=MARKERS[n % len(MARKERS)], linestyle=DASHES[n % len(DASHES)],
        markerfacecolor="#ffffff" if n % 2 else colour,
    )[0]  # fmt: skip


def _draw_differences(figure: Any, changes: Sequence[PlottedChange], phrases: Phrases) -> None:
    axes = figure.subplots()
    runs = list(dict.fromkeys(change.run for change in changes))
    rows = [
        (measure, list(group)) for measure, group in groupby(changes, lambda change: change.measure)
    ]
    handles: dict[str, Any] = {}
    for row, (_measure, group) in enumerate(rows):
        for change in group:
            n = runs.index(change.run)
            height = row + _SPREAD * ((n + 0.5) / len(runs) - 0.5)
            handles[change.run] = _draw_difference(axes, change, height, n)
    axes.axvline(0, color=QUIET, linewidth=1.0)
    axes.set_yticks(range(len(rows)), [shorten(measure) for measure, _ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(phrases("report-plot-differences-axis"))
    reach = max(_LEAST_REACH, *(abs(bound) for change in changes for bound in change.bounds))
    axes.set_xlim(-reach * 1.08, reach * 1.08)
    set_number_axis(axes.xaxis, phrases)
    if len(runs) > 1:
        names = [shorten(run) for run in handles]
        add_legend(figure, list(handles.values()), names, loc="outside lower center", ncols=2)


def _draw_difference(axes: Any, change: PlottedChange, height: float, n: int) -> Any:
    colour = COLOURS[n % len(COLOURS)]
    low, high = change.bounds
    axes.plot([low, high], [height, height], color=colour, linewidth=1.6)
    clear = change.low is not None and (low > 0 or high < 0)
    return axes.plot(
        [change.mean], [height], color=colour, marker=MARKERS[n % len(MARKERS)], linestyle="",
        markerfacecolor=colour if clear else "#ffffff", markeredgecolor=colour,
    )[0]  # fmt: skip


def _draw_latency(
    figure: Any, rows: Sequence[tuple[str, str, Sequence[float]]], phrases: Phrases
) -> None:
    axes = figure.subplots()
    boxes = [_compute_box(times) for _name, _kind, times in rows]
    drawn = axes.bxp(
        boxes, positions=range(len(rows)), orientation="horizontal", patch_artist=True, widths=0.55,
        medianprops={"color": INK, "linewidth": 1.8}, whiskerprops={"color": INK},
        capprops={"color": INK}, boxprops={"edgecolor": INK, "linewidth": 0.8},
        flierprops={"marker": "o", "markersize": 3.5, "markeredgecolor": INK},
    )  # fmt: skip
    for patch, (_name, kind, _times) in zip(drawn["boxes"], rows, strict=True):
        patch.set(facecolor=_FILLS[kind], hatch="" if kind == "whole" else "////")
    names = [
        f"{shorten(name, 24)}, {phrases(f'report-time-{kind}')}" for name, kind, _times in rows
    ]
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    fastest = min(float(box["whislo"]) for box in boxes)
    slowest = max(float(box["fliers"][0]) for box in boxes)
    if fastest > 0 and slowest / fastest > _LOG_RATIO:
        axes.set_xscale("log")
        axes.set_xlabel(phrases("report-plot-milliseconds-log"))
        set_log_axis(axes.xaxis, phrases)
    else:
        axes.set_xlim(left=0)
        axes.set_xlabel(phrases("report-plot-milliseconds"))
        set_number_axis(axes.xaxis, phrases)


def _compute_box(times: Sequence[float]) -> dict[str, Any]:
    low, first, median, third, high = np.percentile(np.asarray(times, dtype=float), PERCENTILES)
    return {
        "whislo": low, "q1": first, "med": median, "q3": third, "whishi": high,
        "fliers": [float(max(times))],
    }  # fmt: skip
