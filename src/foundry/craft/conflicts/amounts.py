"""Amounts in a text (a value, a range or a bound), and whether two of them are consistent.

Consistent are a rounded value (3.33 V and 3.3 V), another unit for the same value, a value within
a range or bound, and a close one after "about". Two bounds of one direction must be equal: they
are limits of one thing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.quantities import Quantity

_LEXICON = load_shared_lexicon()
_AND_WORD = build_alternation(_LEXICON.general.additive)
_RANGE = re.compile(
    rf"\s*(?:[-–—−]|\.{{2,3}}|…|{build_alternation(_LEXICON.numbers.to)}|{_AND_WORD})\s*+\+?\s*+",
    re.IGNORECASE,
)
_FROM = re.compile(rf"\b{build_alternation(_LEXICON.numbers.between)}\s*$", re.IGNORECASE)
_AND = re.compile(rf"\s*{_AND_WORD}\s*", re.IGNORECASE)
_TOLERANCE = re.compile(r"(?:±|\+/-|\+-)\s*$")
_ABOUT = re.compile(
    rf"(?:\b{build_alternation(_LEXICON.numbers.approximate)}\.?|~|≈)"
    rf"\s*(?:{build_alternation(_LEXICON.general.articles)} )?$",
    re.IGNORECASE,
)
_MAX_ROUNDING = 0.012
"""Largest relative difference that counts as rounding: 3.3 V for 3.33 V. Read off that example."""

_MAX_HEDGE = 0.1
"""Largest relative difference that "about" excuses. A guess: a tenth."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount from ``start`` to ``end`` of its text.

    ``low`` and ``high`` are all possible readings in base units; they differ for a range. ``bound``
    is 1 for "at least", -1 for "at most", else 0. ``places`` counts the decimals written.
    """

    start: int
    end: int
    text: str
    low: frozenset[float]
    high: frozenset[float]
    dimension: str
    bound: int = 0
    about: bool = False
    places: int = 0
    bare: frozenset[float] = frozenset()

    @property
    def ranged(self) -> bool:
        """Whether it is a range, such as "18 V to 32 V"."""
        return self.low != self.high


def read_amounts(text: str, quantities: Sequence[Quantity]) -> tuple[Amount, ...]:
    """The amounts in a text, a range as one amount, without tolerances ("± 10 %")."""
    numbers = [q for q in quantities if q.kind == "number"]
    amounts: list[Amount] = []
    index = 0
    while index < len(numbers):
        number, after = numbers[index], numbers[index + 1] if index + 1 < len(numbers) else None
        if after is not None and _is_range(text, number, after):
            amounts.append(_build_range(text, number, after))
            index += 2
            continue
        if not _TOLERANCE.search(text[: number.start]):
            amounts.append(_build_amount(text, number))
        index += 1
    return tuple(amounts)


def _is_range(text: str, number: Quantity, after: Quantity) -> bool:
    between = text[number.end : after.start]
    if number.dimension != after.dimension or not _RANGE.fullmatch(between):
        return False
    opened = _FROM.search(text[: number.start]) is not None
    if _AND.fullmatch(between) and not opened:
        return False
    return min(number.values) < max(after.values)


def _build_range(text: str, number: Quantity, after: Quantity) -> Amount:
    shown = text[number.start : after.end]
    return Amount(number.start, after.end, shown, number.values, after.values, number.dimension)


def _build_amount(text: str, number: Quantity) -> Amount:
    bound = (number.bound > 0) - (number.bound < 0)
    about = _ABOUT.search(text[: number.start]) is not None
    digits = re.split(r"[.,]", number.text)
    places = len(digits[-1]) if len(digits) > 1 else 0
    shown = text[number.start : number.end]
    return Amount(
        number.start, number.end, shown, number.values, number.values, number.dimension, bound, about, places,
        number.bare,
    )  # fmt: skip


def is_consistent(ours: Amount, theirs: Amount) -> bool:
    """Whether both amounts can be true of one thing; never of different dimensions."""
    if ours.dimension != theirs.dimension:
        return False
    if ours.ranged and theirs.ranged:
        return _has_close_pair(ours.low, theirs.low, ours, theirs) and _has_close_pair(
            ours.high, theirs.high, ours, theirs
        )
    if ours.ranged or theirs.ranged:
        inside, outside = (theirs, ours) if ours.ranged else (ours, theirs)
        return _is_within(inside, outside)
    if ours.bound == theirs.bound:
        return _has_close_pair(ours.low, theirs.low, ours, theirs)
    return _is_bound_consistent(ours, theirs)


def _is_within(value: Amount, extent: Amount) -> bool:
    low, high = min(extent.low), max(extent.high)
    slack = 1e-9 * max(abs(low), abs(high), 1e-12)
    if value.bound > 0:
        return any(number <= high + slack for number in value.low)
    if value.bound < 0:
        return any(number >= low - slack for number in value.low)
    return any(low - slack <= number <= high + slack for number in value.low)


def _is_bound_consistent(ours: Amount, theirs: Amount) -> bool:
    below, above = (ours, theirs) if ours.bound < theirs.bound else (theirs, ours)
    # The amount with the smaller bound extends down from its value, the other up.
    return any(a >= b or math.isclose(a, b) for a in below.low for b in above.low)


def _has_close_pair(
    ones: Iterable[float], others: Iterable[float], ours: Amount, theirs: Amount
) -> bool:
    return any(_is_close(a, b, ours, theirs) for a in ones for b in others)


def _is_close(a: float, b: float, ours: Amount, theirs: Amount) -> bool:
    apart = abs(a - b) / max(abs(a), abs(b), 1e-30)
    if apart <= 1e-9 or ((ours.about or theirs.about) and apart <= _MAX_HEDGE):
        return True
    return ours.places != theirs.places and apart <= _MAX_ROUNDING and _is_rounding(ours, theirs)


def _is_rounding(ours: Amount, theirs: Amount) -> bool:
    """Whether the amount with fewer decimals is the other one rounded."""
    rough, fine = (ours, theirs) if ours.places < theirs.places else (theirs, ours)
    if (rough.bare == rough.low and fine.bare == fine.low) or not rough.bare or not fine.bare:
        return any(abs(a - b) <= 0.5 * 10**-rough.places for a in rough.low for b in fine.low)
    return True
