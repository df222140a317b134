"""Printed lines and tables of a PDF page, and words compared by their letters and digits."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from foundry.records import Box

_OTHERS = re.compile(r"[\W_]+")


def fold_letters(text: str) -> str:
    """The letters and digits of a text, without case and ligatures."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _OTHERS.sub("", folded.casefold())


def find_prefix_end(text: str, words: str) -> int | None:
    """Where ``split_words`` end if ``text`` begins with them as whole words, else None."""
    wanted = fold_letters(words)
    # Most texts do not: that much is seen without a walk from letter to letter.
    if not wanted or not fold_letters(text[: 2 * len(words) + 20]).startswith(wanted):
        return None
    taken = 0
    for position, char in enumerate(text):
        taken += len(fold_letters(char))
        if taken >= len(wanted):
            after = text[position + 1 : position + 2]
            return position + 1 if taken == len(wanted) and not after.isalnum() else None
    return None


def find_suffix_start(text: str, words: str) -> int | None:
    """Where ``split_words`` begin if ``text`` ends with them as whole words, else None."""
    wanted = fold_letters(words)
    if not wanted or not fold_letters(text[-2 * len(words) - 20 :]).endswith(wanted):
        return None
    taken = 0
    for position in range(len(text) - 1, -1, -1):
        taken += len(fold_letters(text[position]))
        if taken >= len(wanted):
            before = text[position - 1 : position] if position else ""
            return position if taken == len(wanted) and not before.isalnum() else None
    return None


SEPARATOR = " | "
_WORD = re.compile(r"\w+")
_GAP = re.compile(r"\s{2,}|\t")


@dataclass(frozen=True, slots=True)
class TextItem:
    """A run of text on a page, in points from the top left."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """The items that stand beside each other; ``split_row`` are set apart by wide gaps."""

    cells: tuple[str, ...]
    box: Box

    @property
    def text(self) -> str:
        """The whole line."""
        return " ".join(self.cells)


@dataclass(frozen=True, slots=True)
class PdfTable:
    """The rows of a table, and the lines printed in its place, from the top down."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[PrintedLine, ...]

    @property
    def text(self) -> str:
        """One row a line, without columns that hold nothing of their own."""
        rows = _join_columns(_drop_empty_columns(self.rows), self.lines)
        return "\n".join(SEPARATOR.join(row).rstrip(" |") for row in rows)

    def find_line(self, row: int) -> int | None:
        """The only line that is a row and no more, or None."""
        wanted = fold_letters(" ".join(self.rows[row]))
        found = [
            index for index, line in enumerate(self.lines) if fold_letters(line.text) == wanted
        ]
        return found[0] if len(found) == 1 else None

    def part(self, rows: slice, lines: slice) -> PdfTable:
        """A part of the table, as a table."""
        return PdfTable(self.rows[rows], self.lines[lines])


def read_table(
    grid: Sequence[Sequence[str]], lines: Sequence[PrintedLine], elsewhere: str = ""
) -> PdfTable:
    """A table from the layout's grid and from the lines printed in its place.

    ``elsewhere`` is what the layout put into other blocks that reach into the same place.
    """
    rows = [[" ".join(cell.split()) for cell in row] for row in grid]
    rows = _join_continued_rows([row for row in rows if any(row)])
    if _is_missing_words(rows, lines, elsewhere):
        return PdfTable(tuple(line.cells for line in lines), tuple(lines))
    return PdfTable(tuple(tuple(row) for row in rows), tuple(lines))


def format_grid(lines: Iterable[str]) -> str:
    """The text of a table that comes as lines with wide gaps between the cells."""
    return "\n".join(SEPARATOR.join(_GAP.split(line.strip())) for line in lines if line.strip())


def group_lines(items: Iterable[TextItem]) -> list[PrintedLine]:
    """Items grouped into lines, from the top down."""
    chosen = [item for item in items if item.text.strip()]
    rows: list[list[TextItem]] = []
    for item in sorted(chosen, key=lambda one: (_compute_middle(one.box), one.box.x0)):
        if rows and _is_beside(rows[-1], item):
            rows[-1].append(item)
        else:
            rows.append([item])
    return [_build_line(row) for row in rows]


def _build_line(row: list[TextItem]) -> PrintedLine:
    row = sorted(row, key=lambda item: item.box.x0)
    cells = [row[0].text.strip()]
    for left, right in pairwise(row):
        gap = right.box.x0 - left.box.x1
        if gap > 0.8 * (right.box.y1 - right.box.y0):
            cells.append(right.text.strip())
        else:
            cells[-1] = f"{cells[-1]} {right.text.strip()}"
    return PrintedLine(tuple(cells), surround([item.box for item in row]))


def surround(boxes: Sequence[Box]) -> Box:
    """The smallest box around at least one."""
    return Box(
        min(one.x0 for one in boxes),
        min(one.y0 for one in boxes),
        max(one.x1 for one in boxes),
        max(one.y1 for one in boxes),
    )


def _is_beside(row: list[TextItem], item: TextItem) -> bool:
    first = row[0].box
    height = min(first.y1 - first.y0, item.box.y1 - item.box.y0)
    return abs(_compute_middle(first) - _compute_middle(item.box)) < 0.5 * height


def _compute_middle(box: Box) -> float:
    return (box.y0 + box.y1) / 2


def _join_continued_rows(rows: list[list[str]]) -> list[list[str]]:
    """Rows that only go on with the cells above them, joined to those."""
    whole: list[list[str]] = []
    for row in rows:
        if whole and _is_continuation(whole[-1], row):
            whole[-1] = [f"{one} {two}".strip() for one, two in zip(whole[-1], row, strict=True)]
        else:
            whole.append(row)
    return whole


def _is_continuation(above: list[str], row: list[str]) -> bool:
    # An empty first cell may also stand for "the same as above", in a row of its own.
    if len(above) != len(row) or row[0]:
        return False
    filled = [(one, two) for one, two in zip(above, row, strict=True) if two]
    return all(one and (two[0].islower() or two[0] in "(/,") for one, two in filled)


def _is_missing_words(rows: list[list[str]], lines: Sequence[PrintedLine], elsewhere: str) -> bool:
    printed = Counter(word for line in lines for word in _WORD.findall(line.text))
    held = Counter(word for row in rows for word in _WORD.findall(" ".join(row)))
    missing = printed - held - Counter(_WORD.findall(elsewhere))
    return missing.total() > 0.02 * printed.total()


def _drop_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max((len(row) for row in rows), default=0)
    filled = [
        column for column in range(width) if any(column < len(row) and row[column] for row in rows)
    ]
    return [[row[column] if column < len(row) else "" for column in filled] for row in rows]


def _join_columns(rows: list[list[str]], lines: Sequence[PrintedLine]) -> list[list[str]]:
    """Without the columns that were cut from the one before them at a space."""
    column = 1
    while rows and column < len(rows[0]):
        if not rows[0][column] and _all_continue(rows, column, lines):
            rows = [
                [*row[: column - 1], f"{row[column - 1]} {row[column]}".strip(), *row[column + 1 :]]
                for row in rows
            ]
        else:
            column += 1
    return rows


def _all_continue(rows: list[list[str]], column: int, lines: Sequence[PrintedLine]) -> bool:
    # What is printed with no more than a space in between was never two cells.
    printed = "\n" + "".join(f"{cell} \n" for line in lines for cell in line.cells)
    return all(f"\n{row[column - 1]} {row[column]} " in printed for row in rows if row[column])
