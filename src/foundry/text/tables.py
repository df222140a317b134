"""Tables in words: where rows and cells are in a text, and what they say with labels and units."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

from foundry.analysis import analyse, fold
from foundry.analysis.lexer import LETTERS, YEAR, trim_span
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Table, TableCell
from foundry.text.headings import CAPTION
from foundry.text.units import find_unit

_LEXICON = load_shared_lexicon()
_SCALES = _LEXICON.numbers.multipliers
_SCALE = re.compile(rf"\b({build_alternation(_SCALES)})(?:s|en)?\b|x?\s*1[.,]000\b", re.IGNORECASE)
_SCALED = re.compile(
    rf"\b{build_alternation(_SCALES)}(?:s|en)?\b|[€$£]\s*(?:x\s*)?1[.,]?000|\bx\s*1[.,]000",
    re.IGNORECASE,
)
_IN = re.compile(r"\b(?:in|en)\s+([^\s,;:)]+)", re.IGNORECASE)
_UNIT_SYMBOLS = frozenset({"%", "$", "€", "£"})
_ISO_CODE = re.compile(r"[A-Z]{3}")
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_CLOSING_UNIT = re.compile(r"\b(?:in|en)\s+\S+(?:\s+\S+)?$", re.IGNORECASE)
_MAX_UNIT_LINE = 6
"""Most words of a line that closes with the unit of all values. A guess: longer ones are sentences."""
_SENTENCE_END = re.compile(r"[.!?]$")
# "x 1.000" is written as in Dutch, "x 1,000" as in English.
_THOUSANDS = {".": "duizend", ",": "thousand"}
_CURRENCY = re.compile(r"\b[A-Z]{3}\b|[€$£¥]")
_PLAIN = re.compile(r"[(\[]?[-−–+]?\s*\d[\d.,'’\u00a0\u202f ]*[)\]]?")
_SIGNED = re.compile(r"[(\[]?[-−–+]?\s*[€$£¥]\s*[(\[]?[-−–+]?\s*\d[\d.,'’\u00a0\u202f ]*[)\]]?")
_SIGN = re.compile(r"[€$£¥]|%")
_DECIMALS = re.compile(r"\d(?:[.,](\d{1,2}))?(?!\d|[.,]\d)")
_RATIO = re.compile(rf"\b{build_alternation(_LEXICON.headings.ratios)}\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\(([^()]*)\)")
_LINE = re.compile(r"\S(?:[^\n\r]*\S)?")
_RULE = re.compile(r"[\s|:+=—–-]*")
_BAR = re.compile(r"(?<!\\)\|")
_WIDE_GAP = re.compile(r"\t+| {3,}")
_EXCEPTION = re.compile(
    rf"\b{build_alternation(_LEXICON.headings.unit_exceptions)}\b", re.IGNORECASE
)


def find_unit_words(line: str) -> str | None:
    """The part of a line that says the unit of all values, or None.

    It is in brackets, or it is the whole line: "Sales (in millions)", "In thousands of CHF: 2023".
    """
    for part in _IN_BRACKETS.findall(line):
        if _says_unit(part) or part in _UNIT_SYMBOLS:
            return str(part).strip()
    words = line.strip(" ()[]:")
    if _SENTENCE_END.search(words):
        return None
    return words if _says_unit(words) and _opens_with_unit(words) else None


def find_line_unit(line: str) -> str | None:
    """The unit that a line beside a table says: as above, "(mm)", or "All values in mV"."""
    inner = _IN_BRACKETS.fullmatch(line.strip())
    if inner and find_unit(inner[1].strip()):
        return inner[1].strip()
    if found := find_unit_words(line):
        return found
    closing = _CLOSING_UNIT.search(line.strip(" :."))
    short = closing is not None and len(line.split()) <= _MAX_UNIT_LINE
    return closing[0] if closing and short and _says_unit(closing[0]) else None


def says_only_unit(line: str) -> bool:
    """Whether a line beside a table says no more than what its values are in."""
    short = len(line.split()) <= _MAX_UNIT_LINE and not line[:1].islower()
    closes = short and not _IN_BRACKETS.search(line) and find_line_unit(line) is not None
    return closes or _is_unit_only(line)


def split_caption(
    above: Sequence[str], titles: Iterable[str], corner: Iterable[str]
) -> tuple[str | None, str | None]:
    """The title and the unit of a table, each None if nothing says it.

    ``above`` are the lines before it, nearest last; ``titles`` are rows above its header and
    ``corner`` the cells above its row labels.
    """
    inner = [*titles]
    unit = next((words for text in [*corner, *inner] if (words := find_unit_words(text))), None)
    names = [text for text in inner if not _is_unit_only(text)]
    captioned = any(map(CAPTION.match, above))
    for line in reversed(above):
        unit = unit or find_line_unit(line)
        if not (_is_unit_only(line) or (captioned and not CAPTION.match(line))):
            names.insert(0, line)
            break
    return " – ".join(dict.fromkeys(names)) or None, unit


def _is_unit_only(line: str) -> bool:
    """Whether a line is no more than a unit: "(In millions) (unaudited)"."""
    words = find_unit_words(line) or (line[:1] in "([" and find_line_unit(line)) or None
    return words is not None and (
        words == line.strip(" ()[]:") or not _IN_BRACKETS.sub("", line).strip()
    )


@lru_cache(maxsize=4096)
def _says_unit(text: str) -> bool:
    """Whether a text names a scale ("millions", "x 1.000") or says what values are in ("in CHF")."""
    if _SCALED.search(text):
        return True
    words = (match[1] for match in _IN.finditer(text))
    return any(_ISO_CODE.fullmatch(word) or find_unit(word) for word in words)


def _opens_with_unit(words: str) -> bool:
    """Whether a line begins with its unit: "In millions", "$ thousands", "Dollars in millions"."""
    if _IN.match(words) or _SCALED.match(words) or words[0] in "€$£":
        return True
    return find_unit(words.split(maxsplit=1)[0]) is not None


@dataclass(frozen=True, slots=True)
class TableUnit:
    """What all values are in: ``words`` follow a number ("million CHF"), ``about`` labels it.

    ``excepted`` are the terms of rows and columns that it does not apply to.
    """

    words: str = ""
    currency: str = ""
    about: str = ""
    excepted: frozenset[str] = frozenset()


@lru_cache(maxsize=1024)
def read_table_unit(unit: str | None) -> TableUnit:
    """Read "In millions of CHF: January–June 2023" or "$ in millions, except per share data"."""
    if not unit:
        return TableUnit()
    head, _, about = unit.partition(":")
    exception = _EXCEPTION.search(head)
    said = head[: exception.start()] if exception else head
    excepted = frozenset(analyse(head[exception.end() :], "und")) if exception else frozenset()
    scale = _SCALE.search(said)
    word = _get_scale_word(scale) if scale else ""
    sign = _CURRENCY.search(said)
    words = (w for w in LETTERS.findall(said) if len(w) > 1 and fold(w) not in _SCALES)
    named = next(filter(find_unit, words), "")
    currency = sign[0] if sign else named
    return TableUnit(word, currency, about.strip(), excepted)


def _get_scale_word(match: re.Match[str]) -> str:
    """The word that follows a number: "million" for "millions", "thousand" for "x 1,000"."""
    return match[1].lower() if match[1] else _THOUSANDS["." if "." in match[0] else ","]


def add_unit(table: Table, cell: TableCell) -> str:
    """The value with its sign and the table's unit, unless it has its own or is excepted.

    "9,467" in a table in millions of CHF is "9,467 million CHF", in one in £ million "£9,467
    million"; "21.4%" stays as it is, and the scale is left out of an amount for each of something
    ("per share").
    """
    unit = read_table_unit(table.unit)
    value = f"{cell.value}%" if cell.sign == "%" else f"{cell.sign}{cell.value}"
    if not (unit.words or unit.currency):
        return value
    signed = _SIGNED.fullmatch(value) is not None
    if not signed and not _PLAIN.fullmatch(value):
        return value
    labels = " ".join((*cell.row, *cell.column))
    if unit.excepted & frozenset(analyse(labels, "und")) or _has_own_unit(cell.column):
        return value
    scale = "" if _RATIO.search(labels) else unit.words
    currency = "" if signed else unit.currency
    if _SIGN.fullmatch(currency):
        value, currency = f"{currency}{value}", ""
    return " ".join(part for part in (value, scale, currency) if part)


def _has_own_unit(labels: Iterable[str]) -> bool:
    """Whether a column says what else its values are in: "Remaining term (years)"."""
    words = (w for label in labels for part in _BRACKETED.findall(label) for w in part.split())
    units = (find_unit(word) for word in words if len(word) > 1)
    return any(unit is not None and not _CURRENCY.fullmatch(unit.dimension) for unit in units)


def spread_signs(column: Sequence[str]) -> list[str]:
    """The sign that each value of a column gets from those around it; "" for most.

    Accounts print "$" on the first amount and on totals only. A bare number has the sign of the
    next signed value above it and below it if both agree, also in their decimals: a number of
    shares between "$680" and "$0.27" has none.
    """
    kinds = [_find_sign(value) for value in column]
    above = accumulate(kinds, _choose_signed)
    below = [*accumulate(reversed(kinds), _choose_signed)]
    return [
        one[0]
        if one == other == (one[0], kind[1])
        and _PLAIN.fullmatch(value)
        and not YEAR.fullmatch(value)
        else ""
        for value, kind, one, other in zip(column, kinds, above, reversed(below), strict=True)
    ]


def _find_sign(value: str) -> tuple[str, int]:
    """A value's sign, and how many decimals it has."""
    sign, number = _SIGN.search(value), _DECIMALS.search(value)
    return (sign[0] if sign and number else ""), len(number[1] or "") if number else 0


