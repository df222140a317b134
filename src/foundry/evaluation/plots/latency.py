"""How long questions took: a box from the 25th to the 75th percentile for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots.axes import log_axis, number_axis
from foundry.evaluation.plots.canvas import INK, draw_svg, say_empty, short

PERCENTILES = (5, 25, 50, 75, 95)
_WIDE = 30.0
"""From this ratio of slowest to fastest on, a linear axis would hide the fast ones."""
_FILLS = {"whole": "#8fbfe0", "retrieval": "#f3c98b"}
_ROW = 0.34
_MARGIN = 0.85


def plot_latency(
    whole: Mapping[str, Sequence[float]],
    retrieval: Mapping[str, Sequence[float]],
    *,
    phrases: Phrases = ENGLISH,
    title: str | None = None,
    key: str = "",
) -> str:
    """Milliseconds of whole questions and of their retrieval, by run.

    The box holds the middle half, its line the median; whiskers reach the 5th and 95th
    percentile, a dot marks the slowest.
    """
    names = list(dict.fromkeys([*whole, *retrieval]))
    rows = [
        (name, kind, times[name])
        for name in names
        for kind, times in (("whole", whole), ("retrieval", retrieval))
        if len(times.get(name, ()))
    ]

    def draw(figure: Any) -> None:
        if rows:
            _draw(figure, rows, phrases)
        else:
            say_empty(figure, phrases("plot.no_data"))

    parts = "; ".join(
        f"{name}, {phrases(f'time.{kind}')}: {phrases.time(float(np.median(times)))}"
        for name, kind, times in rows
    )
    return draw_svg(
        draw, width=7.2, height=_MARGIN + _ROW * max(2, len(rows)), key=key,
        title=title or phrases("plot.latency"),
        description=phrases("plot.latency.desc", runs=parts or phrases("plot.no_data")),
    )  # fmt: skip


def _draw(figure: Any, rows: Sequence[tuple[str, str, Sequence[float]]], phrases: Phrases) -> None:
    axes = figure.subplots()
    boxes = [_box(times) for _name, _kind, times in rows]
    drawn = axes.bxp(
        boxes, positions=range(len(rows)), orientation="horizontal", patch_artist=True, widths=0.55,
        medianprops={"color": INK, "linewidth": 1.8}, whiskerprops={"color": INK},
        capprops={"color": INK}, boxprops={"edgecolor": INK, "linewidth": 0.8},
        flierprops={"marker": "o", "markersize": 3.5, "markeredgecolor": INK},
    )  # fmt: skip
    for patch, (_name, kind, _times) in zip(drawn["boxes"], rows, strict=True):
        patch.set(facecolor=_FILLS[kind], hatch="" if kind == "whole" else "////")
    names = [f"{short(name, 24)}, {phrases(f'time.{kind}')}" for name, kind, _times in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(phrases("plot.milliseconds"))
    _scale(axes, boxes, phrases)


def _scale(axes: Any, boxes: Sequence[Mapping[str, Any]], phrases: Phrases) -> None:
    fastest = min(float(box["whislo"]) for box in boxes)
    slowest = max(float(box["fliers"][0]) for box in boxes)
    if fastest > 0 and slowest / fastest > _WIDE:
        axes.set_xscale("log")
        axes.set_xlabel(phrases("plot.milliseconds_log"))
        log_axis(axes.xaxis, phrases)
    else:
        axes.set_xlim(left=0)
        number_axis(axes.xaxis, phrases)


def _box(times: Sequence[float]) -> dict[str, Any]:
    low, first, middle, third, high = np.percentile(np.asarray(times, dtype=float), PERCENTILES)
    return {
        "whislo": low, "q1": first, "med": middle, "q3": third, "whishi": high,
        "fliers": [float(max(times))],
    }  # fmt: skip
