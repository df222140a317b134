"""Figures of a run as a whole, with the counts behind them and their intervals.

Each statistic (refusals, gate, times, costs) is computed along the last axis of columns of shape
(…, n), one number a question, so that thousands of resamples are one call. A value that is unknown
or cannot be computed is NaN inside this module and None outside it.
"""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import get_args

import numpy as np
import numpy.typing as npt

from foundry.evaluation.libraries import require
from foundry.evaluation.metrics.intervals import (
    Interval,
    draw_questions,
    interval_of_resamples,
    intervals_by_name,
)
from foundry.evaluation.metrics.measures import MEANS, MEASURES
from foundry.records import EvalQuestion, EvalResult, Verdict

Columns = Mapping[str, npt.NDArray[np.float64]]
Statistic = Callable[[Columns], npt.NDArray[np.float64]]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
NO_INTERVAL = frozenset(("latency_max_ms",))
"""The largest value of a sample says nothing about the next one."""

RIGHT_F1 = 0.5
"""Below it more than half of the words differ: a plain border, not a fitted one."""

_EMPTY = EvalResult(EvalQuestion("", "", ""))


def summarise(results: Sequence[EvalResult]) -> tuple[dict[str, float | None], dict[str, int]]:
    """Return the figures of a run by name, and the counts behind them.

    The figures are those of ``MEASURES`` and ``question_seconds``, the sum of the questions' own
    times. A mean is over the questions where it is defined; None where there is none.
    """
    columns = columns_of(results)
    figures: dict[str, float | None] = {}
    for name in MEASURES:
        if name in MEANS:
            values = values_of(results, name)
            figures[name] = fmean(values) if values else None
        else:
            figures[name] = statistic(name, columns)
    figures["question_seconds"] = (
        sum(result.timings_ms.get("question", 0.0) for result in results) / 1000
    )
    return figures, _counts(results)


def intervals_of(results: Sequence[EvalResult]) -> dict[str, Interval | None]:
    """The 95 % interval of every measure over these questions; None where it has none."""
    columns = columns_of(results)
    fine = [result.figures for result in results if result.error is None]
    means = intervals_by_name({name: [own.get(name) for own in fine] for name in MEANS})
    return {
        name: means[name] if name in MEANS else interval_of_statistic(name, columns)
        for name in MEASURES
    }


def values_of(results: Sequence[EvalResult], measure: str) -> list[float]:
    """The figure of each question where it is defined."""
    figures = (result.figures.get(measure) for result in results if result.error is None)
    return [value for value in figures if value is not None]


def final_verdict(result: EvalResult) -> Verdict | None:
    """The answer's verdict; in a run over search alone, the gate's."""
    return result.verdict if result.verdict is not None else result.gate_verdict


def is_right(result: EvalResult) -> bool | None:
    """Whether what was answered is right; None where nothing was, or nothing says so.

    An answer is right if it contains every word of an accepted one, or a token F1 says that half of
    the words agree, and wrong where the sources have no answer.
    """
    if result.error is not None or result.verdict not in ("answer", "low_confidence"):
        return None
    if result.question.answerable is False:
        return False
    f1, contained = (result.figures.get(name) for name in ("f1", "answer_recall"))
    return None if f1 is None else contained == 1 or f1 >= RIGHT_F1


def is_apt(result: EvalResult) -> bool | None:
    """Whether what was shown is right, whatever it is; None where nothing says so.

    An answer as in ``is_right``; passages if they hold the gold; a refusal where the sources have no
    answer.
    """
    if result.error is None and result.verdict == "passages":
        gold = result.figures.get("shown_gold")
        return None if gold is None else gold == 1
    if result.error is None and result.verdict == "no_evidence":
        answerable = result.question.answerable
        return None if answerable is None else not answerable
    return is_right(result)


