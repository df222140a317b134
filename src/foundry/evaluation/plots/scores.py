"""Plots of scores of 0–1: their distribution by kind of question or run, and their reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foundry.evaluation.metrics.gate import Bin, calibration_error
from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots.canvas import (
    COLOURS,
    INK,
    QUIET,
    add_legend,
    draw_svg,
    set_percent_axis,
    set_unit_axis,
    shorten,
)

BINS = 20
"""Bars from 0 to 1: narrow enough to see where the gate closes (0.2 by default)."""
_STRIP = 1.05
_MARGIN = 0.75
_LONGEST = 26
_HATCHES = ("", "////", "----", "xxxx", "\\\\\\\\", "||||")


@dataclass(frozen=True, slots=True)
class _Strip:
    name: str
    values: Sequence[float]
    colour: str
    hatch: str


@dataclass(frozen=True, slots=True)
class _Line:
    value: float
    label: str


def plot_reliability(
    bins: Sequence[Bin],
    *,
    phrases: Phrases = ENGLISH,
    title: str | None = None,
    score: str | None = None,
    true: str | None = None,
    key: str = "",
) -> str:
    """Plot the mean score of each bin against the share that is true, with the number in it.

    ``score`` and ``true`` name the axes. Bars below show how many scores each bin contains.
    """
    score, true = score or phrases("report-plot-score"), true or phrases("report-plot-true")
    return draw_svg(
        (lambda figure: _draw_reliability(figure, bins, phrases, score, true)) if bins else None,
        phrases,
        width=4.6,
        height=4.2,
        key=key,
        title=title or phrases("report-plot-reliability"),
        description=phrases(
            "report-plot-reliability-desc",
            bins=phrases("report-n-bins", n=len(bins)),
            error=phrases.share(calibration_error(bins)),
        ),
    )


def plot_gate_scores(
    answerable: Sequence[float],
    unanswerable: Sequence[float],
    unlabelled: Sequence[float] = (),
    *,
    threshold: float | None = None,
    phrases: Phrases = ENGLISH,
    title: str | None = None,
    key: str = "",
) -> str:
    """Plot the gate scores of answerable, unanswerable and unlabelled questions.

    ``threshold`` is where the gate closes: ``retrieval.min_score``. Kinds without a score are
    left out.
    """
    kinds = {"answerable": answerable, "unanswerable": unanswerable, "unlabelled": unlabelled}
    scores = {phrases(f"report-kind-{kind}"): values for kind, values in kinds.items()}
    title, axis = title or phrases("report-plot-gate"), phrases("report-plot-gate-axis")
    line = _make_line("report-plot-threshold", threshold, phrases)
    return _plot_strips(scores, line, phrases, title=title, axis=axis, key=key)


def plot_coverage(
    runs: Mapping[str, Sequence[float]], target: float | None = None, phrases: Phrases = ENGLISH
) -> str:
    """Plot the attribution coverage of each run; ``target`` is ``validation.min_attribution``."""
    title, axis = phrases("report-plot-coverage"), phrases("report-plot-coverage-axis")
    line = _make_line("report-plot-target", target, phrases)
    return _plot_strips(runs, line, phrases, title=title, axis=axis)


def _draw_reliability(
    figure: Any, bins: Sequence[Bin], phrases: Phrases, score: str, true: str
) -> None:
    axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(5, 1))
    (diagonal,) = axes.plot([0, 1], [0, 1], color=QUIET, linestyle=(0, (4, 3)), linewidth=1.0)
    means, shares = [bin_.mean for bin_ in bins], [bin_.true for bin_ in bins]
    (line,) = axes.plot(means, shares, color=COLOURS[0], marker="o", markersize=5.5)
    names = [phrases("report-plot-observed"), phrases("report-plot-perfect")]
    add_legend(axes, [line, diagonal], names, loc="upper left")
    for bin_ in bins:
        # On the side of the line that the diagonal leaves free.
        side = -1 if bin_.true < bin_.mean else 1
        axes.annotate(
            phrases.number(bin_.n), (bin_.mean, bin_.true), xytext=(6 * -side, 6 * side),
            textcoords="offset points", fontsize=7.5, color=INK, va="center",
            ha="right" if side > 0 else "left",
        )  # fmt: skip
    set_unit_axis(axes.yaxis, phrases)
    axes.set(ylabel=true, ylim=(-0.03, 1.06))
    below.bar(
        [bin_.low for bin_ in bins], [bin_.n for bin_ in bins], align="edge",
        width=[bin_.high - bin_.low for bin_ in bins], color="#b9c3cc", edgecolor="#ffffff",
    )  # fmt: skip
    set_unit_axis(below.xaxis, phrases)
    below.set(xlabel=score, xlim=(-0.03, 1.03), yticks=[], ylabel="n")
    below.grid(visible=False)


def _make_line(key: str, value: float | None, phrases: Phrases) -> _Line | None:
    return None if value is None else _Line(value, phrases(key, value=phrases.number(value, 2)))


def _plot_strips(
    groups: Mapping[str, Sequence[float]],
    line: _Line | None,
    phrases: Phrases,
    *,
    title: str,
    axis: str,
    key: str = "",
) -> str:
    # The colour goes by the group, whether or not others are empty.
    strips = [
        _Strip(name, values, COLOURS[n % len(COLOURS)], _HATCHES[n % len(_HATCHES)])
        for n, (name, values) in enumerate(groups.items())
        if len(values)
    ]
    parts = [_describe(strip, phrases) for strip in strips]
    return draw_svg(
        lambda figure: _draw_strips(figure, strips, line, axis, phrases),
        phrases,
        width=7.2,
        height=_MARGIN + _STRIP * max(2, len(strips)),
        title=title,
        key=key,
        description=f"{axis}: {'; '.join([*parts, *([line.label] if line else [])])}",
    )


def _describe(strip: _Strip, phrases: Phrases) -> str:
    median = phrases.number(float(np.median(strip.values)), 2)
    n = phrases.number(len(strip.values))
    return phrases("report-plot-strip-desc", name=strip.name, n=n, median=median)


def _draw_strips(
    figure: Any, strips: Sequence[_Strip], line: _Line | None, axis: str, phrases: Phrases
) -> None:
    rows = figure.subplots(len(strips), 1, sharex=True, squeeze=False)[:, 0]
    for axes, strip in zip(rows, strips, strict=True):
        _draw_strip(axes, strip, phrases)
        if line:
            axes.axvline(line.value, color=INK, linestyle=(0, (4, 2)), linewidth=1.1)
    if line:
        _label_line(rows[0], line)
    set_unit_axis(rows[-1].xaxis, phrases)
    rows[-1].set(xlabel=axis, xlim=(-0.02, 1.02))
    figure.supylabel(phrases("report-plot-share-of-kind"), fontsize=9)


def _draw_strip(axes: Any, strip: _Strip, phrases: Phrases) -> None:
    counts, edges = np.histogram(np.clip(strip.values, 0.0, 1.0), bins=BINS, range=(0.0, 1.0))
    shares = counts / len(strip.values)
    axes.bar(
        edges[:-1], shares, width=1 / BINS, align="edge", color=strip.colour, hatch=strip.hatch,
        edgecolor="#ffffff", linewidth=0.8,
    )  # fmt: skip
    axes.grid(visible=False, axis="x")
    axes.set(ylim=(0, max(float(shares.max()) * 1.3, 0.05)))
    set_percent_axis(axes.yaxis, phrases)
    name = f"{shorten(strip.name, _LONGEST)} (n = {phrases.number(len(strip.values))})"
    axes.set_title(name, loc="left", fontsize=9, fontweight="bold", pad=3)


def _label_line(axes: Any, line: _Line) -> None:
    """Beside the line, on the side with room."""
    right = line.value < 0.6
    axes.annotate(
        line.label, (line.value, 1.0), xycoords=("data", "axes fraction"),
        xytext=(4 if right else -4, -9), textcoords="offset points", fontsize=8,
        ha="left" if right else "right",
    )  # fmt: skip
