"""Single questions in a report: which went worst, the facts, places and hits of one, the table of all.

By a rule that the report states, errors come first, then refusals of answerable questions (lowest
gate score first), answers to unanswerable ones (highest first), expected places that are not all
among the first ten hits, shown passages without the gold, and last answers that share few words
with the expected ones. An answer that contains every word of an expected one is no fault: a whole
sentence around a short answer has a low F1 by nature. Passages are no answer, so showing them is no
fault of an unanswerable question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from foundry.evaluation.metrics.statistics import final_verdict, is_right
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.tables import (
    ReportCell,
    ReportTable,
    Row,
    RunSummary,
    format_value,
    make_row,
    name_measure,
)
from foundry.records import EvalResult, Verdict

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