def count_trust(results: Sequence[EvalResult]) -> dict[str, tuple[int, int, int]]:
    """Right, wrong and not judged among all answers, and by verdict; what never came is left out."""
    groups: dict[str, list[bool | None]] = {"shown": [], **{name: [] for name in VERDICTS}}
    for result in results:
        if result.error is None and result.verdict is not None:
            groups[result.verdict].append(is_apt(result))
            if result.verdict in ("answer", "low_confidence"):
                groups["shown"].append(is_apt(result))
    return {
        name: (apt.count(True), apt.count(False), apt.count(None))
        for name, apt in groups.items()
        if apt
    }


def columns_of(results: Sequence[EvalResult]) -> Columns:
    """The numbers behind the statistics, each of shape (n,); a yes or no is 1, 0 or NaN."""
    rows = [_row(result) for result in results]
    names = rows[0] if rows else _row(_EMPTY)
    return {name: np.array([row[name] for row in rows], dtype=float) for name in names}


def statistic(name: str, columns: Columns) -> float | None:
    """The figure of that name; None where there is nothing to count."""
    with _ignore_warnings():
        value = float(STATISTICS[name](columns))
    return None if math.isnan(value) else value


def interval_of_statistic(name: str, columns: Columns) -> Interval | None:
    """Percentile bootstrap over questions; None where few resamples have a value."""
    if name in NO_INTERVAL:
        return None
    return interval_of_resamples(
        _compute_resamples(STATISTICS[name], columns, draw_questions(len(columns["errors"])))
    )


def interval_of_change(name: str, first: Columns, second: Columns) -> Interval | None:
    """Interval of ``second - first``, by a paired bootstrap: both have the same questions in order."""
    if name in NO_INTERVAL:
        return None
    compute, indices = STATISTICS[name], list(draw_questions(len(first["errors"])))
    before = _compute_resamples(compute, first, indices)
    return interval_of_resamples(_compute_resamples(compute, second, indices) - before)


def _compute_resamples(
    compute: Statistic, columns: Columns, indices: Iterable[npt.NDArray[np.intp]]
) -> npt.NDArray[np.float64]:
    with _ignore_warnings():
        parts = [
            compute({name: column[index] for name, column in columns.items()}) for index in indices
        ]
    return np.concatenate(parts) if parts else np.empty(0)


