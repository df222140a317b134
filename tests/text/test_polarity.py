"""Negations count, bounds and number signs do not, and clauses end at conjunctions."""

from __future__ import annotations

import pytest

from foundry.text.polarity import find_antonym, find_clauses, is_negated


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


def test_an_antonym_is_found_only_where_the_word_itself_is_missing() -> None:
    assert find_antonym("open the left valve", "the right valve") == ("left", "right")
    assert find_antonym("open the left valve", "left and right valves") is None


def test_a_prefix_reverses_a_word() -> None:
    assert find_antonym("helped by leverage", "hurt by deleverage") == ("leverage", "deleverage")
    assert find_antonym("het is veilig", "het is onveilig") == ("veilig", "onveilig")
    assert find_antonym("it can wind", "it can unwinding") is None
