"""Two lines compared by their facts: amounts of the same thing, and rows column by column."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foundry.analysis import fold
from foundry.craft.conflicts.amounts import is_consistent
from foundry.craft.conflicts.concepts import THINGS
from foundry.craft.conflicts.facts import Fact, FactLine, RowCell
from foundry.craft.conflicts.line_comparison import (
    Discrepancy,
    compare_lines,
    join_discrepancies,
)
from foundry.text.lines import parse_line

_MIN_SHARED_TERMS = 2
"""Terms that two lines of one language must share before their measures are compared."""

_MAX_SHORT_WORDS = 3
"""Cells of more words are prose, where other words need not mean another value."""


def compare_facts(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """An amount in one line against another amount of the same thing, role and conditions."""
    if any(
        is_consistent(one.amount, two.amount)
        for one in ours.facts
        for two in theirs.facts
        if one.amount.dimension and one.role == two.role
    ):
        # A line that also has the other's value covers several cases.
        return _compare_profiles(ours, theirs)
    for one in ours.facts:
        for two in theirs.facts:
            if _is_same_fact(one, two, ours, theirs) and not is_consistent(one.amount, two.amount):
                return Discrepancy(
                    "number", one.amount.text, two.amount.text, one.about or two.about
                )
    return _compare_profiles(ours, theirs)


def _compare_profiles(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """One measure that differs where two others agree: "5 x 20 mm, T 1 A, 250 V".

    This recognises a part in another language, where few words match.
    """
    codes = [{name.key for name in line.line.names if name.identifier} for line in (ours, theirs)]
    shared = (ours.terms & theirs.terms) - THINGS
    if not shared or (codes[0] and codes[1] and not codes[0] & codes[1]):
        return None
    if ours.material.language == theirs.material.language and len(shared) < _MIN_SHARED_TERMS:
        return None
    for mine in ours.profiles:
        for yours in theirs.profiles:
            apart = [
                (a, b)
                for (_, a), (_, b) in zip(mine, yours, strict=False)
                if not is_consistent(a, b)
            ]
            if [key for key, _ in mine] == [key for key, _ in yours] and len(apart) == 1:
                return Discrepancy("number", apart[0][0].text, apart[0][1].text)
    return None


def _is_same_fact(one: Fact, two: Fact, ours: FactLine, theirs: FactLine) -> bool:
    if one.amount.dimension != two.amount.dimension or one.role != two.role:
        return False
    if one.conditions != two.conditions:
        return False
    pairs = [(a, b) for a in one.names for b in two.names]
    return any(
        _has_no_other_subject(a, b, ours, theirs)
        and _is_specific_enough((a & b) - THINGS, one, two, ours, theirs)
        for a, b in pairs
    )


def _has_no_other_subject(
    a: frozenset[str], b: frozenset[str], ours: FactLine, theirs: FactLine
) -> bool:
    """Whether each word that only one of them has is in the title or headings of the other."""
    mine, yours = (line.material.context.terms for line in (ours, theirs))
    return not ((a - b) - THINGS - yours) and not ((b - a) - THINGS - mine)


def _is_specific_enough(
    shared: frozenset[str], one: Fact, two: Fact, ours: FactLine, theirs: FactLine
) -> bool:
    """Whether shared terms identify a thing: two words, a code, or a label under like headings."""
    if len(shared) >= 2:
        return True
    coded = any(re.search(r"\d", term) for term in shared)
    if not one.amount.dimension and not (one.labelled and two.labelled):
        return False
    labelled = one.labelled or two.labelled
    return bool(shared) and (coded or (labelled and _has_shared_heading(ours, theirs)))


def _has_shared_heading(ours: FactLine, theirs: FactLine) -> bool:
    return not ours.heading or not theirs.heading or bool(ours.heading & theirs.heading)


def compare_rows(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """Rows of one name: compare the columns that both have, otherwise their amounts by role."""
    if not ours.subject or ours.subject != theirs.subject or not _is_same_row(ours, theirs):
        return compare_facts(ours, theirs)
    alike = ours.material.language == theirs.material.language
    language = ours.material.language if alike else ""
    discrepancies = [
        difference
        for cell, other in _pair_columns(ours.cells, theirs.cells)
        if (difference := _compare_cells(cell, other, language)) is not None
    ]
    if not discrepancies:
        return None if _has_same_labels(ours, theirs) else compare_facts(ours, theirs)
    return join_discrepancies(discrepancies, _read_subject(ours))


def _read_subject(row: FactLine) -> str:
    if row.line.passage is None or not row.line.passage.cells:
        return ""
    chunk = row.material.evidence.hit.chunk
    start, end = row.line.passage.cells[0]
    return chunk.text[start - chunk.start : end - chunk.start]


def _is_same_row(ours: FactLine, theirs: FactLine) -> bool:
    return len(ours.subject) >= 2 or _has_shared_heading(ours, theirs)


def _has_same_labels(ours: FactLine, theirs: FactLine) -> bool:
    return {cell.label for cell in ours.cells} == {cell.label for cell in theirs.cells}


def _pair_columns(
    ours: Iterable[RowCell], theirs: Iterable[RowCell]
) -> list[tuple[RowCell, RowCell]]:
    others = {cell.label: cell for cell in theirs}
    return [(cell, others[cell.label]) for cell in ours if cell.label in others]


def _compare_cells(cell: RowCell, other: RowCell, language: str) -> Discrepancy | None:
    if fold(cell.words) == fold(other.words) or cell.free or other.free:
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
