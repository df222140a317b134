"""The report as one HTML page: its own style and drawings, no script, no request to anywhere.

Every word is escaped by the template engine; only the plots, which are our own, go in as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import foundry
from foundry.evaluation.libraries import require
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.sheet import Plot, Sheet

# Should anything slip through all the same, the page may load and run nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_CONTENTS = (
    ("summary", "summary.title"),
    ("runs", "runs.title"),
    ("measures", "measures.title"),
    ("moved", "moved.title"),
    ("plots", "plots.title"),
    ("breakdown", "breakdown.title"),
    ("worst", "worst.title"),
    ("questions", "questions.title"),
    ("meanings", "meanings.title"),
    ("settings", "settings.title"),
)


def render_page(
    sheet: Sheet, plots: Sequence[Plot], missing: Sequence[str], phrases: Phrases
) -> str:
    """The page; ``missing`` says of each plot that is not there why."""
    page: str = _template().render(
        sheet=sheet,
        plots=plots,
        missing=missing,
        t=phrases,
        number=phrases.number,
        contents=[one for one in _CONTENTS if one[0] != "moved" or sheet.moved],
        policy=_POLICY,
        program=program(),
        style=require("markupsafe").Markup(_read("page.css")),
    )
    # What no file can hold: half of a pair of code units.
    return page.encode("utf-8", "replace").decode("utf-8")


def program() -> str:
    """``Foundry 0.1.0``."""
    return f"Foundry {foundry.__version__}"


@cache
def _template() -> Any:
    jinja2 = require("jinja2")
    engine = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_read),
    )
    return engine.get_template("page.html.jinja")


def _read(name: str) -> str:
    return files("foundry.evaluation.report").joinpath(name).read_text("utf-8")