@contextlib.contextmanager
def _ignore_warnings() -> Iterator[None]:
    """A mean over nothing is NaN; numpy need not warn of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def _counts(results: Sequence[EvalResult]) -> dict[str, int]:
    labels = [result.question.answerable for result in results]
    fine = [result for result in results if result.error is None]
    verdicts = [final_verdict(result) for result in fine]
    refused, passages = verdicts.count("no_evidence"), verdicts.count("passages")
    return {
        "questions": len(results),
        "errors": len(results) - len(fine),
        "answerable": sum(label is True for label in labels),
        "unanswerable": sum(label is False for label in labels),
        "unlabelled": sum(label is None for label in labels),
        "judged": len(values_of(results, "mrr")),
        "answered": len(fine) - refused - passages,
        "passages": passages,
        "refused": refused,
        "unknown_sources": len({name for result in fine for name in result.unknown}),
        **{
            f"{group}_{outcome}": number
            for group, numbers in count_trust(results).items()
            for outcome, number in zip(("right", "wrong", "unjudged"), numbers, strict=True)
        },
    }


def _row(result: EvalResult) -> dict[str, float]:
    times, usage, fine = result.timings_ms, result.usage, result.error is None
    return {
        "answerable": _flag(result.question.answerable),
        "refused": _flag(None if result.verdict is None else result.verdict == "no_evidence"),
        "gate_refused": _flag(
            None if result.gate_verdict is None else result.gate_verdict == "no_evidence"
        ),
        "right": _flag(is_right(result)),
        "sure": _flag(result.verdict == "answer"),
        "score": _number(result.score),
        "latency": _number(times.get("total") if fine else None),
        "retrieval": _number(times.get("retrieval") if fine else None),
        "tokens": float(usage.prompt_tokens + usage.completion_tokens) if fine else math.nan,
        # Unknown is not nothing: one call without a price makes the sum unknown.
        "cost": math.nan if not fine else math.inf if usage.cost is None else usage.cost,
        "errors": float(not fine),
    }


def _flag(value: bool | None) -> float:
    return math.nan if value is None else float(value)


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _share(of: npt.NDArray[np.bool_], among: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    total = among.sum(axis=-1)
    return np.where(total > 0, (of & among).sum(axis=-1) / np.maximum(total, 1), np.nan)


def _refusal(columns: Columns, *, closed: str, of: str, among: str) -> npt.NDArray[np.float64]:
    label, shut = columns["answerable"], columns[closed]
    known = ~np.isnan(label) & ~np.isnan(shut)
    sets = {"answerable": label == 1, "unanswerable": label == 0, "refused": shut == 1}
    return _share(sets[of] & known, sets[among] & known)


def _precision(columns: Columns, *, sure: bool) -> npt.NDArray[np.float64]:
    """Of the answers that can be judged, given with or without the mark, those that are right."""
    right = columns["right"]
    return _share(right == 1, ~np.isnan(right) & (columns["sure"] == sure))


def _auroc(columns: Columns) -> npt.NDArray[np.float64]:
    """By the ranks of the answerable ones' scores, ties at their mean (Mann–Whitney)."""
    label, score = columns["answerable"], columns["score"]
    known = ~np.isnan(label) & ~np.isnan(score)
    good, bad = known & (label == 1), known & (label == 0)
    # Unknown ones go below all others: they shift every rank by their number.
    ranks = require("scipy.stats").rankdata(np.where(known, score, -np.inf), axis=-1)
    ranks = ranks - (~known).sum(axis=-1)[..., None]
    n, m = good.sum(axis=-1), bad.sum(axis=-1)
    above = np.where(good, ranks, 0.0).sum(axis=-1) - n * (n + 1) / 2
    return np.where(n * m > 0, above / np.maximum(n * m, 1), np.nan)


def _percentile(columns: Columns, *, of: str, percent: float) -> npt.NDArray[np.float64]:
    values = columns[of]
    if not values.shape[-1]:
        return np.full(values.shape[:-1], np.nan)
    # Only with gaps in it: the plain one is many times as fast.
    compute = np.nanpercentile if np.isnan(values).any() else np.percentile
    return np.asarray(compute(values, percent, axis=-1), dtype=float)


def _sum(columns: Columns, *, of: str) -> npt.NDArray[np.float64]:
    values = columns[of]
    total = np.nansum(values, axis=-1)
    nothing = np.isnan(values).all(axis=-1)
    return np.where(nothing | np.isinf(total), np.nan, total)


def _refusals(prefix: str, closed: str) -> dict[str, Statistic]:
    return {
        f"{prefix}refusal_precision": partial(
            _refusal, closed=closed, of="unanswerable", among="refused"
        ),
        f"{prefix}refusal_recall": partial(
            _refusal, closed=closed, of="refused", among="unanswerable"
        ),
        f"{prefix}false_refusal_rate": partial(
            _refusal, closed=closed, of="refused", among="answerable"
        ),
    }


STATISTICS: Mapping[str, Statistic] = {
    **_refusals("", "refused"),
    **_refusals("gate_", "gate_refused"),
    "auroc": _auroc,
    "sure_precision": partial(_precision, sure=True),
    "low_confidence_precision": partial(_precision, sure=False),
    "latency_p50_ms": partial(_percentile, of="latency", percent=50),
    "latency_p95_ms": partial(_percentile, of="latency", percent=95),
    "latency_max_ms": partial(_percentile, of="latency", percent=100),
    "retrieval_p50_ms": partial(_percentile, of="retrieval", percent=50),
    "retrieval_p95_ms": partial(_percentile, of="retrieval", percent=95),
    "tokens": partial(_sum, of="tokens"),
    "cost": partial(_sum, of="cost"),
    "errors": partial(_sum, of="errors"),
}
