"""By how much runs differ from the first, with the interval: a forest plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots.axes import number_axis
from foundry.evaluation.plots.canvas import (
    COLOURS,
    INK,
    MARKERS,
    QUIET,
    add_legend,
    draw_svg,
    say_empty,
    short,
)

_ROW = 0.24
_MARGIN = 1.0
_SPREAD = 0.5
"""The part of a measure's row that the runs share."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Of a run from the first one in a measure, with the bounds of its interval where known."""

    measure: str
    run: str
    mean: float
    low: float | None = None
    high: float | None = None


def plot_differences(
    differences: Sequence[Difference],
    *,
    phrases: Phrases = ENGLISH,
    title: str | None = None,
    key: str = "",
) -> str:
    """Each difference as a dot with its interval; those that cross 0 are hollow.

    Differences of one measure must follow each other.
    """

    def draw(figure: Any) -> None:
        if differences:
            _draw(figure, differences, phrases)
        else:
            say_empty(figure, phrases("plot.no_data"))

    parts = "; ".join(
        f"{one.measure}, {one.run}: {phrases.signed(one.mean)}" for one in differences
    )
    return draw_svg(
        draw, width=7.2, height=_MARGIN + _ROW * max(4, len(differences)), key=key,
        title=title or phrases("plot.differences"),
        description=phrases("plot.differences.desc", parts=parts or phrases("plot.no_data")),
    )  # fmt: skip


def _draw(figure: Any, differences: Sequence[Difference], phrases: Phrases) -> None:
    axes = figure.subplots()
    runs = list(dict.fromkeys(one.run for one in differences))
    rows = [(measure, list(group)) for measure, group in groupby(differences, lambda d: d.measure)]
    handles: dict[str, Any] = {}
    for at, (_measure, group) in enumerate(rows):
        for one in group:
            handles[one.run] = _draw_one(axes, one, at, runs.index(one.run), len(runs))
    axes.axvline(0, color=QUIET, linewidth=1.0)
    axes.set_yticks(range(len(rows)), [short(measure) for measure, _group in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(phrases("plot.differences.axis"))
    # A few small differences must not fill the page as if they were large.
    reach = max(0.05, *(abs(bound) for one in differences for bound in _bounds(one)))
    axes.set_xlim(-reach * 1.08, reach * 1.08)
    number_axis(axes.xaxis, phrases)
    if len(runs) > 1:
        names = [short(run) for run in handles]
        add_legend(figure, list(handles.values()), names, loc="outside lower center", ncols=2)


def _draw_one(axes: Any, one: Difference, at: int, place: int, runs: int) -> Any:
    height = at + _SPREAD * ((place + 0.5) / runs - 0.5)
    colour = COLOURS[place % len(COLOURS)]
    low, high = _bounds(one)
    axes.plot([low, high], [height, height], color=colour, linewidth=1.6)
    clear = one.low is not None and (low > 0 or high < 0)
    return axes.plot(
        [one.mean], [height], color=colour, marker=MARKERS[place % len(MARKERS)], linestyle="",
        markerfacecolor=colour if clear else "#ffffff", markeredgecolor=colour or INK,
    )[0]  # fmt: skip


def _bounds(one: Difference) -> tuple[float, float]:
    return one.mean if one.low is None else one.low, one.mean if one.high is None else one.high
