"""From outcomes to the figures of a run, and their bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foundry.errors import UsageError
from foundry.evaluation.metrics.measures import (
    MEANS,
    MEASURES,
    find_breaches,
    parse_bounds,
    require_measured,
)
from foundry.evaluation.metrics.statistics import (
    count_trust,
    intervals_of,
    summarise,
)
from foundry.records import Usage
from tests.evaluation.outcomes import make_result, make_run

REFUSED = "no_evidence"


def test_nothing_asked_leaves_every_figure_undefined() -> None:
    figures, counts = summarise([])
    assert {figures[name] for name in MEASURES} == {None}
    assert set(counts.values()) == {0}


def test_refusals_are_counted_over_labelled_questions_alone() -> None:
    results = [
        make_result("a/1", verdict=REFUSED),
        make_result("a/2"),
        make_result("a/3", answerable=False, verdict=REFUSED),
        make_result("a/4", answerable=None, verdict=REFUSED),
    ]
    figures, counts = summarise(results)
    assert figures["false_refusal_rate"] == 0.5
    assert figures["refusal_recall"] == 1.0
    assert figures["refusal_precision"] == 0.5
    assert (counts["refused"], counts["unlabelled"]) == (3, 1)


def test_what_is_right_is_counted_apart_for_sure_answers_and_marked_ones() -> None:
    results = [
        make_result("a/1", f1=0.2, answer_recall=1.0),
        make_result("a/2", f1=0.4, answer_recall=0.4),
        make_result("a/3", answerable=False),
        make_result("a/4", verdict="low_confidence", f1=0.6, answer_recall=0.6),
        make_result("a/5", verdict="passages", shown_gold=1.0),
        make_result("a/6", verdict=REFUSED, f1=0.0, answer_recall=0.0),
    ]
    figures, counts = summarise(results)
    assert figures["sure_precision"] == pytest.approx(1 / 3)
    assert (figures["low_confidence_precision"], figures["shown_gold"]) == (1.0, 1.0)
    assert (counts["answered"], counts["passages"], counts["refused"]) == (4, 1, 1)


def test_an_error_is_counted_and_weighs_in_no_figure() -> None:
    failed = replace(make_result("a/1", ms=9000, recall_at_10=0.0), error="model: gone")
    figures, counts = summarise([failed, make_result("a/2", recall_at_10=1.0)])
    assert counts["errors"] == 1
    assert figures["recall@10"] == 1.0
    assert figures["latency_max_ms"] == 10.0


def test_a_mean_is_over_the_questions_that_have_the_figure() -> None:
    results = [make_result("a/1", f1=0.5), make_result("a/2"), make_result("a/3", f1=1.0)]
    assert summarise(results)[0]["f1"] == 0.75


def test_one_unknown_price_makes_the_cost_undefined_and_not_the_tokens() -> None:
    known = replace(make_result("a/1"), usage=Usage(1, 10, 5, 0.5))
    unknown = replace(make_result("a/2"), usage=Usage(1, 10, 5, None))
    assert summarise([known])[0]["cost"] == 0.5
    figures = summarise([known, unknown])[0]
    assert figures["cost"] is None
    assert figures["tokens"] == 30


def test_auroc_by_ranks_is_auroc_by_pairs_with_ties_and_gaps() -> None:
    random = np.random.default_rng(7)
    results = [
        make_result(f"a/{n}", answerable=bool(n % 3), score=round(float(random.random()), 1))
        for n in range(60)
    ]
    unknown = [make_result("a/x", answerable=None, score=0.99), make_result("a/y", score=None)]
    good, bad = (
        [one.score or 0.0 for n, one in enumerate(results) if bool(n % 3) is label]
        for label in (True, False)
    )
    wins = [1.0 if a > b else 0.5 if a == b else 0.0 for a in good for b in bad]
    expected = sum(wins) / len(wins)
    assert summarise([*results, *unknown])[0]["auroc"] == pytest.approx(expected)


@pytest.mark.parametrize(
    "name", [name for name in MEASURES if name not in (*MEANS, "latency_max_ms")]
)
def test_the_interval_of_a_statistic_contains_its_value(name: str) -> None:
    results = [
        make_result(
            f"a/{n}", answerable=bool(n % 2), verdict=(REFUSED, "low_confidence", "answer")[n % 3],
            score=(n % 7) / 7, ms=10.0 + n,
        )
        for n in range(40)
    ]  # fmt: skip
    value, found = summarise(results)[0][name], intervals_of(results)[name]
    assert value is not None
    assert found is not None
    assert found.low <= value <= found.high


def test_every_measure_has_a_place_among_the_intervals() -> None:
    assert set(intervals_of([make_result()])) == set(MEASURES)


def test_a_bound_is_broken_below_above_and_when_undefined() -> None:
    run = make_run(1, [make_result("a/1", recall_at_10=0.5)])
    bounds = [
        *parse_bounds(["recall@10=0.5", "recall@10=0.6", "f1=0"], above=False),
        *parse_bounds(["latency_p95_ms=10", "latency_p95_ms=9", "errors=0"], above=True),
    ]
    assert [str(breach.describe()) for breach in find_breaches(run, bounds)] == [
        "recall@10 is 0.5, below 0.6",
        "f1 is undefined; its bound is 0",
        "latency_p95_ms is 10, above 9",
    ]


@pytest.mark.parametrize(
    ("text", "above", "message"),
    [
        ("recal@10=1", False, "Did you mean recall@10"),
        ("recall@10", False, "is not a number"),
        ("recall@10=nan", False, "is not a number"),
        ("latency_p95_ms=5", False, "better when lower"),
        ("recall@10=1", True, "better when higher"),
    ],
)
def test_a_bound_that_makes_no_sense_is_refused(text: str, above: bool, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_bounds([text], above=above)


def test_a_run_over_search_alone_is_not_held_to_answers() -> None:
    bounds = parse_bounds(["false_refusal_rate=0.1"], above=True)
    with pytest.raises(UsageError) as refused:
        require_measured(bounds, "retrieval")
    assert "gate_false_refusal_rate" in refused.value.fix


def test_what_was_shown_is_counted_right_or_wrong_by_verdict() -> None:
    results = [
        make_result("a/1", f1=0.2, answer_recall=1.0),
        make_result("a/2", answerable=False),
        make_result("a/3", verdict="low_confidence", f1=0.1, answer_recall=0.1),
        make_result("a/4", verdict="passages", shown_gold=1.0),
        make_result("a/5", verdict="passages", shown_gold=0.0),
        make_result("a/6", verdict="passages"),
        make_result("a/7", answerable=False, verdict=REFUSED),
        make_result("a/8", verdict=REFUSED),
    ]
    assert count_trust(results) == {
        "shown": (1, 2, 0),
        "answer": (1, 1, 0),
        "low_confidence": (0, 1, 0),
        "passages": (1, 1, 1),
        "no_evidence": (1, 1, 0),
    }
    counts = summarise(results)[1]
    assert (counts["answer_right"], counts["passages_unjudged"]) == (1, 1)
