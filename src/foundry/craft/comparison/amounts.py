"""Amounts in a text (a value, a range or a bound), and whether two of them are consistent.

Consistent are a rounded value (3.33 V and 3.3 V), another unit for the same value, a value within
a range or bound, and a close one after "about". Two bounds of one direction must be equal: they
are limits of one thing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Literal

from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.dates import dates_agree
from foundry.text.quantities import Quantity

_LEXICON = load_shared_lexicon()
_AND = build_alternation(_LEXICON.general.additive)
_RANGE = re.compile(
    rf"\s*(?:[-–—−]|\.{{2,3}}|…|{build_alternation(_LEXICON.numbers.to)}|(?P<and>{_AND}))\s*+\+?\s*+",
    re.IGNORECASE,
)
_FROM = re.compile(rf"\b{build_alternation(_LEXICON.numbers.between)}\s*$", re.IGNORECASE)
_TOLERANCE = re.compile(r"(?:±|\+/-|\+-)\s*$")
_ABOUT = re.compile(
    rf"(?:\b{build_alternation(_LEXICON.numbers.approximate)}\.?|~|≈)"
    rf"\s*(?:{build_alternation(_LEXICON.general.articles)} )?$",
    re.IGNORECASE,
)
_MAX_ROUNDING = 0.012
"""Largest relative difference that counts as rounding: 3.3 V for 3.33 V. Up to 0.05 the labelled pairs
keep all figures; at 0.004 one of 98 that agree is reported."""

_MAX_HEDGE = 0.1
"""Largest relative difference that "about" excuses. From 0.03 to 0.3 the labelled pairs keep all
figures; without it one of 98 that agree is reported."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A value as a text shows it, from ``first`` to ``last`` where it is a range.

    ``bound`` is 1 for "at least", -1 for "at most", else 0.
    """

    text: str
    first: Quantity
    last: Quantity
    bound: int = 0
    about: bool = False

    @property
    def start(self) -> int:
        """Where it begins in its text."""
        return self.first.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.last.end

    @property
    def dimension(self) -> str:
        """What it measures, "" without a unit."""
        return self.first.dimension

    @property
    def ranged(self) -> bool:
        """Whether it is a range, such as "18 V to 32 V"."""
        return self.first is not self.last

    @property
    def span(self) -> tuple[float, float]:
        """The least and the greatest value that it allows."""
        low, high = min(self.first.values), max(self.last.values)
        return (-math.inf if self.bound < 0 else low), (math.inf if self.bound > 0 else high)

    @property
    def precision(self) -> float:
        """What its last written digit counts, in its base unit; 0 for a whole number."""
        digits = re.split(r"[.,]", self.first.text)
        factor = max(self.first.values) / (max(self.first.bare) or 1.0)
        return abs(factor) * 10.0 ** -len(digits[-1]) if len(digits) > 1 else abs(factor)


def read_amounts(text: str, quantities: Sequence[Quantity]) -> tuple[Amount, ...]:
    """The amounts in a text, a range as one amount, without tolerances ("± 10 %")."""
    numbers = [q for q in quantities if q.kind == "number"]
    ends = {one.start: after for one, after in pairwise(numbers) if _is_range(text, one, after)}
    amounts: list[Amount] = []
    for one in numbers:
        if amounts and amounts[-1].ranged and amounts[-1].last is one:
            continue
        before, last = text[: one.start], ends.get(one.start, one)
        bound = (one.bound > 0) - (one.bound < 0) if last is one else 0
        about = last is one and _ABOUT.search(before) is not None
        if last is not one or not _TOLERANCE.search(before):
            amounts.append(Amount(text[one.start : last.end], one, last, bound, about))
    return tuple(amounts)


def _is_range(text: str, number: Quantity, after: Quantity) -> bool:
    between = _RANGE.fullmatch(text, number.end, after.start)
    if between is None or number.dimension != after.dimension:
        return False
    opened = not between["and"] or _FROM.search(text[: number.start])
    return bool(opened) and min(number.values) < max(after.values)


AmountKind = Literal["number", "unit", "other"]


def compare_amounts(ours: Amount, theirs: Amount) -> AmountKind | None:
    """What differs: the number, the unit or both; None if both can be true of one thing."""
    if is_consistent(ours, theirs):
        return None
    if ours.dimension == theirs.dimension:
        return "number"
    measured = ours.dimension and theirs.dimension
    return "unit" if measured and ours.first.bare & theirs.first.bare else "other"


def is_consistent(ours: Amount, theirs: Amount) -> bool:
    """Whether both amounts can be true of one thing; never of different dimensions."""
    if ours.dimension != theirs.dimension:
        return False
    if (ours.ranged, ours.bound) == (theirs.ranged, theirs.bound):
        return all(
            any(_is_close(a, b, ours, theirs) for a, b in product(one.values, other.values))
            for one, other in ((ours.first, theirs.first), (ours.last, theirs.last))
        )
    low, high = max(ours.span[0], theirs.span[0]), min(ours.span[1], theirs.span[1])
    return low <= high or math.isclose(low, high, rel_tol=1e-9)


def _is_close(a: float, b: float, ours: Amount, theirs: Amount) -> bool:
    """Whether two values are one, the rougher the finer one rounded, or both about the same."""
    apart = abs(a - b) / max(abs(a), abs(b), 1e-30)
    if apart <= 1e-9 or ((ours.about or theirs.about) and apart <= _MAX_HEDGE):
        return True
    steps = ours.precision, theirs.precision
    return steps[0] != steps[1] and apart <= _MAX_ROUNDING and abs(a - b) <= 0.5 * max(steps)


def exclude(ours: Quantity, theirs: Quantity) -> bool:
    """Whether two quantities measure the same and cannot both hold, whatever scale a table has."""
    if ours.kind != theirs.kind or ours.bound != theirs.bound:
        return False
    if ours.date and theirs.date:
        return not (dates_agree(ours.date, theirs.date) or dates_agree(theirs.date, ours.date))
    if ours.kind != "number":
        return ours.key != theirs.key
    if ours.dimension != theirs.dimension or has_same_digits(ours, theirs):
        return False
    return not is_consistent(*(Amount(one.text, one, one) for one in (ours, theirs)))


def has_same_digits(ours: Quantity, theirs: Quantity) -> bool:
    """Whether one number as written has the digits of the other, or of the other rounded."""
    one, other = ({_read_digits(value) for value in side.bare} for side in (ours, theirs))
    return any(_occurs(d, other) for d in one) or any(_occurs(d, one) for d in other)


def is_among(quantity: Quantity, figures: Collection[str]) -> bool:
    """Whether a number has the digits of one of the figures, or rounds one."""
    return any(_occurs(digits, figures) for digits in list_digits(quantity))


def list_digits(quantity: Quantity) -> set[str]:
    """The significant digits of a number, in each of its readings."""
    return {_read_digits(value) for value in quantity.values | quantity.bare}


def _read_digits(value: float) -> str:
    return strip_zeros(f"{abs(value):.12e}".split("e")[0].replace(".", ""))


def strip_zeros(digits: str) -> str:
    """The digits without the noughts around them, which only say how large the number is."""
    return digits.strip("0") or "0"


def _occurs(digits: str, figures: Collection[str]) -> bool:
    """Whether a number has these digits, or rounds to them if they are more than one."""
    return digits in figures or (
        len(digits) > 1 and any(_round(other, len(digits)) == digits for other in figures)
    )


def _round(digits: str, length: int) -> str:
    if len(digits) <= length:
        return digits
    return strip_zeros(str(round(int(digits[: length + 1]) / 10 + 1e-9)))
