"""The parts of a calibration: threshold, line, folds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from foundry.evaluation.calibration import (
    ScoreLine,
    choose_target,
    compute_rate_interval,
    cross_validate,
    deal_folds,
    fit_line,
    place_threshold,
)

RISING = np.array([float(at >= 20) for at in range(40)])


def test_the_threshold_lets_the_bound_pass_and_refuses_all_it_can() -> None:
    """Of 39 wanted ones a bound of a tenth allows three below the threshold, and a fourth to come."""
    wanted = np.arange(39.0)
    placed = place_threshold(wanted, np.array([2.5, 2.6, 9.0]), bound=0.1, current=0.0)
    assert placed == pytest.approx(2.8)


def test_among_equal_gains_the_threshold_refuses_fewest_wanted() -> None:
    placed = place_threshold(np.arange(39.0), np.array([-1.0]), bound=0.1, current=5.0)
    assert placed == pytest.approx(-0.5)


def test_too_few_for_the_bound_means_that_none_may_be_refused() -> None:
    placed = place_threshold(np.arange(10.0), np.array([-2.0, 4.5]), bound=0.05, current=5.0)
    assert -2 < placed < 0


def test_where_rules_refuse_more_than_the_bound_the_score_refuses_no_wanted_one() -> None:
    wanted = np.array([-math.inf] * 5 + [float(at) for at in range(15)])
    assert place_threshold(wanted, np.array([3.5, -1.0]), bound=0.05, current=5.0) < 0


def test_a_bound_that_allows_all_refuses_every_other_below_the_highest_wanted_one() -> None:
    assert place_threshold(np.arange(10.0), np.array([8.5]), bound=1.0, current=0.0) == 8.75


def test_without_a_gain_the_threshold_stays_or_falls() -> None:
    assert place_threshold(np.arange(30.0), np.array([]), bound=0.05, current=-3.0) == -3.0
    assert place_threshold(np.arange(30.0), np.array([]), bound=0.05, current=7.0) < 0.1


def test_a_threshold_placed_by_wanted_ones_alone_is_never_stricter() -> None:
    none = np.array([])
    assert place_threshold(np.array([2.0, 3.0]), none, bound=0.0, current=1.0) == 1.0
    assert place_threshold(np.array([-2.0, 3.0]), none, bound=0.0, current=1.0) < -2.0


def test_without_wanted_ones_that_a_score_can_pass_the_threshold_stays() -> None:
    """A fold may leave out the only source with answerable questions."""
    for wanted in (np.array([]), np.array([-math.inf])):
        assert place_threshold(wanted, np.array([1.0]), bound=0.05, current=-3.0) == -3.0


def test_the_line_takes_the_threshold_to_the_configured_one() -> None:
    line = fit_line(np.linspace(-2, 2, 40), RISING, pin=(0.7, -1.4))
    assert line(np.array([0.7])) == pytest.approx([-1.4])
    assert line.slope > 0


def test_the_interval_of_a_rate_is_clopper_and_pearsons() -> None:
    assert compute_rate_interval(0, 10) == pytest.approx((0.0, 0.3085), abs=1e-4)
    assert compute_rate_interval(4, 83) == pytest.approx((0.0133, 0.1188), abs=1e-4)
    assert compute_rate_interval(0, 0) is None


def test_a_group_is_never_parted_and_folds_are_even() -> None:
    groups = ["a"] * 5 + ["b"] * 3 + ["c", "d", "e", "f"]
    folds = deal_folds(groups, 3)
    assert len(set(folds[:5])) == len(set(folds[5:8])) == 1
    assert sorted(np.bincount(folds)) == [3, 4, 5]


def test_each_case_gets_the_line_of_a_fit_that_never_saw_its_group() -> None:
    groups = ["a", "a", "b", "c", "d"]
    seen: list[np.ndarray] = []

    def fit(part: np.ndarray) -> ScoreLine:
        seen.append(part)
        return ScoreLine(1.0, float(len(seen) - 1))

    lines, folds = cross_validate(groups, 10, fit, lambda _done: None)
    assert folds == len(seen) == 4
    assert not any(seen[int(line.shift)][case] for case, line in enumerate(lines))
    assert lines[0] == lines[1]


def test_what_is_fitted_depends_on_how_many_labels_there_are() -> None:
    assert choose_target(19, 500) == "milder"
    assert choose_target(20, 9) == "threshold"
    assert choose_target(20, 10) == "line"
