"""Negations count, bounds and number signs do not, and clauses end at conjunctions."""

from __future__ import annotations

import pytest

from foundry.text.polarity import exclude_each_other


@pytest.mark.parametrize(
    ("one", "other", "contrary"),
    [
        ("left", "right", True),
        ("leverage", "deleverage", True),
        ("onveilig", "veilig", True),
        ("wind", "unwinding", False),
        ("part", "party", False),
    ],
)
def test_two_words_exclude_each_other_by_a_pair_or_a_prefix(
    one: str, other: str, contrary: bool
) -> None:
    assert exclude_each_other(one, other) == contrary
