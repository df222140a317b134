"""The header rows and label columns of a tidy grid."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from foundry.analysis import fold
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.readers.grid_cells import GridCell, classify
from foundry.records import Labels
from foundry.text.tables import find_unit_words

_MAX_NUMBER = 8
"""Longest number of a row ("10.12.3a"). A guess."""
_DIGIT = re.compile(r"\d")
_FIGURES = "0123456789.,%()+-–—−± "
_PERIOD = re.compile(rf"\b{build_alternation(load_shared_lexicon().revisions.period_labels)}\b")
_MAX_LABEL = 80
"""Longest label of a column in a grid whose header nothing marks; longer cells are text. A guess."""

_WORDS = 0.1
"""Largest share of words among the values to the right of a second column of labels. A guess."""
_REPEATED = 0.6
"""Largest share of different labels in a column that leaves it to the next one to tell rows apart. A
guess."""


@dataclass(frozen=True, slots=True)
class GridShape:
    """The structure of a tidy grid as a person states it; None where nothing is stated.

    ``headers`` are the runs of rows that name the columns below them, from the top; the first
    ``columns`` columns name the rows.
    """

    headers: tuple[range, ...] | None = None
    columns: int | None = None


_UNSAID = GridShape()


@dataclass(slots=True)
class GridHeader:
    """A grid with its header found.

    The first ``height`` rows are titles and headers, the first ``stubs`` columns label the rows.
    ``starts`` are the rows from which a header holds, with the labels of each column in ``paths``.
    ``doubtful_rows`` and ``doubtful_columns`` are those whose labels are in doubt.
    """

    rows: list[list[GridCell]]
    width: int
    height: int = 0
    stubs: int = 1
    titles: list[str] = field(default_factory=list)
    corner: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    paths: list[dict[int, Labels]] = field(default_factory=list)
    repeated: set[int] = field(default_factory=set)
    doubtful_rows: set[int] = field(default_factory=set)
    doubtful_columns: set[int] = field(default_factory=set)

    def is_certain(self, row: int, column: int) -> bool:
        """Whether the labels of a row and a column are not in doubt."""
        return row not in self.doubtful_rows and column not in self.doubtful_columns

    def get_path(self, row: int, column: int) -> Labels:
        """The labels of a column at a row, outermost first."""
        index = bisect_right(self.starts, row) - 1
        return self.paths[index].get(column, ()) if index >= 0 and column >= 0 else ()

    def is_label(self, cell: GridCell) -> bool:
        """Whether a cell of the body labels others rather than being a value."""
        return cell.row in self.repeated or cell.column < self.stubs

    def list_columns(self, cell: GridCell) -> Sequence[int]:
        """The columns whose labels a value has; a remark over all columns has none: (-1,)."""
        if cell.column_span > 1 and cell.column_span >= self.width - self.stubs:
            return (-1,)
        return range(cell.column, cell.last_column + 1)


def find_header(cells: Iterable[GridCell], said: GridShape = _UNSAID) -> GridHeader:
    """Find header rows, label columns and headers further down; ``cells`` are tidy.

    What is ``said`` is not looked for.
    """
    rows = _split_rows(cells)
    width = max(cell.last_column for row in rows for cell in row) + 1
    header = GridHeader(rows, width)
    if said.headers is None:
        first = _take_titles(header)
        header.height = _find_height(header, first)
    else:
        first = _take_header(header, said.headers)
    header.stubs = _count_stubs(header) if said.columns is None else said.columns
    labels = _collect_labels(header, range(first, header.height))
    header.starts.append(header.height)
    header.paths.append(labels)
    _find_inner_headers(header, said.headers)
    header.doubtful_columns |= _find_doubtful(header, labels)
    return header


def _find_doubtful(header: GridHeader, labels: Mapping[int, Labels]) -> set[int]:
    """Return the columns without labels where others have some, and those that share their labels."""
    body = header.rows[header.height :]
    filled = {cell.column for row in body for cell in row if cell.column >= header.stubs}
    named = Counter(labels[column] for column in filled if labels.get(column))
    unnamed = {column for column in filled if not labels.get(column)}
    alike = {column for column in filled - unnamed if named[labels[column]] > 1}
    # A column without the heading of a group whose others are called the same.
    depths: dict[str, set[int]] = {}
    for column in filled - unnamed:
        depths.setdefault(labels[column][-1], set()).add(len(labels[column]))
    alike |= {n for n in filled - unnamed if len(labels[n]) < max(depths[labels[n][-1]])}
    return alike | (unnamed if labels or header.width > 2 else set())


def _take_header(header: GridHeader, runs: Sequence[range]) -> int:
    """Take the header rows that a person states, and return the first of them.

    Rows of one cell above it are titles. Below rows of values it is a header further down.
    """
    top = runs[0] if runs else range(0)
    above = header.rows[: top.start]
    if any(len(row) > 1 for row in above):
        return 0
    header.titles += [cell.text for row in above for cell in row]
    header.height = top.stop
    return top.start


def _find_height(header: GridHeader, first: int) -> int:
    height = first + _count_header_rows(header, first)
    # A cell that reaches into the rows below labels those rows.
    for number in range(first, height):
        if any(cell.row + cell.row_span > height for cell in header.rows[number]):
            return number
    return height


def _split_rows(cells: Iterable[GridCell]) -> list[list[GridCell]]:
    rows: list[list[GridCell]] = []
    for cell in cells:
        while len(rows) <= cell.row:
            rows.append([])
        rows[cell.row].append(cell)
    return rows


def _take_titles(header: GridHeader) -> int:
    """Take the rows at the top with one cell over all columns, or that only say the unit."""
    taken = 0
    for row in header.rows[:-1]:
        if len(row) != 1 or header.width < 2:
            break
        cell = row[0]
        says_unit = find_unit_words(cell.text) is not None
        if cell.column_span < header.width and not (says_unit and cell.column == 0):
            break
        header.titles.append(cell.text)
        taken += 1
    return taken


def _count_header_rows(header: GridHeader, first: int) -> int:
    rows = header.rows[first:]
    marked = 0
    for row in rows[:-1]:
        # Below names of columns, a cell over all of them heads the rows that follow.
        section = marked > 0 and len(row) == 1 and row[0].column_span >= header.width
        if section or not all(cell.header for cell in row):
            break
        marked += 1
    marked = max(marked, _count_spanned_rows(rows))
    if marked:
        return marked + _count_further_rows(rows, marked, header.width)
    data = next((i for i, row in enumerate(rows) if _has_amounts(row)), None)
    if data is None:
        return int(_is_text_header(rows, header.width))
    if data == 0 or _is_form(rows) or not _names_columns(rows, data):
        return 0
    return 1 + _count_further_rows(rows[:data], 1, header.width)


def _is_form(rows: Sequence[Sequence[GridCell]]) -> bool:
    """Whether every row is one "Label:" and its value, so that the first names no column."""
    return all(len(row) == 2 and row[0].text.endswith(":") for row in rows)


def _count_spanned_rows(rows: Sequence[Sequence[GridCell]]) -> int:
    """The rows that the first one reaches into, if each of its cells does or groups columns."""
    depth = max((cell.row_span for cell in rows[0]), default=1)
    named = all(cell.row_span == depth or cell.column_span > 1 for cell in rows[0])
    return depth if named and 1 < depth < len(rows) else 0


def _has_amounts(row: Sequence[GridCell]) -> bool:
    return any(classify(cell.text) in {"amount", "dash"} for cell in row if cell.column > 0)


def _names_columns(rows: Sequence[Sequence[GridCell]], data: int) -> bool:
    """Whether the first row names columns of amounts, and years are not the values themselves."""
    names = [cell for cell in rows[0] if cell.column > 0]
    if not names:
        return len(rows[0]) == 1 and data > 1 and _names_columns(rows[1:], data - 1)
    years = {cell.column for cell in names if classify(cell.text) == "year"}
    below = [cell for row in rows[data:] for cell in row if cell.column in years]
    kinds = [classify(cell.text) for cell in below]
    return not years or kinds.count("year") < len(kinds)


def _count_further_rows(rows: Sequence[Sequence[GridCell]], taken: int, width: int) -> int:
    """How many rows below the first ``taken`` go on with the header.

    A header continues while it lacks a name for some column or groups columns, and the next row names
    columns without naming a row.
    """
    count = 0
    while taken + count < len(rows):
        row = rows[taken + count]
        if not row or _has_amounts(row):
            break
        above = rows[: taken + count]
        named = {
            column
            for names in above
            for cell in names
            if cell.column_span == 1
            for column in range(cell.column, cell.last_column + 1)
        }
        whole = set(range(1, width)) <= named
        labelled = row[0].column == 0 and find_unit_words(row[0].text) is None
        # A row with a label of its own and a full header above it is data.
        if whole and labelled:
            break
        count += 1
    return count - _count_lone_rows(rows[taken : taken + count])


def _count_lone_rows(rows: Sequence[Sequence[GridCell]]) -> int:
    """The rows at the end with a label only: headings of the rows that follow."""
    count = 0
    for row in reversed(rows):
        if any(cell.column > 0 for cell in row):
            break
        count += 1
    return count


def _is_box(text: str) -> bool:
    """Whether a text is a box to check, checked or not."""
    return len(text) == 1 and unicodedata.category(text) == "So"


def _is_text_header(rows: Sequence[Sequence[GridCell]], width: int) -> bool:
    """Whether the first row of a grid of words names its columns."""
    if len(rows) < 2:
        return False
    names = [cell.text for cell in rows[0]]
    if any(classify(name) in {"amount", "dash"} or _is_box(name) for name in names):
        return False
    bold = all(cell.bold for cell in rows[0])
    section = rows[1][0].bold or rows[1][-1].column > 0
    if bold and len(names) > 1 and section and not any(c.bold for c in rows[1] if c.column > 0):
        return True
    columns = [cell.column for cell in rows[0]]
    # An empty corner is a sign of its own, even above two columns.
    full = columns == list(range(1, width)) or (columns == list(range(width)) and width > 2)
    return (
        full
        and len(set(names)) == len(names)
        and all(
            len(name) <= _MAX_LABEL
            and not name.endswith((".", ":", ";"))
            and classify(name) == "text"
            for name in names
        )
    )


def _count_stubs(header: GridHeader) -> int:
    body = header.rows[header.height :]
    if header.width < 2 or not body:
        return 0
    columns: list[list[GridCell]] = [[] for _ in range(header.width)]
    for row in body:
        for cell in row:
            columns[cell.column].append(cell)
    marked = 0
    while marked < header.width - 1 and columns[marked] and all(c.header for c in columns[marked]):
        marked += 1
    if not (marked or _labels_rows(columns[0]) or _numbers_rows(columns[0], columns[1])):
        return 0
    count = max(marked, 1)
    # A label that holds for several rows leaves the next column to distinguish them.
    while count < header.width - 1 and _is_grouped(body, count):
        texts = {classify(cell.text) for cell in columns[count]}
        others = [classify(c.text) for column in columns[count + 1 :] for c in column]
        if not columns[count] or texts - {"text", "year"}:
            break
        if others.count("text") > _WORDS * len(others):
            break
        count += 1
    return _count_telling(body, columns, count)


def _count_telling(
    body: Sequence[Sequence[GridCell]], columns: Sequence[Sequence[GridCell]], stubs: int
) -> int:
    """How many columns tell apart the rows of each merged label: those of words that follow it.

    With plain numbers among these words, or with none behind them, only the ``stubs`` label rows.
    """
    merged = [cell for cell in columns[0] if cell.row_span > 1]
    texts = {
        (number, column): cell.text
        for row in body
        for cell in row
        for number in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.last_column + 1)
    }
    for count in range(stubs, len(columns)):
        rows = [range(cell.row, cell.row + cell.row_span) for cell in merged]
        paths = [[tuple(texts.get((n, c)) for c in range(count)) for n in own] for own in rows]
        if all(len(set(own)) == len(own) for own in paths):
            return count if any(map(_has_numbers, columns[count:])) else stubs
        if not any(texts.get((n, count), "").strip(_FIGURES) for own in rows for n in own):
            return stubs
    return stubs


def _has_numbers(column: Sequence[GridCell]) -> bool:
    numbers = sum(bool(_DIGIT.search(cell.text)) for cell in column)
    return 2 * numbers > len(column)


def _labels_rows(column: Sequence[GridCell]) -> bool:
    """Whether the first column has labels: words, years, or plain numbers that are all different."""
    texts = [cell.text for cell in column]
    plain = [text for text in texts if text.isdigit()]
    counts = len(set(plain)) == len(plain)
    amounts = [
        text
        for text in texts
        if classify(text) in {"amount", "dash"} and not (counts and text.isdigit())
    ]
    return 2 * len(amounts) <= len(texts)


def _numbers_rows(first: Sequence[GridCell], second: Sequence[GridCell]) -> bool:
    """Whether the first column has numbers ("3.1", "10.204") of what the second one describes.

    They are of one shape, as article numbers are, or are beside long texts.
    """
    numbers = [cell.text for cell in first if cell.column_span == 1]
    words = [len(cell.text.split()) for cell in second if classify(cell.text) == "text"]
    shapes = {_DIGIT.sub("0", number) for number in numbers}
    return (
        len(set(numbers)) == len(numbers) > 1
        and all(len(number) <= _MAX_NUMBER for number in numbers)
        and len(words) == len(second) == len(numbers)
        and ((len(shapes) == 1 and min(map(len, shapes)) > 2) or sum(words) > 3 * len(words))
    )


def _is_grouped(body: Sequence[Sequence[GridCell]], stubs: int) -> bool:
    """Whether the first columns have a label for several rows: merged, or the same again or nothing."""
    if any(cell.row_span > 1 for row in body for cell in row if cell.column == stubs - 1):
        return True
    keys: list[Labels] = []
    for row in body:
        own = tuple(cell.text for cell in row if cell.column < stubs)
        if len(row) > len(own) + 1:
            keys.append(own or keys[-1] if keys else own)
    return len(keys) > 1 and len(set(keys)) <= _REPEATED * len(keys)


def _collect_labels(header: GridHeader, rows: Iterable[int]) -> dict[int, Labels]:
    """The labels of each column; what is above the row labels goes into the corner.

    A period there ("Three Months Ended") begins the labels of all columns.
    """
    paths: dict[int, list[str]] = {}
    periods: list[str] = []
    values = header.width - header.stubs
    for number in rows:
        for cell in header.rows[number]:
            whole = cell.column_span >= values > 1
            if cell.last_column < header.stubs or (whole and find_unit_words(cell.text)):
                period = _PERIOD.search(fold(cell.text))
                (periods if period and not whole else header.corner).append(cell.text)
                continue
            for column in range(max(cell.column, header.stubs), cell.last_column + 1):
                path = paths.setdefault(column, [])
                if not path or path[-1] != cell.text:
                    path.append(cell.text)
                if not cell.certain:
                    header.doubtful_columns.add(column)
    return {column: (*periods, *path) for column, path in paths.items()}


def _find_inner_headers(header: GridHeader, said: Sequence[range] | None) -> None:
    """Find the headers below the first rows of data: repeated on a new page, or for a new part.

    Where a person has said which rows are headers, only those that repeat them are more.
    """
    amounts: dict[int, int] = {}
    totals: dict[int, int] = {}
    body = range(header.height, len(header.rows))
    for number in body:
        for cell in header.rows[number]:
            kind = classify(cell.text)
            totals[cell.column] = totals.get(cell.column, 0) + 1
            amounts[cell.column] = amounts.get(cell.column, 0) + (kind in {"amount", "dash"})
    first = {
        tuple(cell.text for cell in row) for row in header.rows[: header.height] if len(row) > 1
    }
    group: list[int] = []
    for number in body:
        row = header.rows[number]
        names = [cell for cell in row if cell.column >= header.stubs]
        repeats = tuple(cell.text for cell in row) in first
        mostly = sum(2 * amounts[cell.column] > totals[cell.column] for cell in names)
        renamed = (
            len(names) > 1
            and not _has_amounts(row)
            and mostly == len(names)
            and (row[0].column >= header.stubs or row[0].bold or bool(find_unit_words(row[0].text)))
        )
        if said is not None:
            renamed = any(number in run for run in said)
        if repeats or (renamed and number + 1 < len(header.rows)):
            group.append(number)
            header.repeated.add(number)
        elif group:
            header.starts.append(number)
            header.paths.append(_collect_labels(header, group))
            group = []
