"""Numbers of a claim read in the tables of its evidence: in the cell that the claim names, or not.

A cell is named by the words of its row, and by its column: a period, a length of time, words. A
claim whose numbers all are in the cells that it names is what the table says; a number that the
named row does not have, but another row or column has, is in the wrong place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from foundry.analysis import analyse
from foundry.craft.grounding.cell_values import (
    SURE,
    CellValue,
    NumberPlace,
    RowWords,
    blank_periods,
    is_alike,
    list_cells,
    list_codes,
    list_tables,
    place_numbers,
)
from foundry.craft.grounding.claims import Claim
from foundry.craft.grounding.contradiction import Objection
from foundry.craft.grounding.figures import calculate
from foundry.messages import Message
from foundry.text.lines import ParsedEvidence, find_shared_terms
from foundry.text.names import is_mentioned_in
from foundry.text.quantities import Quantity, find_quantities, is_same_quantity

_NEGATIVE = re.compile(r"[€$£\s]*[(−–-]")
_CONTRARY = re.compile(r"\(([^()\d]+)\)")
_WORD = re.compile(r"[^\W\d_]+")
NAMED = 0.5
"""Share of a row's words with which a claim names it. A guess."""

WHOLE = 0.8
"""Share of a value's words with which a claim says it. A guess: all but one of five."""


@dataclass(frozen=True, slots=True)
class CellReading:
    """What tables say of a claim's numbers.

    ``in_row``: each is in a row that the claim names, in a column that may be the claim's; of a
    claim without numbers, its words are those of the rows that it names.
    ``named``: no other cell can be meant. ``misplaced`` objects to a number that is in another cell
    than the claim names; ``doubt`` to one with the wrong sign, or to two in the wrong order.
    ``placed`` are the numbers in the row that the claim names best.
    """

    in_row: bool = False
    named: bool = False
    misplaced: Objection | None = None
    doubt: Objection | None = None
    placed: tuple[Quantity, ...] = ()


def read_cells(claim: Claim, materials: Sequence[ParsedEvidence]) -> CellReading:
    """Where the tables of the evidence have the claim's numbers."""
    values = [value for material in materials for value in list_cells(material)]
    places = place_numbers(claim)
    if not places:
        tables = [table for material in materials for table in list_tables(material)]
        return CellReading(in_row=any(_repeats_rows(claim, table) for table in tables))
    if not values:
        return CellReading()
    text, language = claim.line.text, claim.line.language
    words = frozenset(analyse(text, language))
    known = words - frozenset(analyse(blank_periods(text, language), language))
    return _CellSearch(claim, words, known, places, values).read(materials)


_Pair = tuple[CellValue, NumberPlace]


