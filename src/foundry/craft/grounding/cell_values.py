"""Numbers in the tables of a piece of evidence with their labels, and those of a claim with their clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from foundry.analysis import analyse
from foundry.craft.grounding.amounts import is_given, may_count
from foundry.craft.grounding.claims import Claim, list_scales
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Table, TableCell
from foundry.text.lines import ParsedEvidence, ParsedLine
from foundry.text.names import Name, find_names
from foundry.text.periods import Period, find_lengths, find_periods, judge_periods
from foundry.text.polarity import find_clauses
from foundry.text.quantities import Quantity, find_quantities
from foundry.text.tables import add_unit, find_cells

_WORDS = load_shared_lexicon().numbers
# "Of" and "from" may be one word ("van"), which says nothing.
_ORIGIN = re.compile(
    rf"\b{build_alternation(_WORDS.between - _WORDS.of)}\s[\s€$£]*$", re.IGNORECASE
)
_RESPECTIVELY = re.compile(rf"\b{build_alternation(_WORDS.respectively)}\b", re.IGNORECASE)
_LEAST_TURNS = 2
# The mark of a footnote: "Diluted (2)", "Total investments1".
_FOOTNOTE = re.compile(r"\s*\(\d{1,2}\)|(?<=[a-z]{3})\d\b")
_DECIMALS = re.compile(r"\d[.,](\d{1,2})(?!\d|[.,]\d)")
SURE = 2
"""How well a column fits whose period is the number's."""

