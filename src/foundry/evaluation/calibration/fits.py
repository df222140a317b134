"""A fit of the gate: its figures before and after, the verdict, its storage, and its plot.

Figures have the names under which they are printed and stored, are rounded to 4 digits, and are
None where they cannot be computed. A stored fit is used from then on, as long as its fingerprint is
that of the vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from foundry.clock import get_now
from foundry.craft.gate import LEXICAL
from foundry.evaluation.libraries import require
from foundry.evaluation.metrics.statistics import Bin, calibration_error, measure_gate, reliability
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.plots import plot_reliability
from foundry.journeys.calibration import LEXICAL_FINGERPRINT
from foundry.messages import Message, get_language
from foundry.records import FittedCalibration
from foundry.workspace import Workspace

Figures = Mapping[str, Any]
Parts = Mapping[str, Mapping[str, Figures]]
"""The figures ``before`` and ``after`` of each part of the questions; ``all`` is the first."""

_SIGNIFICANCE = 0.05
"""Changes that chance makes this often do not count as clear; the usual level."""

_NOTICEABLE = 0.005
"""Smaller differences of rates and errors count as none: they would round to the same percent."""


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """One question under some constants; ``rule`` is why it is refused whatever its score."""

    score: float
    refused: bool
    rule: Message | None = None


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A labelled question before and after the fit."""

    key: str
    text: str
    answerable: bool
    language: str
    arm: str
    before: GateOutcome
    after: GateOutcome


@dataclass(frozen=True, slots=True)
class FitVerdict:
    """Whether the fit is better than the shipped constants, and why."""

    better: bool
    reason: Message


def compare_parts(judged: Sequence[JudgedQuestion]) -> Parts:
    """The figures of all questions, then of each arm and each language if there are several."""
    parts = {"all": list(judged)}
    for name in ("arm", "language"):
        values = sorted({getattr(one, name) for one in judged})
        if len(values) > 1:
            parts |= {v: [one for one in judged if getattr(one, name) == v] for v in values}
    return {
        name: {
            "before": _rate_gate(some, [one.before for one in some]),
            "after": _rate_gate(some, [one.after for one in some]),
        }
        for name, some in parts.items()
    }


def compute_rate_interval(hits: int, total: int) -> tuple[float, float] | None:
    """The exact 95 % interval of a rate (Clopper and Pearson, 1934); None for a total of 0."""
    if not total:
        return None
    interval = require("scipy.stats").binomtest(hits, total).proportion_ci(0.95, method="exact")
    return float(interval.low), float(interval.high)


def compare_gates(judged: Sequence[JudgedQuestion], parts: Parts, bound: float) -> FitVerdict:
    """The bound first, then clearly more right refusals, then the calibration error."""
    before, after = parts["all"]["before"], parts["all"]["after"]
    old, new = before["gate_false_refusal_rate"] or 0.0, after["gate_false_refusal_rate"] or 0.0
    if (new <= bound) != (old <= bound):
        code = "eval-verdict-fit-keeps" if new <= bound else "eval-verdict-shipped-keeps"
        return FitVerdict(new <= bound, Message(code, bound=bound))
    if new > bound and new != old:
        code = "eval-verdict-breaks-less" if new < old else "eval-verdict-breaks-more"
        return FitVerdict(new < old, Message(code, bound=bound))
    change = _find_clear_change(judged)
    if change:
        code = "eval-verdict-refuses-more" if change > 0 else "eval-verdict-refuses-less"
        return FitVerdict(change > 0, Message(code))
    rightly = before["gate_refusal_recall"] or 0.0, after["gate_refusal_recall"] or 0.0
    worse = new >= old and rightly[1] <= rightly[0] and (old, rightly[0]) != (new, rightly[1])
    gain = (before["calibration_error"] or 0.0) - (after["calibration_error"] or 0.0)
    better = bool(gain >= _NOTICEABLE) and not worse
    scores = Message("eval-verdict-scores-better" if better else "eval-verdict-scores-not-better")
    return FitVerdict(better, Message("eval-verdict-same-decisions", scores=scores))


