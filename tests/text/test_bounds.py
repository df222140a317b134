"""A number with a bound differs from the number itself and from the opposite bound."""

from __future__ import annotations

import pytest

from foundry.text.quantities import find_bound, find_quantities, is_same_quantity


@pytest.mark.parametrize(
    ("before", "bound"),
    [
        ("at least ", 1), ("no less than ", 1), ("minstens ", 1), ("niet minder dan ", 1),
        ("at most ", -1), ("no more than ", -1), ("must not exceed ", -1), ("tot ", -1),
        ("niet meer dan ", -1), ("not be higher than ", -1), ("more than ", 2), ("> ", 2),
        ("meer dan € ", 2), ("fewer than ", -2), ("korter dan ", -2), ("runs for ", 0), ("", 0),
    ],
)  # fmt: skip
def test_the_words_before_a_number_give_its_bound(before: str, bound: int) -> None:
    assert find_bound(before) == bound


@pytest.mark.parametrize(
    ("claim", "source", "carried"),
    [
        ("at least 8 hours", "8 hours", True),
        ("8 hours", "up to 8 hours", True),
        ("no more than 8 hours", "at most 8 hours", True),
        ("more than 8 hours", "at least 8 hours", True),
        ("more than 8 hours", "8 hours", False),
        ("less than 8 hours", "8 hours", False),
        ("at least 8 hours", "at most 8 hours", False),
        ("no more than 8 hours", "more than 8 hours", False),
    ],
)
def test_a_number_confirms_a_bound_that_it_meets(claim: str, source: str, carried: bool) -> None:
    (one,), (other,) = find_quantities(claim, "en"), find_quantities(source, "en")
    assert is_same_quantity(one, other) is carried
