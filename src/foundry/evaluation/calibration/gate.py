"""The gate's scores fitted to a project's own labelled questions, and judged on held-out ones.

The shipped weights stay: a project's questions support a threshold and a slope, seldom more
(``bench/fit_gate.py`` fits weights). Few questions only lower the threshold.

The threshold bounds what may be refused wrongly and then refuses as much else as possible. It is
the bound's quantile of the wanted scores, counted so that one more of their kind falls below it
with at most the bound's probability, whatever the scores' distribution (Vovk, Gammerman and
Shafer, "Algorithmic Learning in a Random World", 2005). A line through the log odds then puts it
at the configured threshold, with the slope that fits the labels best (Platt, "Probabilistic
Outputs for Support Vector Machines", 1999). The order of scores never changes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from foundry.craft.gate import (
    GateCalibration,
    GateFeatures,
    Logistic,
    apply_calibration,
    extract_features,
    get_calibration,
)
from foundry.errors import FoundryError, UsageError
from foundry.evaluation.calibration.fits import (
    CalibrationFit,
    GateOutcome,
    JudgedQuestion,
    compare_gates,
    compare_parts,
    round_floats,
)
from foundry.evaluation.libraries import require
from foundry.evaluation.questions import select_questions
from foundry.journeys.calibration import find_project_calibration, get_calibration_model
from foundry.journeys.question import require_query
from foundry.journeys.search import require_index, retrieve
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion, Filters, SearchMode
from foundry.workspace import Workspace

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_MAX_LOG_SLOPE = 1.5
"""Slopes stay within a factor of 4.5 (e^1.5): few labels would stretch log odds without end."""

_MARGIN = 0.1
"""Log odds between the threshold and the lowest score that must pass; 2 % of a score near 0.3."""

_SEED = 3


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """New log odds from old: ``slope`` · old + ``shift``."""

    slope: float
    shift: float

    def __call__(self, margins: Array) -> Array:
        return self.slope * margins + self.shift

    def move(self, intercept: float, weights: Mapping[str, float]) -> dict[str, Any]:
        """The constants of a logistic with its log odds moved along the line, as they are stored."""
        moved = {name: round(self.slope * weight, 5) for name, weight in weights.items()}
        return {"intercept": round(self.slope * intercept + self.shift, 5), "weights": moved}


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


MIN_ANSWERABLE = 20
"""Fewer answerable questions only lower the threshold. Placed by 20 questions in all (some 8 of
them answerable), one threshold in ten refused 14 % of the example project's other answerable ones;
placed by 45 (some 20), 7 %."""

MIN_UNANSWERABLE = 10
"""Fewer unanswerable questions place the threshold but fit no slope; a guess."""

FitTarget = Literal["line", "threshold", "milder"]
"""What the questions support: threshold and slope, the threshold alone, or only a lower one."""


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
    cases, failures = read_cases(workspace, labelled, mode, progress)
    _require_both([case.question for case in cases])
    return _fit(workspace, cases, failures, bound=bound, folds=folds, progress=progress)


def read_cases(
    workspace: Workspace, questions: Sequence[EvalQuestion], mode: SearchMode, progress: Progress
) -> tuple[list[GateCase], dict[str, Message]]:
    """Search each question as a user would; returns also the keys of those that fail, and why."""
    cases: list[GateCase] = []
    failures: dict[str, Message] = {}
    for number, question in enumerate(questions, start=1):
        try:
            cases.append(_read_case(workspace, question, mode))
        except FoundryError as error:
            failures[question.key] = error.problem
        progress(Step("search", number, len(questions), "questions"))
    return cases, failures


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
    apart = _move(shipped.apart, line) if shipped.apart else None
    return replace(shipped, shared=_move(shipped.shared, line), apart=apart, own=True)


def choose_target(answerable: int, unanswerable: int) -> FitTarget:
    """What so many labelled questions support."""
    if answerable < MIN_ANSWERABLE:
        return "milder"
    return "line" if unanswerable >= MIN_UNANSWERABLE else "threshold"


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
    ruled = _list_refused_by_rule(judged)
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


def _read_case(workspace: Workspace, question: EvalQuestion, mode: SearchMode) -> GateCase:
    top_k = workspace.config.retrieval.top_k
    hits = retrieve(workspace, require_query(question.text), Filters(), mode, top_k)
    reading = extract_features(hits.question, hits.candidates)
    group = question.expected[0].source if question.expected else question.key
    return GateCase(question, hits.question.language, reading, group)


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


def _list_refused_by_rule(judged: Sequence[JudgedQuestion]) -> list[dict[str, Message | str]]:
    """The answerable questions that no constants would let pass."""
    return [
        {"key": one.key, "text": one.text, "rule": one.after.rule}
        for one in judged
        if one.answerable and one.after.rule
    ]


def _move(logistic: Logistic, line: ScoreLine) -> Logistic:
    return Logistic(**line.move(logistic.intercept, logistic.weights))


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


def _require_both(questions: Sequence[EvalQuestion]) -> None:
    answerable = sum(question.answerable is True for question in questions)
    unanswerable = sum(question.answerable is False for question in questions)
    if not answerable or not unanswerable:
        raise UsageError(
            "eval-fit-both-kinds",
            where="foundry eval",
            answerable=answerable,
            unanswerable=unanswerable,
        )