def round_floats(value: Any) -> Any:
    """The value with every number in it rounded to 4 digits, as it is printed."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: round_floats(item) for name, item in value.items()}
    return [round_floats(item) for item in value] if isinstance(value, list | tuple) else value


def _rate_gate(judged: Sequence[JudgedQuestion], outcomes: Sequence[GateOutcome]) -> Figures:
    labels = [one.answerable for one in judged]
    scores = [outcome.score for outcome in outcomes]
    refused = [outcome.refused for outcome in outcomes]
    gate = measure_gate(scores, labels, refused)
    wrongly = sum(shut and label for shut, label in zip(refused, labels, strict=True))
    bins = reliability(scores, labels)
    figures = {
        "questions": len(labels),
        "answerable": sum(labels),
        "auroc": gate.auroc,
        "gate_refusal_precision": gate.refusal_precision,
        "gate_refusal_recall": gate.refusal_recall,
        "gate_false_refusal_rate": gate.false_refusal_rate,
        "gate_false_refusal_interval": compute_rate_interval(wrongly, sum(labels)),
        "calibration_error": calibration_error(bins),
        "reliability": [asdict(one) for one in bins],
    }
    return {name: round_floats(value) for name, value in figures.items()}


def _find_clear_change(judged: Sequence[JudgedQuestion]) -> int:
    """1 or -1 if a sign test on the unanswerable questions that changed is significant, else 0."""
    changed = [
        one.after.refused
        for one in judged
        if not one.answerable and one.after.refused != one.before.refused
    ]
    if not changed:
        return 0
    gained = sum(changed)
    if require("scipy.stats").binomtest(gained, len(changed)).pvalue >= _SIGNIFICANCE:
        return 0
    return 1 if 2 * gained > len(changed) else -1


FIGURES = (
    *("questions", "auroc", "gate_false_refusal_rate", "gate_refusal_recall"),
    *("gate_refusal_precision", "calibration_error"),
)
"""The figures in the columns of the table."""
_STORED = (
    *("questions", "answerable", "chunks", "folds"),
    *("min_score", "max_false_refusal", "fitted"),
)
_PARTS = {
    "all": "eval-fit-all",
    "one language": "eval-fit-one-language",
    "across languages": "eval-fit-across-languages",
}
"""The other parts are languages, named by their code."""


@dataclass(frozen=True, slots=True)
class CalibrationFit:
    """Fitted constants with cross-validated figures beside those of the shipped ones.

    ``report`` is the fit as ``--json`` prints it; its ``constants`` have the form of the shipped
    ``constants.json``. ``model`` is the embedding model that they belong to.
    """

    model: str
    report: Mapping[str, Any]
    parts: Parts
    verdict: FitVerdict
    notices: tuple[Message, ...]


def save_fit(workspace: Workspace, fit: CalibrationFit) -> FittedCalibration:
    """Store a fit in place of an earlier one for its model."""
    store = workspace.maintenance()
    index = LEXICAL_FINGERPRINT if fit.model == LEXICAL else (store.find_index(fit.model) or "")
    figures = {"gate": _select_figures(workspace, fit)}
    fitted = FittedCalibration(fit.model, index, get_now(), fit.report["constants"], figures)
    store.evaluation.save_fitted(fitted)
    return fitted


def forget_fits(workspace: Workspace) -> int:
    """Remove all fits, used or stale; returns for how many models."""
    evaluation = workspace.maintenance().evaluation
    return sum(evaluation.remove_fitted(fitted.model) for fitted in evaluation.list_fitted())


def tabulate_figures(parts: Parts) -> Iterator[tuple[str, ...]]:
    """The figures as texts: a row of headings, then one before and one after for each part."""
    phrases = Phrases(get_language())
    heads = (phrases(f"eval-fit-column-{name}") for name in FIGURES)
    yield (phrases("eval-fit-part"), "", *heads)
    for part, pair in parts.items():
        shown = phrases(_PARTS[part]) if part in _PARTS else part
        for when in ("before", "after"):
            cells = (_format_figure(pair[when], name, phrases) for name in FIGURES)
            yield (shown if when == "before" else "", phrases(f"eval-fit-{when}"), *cells)


def plot_fit(fit: CalibrationFit) -> str:
    """The scores after the fit against the share that is answerable, as SVG."""
    phrases = Phrases(get_language())
    return plot_reliability(
        [Bin(**one) for one in fit.parts["all"]["after"]["reliability"]],
        phrases=phrases,
        title=phrases("eval-fit-title-after"),
        score=phrases("eval-fit-axis-score"),
        true=phrases("eval-fit-axis-true"),
    )


def _select_figures(workspace: Workspace, fit: CalibrationFit) -> dict[str, Any]:
    """What is stored of a fit: its size and settings, and the figures before and after."""
    pair = fit.parts["all"]
    chunks = workspace.store.index_status(workspace.config.embedding.model).chunks
    values = {**fit.report, **pair["after"], "chunks": chunks}
    whole = {
        when: {name: value for name, value in rates.items() if name != "reliability"}
        for when, rates in pair.items()
    }
    return {name: values[name] for name in _STORED} | whole


def _format_figure(figures: Figures, name: str, phrases: Phrases) -> str:
    value = figures[name]
    if not isinstance(value, float):
        return phrases.share(None) if value is None else phrases.number(value)
    interval = figures.get(f"{name.removesuffix('_rate')}_interval")
    low, high = (phrases.number(bound, 3) for bound in interval) if interval else ("", "")
    return phrases.number(value, 3) + (f" ({low}–{high})" if interval else "")
