"""The plots of evaluation: plain values in, an SVG for an HTML page out.

Text stays text. Markers, dashes and hatches tell runs apart without colour. Equal input gives
equal bytes. matplotlib writes a standalone file; whatever would affect the page around it is
removed. The SVG names no address but its namespace, and has a title and a description for screen
readers.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
import threading
import unicodedata
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foundry.evaluation import require
from foundry.evaluation.metrics.ranking import CUTS
from foundry.evaluation.metrics.statistics import Bin, calibration_error
from foundry.evaluation.phrases import ENGLISH, Phrases

INK = "#1b1f24"
QUIET = "#5c6670"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Distinct for every kind of colour vision (Okabe and Ito, 2008)."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.4)), (0, (7, 2, 1.5, 2)))
"""Together with the markers these tell lines apart in grey."""

LONGEST_NAME = 34
"""Characters of a name that fit beside a plot."""

_STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_STYLE: Mapping[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "foundry",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.parse_math": False,
    "axes.formatter.use_locale": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#d5dae0",
    "grid.linewidth": 0.6,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "hatch.linewidth": 0.7,
    "hatch.color": "#ffffff",
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.6,
    "lines.markersize": 5.0,
    "savefig.facecolor": "none",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
_METADATA = ("Date", "Creator", "Format", "Type")
# matplotlib reads its process-wide settings while it draws: one plot at a time.
_drawing = threading.Lock()

_BARS = 20
"""From 0 to 1: narrow enough to see where the gate closes (0.2 by default)."""
_HATCHES = ("", "////", "----")
_LEAST_REACH = 0.05
"""The narrowest axis of differences: small ones must not fill the page as if they were large."""


def _draw_svg(
    draw: Callable[[Any], None] | None,
    phrases: Phrases,
    size: tuple[float, float],
    title: str,
    description: str,
    *,
    key: str = "",
) -> str:
    """Return as SVG what ``draw`` draws on a figure of so many inches; None draws "nothing to show".

    ``key`` keeps the ids of two equal plots on one page apart.
    """
    matplotlib, figures = require("matplotlib"), require("matplotlib.figure")
    text = io.StringIO()
    with _drawing, matplotlib.rc_context(dict(_STYLE)), warnings.catch_warnings():
        # The reader's own font draws a name in a script that the measuring font lacks.
        warnings.filterwarnings("ignore", message=r"Glyph \d+ ")
        figure = figures.Figure(figsize=size, layout="constrained")
        if draw:
            draw(figure)
        else:
            nothing = phrases("report-plot-no-data")
            figure.text(0.5, 0.5, nothing, ha="center", va="center", color=QUIET)
        figure.savefig(text, format="svg", metadata=dict.fromkeys(_METADATA))
    return _fit_into_page(text.getvalue(), clean(title), clean(description), key)


def clean(text: str) -> str:
    """A text on one line, without characters that XML or a reader cannot take."""
    plain = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in _HIDDEN)
    return " ".join(plain.split())


def shorten(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that fits beside a plot; a long one loses its middle."""
    name = clean(name) or "–"
    if len(name) <= longest:
        return name
    kept = longest - 1
    return f"{name[: kept - kept // 2].rstrip()}…{name[-(kept // 2) :].lstrip()}"


def _add_legend(axes: Any, handles: list[Any], names: list[str], **place: Any) -> None:
    """Add a legend that shows every name, also one that starts with an underscore."""
    legend = axes.legend(handles, ["name"] * len(names), **place)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def _set_unit_axis(axis: Any, phrases: Phrases) -> None:
    """Ticks from 0 to 1."""
    axis.set_ticks(_STEPS, [phrases.number(step, 1) for step in _STEPS])


def _fit_into_page(svg: str, title: str, description: str, key: str) -> str:
    """Cut the prologue and the style sheet, give ids a prefix of this plot, and add the title."""
    prefix = "p" + hashlib.sha256(f"{key}\0{title}\0{svg}".encode()).hexdigest()[:10]
    svg = re.sub(
        r"<defs>\s*<style.*?</style>\s*</defs>", "", svg[svg.index("<svg") :], flags=re.DOTALL
    )
    # Only within tags: the text of a label stays as it is.
    svg = re.sub(r"<[^<>]+>", lambda tag: _prefix_ids(tag[0], prefix), svg)
    start, end = svg.split(">", 1)
    described = (
        f'{start} role="img" aria-labelledby="{prefix}-title {prefix}-desc"'
        ' stroke-linejoin="round" stroke-linecap="butt">'
        f'<title id="{prefix}-title">{html.escape(title)}</title>'
        f'<desc id="{prefix}-desc">{html.escape(description)}</desc>{end}'
    )
    return "".join(line.strip() + "\n" for line in described.splitlines())