@dataclass(frozen=True, slots=True)
class _CellSearch:
    """The numbers of a claim and the cells that may have them.

    ``timely`` are those of its ``words`` that only name periods.
    """

    claim: Claim
    words: frozenset[str]
    timely: frozenset[str]
    places: Sequence[NumberPlace]
    values: Sequence[CellValue]

    def read(self, materials: Sequence[ParsedEvidence]) -> CellReading:
        pairs: list[_Pair] = []
        for place in self.places:
            holders = [value for value in self.values if value.holds(place.quantity)]
            if not holders:
                continue
            best = max(holders, key=partial(self._rank, place))
            expected = self._find_expected(place, best, holders)
            if expected is not None and not _is_in_prose(best, place, materials):
                return CellReading(misplaced=_object(self.claim, place.quantity, expected, best))
            pairs.append((best, place))
        placed = tuple(self._list_placed(pairs))
        doubt = self._find_other_sign(pairs) or _find_other_order(pairs)
        doubt = doubt or self._find_swapped(pairs)
        doubt = doubt or self._find_other_column(pairs)
        known = [place for _, place in pairs]
        rest = [
            place for place in self.places if place not in known and not _is_in_label(place, pairs)
        ]
        if doubt or not pairs or not all(self._is_computed(place, pairs) for place in rest):
            return CellReading(doubt=doubt, placed=placed)
        if not all(self._is_in_row(cell, place, pairs) for cell, place in pairs):
            return CellReading(placed=placed)
        # Two values of one row need the names of their columns.
        rows = {(id(cell.line), cell.cell.row) for cell, _ in pairs}
        clear = len(rows) == len(pairs) or all(cell.cell.column for cell, _ in pairs)
        named = clear and not any(self._is_outdone(*pair) for pair in pairs)
        return CellReading(True, named, placed=placed)

    def _list_placed(self, pairs: Sequence[_Pair]) -> Iterator[Quantity]:
        """The numbers in the row that the claim names best, and the periods that its column has."""
        nearest = max([NAMED, *(_cover(value.row, self.words) for value in self.values)])
        for cell, place in pairs:
            if place.fit(cell) and _cover(cell.row, self.words) >= nearest:
                yield place.quantity
                if place.fit(cell) == SURE:
                    spans = [(one.start, one.end) for one in place.periods]
                    for quantity in self.claim.line.quantities:
                        if any(start <= quantity.start < end for start, end in spans):
                            yield quantity

    def _rank(self, place: NumberPlace, value: CellValue) -> tuple[float, ...]:
        near = _cover(value.row, place.words | value.about)
        words = self.words
        cover = _cover(value.row, words)
        return (cover >= NAMED, place.fit(value), near, cover, _cover(value.column, words))

    def _holds_any(self, value: CellValue) -> bool:
        return any(value.holds(place.quantity) for place in self.places)

    def _is_in_row(self, cell: CellValue, place: NumberPlace, pairs: Sequence[_Pair]) -> bool:
        """Whether the claim names a cell's row, and the period may be its column's.

        A number for comparison ("against 1.67 a year earlier") may be of another column.
        """
        compared = any(
            other.line is cell.line and other.months == cell.months and near.fit(other)
            for other, near in pairs
            if near is not place
        )
        return bool(place.fit(cell) or compared) and self._is_row_meant(cell, pairs)

    def _is_row_meant(self, cell: CellValue, pairs: Sequence[_Pair]) -> bool:
        """Whether the claim names a cell's row, or has several numbers that are all in it.

        The row's words may be others, or in another language, if no other row has more of them.
        """
        own = self._find_named(cell.row)
        alike = [v for v in self.values if is_alike(v, cell) and not self._holds_any(v)]
        if any(own < self._find_named(value.row) for value in alike):
            return False
        if _cover(cell.row, self.words) >= NAMED:
            return self._has_codes(cell)
        rows = {other.cell.row or id(other.line) for other, _ in pairs}
        return len(rows) == 1 < len({min(near.quantity.values) for _, near in pairs})

    def _has_codes(self, cell: CellValue) -> bool:
        codes = [code for label in cell.cell.row for code in list_codes(label)]
        return all(is_mentioned_in(code, self.claim.line.folded) for code in codes)

    def _find_named(self, label: frozenset[str]) -> frozenset[str]:
        return find_shared_terms(label, self.words - self.timely)

    def _find_other_column(self, pairs: Sequence[_Pair]) -> Objection | None:
        """A lone number of a row that has one in the column that the claim names.

        By its words or period, or of a later period if the claim says none.
        """
        for cell, place in pairs:
            alone = sum(other.line is cell.line for other, _ in pairs) == 1
            if place.origin or not alone or not self._is_row_meant(cell, pairs):
                continue
            row = [v for v in self.values if v.line is cell.line and v.cell.row == cell.cell.row]
            for value in row:
                if value.quantity.dimension != cell.quantity.dimension or self._holds_any(value):
                    continue
                if not place.fit(value):
                    continue
                dated = any(any(period.years) for period in place.periods)
                later = not dated and _get_end(value) > _get_end(cell)
                alike = value.months == cell.months and value.column != cell.column
                own, other = self._find_named(cell.column), self._find_named(value.column)
                if place.fit(value) > place.fit(cell) or (later and alike) or own < other:
                    return _object(self.claim, place.quantity, value, cell)
        return None

    def _is_computed(self, place: NumberPlace, pairs: Sequence[_Pair]) -> bool:
        """Whether a number follows from cells of the claim, or of a row of it and one length."""
        cells = [cell for cell, _ in pairs]
        known = [cell.quantity for cell in cells] + [
            value.quantity
            for value in self.values
            if value not in cells
            and any(one.line is value.line and one.months == value.months for one in cells)
            and any(one.cell.row == value.cell.row and is_alike(one, value) for one in cells)
        ]
        return calculate(place.quantity, self.claim.line.text, known) is not None

    def _find_swapped(self, pairs: Sequence[_Pair]) -> Objection | None:
        """Two numbers in the order of which the claim does not name their cells."""
        text, language = self.claim.line.text, self.claim.line.language
        starts: dict[str, list[int]] = {}
        for word in _WORD.finditer(text):
            for term in analyse(word[0], language):
                starts.setdefault(term, []).append(word.start())
        for (cell, place), (other, later) in combinations(pairs, 2):
            names = [cell.words - other.words, other.words - cell.words]
            first, second = (
                [start for term in own - self.timely for start in starts.get(term, ())]
                for own in names
            )
            moved = place.origin or later.origin or not is_alike(cell, other)
            if first and second and not moved and max(second) < min(first):
                reason = Message(
                    "claim-swapped", first=place.quantity.text, second=later.quantity.text
                )
                return Objection(reason, f"{_name_cell(cell)}: {cell.cell.value}")
        return None

    def _find_other_sign(self, pairs: Sequence[_Pair]) -> Objection | None:
        """A number below zero without its label's word for that: "expense (benefit)"."""
        for value, place in pairs:
            contrary = " ".join(_CONTRARY.findall(" ".join(value.cell.row)))
            named = frozenset(analyse(contrary, value.line.language))
            below = _NEGATIVE.match(value.cell.value) and min(place.quantity.bare) >= 0
            named_too = _cover(value.row, self.words) >= NAMED
            if contrary and below and named_too and not find_shared_terms(named, self.words):
                given, found = place.quantity.text, value.cell.value
                reason = Message("claim-says-other", said=given, found=found)
                return Objection(reason, f"{_name_cell(value)}: {found}")
        return None

    def _is_outdone(self, value: CellValue, place: NumberPlace) -> bool:
        """Whether the claim names a cell without a number of the claim as well or better."""
        fit, words = place.fit(value), self.words - self.timely
        own, cover = find_shared_terms(value.words, words), _cover(value.row, words)
        near = find_shared_terms(value.words, place.words - self.timely)
        for rival in self.values:
            if not is_alike(rival, value) or self._holds_any(rival):
                continue
            if not fit:
                # For comparison: of a row that has two such columns it is the other one.
                if rival.line is value.line and rival.months == value.months:
                    return True
                continue
            theirs = find_shared_terms(rival.words, words)
            ahead = place.fit(rival) - fit
            timeless = place.periods and value.periods and not rival.periods
            if timeless or not own <= theirs or not near <= rival.words or ahead < 0:
                continue
            if ahead > 0 or own < theirs or _cover(rival.row, words) >= cover:
                return True
        return False

    def _find_expected(
        self, place: NumberPlace, best: CellValue, holders: Sequence[CellValue]
    ) -> CellValue | None:
        """The cell that the claim names instead of those that have the number."""
        dimension = best.quantity.dimension
        alike = [v for v in self.values if v.quantity.dimension == dimension and place.fit(v)]
        if _cover(best.row, self.words) >= NAMED and self._has_codes(best):
            row = [v for v in alike if v.line is best.line and v.cell.row == best.cell.row]
            return (
                None if place.fit(best) or any(map(self._holds_any, row)) else next(iter(row), None)
            )
        if any(_cover(v.row, place.words) >= NAMED and self._has_codes(v) for v in holders):
            return None
        known = place.words - best.column
        rivals = [value for value in alike if _cover(value.row, known) == 1.0]
        if len({v.cell.row for v in rivals}) != 1 or any(map(self._holds_any, rivals)):
            return None
        return rivals[0]


