"""What all plots share: the style, axes in the reader's language, and SVG that fits into a page.

matplotlib writes a standalone file; whatever would affect the page around it is removed. The SVG
names no address but its namespace, and has a title and a description for screen readers.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
import threading
import unicodedata
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from foundry.evaluation.libraries import require
from foundry.evaluation.phrases import Phrases

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
