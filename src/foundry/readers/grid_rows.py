"""The labels of rows: their label columns, the headings and rows they belong to, form fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from math import isclose

from foundry.readers.grid_cells import GridCell, classify
from foundry.readers.grid_header import GridHeader
from foundry.records import Labels
from foundry.text.quantities import parse_number

_DIGITS = re.compile(r"\d[\d.,'’]*(?<=\d)")
_NEGATIVE = re.compile(r"[^\d\w]*[(−–-]")
_REFERENCE = re.compile(r"\([^\W\d]+\s\d+\)$")
_INDENT = 0.9
"""Least difference of indentation that counts: readers give points, or characters of 1."""


@dataclass(frozen=True, slots=True)
class _Heading:
    """A row that labels the rows below it; ``flat`` if they are not indented more than it is.

    ``inner`` if the heading right above it looks the same, and so has nothing else below it.
    ``ended`` after the total of its rows: it labels no further row, but still has its rank.
    What it labels is in doubt if it is not ``certain``.
    """

    label: str
    indent: float
    bold: bool
    flat: bool
    row: int
    inner: bool = False
    ended: bool = False
    certain: bool = True

    @property
    def style(self) -> tuple[bool, bool, int]:
        """What headings of one rank share."""
        return self.bold, self.label.endswith(":"), round(self.indent)


def find_row_paths(header: GridHeader) -> list[Labels]:
    """The labels of every row, outermost first; () for headers and rows without a label."""
    paths: list[Labels] = [()] * len(header.rows)
    stubs = _collect_stubs(header)
    stack: list[_Heading] = []
    opened = False
    totals = _Totals()
    before: GridCell | None = None
    seen: set[tuple[int, str]] = set()
    for number in range(header.height, len(header.rows)):
        labels = stubs[number]
        if number in header.repeated or not labels:
            continue
        cell = labels[0]
        heads = _opens_section(header, number)
        inner = heads and opened and _looks_like(stack[-1], cell)
        if not inner:
            _leave_sections(stack, cell, heads, opened, _opens_headings(header, stubs, number))
        _leave_totals(stack, header, stubs, number)
        set_off = not heads and before is not None and _is_set_off(cell, before)
        since = totals.find(header.rows[number]) if set_off else None
        if since is not None and since != totals.last:
            stack = [replace(head, ended=head.ended or head.row > since) for head in stack]
        own = [label.text for label in labels]
        over = [head for head in stack if not head.ended]
        paths[number] = tuple(dict.fromkeys([*(head.label for head in over), *own]))
        if not all(head.certain for head in over) or not all(one.certain for one in labels):
            header.doubtful_rows.add(number)
        following = _find_indents(header, stubs, number)
        if heads:
            flat = not following or following[0] <= cell.indent + _INDENT
            style = cell.text, cell.indent, cell.bold
            stack.append(_Heading(*style, flat, number, inner, certain=cell.certain))
            totals.open(number)
        elif stack and since == stack[-1].row:
            ended = _ends_section(header, stubs, stack, number, totals)
            stack[-1] = replace(stack[-1], ended=ended)
        elif _is_parent(cell, following, before) or _opens_again(stubs, number, seen):
            style = cell.text, cell.indent, cell.bold
            stack.append(_Heading(*style, flat=False, row=number, certain=cell.certain))
        totals.add(header.rows[number])
        opened = heads
        before = None if heads else cell
        seen.add((round(cell.indent), cell.text))
    return paths


def _collect_stubs(header: GridHeader) -> list[list[GridCell]]:
    """The label cells of each row, from the left; a merged one is carried down.

    A blank first label is carried if the row's first words tell it from the row above.
    """
    stubs: list[list[GridCell]] = [[] for _ in header.rows]
    held: list[GridCell] = []
    carried = False
    for number in range(header.height, len(header.rows)):
        row = header.rows[number]
        own = [cell for cell in row if cell.column < header.stubs]
        kept = [cell for cell in held if number < cell.row + cell.row_span]
        if not own and not kept and held and row and _tells_apart(row[0], header):
            stubs[number] = [held[0], row[0]]
            carried = True
            continue
        if not own and not kept and held and row and carried:
            # Nothing in the row says whose it is but that other labels are carried down.
            stubs[number] = [replace(held[0], certain=False)]
            continue
        if own and not kept and len(row) > len(own):
            # Below a label that holds for several rows, its place is empty.
            kept = [cell for cell in held if cell.column < own[0].column]
        taken = {cell.column for cell in own}
        stubs[number] = sorted(
            [*own, *(cell for cell in kept if cell.column not in taken)],
            key=lambda cell: cell.column,
        )
        held = stubs[number] or held
    return stubs


def _tells_apart(cell: GridCell, header: GridHeader) -> bool:
    return header.stubs == 1 and cell.column == 1 and classify(cell.text) == "text"


def _opens_section(header: GridHeader, number: int) -> bool:
    """Whether a row has labels only, so that it is a heading of those below it.

    One that ends in a reference, such as "Contingencies (Note 12)", is an item without values.
    """
    row = header.rows[number]
    if row and _REFERENCE.search(row[0].text):
        return False
    alone = all(cell.column < header.stubs and cell.row_span == 1 for cell in row)
    return alone and number + 1 < len(header.rows)


def _looks_like(head: _Heading, cell: GridCell) -> bool:
    """Whether a heading is marked as one and looks like the one above it."""
    marked = head.bold or head.label.endswith(":")
    return marked and head.style == (cell.bold, cell.text.endswith(":"), round(cell.indent))


def _opens_headings(header: GridHeader, stubs: Sequence[Sequence[GridCell]], number: int) -> bool:
    """Whether the row below a heading is a heading that looks the same."""
    if number + 1 >= len(stubs) or not stubs[number + 1] or not _opens_section(header, number + 1):
        return False
    cell = stubs[number][0]
    return _looks_like(
        _Heading(cell.text, cell.indent, cell.bold, flat=True, row=number), stubs[number + 1][0]
    )


def _leave_sections(
    stack: list[_Heading], cell: GridCell, heads: bool, opened: bool, outer: bool
) -> None:
    """Close the sections that a row does not belong to. ``opened``: the row before is a heading.

    An ``outer`` heading, which has a heading like itself below it, also closes its like.
    """
    while stack:
        top = stack[-1]
        deeper = cell.indent > top.indent + _INDENT
        level = abs(cell.indent - top.indent) <= _INDENT
        if deeper and not top.flat:
            return
        if top.flat and (deeper or level):
            style = (cell.bold, cell.text.endswith(":"), round(cell.indent))
            # A plain row without values is a heading of rows, but not of other headings.
            marked = top.bold or top.label.endswith(":")
            if not heads or (opened and marked and style != top.style):
                break
        if stack.pop().inner and heads and not outer and level:
            break


def _leave_totals(
    stack: list[_Heading], header: GridHeader, stubs: Sequence[Sequence[GridCell]], number: int
) -> None:
    """Close flat sections at their total: "Total current assets" ends "Current assets:".

    It is the last row that repeats the words of the heading before the next heading.
    """
    for index, head in enumerate(stack):
        if not head.flat or not _repeats(stubs[number][0].text, head.label):
            continue
        for row in range(number + 1, len(header.rows)):
            if not stubs[row] or _opens_section(header, row):
                break
            if _repeats(stubs[row][0].text, head.label):
                return
        del stack[index:]
        return


def _is_set_off(cell: GridCell, before: GridCell) -> bool:
    """Whether a row is printed like a total: indented other than the row before it, or bold."""
    return abs(cell.indent - before.indent) > _INDENT or (cell.bold and not before.bold)


@dataclass(slots=True)
class _Sums:
    """The sums of the columns of rows."""

    values: dict[int, float] = field(default_factory=dict)
    rows: int = 0

    def copy(self) -> _Sums:
        """The same sums, to go on with."""
        return _Sums(dict(self.values), self.rows)

    def since(self, before: _Sums) -> _Sums:
        """The sums of the rows that were added after ``before``."""
        values = {k: value - before.values.get(k, 0.0) for k, value in self.values.items()}
        return _Sums(values, self.rows - before.rows)

    def add(self, row: Iterable[GridCell]) -> None:
        """Add the amounts of a row."""
        self.rows += 1
        for cell in row:
            if cell.column and (value := _read_amount(cell.text)) is not None:
                self.values[cell.column] = self.values.get(cell.column, 0.0) + value

    def match(self, row: Iterable[GridCell]) -> bool:
        """Whether a row has the sums of two rows or more, in most of its columns."""
        totals = [(cell.column, _read_amount(cell.text)) for cell in row if cell.column]
        pairs = [(self.values.get(column), total) for column, total in totals if total]
        equal = sum(
            one is not None and isclose(one, other, rel_tol=_ROUNDING) for one, other in pairs
        )
        return self.rows > 1 and 2 * equal > len(pairs)


@dataclass(slots=True)
class _Totals:
    """What the rows of a table add up to since each of its last headings."""

    sums: _Sums = field(default_factory=_Sums)
    opened: list[tuple[int, _Sums]] = field(default_factory=list)
    ended: _Sums = field(default_factory=_Sums)

    @property
    def last(self) -> int:
        """The row of the last heading."""
        return self.opened[-1][0]

    def open(self, row: int) -> None:
        """Begin a section below the heading in a row."""
        self.opened = [*self.opened[1 - _MAX_SECTIONS :], (row, self.sums.copy())]

    def add(self, row: Sequence[GridCell]) -> None:
        """Add a row to all sections; before the first heading nothing is added up."""
        if self.opened:
            self.sums.add(row)

    def find(self, row: Sequence[GridCell]) -> int | None:
        """The row of the last heading from which on all rows add up to this one."""
        return next(
            (n for n, before in reversed(self.opened) if self.sums.since(before).match(row)), None
        )


def _ends_section(
    header: GridHeader,
    stubs: Sequence[Sequence[GridCell]],
    stack: Sequence[_Heading],
    total: int,
    totals: _Totals,
) -> bool:
    """Whether a row with the sums of the last section ends it.

    It does if it has the words of the heading. If no later row of the section has them, it does
    below an outer section, or if a later row has the sums of all totals and of the rows between.
    """
    head = stack[-1]
    totals.ended.add(header.rows[total])
    if _repeats(stubs[total][0].text, head.label):
        return True
    sums = totals.ended.copy()
    grand = False
    for number in range(total + 1, len(header.rows)):
        if not stubs[number] or _opens_section(header, number):
            break
        if _repeats(stubs[number][0].text, head.label):
            return False
        grand = grand or sums.match(header.rows[number])
        sums.add(header.rows[number])
    return head.flat and (grand or len(stack) > 1)


def _read_amount(text: str) -> float | None:
    """The number of a cell, negative in brackets, 0 for a dash; None without one."""
    kind = classify(text)
    match = _DIGITS.search(text)
    if kind != "amount" or match is None:
        return 0.0 if kind == "dash" else None
    values = parse_number(match[0], "und")
    sign = -1.0 if _NEGATIVE.match(text) else 1.0
    return sign * max(values) if values else None


def _repeats(text: str, label: str) -> bool:
    words, wanted = text.casefold(), label.casefold().strip(" :")
    return f" {wanted} " in f" {words} " and len(words) > len(wanted)


def _find_indents(
    header: GridHeader, stubs: Sequence[Iterable[GridCell]], number: int
) -> list[float]:
    """The indents of the labelled rows that follow."""
    following = []
    for row in range(number + 1, len(header.rows)):
        cell = next(iter(stubs[row]), None)
        if cell is not None and row not in header.repeated:
            following.append(cell.indent)
            if len(following) > 1:
                break
    return following


def _is_parent(cell: GridCell, following: Sequence[float], before: GridCell | None) -> bool:
    """Whether a row with values has parts below it: at least two rows that are indented more.

    A single one is as often the total of the rows above, and so are several below the last of a
    list, which follows a row of its own indentation (``before``).
    """
    if before is not None and abs(before.indent - cell.indent) <= _INDENT:
        return False
    return len(following) > 1 and all(indent > cell.indent + _INDENT for indent in following)


def _opens_again(
    stubs: Sequence[Sequence[GridCell]], number: int, seen: set[tuple[int, str]]
) -> bool:
    """Whether two rows or more below a row are indented more, and one is called like a row above.

    Only this row tells the two apart. A single one is as often the total of the rows above.
    """
    indent = stubs[number][0].indent + _INDENT
    rows = (stubs[place][0] for place in range(number + 1, len(stubs)) if stubs[place])
    below = [*takewhile(lambda cell: cell.indent > indent, rows)]
    return len(below) > 1 and any((round(cell.indent), cell.text) in seen for cell in below)


_ROUNDING = 1e-9
_MAX_SECTIONS = 8
"""Most headings from which rows are added up. A guess."""
_MAX_HEADING_WORDS = 4
"""Most words of a heading of fields that is not bold. A guess: remarks are longer."""
_MIN_AMOUNTS = 3
"""Fewest rows of a list of amounts. A guess."""
_MIN_FIELDS = 0.6
"""Share of a form's rows that begin with "Label:". A guess: some go on with the row above."""