def _choose_signed(near: tuple[str, int], kind: tuple[str, int]) -> tuple[str, int]:
    return kind if kind[0] else near


def describe_cell(table: Table, cell: TableCell) -> str:
    """A value as one sentence: "Zone EUR, Sales, January–June 2023: 9,467 million CHF"."""
    about = read_table_unit(table.unit).about
    said = _join((*cell.row, *cell.column, about))
    value = add_unit(table, cell)
    return f"{said}: {value}" if said else value


def find_cells(table: Table, start: int, end: int) -> Sequence[TableCell]:
    """The cells whose values begin from ``start`` up to, not including, ``end``."""
    cells = table.cells
    first = bisect_left(cells, start, key=_get_start)
    return cells[first : bisect_left(cells, end, key=_get_start)]


def _get_start(cell: TableCell) -> int:
    return cell.start


def label_row(
    table: Table, start: int, end: int, read: Callable[[int, int], str] | None = None
) -> list[tuple[str, str]]:
    """The values of a row as (label, words), the row's own name first; [] for a row of labels.

    ``start`` and ``end`` span the row in the source text, which ``read`` may give instead of the
    cells' own values. Values get the table's unit.
    """
    cells = find_cells(table, start, end)
    if read is not None:
        cells = [
            replace(cell, value=" ".join(read(cell.start, cell.end).split())) for cell in cells
        ]
    if not cells:
        return []
    about = read_table_unit(table.unit).about
    rows = dict.fromkeys(cell.row for cell in cells)
    if len(rows) > 1 or not cells[0].row:
        # Fields of a form, or rows without a name: every value has its own label.
        return [(_join((*cell.row, *cell.column)), add_unit(table, cell)) for cell in cells]
    labels: dict[int, list[TableCell]] = {}
    for cell in cells:
        labels.setdefault(cell.start, []).append(cell)
    values = [
        (_join(label for cell in same for label in cell.column), add_unit(table, same[0]))
        for same in labels.values()
    ]
    return [(table.corner, _join((*cells[0].row, about))), *values]


