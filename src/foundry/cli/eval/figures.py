"""Evaluation runs and outcomes as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from foundry.cli.output import show
from foundry.cli.table import list_columns, show_table
from foundry.evaluation.metrics.measures import CHIEF, MEASURES
from foundry.evaluation.metrics.statistics import Interval, count_trust, final_verdict
from foundry.messages import Message, Parameter
from foundry.records import EvalResult, EvalRun

_NAMED = 5
"""Failed questions that are named; the rest is counted."""


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
    _show_trust(results)
    names = MEASURES if all_measures else CHIEF
    rows = []
    for name in names:
        low, high = _bounds(name, intervals.get(name))
        rows.append((name, format_figure(name, run.figures.get(name)), low, high))
    columns = list_columns("measure", "value", "from", "to")
    show_table(columns, rows, elastic=columns[0], numbers=columns[1:])
    if not all_measures:
        show(Message("eval-measures-shown", n=len(CHIEF), of=len(MEASURES)))


def _show_trust(results: Sequence[EvalResult]) -> None:
    """Show how many of the answers, marked or not, passages and refusals were right; nothing for search alone."""
    trust = count_trust(results)
    if trust:
        columns = list_columns("shown", "right", "wrong", "unjudged")
        rows = [(str(Message(f"eval-trust-{name}")), *row) for name, row in trust.items()]
        show_table(columns, rows, elastic=columns[0], numbers=columns[1:])
        show()


def _head(run: EvalRun, results: Sequence[EvalResult]) -> Iterable[Message]:
    counts, done = run.counts, len(results)
    facts: dict[str, Parameter] = {
        "run": str(run.id),
        "name": run.name,
        "kind": run.kind,
        "sets": run.sets,
    }
    if run.finished:
        yield Message("eval-run-head", n=done, **facts)
    else:
        yield Message("eval-run-head-so-far", n=done, **facts, of=counts.get("questions", done))
    if run.overrides:
        yield Message("eval-run-with", keys=[f"{k}={value}" for k, value in run.overrides.items()])
    if run.finished is None:
        yield Message("eval-run-figures-so-far")
    names = (
        *("errors", "answerable", "unanswerable", "unlabelled", "judged"),
        *("answered", "passages", "refused"),
    )
    yield Message("eval-run-counts", **{name: counts.get(name, 0) for name in names})
    spent = run.figures.get("question_seconds") or 0.0
    yield Message("eval-run-took", whole=run.seconds, questions=spent)


def _errors(run: EvalRun, results: Sequence[EvalResult]) -> Iterable[Message]:
    failed = [result for result in results if result.error]
    for result in failed[:_NAMED]:
        yield Message("eval-run-error", key=result.question.key, error=result.error)
    if len(failed) > _NAMED:
        yield Message("eval-run-errors-more", n=len(failed) - _NAMED, run=str(run.id))


def format_figure(measure: str, value: float | None) -> str:
    """A figure with its unit, or "undefined"."""
    unit = "share"
    if value is None:
        unit = "undefined"
    elif measure.endswith("_ms"):
        unit = "ms"
    elif measure in ("cost", "tokens", "errors"):
        unit = "cost" if measure == "cost" else "whole"
    return str(Message(f"eval-figure-{unit}", value=value))


def format_number(form: str, value: float | None) -> Message | None:
    """A number as a cell; ``form`` is score, percent or whole. None remains None."""
    return None if value is None else Message(f"eval-figure-{form}", value=value)


def _bounds(measure: str, interval: Interval | None) -> tuple[str, str]:
    if interval is None:
        return "", ""
    return format_figure(measure, interval.low), format_figure(measure, interval.high)


def show_questions(results: Sequence[EvalResult]) -> None:
    """Show a line for each question: its verdict, and the rank of the first expected place.

    The column of what passages hold is there if any were shown.
    """
    shown = any(result.figures.get("shown_gold") is not None for result in results)
    columns = list_columns(
        *("key", "verdict", "label", "score", "found", "cited", "f1"),
        *(["shown"] if shown else []),
        *("ms", "question"),
    )
    rows = [_question_row(result, shown=shown) for result in results]
    show_table(columns, rows, elastic=columns[-1], numbers=columns[3:-1])


def _question_row(result: EvalResult, *, shown: bool) -> tuple[object, ...]:
    mrr, cited, f1 = (result.figures.get(name) for name in ("mrr", "citation_recall", "f1"))
    gold, total = result.figures.get("shown_gold"), result.timings_ms.get("total")
    is_known = result.question.answerable is not None
    label = Message(f"eval-label-{str(result.question.answerable).lower()}") if is_known else None
    return (
        result.question.key,
        Message("eval-verdict-error", error=result.error)
        if result.error
        else Message("cli-verdict", verdict=final_verdict(result)),
        label,
        format_number("score", result.score),
        Message("eval-never-found") if mrr == 0 else format_number("whole", mrr and 1 / mrr),
        format_number("percent", cited),
        format_number("score", f1),
        *([format_number("whole", gold)] if shown else []),
        format_number("whole", total),
        result.question.text,
    )
