"""The gate's scores fitted to labelled cases: what the fit changes, and its bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.gate import (
    CandidateSignals,
    GateCalibration,
    apply_calibration,
    get_calibration,
)
from foundry.evaluation.calibration import (
    FitTarget,
    GateCase,
    ScoreLine,
    judge_case,
    move_calibration,
    score_cases,
)
from tests.evaluation.gate_cases import case, cases

UNKNOWN = "openai/nobody-knows"


def fit_line(made: list[GateCase], target: FitTarget = "line", min_score: float = 0.2) -> ScoreLine:
    part = np.ones(len(made), dtype=bool)
    return score_cases(made, get_calibration(UNKNOWN)).fit(part, target, min_score, 0.05)


def fit(
    made: list[GateCase], target: FitTarget = "line", min_score: float = 0.2
) -> GateCalibration:
    return move_calibration(get_calibration(UNKNOWN), fit_line(made, target, min_score))


def refused(made: list[GateCase], constants: GateCalibration, *, answerable: bool) -> float:
    outcomes = [judge_case(one, constants, 0.2) for one in made if one.answerable == answerable]
    return float(np.mean([outcome.refused for outcome in outcomes]))


def test_the_bound_is_kept_and_most_others_are_refused() -> None:
    made = cases(60, 60)
    constants = fit(made)
    assert refused(made, constants, answerable=True) <= 0.05
    assert refused(made, constants, answerable=False) > 0.6


def test_an_unknown_model_gets_its_own_constants() -> None:
    constants = fit(cases(40, 40))
    assert constants.own
    assert constants.calibrated


def test_the_order_of_the_signals_never_changes() -> None:
    shipped, constants = get_calibration(UNKNOWN).shared.weights, fit(cases(40, 40)).shared.weights
    ratios = [constants[name] / weight for name, weight in shipped.items() if weight]
    assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-3)


def test_few_questions_never_refuse_more_than_the_constants_before() -> None:
    """Here the shipped constants would refuse every second of twelve answerable questions."""
    made = cases(12, 30)
    before, constants = get_calibration(UNKNOWN), fit(made, "milder")
    assert refused(made, constants, answerable=True) == 0
    assert constants.shared.weights["attribute"] == pytest.approx(
        before.shared.weights["attribute"], abs=1e-5
    )
    assert constants.shared.intercept >= before.shared.intercept


def test_without_enough_unanswerable_ones_only_the_threshold_moves() -> None:
    assert fit_line(cases(40, 5), "threshold").slope == 1.0


def test_a_question_that_a_rule_refuses_teaches_nothing() -> None:
    made = cases(40, 40)
    bare = [CandidateSignals(shared=True)]
    odd = [case(900 + n, answerable=False, candidates=bare, rule="ZX-9") for n in range(20)]
    assert fit_line([*made, *odd]) == fit_line(made)


def test_a_fold_without_the_only_source_that_answers_keeps_the_threshold() -> None:
    made = cases(30, 30)
    part = np.array([not one.answerable for one in made])
    line = score_cases(made, get_calibration(UNKNOWN)).fit(part, "threshold", 0.2, 0.05)
    assert line == ScoreLine(1.0, 0.0)


def test_a_case_without_candidates_counts_as_refused() -> None:
    empty = case(500, answerable=True, candidates=[])
    assert score_cases([*cases(3, 3), empty], get_calibration(UNKNOWN)).ruled[-1]
    assert fit([*cases(30, 30), empty]).own


@pytest.mark.parametrize("model", [BUILTIN_EMBEDDING, UNKNOWN])
def test_both_arms_are_scored_as_the_gate_scores_them(model: str) -> None:
    apart = CandidateSignals(shared=False, cosine=0.86)
    strange = [case(200 + n, answerable=n % 2 == 0, candidates=[apart]) for n in range(10)]
    nearest = [replace(o, reading=replace(o.reading, nearest=(True,))) for o in strange[:5]]
    made = [*cases(30, 30), *strange[5:], *nearest]
    constants = get_calibration(model)
    scored = score_cases(made, constants)
    scores = [max(apply_calibration(one.reading, constants).relevances) for one in made]
    assert 1 / (1 + np.exp(-scored.margins)) == pytest.approx(scores, abs=1e-4)


def test_both_arms_move_along_the_same_line() -> None:
    shipped = get_calibration(BUILTIN_EMBEDDING)
    moved = move_calibration(shipped, ScoreLine(2.0, -1.0))
    assert shipped.apart is not None
    assert moved.apart is not None
    for before, after in ((shipped.shared, moved.shared), (shipped.apart, moved.apart)):
        assert after.intercept == pytest.approx(2 * before.intercept - 1)


def test_without_a_threshold_only_the_scores_are_fitted() -> None:
    made = cases(60, 60)
    constants = fit(made, min_score=0.0)
    scores = [max(apply_calibration(one.reading, constants).relevances) for one in made]
    assert np.mean(scores) == pytest.approx(0.5, abs=0.08)
