"""The cells of a grid: what kind of text each has, and a tidy grid of them.

A tidy grid has no empty rows or columns, and a currency sign, a percent sign, a closing bracket or
a footnote mark in a cell of its own is joined to its value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from foundry.text.units import find_unit

CellKind = Literal["", "amount", "dash", "year", "text"]

_NUMERIC: frozenset[CellKind] = frozenset({"amount", "dash", "year"})
_WHITE = re.compile(r"\s+")
_NUMERIC_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}")
_DASH = re.compile(r"[$€£]?\s*[-–—−]+\s*%?|\(?n\.?/?a\.?\)?|[.:…]{1,3}|\([xdzs]\)", re.IGNORECASE)
_RAISED = "¹²³⁴-⁹†‡ᵃ-ᵛᶜᶠᶻⁱⁿʰ-ʸˡˢˣ"
_YEAR = re.compile(rf"(?:19|20)\d\d\s?[*{_RAISED}]{{0,2}}")
# A number with its sign, currency, brackets and footnote mark; a word may follow ("12 kg").
_AMOUNT = re.compile(
    r"(?:[$€£¥]|(?P<code>[A-Z]{3})\s|US\$)?\s*[(\[]?\s*(?:[$€£¥]|[A-Z]{3}\s)?\s*[-−–+±<>≤≥~]?\s*(?:[$€£¥]\s*)?"
    r"\.?\d[\d.,'’\u00a0\u202f ]*(?P<unit>(?![*"
    + _RAISED
    + r"])[^\s()\d%‰€*†‡]{1,6})?\s*[)\]]?\s*(?:[%‰€]|[A-Z]{3}\b)?\s*"
    r"(?:\(\w{1,2}\)|\*|[" + _RAISED + r"])*+"
)
_PREFIX = re.compile(r"[$€£¥(]|[($€£¥]{2}|US\$")
_SUFFIX = re.compile(r"[)\]]?\s*[%‰]?\s*[)\]]?")
_MARK = re.compile(r"\(\w{1,2}\)|[*†‡§]{1,3}|[" + _RAISED + r"]{1,2}")


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell as a reader finds it: rows and columns count from 0, and ``text`` may be "".

    ``indent`` is in any unit that is the same for the whole grid. ``header`` is True if the file
    marks the cell as a header. ``start`` and ``end`` span the text in a source that stays as it is.
    It is not ``certain`` if it may be in another row or column, or label other ones.
    """

    text: str
    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    indent: float = 0.0
    bold: bool = False
    header: bool | None = None
    start: int = -1
    end: int = -1
    certain: bool = True

    @property
    def last_column(self) -> int:
        """The last column that it covers."""
        return self.column + self.column_span - 1


@lru_cache(maxsize=65536)
def classify(text: str) -> CellKind:
    """The kind of a cell's text: a year or a numeric date may name a column, an amount never."""
    if not text:
        return ""
    if _YEAR.fullmatch(text) or _NUMERIC_DATE.fullmatch(text):
        return "year"
    if _DASH.fullmatch(text):
        return "dash"
    match = _AMOUNT.fullmatch(text)
    dated = match and match["code"] and _YEAR.fullmatch(text[4:])
    if match and not dated and (match["unit"] is None or is_unit(match["unit"])):
        return "amount"
    return "text"


def is_unit(text: str) -> bool:
    """Whether a word behind a number is a unit or a sign of its scale."""
    return text in {"x", "%)", "pts", "pt", "bps", "pp"} or find_unit(text.strip("%)")) is not None


def tidy_cells(cells: Iterable[GridCell]) -> list[GridCell]:
    """The cells in reading order without empty rows and columns, signs joined to their values."""
    kept = [_set(cell, text=_WHITE.sub(" ", cell.text).strip()) for cell in cells]
    kept = [cell for cell in kept if cell.text]
    kept.sort(key=lambda cell: (cell.row, cell.column))
    kept, homes = _join_signs(kept)
    return _close_gaps(_move_columns(kept, homes) if homes else kept)


