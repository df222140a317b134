"""The gate's scores fitted to a project's own labelled questions, and judged on held-out ones.

The shipped weights stay: a project's questions support a threshold and a slope, seldom more
(``bench/fit_gate.py`` fits weights). Few questions only lower the threshold.

The threshold bounds what may be refused wrongly and then refuses as much else as possible. It is
the bound's quantile of the wanted scores, counted so that one more of their kind falls below it
with at most the bound's probability, whatever the scores' distribution (Vovk, Gammerman and
Shafer, "Algorithmic Learning in a Random World", 2005). A line through the log odds then puts it
at the configured threshold, with the slope that fits the labels best (Platt, "Probabilistic
Outputs for Support Vector Machines", 1999). The order of scores never changes.

Figures have the names under which they are printed and stored, are rounded to 4 digits, and are
None where they cannot be computed. A stored fit is used from then on, as long as its fingerprint is
that of the vectors.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt

from foundry.clock import get_now
from foundry.craft.gate import (
    LEXICAL,
    GateCalibration,
    GateFeatures,
    Logistic,
    apply_calibration,
    extract_features,
    get_calibration,
)
from foundry.doc import Doc
from foundry.errors import FoundryError, UsageError
from foundry.evaluation import require
from foundry.evaluation.metrics.statistics import Bin, calibration_error, measure_gate, reliability
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.plots import plot_reliability
from foundry.evaluation.questions import select_questions
from foundry.journeys.calibration import (
    LEXICAL_FINGERPRINT,
    find_project_calibration,
    get_calibration_model,
)
from foundry.journeys.question import require_query
from foundry.journeys.search import require_index, retrieve
from foundry.messages import Message, get_language
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion, Filters, FittedCalibration, SearchMode
from foundry.workspace import Workspace

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Figures = Mapping[str, Any]
Parts = Mapping[str, Mapping[str, Figures]]
"""The figures ``before`` and ``after`` of each part of the questions; ``all`` is the first."""

FitTarget = Literal["line", "threshold", "milder"]
"""What the questions support: threshold and slope, the threshold alone, or only a lower one."""

MIN_ANSWERABLE = 20
"""Fewer answerable questions only lower the threshold. Placed by 20 questions in all (some 8 of
them answerable), one threshold in ten refused 14 % of the example project's other answerable ones;
placed by 45 (some 20), 7 %."""
MIN_UNANSWERABLE = 10
"""Fewer unanswerable questions place the threshold but fit no slope; a guess."""
_MAX_LOG_SLOPE = 1.5
"""Slopes stay within a factor of 4.5 (e^1.5): few labels would stretch log odds without end."""
_MARGIN = 0.1
"""Log odds between the threshold and the lowest score that must pass; 2 % of a score near 0.3."""
_SEED = 3
_SIGNIFICANCE = 0.05
"""Changes that chance makes this often do not count as clear; the usual level."""
_NOTICEABLE = 0.005
"""Smaller differences of rates and errors count as none: they would round to the same percent."""

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
class GateOutcome:
    """One question under some constants."""

    score: Annotated[float, Doc("0 to 1", digits=4)]
    refused: bool
    rule: Annotated[Message | None, Doc("why it is refused whatever its score", plain=True)] = None


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A labelled question before and after the fit."""

    key: Annotated[str, Doc("set/id")]
    text: str
    answerable: bool
    language: str
    arm: Literal["one language", "across languages"]
    before: GateOutcome
    after: GateOutcome


@dataclass(frozen=True, slots=True)
class FitVerdict:
    """Whether the fit is better than the shipped constants, and why."""

    better: bool
    reason: Message


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


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """New log odds from old: ``slope`` · old + ``shift``."""

    slope: float
    shift: float

    def __call__(self, margins: Array) -> Array:
        return self.slope * margins + self.shift

    def move(self, logistic: Logistic) -> Logistic:
        """The constants of a logistic with its log odds moved along the line, as they are stored."""
        moved = {name: round(self.slope * one, 5) for name, one in logistic.weights.items()}
        return Logistic(round(self.slope * logistic.intercept + self.shift, 5), moved)


