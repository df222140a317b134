"""The reliability plot: scores against how often they are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foundry.evaluation.measuring.reliability import Bin, calibration_error
from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots.axes import unit_axis
from foundry.evaluation.plots.canvas import COLOURS, INK, QUIET, add_legend, draw_svg, say_empty


def plot_reliability(
    bins: Sequence[Bin],
    *,
    phrases: Phrases = ENGLISH,
    title: str | None = None,
    score: str | None = None,
    true: str | None = None,
    key: str = "",
) -> str:
    """The mean score of each bin against the share that is true, with the number in it.

    ``score_claim`` and ``true`` name the axes. Below stands how many scores each bin holds.
    """

    def draw(figure: Any) -> None:
        if not bins:
            say_empty(figure, phrases("plot.no_data"))
            return
        _draw(figure, bins, phrases, score or phrases("plot.score"), true or phrases("plot.true"))

    description = phrases(
        "plot.reliability.desc",
        bins=phrases.count(len(bins), "bin"),
        error=phrases.share(calibration_error(bins)),
    )
    title = title or phrases("plot.reliability")
    return draw_svg(draw, width=4.6, height=4.2, title=title, description=description, key=key)


def _draw(figure: Any, bins: Sequence[Bin], phrases: Phrases, score: str, true: str) -> None:
    axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(5, 1))
    (diagonal,) = axes.plot([0, 1], [0, 1], color=QUIET, linestyle=(0, (4, 3)), linewidth=1.0)
    means, shares = [one.mean for one in bins], [one.true for one in bins]
    (line,) = axes.plot(means, shares, color=COLOURS[0], marker="o", markersize=5.5)
    names = [phrases("plot.observed"), phrases("plot.perfect")]
    add_legend(axes, [line, diagonal], names, loc="upper left")
    for one in bins:
        # Beside the line, on the side that the diagonal leaves free.
        side = -1 if one.true < one.mean else 1
        axes.annotate(
            phrases.number(one.n), (one.mean, one.true), xytext=(6 * -side, 6 * side),
            textcoords="offset points", fontsize=7.5, color=INK, va="center",
            ha="right" if side > 0 else "left",
        )  # fmt: skip
    unit_axis(axes.yaxis, phrases)
    axes.set(ylabel=true, ylim=(-0.03, 1.06))
    below.bar(
        [one.low for one in bins], [one.n for one in bins], align="edge",
        width=[one.high - one.low for one in bins], color="#b9c3cc", edgecolor="#ffffff",
    )  # fmt: skip
    unit_axis(below.xaxis, phrases)
    below.set(xlabel=score, xlim=(-0.03, 1.03), yticks=[], ylabel="n")
    below.grid(visible=False)
