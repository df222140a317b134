"""Numbers of a statement that its evidence does not have: absent, or calculated from others.

A number written in digits that no passage has, whatever its scale, sign and rounding, is the one
thing that is certainly wrong without reading; names are not, as a passage seldom repeats whose it
is. Of 1,733 true written statements 3 are rejected for it, of 1,750 false ones 51.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, permutations

from foundry.analysis import analyse
from foundry.craft.comparison import is_among, list_digits, strip_zeros
from foundry.lexicon import load_shared_lexicon
from foundry.records import Period
from foundry.text.lines import ParsedEvidence, ParsedLine, find_shared_terms
from foundry.text.periods import find_periods, judge_periods
from foundry.text.polarity import split_words
from foundry.text.quantities import Quantity, find_quantities
from foundry.text.tables import add_unit, find_cells

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
    """How a number of the claim follows from two numbers of the evidence: ``982 - 969 = 13``.

    First from those that the claim gives or that stand nearest, then from two cells that it names.
    """
    if quantity.kind != "number":
        return None
    said = claim.text[quantity.start : quantity.end].strip()
    behind = claim.text[quantity.end :]
    dimension = "" if _POINTS.match(behind) else quantity.dimension
    scale = 0.01 if _BASIS_POINTS.match(behind) else 1.0
    for formula, value in _calculate_from_numbers(quantity, claim, materials, dimension):
        if any(_agrees(value, wanted * scale, dimension) for wanted in quantity.values):
            return f"{formula} = {said}"
    for formula, value in _calculate_from_cells(quantity, claim, materials):
        if any(_agrees(value, wanted, quantity.dimension) for wanted in quantity.values):
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


_WORDS = load_shared_lexicon().numbers
_DISTINCT = 3
"""Digits: a shorter value is that of some two cells of most tables, unless one row has both."""

_MOSTLY = 0.66
"""Share of a row's words that names it beside a value of three digits: "Total current assets"."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    """A number in a table; ``row`` and ``column`` are the words of its labels."""

    quantity: Quantity
    row: frozenset[str]
    column: frozenset[str]
    periods: tuple[Period, ...]
    line: ParsedLine


def _calculate_from_cells(
    quantity: Quantity, claim: ParsedLine, materials: Iterable[ParsedEvidence]
) -> Iterator[tuple[str, float]]:
    """The results of two cells that the claim names: by their rows in one column, or the reverse.

    So "current assets exceeded current liabilities by $20.9 billion" is calculated, and a value that
    some two numbers of a page happen to give is not. A share is the first of the second. A difference
    must have the sign that the claim gives it: the cell that it names first is the larger if it
    "exceeds" the other; one that says neither states no difference.
    """
    words = frozenset(split_words(claim.text))
    sign = bool(words & (_WORDS.more | _WORDS.exceeding)) - bool(words & _WORDS.less)
    for one, other in chain.from_iterable(_list_pairs(quantity, claim, m) for m in materials):
        a, b = max(one.quantity.values), max(other.quantity.values)
        if quantity.dimension == "%" and one.quantity.dimension != "%":
            if b:
                yield f"{one.quantity.text} / {other.quantity.text}", 100 * a / b
        elif sign and (a - b) * sign >= 0:
            first, second = (one, other) if sign > 0 else (other, one)
            yield f"{first.quantity.text} - {second.quantity.text}", abs(a - b)


def _list_pairs(
    quantity: Quantity, claim: ParsedLine, material: ParsedEvidence
) -> Iterator[tuple[_Cell, _Cell]]:
    """Two cells of one row or column that the claim names, in the order in which it does."""
    words = list(analyse(claim.text, claim.language))
    known = frozenset(words)
    periods = find_periods(claim.text, claim.language)
    cells = [
        cell
        for cell in _list_cells(material)
        if cell.quantity.values
        and not (periods and cell.periods and judge_periods(periods, cell.periods) == "other")
    ]
    groups = []
    if sum(map(str.isdigit, quantity.text)) >= _DISTINCT:
        groups.append(("row", [cell for cell in cells if _is_named(cell.row, known, _MOSTLY)]))
    named = [cell for cell in cells if _is_named(cell.row, known) and _is_named(cell.column, known)]
    groups.append(("column", named))
    for labels, group in groups:
        for one, other in combinations(group, 2):
            alike = one.column == other.column if labels == "row" else one.line is other.line
            ours, theirs = getattr(one, labels), getattr(other, labels)
            if not alike or ours == theirs or one.quantity.dimension != other.quantity.dimension:
                continue
            first = min(_find_position(ours - theirs, words), _find_position(theirs - ours, words))
            swapped = _find_position(ours - theirs, words) != first
            yield (other, one) if swapped else (one, other)


@lru_cache(maxsize=256)
def _list_cells(material: ParsedEvidence) -> tuple[_Cell, ...]:
    """The numbers in the tables of a piece of evidence."""
    cells: list[_Cell] = []
    for line in material.lines:
        table = line.passage.place.table if line.passage else None
        if line.passage is None or table is None:
            continue
        for cell in find_cells(table, line.passage.start, line.passage.end):
            words, column = add_unit(table, cell), " ".join(cell.column)
            row = frozenset(analyse(cell.row[-1], line.language)) if cell.row else frozenset[str]()
            periods = find_periods(f"{' '.join(cell.row)}: {column}", line.language)
            known = frozenset(analyse(column, line.language))
            cells += (
                _Cell(quantity, row, known, periods, line)
                for quantity in find_quantities(words, line.language)
                if quantity.kind == "number"
            )
    return tuple(cells)


def _is_named(label: frozenset[str], known: frozenset[str], least: float = 1.0) -> bool:
    return bool(label) and len(find_shared_terms(label, known)) >= least * len(label)


def _find_position(label: frozenset[str], words: Sequence[str]) -> int:
    return min((words.index(word) for word in label if word in words), default=len(words))