@dataclass(frozen=True, slots=True)
class GateCase:
    """A labelled question with what the gate read of it; cases of one ``group`` share a fold."""

    question: EvalQuestion
    language: str
    reading: GateFeatures
    group: str

    @property
    def answerable(self) -> bool:
        return bool(self.question.answerable)


@dataclass(frozen=True, slots=True)
class ScoredCases:
    """Cases under the shipped constants: log odds of each, whether a rule refuses it, its label."""

    margins: Array
    ruled: Flags
    label: Array

    def fit(self, part: Flags, target: FitTarget, min_score: float, bound: float) -> ScoreLine:
        """The line that the cases of ``part`` support; those refused by a rule teach nothing."""
        answerable = part & (self.label > 0)
        wanted = np.where(self.ruled, -np.inf, self.margins)[answerable]
        current = log_odds(min_score)
        if target == "milder":
            lowered = place_threshold(wanted, np.empty(0), 0.0, current)
            return ScoreLine(1.0, current - lowered)
        judged = part & ~self.ruled
        margins, label = self.margins[judged], self.label[judged]
        if min_score <= 0:
            # Nothing is refused, so only the meaning of the scores is fitted.
            return fit_line(margins, label)
        threshold = place_threshold(wanted, margins[label == 0], bound, current)
        if target == "threshold":
            return ScoreLine(1.0, current - threshold)
        return fit_line(margins, label, pin=(threshold, current))


def calibrate_gate(
    workspace: Workspace,
    sets: Sequence[str] = (),
    *,
    bound: float,
    folds: int,
    progress: Progress = lambda _step: None,
) -> CalibrationFit:
    """Fit the gate to the stored, reviewed questions that are labelled answerable or not.

    Raises ``UsageError`` if one of the labels is missing, ``IndexMissing`` without an index.
    """
    mode = workspace.config.retrieval.mode
    require_index(workspace, mode)
    chosen = select_questions(workspace, sets)
    labelled = [question for question in chosen if question.answerable is not None]
    _require_both(labelled)
    cases: list[GateCase] = []
    failures: dict[str, Message] = {}
    for number, question in enumerate(labelled, start=1):
        try:
            cases.append(_read_case(workspace, question, mode))
        except FoundryError as error:
            failures[question.key] = error.problem
        progress(Step("search", number, len(labelled), "questions"))
    _require_both([case.question for case in cases])
    return _fit(workspace, cases, failures, bound=bound, folds=folds, progress=progress)


def _require_both(questions: Sequence[EvalQuestion]) -> None:
    labels = [question.answerable for question in questions]
    counts = {"answerable": labels.count(True), "unanswerable": labels.count(False)}
    if not all(counts.values()):
        raise UsageError("eval-fit-both-kinds", where="foundry eval", **counts)


def _read_case(workspace: Workspace, question: EvalQuestion, mode: SearchMode) -> GateCase:
    top_k = workspace.config.retrieval.top_k
    hits = retrieve(workspace, require_query(question.text), Filters(), mode, top_k)
    reading = extract_features(hits.question, hits.candidates)
    group = question.expected[0].source if question.expected else question.key
    return GateCase(question, hits.question.language, reading, group)


def _fit(
    workspace: Workspace,
    cases: Sequence[GateCase],
    failures: Mapping[str, Message],
    *,
    bound: float,
    folds: int,
    progress: Progress,
) -> CalibrationFit:
    config = workspace.config.retrieval
    model = get_calibration_model(workspace, config.mode)
    # The project's own earlier fit saw these questions, so only the shipped one can be compared.
    shipped = get_calibration(model)
    scored = score_cases(cases, shipped)
    answerable = sum(case.answerable for case in cases)
    target = choose_target(answerable, len(cases) - answerable)
    fit = partial(scored.fit, target=target, min_score=config.min_score, bound=bound)
    lines, folds = cross_validate([case.group for case in cases], folds, fit, progress)
    judged = [
        _judge(case, shipped, move_calibration(shipped, line), config.min_score)
        for case, line in zip(cases, lines, strict=True)
    ]
    own_fit = find_project_calibration(workspace, model)
    own = move_calibration(shipped, fit(np.ones(len(cases), dtype=bool)))
    # The answerable questions that no constants would let pass.
    ruled = [
        {"key": one.key, "text": one.text, "rule": one.after.rule}
        for one in judged
        if one.answerable and one.after.rule
    ]
    parts = compare_parts(judged)
    current = Message("eval-fit-shipped" if shipped.calibrated else "eval-fit-shipped-words")
    report = {
        "model": model,
        "mode": config.mode,
        "min_score": config.min_score,
        "max_false_refusal": bound,
        "folds": folds,
        "current": current,
        "fitted": target,
        "constants": {"shared": asdict(own.shared), "apart": own.apart and asdict(own.apart)},
        "parts": parts,
        "refused_by_rule": ruled,
        "questions": [round_floats(asdict(one)) for one in judged],
        "failed": [{"key": key, "error": why} for key, why in failures.items()],
    }
    notices = (
        *(Message("eval-fit-left-out", key=key, error=error) for key, error in failures.items()),
        *_warn(answerable, len(cases) - answerable, len(ruled), config.min_score, bound),
        *([Message("eval-fit-own-constants", made=f"{own_fit.made:%Y-%m-%d}")] if own_fit else []),
    )
    return CalibrationFit(model, report, parts, compare_gates(judged, parts, bound), notices)


