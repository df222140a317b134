"""A figure in the house's style, and the figure as SVG that a page can hold several times.

What matplotlib writes is meant as a file of its own; here it loses its prologue, the style that
would reach the page around it, and every id that nothing refers to. It names no address but the
SVG namespace and gets a title and a description for those who cannot see it.
"""

from __future__ import annotations

import hashlib
import io
import re
import threading
import unicodedata
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any
from xml.etree import ElementTree as ET

from foundry.evaluation.libraries import require

INK = "#1b1f24"
QUIET = "#5c6670"
GRID = "#d5dae0"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Told apart by every kind of colour vision (Okabe and Ito, 2008)."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.4)), (0, (7, 2, 1.5, 2)))
"""With the markers these tell lines apart in grey."""

LONGEST_NAME = 34
_NAMESPACE = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
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
    "grid.color": GRID,
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
# matplotlib reads its settings while it draws, and they are the process's: one plot at a time.
_drawing = threading.Lock()

Draw = Callable[[Any], None]
"""Given an empty ``matplotlib.figure.Figure``, draws on it."""


def draw_svg(
    draw: Draw, *, width: float, height: float, title: str, description: str, key: str = ""
) -> str:
    """The SVG of what ``draw`` makes; ``width`` and ``height`` in inches.

    ``key`` keeps the ids of two equal plots on one page apart. The same plot gives the same bytes.
    """
    figures = require("matplotlib.figure")
    made = io.StringIO()
    with _drawing, _style(), warnings.catch_warnings():
        # A name in a script that the measuring font lacks is drawn by the reader's own font.
        warnings.filterwarnings("ignore", message=r"Glyph \d+ ")
        figure = figures.Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        figure.savefig(made, format="svg", metadata=dict.fromkeys(_METADATA))
    return _inlined(made.getvalue(), clean(title), clean(description), key)


_METADATA = ("Date", "Creator", "Format", "Type")


def _style() -> AbstractContextManager[None]:
    matplotlib = require("matplotlib")
    context: AbstractContextManager[None] = matplotlib.rc_context(dict(_STYLE))
    return context


def clean(text: str) -> str:
    """A text on one line without what XML or a reader's eye cannot take."""
    plain = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in _HIDDEN)
    return " ".join(plain.split())


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that fits beside a plot: the middle of a long one gives way."""
    name = clean(name) or "–"
    if len(name) <= longest:
        return name
    kept = longest - 1
    return f"{name[: kept - kept // 2].rstrip()}…{name[-(kept // 2) :].lstrip()}"


def add_legend(axes: Any, handles: list[Any], names: list[str], **place: Any) -> None:
    """A legend that shows every name as it is, also one that begins with an underscore."""
    legend = axes.legend(handles, ["name"] * len(names), **place)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def say_empty(figure: Any, text: str) -> None:
    """A plot without anything to plot says so."""
    figure.text(0.5, 0.5, text, ha="center", va="center", color=QUIET)


def _inlined(svg: str, title: str, description: str, key: str) -> str:
    root = ET.fromstring(svg.partition("<svg")[1] + svg.partition("<svg")[2])  # noqa: S314 - own
    links = {link[1:] for one in root.iter() if (link := one.get(_LINK))}
    links |= set(re.findall(r"url\(#([^)]+)\)", svg))
    mark = "p" + hashlib.sha256(f"{key}\0{title}\0{svg}".encode()).hexdigest()[:10]
    for one in root.iter():
        _tidy(one, links, mark)
    for child in [
        child for child in root if child.tag == "defs" and child.find("style") is not None
    ]:
        root.remove(child)
    described = (
        ET.Element("title", {"id": f"{mark}-title"}),
        ET.Element("desc", {"id": f"{mark}-desc"}),
    )
    described[0].text, described[1].text = title, description
    root[:0] = described
    root.attrib |= {
        "xmlns": _NAMESPACE, "role": "img", "aria-labelledby": f"{mark}-title {mark}-desc",
        "stroke-linejoin": "round", "stroke-linecap": "butt",
    }  # fmt: skip
    return ET.tostring(root, encoding="unicode")


def _tidy(one: ET.Element, links: set[str], mark: str) -> None:
    """Names without namespace, ids of this plot alone, numbers no finer than an eye can see."""
    one.tag = one.tag.rpartition("}")[2]
    one.tail = None
    if one.tag not in ("text", "tspan"):
        one.text = one.text if one.text and one.text.strip() else None
    identity, link = one.attrib.pop("id", None), one.attrib.pop(_LINK, None)
    if identity in links:
        one.set("id", f"{mark}-{identity}")
    if link:
        one.set("href", f"#{mark}-{link[1:]}")
    for name, value in one.attrib.items():
        drawn = value.replace("url(#", f"url(#{mark}-")
        one.set(name, _coarse(drawn) if name in _COORDINATES else drawn)


def _coarse(value: str) -> str:
    return " ".join(_FINE.sub(lambda found: f"{float(found[0]):.2f}", value).split())


_COORDINATES = frozenset({"d", "transform", "x", "y", "width", "height"})
_FINE = re.compile(r"-?\d+\.\d{3,}")
