"""Numbers of a statement that its evidence does not have: absent, or calculated from others.

A number written in digits that no passage has, whatever its scale, sign and rounding, is the one
thing that is certainly wrong without reading; names are not, as a passage seldom repeats whose it
is. Of 1,733 true written statements 3 are rejected for it, of 1,750 false ones 51.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from foundry.craft.comparison import is_among, list_digits, strip_zeros
from foundry.text.lines import ParsedEvidence, ParsedLine, find_shared_terms
from foundry.text.quantities import Quantity

_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?")
_SCALES = (1.0, 1e3, 1e6, 1e9)
"""A table may state its scale once, in its header."""

_MOST_OPERANDS = 12
"""From more numbers any value can be calculated by chance (a guess)."""

_POINTS = re.compile(r"-[^\W\d]")
"""After a per cent sign, as in "%-points": the difference of two percentages."""

_BASIS_POINTS = re.compile(r"[\s-]*(?:basis|bps?\b)", re.IGNORECASE)
"""After a number, in English and Dutch: hundredths of a percentage point."""


def collect_figures(materials: Iterable[ParsedEvidence]) -> frozenset[str]:
    """The significant digits of all numbers in the evidence, its titles, headings and paths."""
    found: set[str] = set()
    for material in materials:
        hit = material.evidence.hit
        for part in (*material.lines, material.context):
            for quantity in part.quantities:
                found.update(list_digits(quantity))
        places = (hit.source.path, hit.source.title, *hit.chunk.heading_path)
        for text in (hit.chunk.text, hit.chunk.content, *places):
            found |= find_figures(text)
    return frozenset(found)


def find_figures(text: str) -> frozenset[str]:
    """The significant digits of all numbers in a text."""
    whole = ("".join(_DIGITS.findall(number)) for number in _NUMBER.findall(text))
    return frozenset(map(strip_zeros, (*_DIGITS.findall(text), *whole)))


def find_absent_figure(claim: ParsedLine, figures: frozenset[str]) -> Quantity | None:
    """A number of the claim, written in digits, that occurs nowhere in the evidence."""
    for quantity in claim.quantities:
        parts = _DIGITS.findall(quantity.text)
        if not parts:
            continue
        if quantity.kind == "number":
            present = is_among(quantity, figures)
        else:
            # A month may be a word there, an hour be counted to twelve.
            clear = [part for part in parts if int(part) > (24 if quantity.kind == "clock" else 12)]
            present = all(strip_zeros(part) in figures for part in clear)
        if not present:
            return quantity
    return None


def find_computation(
    quantity: Quantity, claim: ParsedLine, materials: Sequence[ParsedEvidence]
) -> str | None:
    """How a number of the claim follows from two numbers of the evidence: ``982 - 969 = 13``."""
    if quantity.kind != "number":
        return None
    said = claim.text[quantity.start : quantity.end].strip()
    behind = claim.text[quantity.end :]
    dimension = "" if _POINTS.match(behind) else quantity.dimension
    scale = 0.01 if _BASIS_POINTS.match(behind) else 1.0
    for formula, value in _calculate_from_numbers(quantity, claim, materials, dimension):
        if any(_agrees(value, wanted * scale, dimension) for wanted in quantity.values):
            return f"{formula} = {said}"
    return None


def _calculate_from_numbers(
    quantity: Quantity, claim: ParsedLine, materials: Sequence[ParsedEvidence], dimension: str
) -> Iterator[tuple[str, float]]:
    """The results of two numbers that the claim gives, or if it gives fewer also of the nearest line.

    Some two numbers of a line add up to any third, so a sum names its parts. The difference of two
    percentages is in points: from 10 % to 12 % is 2 points or 20 %.
    """
    others = [other for other in claim.quantities if other is not quantity]
    lines = [line for material in materials for line in material.lines]
    given = frozenset().union(*(_collect_digits(line) for line in lines))
    named = [other for other in others if is_among(other, given)]
    row: tuple[Quantity, ...] = ()
    if lines and len(named) < 2:
        row = max(lines, key=lambda line: _measure_nearness(claim, others, line)).quantities
    numbers = [other for other in (*named, *row) if other.kind == "number" and other.values]
    if len(numbers) <= _MOST_OPERANDS:
        for one, other in permutations(numbers, 2):
            yield from _calculate(one, other, dimension, sums=not row)


def _measure_nearness(claim: ParsedLine, others: Sequence[Quantity], line: ParsedLine) -> int:
    """How much of a claim a line has: a number counts as two words, as it is rarer (a guess)."""
    held = sum(is_among(other, _collect_digits(line)) for other in others)
    return 2 * held + len(find_shared_terms(claim.terms, line.terms))


def _collect_digits(line: ParsedLine) -> frozenset[str]:
    return frozenset(digits for one in line.quantities for digits in list_digits(one))


def _calculate(
    one: Quantity, other: Quantity, dimension: str, *, sums: bool
) -> Iterator[tuple[str, float]]:
    a, b = max(one.values), max(other.values)
    if one.dimension != other.dimension:
        return
    sign = "%" if one.dimension == "%" else ""
    left, right = f"{one.text}{sign}", f"{other.text}{sign}"
    if dimension in {"", one.dimension} and a >= b:
        if not (sign and dimension):
            yield f"{left} - {right}", a - b
        if sums:
            yield f"{left} + {right}", a + b
    if dimension == "%" and b:
        yield f"{left} / {right}", 100 * a / b
        yield f"({left} - {right}) / {right}", 100 * (a - b) / b


def _agrees(value: float, wanted: float, dimension: str) -> bool:
    """Whether a calculated value rounds to the wanted one, in any scale that a table may have."""
    digits = f"{abs(wanted):.12e}"
    last = len(strip_zeros(digits.split("e", maxsplit=1)[0].replace(".", ""))) - 1
    half = 0.5 * 10.0 ** (int(digits.split("e")[1]) - last)
    room = half
    scales = (1.0,) if dimension == "%" else _SCALES
    return any(abs(abs(value) * scale - abs(wanted)) <= room * (1 + 1e-9) for scale in scales)
