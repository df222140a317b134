"""Write a report over runs: a self-contained HTML page, or Markdown, in English or Dutch.

One template walks over the same tables for both; the macros of a format write them. The page has
its own style and plots, no script, and loads nothing. Markdown leaves plots to the page; whatever a
person or a source wrote is escaped in both. The same runs give the same bytes, since no time of
writing is in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import foundry
from foundry.evaluation.libraries import require
from foundry.evaluation.metrics.statistics import calibration_error, reliability
from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots import (
    PlottedChange,
    plot_coverage,
    plot_differences,
    plot_gate_scores,
    plot_latency,
    plot_recall_curves,
    plot_reliability,
)
from foundry.evaluation.report.questions import QuestionDetails, build_question_table, find_faulty
from foundry.evaluation.report.run_summary import (
    ComparedRun,
    RunSummary,
    compare_run,
    summarise_runs,
)
from foundry.evaluation.report.tables import (
    CHIEF_QUALITY,
    GROUPS,
    OF_ANSWERS,
    RunTables,
    format_change,
    name_measure,
)
from foundry.ports import Progress, Step
from foundry.records import EvalResult, EvalRun
from foundry.render.escapes import escape, escape_within


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot with its caption; a narrow one shares a line with others."""

    title: str
    svg: str
    caption: str
    narrow: bool = False


def draw_plots(
    runs: Sequence[RunSummary], compared: Sequence[ComparedRun], phrases: Phrases
) -> tuple[list[Drawing], list[str]]:
    """Draw the plots; of each that cannot be drawn return the reason."""
    drawings: list[Drawing] = []
    missing: list[str] = []
    for name, drawn in (
        ("recall", _draw_recall(runs, phrases)),
        ("differences", _draw_differences(compared, phrases)),
        ("gate", _draw_gates(runs, phrases)),
        ("reliability", _draw_reliabilities(runs, phrases)),
        ("coverage", _draw_coverage(runs, phrases)),
        ("latency", _draw_latency(runs, phrases)),
    ):
        own = list(drawn)
        drawings += own
        if not own and (name != "differences" or compared):
            missing.append(f"{phrases(f'report-plot-{name}')}: {phrases(f'report-missing-{name}')}")
    return drawings, missing


def _draw_recall(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    known = {r.label: r.figures for r in runs if r.figures.get("recall@10") is not None}
    if known:
        svg = plot_recall_curves(known, phrases)
        yield Drawing(phrases("report-plot-recall"), svg, phrases("report-caption-recall"))


def _draw_differences(compared: Sequence[ComparedRun], phrases: Phrases) -> Iterator[Drawing]:
    changes = [
        PlottedChange(
            measure=name_measure(name, phrases),
            run=pair.run.label,
            mean=change.difference or 0.0,
            low=change.interval.low if change.interval else None,
            high=change.interval.high if change.interval else None,
        )
        for name in CHIEF_QUALITY
        for pair in compared
        if (change := pair.changes.get(name))
    ]
    if changes:
        svg = plot_differences(changes, phrases)
        yield Drawing(
            phrases("report-plot-differences"), svg, phrases("report-caption-differences")
        )


def _draw_gates(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    for run in runs:
        scores: dict[bool | None, list[float]] = {True: [], False: [], None: []}
        for result in _drop_errors(run):
            if result.score is not None:
                scores[result.question.answerable].append(result.score)
        if any(scores.values()):
            title = _name_run("report-plot-gate", run, runs, phrases)
            svg = plot_gate_scores(
                scores[True],
                scores[False],
                scores[None],
                threshold=_read_setting(run, "retrieval.min_score"),
                phrases=phrases,
                title=title,
                key=str(run.run.id),
            )
            yield Drawing(title, svg, phrases("report-caption-gate"))


def _draw_reliabilities(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    for run in runs:
        known = [
            (result.score, result.question.answerable)
            for result in _drop_errors(run)
            if result.score is not None and result.question.answerable is not None
        ]
        if len({label for _score, label in known}) < 2:
            continue
        bins = reliability([score for score, _ in known], [label for _, label in known])
        title = _name_run("report-plot-reliability", run, runs, phrases)
        svg = plot_reliability(
            bins,
            phrases=phrases,
            title=title,
            score=phrases("report-plot-gate-axis"),
            true=phrases("report-plot-answerable-share"),
            key=str(run.run.id),
        )
        error = phrases.share(calibration_error(bins))
        yield Drawing(title, svg, phrases("report-caption-reliability", error=error), narrow=True)


def _draw_coverage(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    coverages = {
        run.label: [result.coverage for result in _drop_errors(run) if result.coverage is not None]
        for run in runs
    }
    known = {label: values for label, values in coverages.items() if values}
    if known:
        targets = {_read_setting(run, "validation.min_attribution") for run in runs}
        target = targets.pop() if len(targets) == 1 else None
        svg = plot_coverage(known, target, phrases)
        yield Drawing(phrases("report-plot-coverage"), svg, phrases("report-caption-coverage"))


def _draw_latency(runs: Sequence[RunSummary], phrases: Phrases) -> Iterator[Drawing]:
    whole = {run.label: _list_times(run, "total") for run in runs if run.answers}
    retrieval = {run.label: _list_times(run, "retrieval") for run in runs}
    if any(whole.values()) or any(retrieval.values()):
        svg = plot_latency(whole, retrieval, phrases)
        yield Drawing(phrases("report-plot-latency"), svg, phrases("report-caption-latency"))


def _list_times(run: RunSummary, name: str) -> list[float]:
    return [result.timings_ms[name] for result in _drop_errors(run) if name in result.timings_ms]


def _drop_errors(run: RunSummary) -> list[EvalResult]:
    return [result for result in run.results if result.error is None]


def _name_run(key: str, run: RunSummary, runs: Sequence[RunSummary], phrases: Phrases) -> str:
    return phrases(key) if len(runs) == 1 else f"{phrases(key)}: {run.label}"


def _read_setting(run: RunSummary, name: str) -> float | None:
    """A number of the configuration, which is stored as one table or by dotted names."""
    value: object = run.run.config.get(name, run.run.config)
    for part in name.split("."):
        if isinstance(value, dict):
            value = value.get(part)
    return float(value) if isinstance(value, int | float) else None


Format = Literal["html", "md"]
FORMATS: tuple[Format, ...] = ("html", "md")
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
    form: Format = "html",
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
        "form": form,
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
        "details": lambda faulty, run: QuestionDetails(faulty.result, run, phrases),
    }
    if form == "html":
        values["drawings"], values["missing"] = draw_plots(summaries, compared, phrases)
        values |= {"policy": _POLICY, "style": require("markupsafe").Markup(_read("report.css"))}
    text = _load_template(form).render(values)
    if form == "md":
        text = re.sub(r"\n{3,}", "\n\n", re.sub(r" +\n", "\n", text)).strip() + "\n"
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
                difference, interval = format_change(change, t)
                name = name_measure(change.measure, t)
                named.append(f"{name} {difference.lstrip('▲▼ ')} ({interval})")
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
def _load_template(form: Format) -> Any:
    jinja2 = require("jinja2")
    engine = jinja2.Environment(
        autoescape=form == "html",
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_read),
    )
    engine.filters |= {"line": escape, "within": escape_within}
    return engine.get_template("report.jinja")


def _read(name: str) -> str:
    return files("foundry.evaluation.report").joinpath(name).read_text("utf-8")
