"""Figures of a run as a whole, with the counts behind them and their 95 % intervals.

Each figure is a function of how often every question counts: once each for the figure itself, as
often as it was drawn for a resample, so that thousands of resamples are one product of matrices. A
figure that cannot be computed is NaN inside this module and None outside it, never 0 or 1. An
interval says how far a figure may be off because questions are few: the percentile bootstrap over
questions, with a seed, so that the same outcomes give the same interval (Efron and Tibshirani, "An
Introduction to the Bootstrap", 1993).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, get_args

import numpy as np
import numpy.typing as npt

from foundry.doc import Doc
from foundry.evaluation.metrics.measures import GATE, MEANS, MEASURES
from foundry.records import EvalResult, Verdict

LEVEL = 0.95
RESAMPLES = 5_000
"""Efron and Tibshirani ask for 1,000 or more for percentile intervals; more cost little here."""
SEED = 2026
_FEWEST = 2
"""A single question does not show how questions differ."""
_CELLS = 2_000_000
"""Questions drawn at a time: 16 MB of memory."""
_NO_INTERVAL = "latency_max_ms"
"""The largest value of a sample says nothing about the next one."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
RIGHT_F1 = 0.5
"""Below it more than half of the words differ: a plain border, not a fitted one."""

Array = npt.NDArray[np.float64]
Statistic = Callable[[Array], Array]
"""From weights of shape (resamples, questions) to a figure for each resample."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds that contain the true figure in ``LEVEL`` of such samples."""

    low: Annotated[float, Doc(digits=6)]
    high: Annotated[float, Doc(digits=6)]

    @property
    def excludes_zero(self) -> bool:
        """Whether a difference is clear: both bounds lie on one side of 0."""
        return self.low > 0 or self.high < 0


def summarise(results: Sequence[EvalResult]) -> tuple[dict[str, float | None], dict[str, int]]:
    """Return the figures of a run by name, and the counts behind them.

    The figures are those of ``MEASURES`` and ``question_seconds``, the sum of the questions' own
    times. A mean is over the questions where it is defined; None where there is none.
    """
    figures = {name: compute(one, len(results)) for name, one in statistics_of(results).items()}
    spent = sum(result.timings_ms.get("question", 0.0) for result in results) / 1000
    kept = {name: figures[name] for name in MEASURES}
    return {**kept, "question_seconds": spent}, _count(results)


def intervals_of(results: Sequence[EvalResult]) -> dict[str, Interval | None]:
    """The 95 % interval of every measure over these questions; None where it has none."""
    intervals = compute_intervals(statistics_of(results), len(results))
    return {name: intervals[name] for name in MEASURES}


def statistics_of(results: Sequence[EvalResult]) -> dict[str, Statistic]:
    """Every measure of these outcomes, and ``errors``."""
    fine = [result if result.error is None else None for result in results]
    label, score = (
        _read(results, lambda one: one.question.answerable),
        _read(results, lambda one: one.score),
    )
    right = _read(results, is_right)
    sure = np.array([result.verdict == "answer" for result in results], dtype=bool)
    shut = _read(results, lambda one: _is_refused(one.verdict))
    tokens = [one and one.usage.prompt_tokens + one.usage.completion_tokens for one in fine]
    # One call without a price makes the sum unknown.
    cost = [one and (math.inf if one.usage.cost is None else one.usage.cost) for one in fine]
    means = {name: _mean(_read(fine, lambda one, n=name: one.figures.get(n))) for name in MEANS}
    times = {name: _read(fine, lambda one, n=name: one.timings_ms.get(n)) for name in _TIMED}
    return {
        **means,
        **_measure_refusals("", label, shut),
        **measure_scores(label, score, _read(results, lambda one: _is_refused(one.gate_verdict))),
        "sure_precision": _mean(np.where(sure, right, np.nan)),
        "low_confidence_precision": _mean(np.where(sure, np.nan, right)),
        **{name: _percentile(times[of], share) for name, (of, share) in _PERCENTILES.items()},
        "tokens": _sum(np.array(tokens, dtype=float)),
        "cost": _sum(np.array(cost, dtype=float)),
        "errors": _sum(np.array([float(one is None) for one in fine])),
    }


_TIMED = ("total", "retrieval")
_PERCENTILES = {
    "latency_p50_ms": ("total", 0.5),
    "latency_p95_ms": ("total", 0.95),
    _NO_INTERVAL: ("total", 1.0),
    "retrieval_p50_ms": ("retrieval", 0.5),
    "retrieval_p95_ms": ("retrieval", 0.95),
}


def measure_scores(label: Array, score: Array, shut: Array) -> dict[str, Statistic]:
    """The gate's refusals, and how its scores separate the labels; NaN is unknown."""
    return {**_measure_refusals("gate_", label, shut), "auroc": _auroc(label, score)}


def compute(statistic: Statistic, n: int) -> float | None:
    """The figure of n questions; None where there is nothing to count."""
    value = float(statistic(np.ones((1, n)))[0])
    return None if math.isnan(value) else value


def compute_intervals(
    statistics: Mapping[str, Statistic], n: int, minus: Mapping[str, Statistic] | None = None
) -> dict[str, Interval | None]:
    """The interval of each figure over n questions, or of its difference from ``minus``.

    Percentile bootstrap; both have the same questions in order, so differences are paired.
    """
    parts: dict[str, list[Array]] = {name: [] for name in statistics}
    for weights in _draw(n):
        for name, compute_ in statistics.items():
            before = minus[name](weights) if minus else 0.0
            parts[name].append(compute_(weights) - before)
    return {
        name: None if name == _NO_INTERVAL or not own else _bound(np.concatenate(own))
        for name, own in parts.items()
    }


