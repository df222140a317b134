"""Evaluation runs and outcomes as JSON, and their figures as text."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from foundry.cli.output import show
from foundry.cli.table import show_table
from foundry.evaluation.metrics.intervals import Interval
from foundry.evaluation.metrics.measures import CHIEF, MEASURES
from foundry.evaluation.metrics.statistics import final_verdict
from foundry.records import EvalResult, EvalRun

_NAMED = 5
"""Failed questions that are named; the rest is counted."""


def run_as_dict(
    run: EvalRun, intervals: Mapping[str, Interval | None] | None = None
) -> dict[str, Any]:
    """A run as ``--json`` prints it; ``intervals`` is null where none are given."""
    return {
        "id": run.id,
        "name": run.name,
        "kind": run.kind,
        "sets": list(run.sets),
        "started": run.started.isoformat(),
        "finished": run.finished and run.finished.isoformat(),
        "seconds": round(run.seconds, 3),
        "figures": {name: round_figure(value) for name, value in run.figures.items()},
        "intervals": intervals
        and {name: interval_as_dict(intervals.get(name)) for name in MEASURES},
        "counts": dict(run.counts),
        "overrides": dict(run.overrides),
        "config": {key: _as_text(value) for key, value in run.config.items()},
        "versions": dict(run.versions),
        "index": run.index,
        "questions": run.questions,
        "notices": list(run.notices),
    }


def result_as_dict(result: EvalResult) -> dict[str, Any]:
    """The outcome of a question as ``--json`` prints it."""
    question = result.question
    return {
        "key": question.key,
        "text": question.text,
        "answerable": question.answerable,
        "expected": [dataclasses.asdict(one) for one in question.expected],
        "answers": list(question.answers),
        "verdict": result.verdict,
        "gate_verdict": result.gate_verdict,
        "score": round_figure(result.score),
        "answer": result.answer,
        "coverage": round_figure(result.coverage),
        "figures": {name: round_figure(value) for name, value in result.figures.items()},
        "citations": [_span_as_dict(one) for one in result.citations],
        "ranking": [_span_as_dict(one) for one in result.ranking],
        "timings_ms": dict(result.timings_ms),
        "usage": dataclasses.asdict(result.usage),
        "error": result.error,
        "unknown": list(result.unknown),
        "notices": list(result.notices),
    }


def interval_as_dict(interval: Interval | None) -> dict[str, float | None] | None:
    """Both bounds of an interval, or None."""
    if interval is None:
        return None
    return {"low": round_figure(interval.low), "high": round_figure(interval.high)}


def round_figure(value: float | None) -> float | None:
    """Round to six decimals, more than any figure here has."""
    return None if value is None else round(value, 6)


def _span_as_dict(record: Any) -> dict[str, Any]:
    return {**dataclasses.asdict(record), "covers": list(record.covers)}


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def show_run(
    run: EvalRun,
    results: Sequence[EvalResult],
    intervals: Mapping[str, Interval | None],
    *,
    all_measures: bool,
) -> None:
    """Show a run's facts and the table of its figures."""
    for line in [*_head(run, results), *_errors(run, results)]:
        show(line)
    show()
    names = MEASURES if all_measures else CHIEF
    rows = []
    for name in names:
        low, high = _bounds(name, intervals.get(name))
        rows.append((name, format_figure(name, run.figures.get(name)), low, high))
    show_table(("MEASURE", "VALUE", "95 % FROM", "TO"), rows, elastic="MEASURE",
               numbers=("VALUE", "95 % FROM", "TO"))  # fmt: skip
    if not all_measures:
        show(f"{len(CHIEF)} of {len(MEASURES)} measures; -v shows all.")


def _head(run: EvalRun, results: Sequence[EvalResult]) -> Iterable[str]:
    counts = run.counts
    done = f"{len(results)} of {counts.get('questions', len(results))} questions"
    if run.finished:
        done = f"{len(results)} questions"
    yield f"Run {run.id} ({run.name}, {run.kind}): {done} of {', '.join(run.sets)}"
    if run.overrides:
        yield f"With {', '.join(f'{key}={value}' for key, value in run.overrides.items())}"
    if run.finished is None:
        yield "Not finished: these are the figures so far. The same command resumes it."
    names = ("errors", "answerable", "unanswerable", "unlabelled", "judged", "answered", "refused")
    yield ", ".join(f"{counts.get(name, 0)} {name}" for name in names)
    spent = run.figures.get("question_seconds") or 0.0
    yield f"Took {run.seconds:.1f} s; the questions alone {spent:.1f} s"


def _errors(run: EvalRun, results: Sequence[EvalResult]) -> Iterable[str]:
    failed = [result for result in results if result.error]
    for result in failed[:_NAMED]:
        yield f"Error in {result.question.key}: {result.error}"
    if len(failed) > _NAMED:
        yield f"{len(failed) - _NAMED} more errors; `foundry eval runs {run.id} --questions` lists all."


def format_figure(measure: str, value: float | None) -> str:
    """A figure with its unit, or "undefined"."""
    if value is None:
        return "undefined"
    if measure.endswith("_ms"):
        return f"{value:,.0f} ms"
    if measure == "cost":
        return f"{value:,.4f} USD"
    return f"{value:,.0f}" if measure in ("tokens", "errors") else f"{value:.3f}"


def _bounds(measure: str, interval: Interval | None) -> tuple[str, str]:
    if interval is None:
        return "", ""
    return format_figure(measure, interval.low), format_figure(measure, interval.high)


def show_questions(results: Sequence[EvalResult]) -> None:
    """Show a line for each question: its verdict, and the rank of the first expected place."""
    show_table(
        ("KEY", "VERDICT", "LABEL", "SCORE", "FOUND AT", "CITED", "F1", "MS", "QUESTION"),
        [_question_row(result) for result in results],
        elastic="QUESTION",
        numbers=("SCORE", "FOUND AT", "CITED", "F1", "MS"),
    )


def _question_row(result: EvalResult) -> tuple[object, ...]:
    mrr, cited, f1 = (result.figures.get(name) for name in ("mrr", "citation_recall", "f1"))
    total = result.timings_ms.get("total")
    label = {True: "answerable", False: "unanswerable", None: None}[result.question.answerable]
    return (
        result.question.key,
        f"error: {result.error}" if result.error else final_verdict(result),
        label,
        None if result.score is None else f"{result.score:.2f}",
        None if mrr is None else "never" if mrr == 0 else f"{1 / mrr:.0f}",
        None if cited is None else f"{cited:.0%}",
        None if f1 is None else f"{f1:.2f}",
        None if total is None else f"{total:.0f}",
        result.question.text,
    )