def _join(labels: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(label.strip(" :,") for label in labels if label))


def describe_row(table: Table, start: int, end: int) -> str:
    """A row as one line, "Zone EUR; Sales: 9,467 million CHF"; "" for a row of labels."""
    columns = label_row(table, start, end)
    if len(columns) == 2 and not columns[1][0]:
        return f"{columns[0][1]}: {columns[1][1]}"
    return "; ".join(f"{label}: {words}" if label else words for label, words in columns)


def find_lines(text: str) -> list[tuple[int, int]]:
    """The spans of the lines that are not empty, without the white space around them."""
    return [(match.start(), match.end()) for match in _LINE.finditer(text)]


@dataclass(frozen=True, slots=True)
class TextRow:
    """A line of a table's text: its span, and those of its cells, which are empty for empty cells."""

    start: int
    end: int
    cells: tuple[tuple[int, int], ...]


def find_rows(text: str, offset: int, values: Sequence[TableCell] = ()) -> list[TextRow]:
    """The rows of a table's text, which begins at ``offset`` in the source.

    A ruled line is none, unless one of the ``values`` is in it. Bars separate cells, unless they are
    escaped or in a value; without any, wide gaps do. The outer bars of "| a | b |" are edges.
    """
    held = [(value.start - offset, value.end - offset) for value in values if "|" in value.value]
    starts = {value.start - offset for value in values}
    lines = [
        line
        for line in find_lines(text)
        if not _RULE.fullmatch(text, *line) or not starts.isdisjoint(range(*line))
    ]
    edged = all(text[first] == text[last - 1] == "|" and last - first > 1 for first, last in lines)
    rows: list[TextRow] = []
    for first, last in lines:
        marks = [
            mark.span()
            for mark in (_BAR if "|" in text[first:last] else _WIDE_GAP).finditer(text, first, last)
            if not any(start <= mark.start() < end for start, end in held)
        ]
        edges = [first, *(edge for mark in marks for edge in mark), last]
        cells = list(zip(edges[::2], edges[1::2], strict=True))
        placed = (trim_span(text, *cell) for cell in (cells[1:-1] if edged else cells))
        spans = tuple((offset + start, offset + end) for start, end in placed)
        rows.append(TextRow(offset + first, offset + last, spans))
    return rows


def list_missing_lines(table: Table, before: str, after: str, start: int) -> list[str]:
    """What a piece of a table needs above it: title, unit, header, and what its first row is part of.

    ``before`` is what is already above, ``after`` begins with the piece, at the offset ``start``.
    """
    lines: list[str] = []
    for line in (table.title, table.unit):
        if line and line not in before and not any(line in other for other in lines):
            lines.append(line)
    if after.lstrip().startswith("\n".join(table.header).lstrip()):
        return lines
    first = next(iter(find_cells(table, start, start + len(after))), None)
    parents = first.row[:-1] if first else ()
    return [*lines, *table.header, *parents]