def _draw(n: int) -> Iterator[Array]:
    """How often each of n questions is drawn in ``RESAMPLES`` draws of n, in batches; always the same."""
    random = np.random.default_rng(SEED)
    left = RESAMPLES if n >= _FEWEST else 0
    while left > 0:
        rows = min(left, max(1, _CELLS // n))
        left -= rows
        drawn = random.integers(0, n, (rows, n)) + np.arange(rows)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(float)


def _bound(values: Array) -> Interval | None:
    """The middle ``LEVEL`` of the resamples with a value; None where fewer than half have one."""
    known = values[~np.isnan(values)]
    if not len(known) or len(known) < len(values) / 2:
        return None
    tail = (1 - LEVEL) / 2 * 100
    low, high = np.percentile(known, [tail, 100 - tail])
    return Interval(float(low), float(high))


def _mean(values: Array) -> Statistic:
    """Of the values that are known."""
    known = ~np.isnan(values)
    above, below = np.where(known, values, 0.0), known.astype(float)

    def compute_mean(weights: Array) -> Array:
        total = weights @ below
        # Rounded, so that a figure that is the same in all questions has no spread.
        mean = (weights @ above / np.maximum(total, 1)).round(12)
        return np.where(total > 0, mean, np.nan)

    return compute_mean


def _sum(values: Array) -> Statistic:
    """NaN where nothing is known, or anything infinite."""
    if np.isnan(values).all() or np.isinf(values).any():
        return lambda weights: np.full(len(weights), np.nan)
    return lambda weights: weights @ np.nan_to_num(values)


def _percentile(values: Array, share: float) -> Statistic:
    order = np.argsort(values)[: np.count_nonzero(~np.isnan(values))]
    ordered = values[order]

    def compute_percentile(weights: Array) -> Array:
        if not len(order):
            return np.full(len(weights), np.nan)
        counts = np.cumsum(weights[:, order], axis=1)
        place = share * (counts[:, -1] - 1)
        low, high = (
            ordered[(counts > at[:, None]).argmax(axis=1)]
            for at in (np.floor(place), np.ceil(place))
        )
        return np.where(counts[:, -1] > 0, low + (place - np.floor(place)) * (high - low), np.nan)

    return compute_percentile


def _auroc(label: Array, score: Array) -> Statistic:
    """The chance that an answerable question scores above another; a tie counts half (Mann–Whitney)."""
    known = ~np.isnan(label) & ~np.isnan(score)
    order = np.flatnonzero(known)[np.argsort(score[known])]
    starts = np.unique(score[order], return_index=True)[1]

    def compute_auroc(weights: Array) -> Array:
        if not len(order):
            return np.full(len(weights), np.nan)
        good, bad = (
            np.add.reduceat(weights[:, order] * (label[order] == one), starts, axis=1)
            for one in (1, 0)
        )
        wins = (good * (np.cumsum(bad, axis=1) - bad / 2)).sum(axis=1)
        pairs = good.sum(axis=1) * bad.sum(axis=1)
        return np.where(pairs > 0, wins / np.maximum(pairs, 1), np.nan)

    return compute_auroc


def _measure_refusals(prefix: str, label: Array, shut: Array) -> dict[str, Statistic]:
    """The right ones among the refused, and the refused ones of each label."""
    known = ~np.isnan(label) & ~np.isnan(shut)
    return {
        f"{prefix}refusal_precision": _mean(np.where(known & (shut == 1), label == 0, np.nan)),
        f"{prefix}refusal_recall": _mean(np.where(known & (label == 0), shut, np.nan)),
        f"{prefix}false_refusal_rate": _mean(np.where(known & (label == 1), shut, np.nan)),
    }


def _read(results: Sequence[EvalResult | None], get: Callable[..., float | None]) -> Array:
    values = [None if result is None else get(result) for result in results]
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def _is_refused(verdict: str | None) -> bool | None:
    return None if verdict is None else verdict == "no_evidence"


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


def _count(results: Sequence[EvalResult]) -> dict[str, int]:
    labels = [result.question.answerable for result in results]
    fine = [result for result in results if result.error is None]
    verdicts = [final_verdict(result) for result in fine]
    refused, passages = verdicts.count("no_evidence"), verdicts.count("passages")
    return {
        "questions": len(results),
        "errors": len(results) - len(fine),
        "answerable": labels.count(True),
        "unanswerable": labels.count(False),
        "unlabelled": labels.count(None),
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


BINS = 10
"""Of the score. Ten is the usual number (Naeini et al., 2015); a tenth is easy to read off."""


@dataclass(frozen=True, slots=True)
class GateFigures:
    """How the gate's score separates answerable questions from the others; see ``measures``."""

    auroc: float | None
    refusal_precision: float | None
    refusal_recall: float | None
    false_refusal_rate: float | None


def measure_gate(
    scores: Sequence[float], answerable: Sequence[bool], refused: Sequence[bool]
) -> GateFigures:
    """Measure the gate on labelled questions; the three sequences run in parallel."""
    arrays = (np.array(values, dtype=float) for values in (answerable, scores, refused))
    own = measure_scores(*arrays)
    return GateFigures(*(compute(own[name], len(scores)) for name in ("auroc", *GATE)))


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float | None:
    """The chance that a true label scores above a false one (Mann–Whitney; a tie counts half)."""
    return measure_gate(scores, labels, labels).auroc


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores in [low, high): how many there are, their mean, and the share whose label is true."""

    low: Annotated[float, Doc("scores from here")]
    high: Annotated[float, Doc("to here")]
    n: int
    mean: Annotated[float, Doc("of their scores", digits=4)]
    true: Annotated[float, Doc("share that is answerable", digits=4)]


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
