"""Write a report over runs: a self-contained HTML page, in English or Dutch.

It has its own style and plots, no script, and loads nothing; whatever a person or a source wrote is
escaped. The same runs give the same bytes, since no time of writing is in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import foundry
from foundry.evaluation.libraries import require
from foundry.evaluation.metrics.statistics import calibration_error, reliability
from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots import (
    PlottedChange,
    plot_differences,
    plot_gate_scores,
    plot_recall_curves,
    plot_reliability,
)
from foundry.evaluation.report.questions import QuestionDetails, build_question_table, find_faulty
from foundry.evaluation.report.tables import (
    CHIEF_QUALITY,
    GROUPS,
    OF_ANSWERS,
    ComparedRun,
    RunSummary,
    RunTables,
    compare_run,
    format_change,
    name_measure,
    summarise_runs,
)
from foundry.evaluation.runs.history import flatten
from foundry.ports import Progress, Step
from foundry.records import EvalResult, EvalRun


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot with its caption; a narrow one shares a line with others."""

    title: str
    svg: str
    caption: str
    narrow: bool = False


def draw_plots(
    runs: Sequence[RunSummary], compared: Sequence[ComparedRun], t: Phrases
) -> Iterator[Drawing]:
    """Draw what there is to draw: recall by depth, differences, and the gate's scores of each run."""
    known = {run.label: run.figures for run in runs if run.figures.get("recall@10") is not None}
    if known:
        svg = plot_recall_curves(known, t)
        yield Drawing(t("report-plot-recall"), svg, t("report-caption-recall"))
    changes = [
        PlottedChange(
            name_measure(name, t),
            pair.run.label,
            change.difference or 0.0,
            change.interval.low if change.interval else None,
            change.interval.high if change.interval else None,
        )
        for name in CHIEF_QUALITY
        for pair in compared
        if (change := pair.changes.get(name))
    ]
    if changes:
        svg = plot_differences(changes, t)
        yield Drawing(t("report-plot-differences"), svg, t("report-caption-differences"))
    for run in runs:
        yield from _draw_gate(run, f": {run.label}" if len(runs) > 1 else "", t)


def _draw_gate(run: RunSummary, named: str, t: Phrases) -> Iterator[Drawing]:
    scores: dict[bool | None, list[float]] = {True: [], False: [], None: []}
    for result in run.results:
        if result.error is None and result.score is not None:
            scores[result.question.answerable].append(result.score)
    key, good, bad = str(run.run.id), scores[True], scores[False]
    if any(scores.values()):
        title, threshold = t("report-plot-gate") + named, _read_threshold(run)
        svg = plot_gate_scores(
            good, bad, scores[None], threshold=threshold, phrases=t, title=title, key=key
        )
        yield Drawing(title, svg, t("report-caption-gate"))
    if good and bad:
        bins = reliability([*good, *bad], [True] * len(good) + [False] * len(bad))
        title = t("report-plot-reliability") + named
        axes = t("report-plot-gate-axis"), t("report-plot-answerable-share")
        svg = plot_reliability(bins, phrases=t, title=title, score=axes[0], true=axes[1], key=key)
        error = t.share(calibration_error(bins))
        yield Drawing(title, svg, t("report-caption-reliability", error=error), narrow=True)


def _read_threshold(run: RunSummary) -> float | None:
    """``retrieval.min_score``, which is stored by its dotted name or in a table."""
    config = flatten(run.run.config)
    value = config.get("retrieval.min_score")
    return float(value) if isinstance(value, int | float) else None


WORST = 20
"""Questions shown with their hits by default: about ten printed pages."""

# Should anything slip through the escaping, the page may still load and run nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class Report:
    """The text of the file, with the runs in it."""

    text: str
    runs: tuple[RunSummary, ...]
    compared: tuple[ComparedRun, ...]


