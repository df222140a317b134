"""One comparison of two sentences: what differs, where, and whether both can be true."""

from __future__ import annotations

import pytest

from foundry.craft.comparison import Difference, compare_lines, compare_stretch, exclude
from foundry.text.alignment import tokenize_line
from foundry.text.lines import parse_line
from foundry.text.quantities import find_quantities


def restate(said: str, source: str) -> Difference | None:
    """Where a statement differs from a stretch of a sentence of the source."""
    sides = [(text, tokenize_line(parse_line(text, "en"), "en")) for text in (said, source)]
    return compare_stretch(*sides[0], *sides[1])


@pytest.mark.parametrize(
    ("said", "kind", "certain"),
    [
        ("The left pump of the hall stops at 6 bar.", "negation", True),
        ("The right pump of the hall stops at 8 bar.", "number", True),
        ("The right pump of the hall stops at 60 bar.", "number", False),
        ("The right pump of the hall never stops at 6 bar.", "negation", True),
        ("The right valve of the hall stops at 6 bar.", "statement", False),
    ],
)
def test_one_place_of_a_restated_sentence_differs(said: str, kind: str, certain: bool) -> None:
    found = restate(said, "The right pump of the hall stops at 6 bar.")
    assert found is not None
    assert (found.kind, found.certain) == (kind, certain)


def test_another_name_in_a_restated_sentence_may_be_of_the_same_person() -> None:
    found = restate("The hall is led by Anna Jansen.", "The hall is led by Piet Bakker.")
    assert found is not None
    assert (found.kind, found.certain) == ("name", False)


def test_a_stretch_of_a_sentence_is_restated_unless_what_is_around_narrows_it() -> None:
    said = "The pump stops at 8 bar in the hall."
    assert restate(said, "At night the pump stops at 6 bar in the hall.") is not None
    assert restate(said, "If it leaks, the pump stops at 6 bar in the hall.") is None


def test_two_lines_about_two_things_do_not_differ() -> None:
    lines = [parse_line(f"The {side} pump stops at 6 bar.", "en") for side in ("left", "right")]
    assert compare_lines(lines[0], lines[1], "en") is None


def test_both_ends_of_a_range_are_one_difference() -> None:
    one, other = (
        parse_line(f"The pump is used from {span} °C.", "en") for span in ("5 to 9", "2 to 7")
    )
    found = compare_lines(one, other, "en")
    assert found is not None
    assert (found.ours, found.theirs) == ("5 to 9 °C", "2 to 7 °C")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("14,694", "14.7 billion", False),
        ("5 years", "6 years", True),
        ("at least 5 V", "7 V", False),
        ("5 V", "5 A", False),
        ("5 May 2026", "6 May 2026", True),
        ("version 2.1", "v2.1", False),
    ],
)
def test_quantities_exclude_each_other_whatever_their_scale(
    one: str, other: str, apart: bool
) -> None:
    (ours,), (theirs,) = (find_quantities(text, "en") for text in (one, other))
    assert exclude(ours, theirs) is apart
