"""What the gate would do at other thresholds, from the scores that a run kept."""

from __future__ import annotations

from dataclasses import replace

from foundry.evaluation.gate_curve import draw_gate_curve
from foundry.records import EvalQuestion, EvalResult, EvalRun, GateVerdict, Verdict
from tests.store.records import WHEN

RUN = EvalRun(7, "all", "ask", ("set",), WHEN, config={"retrieval.min_score": 0.3})


def make(score: float, *, answerable: bool, shut: bool | None = None) -> EvalResult:
    refused = score < 0.3 if shut is None else shut
    gate: GateVerdict = "no_evidence" if refused else "answer"
    verdict: Verdict = "no_evidence" if refused else "passages"
    question = EvalQuestion(str(score), "set", "?", answerable=answerable)
    return EvalResult(
        question, verdict=verdict, gate_verdict=gate, score=score, figures={"shown_gold": 1.0}
    )


RESULTS = [
    make(0.2, answerable=True),
    make(0.9, answerable=True),
    make(0.1, answerable=False),
    make(0.5, answerable=False),
]


def test_the_threshold_of_the_run_is_on_the_curve_with_what_the_run_did() -> None:
    curve = draw_gate_curve(RUN, RESULTS)
    assert curve
    assert (curve.at_chosen.refused_wrongly, curve.at_chosen.refused_rightly) == (1, 1)
    assert (curve.at_chosen.passed, curve.at_chosen.passed_wrongly) == (2, 1)


def test_a_higher_threshold_trades_wrong_answers_for_refusals() -> None:
    curve = draw_gate_curve(RUN, RESULTS)
    assert curve
    by = {point.threshold: point for point in curve.points}
    assert (by[0.0].refused_wrongly, by[0.0].passed_wrongly) == (0, 2)
    assert (by[0.6].refused_wrongly, by[0.6].passed_wrongly) == (1, 0)


def test_what_a_rule_refuses_stays_refused_at_every_threshold() -> None:
    curve = draw_gate_curve(RUN, [*RESULTS, make(0.8, answerable=False, shut=True)])
    assert curve
    assert curve.by_rule == 1
    assert curve.points[0].refused_rightly == 1


def test_a_right_refusal_that_came_after_the_gate_is_no_wrong_answer() -> None:
    quiet = replace(make(0.7, answerable=True), verdict="no_evidence", figures={})
    curve = draw_gate_curve(RUN, [*RESULTS, quiet])
    assert curve
    assert curve.at_chosen.passed_wrongly == 1


def test_questions_of_one_kind_have_no_curve() -> None:
    assert draw_gate_curve(RUN, RESULTS[:2]) is None


def test_a_gate_that_was_fitted_here_says_that_the_curve_flatters_it() -> None:
    fitted = replace(RUN, versions={"gate": "fitted 2026-01-01"})
    codes = [
        {notice.code for notice in curve.notices}
        for curve in (draw_gate_curve(RUN, RESULTS), draw_gate_curve(fitted, RESULTS))
        if curve
    ]
    assert ["eval-curve-fitted" in one for one in codes] == [False, True]
