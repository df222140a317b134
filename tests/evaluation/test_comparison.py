"""Two runs side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foundry.errors import UsageError
from foundry.evaluation.comparison import (
    Comparison,
    MeasureChange,
    compare_results,
    get_severity,
)
from foundry.messages import Message
from foundry.records import EvalResult, Expectation
from tests.evaluation.outcomes import make_result, make_run


def compare(before: list[EvalResult], after: list[EvalResult]) -> Comparison:
    return compare_results(make_run(1, before), before, make_run(2, after), after)


def change(found: Comparison, measure: str) -> MeasureChange:
    return next(one for one in found.measures if one.measure == measure)


def test_a_change_of_every_question_is_clear_and_one_of_twenty_is_not() -> None:
    before = [make_result(f"m/{n}", recall_at_10=1.0, mrr=1.0) for n in range(20)]
    after = [make_result(f"m/{n}", recall_at_10=0.5 - n / 100, mrr=float(n > 0)) for n in range(20)]
    found = compare(before, after)
    assert [one.measure for one in found.worse()] == ["recall@10"]
    assert change(found, "mrr").difference == pytest.approx(-0.05)
    assert not change(found, "mrr").clear


def test_the_same_outcomes_differ_nowhere() -> None:
    results = [make_result(f"m/{n}", answerable=n < 5, score=n / 10, mrr=n / 10) for n in range(10)]
    found = compare(results, results)
    assert found.changed == found.differs == found.worse() == ()
    assert {measure.difference for measure in found.measures} <= {0.0, None}


def test_a_measure_is_compared_over_the_questions_where_both_have_it() -> None:
    before = [make_result("m/1", f1=1.0), make_result("m/2", f1=0.0), make_result("m/3")]
    after = [make_result("m/1", f1=0.5), make_result("m/2"), make_result("m/3", f1=1.0)]
    found = change(compare(before, after), "f1")
    assert (found.first, found.second, found.n) == (1.0, 0.5, 1)


def test_a_measure_that_became_undefined_is_worse() -> None:
    before = [make_result(f"m/{n}", mrr=1.0) for n in range(3)]
    after = [replace(make_result(f"m/{n}"), error="model: gone") for n in range(3)]
    found = compare(before, after)
    assert change(found, "mrr").lost
    assert "mrr" in {one.measure for one in found.worse()}
    assert change(found, "errors").difference == 3.0


def test_slower_is_worse_and_does_not_fail_a_baseline() -> None:
    before = [make_result(f"m/{n}", ms=10 + 37 * n) for n in range(20)]
    after = [make_result(f"m/{n}", ms=11 + 37 * n) for n in range(20)]
    found = compare(before, after)
    # One more for each: only pairs of the same questions can tell.
    assert change(found, "latency_p50_ms").worse
    assert found.worse() == ()


def test_refusals_and_auroc_are_resampled_in_pairs() -> None:
    before = [make_result(f"m/{n}", answerable=n % 2 == 0, score=n % 2 / 2) for n in range(40)]
    after = [replace(result, score=1 - (result.score or 0)) for result in before]
    found = change(compare(before, after), "auroc")
    assert found.better
    assert (found.first, found.second) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("answerable", "after", "direction"),
    [(True, "no_evidence", "worse"), (False, "no_evidence", "better"),
     (None, "no_evidence", "changed"), (True, "low_confidence", "changed"),
     (False, "passages", "changed")],
)  # fmt: skip
def test_a_new_verdict_is_judged_by_the_label(
    answerable: bool | None, after: str, direction: str
) -> None:
    before = make_result(answerable=answerable)
    (moved,) = compare([before], [replace(before, verdict=after)]).changed  # type: ignore[arg-type]
    assert (moved.what, moved.first, moved.second) == ("verdict", "answer", after)
    assert moved.direction == direction


def test_questions_that_lost_their_place_or_failed_are_named_with_both_values() -> None:
    before = [make_result("m/1", recall_at_10=1.0, f1=0.5), make_result("m/2")]
    after = [make_result("m/1", recall_at_10=0.0, f1=0.75), replace(before[1], error="x: y")]
    moved = [
        (one.question.key, one.what, one.first, one.second, one.direction)
        for one in compare(before, after).changed
    ]
    assert moved == [
        ("m/1", "recall@10", 1.0, 0.0, "worse"),
        ("m/1", "f1", 0.5, 0.75, "better"),
        ("m/2", "error", None, "x: y", "worse"),
    ]


def test_questions_that_differ_are_left_out_and_reported() -> None:
    before = [make_result(f"m/{n}") for n in (1, 2, 3, 4)]
    other = replace(before[2].question, expected=(Expectation("b.md"),))
    after = [
        before[0],
        make_result("m/2", text="Another?"),
        replace(before[2], question=other),
        make_result("m/5"),
    ]
    found = compare(before, after)
    assert found.common == 1
    left = found.left_out
    assert (left.only_first, left.only_second) == (("m/4",), ("m/5",))
    assert (left.text_changed, left.label_changed) == (("m/2",), ("m/3",))


def test_runs_without_a_common_question_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="no question in common"):
        compare([make_result("m/1")], [make_result("n/1")])


def test_differences_between_the_runs_come_first() -> None:
    results = [make_result()]
    first = make_run(1, results, config={"retrieval.top_k": 10, "mode": "offline"}, index="a")
    second = make_run(2, results, config={"retrieval.top_k": 20, "mode": "offline"}, index="b")
    found = compare_results(first, results, second, results)
    assert [
        (difference.name, difference.first, difference.second) for difference in found.differs
    ] == [
        ("retrieval.top_k", "10", "20"),
        (Message("eval-differs-index"), "a", "b"),
    ]


def test_an_unfinished_run_is_compared_with_a_notice() -> None:
    results = [make_result()]
    cut = make_run(2, results, finished=None)
    found = compare_results(make_run(1, results), results, cut, results)
    assert "Run 2 is not finished" in str(found.notices[0])


def test_what_got_worse_comes_first_and_within_it_what_matters_most() -> None:
    before = [make_result("m/1", shown_gold=1.0, recall_at_10=1.0), make_result("m/2", f1=0.5)]
    after = [make_result("m/1", shown_gold=0.0, recall_at_10=0.0), make_result("m/2", f1=0.75)]
    moved = sorted(compare(before, after).changed, key=get_severity)
    assert [one.what for one in moved] == ["recall@10", "shown_gold", "f1"]
