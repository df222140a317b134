"""Numbers, units, dates and versions compare equal however they are written, and are never rounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundry.text.quantities import (
    Quantity,
    find_quantities,
    is_same_quantity,
    parse_number,
)


def only(text: str, language: str = "en") -> Quantity:
    (found,) = find_quantities(text, language)
    return found


SAME = [
    ("3.3 V", "en", "3300 mV", "en"),
    ("3.3 V", "en", "3,3 V", "nl"),
    ("3.3V", "en", "3.3 volts", "en"),
    ("1,000 hours", "en", "1.000 uur", "nl"),
    ("1000 hours", "en", "1.000 uur", "nl"),
    ("24 hours", "en", "1 day", "en"),
    ("twee weken", "nl", "14 days", "en"),
    ("five volts", "en", "5 V", "en"),
    ("seventy-two channels", "en", "72 kanalen", "nl"),
    ("tweeënzeventig kanalen", "nl", "seventy-two channels", "en"),
    ("three hundred and five metres", "en", "305 m", "en"),
    ("zero point five volts", "en", "0.5 V", "en"),
    ("5 %", "en", "5 procent", "nl"),
    ("€ 1.250,50", "nl", "1,250.50 euros", "en"),
    ("$5 million", "en", "5,000,000 dollars", "en"),
    ("100 km/h", "en", "100 km/h", "nl"),
    ("12 m²", "en", "12 m2", "en"),
    ("10 kΩ", "en", "10000 ohm", "en"),
    ("10\u00a0000 Hz", "en", "10 kHz", "en"),
    ("-20 °C", "en", "−20 °C", "nl"),
    ("5 March 2026", "en", "2026-03-05", "en"),
    ("5 maart 2026", "nl", "March 5, 2026", "en"),
    ("5-3-2026", "nl", "5 March 2026", "en"),
    ("March 2026", "en", "5 March 2026", "en"),
    ("mei 2026", "nl", "May 2026", "en"),
    ("5 March", "en", "5 March 2026", "en"),
    ("2026", "en", "5 March 2026", "en"),
    ("14:30", "en", "2:30 pm", "en"),
    ("14.30 uur", "nl", "14:30", "en"),
    ("version 2.1", "en", "v2.1", "en"),
    ("versie 1.2.3", "nl", "1.2.3", "en"),
    ("24-hour", "en", "24 hours", "en"),
]  # fmt: skip

DIFFERENT = [
    ("6 %", "en", "5 %", "en"),
    ("5 %", "en", "5", "en"),
    ("5 V", "en", "5 A", "en"),
    ("5 V", "en", "5 mV", "en"),
    ("5 mW", "en", "5 MW", "en"),
    ("3.3 V", "en", "3.30001 V", "en"),
    ("1.000 uur", "nl", "1.000 hours", "en") ,
    ("2026-03-05", "en", "2026-03-06", "en"),
    ("5 March 2026", "en", "March 2026", "en"),
    ("2026", "en", "5 March 2025", "en"),
    ("version 2.1", "en", "version 2.10", "en"),
    ("version 2.1", "en", "version 2.2", "en"),
    ("-20 °C", "en", "20 °C", "en"),
    ("2 months", "en", "60 days", "en"),
    ("14:30", "en", "14:31", "en"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "tongue", "other", "other_tongue"), SAME)
def test_two_ways_of_writing_one_quantity(
    one: str, tongue: str, other: str, other_tongue: str
) -> None:
    assert is_same_quantity(only(one, tongue), only(other, other_tongue))


@pytest.mark.parametrize(("one", "tongue", "other", "other_tongue"), DIFFERENT)
def test_different_quantities_are_never_equal(
    one: str, tongue: str, other: str, other_tongue: str
) -> None:
    assert not is_same_quantity(only(one, tongue), only(other, other_tongue))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3–5 V", [("3", "V"), ("5", "V")]),
        ("3 to 5 V", [("3", "V"), ("5", "V")]),
        ("tussen 3 en 5 V", [("3", "V"), ("5", "V")]),
        ("-20…60 °C", [("-20", "°C"), ("60", "°C")]),
        ("3, 5 or 9 V", [("3", "V"), ("5", "V"), ("9", "V")]),
        ("10 x 20 mm", [("10", "m"), ("20", "m")]),
    ],
)
def test_a_range_gives_its_unit_to_both_ends(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(q.text, q.dimension) for q in find_quantities(text, "en")] == expected


@pytest.mark.parametrize(
    "text", ["DMX512", "RS-485", "WS2812B", "XLR-5", "5G", "in the 1990s", "COVID-19"]
)
def test_numbers_inside_identifiers_are_not_quantities(text: str) -> None:
    assert find_quantities(text, "en") == ()


@pytest.mark.parametrize(
    ("digits", "language", "values"),
    [
        ("1.000", "nl", {1000.0}),
        ("1.000", "en", {1.0}),
        ("1,000", "en", {1000.0}),
        ("1,000", "nl", {1.0}),
        ("1.000", "und", {1000.0, 1.0}),
        ("0.125", "nl", {0.125}),
        ("1.234.567,89", "nl", {1234567.89}),
        ("1,234,567.89", "en", {1234567.89}),
        ("1.2.3", "en", set()),
    ],
)
def test_separators_depend_on_the_language(digits: str, language: str, values: set[float]) -> None:
    assert parse_number(digits, language) == values


@given(st.text(max_size=80), st.sampled_from(["en", "nl", "und"]))
def test_any_text_can_be_parsed(text: str, language: str) -> None:
    for quantity in find_quantities(text, language):
        assert 0 <= quantity.start < quantity.end <= len(text)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(["V", "%", "kg", ""]))
def test_equal_means_equal(one: int, other: int, unit: str) -> None:
    a, b = only(f"{one} {unit}".strip()), only(f"{other} {unit}".strip())
    assert is_same_quantity(a, b) == (one == other)


def test_words_that_are_rarely_numbers_are_not_read_as_numbers() -> None:
    assert find_quantities("One of the ports, the twelfth, has several thousand users.", "en") == ()
    assert find_quantities("Een van de poorten werkt ten minste.", "nl") == ()


def test_a_number_word_of_another_language_is_read_too() -> None:
    assert only("tweeënzeventig", "en").values == {72.0}


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("$(23,487) million", "USD", 23_487e6),
        ("(2,758) million", "", 2_758e6),
        ("(48)%", "%", 48.0),
        ("option (5) A list", "", 5.0),
    ],
)
def test_brackets_belong_to_an_amount_with_a_sign_or_scale(
    text: str, dimension: str, value: float
) -> None:
    (quantity,) = find_quantities(text, "en")
    assert (quantity.dimension, quantity.values) == (dimension, frozenset({value}))


@pytest.mark.parametrize(
    ("text", "language"), [("eighteen (18) months", "en"), ("achttien (18) maanden", "nl")]
)
def test_a_number_in_words_and_again_in_digits_is_one(text: str, language: str) -> None:
    (found,) = find_quantities(f"({text})", language)
    assert (found.dimension, found.values) == ("month", {18.0})


def test_a_scale_after_digits_does_not_begin_a_number_in_words() -> None:
    found = find_quantities("144 million three months earlier, 15 miljoen een jaar later", "en")
    assert [(one.text, one.values) for one in found][:2] == [
        ("144 million", {144e6}),
        ("three", {3.0}),
    ]


def test_the_scale_after_the_last_number_of_a_range_may_be_that_of_the_first() -> None:
    first, _ = find_quantities("from $3.3 to $7.7 billion", "en")
    assert first.values == {3.3, 3.3e9}


def test_a_year_has_no_scale() -> None:
    first, _ = find_quantities("2021 and 3 million", "en")
    assert first.values == {2021.0}


def test_half_a_character_hides_no_number_in_words() -> None:
    assert [one.values or one.bare for one in find_quantities("\ud800 two fuses", "en")] == [{2.0}]
