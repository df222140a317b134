"""The fit of the shipped weights: best candidates, and no weight below 0."""

from __future__ import annotations

import numpy as np
import pytest

from bench.fit_gate import fit_best, fit_logistic, make_table

SIGNAL = np.array([[1.0, number / 40] for number in range(40)])
RISING = np.array([float(number >= 20) for number in range(40)])
ONES = np.ones(40)


def test_a_signal_that_separates_the_labels_gets_weight() -> None:
    intercept, weight = fit_logistic(SIGNAL, RISING, ONES)
    assert weight > 1
    assert intercept + weight * 0.9 > 0 > intercept + weight * 0.1


def test_more_of_a_signal_never_means_less() -> None:
    assert fit_logistic(SIGNAL, 1 - RISING, ONES)[1] == 0


def test_a_question_is_fitted_by_its_best_candidate_alone() -> None:
    """A poor second candidate of every question changes nothing."""
    bags = [[[float(row[1])], [0.0]] for row in SIGNAL]
    part = np.ones(40, dtype=bool)
    alone = make_table([[[float(row[1])]] for row in SIGNAL])
    fitted = fit_best(make_table(bags), RISING, ONES, part)
    assert fitted == pytest.approx(fit_best(alone, RISING, ONES, part))
