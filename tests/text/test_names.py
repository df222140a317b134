"""Names are found by their shape and matched however their parts are joined."""

from __future__ import annotations

import pytest

from foundry.analysis import fold
from foundry.records import Name
from foundry.text.names import find_names, is_mentioned_in


def sure(text: str) -> list[str]:
    return [name.text for name in find_names(text) if not name.initial]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The DMX512 unit uses RS-485.", ["DMX512", "RS-485"]),
        ("Jan Jansen decided it.", ["Jan", "Jansen"]),
        ("It was made by Philips in October.", ["Philips", "October"]),
        ("On 5 March the LEDs failed.", ["LEDs"]),
        ("A 24-hour test at 3.3V of the 5th unit.", []),
        ("Supply. The fan turns.", []),
    ],
)
def test_names_within_a_sentence(text: str, names: list[str]) -> None:
    assert sure(text) == names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("RS-485", "over RS485 lines"),
        ("RS485", "over RS 485 lines"),
        ("LEDs", "each LED"),
        ("Jansen's", "door Jansen"),
        ("Monday", "op maandag"),
        ("Netherlands", "in Nederland"),
        ("October", "in oktober"),
    ],
)
def test_a_name_is_found_in_another_form(name: str, text: str) -> None:
    (found,) = [n for n in find_names(f"it is {name} here") if not n.initial]
    # "LEDs" names what "LED" names.
    folded = fold(text)
    assert is_mentioned_in(found, folded) or is_mentioned_in(Name(found.text[:-1], 0, True), folded)


@pytest.mark.parametrize(("name", "text"), [("RS-485", "RS-422"), ("Jan", "Jansen"), ("M3", "M30")])
def test_a_name_is_not_found_in_part_of_another(name: str, text: str) -> None:
    assert not is_mentioned_in(Name(name, 0, identifier=True), fold(text))
