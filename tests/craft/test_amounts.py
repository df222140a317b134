"""A number counts as given where a reader could have got it from."""

from __future__ import annotations

import pytest

from foundry.craft.grounding.amounts import find_scales, may_state
from foundry.text.quantities import find_quantities


def states(claim: str, source: str, language: str = "en") -> bool:
    scales = find_scales(source)
    return all(
        any(
            may_state(other, one, claim, scales)
            for other in find_quantities(source, "en")
            if other.text != "1"
        )
        for one in find_quantities(claim, language)
    )


@pytest.mark.parametrize(
    ("claim", "source", "language"),
    [
        ("$8,214 million", "(In millions) | $ 8,214", "en"),
        ("$8.2 billion", "(In millions) | $ 8,214", "en"),
        ("8.214 miljoen dollar", "(In millions) | $ 8,214", "nl"),
        ("ruim 8,2 miljard dollar", "in millions: 8,214", "nl"),
        ("a decrease of 7%", "change % | (7)", "en"),
        ("almost 300 people", "297 people", "en"),
        ("ruim 313.000 projecten", "313,753 projects", "nl"),
        ("at 4:05", "lasts 4:05", "en"),
        ("$8.2 billion", "| $ 8,214", "en"),
    ],
)
def test_a_number_may_be_rounded_and_in_the_scale_of_its_table(
    claim: str, source: str, language: str
) -> None:
    assert states(claim, source, language)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("25 V", "24 V"),
        ("5 mA", "5 A"),
        ("5 A", "5 V"),
        ("$8.2 million", "(In millions) | $ 8,214"),
        ("$8.2 billion", "$8.2 million"),
        ("20 units", "24 units"),
        ("8.3 billion", "(In millions) | 8,214"),
    ],
)
def test_another_number_unit_or_scale_is_not_given(claim: str, source: str) -> None:
    assert not states(claim, source)
