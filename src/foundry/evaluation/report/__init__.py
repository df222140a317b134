"""A report over runs: one page that needs nothing else, or Markdown, in English or Dutch.

The same runs give the same bytes: no time of making stands in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.report.drawing import draw_plots
from foundry.evaluation.report.examined import Compared, Examined, compare, examine
from foundry.evaluation.report.gathering import WORST, make_sheet
from foundry.evaluation.report.markdown import render_markdown
from foundry.evaluation.report.page import render_page
from foundry.ports import Progress, Step
from foundry.records import EvalResult, EvalRun

__all__ = ["FORMATS", "WORST", "Compared", "Examined", "Format", "Report", "make_report"]

Format = Literal["html", "md"]
FORMATS: tuple[Format, ...] = ("html", "md")


@dataclass(frozen=True, slots=True)
class Report:
    """The text of the file, with what it was made from."""

    text: str
    runs: tuple[Examined, ...]
    compared: tuple[Compared, ...]


def make_report(
    runs: Sequence[tuple[EvalRun, Sequence[EvalResult]]],
    *,
    project: str,
    phrases: Phrases = ENGLISH,
    form: Format = "html",
    worst: int = WORST,
    progress: Progress = lambda _step: None,
) -> Report:
    """The report over these runs with their outcomes; the first is what others are compared with.

    ``project`` is the name in its title; of each run the ``worst`` questions are shown with their hits.
    """
    examined: list[Examined] = []
    compared: list[Compared] = []
    progress(Step("measure", 0, len(runs), "runs"))
    for one in examine(runs):
        if examined:
            compared.append(compare(examined[0], one))
        examined.append(one)
        progress(Step("measure", len(examined), len(runs), "runs", one.label))
    sheet = make_sheet(examined, compared, phrases, project=project, worst=worst)
    if form == "md":
        text = render_markdown(sheet, phrases)
    else:
        text = render_page(sheet, *draw_plots(examined, compared, phrases), phrases)
    return Report(text, tuple(examined), tuple(compared))
