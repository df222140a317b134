"""Negations count, bounds and number signs do not, and clauses end at conjunctions."""

from __future__ import annotations

import pytest

from foundry.text.polarity import exclude_each_other, find_clauses, is_negated


@pytest.mark.parametrize(
    "text",
    [
        "It is not safe.",
        "Never open it.",
        "It won’t start.",
        "Niet openen.",
        "Er is geen zekering.",
    ],
)
def test_a_negated_text(text: str) -> None:
    assert is_negated(text)


@pytest.mark.parametrize(
    "text",
    ["It is safe.", "no more than 5 V", "niet meer dan 5 V", "Trio No. 16", "not only red",
     "It is not without risk."],
)  # fmt: skip
def test_a_text_that_is_not_negated(text: str) -> None:
    assert not is_negated(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It is red, but it is not round.", ["It is red", "but it is not round."]),
        ("In 1973, the unit was sold.", ["In 1973, the unit was sold."]),
        ("Between 14 and 18 units are sold.", ["Between 14 and 18 units are sold."]),
        (
            "De unit is rood en heeft geen ventilator.",
            ["De unit is rood", "heeft geen ventilator."],
        ),
    ],
)
def test_clauses(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in find_clauses(text)] == parts


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
