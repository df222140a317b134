"""Printed lines and tables of a PDF page, and text compared by its letters and digits.

A table becomes text with one line per row. The grid of the layout analysis is used if it has
every word that is printed there, else the printed lines: a row cut in two is better than a
missing row. Rows and columns that only continue their neighbour are joined to it.

Spaces, punctuation and ligatures differ between an outline, a printed line and the block
made of it, so texts are compared by their letters and digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from foundry.readers.grids import CELL_BREAK
from foundry.records import Box

_OTHERS = re.compile(r"[\W_]+")


def fold_letters(text: str) -> str:
    """Reduce a text to its letters and digits, without case and ligatures."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _OTHERS.sub("", folded.casefold())


def find_prefix_end(text: str, words: str) -> int | None:
    """Return where ``words`` end if ``text`` starts with them as whole words, else None."""
    wanted = fold_letters(words)
    # A fast check first: most texts do not start with them.
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
    """Return where ``words`` start if ``text`` ends with them as whole words, else None."""
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


_WORD = re.compile(r"\w+")
_GAP = re.compile(r"\s{2,}|\t")


@dataclass(frozen=True, slots=True)
class TextItem:
    """A run of text on a page, in points from the top left."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """Text items on one line; ``cells`` are the parts between wide gaps."""

    cells: tuple[str, ...]
    box: Box

    @property
    def text(self) -> str:
        """The whole line."""
        return " ".join(self.cells)


@dataclass(frozen=True, slots=True)
class PdfTable:
    """The rows of a table, and the lines printed in its place, from top to bottom."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[PrintedLine, ...]

    @property
    def text(self) -> str:
        """The table with one line per row, without empty columns."""
        rows = _join_columns(_drop_empty_columns(self.rows), self.lines)
        return "\n".join(CELL_BREAK.join(row).rstrip(" |") for row in rows)

    def find_line(self, row: int) -> int | None:
        """Return the index of the only line with exactly the words of a row, or None."""
        wanted = fold_letters(" ".join(self.rows[row]))
        hits = [i for i, line in enumerate(self.lines) if fold_letters(line.text) == wanted]
        return hits[0] if len(hits) == 1 else None

    def part(self, rows: slice, lines: slice) -> PdfTable:
        """Return a part of the table."""
        return PdfTable(self.rows[rows], self.lines[lines])


def read_table(
    grid: Sequence[Sequence[str]], lines: Sequence[PrintedLine], elsewhere: str = ""
) -> PdfTable:
    """Build a table from the grid of the layout, or from the lines printed in its place.

    ``elsewhere`` is the text of other blocks that overlap the table.
    """
    rows = [[" ".join(cell.split()) for cell in row] for row in grid]
    rows = _join_continued_rows([row for row in rows if any(row)])
    if _is_missing_words(rows, lines, elsewhere):
        return PdfTable(tuple(line.cells for line in lines), tuple(lines))
    return PdfTable(tuple(tuple(row) for row in rows), tuple(lines))


def format_grid(lines: Iterable[str]) -> str:
    """Format lines with wide gaps as the rows of a table."""
    return "\n".join(CELL_BREAK.join(_GAP.split(line.strip())) for line in lines if line.strip())


def group_lines(items: Iterable[TextItem]) -> list[PrintedLine]:
    """Group text items into lines, from top to bottom."""
    chosen = [item for item in items if item.text.strip()]
    rows: list[list[TextItem]] = []
    for item in sorted(chosen, key=lambda item: (_compute_middle(item.box), item.box.x0)):
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
        # A guess: even in justified text, word spaces are narrower than the line is high.
        if gap > 0.8 * (right.box.y1 - right.box.y0):
            cells.append(right.text.strip())
        else:
            cells[-1] = f"{cells[-1]} {right.text.strip()}"
    return PrintedLine(tuple(cells), surround([item.box for item in row]))


def surround(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around one or more boxes."""
    return Box(
        min(box.x0 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.y1 for box in boxes),
    )


def _is_beside(row: list[TextItem], item: TextItem) -> bool:
    first = row[0].box
    height = min(first.y1 - first.y0, item.box.y1 - item.box.y0)
    return abs(_compute_middle(first) - _compute_middle(item.box)) < 0.5 * height


def _compute_middle(box: Box) -> float:
    return (box.y0 + box.y1) / 2


def _join_continued_rows(rows: list[list[str]]) -> list[list[str]]:
    """Join the rows that only continue the cells above them."""
    whole: list[list[str]] = []
    for row in rows:
        if whole and _is_continuation(whole[-1], row):
            pairs = zip(whole[-1], row, strict=True)
            whole[-1] = [f"{upper} {lower}".strip() for upper, lower in pairs]
        else:
            whole.append(row)
    return whole


def _is_continuation(above: list[str], row: list[str]) -> bool:
    # An empty first cell may also mean "the same as above" in a separate row.
    if len(above) != len(row) or row[0]:
        return False
    filled = [(upper, lower) for upper, lower in zip(above, row, strict=True) if lower]
    return all(upper and (lower[0].islower() or lower[0] in "(/,") for upper, lower in filled)


def _is_missing_words(rows: list[list[str]], lines: Sequence[PrintedLine], elsewhere: str) -> bool:
    printed = Counter(word for line in lines for word in _WORD.findall(line.text))
    in_grid = Counter(word for row in rows for word in _WORD.findall(" ".join(row)))
    missing = printed - in_grid - Counter(_WORD.findall(elsewhere))
    # Words split differently account for a few; a missing row for more. A guess.
    return missing.total() > 0.02 * printed.total()


def _drop_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max((len(row) for row in rows), default=0)
    filled = [
        column for column in range(width) if any(column < len(row) and row[column] for row in rows)
    ]
    return [[row[column] if column < len(row) else "" for column in filled] for row in rows]


def _join_columns(rows: list[list[str]], lines: Sequence[PrintedLine]) -> list[list[str]]:
    """Join the columns that were cut from the one before them at a space."""
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
    # Text printed with only a space in between is one cell.
    printed = "\n" + "".join(f"{cell} \n" for line in lines for cell in line.cells)
    return all(f"\n{row[column - 1]} {row[column]} " in printed for row in rows if row[column])
