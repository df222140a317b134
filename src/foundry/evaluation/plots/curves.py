"""How much is found at each depth: recall and nDCG, one line a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foundry.evaluation.metrics.ranking import CUTS
from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots.axes import unit_axis
from foundry.evaluation.plots.canvas import (
    COLOURS,
    DASHES,
    MARKERS,
    add_legend,
    draw_svg,
    say_empty,
    short,
)

Figures = Mapping[str, float | None]
_LABELS = {"recall": "recall", "ndcg": "nDCG"}
_ROW = 0.22
"""Inches that a line of the legend takes."""


def plot_recall_curves(
    runs: Mapping[str, Figures],
    *,
    cuts: Sequence[int] = CUTS,
    phrases: Phrases = ENGLISH,
    title: str | None = None,
    key: str = "",
) -> str:
    """``recall@k`` and ``ndcg@k`` of each run by its name; what is undefined or missing has no point."""
    known = {name: figures for name, figures in runs.items() if _points(figures, "recall", cuts)}

    def draw(figure: Any) -> None:
        if known:
            _draw(figure, known, cuts, phrases)
        else:
            say_empty(figure, phrases("plot.no_data"))

    parts = "; ".join(
        f"{name}: {phrases.share(figures.get('recall@10'))}" for name, figures in known.items()
    )
    return draw_svg(
        draw, width=7.2, height=3.2 + _ROW * -(-len(known) // 2), key=key,
        title=title or phrases("plot.recall"),
        description=phrases("plot.recall.desc", runs=parts or phrases("plot.no_data")),
    )  # fmt: skip


def _draw(figure: Any, runs: Mapping[str, Figures], cuts: Sequence[int], phrases: Phrases) -> None:
    panels = figure.subplots(1, 2, sharey=True)
    handles, _others = [
        [
            _draw_line(axes, _points(figures, measure, cuts), at)
            for at, figures in enumerate(runs.values())
        ]
        for axes, measure in zip(panels, _LABELS, strict=True)
    ]
    for axes, label in zip(panels, _LABELS.values(), strict=True):
        # Each depth at the same distance: what happens among the first ten is what counts.
        axes.set_xticks(range(len(cuts)), [str(cut) for cut in cuts])
        axes.set(xlabel="k", ylim=(-0.02, 1.04))
        axes.set_title(f"{label}@k", fontsize=9, fontweight="bold", loc="left")
        unit_axis(axes.yaxis, phrases)
    figure.get_layout_engine().set(wspace=0.06)
    names = [short(name) for name in runs]
    add_legend(figure, handles, names, loc="outside lower center", ncols=2)


def _draw_line(axes: Any, points: Sequence[tuple[int, float]], at: int) -> Any:
    colour = COLOURS[at % len(COLOURS)]
    return axes.plot(
        [place for place, _figure in points], [figure for _place, figure in points],
        color=colour, marker=MARKERS[at % len(MARKERS)], linestyle=DASHES[at % len(DASHES)],
        markerfacecolor="#ffffff" if at % 2 else colour,
    )[0]  # fmt: skip


def _points(figures: Figures, measure: str, cuts: Sequence[int]) -> list[tuple[int, float]]:
    """(place on the axis, figure) of each depth that has one."""
    found = ((at, figures.get(f"{measure}@{cut}")) for at, cut in enumerate(cuts))
    return [(at, value) for at, value in found if value is not None]