def _repeats_rows(claim: Claim, table: Sequence[RowWords]) -> bool:
    """Whether a claim in words says a value of each row that it names, and no word of another row."""
    words = frozenset(analyse(claim.line.text, claim.line.language))
    named = [row for row in table if row.name and _cover(row.name, words) == 1.0]
    named = [row for row in named if not any(row.name < other.name for other in named)]
    said = [max(_cover(value, words) for value in row.values) for row in named]
    if len(table) == 1 or min(said, default=0.0) < WHOLE:
        return False
    here, everywhere = (frozenset().union(*(row.words for row in rows)) for rows in (named, table))
    common = frozenset.intersection(*(row.words for row in table))
    telling = find_shared_terms(words, everywhere - common)
    denied = any(row.line.negated for row in named)
    return claim.line.negated == denied and find_shared_terms(telling, here) == telling


def _cover(row: frozenset[str], words: frozenset[str]) -> float:
    """The share of a row's words that a claim has."""
    return len(find_shared_terms(row, words)) / len(row) if row else 0.0


def _is_in_label(place: NumberPlace, pairs: Sequence[_Pair]) -> bool:
    """Whether a number is part of a label: "350 m"."""
    return any(
        is_same_quantity(place.quantity, other)
        for cell, _ in pairs
        for label in (*cell.cell.row, *cell.cell.column)
        for other in find_quantities(label, cell.line.language)
    )


def _is_in_prose(value: CellValue, place: NumberPlace, materials: Sequence[ParsedEvidence]) -> bool:
    """Whether a sentence, other than the one that has the value, has the number too."""
    return any(
        is_same_quantity(place.quantity, other)
        for material in materials
        for line in material.lines
        if line is not value.line and not (line.passage and line.passage.place.table)
        for other in line.quantities
    )


def _find_other_order(pairs: Sequence[_Pair]) -> Objection | None:
    """Two numbers of one row of which the claim says that the later was before."""
    for cell, place in pairs:
        for other, later in pairs:
            moved = place.origin and not later.origin and other.line is cell.line
            if moved and _get_end(cell) > _get_end(other):
                first, second = place.quantity.text, later.quantity.text
                reason = Message("claim-swapped", first=first, second=second)
                return Objection(reason, f"{_name_cell(cell)}: {cell.cell.value}")
    return None


def _get_end(cell: CellValue) -> tuple[int, int]:
    """Sorts the columns of a row by period; equal where none is known."""
    days = [period.days[1].toordinal() for period in cell.periods if period.days]
    return max((period.years[1] for period in cell.periods), default=0), max(days, default=0)


def _object(claim: Claim, quantity: Quantity, expected: CellValue, actual: CellValue) -> Objection:
    text = claim.line.text[quantity.start : quantity.end]
    return Objection(
        Message("claim-other-cell", value=text, found=_name_cell(actual)),
        f"{_name_cell(expected)}: {expected.cell.value}",
    )


def _name_cell(value: CellValue) -> str:
    return ", ".join((*value.cell.row, *value.cell.column))
