"""Figures of a run as a whole, with the counts behind them and their 95 % intervals.

Each statistic (refusals, gate, times, costs) is computed along the last axis of columns of shape
(…, n), one number a question, so that thousands of resamples are one call. A value that is unknown
or cannot be computed is NaN inside this module and None outside it, never 0 or 1. An interval says
how far a figure may be off because questions are few: the percentile bootstrap over questions, with
a seed, so that the same figures give the same interval (Efron and Tibshirani, "An Introduction to
the Bootstrap", 1993).
"""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import get_args

import numpy as np
import numpy.typing as npt

from foundry.evaluation.libraries import require
from foundry.evaluation.metrics.measures import GATE, MEANS, MEASURES
from foundry.records import EvalQuestion, EvalResult, Verdict

LEVEL = 0.95
RESAMPLES = 5_000
"""Efron and Tibshirani ask for 1,000 or more for percentile intervals; more cost little here."""
SEED = 2026
FEWEST = 2
"""A single question does not show how questions differ."""
_CELLS = 2_000_000
"""Questions drawn at a time: 16 MB of memory."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds that contain the true mean in ``LEVEL`` of such samples."""

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether a difference is clear: both bounds lie on one side of 0."""
        return self.low > 0 or self.high < 0


def interval_of_mean(values: Sequence[float]) -> Interval | None:
    """The interval of a mean over questions; None for fewer than two of them."""
    return intervals_of_means([values])[0]


def intervals_of_means(columns: Sequence[Sequence[float]]) -> list[Interval | None]:
    """The interval of each column's mean; columns are measures of the same questions.

    All columns are resampled with the same questions, so thirty measures take hardly longer than
    one, and each interval is the one that the column has alone.
    """
    questions = len(columns[0]) if len(columns) else 0
    if questions < FEWEST:
        return [None] * len(columns)
    sample = np.asarray(columns, dtype=float).T
    means = []
    for drawn in draw_questions(questions):
        rows = np.arange(len(drawn))[:, None] * questions
        times = np.bincount((drawn + rows).ravel(), minlength=drawn.size)
        means.append(times.reshape(drawn.shape) @ sample / questions)
    resampled = np.concatenate(means)
    # A constant column has no spread; the sums above would give it one by rounding.
    return [
        interval_of_resamples(resampled[:, n])
        if float(np.ptp(own))
        else Interval(float(own[0]), float(own[0]))
        for n, own in enumerate(sample.T)
    ]


def draw_questions(n: int) -> Iterator[npt.NDArray[np.intp]]:
    """Draw ``RESAMPLES`` times n of n questions with replacement, in batches of shape (rows, n).

    The draws are the same each time; of fewer than ``FEWEST`` questions there are none.
    """
    random = np.random.default_rng(SEED)
    left = RESAMPLES if n >= FEWEST else 0
    while left > 0:
        rows = min(left, max(1, _CELLS // n))
        left -= rows
        yield random.integers(0, n, (rows, n))


def interval_of_resamples(values: npt.NDArray[np.float64]) -> Interval | None:
    """The middle ``LEVEL`` of the resamples with a value; None where fewer than half have one."""
    known = values[~np.isnan(values)]
    if not len(known) or len(known) < len(values) / 2:
        return None
    tail = (1 - LEVEL) / 2 * 100
    low, high = np.percentile(known, [tail, 100 - tail])
    return Interval(float(low), float(high))


def intervals_by_name(columns: Mapping[str, Sequence[float | None]]) -> dict[str, Interval | None]:
    """The interval of each column's mean over its known values, by the column's name."""
    names: dict[tuple[bool, ...], list[str]] = {}
    for name, column in columns.items():
        names.setdefault(tuple(value is not None for value in column), []).append(name)
    intervals: dict[str, Interval | None] = {}
    for group in names.values():
        known = [[value for value in columns[name] if value is not None] for name in group]
        intervals |= dict(zip(group, intervals_of_means(known), strict=True))
    return intervals


def interval_of_difference(first: Sequence[float], second: Sequence[float]) -> Interval | None:
    """The interval of the mean of ``second - first``, paired by question."""
    differences = [after - before for before, after in zip(first, second, strict=True)]
    return interval_of_mean(differences)


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


BINS = 10
"""Of the score. Ten is the usual number (Naeini et al., 2015); a tenth is easy to read off."""


@dataclass(frozen=True, slots=True)
class GateFigures:
    """How the gate's score separates answerable questions from the others.

    ``auroc``: the chance that an answerable question scores above one that is not.
    ``refusal_precision``: of the refused, the share that is truly unanswerable;
    ``refusal_recall``: of the unanswerable, the share refused;
    ``false_refusal_rate``: of the answerable, the share refused.
    """

    auroc: float | None
    refusal_precision: float | None
    refusal_recall: float | None
    false_refusal_rate: float | None


def measure_gate(
    scores: Sequence[float], answerable: Sequence[bool], refused: Sequence[bool]
) -> GateFigures:
    """Measure the gate on labelled questions; the three sequences run in parallel."""
    columns = _gate_columns(scores, answerable, refused)
    return GateFigures(*(statistic(name, columns) for name in ("auroc", *GATE)))


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float | None:
    """The chance that a true label scores above a false one (Mann–Whitney; a tie counts half)."""
    return statistic("auroc", _gate_columns(scores, labels, ()))


def _gate_columns(
    scores: Sequence[float], answerable: Sequence[bool], refused: Sequence[bool]
) -> Columns:
    named = {"score": scores, "answerable": answerable, "gate_refused": refused}
    return {name: np.array(values, dtype=float) for name, values in named.items()}


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores in [low, high): how many there are, their mean, and the share whose label is true."""

    low: float
    high: float
    n: int
    mean: float
    true: float


def reliability(scores: Sequence[float], labels: Sequence[bool]) -> list[Bin]:
    """Sort scores of 0–1 into equal bins; empty bins are left out, and 1 belongs to the last."""
    values, label = np.asarray(scores, dtype=float), np.asarray(labels, dtype=bool)
    index = np.minimum((values * BINS).astype(int), BINS - 1)
    return [
        Bin(
            low=n / BINS,
            high=(n + 1) / BINS,
            n=int(inside.sum()),
            mean=float(values[inside].mean()),
            true=float(label[inside].mean()),
        )
        for n in range(BINS)
        if (inside := index == n).any()
    ]


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """Expected calibration error: the mean distance of score and share, weighted by bin size.

    Naeini, Cooper and Hauskrecht, "Obtaining Well Calibrated Probabilities", AAAI 2015. None without bins.
    """
    total = sum(bin_.n for bin_ in bins)
    return sum(bin_.n * abs(bin_.mean - bin_.true) for bin_ in bins) / total if total else None
