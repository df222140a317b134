"""Measures as a report writes them: name, unit, interval, number of questions and change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from foundry.evaluation.comparison import MeasureChange
from foundry.evaluation.metrics.answers import ANSWER_MEASURES
from foundry.evaluation.metrics.intervals import Interval
from foundry.evaluation.metrics.measures import (
    CHIEF,
    CITATION,
    GATE,
    QUALITY,
    RANKING,
    REFUSAL,
    SPENT,
    TIMES,
    TRUST,
)
from foundry.evaluation.metrics.passages import SHOWN_MEASURES
from foundry.evaluation.metrics.ranking import SPAN_MEASURES
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.run_summary import RunSummary

Tone = Literal["", "good", "bad"]

GROUPS: Mapping[str, tuple[str, ...]] = {
    "ranking": (*RANKING, *SPAN_MEASURES),
    "refusal": REFUSAL,
    "gate": (*GATE, "auroc"),
    "citation": (*CITATION, "coverage"),
    "answers": (*ANSWER_MEASURES, *TRUST),
    "passages": SHOWN_MEASURES,
    "times": TIMES,
    "spent": SPENT,
}
GROUPED = frozenset(name for names in GROUPS.values() for name in names)
CHIEF_QUALITY = tuple(name for name in CHIEF if name in QUALITY)
"""The measures of the summary and of the plot of differences; the tables have all depths."""

OF_ANSWERS = frozenset(("refusal", "citation", "answers", "passages", "spent"))
"""The groups that a run over search alone lacks."""

HEADLINE = (
    *("recall@10", "ndcg@10", "auroc", "false_refusal_rate", "refusal_recall"),
    *("sure_precision", "shown_gold"),
)


def name_measure(measure: str, phrases: Phrases) -> str:
    """The measure in words, with its depth: ``Recall@10``."""
    name, _, depth = measure.partition("@")
    return phrases(f"report-name-{name}") + (f"@{depth}" if depth else "")


def format_value(measure: str, value: float | None, phrases: Phrases) -> str:
    """``0.912``, ``840 ms``, ``12,034``, ``$0.0213``, or the word for undefined."""
    if value is None:
        return phrases("report-undefined")
    if measure.endswith("_ms"):
        return phrases.time(value)
    if measure == "cost":
        return f"${phrases.number(value, 4)}"
    return phrases.number(value, 0 if measure == "tokens" else 3)


def format_interval(measure: str, interval: Interval | None, phrases: Phrases) -> str:
    """``0.880 to 0.940``; empty where there is none."""
    if interval is None:
        return ""
    low, high = (format_value(measure, bound, phrases) for bound in (interval.low, interval.high))
    return phrases("report-interval", low=low, high=high)


def format_basis(run: RunSummary, measure: str, phrases: Phrases) -> tuple[str, str]:
    """The interval of a figure and ``n = 160``; each is empty where there is none."""
    if run.figures.get(measure) is None:
        return "", ""
    n = run.count_questions(measure)
    counted = "" if n is None else f"n = {phrases.number(n)}"
    return format_interval(measure, run.intervals.get(measure), phrases), counted


def format_change(change: MeasureChange, phrases: Phrases) -> tuple[str, str]:
    """``▲ +0.030`` and ``0.010 to 0.050``; the arrow marks a clear change for better or worse.

    ``=`` where no question differs.
    """
    interval = change.interval
    if interval is not None and interval.low == interval.high == 0:
        return "=", ""
    difference = change.difference or 0.0
    mark = {"": "", "good": "▲ ", "bad": "▼ "}[tone_of(change)]
    text = format_value(change.measure, difference, phrases)
    # A difference that rounds to 0 has no sign.
    sign = "+" if difference > 0 and any(digit in text for digit in "123456789") else ""
    return f"{mark}{sign}{text}", format_interval(change.measure, interval, phrases)


def tone_of(change: MeasureChange | None) -> Tone:
    """Good or bad where a change is clear."""
    if change is None:
        return ""
    return "good" if change.better else "bad" if change.worse else ""