def _prefix_ids(tag: str, prefix: str) -> str:
    tag = re.sub(r'\sxmlns:xlink="[^"]*"', "", tag).replace("xlink:href=", "href=")
    return re.sub(r'(\sid="|href="#|url\(#)', rf"\g<1>{prefix}-", tag)


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

    ``score`` and ``true`` name the axes.
    """

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        (diagonal,) = axes.plot([0, 1], [0, 1], color=QUIET, linestyle=(0, (4, 3)), linewidth=1.0)
        means, shares = [bin_.mean for bin_ in bins], [bin_.true for bin_ in bins]
        (line,) = axes.plot(means, shares, color=COLOURS[0], marker="o", markersize=5.5)
        names = [phrases("report-plot-observed"), phrases("report-plot-perfect")]
        _add_legend(axes, [line, diagonal], names, loc="upper left")
        for bin_ in bins:
            # On the side of the line that the diagonal leaves free.
            side = -1 if bin_.true < bin_.mean else 1
            axes.annotate(
                phrases.number(bin_.n), (bin_.mean, bin_.true), xytext=(6 * -side, 6 * side),
                textcoords="offset points", fontsize=7.5, color=INK, va="center",
                ha="right" if side > 0 else "left",
            )  # fmt: skip
        _set_unit_axis(axes.xaxis, phrases)
        _set_unit_axis(axes.yaxis, phrases)
        names = [score or phrases("report-plot-score"), true or phrases("report-plot-true")]
        axes.set(xlabel=names[0], ylabel=names[1], xlim=(-0.03, 1.03), ylim=(-0.03, 1.06))

    described = phrases(
        "report-plot-reliability-desc",
        bins=phrases("report-n-bins", n=len(bins)),
        error=phrases.share(calibration_error(bins)),
    )
    title = title or phrases("report-plot-reliability")
    return _draw_svg(draw if bins else None, phrases, (4.6, 4.2), title, described, key=key)


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
    # The colour goes by the kind, whether or not others are empty.
    strips = [
        (phrases(f"report-kind-{kind}"), values, (COLOURS[n], _HATCHES[n]))
        for n, (kind, values) in enumerate(kinds.items())
        if len(values)
    ]
    closes = (
        ""
        if threshold is None
        else phrases("report-plot-threshold", value=phrases.number(threshold, 2))
    )

    def draw(figure: Any) -> None:
        rows = figure.subplots(len(strips), 1, sharex=True, squeeze=False)[:, 0]
        for axes, strip in zip(rows, strips, strict=True):
            _draw_strip(axes, *strip, phrases)
            if closes:
                axes.axvline(threshold, color=INK, linestyle=(0, (4, 2)), linewidth=1.1)
        if closes:
            right = threshold is not None and threshold < 0.6
            rows[0].annotate(
                closes, (threshold, 1.0), xycoords=("data", "axes fraction"),
                xytext=(4 if right else -4, -9), textcoords="offset points", fontsize=8,
                ha="left" if right else "right",
            )  # fmt: skip
        _set_unit_axis(rows[-1].xaxis, phrases)
        rows[-1].set(xlabel=phrases("report-plot-gate-axis"), xlim=(-0.02, 1.02))
        figure.supylabel(phrases("report-plot-share-of-kind"), fontsize=9)

    parts = [
        phrases(
            "report-plot-strip-desc",
            name=name,
            n=phrases.number(len(values)),
            median=phrases.number(float(np.median(values)), 2),
        )
        for name, values, _ in strips
    ]
    parts += [closes] if closes else []
    described = f"{phrases('report-plot-gate-axis')}: {'; '.join(parts)}"
    size = (7.2, 0.75 + 1.05 * max(2, len(strips)))
    title = title or phrases("report-plot-gate")
    return _draw_svg(draw if strips else None, phrases, size, title, described, key=key)


def _draw_strip(
    axes: Any, name: str, values: Sequence[float], look: tuple[str, str], phrases: Phrases
) -> None:
    counts, edges = np.histogram(np.clip(values, 0.0, 1.0), bins=_BARS, range=(0.0, 1.0))
    shares = counts / len(values)
    axes.bar(
        edges[:-1], shares, width=1 / _BARS, align="edge", color=look[0], hatch=look[1],
        edgecolor="#ffffff", linewidth=0.8,
    )  # fmt: skip
    axes.grid(visible=False, axis="x")
    axes.set(ylim=(0, max(float(shares.max()) * 1.3, 0.05)))
    ticker = require("matplotlib.ticker")
    axes.yaxis.set_major_locator(ticker.MaxNLocator(nbins=3, steps=[1, 2, 5, 10]))
    write = ticker.FuncFormatter(lambda share, _position: f"{phrases.number(share * 100)}%")
    axes.yaxis.set_major_formatter(write)
    name = f"{name} (n = {phrases.number(len(values))})"
    axes.set_title(name, loc="left", fontsize=9, fontweight="bold", pad=3)


Figures = Mapping[str, float | None]


def plot_recall_curves(runs: Mapping[str, Figures], phrases: Phrases = ENGLISH) -> str:
    """Plot ``recall@k`` and ``ndcg@k`` of each run by name; an undefined figure has no point."""

    def draw(figure: Any) -> None:
        panels = figure.subplots(1, 2, sharey=True)
        handles: list[Any] = []
        for axes, measure in zip(panels, ("recall", "nDCG"), strict=True):
            handles = []
            for n, figures in enumerate(runs.values()):
                values = [figures.get(f"{measure.lower()}@{cut}") for cut in CUTS]
                points = [(at, value) for at, value in enumerate(values) if value is not None]
                handles += axes.plot(
                    *([point[side] for point in points] for side in (0, 1)),
                    color=COLOURS[n % len(COLOURS)], marker=MARKERS[n % len(MARKERS)],
                    linestyle=DASHES[n % len(DASHES)],
                )  # fmt: skip
            # Depths at equal distances: the first ten matter most.
            axes.set_xticks(range(len(CUTS)), [str(cut) for cut in CUTS])
            axes.set(xlabel="k", ylim=(-0.02, 1.04))
            axes.set_title(f"{measure}@k", fontsize=9, fontweight="bold", loc="left")
            _set_unit_axis(axes.yaxis, phrases)
        names = [shorten(name) for name in runs]
        _add_legend(figure, handles, names, loc="outside lower center", ncols=2)

    parts = (f"{name}: {phrases.share(own.get('recall@10'))}" for name, own in runs.items())
    described = phrases("report-plot-recall-desc", runs="; ".join(parts))
    size = (7.2, 3.2 + 0.22 * -(-len(runs) // 2))
    return _draw_svg(draw, phrases, size, phrases("report-plot-recall"), described)


@dataclass(frozen=True, slots=True)
class PlottedChange:
    """The difference of a run from the first one in a measure, with the bounds of its interval."""

    measure: str
    run: str
    mean: float
    low: float | None = None
    high: float | None = None


def plot_differences(changes: Sequence[PlottedChange], phrases: Phrases = ENGLISH) -> str:
    """Plot each difference as a dot with its interval, hollow where the interval contains 0."""
    runs, measures = (
        list(dict.fromkeys(names))
        for names in ((one.run for one in changes), (one.measure for one in changes))
    )

    def draw(figure: Any) -> None:
        axes, handles, reach = figure.subplots(), {}, _LEAST_REACH
        for one in changes:
            n = runs.index(one.run)
            height = measures.index(one.measure) + 0.5 * ((n + 0.5) / len(runs) - 0.5)
            low, high = (one.mean if end is None else end for end in (one.low, one.high))
            colour, reach = COLOURS[n % len(COLOURS)], max(reach, abs(low), abs(high))
            axes.plot([low, high], [height, height], color=colour, linewidth=1.6)
            clear = one.low is not None and (low > 0 or high < 0)
            handles[one.run] = axes.plot(
                [one.mean], [height], color=colour, marker=MARKERS[n % len(MARKERS)], linestyle="",
                markerfacecolor=colour if clear else "#ffffff", markeredgecolor=colour,
            )[0]  # fmt: skip
        axes.axvline(0, color=QUIET, linewidth=1.0)
        axes.set_yticks(range(len(measures)), [shorten(measure) for measure in measures])
        axes.set(ylim=(len(measures) - 0.5, -0.5), xlim=(-reach * 1.08, reach * 1.08))
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(phrases("report-plot-differences-axis"))
        write = require("matplotlib.ticker").FuncFormatter(lambda at, _: phrases.number(at, 2))
        axes.xaxis.set_major_formatter(write)
        names = [shorten(run) for run in handles]
        _add_legend(figure, list(handles.values()), names, loc="outside lower center", ncols=2)

    signed = phrases.format_signed
    parts = "; ".join(f"{one.measure}, {one.run}: {signed(one.mean)}" for one in changes)
    described = phrases("report-plot-differences-desc", parts=parts)
    size = (7.2, 1.2 + 0.24 * max(4, len(changes)))
    return _draw_svg(draw, phrases, size, phrases("report-plot-differences"), described)
