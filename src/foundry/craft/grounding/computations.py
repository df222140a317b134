"""Values of a claim that follow from two cells of a table: ``48,314 - 27,393 = 20.9 billion``.

The claim must name both cells: by their rows in one column, or by their columns in one row. So
"current assets exceeded current liabilities by $20.9 billion" is calculated, and a value that some
two numbers of a page happen to give is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from foundry.analysis import analyse
from foundry.craft.grounding.figures import agrees
from foundry.lexicon import load_shared_lexicon
from foundry.records import Period, Quote
from foundry.text.lines import ParsedEvidence, ParsedLine, find_shared_terms
from foundry.text.passages import build_quotes
from foundry.text.periods import find_periods, judge_periods
from foundry.text.polarity import split_words
from foundry.text.quantities import Quantity, find_quantities
from foundry.text.tables import add_unit, find_cells

_WORDS = load_shared_lexicon().numbers
_DISTINCT = 3
"""Digits: a shorter value is that of some two cells of most tables, unless one row has both."""

_MOST_BESIDE = 3
"""Words beside a number in a cell that is a value and no text. A guess."""

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


@dataclass(frozen=True, slots=True)
class Computation:
    """How a value follows from two cells, and the words of their rows.

    ``certain`` if the claim says which is the larger, or that is of no matter.
    """

    formula: str
    quotes: tuple[Quote, ...]
    certain: bool


def compute_from_cells(
    quantity: Quantity, claim: ParsedLine, material: ParsedEvidence
) -> Computation | None:
    """How a number of the claim follows from two cells that it names, or None.

    A difference must have the sign that the claim gives it: the cell that it names first is the
    larger if it "exceeds" the other. A share is the first of the second.
    """
    if quantity.kind != "number":
        return None
    said = claim.text[quantity.start : quantity.end].strip()
    sign = _find_sign(claim)
    for one, other in _list_pairs(quantity, claim, material):
        a, b = (max(cell.quantity.values) for cell in (one, other))
        if quantity.dimension == "%" and one.quantity.dimension != "%":
            values = [("/", 100 * a / b)] if b else []
        else:
            values = [("-", a - b if sign >= 0 else b - a)]
        for operator, value in values:
            if (sign and value < 0) or not any(
                agrees(value, wanted, quantity.dimension) for wanted in quantity.values
            ):
                continue
            first, second = (one, other) if sign >= 0 and (sign or a >= b) else (other, one)
            formula = f"{first.quantity.text} {operator} {second.quantity.text} = {said}"
            quotes = _quote_rows(material, first, second)
            return Computation(formula, quotes, certain=bool(sign) or operator == "/")
    return None


def _quote_rows(material: ParsedEvidence, *cells: _Cell) -> tuple[Quote, ...]:
    rows = [line.passage for line in dict.fromkeys(cell.line for cell in cells)]
    return tuple(q for row in rows if row for q in build_quotes(row, material.evidence))


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
                if quantity.kind == "number" and _is_value(words, quantity)
            )
    return tuple(cells)


def _is_value(words: str, quantity: Quantity) -> bool:
    """Whether a cell is a value and no text."""
    return len((words[: quantity.start] + words[quantity.end :]).split()) <= _MOST_BESIDE


def _is_named(label: frozenset[str], known: frozenset[str], least: float = 1.0) -> bool:
    return bool(label) and len(find_shared_terms(label, known)) >= least * len(label)


def _find_position(label: frozenset[str], words: Sequence[str]) -> int:
    return min((words.index(word) for word in label if word in words), default=len(words))


def _find_sign(claim: ParsedLine) -> int:
    """1 if the claim says that the first is more, -1 if less, 0 if it says neither or both."""
    words = frozenset(split_words(claim.text))
    more = bool(words & (_WORDS.more | _WORDS.exceeding))
    less = bool(words & _WORDS.less)
    return int(more) - int(less)
