"""Distributions of a score of 0–1, one strip below the other: gate scores, attribution coverage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots.axes import percent_axis, unit_axis
from foundry.evaluation.plots.canvas import COLOURS, INK, draw_svg, say_empty, short

BINS = 20
_STRIP = 1.05
_MARGIN = 0.75
_LABEL = 26
_HATCHES = ("", "////", "----", "xxxx", "\\\\\\\\", "||||")


@dataclass(frozen=True, slots=True)
class _Strip:
    name: str
    values: Sequence[float]
    colour: str
    hatch: str


@dataclass(frozen=True, slots=True)
class _Line:
    at: float
    label: str


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
    """Gate scores of questions that have an answer, that have none, and of which nobody said.

    ``threshold`` is where the gate closes: ``retrieval.min_score``. Kinds without a score are left out.
    """
    kinds = {"answerable": answerable, "unanswerable": unanswerable, "unlabelled": unlabelled}
    line = (
        None
        if threshold is None
        else _Line(threshold, phrases("plot.threshold", value=phrases.number(threshold, 2)))
    )
    scores = {phrases(f"kind.{kind}"): values for kind, values in kinds.items()}
    return _plot(
        scores, line, phrases, (title or phrases("plot.gate"), phrases("plot.gate.axis"), key)
    )


def plot_coverage(
    runs: Mapping[str, Sequence[float]],
    *,
    target: float | None = None,
    phrases: Phrases = ENGLISH,
    title: str | None = None,
    key: str = "",
) -> str:
    """The attribution coverage of each run's answers; ``target`` is ``validation.min_attribution``."""
    line = (
        None
        if target is None
        else _Line(target, phrases("plot.target", value=phrases.number(target, 2)))
    )
    return _plot(
        runs, line, phrases, (title or phrases("plot.coverage"), phrases("plot.coverage.axis"), key)
    )


def _plot(
    groups: Mapping[str, Sequence[float]],
    line: _Line | None,
    phrases: Phrases,
    words: tuple[str, str, str],
) -> str:
    """``split_words``: title, name of the axis, key. Each group keeps its colour where others are empty."""
    title, axis, key = words
    strips = [
        _Strip(name, values, COLOURS[at % len(COLOURS)], _HATCHES[at % len(_HATCHES)])
        for at, (name, values) in enumerate(groups.items())
        if len(values)
    ]

    def draw(figure: Any) -> None:
        if strips:
            _draw(figure, strips, line, axis, phrases)
        else:
            say_empty(figure, phrases("plot.no_data"))

    parts = [_described(strip, phrases) for strip in strips] or [phrases("plot.no_data")]
    return draw_svg(
        draw, width=7.2, height=_MARGIN + _STRIP * max(2, len(strips)), title=title, key=key,
        description=f"{axis}: {'; '.join([*parts, *([line.label] if line else [])])}",
    )  # fmt: skip


def _draw(
    figure: Any, strips: Sequence[_Strip], line: _Line | None, axis: str, phrases: Phrases
) -> None:
    rows = figure.subplots(len(strips), 1, sharex=True, squeeze=False)[:, 0]
    for axes, strip in zip(rows, strips, strict=True):
        _draw_strip(axes, strip, phrases)
        if line:
            axes.axvline(line.at, color=INK, linestyle=(0, (4, 2)), linewidth=1.1)
    if line:
        _label_line(rows[0], line)
    unit_axis(rows[-1].xaxis, phrases)
    rows[-1].set(xlabel=axis, xlim=(-0.02, 1.02))
    figure.supylabel(phrases("plot.share_of_kind"), fontsize=9)


def _draw_strip(axes: Any, strip: _Strip, phrases: Phrases) -> None:
    counts, edges = np.histogram(np.clip(strip.values, 0.0, 1.0), bins=BINS, range=(0.0, 1.0))
    shares = counts / len(strip.values)
    axes.bar(
        edges[:-1], shares, width=1 / BINS, align="edge", color=strip.colour, hatch=strip.hatch,
        edgecolor="#ffffff", linewidth=0.8,
    )  # fmt: skip
    axes.grid(visible=False, axis="x")
    axes.set(ylim=(0, max(float(shares.max()) * 1.3, 0.05)))
    percent_axis(axes.yaxis, phrases)
    name = f"{short(strip.name, _LABEL)} (n = {phrases.number(len(strip.values))})"
    axes.set_title(name, loc="left", fontsize=9, fontweight="bold", pad=3)


def _label_line(axes: Any, line: _Line) -> None:
    """Beside the line, on the side that has room."""
    right = line.at < 0.6
    axes.annotate(
        line.label, (line.at, 1.0), xycoords=("data", "axes fraction"), xytext=(4 if right else -4, -9),
        textcoords="offset points", fontsize=8, ha="left" if right else "right",
    )  # fmt: skip


def _described(strip: _Strip, phrases: Phrases) -> str:
    middle = phrases.number(float(np.median(strip.values)), 2)
    return phrases(
        "plot.strip.desc", name=strip.name, n=phrases.number(len(strip.values)), median=middle
    )
