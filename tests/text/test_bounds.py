"""The words before a number may bound it."""

from __future__ import annotations

import pytest

from foundry.text.quantities import find_bound, find_quantities


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


def test_a_number_with_another_bound_is_another_value() -> None:
    texts = ("8 hours", "at least 8 hours", "more than 8 hours", "at most 8 hours")
    assert len({find_quantities(text, "en")[0].key for text in texts}) == len(texts)
