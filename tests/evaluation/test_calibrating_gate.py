"""The gate's two arms fitted to labelled cases: what is learnt, bounded and left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.gate import (
    LEXICAL,
    CandidateSignals,
    GateCalibration,
    apply_calibration,
    get_calibration,
)
from foundry.craft.gate.signals import SIGNAL_NAMES
from foundry.evaluation.calibrating.arms import arms_of, fit_arms, look, prior_of, read_bags
from foundry.evaluation.calibrating.cases import Case
from foundry.evaluation.calibrating.choosing import Support, Wish, choose, deal_folds
from foundry.evaluation.calibrating.gate import Work, cross_validate
from tests.evaluation.calibrating import case, cases

UNKNOWN = "openai/nobody-knows"


def fitted(
    made: list[Case], support: Support = "weights", model: str = UNKNOWN, min_score: float = 0.2
) -> GateCalibration:
    arms = arms_of(model, made)
    part = np.ones(len(made), dtype=bool)
    wish = Wish(min_score, 0.05, support)
    groups = [one.group for one in made]
    return choose(read_bags(made), groups, part, arms, wish).betas.as_calibration(arms, model)


def refused(made: list[Case], constants: GateCalibration, *, answerable: bool) -> float:
    scores = [
        max(apply_calibration(one.reading, constants).relevances)
        for one in made
        if one.answerable == answerable
    ]
    return float(np.mean(np.array(scores) < 0.2))


def test_the_bound_is_kept_and_most_others_are_refused() -> None:
    made = cases(60, 60)
    constants = fitted(made)
    assert refused(made, constants, answerable=True) <= 0.05
    assert refused(made, constants, answerable=False) > 0.6


def test_an_unknown_model_gets_constants_of_its_own() -> None:
    constants = fitted(cases(40, 40))
    assert constants.own
    assert constants.calibrated
    assert "cosine" in constants.shared.weights


def test_few_questions_never_refuse_more_than_the_constants_before() -> None:
    """Here the shipped constants would refuse every second of twelve answerable questions."""
    made = cases(12, 30)
    before = get_calibration(UNKNOWN)
    constants = fitted(made, "milder")
    assert refused(made, constants, answerable=True) == 0
    assert constants.shared.weights["coverage"] == before.shared.weights["coverage"]
    assert constants.shared.intercept >= before.shared.intercept


def test_without_enough_unanswerable_ones_the_weights_stay() -> None:
    constants = fitted(cases(40, 5), "threshold")
    shipped = get_calibration(UNKNOWN).shared.weights
    assert constants.shared.weights["saturated"] == shipped["saturated"]


def test_a_question_that_a_rule_refuses_teaches_nothing() -> None:
    """Twenty answerable questions without a shared word would teach that words mean little."""
    bare = [CandidateSignals(shared=True, coverage=0.0)]
    weights = []
    for rule in ("ZX-9", ""):
        odd = [case(900 + at, answerable=True, candidates=bare, rule=rule) for at in range(20)]
        made = [*cases(40, 40), *odd]
        part = np.ones(len(made), dtype=bool)
        betas = fit_arms(read_bags(made), part, arms_of(UNKNOWN, made), 1.0)
        weights.append(betas.shared[1 + SIGNAL_NAMES.index("coverage")])
    assert weights[0] > 2 * weights[1]


def test_only_candidates_that_may_hold_the_answer_teach() -> None:
    """The nearer candidate of each answerable question is of another source than the expected."""
    near, expected, bad = (
        CandidateSignals(shared=True, coverage=value) for value in (0.9, 0.1, 0.5)
    )
    weights = []
    for holding in ((True, True), (False, True)):
        good = [case(at, answerable=True, candidates=[near, expected]) for at in range(30)]
        told = [replace(one, holding=holding) for one in good]
        made = [*told, *(case(50 + at, answerable=False, candidates=[bad]) for at in range(30))]
        part = np.ones(len(made), dtype=bool)
        betas = fit_arms(read_bags(made), part, arms_of(UNKNOWN, made), 1.0)
        weights.append(betas.shared[1 + SIGNAL_NAMES.index("coverage")])
    assert weights[0] > weights[1]


def test_a_name_counts_as_the_gate_counts_it_where_another_language_is_likely() -> None:
    apart, here = CandidateSignals(shared=False, cosine=0.95), CandidateSignals(shared=True)
    one = case(1, answerable=True, candidates=[apart, here], rule="Vienna")
    one = replace(one, reading=replace(one.reading, unmentioned_cross_lingual=()))
    made = [one, *cases(3, 3)]
    arms = arms_of(BUILTIN_EMBEDDING, made)
    constants = prior_of(arms).as_calibration(arms, BUILTIN_EMBEDDING)
    assert not apply_calibration(one.reading, constants).ruled
    assert not look(read_bags(made), prior_of(arms)).ruled[0]


def test_each_case_is_judged_by_constants_that_never_saw_it() -> None:
    made = cases(30, 30)
    wish, arms, bags = Wish(0.2, 0.05, "weights"), arms_of(UNKNOWN, made), read_bags(made)
    groups = [one.group for one in made]
    held_out = cross_validate(Work(made, arms, bags, wish, UNKNOWN), 3, lambda _step: None)
    folds = deal_folds(groups, np.ones(len(made), dtype=bool), 3)
    others = choose(bags, groups, folds != folds[0], arms, wish).betas
    assert held_out[0] == others.as_calibration(arms, UNKNOWN)
    assert held_out[0] != fitted(made)


@pytest.mark.parametrize("model", [BUILTIN_EMBEDDING, UNKNOWN])
def test_both_arms_are_looked_at_as_the_gate_looks_at_them(model: str) -> None:
    apart = CandidateSignals(shared=False, cosine=0.86)
    strange = [case(200 + at, answerable=at % 2 == 0, candidates=[apart]) for at in range(10)]
    nearest = [replace(o, reading=replace(o.reading, nearest=(True,))) for o in strange[:5]]
    made = [*cases(30, 30), *strange[5:], *nearest]
    arms = arms_of(model, made)
    constants = prior_of(arms).as_calibration(arms, model)
    seen = look(read_bags(made), prior_of(arms))
    scores = [max(apply_calibration(one.reading, constants).relevances) for one in made]
    assert 1 / (1 + np.exp(-seen.best)) == pytest.approx(scores, abs=1e-4)


def test_only_candidates_of_the_expected_source_teach_what_an_answer_looks_like() -> None:
    arms = arms_of(UNKNOWN, cases(1, 1))
    strong, weak = (CandidateSignals(shared=True, coverage=value) for value in (1.0, 0.2))
    one = case(1, answerable=True, candidates=[strong, weak])
    told = Case(one.question, "en", one.reading, (False, True), one.group)
    bags = read_bags([told, *cases(30, 30)])
    assert bags.holding[:2].tolist() == [False, True]
    assert look(bags, prior_of(arms)).best[0] == look(read_bags([one]), prior_of(arms)).best[0]


def test_a_case_without_candidates_counts_as_refused() -> None:
    made = [*cases(30, 30), case(500, answerable=True, candidates=[])]
    assert read_bags(made).ruled[-1]
    assert fitted(made).own


def test_words_alone_have_no_arm_across_languages() -> None:
    made = [*cases(30, 30), case(1, answerable=True, candidates=[CandidateSignals(shared=False)])]
    assert arms_of(LEXICAL, made).apart is None


def test_without_a_threshold_only_the_scores_are_fitted() -> None:
    made = cases(60, 60)
    constants = fitted(made, min_score=0.0)
    scores = [max(apply_calibration(one.reading, constants).relevances) for one in made]
    assert np.mean(scores) == pytest.approx(0.5, abs=0.08)