def _judge(
    case: GateCase, shipped: GateCalibration, fitted: GateCalibration, min_score: float
) -> JudgedQuestion:
    best = apply_calibration(case.reading, shipped).best
    shared = best is None or case.reading.signals[best].shared
    return JudgedQuestion(
        key=case.question.key,
        text=case.question.text,
        answerable=case.answerable,
        language=case.language,
        arm="one language" if shared else "across languages",
        before=judge_case(case, shipped, min_score),
        after=judge_case(case, fitted, min_score),
    )


def _warn(
    answerable: int, unanswerable: int, ruled: int, min_score: float, bound: float
) -> Iterator[Message]:
    """What the questions do not support; ``ruled`` counts the answerable ones refused by rule."""
    target = choose_target(answerable, unanswerable)
    least = 1 / (answerable + 1)
    if target == "milder":
        yield Message("eval-fit-only-lowered", n=answerable, needed=MIN_ANSWERABLE)
    elif least > bound:
        yield Message("eval-fit-all-pass", n=answerable, least=least)
    if target == "threshold":
        yield Message("eval-fit-threshold-only", n=unanswerable, needed=MIN_UNANSWERABLE)
    if not min_score:
        yield Message("eval-fit-scores-only")
    if answerable and ruled / answerable > bound:
        share = ruled / answerable
        yield Message("eval-fit-rules", n=ruled, of=answerable, share=share, bound=bound)


def score_cases(cases: Sequence[GateCase], constants: GateCalibration) -> ScoredCases:
    """The cases as these constants score them."""
    outcomes = [judge_case(case, constants, min_score=0.0) for case in cases]
    return ScoredCases(
        margins=np.array([log_odds(outcome.score) for outcome in outcomes]),
        ruled=np.array([bool(outcome.rule) for outcome in outcomes]),
        label=np.array([float(case.answerable) for case in cases]),
    )


def judge_case(case: GateCase, constants: GateCalibration, min_score: float) -> GateOutcome:
    """What the gate decides on a case under these constants."""
    scored = apply_calibration(case.reading, constants)
    score = max(scored.relevances, default=0.0)
    rule = None
    if scored.missing.absent:
        rule = Message("eval-gate-unmentioned", words=[scored.missing.absent])
    elif not scored.signals:
        rule = Message("eval-gate-nothing-found")
    return GateOutcome(score, min_score > 0 and (score < min_score or bool(rule)), rule)


def move_calibration(shipped: GateCalibration, line: ScoreLine) -> GateCalibration:
    """The constants with all log odds moved along the line, as the project's own."""
    apart = line.move(shipped.apart) if shipped.apart else None
    return replace(shipped, shared=line.move(shipped.shared), apart=apart, own=True)


def choose_target(answerable: int, unanswerable: int) -> FitTarget:
    """What so many labelled questions support."""
    if answerable < MIN_ANSWERABLE:
        return "milder"
    return "line" if unanswerable >= MIN_UNANSWERABLE else "threshold"