def find_fields(rows: Sequence[Sequence[GridCell]]) -> dict[int, Labels] | None:
    """The labels of a form's values by the ``id`` of their cell; None if the grid is not a form.

    A form has "Label:" and value side by side, one or more pairs to a row, or amounts in front of
    what they are amounts of.
    """
    wide = [row for row in rows if len(row) > 1]
    if _has_amounts_first(wide):
        return {id(row[0]): (row[1].text,) for row in wide}
    opened = sum(row[0].text.endswith(":") for row in wide)
    if not wide or opened < _MIN_FIELDS * len(wide) or not _has_field_values(wide):
        return None
    fields: dict[int, Labels] = {}
    section: Labels = ()
    indent = min(row[0].indent for row in wide)
    for row in rows:
        label: Labels = ()
        if len(row) == 1 and _names_fields(row[0], indent):
            section = (row[0].text,)
            continue
        for cell in row:
            if cell.text.endswith(":"):
                label = (*section, cell.text)
            else:
                fields[id(cell)] = label
    return fields


def _has_amounts_first(rows: Sequence[Sequence[GridCell]]) -> bool:
    """Whether words follow an amount in every row: "(1,350) | Lower margin".

    Plain numbers that are all different are as often those of the rows.
    """
    firsts = [row[0].text for row in rows if len(row) == 2 and classify(row[1].text) == "text"]
    amounts = [text for text in firsts if classify(text) in {"amount", "dash"}]
    plain = len(set(amounts)) == len(amounts) and all(text[0].isdigit() for text in amounts)
    return len(amounts) == len(rows) >= _MIN_AMOUNTS and not plain


def _names_fields(cell: GridCell, indent: float) -> bool:
    """Whether a cell alone in its row heads the fields below it, at ``indent``; else it is a remark."""
    if cell.column or cell.text.endswith((":", ".", "!", "?", ";")):
        return False
    outdented = cell.indent < indent - _INDENT
    return cell.bold or outdented or len(cell.text.split()) <= _MAX_HEADING_WORDS


def _has_field_values(rows: Sequence[Sequence[GridCell]]) -> bool:
    """Whether one value at most follows each label, so that no header is needed."""
    pairs = [
        not right.text.endswith(":") and not left.text.endswith(":")
        for row in rows
        for left, right in pairwise(row)
    ]
    return not any(pairs)
