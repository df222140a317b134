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
from itertools import groupby
from typing import Any

import numpy as np

from foundry.evaluation.libraries import require
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

Draw = Callable[[Any], None]
"""Draws on an empty ``matplotlib.figure.Figure``."""


def draw_svg(
    draw: Draw | None,
    phrases: Phrases,
    *,
    width: float,
    height: float,
    title: str,
    description: str,
    key: str = "",
) -> str:
    """Return what ``draw`` draws as SVG, ``width`` × ``height`` inches; None draws "nothing to show".

    ``key`` keeps the ids of two equal plots on one page apart.
    """
    matplotlib, figures = require("matplotlib"), require("matplotlib.figure")
    text = io.StringIO()
    with _drawing, matplotlib.rc_context(dict(_STYLE)), warnings.catch_warnings():
        # The reader's own font draws a name in a script that the measuring font lacks.
        warnings.filterwarnings("ignore", message=r"Glyph \d+ ")
        figure = figures.Figure(figsize=(width, height), layout="constrained")
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


def add_legend(axes: Any, handles: list[Any], names: list[str], **place: Any) -> None:
    """Add a legend that shows every name, also one that starts with an underscore."""
    legend = axes.legend(handles, ["name"] * len(names), **place)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def set_unit_axis(axis: Any, phrases: Phrases) -> None:
    """Ticks from 0 to 1."""
    axis.set_ticks(_STEPS, [phrases.number(step, 1) for step in _STEPS])


def set_percent_axis(axis: Any, phrases: Phrases) -> None:
    """A few ticks of shares, as whole percentages."""
    axis.set_major_locator(require("matplotlib.ticker").MaxNLocator(nbins=3, steps=[1, 2, 5, 10]))
    _format_ticks(axis, lambda share: f"{phrases.number(share * 100)}%")


def set_number_axis(axis: Any, phrases: Phrases) -> None:
    """Ticks where matplotlib puts them, with as many decimals as they need."""

    def write(value: float) -> str:
        ticks = (float(tick) for tick in axis.get_majorticklocs())
        return phrases.number(value, max(_count_decimals(tick) for tick in ticks))

    _format_ticks(axis, write)


def set_log_axis(axis: Any, phrases: Phrases) -> None:
    """Ticks at 1, 2 and 5 of every power of ten."""
    ticker = require("matplotlib.ticker")
    axis.set_major_locator(ticker.LogLocator(base=10, subs=(1.0, 2.0, 5.0)))
    axis.set_minor_locator(ticker.NullLocator())
    _format_ticks(axis, lambda value: phrases.number(value, _count_decimals(value)))


def _format_ticks(axis: Any, write: Callable[[float], str]) -> None:
    formatter = require("matplotlib.ticker").FuncFormatter
    axis.set_major_formatter(formatter(lambda value, _position: write(value)))


def _count_decimals(value: float) -> int:
    """Decimals that a tick needs: 0.25 two, 300 none."""
    return next((n for n in range(4) if abs(value - round(value, n)) < 1e-9), 4)


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
