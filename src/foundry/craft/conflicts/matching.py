"""Facts and rows of two sources that are of the same thing, and what they differ in."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foundry.analysis import fold
from foundry.craft.conflicts.amounts import agree
from foundry.craft.conflicts.comparing import compare_lines
from foundry.craft.conflicts.reading import THINGS, Cell, Fact, Told
from foundry.craft.conflicts.telling import Difference, differ
from foundry.wording.lines import read_line

_SHORT = 3
_ALIKE = 2


def compare_facts(ours: Told, theirs: Told) -> Difference | None:
    """An amount of one line against that of another of the same thing, role and conditions."""
    if any(
        agree(one.amount, two.amount)
        for one in ours.facts
        for two in theirs.facts
        if one.amount.dimension and one.role == two.role
    ):
        # A line that has the other's value too tells of several cases.
        return _compare_profiles(ours, theirs)
    for one in ours.facts:
        for two in theirs.facts:
            if _is_of_one(one, two, ours, theirs) and not agree(one.amount, two.amount):
                return differ("number", one.amount.text, two.amount.text, one.about or two.about)
    return _compare_profiles(ours, theirs)


def _compare_profiles(ours: Told, theirs: Told) -> Difference | None:
    """One measure differs where two others agree: "5 x 20 mm, T 1 A, 250 V".

    So a part is known again in another language, where few words can be matched.
    """
    codes = [{name.key for name in told.line.names if name.identifier} for told in (ours, theirs)]
    shared = (ours.terms & theirs.terms) - THINGS
    if not shared or (codes[0] and codes[1] and not codes[0] & codes[1]):
        return None
    if ours.material.language == theirs.material.language and len(shared) < _ALIKE:
        return None
    for mine in ours.profiles:
        for yours in theirs.profiles:
            apart = [(a, b) for (_, a), (_, b) in zip(mine, yours, strict=False) if not agree(a, b)]
            if [key for key, _ in mine] == [key for key, _ in yours] and len(apart) == 1:
                return differ("number", apart[0][0].text, apart[0][1].text)
    return None


def _is_of_one(one: Fact, two: Fact, ours: Told, theirs: Told) -> bool:
    if one.amount.dimension != two.amount.dimension or one.role != two.role:
        return False
    if one.conditions != two.conditions:
        return False
    pairs = [(a, b) for a in one.names for b in two.names]
    return any(
        _no_other(a, b, ours, theirs) and _is_enough((a & b) - THINGS, one, two, ours, theirs)
        for a, b in pairs
    )


def _no_other(a: frozenset[str], b: frozenset[str], ours: Told, theirs: Told) -> bool:
    """What only one of them names is the thing that the other's source is about."""
    mine, yours = (told.material.context.terms for told in (ours, theirs))
    return not ((a - b) - THINGS - yours) and not ((b - a) - THINGS - mine)


def _is_enough(shared: frozenset[str], one: Fact, two: Fact, ours: Told, theirs: Told) -> bool:
    """Two words name a thing, or a code; a single word does so as a label under like headings."""
    if len(shared) >= 2:
        return True
    coded = any(re.search(r"\d|^v[a-z]{2}$", term) for term in shared)
    if not one.amount.dimension and not (one.labelled and two.labelled):
        return False
    labelled = one.labelled or two.labelled
    return bool(shared) and (coded or (labelled and _headings_agree(ours, theirs)))


def _headings_agree(ours: Told, theirs: Told) -> bool:
    return not ours.heading or not theirs.heading or bool(ours.heading & theirs.heading)


def compare_rows(ours: Told, theirs: Told) -> Difference | None:
    """Rows of the same name: all columns that both have, else their amounts by role."""
    if not ours.subject or ours.subject != theirs.subject or not _rows_near(ours, theirs):
        return compare_facts(ours, theirs)
    alike = ours.material.language == theirs.material.language
    language = ours.material.language if alike else ""
    found = [
        difference
        for cell, other in _shared_columns(ours.cells, theirs.cells)
        if (difference := _compare_cells(cell, other, language)) is not None
    ]
    if not found:
        return None if _same_labels(ours, theirs) else compare_facts(ours, theirs)
    values = tuple(", ".join(one.values[side] for one in found) for side in (0, 1))
    name = next(iter(_subject_text(ours)), "")
    return differ(found[0].kind, values[0], values[1], name)


def _subject_text(told: Told) -> Iterable[str]:
    passage = told.line.passage
    if passage is not None and passage.cells:
        chunk = told.material.evidence.hit.chunk
        start, end = passage.cells[0]
        yield chunk.text[start - chunk.start : end - chunk.start]


def _rows_near(ours: Told, theirs: Told) -> bool:
    return len(ours.subject) >= 2 or _headings_agree(ours, theirs)


def _same_labels(ours: Told, theirs: Told) -> bool:
    return {cell.label for cell in ours.cells} == {cell.label for cell in theirs.cells}


def _shared_columns(ours: Iterable[Cell], theirs: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    others = {cell.label: cell for cell in theirs}
    return [(cell, others[cell.label]) for cell in ours if cell.label in others]


def _compare_cells(cell: Cell, other: Cell, language: str) -> Difference | None:
    if fold(cell.words) == fold(other.words) or cell.free or other.free:
        return None
    if cell.amounts or other.amounts:
        return _compare_amounts(cell, other)
    if not language or not _is_short(cell) or not _is_short(other):
        return None
    ours, theirs = (read_line(one.words, language) for one in (cell, other))
    told = compare_lines(ours, theirs, language, (0, 0))
    if told is not None or cell.terms & other.terms or not (cell.terms and other.terms):
        return told
    return differ("name", cell.words, other.words)


def _is_short(cell: Cell) -> bool:
    return len(cell.words.split()) <= _SHORT


def _compare_amounts(cell: Cell, other: Cell) -> Difference | None:
    if len(cell.amounts) != len(other.amounts) or cell.terms != other.terms:
        return None
    pairs = list(zip(cell.amounts, other.amounts, strict=True))
    if all(agree(one, two) for one, two in pairs):
        return None
    if all(one.dimension == two.dimension for one, two in pairs):
        return differ("number", cell.shown, other.shown)
    same = all(one.bare & two.bare and one.dimension and two.dimension for one, two in pairs)
    return differ("unit", cell.shown, other.shown) if same else None