def make_report(
    runs: Sequence[tuple[EvalRun, Sequence[EvalResult]]],
    *,
    project: str,
    phrases: Phrases = ENGLISH,
    worst: int = WORST,
    progress: Progress = lambda _step: None,
) -> Report:
    """Write the report over these runs with their outcomes; the others are compared with the first.

    ``project`` is the name in its title. Of each run the ``worst`` questions are shown with their
    hits.
    """
    summaries: list[RunSummary] = []
    compared: list[ComparedRun] = []
    progress(Step("measure", 0, len(runs), "runs"))
    for summary in summarise_runs(runs):
        if summaries:
            compared.append(compare_run(summaries[0], summary))
        summaries.append(summary)
        progress(Step("measure", len(summaries), len(runs), "runs", summary.label))
    values: dict[str, Any] = {
        "t": phrases,
        "project": project,
        "program": f"Foundry {foundry.__version__}",
        "runs": summaries,
        "tables": RunTables(summaries, compared, phrases),
        "questions": build_question_table(summaries, phrases),
        "warnings": list(_list_warnings(summaries, phrases)),
        "summary": list(_summarise(summaries, compared, phrases)),
        "meanings": list(_list_meanings(summaries, phrases)),
        "faulty": [find_faulty(run.results) for run in summaries],
        "worst": worst,
        "drawings": list(draw_plots(summaries, compared, phrases)),
        "policy": _POLICY,
        "style": require("markupsafe").Markup(_read("report.css")),
        "details": lambda faulty, run: QuestionDetails(faulty.result, run, phrases),
    }
    text = _load_template().render(values)
    # No file can contain half of a surrogate pair.
    return Report(
        text.encode("utf-8", "replace").decode("utf-8"), tuple(summaries), tuple(compared)
    )


def _list_warnings(runs: Sequence[RunSummary], t: Phrases) -> Iterator[str]:
    """What a reader must know before believing a figure."""
    for run in runs:
        if not run.run.finished:
            yield t("report-warning-unfinished", run=run.label, n=t.number(len(run.results)))
        if not run.results:
            yield t("report-warning-empty", run=run.label)
        if unknown := run.counts.get("unknown_sources", 0):
            yield t("report-warning-unknown", run=run.label, n=t("report-n-places", n=unknown))
    if len({run.run.questions for run in runs}) > 1:
        yield t("report-warning-questions")
    if len({run.run.index for run in runs}) > 1:
        yield t("report-warning-index")


def _summarise(
    runs: Sequence[RunSummary], compared: Sequence[ComparedRun], t: Phrases
) -> Iterator[str]:
    for run in runs:
        errors = sum(result.error is not None for result in run.results)
        yield t(
            "report-summary-run",
            run=run.label,
            questions=t("report-n-questions", n=len(run.results)),
            errors=t("report-n-errors", n=errors),
            bad=t.number(len(find_faulty(run.results))),
        )
    for pair in compared:
        names = {"run": pair.run.label, "first": runs[0].label}
        if pair.comparison is None:
            yield t("report-summary-nothing-common", **names)
        else:
            common = t("report-n-questions", n=pair.comparison.common)
            yield t(
                "report-summary-compared", **names, common=common, what=_describe_changes(pair, t)
            )


def _describe_changes(compared: ComparedRun, t: Phrases) -> str:
    """The clear changes: ``clearly better: Recall@10 +0.030 (0.010 to 0.050)``."""
    changes = [compared.changes[name] for name in CHIEF_QUALITY if name in compared.changes]
    parts = []
    for word in ("better", "worse"):
        named = []
        for change in changes:
            if getattr(change, word):
                moved = format_change(change, t).lstrip("▲▼ ")
                named.append(f"{name_measure(change.measure, t)} {moved}")
        parts += [t(f"report-summary-{word}", what=", ".join(named))] if named else []
    return "; ".join(parts) or t("report-summary-no-difference")


def _list_meanings(runs: Sequence[RunSummary], t: Phrases) -> Iterator[tuple[str, str]]:
    """The name and meaning of each measure shown, once for all depths."""
    answers = any(run.answers for run in runs)
    spans = any(run.figures.get("span_recall@1") is not None for run in runs)
    groups = [GROUPS[group] for group in GROUPS if answers or group not in OF_ANSWERS]
    for name in dict.fromkeys(name.partition("@")[0] for group in groups for name in group):
        if spans or not name.startswith("span_"):
            yield t(f"report-name-{name}"), t(f"report-means-{name}")


@cache
def _load_template() -> Any:
    jinja2 = require("jinja2")
    engine = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return engine.from_string(_read("report.html.jinja"))


def _read(name: str) -> str:
    return files("foundry.evaluation.report").joinpath(name).read_text("utf-8")