_MOST_BESIDE = 3
"""Words beside a number in a cell that is a value and no text. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class CellValue:
    """A number in a table; ``row`` and ``column`` are the words of its labels."""

    cell: TableCell
    quantity: Quantity
    row: frozenset[str]
    column: frozenset[str]
    about: frozenset[str]
    periods: tuple[Period, ...]
    months: frozenset[int]
    scales: tuple[float, ...]
    line: ParsedLine

    @property
    def words(self) -> frozenset[str]:
        """The words of all its labels."""
        return self.row | self.column | self.about

    def holds(self, quantity: Quantity) -> bool:
        """Whether it is this number, perhaps rounded or in another scale."""
        return is_given(self.quantity, quantity, self.scales)


@lru_cache(maxsize=256)
def list_cells(material: ParsedEvidence) -> tuple[CellValue, ...]:
    """The numbers in the tables of a piece of evidence."""
    return tuple(_list_cells(material))


def _list_cells(material: ParsedEvidence) -> Iterator[CellValue]:
    scales = list_scales(material)
    for line in material.lines:
        passage = line.passage
        table = passage.place.table if passage else None
        if passage is None or table is None:
            yield from _read_turns(line)
            continue
        about = frozenset(analyse(table.title or "", material.language))
        for cell in find_cells(table, passage.start, passage.end):
            yield from _read_cell(table, cell, about, scales, line)


@dataclass(frozen=True, slots=True)
class RowWords:
    """A row of a table in words: its label, and its values with none of their columns."""

    label: str
    name: frozenset[str]
    values: tuple[frozenset[str], ...]
    line: ParsedLine

    @property
    def words(self) -> frozenset[str]:
        """The words of its label and of all its values."""
        return self.name.union(*self.values)


@lru_cache(maxsize=256)
def list_tables(material: ParsedEvidence) -> tuple[tuple[RowWords, ...], ...]:
    """The rows with a label of each table in a piece of evidence."""
    tables: dict[int, list[RowWords]] = {}
    for line in material.lines:
        table = line.passage.place.table if line.passage else None
        if line.passage is None or table is None:
            continue
        values: dict[str, list[frozenset[str]]] = {}
        for cell in find_cells(table, line.passage.start, line.passage.end):
            if cell.row:
                words = frozenset(analyse(cell.value, line.language))
                values.setdefault(cell.row[-1], []).append(words)
        for label, own in values.items():
            name = frozenset(analyse(label, line.language))
            tables.setdefault(id(table), []).append(RowWords(label, name, tuple(own), line))
    return tuple(map(tuple, tables.values()))


def _read_cell(
    table: Table,
    cell: TableCell,
    about: frozenset[str],
    scales: tuple[float, ...],
    line: ParsedLine,
) -> Iterator[CellValue]:
    language, column = line.language, " ".join(cell.column)
    labels = f"{' '.join(cell.row)}: {column}"
    words = add_unit(table, cell)
    for quantity in find_quantities(words, language):
        rest = (words[: quantity.start] + words[quantity.end :]).split()
        if quantity.kind == "number" and len(rest) <= _MOST_BESIDE:
            yield CellValue(
                cell=cell,
                quantity=quantity,
                row=frozenset(analyse(_FOOTNOTE.sub("", cell.row[-1]), language))
                if cell.row
                else frozenset(),
                column=frozenset(analyse(column, language)),
                about=about | frozenset(analyse(" ".join(cell.row[:-1]), language)),
                periods=find_periods(labels, language),
                months=frozenset(length.months for length in find_lengths(labels)),
                scales=scales,
                line=line,
            )


def _read_turns(line: ParsedLine) -> Iterator[CellValue]:
    """Numbers that a sentence gives for several periods: "64% and 71% for …, respectively"."""
    start = 0
    for turn in _RESPECTIVELY.finditer(line.text):
        part, offset, start = line.text[start : turn.start()], start, turn.end()
        periods = find_periods(part, line.language)
        numbers = [
            quantity
            for quantity in line.quantities
            if quantity.kind == "number"
            and offset <= quantity.start < turn.start()
            and not any(one.start <= quantity.start - offset < one.end for one in periods)
        ]
        if len(periods) != len(numbers) or len(periods) < _LEAST_TURNS:
            continue
        for period, quantity in zip(periods, numbers, strict=True):
            text = line.text[quantity.start : quantity.end]
            cell = TableCell((), (period.text,), text, quantity.start, quantity.end)
            months = frozenset(length.months for length in find_lengths(period.text))
            empty: frozenset[str] = frozenset()
            yield CellValue(
                cell, quantity, line.terms, empty, empty, (period,), months, (1.0,), line
            )


@dataclass(frozen=True, slots=True, eq=False)
class NumberPlace:
    """A number of a claim, with the words of its clause and the periods it may be of.

    ``origin`` if the claim says that it was so before ("from 5").
    """

    quantity: Quantity
    words: frozenset[str]
    periods: tuple[Period, ...]
    months: frozenset[int]
    origin: bool

    def fit(self, value: CellValue) -> int:
        """How surely a column is that of the number: 2 is, 1 may be, 0 is another."""
        if self.months and value.months and self.months.isdisjoint(value.months):
            return 0
        if not self.periods or not value.periods:
            return 1
        return {"fits": SURE, "unknown": 1, "other": 0}[judge_periods(self.periods, value.periods)]


def place_numbers(claim: Claim) -> list[NumberPlace]:
    """The numbers of a claim that a table may have, without those of its periods."""
    text, language = claim.line.text, claim.line.language
    periods, lengths = find_periods(text, language), find_lengths(text)
    taken = [(one.start, one.end) for one in periods] + [(one.start, one.end) for one in lengths]
    spans = find_clauses(text)
    places = []
    for quantity in claim.line.quantities:
        dated = any(start <= quantity.start < end for start, end in taken)
        if quantity.kind != "number" or dated or may_count(quantity) or _is_part(quantity, text):
            continue
        start, end = next(((a, b) for a, b in spans if a <= quantity.start < b), (0, len(text)))
        near = tuple(one for one in periods if start <= one.start < end)
        near = near or tuple(one for one in periods if one.start < start)[-1:] or periods
        months = [one for one in lengths if start <= one.start < end] or lengths
        places.append(
            NumberPlace(
                quantity,
                frozenset(analyse(text[start:end], language)),
                near,
                frozenset(one.months for one in months),
                origin=_ORIGIN.search(text[: quantity.start]) is not None,
            )
        )
    return places


def _is_part(quantity: Quantity, text: str) -> bool:
    """Whether a number belongs to a word: "2-pole", "HW 2.0"."""
    after = re.match(r"[-‑]\w", text[quantity.end :])
    before = re.search(r"\b[A-Z]+ $", text[: quantity.start])
    return not quantity.dimension and (after is not None or before is not None)


def blank_periods(text: str, language: str) -> str:
    """A text without its periods, which are compared as such."""
    spans = [(one.start, one.end) for one in find_periods(text, language)]
    spans += [(one.start, one.end) for one in find_lengths(text)]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def is_alike(one: CellValue, other: CellValue) -> bool:
    """Whether two values are of one kind: the same dimension, with as many decimals."""
    decimals = (_DECIMALS.search(value.cell.value) for value in (one, other))
    same = len({len(match[1]) if match else 0 for match in decimals}) == 1
    return same and one.quantity.dimension == other.quantity.dimension


def list_codes(label: str) -> Iterator[Name]:
    """The codes in a row's label, without footnotes and periods ("Q3 2022")."""
    plain = blank_periods(_FOOTNOTE.sub("", label), "und")
    return (name for name in find_names(plain) if name.identifier)
