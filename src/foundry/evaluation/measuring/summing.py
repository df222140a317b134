"""From the outcomes of single questions to the figures of a run, with the counts behind them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from foundry.evaluation.measuring.intervals import Interval, interval_of_mean
from foundry.evaluation.measuring.measures import MEANS, MEASURES
from foundry.evaluation.measuring.statistics import columns_of, interval_of_statistic, statistic
from foundry.records import EvalResult, Verdict


def summarise(
    results: Sequence[EvalResult],
) -> tuple[dict[str, float | None], dict[str, int]]:
    """The figures of ``measures.MEASURES`` and ``question_seconds``, and the counts.

    A mean is over the questions where it is defined; None where there is none. ``question_seconds``
    is the sum of the questions' own times.
    """
    columns = columns_of(results)
    figures: dict[str, float | None] = {}
    for name in MEASURES:
        if name in MEANS:
            values = values_of(results, name)
            figures[name] = fmean(values) if values else None
        else:
            figures[name] = statistic(name, columns)
    figures["question_seconds"] = sum(one.timings_ms.get("question", 0.0) for one in results) / 1000
    return figures, _counts(results)


def intervals_of(results: Sequence[EvalResult]) -> dict[str, Interval | None]:
    """The 95 % interval of every measure over these questions; None where it has none."""
    columns = columns_of(results)
    return {
        name: interval_of_mean(values_of(results, name))
        if name in MEANS
        else interval_of_statistic(name, columns)
        for name in MEASURES
    }


def values_of(results: Sequence[EvalResult], measure: str) -> list[float]:
    """The figure of every question that has it."""
    found = (result.figures.get(measure) for result in results if result.error is None)
    return [value for value in found if value is not None]


def final_verdict(result: EvalResult) -> Verdict | None:
    """What was decided: the answer's verdict, in a run over search alone the gate's."""
    return result.verdict if result.verdict is not None else result.gate_verdict


def _counts(results: Sequence[EvalResult]) -> dict[str, int]:
    labels = [result.question.answerable for result in results]
    fine = [result for result in results if result.error is None]
    refused = sum(final_verdict(result) == "no_evidence" for result in fine)
    return {
        "questions": len(results),
        "errors": len(results) - len(fine),
        "answerable": sum(label is True for label in labels),
        "unanswerable": sum(label is False for label in labels),
        "unlabelled": sum(label is None for label in labels),
        "judged": len(values_of(results, "mrr")),
        "answered": len(fine) - refused,
        "refused": refused,
        "unknown_sources": len({name for result in fine for name in result.unknown}),
    }
