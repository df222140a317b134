"""The gate's scores fitted to a project's own labelled questions, and judged on held-out ones.

The shipped weights stay: a project's questions support a threshold and a slope, seldom more
(``bench/fit_gate.py`` fits weights). Few questions only lower the threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from foundry.craft.gate import (
    GateCalibration,
    GateFeatures,
    Logistic,
    apply_calibration,
    extract_features,
    get_calibration,
)
from foundry.errors import FoundryError, UsageError
from foundry.evaluation.calibration.figures import (
    GateOutcome,
    JudgedQuestion,
    compare_gates,
    compare_parts,
    round_floats,
)
from foundry.evaluation.calibration.fits import CalibrationFit
from foundry.evaluation.calibration.line import (
    Array,
    Flags,
    ScoreLine,
    cross_validate,
    fit_line,
    log_odds,
    place_threshold,
)
from foundry.evaluation.questions import select_questions
from foundry.journeys.calibration import find_project_calibration, get_calibration_model
from foundry.journeys.question import require_query
from foundry.journeys.search import require_index, retrieve
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion, Filters, SearchMode
from foundry.workspace import Workspace

MIN_ANSWERABLE = 20
"""Fewer answerable questions only lower the threshold. Placed by 20 questions in all (some 8 of
them answerable), one threshold in ten refused 14 % of the example project's other answerable ones;
placed by 45 (some 20), 7 %. ``python -m bench calibration`` draws such samples."""

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
        "current_code": current,
        "fitted": target,
        "constants": {"shared": asdict(own.shared), "apart": own.apart and asdict(own.apart)},
        "parts": parts,
        "refused_by_rule": ruled,
        "questions": [round_floats(asdict(one)) for one in judged],
        "failed": _list_failed(failures),
    }
    notices = (
        *(Message("eval-fit-left-out", key=key, error=error) for key, error in failures.items()),
        *_warn(answerable, len(cases) - answerable, len(ruled), config.min_score, bound),
        *_mention_earlier(workspace, model),
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


def _list_failed(failures: Mapping[str, Message]) -> list[dict[str, Message | str]]:
    return [{"key": key, "error": why, "error_code": why} for key, why in failures.items()]


def _list_refused_by_rule(judged: Sequence[JudgedQuestion]) -> list[dict[str, Message | str]]:
    """The answerable questions that no constants would let pass."""
    return [
        {"key": one.key, "text": one.text, "rule": one.after.rule, "rule_code": one.after.rule}
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


def _mention_earlier(workspace: Workspace, model: str) -> Iterator[Message]:
    own = find_project_calibration(workspace, model)
    if own is not None:
        yield Message("eval-fit-own-constants", made=f"{own.made:%Y-%m-%d}")


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
