"""Write a report over runs: a self-contained HTML page, in English or Dutch.

It has its own style and plots, no script, and loads nothing; whatever a person or a source wrote is
escaped. The same runs give the same bytes, since no time of writing is in them.

Which questions went worst is a rule that the report states: errors come first, then refusals of
answerable questions (lowest gate score first), answers to unanswerable ones (highest first), expected
places that are not all among the first ten hits, shown passages without the gold, and last answers
that share few words with the expected ones. An answer that contains every word of an expected one is
no fault: a whole sentence around a short answer has a low F1 by nature. Passages are no answer, so
showing them is no fault of an unanswerable question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

import foundry
from foundry.evaluation import require
from foundry.evaluation.metrics.statistics import (
    calibration_error,
    final_verdict,
    is_right,
    reliability,
)
from foundry.evaluation.phrases import ENGLISH, Phrases
from foundry.evaluation.plots import (
    PlottedChange,
    plot_differences,
    plot_gate_scores,
    plot_recall_curves,
    plot_reliability,
)
from foundry.evaluation.report.tables import (
    CHIEF_QUALITY,
    GROUPS,
    OF_ANSWERS,
    ComparedRun,
    ReportCell,
    ReportTable,
    Row,
    RunSummary,
    RunTables,
    compare_run,
    format_change,
    format_value,
    make_row,
    name_measure,
    summarise_runs,
)
from foundry.evaluation.runs.history import flatten
from foundry.ports import Progress, Step
from foundry.records import EvalResult, EvalRun, Verdict


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


Fault = Literal["error", "wrong_refusal", "wrong_answer", "missing", "not_shown", "low_f1"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
DEPTH = 10
"""Hits in which an expected place must be: as many as ``retrieval.top_k`` gives by default."""


@dataclass(frozen=True, slots=True)
class FaultyResult:
    """An outcome with its faults, the most serious first."""

    result: EvalResult
    faults: tuple[Fault, ...]


def find_faulty(results: Sequence[EvalResult]) -> list[FaultyResult]:
    """All outcomes with a fault, the worst first."""
    bad = [FaultyResult(result, faults) for result in results if (faults := find_faults(result))]
    return sorted(bad, key=_severity)


def find_faults(result: EvalResult) -> tuple[Fault, ...]:
    """The faults of an outcome; a failed one has only its error."""
    if result.error is not None:
        return ("error",)
    label, figures = result.question.answerable, result.figures
    recall, f1, gold = (figures.get(name) for name in (f"recall@{DEPTH}", "f1", "shown_gold"))
    verdict = final_verdict(result)
    refused = verdict == "no_evidence"
    faults: dict[Fault, bool] = {
        "wrong_refusal": label is True and refused,
        "wrong_answer": label is False and verdict in ("answer", "low_confidence"),
        "missing": recall is not None and recall < 1,
        "not_shown": gold == 0 and not refused,
        "low_f1": f1 is not None and is_right(result) is False,
    }
    return tuple(fault for fault in FAULTS if faults.get(fault))


def find_first_right(result: EvalResult, place: int | None = None) -> int | None:
    """The rank, from 1, of the first hit that covers an expected place, or the given one."""
    ranks = (
        rank
        for rank, hit in enumerate(result.ranking, start=1)
        if (hit.covers if place is None else place in hit.covers)
    )
    return next(ranks, None)


def _severity(bad: FaultyResult) -> tuple[int, tuple[float, ...], str]:
    result, worst = bad.result, bad.faults[0]
    score, figures = result.score or 0.0, result.figures
    by_answer = (figures.get("answer_recall") or 0.0, figures.get("f1") or 0.0)
    order: dict[Fault, tuple[float, ...]] = {
        "error": (),
        "wrong_refusal": (score,),
        "wrong_answer": (-score,),
        "missing": (figures.get(f"recall@{DEPTH}") or 0.0, figures.get("mrr") or 0.0, *by_answer),
        "not_shown": (score,),
        "low_f1": by_answer,
    }
    return FAULTS.index(worst), order[worst], result.question.key


_SHOWN = ("recall@10", "ndcg@10", "f1", "shown_gold")
_LONGEST_QUOTE = 400
"""Characters: enough to recognise a quote; whole ones are in the source."""
_LONGEST_ANSWER = 2_000
"""Characters: a page of text."""


@dataclass(frozen=True, slots=True)
class ReportedPlace:
    """An expected or cited place; ``right`` is None where nothing was expected."""

    place: str
    right: bool | None
    remark: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class QuestionDetails:
    """What the templates show of one outcome of ``run``."""

    result: EvalResult
    run: RunSummary
    phrases: Phrases

    def facts(self) -> Iterator[tuple[str, str]]:
        """Label, language, verdicts and figures, each under its name."""
        t, result, question = self.phrases, self.result, self.result.question
        labels = {True: "answerable", False: "unanswerable", None: "unlabelled"}
        yield t("report-label"), t(f"report-kind-{labels[question.answerable]}")
        yield t("report-language"), question.language
        if question.tags:
            yield t("report-tags"), ", ".join(question.tags)
        if result.error is not None:
            return
        if self.run.answers:
            yield t("report-verdict"), _format_verdict(result.verdict, t)
        score = (
            "" if result.score is None else f" ({t('report-score')} {t.number(result.score, 2)})"
        )
        yield t("report-gate"), f"{_format_verdict(result.gate_verdict, t)}{score}"
        for name in _SHOWN if self.run.answers else _SHOWN[:2]:
            yield name_measure(name, t), format_value(name, result.figures.get(name), t)
        if self.run.answers and result.coverage is not None:
            yield name_measure("coverage", t), t.number(result.coverage, 3)
        if question.answers:
            yield t("report-expected-answers"), " | ".join(question.answers)
        if result.unknown:
            yield t("report-not-in-index"), "; ".join(result.unknown)

    def list_expected(self) -> list[ReportedPlace]:
        """The expected places, with the rank of the first hit that covers each."""
        t, result = self.phrases, self.result
        complete = result.figures.get(f"recall@{DEPTH}") == 1
        places = []
        for n, expectation in enumerate(result.question.expected):
            spans = ", ".join(f"{start}–{end}" for start, end in expectation.spans)
            graded = (
                "" if expectation.relevance == 1 else t("report-relevance", n=expectation.relevance)
            )
            place = _format_place(expectation.source, expectation.page, expectation.section, t)
            parts = (place, t("report-characters", spans=spans) if spans else "", graded)
            rank = find_first_right(result, n)
            remark = (
                t("report-expected-rank", rank=t.number(rank))
                if rank
                else t("report-expected-nowhere")
            )
            right = None if result.error else rank is not None and (complete or rank <= DEPTH)
            places.append(ReportedPlace(", ".join(filter(None, parts)), right, remark))
        return places

    def citations(self) -> list[ReportedPlace]:
        """The quotes or passages that the answer shows."""
        t = self.phrases
        judged = bool(self.result.question.expected)
        return [
            ReportedPlace(
                _format_place(citation.source, citation.page, None, t),
                bool(citation.covers) if judged else None,
                t("report-citation-right" if citation.covers else "report-citation-wrong"),
                _cut(citation.text, _LONGEST_QUOTE),
            )
            for citation in self.result.citations
        ]

    def hits(self) -> ReportTable | None:
        """The first hits, with the expected places that each covers; None without a hit."""
        t, judged = self.phrases, bool(self.result.question.expected)
        if not self.result.ranking:
            return None
        rows: list[Row] = []
        for rank, hit in enumerate(self.result.ranking[:DEPTH], start=1):
            numbers = ", ".join(str(n + 1) for n in hit.covers)
            right = f"✓ {numbers}" if numbers else t("report-no")
            rows.append(
                make_row(
                    str(rank),
                    hit.source,
                    "–" if hit.page is None else str(hit.page),
                    hit.section or "–",
                    "–" if hit.relevance is None else t.number(hit.relevance, 2),
                    ReportCell(right if judged else "–", tone="good" if numbers else ""),
                )
            )
        words = (t("report-source"), t("report-section"), t("report-right"))
        heads = ("#", words[0], t("report-page"), words[1], t("report-relevance-column"), words[2])
        return ReportTable(t("report-hits-title"), heads, {"": rows}, words)

    def first_right(self) -> str:
        """At which rank the first right hit came, if at all; empty where nothing was expected."""
        t, result = self.phrases, self.result
        if result.error is not None or not result.question.expected:
            return ""
        rank, depth = find_first_right(result), t.number(len(result.ranking))
        if rank is None:
            return t("report-hits-nowhere", depth=depth)
        return t("report-hits-first-right", rank=t.number(rank), depth=depth)

    def answer(self) -> str | None:
        """The answer, cut where it is very long; None where no answer was due."""
        if not self.run.answers or self.result.error is not None:
            return None
        return _cut(self.result.answer, _LONGEST_ANSWER) or self.phrases("report-answer-none")

    def language(self) -> str:
        """The language of the question as an HTML attribute."""
        language = self.result.question.language
        return language if language.isalpha() else "und"


def build_question_table(runs: Sequence[RunSummary], t: Phrases) -> ReportTable:
    """A row for each outcome; with several runs those of one question follow each other."""
    many, answers = len(runs) > 1, any(run.answers for run in runs)
    measures = _SHOWN if answers else _SHOWN[:2]
    outcomes: dict[str, list[tuple[RunSummary, EvalResult]]] = {}
    for run in runs:
        for result in run.results:
            outcomes.setdefault(result.question.key, []).append((run, result))
    rows = []
    for key in sorted(outcomes):
        for n, (run, result) in enumerate(outcomes[key]):
            # The text of a question is in its first row alone.
            head = (key, "" if n else result.question.text, *([run.label] if many else []))
            rows.append(make_row(*head, *_outcome_cells(run, result, measures, t)))
    words = (t("report-question"), *([t("report-run")] if many else []), t("report-verdict"))
    took = t("report-time-whole" if answers else "report-time-retrieval")
    numbers = (t("report-score"), *(name_measure(name, t) for name in measures), took)
    texts = (*words, t("report-fault"))
    heads = (t("report-question-key"), *words, *numbers, t("report-fault"))
    title, note = t("report-questions-title"), t("report-questions-note")
    return ReportTable(title, heads, {"": rows}, texts, note)


def _outcome_cells(
    run: RunSummary, result: EvalResult, measures: Sequence[str], t: Phrases
) -> Iterator[ReportCell | str]:
    faults = find_faults(result)
    took = result.timings_ms.get("total" if run.answers else "retrieval")
    yield _format_verdict(final_verdict(result), t)
    yield "–" if result.score is None else t.number(result.score, 2)
    for name in measures:
        value = result.figures.get(name) if result.error is None else None
        # A dash where it is undefined: the word would fill the table.
        yield "–" if value is None else t.number(value, 2)
    yield "–" if took is None else t.time(took)
    faulty = ", ".join(t(f"report-short-{fault}") for fault in faults)
    yield ReportCell(faulty, tone="bad" if faults else "")


def _format_verdict(verdict: Verdict | None, t: Phrases) -> str:
    """The verdict in words; a dash where nothing was decided."""
    return t(f"report-verdict-{verdict}") if verdict else "–"


def _format_place(source: str, page: int | None, section: str | None, t: Phrases) -> str:
    parts = (source, "" if page is None else f"{t('report-page-short')} {page}", section)
    return ", ".join(part for part in parts if part)


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[:characters].rstrip()} […]"
