"""Two lines compared by what they label: values of one name, rows column by column, parts by measures."""

from __future__ import annotations

from collections.abc import Iterable

from foundry.analysis import fold
from foundry.craft.conflicts.amounts import is_consistent
from foundry.craft.conflicts.facts import MIN_SHARED_MEASURES, FactLine, LabelledValue, RowCell
from foundry.craft.conflicts.line_comparison import (
    Discrepancy,
    compare_lines,
    join_discrepancies,
)
from foundry.text.lines import parse_line

_MAX_SHORT_WORDS = 3
"""Cells of more words are prose, where other words need not mean another value."""


def compare_facts(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """A labelled value against another value of the same name, or a part with another measure."""
    if is_below_same_heading(ours, theirs):
        for one in ours.values:
            for two in theirs.values:
                if _is_same_property(one, two) and not is_consistent(one.amount, two.amount):
                    about = one.about or two.about
                    return Discrepancy("number", one.amount.text, two.amount.text, about)
    return _compare_profiles(ours, theirs)


def _is_same_property(one: LabelledValue, two: LabelledValue) -> bool:
    same = one.role == two.role and one.extra == two.extra
    alike = one.amount.dimension == two.amount.dimension and bool(one.amount.dimension)
    return same and alike and any(name in two.names for name in one.names if name)


def is_below_same_heading(ours: FactLine, theirs: FactLine) -> bool:
    """Whether one heading says all that the other says: under another, a label means another thing."""
    one, two = ours.heading, theirs.heading
    return not one or not two or one <= two or two <= one


def _compare_profiles(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """One measure that differs where all others agree: "5 x 20 mm, T 1 A, 250 V".

    This recognises a part in another language, where few words match.
    """
    codes = [{name.key for name in line.line.names if name.identifier} for line in (ours, theirs)]
    if not ours.terms & theirs.terms or (codes[0] and codes[1] and not codes[0] & codes[1]):
        return None
    if [key for key, _ in ours.profile] != [key for key, _ in theirs.profile]:
        return None
    apart = [
        (one, two)
        for (_, one), (_, two) in zip(ours.profile, theirs.profile, strict=True)
        if not is_consistent(one, two)
    ]
    agreeing = len(ours.profile) - len(apart)
    if len(apart) != 1 or agreeing < MIN_SHARED_MEASURES:
        return None
    return Discrepancy("number", apart[0][0].text, apart[0][1].text)


def compare_rows(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """Rows of one name: compare the columns that both have, otherwise the values that they label."""
    if not ours.subject or ours.subject != theirs.subject:
        return compare_facts(ours, theirs)
    if not is_below_same_heading(ours, theirs):
        return None
    alike = ours.material.language == theirs.material.language
    language = ours.material.language if alike else ""
    discrepancies = [
        difference
        for cell, other in _pair_columns(ours.cells, theirs.cells)
        if (difference := _compare_cells(cell, other, language)) is not None
    ]
    if not discrepancies:
        return None if _has_same_labels(ours, theirs) else compare_facts(ours, theirs)
    if len(discrepancies) > 1 and any(item.kind == "name" for item in discrepancies):
        # Another name beside another value: another thing with the same position or label.
        return None
    return join_discrepancies(discrepancies, _read_subject(ours))


def _read_subject(row: FactLine) -> str:
    if row.line.passage is None or not row.line.passage.cells:
        return ""
    chunk = row.material.evidence.hit.chunk
    start, end = row.line.passage.cells[0]
    return chunk.text[start - chunk.start : end - chunk.start]


def _has_same_labels(ours: FactLine, theirs: FactLine) -> bool:
    return {cell.label for cell in ours.cells} == {cell.label for cell in theirs.cells}


def _pair_columns(
    ours: Iterable[RowCell], theirs: Iterable[RowCell]
) -> list[tuple[RowCell, RowCell]]:
    others = {cell.label: cell for cell in theirs}
    return [(cell, others[cell.label]) for cell in ours if cell.label in others]


def _compare_cells(cell: RowCell, other: RowCell, language: str) -> Discrepancy | None:
    if fold(cell.words) == fold(other.words):
        return None
    if cell.amounts or other.amounts:
        return _compare_amounts(cell, other)
    if not language or not _is_short(cell) or not _is_short(other):
        return None
    ours, theirs = (parse_line(part.words, language) for part in (cell, other))
    discrepancy = compare_lines(ours, theirs, language, (0, 0))
    if discrepancy is not None or cell.terms & other.terms or not (cell.terms and other.terms):
        return discrepancy
    return Discrepancy("name", cell.words, other.words)


def _is_short(cell: RowCell) -> bool:
    return len(cell.words.split()) <= _MAX_SHORT_WORDS


def _compare_amounts(cell: RowCell, other: RowCell) -> Discrepancy | None:
    if len(cell.amounts) != len(other.amounts) or cell.terms != other.terms:
        return None
    pairs = list(zip(cell.amounts, other.amounts, strict=True))
    if all(is_consistent(one, two) for one, two in pairs):
        return None
    if all(one.dimension == two.dimension for one, two in pairs):
        return Discrepancy("number", cell.shown, other.shown)
    same = all(one.bare & two.bare and one.dimension and two.dimension for one, two in pairs)
    return Discrepancy("unit", cell.shown, other.shown) if same else None