def place_threshold(wanted: Array, others: Array, bound: float, current: float) -> float:
    """Log odds below which to refuse: at most ``bound`` of ``wanted``, as many others as possible.

    ``wanted`` is -inf for what is refused whatever its score. Of thresholds that refuse as many
    others, the one that refuses fewest wanted. Where nothing can be gained, ``current``, or lower
    if the bound requires it.
    """
    ordered = np.sort(wanted)
    passing = ordered[np.isfinite(ordered)]
    if not len(passing):
        return current
    last_allowed = math.floor(bound * (len(ordered) + 1)) - 1
    # If the rules alone break the bound, the score may refuse no wanted one besides.
    highest = float(max(ordered[np.clip(last_allowed, 0, len(ordered) - 1)], passing[0]))
    below = others[others < highest]
    if not len(below):
        return min(current, highest - _MARGIN)
    last = float(below.max())
    return (last + float(ordered[ordered > last][0])) / 2


def fit_line(margins: Array, label: Array, pin: tuple[float, float] | None = None) -> ScoreLine:
    """The likeliest slope and shift; with few labels the slope stays near 1.

    ``pin`` is a point that the line must go through: old and new log odds.
    """
    minimize = require("scipy.optimize").minimize

    def build(values: Array) -> ScoreLine:
        slope = math.exp(values[0])
        return ScoreLine(slope, pin[1] - slope * pin[0] if pin else float(values[1]))

    def loss(values: Array) -> float:
        moved = build(values)(margins)
        losses = label * np.logaddexp(0, -moved) + (1 - label) * np.logaddexp(0, moved)
        return float(losses.sum()) + 0.5 * float(values[0]) ** 2

    bounds = [(-_MAX_LOG_SLOPE, _MAX_LOG_SLOPE), (None, None)][: 1 if pin else 2]
    return build(minimize(loss, np.zeros(len(bounds)), method="L-BFGS-B", bounds=bounds).x)


def log_odds(probability: float) -> float:
    """The log odds of a probability; 0 and 1 count as one in a million from it."""
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))


def deal_folds(groups: Sequence[str], folds: int) -> npt.NDArray[np.int64]:
    """The fold of each case: groups stay whole, and folds are as even as that allows."""
    sizes = Counter(groups)
    names = sorted(sizes)
    shuffled = [names[index] for index in np.random.default_rng(_SEED).permutation(len(names))]
    filled: Counter[int] = Counter()
    fold_of: dict[str, int] = {}
    for group in sorted(shuffled, key=lambda name: -sizes[name]):
        fold = min(range(folds), key=lambda number: filled[number])
        fold_of[group] = fold
        filled[fold] += sizes[group]
    return np.array([fold_of[group] for group in groups], dtype=np.int64)


def cross_validate(
    groups: Sequence[str],
    folds: int,
    fit: Callable[[Flags], ScoreLine],
    progress: Progress = lambda _step: None,
) -> tuple[list[ScoreLine], int]:
    """For each case the line of a fit that never saw its group; and how many folds there were.

    ``fit`` is given the cases to learn from.
    """
    folds = min(folds, len(set(groups)))
    dealt = deal_folds(groups, folds)
    lines = []
    for fold in range(folds):
        lines.append(fit(dealt != fold))
        progress(Step("fit", fold + 1, folds, "folds"))
    return [lines[fold] for fold in dealt], folds


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


def save_fit(workspace: Workspace, fit: CalibrationFit) -> FittedCalibration:
    """Store a fit in place of an earlier one for its model, with its size, settings and figures."""
    store, pair = workspace.maintenance(), fit.parts["all"]
    index = LEXICAL_FINGERPRINT if fit.model == LEXICAL else (store.find_index(fit.model) or "")
    chunks = workspace.store.index_status(workspace.config.embedding.model).chunks
    values = {**fit.report, **pair["after"], "chunks": chunks}
    rates = {
        when: {name: value for name, value in own.items() if name != "reliability"}
        for when, own in pair.items()
    }
    figures = {"gate": {name: values[name] for name in _STORED} | rates}
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


def _format_figure(figures: Figures, name: str, phrases: Phrases) -> str:
    value = figures[name]
    if not isinstance(value, float):
        return phrases.share(None) if value is None else phrases.number(value)
    interval = figures.get(f"{name.removesuffix('_rate')}_interval")
    low, high = (phrases.number(bound, 3) for bound in interval) if interval else ("", "")
    return phrases.number(value, 3) + (f" ({low}–{high})" if interval else "")
