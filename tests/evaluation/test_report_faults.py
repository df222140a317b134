"""Which questions went worst, and in which order a report shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foundry.evaluation.report.report import find_faults, find_faulty
from foundry.records import EvalResult
from tests.evaluation.report_runs import make_question, make_result

NO_ANSWER = make_question("u", answerable=False, expected=(), answers=())


def make_passages(gold: float) -> EvalResult:
    """An outcome that shows passages with or without the gold."""
    made = make_result(verdict="passages", f1=None)
    return replace(made, figures={**made.figures, "shown_gold": gold})


@pytest.mark.parametrize(
    ("result", "faults"),
    [
        (make_result(), ()),
        (make_result(error="It failed."), ("error",)),
        (make_result(verdict="no_evidence", f1=0.0), ("wrong_refusal",)),
        (make_result(NO_ANSWER, f1=None), ("wrong_answer",)),
        (make_result(NO_ANSWER, verdict="no_evidence", f1=None), ()),
        (make_result(right=11, f1=0.3), ("missing", "low_f1")),
        (make_result(make_question(answerable=None), verdict="no_evidence"), ()),
        (make_result(NO_ANSWER, verdict="passages", f1=None), ()),
        (make_passages(gold=1.0), ()),
        (make_passages(gold=0.0), ("not_shown",)),
    ],
)
def test_a_fault_is_what_a_reader_would_call_wrong(
    result: EvalResult, faults: tuple[str, ...]
) -> None:
    assert find_faults(result) == faults


def test_in_a_run_over_search_alone_the_gate_is_what_refuses() -> None:
    result = make_result(verdict=None, gate_verdict="no_evidence", f1=None)
    assert find_faults(result) == ("wrong_refusal",)


def test_an_answer_that_says_the_expected_one_among_others_is_not_at_fault() -> None:
    whole = make_result(f1=0.2)
    figures = {**whole.figures, "answer_recall": 1.0}
    held = make_result(make_question("q2"), figures=figures)
    assert [faulty.result.question.id for faulty in find_faulty([whole, held])] == ["q1"]


def test_within_a_kind_of_fault_the_surest_mistake_comes_first() -> None:
    asked = {"answerable": False, "expected": (), "answers": ()}
    results = [
        make_result(make_question("low", **asked), score=0.4, f1=None),
        make_result(make_question("high", **asked), score=0.9, f1=None),
        make_result(make_question("near"), verdict="no_evidence", score=0.19, f1=0.0),
        make_result(make_question("far"), verdict="no_evidence", score=0.01, f1=0.0),
        make_result(make_question("lost"), right=None),
        make_result(make_question("late"), right=12),
    ]
    order = [faulty.result.question.id for faulty in find_faulty(results)]
    assert order == ["far", "near", "high", "low", "lost", "late"]