def _set(cell: GridCell, **values: str | int) -> GridCell:
    """The cell with other values; the same object if none differs, as copies take most time."""
    if all(getattr(cell, name) == value for name, value in values.items()):
        return cell
    return replace(cell, **values)  # type: ignore[arg-type]


def _join_signs(cells: Sequence[GridCell]) -> tuple[list[GridCell], dict[int, int]]:
    """Joins signs to values; also maps columns of signs alone to the column of their values.

    A sign in a column of units ("mV") is one of them.
    """
    joined: list[GridCell] = []
    moves: dict[int, int] = {}
    units = Counter(cell.column for cell in cells if _is_word_of_unit(cell.text))
    for cell in cells:
        before = joined[-1] if joined and joined[-1].row == cell.row else None
        if before is not None and _is_prefix(before, cell):
            moves.setdefault(before.column, cell.column)
            joined[-1] = _join(before, cell, "")
        elif before is not None and units[cell.column] < 2 and _is_suffix(before, cell):
            moves.setdefault(cell.column, before.last_column)
            joined[-1] = _join(before, cell, " " if _MARK.fullmatch(cell.text) else "")
        else:
            joined.append(cell)
    starts: dict[int, set[int]] = {}
    for cell in joined:
        starts.setdefault(cell.row, set()).add(cell.column)
    homes = {
        sign: value
        for sign, value in moves.items()
        if not any(sign in columns and value in columns for columns in starts.values())
    }
    return joined, homes


def _is_prefix(before: GridCell, cell: GridCell) -> bool:
    return bool(_PREFIX.fullmatch(before.text)) and classify(cell.text) in _NUMERIC


def _is_word_of_unit(text: str) -> bool:
    return text.isalpha() and not _MARK.fullmatch(text) and is_unit(text)


def _is_suffix(before: GridCell, cell: GridCell) -> bool:
    if classify(before.text) not in {"amount", "dash"} and not before.text.startswith("("):
        return False
    if _SUFFIX.fullmatch(cell.text):
        return True
    # "(5)" behind "(3" or in a column of values is an amount.
    return bool(_MARK.fullmatch(cell.text)) and not cell.text.strip("()").isdigit()


def _join(left: GridCell, right: GridCell, gap: str) -> GridCell:
    value = left if classify(left.text) in {"amount", "dash"} else right
    return replace(
        value,
        text=f"{left.text}{gap}{right.text}",
        column=left.column,
        column_span=right.last_column - left.column + 1,
        start=left.start,
        end=right.end,
        certain=left.certain and right.certain,
    )


def _move_columns(cells: Sequence[GridCell], homes: dict[int, int]) -> list[GridCell]:
    """The cells with columns of signs made one with the column of their values."""
    width = max((cell.last_column for cell in cells), default=-1) + 1
    place = list(range(width))
    for sign, value in homes.items():
        low, high = sorted((sign, value))
        # Only neighbours, or columns with nothing of their own between them.
        for column in range(low, high + 1):
            place[column] = place[low]
    return [
        replace(
            cell,
            column=place[cell.column],
            column_span=place[cell.last_column] - place[cell.column] + 1,
        )
        for cell in cells
    ]


def _close_gaps(cells: Sequence[GridCell]) -> list[GridCell]:
    """The cells on rows and columns that at least one cell has to itself."""
    rows = sorted({cell.row for cell in cells})
    columns = _find_columns(cells)
    return [
        _set(
            cell,
            row=bisect_left(rows, cell.row),
            column=bisect_left(columns, cell.column),
            row_span=_count_between(rows, cell.row, cell.row + cell.row_span),
            column_span=_count_between(columns, cell.column, cell.last_column + 1),
        )
        for cell in cells
    ]


def _find_columns(cells: Sequence[GridCell]) -> list[int]:
    """The columns in which cells begin, without those whose cells all go on into the next one."""
    columns = sorted({cell.column for cell in cells})
    alone = {
        cell.column
        for cell in cells
        if _count_between(columns, cell.column, cell.last_column + 1) == 1
    }
    return [column for column in columns if column in alone]


def _count_between(places: Sequence[int], first: int, end: int) -> int:
    return bisect_left(places, end) - bisect_left(places, first)
