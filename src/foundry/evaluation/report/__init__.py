"""A report over runs: one page that needs nothing else, or Markdown, in English or Dutch.

The same runs give the same bytes: no time of making stands in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.drawing import draw_plots
from foundry.evaluation.report.examined import Compared, Examined, compare, examine
from foundry.evaluation.report.gathering import WORST, make_sheet
from foundry.evaluation.report.markdown import render_markdown
from foundry.evaluation.report.page import render_page
from foundry.records import EvalResult, EvalRun

__all__ = ["FORMATS", "WORST", "Compared", "Examined", "Format", "compare", "examine", "render"]

Format = Literal["html", "md"]
FORMATS: tuple[Format, ...] = ("html", "md")


def make_report(
    runs: Sequence[tuple[EvalRun, Sequence[EvalResult]]],
    *,
    project: str,
    phrases: Phrases,
    form: Format = "html",
    worst: int = WORST,
) -> str:
    """The report over these runs with their outcomes; the first is what others are compared with."""
    examined = examine(runs)
    compared = [compare(examined[0], other) for other in examined[1:]]
    return render(examined, compared, project=project, phrases=phrases, form=form, worst=worst)


def render(
    runs: Sequence[Examined],
    compared: Sequence[Compared],
    *,
    project: str,
    phrases: Phrases,
    form: Format,
    worst: int = WORST,
) -> str:
    """The text of the file."""
    sheet = make_sheet(runs, compared, phrases, project=project, worst=worst)
    if form == "md":
        return render_markdown(sheet, phrases)
    plots, missing = draw_plots(runs, compared, phrases)
    return render_page(sheet, plots, missing, phrases)
