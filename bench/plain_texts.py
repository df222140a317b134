"""Plain texts as evidence: their rows with bars as tables whose values have labels, contradictions.

No reader has seen such a text. Texts cut from documents print a header over several lines, with or without bars, two rows as one
("Cost of sales Gross margin | 12 8 | 10 7"), and signs in cells of their own. A value whose place is
in doubt gets fewer labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise, takewhile

from foundry.analysis import detect_query_language, fold, fold_in_place
from foundry.craft.conflicts import find_conflicts
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import (
    Block,
    Chunk,
    Conflict,
    Evidence,
    Focus,
    Hit,
    Labels,
    Source,
    Table,
    TableCell,
)
from foundry.text.glossary import EMPTY_GLOSSARY, Glossary
from foundry.text.periods import find_periods
from foundry.text.tables import find_lines

_YEAR = re.compile(r"(?:19|20)\d\d")
# A number, or a value with its own label.
_NO_NAME = re.compile(r"(?!(?:19|20)\d\d\b)[-+−]?\d|[^:]{1,60}: \S")
# A period ("June 30, 2022") is cut where its year is one of several.
_YEARS = re.compile(r"(?:(?:19|20)\d\d\s+)+(?:19|20)\d\d\s*$")
_RULE = re.compile(r"[\s|:+=—–-]+")
_SIGN = re.compile(r"[€$£¥]")
_VALUE = re.compile(
    r"(?<![\w.,:/-])[(\[]?[-−–+]?\d[\d.,]*[)\]]?(?:\s?%)?(?![\w:/-])|(?<!\S)[-–—](?!\S)"
)
# Where one label may end and the next begin.
_SEAM = re.compile(r"(?<=[a-z)\d])\s+(?=[A-Z][a-z]|(?:19|20)\d\d\b)")
_BRACKETED = re.compile(r"\([^)]*\)")
_WORDS = load_shared_lexicon().periods
_LENGTH = re.compile(
    rf"\b(?:(?:{build_alternation({fold(w) for words in _WORDS.lengths.values() for w in words})}|\d\d?)"
    rf"[\s-]+{build_alternation(_WORDS.months)}"
    rf"|{build_alternation(_WORDS.quarter)}|{build_alternation(_WORDS.half)}"
    rf"|{build_alternation({fold(w) for words in _WORDS.symbols.values() for w in words})}[1-4])\b"
    rf"(?:\s+{build_alternation(_WORDS.ended)}\b)?"
)
_MOST_OTHER_WORDS = 4
"""Words beside the periods in a line without bars that names columns. A guess."""

Span = tuple[int, int]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line's cells with their spans in the text."""

    words: list[str]
    spans: list[Span]

    def list_texts(self) -> list[int]:
        """The cells with words other than values."""
        return [n for n, words in enumerate(self.words) if re.search(r"\w", _VALUE.sub("", words))]

    def list_values(self) -> list[tuple[int, list[Span]]]:
        """The cells that only have values, with the spans of these; signs are no values."""
        texts = set(self.list_texts())
        found = [
            (
                n,
                [
                    (self.spans[n][0] + m.start(), self.spans[n][0] + m.end())
                    for m in _VALUE.finditer(w)
                ],
            )
            for n, w in enumerate(self.words)
            if n not in texts
        ]
        return [(n, spans) for n, spans in found if spans]

    def list_names(self) -> list[str]:
        """The names of columns: its cells, joined where one period is cut into several."""
        filled = [words for words in self.words if words]
        return filled if all(map(find_periods, filled)) else [" ".join(filled)]

    def has_amounts(self) -> bool:
        """Whether a cell after the first has a number that is not a year."""
        return any(
            n and not all(_YEAR.fullmatch(part) for part in words.split())
            for n, words in ((n, self.words[n]) for n, _ in self.list_values())
        )


def read_barred_table(text: str, offset: int, above: Sequence[str] = ()) -> Table | None:
    """The table of lines with bars; None if nothing names its rows or columns.

    ``offset`` is where ``text`` begins in the source. ``above`` are the lines before it, which may
    name its columns.
    """
    lines = [span for span in find_lines(text) if not _RULE.fullmatch(text[slice(*span)])]
    edged = all(text[first] == "|" == text[last - 1] for first, last in lines)
    rows = [_read_row(text, span, offset, edged) for span in lines]
    depth = _count_header_rows(rows)
    if all(map(_is_header, rows)):
        return None
    if rows and depth and any(map(_NO_NAME.match, rows[0].words)):
        return None
    named = [words for row in rows[:depth] for words in row.words]
    known = {part for words in named for part in _list_parts(words)}
    header = _Header(rows[:depth], _read_lines_above(above, known))
    cells: list[TableCell] = []
    again: list[_Row] = []
    for row in rows[depth:]:
        if again and not row.words[0] and not row.has_amounts():
            again.append(row)
            header = _Header(again[1:], [again[0].list_names()])
        elif _names_period(row):
            again, header = [row], _Header([], [row.list_names()])
        else:
            again = []
            cells += header.label(row)
    if len(rows) <= depth or not cells:
        return None
    first = text[slice(*lines[0])] if depth else ""
    return Table(cells=tuple(cells), corner=header.corner, header=(first,) if first else ())


def _count_header_rows(rows: Sequence[_Row]) -> int:
    """The first row unless it has amounts, and rows below it that name columns and no row."""
    if not rows or rows[0].has_amounts():
        return 0
    further = takewhile(lambda row: not row.has_amounts() and _names_only_columns(row), rows[1:-1])
    return 1 + sum(1 for _ in further)


def _names_only_columns(row: _Row) -> bool:
    return not row.words[0] or all(_names_columns(words) for words in row.words if words)


def _is_header(row: _Row) -> bool:
    """Whether a row names columns, at least two of them by a period or a length of time."""
    named = [words for words in row.words if _names_columns(words) or find_lengths(words)]
    return not row.has_amounts() and (len(named) > 1 or _names_columns(" ".join(row.words)))


def _names_period(row: _Row) -> bool:
    """Whether a row within a table says the period of those below it, as in a second header."""
    return not row.words[0] and _names_columns(" ".join(filter(None, row.words)))


def _read_row(text: str, span: Span, offset: int, edged: bool) -> _Row:
    line, start = text[slice(*span)], span[0] + int(edged)
    spans = []
    for part in line[int(edged) : len(line) - int(edged)].split("|"):
        lead = len(part) - len(part.lstrip())
        spans.append(
            (offset + start + lead, offset + max(start + lead, start + len(part.rstrip())))
        )
        start += len(part) + 1
    return _Row([text[a - offset : b - offset] for a, b in spans], spans)


def _names_columns(line: str) -> bool:
    return bool(find_periods(line)) and not re.search(r"\w", _strip(line))


def _read_lines_above(lines: Sequence[str], known: set[str]) -> list[list[str]]:
    """The names of columns in lines that only have periods, or parts of periods ("2022 2021").

    Read upwards until a line says what one below it said: ``known`` are the parts said already.
    """
    found: list[list[str]] = []
    said: list[frozenset[str]] = []
    for names in (names for line in reversed(lines) for names in _split_line(line)):
        parts = frozenset(part for name in names for part in _list_parts(name))
        years = len(found[-1]) if found else 0
        if len(names) == 1 and parts == {"year"} and found and _YEAR.fullmatch(found[0][-1]):
            found[0].insert(0, names[0])
        elif said and "length" in parts & said[0] and not years % (len(names) + len(found[0])):
            found[0][:0] = names
        elif known.isdisjoint(parts):
            known |= parts
            found.insert(0, names)
            said.insert(0, parts)
        else:
            break
    return found


def _split_line(line: str) -> Iterator[list[str]]:
    """The names in a line, the lowest first: the years at its end, or its cells, or what it lists."""
    years = _YEARS.search(line)
    if years and not _strip(line).strip():
        yield years[0].split()
        line = line[: years.start()]
    if "|" not in line:
        yield from _split_names(line)
        return
    cells = [words.strip() for words in line.split("|") if words.strip()]
    short = all(len(words.split()) <= _MOST_OTHER_WORDS for words in cells)
    if short and any(find_periods(words) or find_lengths(words) for words in cells):
        yield cells


def _split_names(line: str) -> Iterator[list[str]]:
    """The names in a line without other words: its periods, then lengths printed before them."""
    others = _strip(line).split()
    if len(others) > _MOST_OTHER_WORDS or (others and line.rstrip().endswith(".")):
        return
    periods = find_periods(line)
    first = periods[0].start if periods else len(line)
    lengths = [end for _, end in find_lengths(line) if end <= first]
    apart = len(lengths) > 1 or not periods
    if periods:
        yield _cut(line, [lengths[-1] if apart else 0, *(period.end for period in periods)])
    if lengths and apart:
        yield _cut(line, [0, *lengths])


def _cut(line: str, ends: Sequence[int]) -> list[str]:
    names = [_BRACKETED.sub("", line[a:b]).strip(" |,") for a, b in pairwise(ends)]
    return [name for name in names if name]


def find_lengths(text: str) -> tuple[tuple[int, int], ...]:
    """Where lengths of periods are said ("nine months ended", "Q3"), in reading order; no years."""
    return tuple(match.span() for match in _LENGTH.finditer(fold_in_place(text.replace("_", " "))))


def _list_parts(name: str) -> set[str]:
    """Which parts of a period a name says."""
    parts = {"length"} if find_lengths(name) else set()
    for period in find_periods(name):
        parts |= {"year"} if any(period.years) else set()
        parts |= {"day"} if period.part or period.days or period.month_day != (0, 0) else set()
    return parts


def _strip(line: str) -> str:
    """A line without its periods, lengths and brackets."""
    kept = _BRACKETED.sub(" ", line)
    spans = [(one.start, one.end) for one in find_periods(kept)]
    spans += find_lengths(kept)
    for start, end in spans:
        kept = kept[:start] + " " * (end - start) + kept[end:]
    return re.sub(r"[\W\d_]+", " ", kept)


class _Header:
    """What names the columns: rows with bars, and lines above them without."""

    def __init__(self, rows: Sequence[_Row], above: Sequence[list[str]]) -> None:
        self._rows = rows
        self._above = above
        self.corner = rows[0].words[0] if rows and len(rows[0].words) > 1 else ""

    def label(self, row: _Row) -> Iterator[TableCell]:
        """The values of a row with their labels."""
        texts, values = row.list_texts(), row.list_values()
        # One label, perhaps cut into several cells, and a value that is not simply in its place.
        apart = not texts or len(texts) == 1 or texts[-1] < min((n for n, _ in values), default=0)
        named = sum(map(bool, self._rows[0].words[1:])) if self._rows else 0
        placed = len(row.words) == self._width and texts[:1] == [0] and named != len(values)
        if values and apart and not (placed and not any(map(_is_loose, row.words[1:]))):
            name = " ".join(row.words[n] for n in texts)
            yield from self._label_amounts(row, name, values)
        else:
            yield from self._label_places(row)

    @property
    def _width(self) -> int:
        return len(self._rows[0].words) if self._rows else 0

    def _label_places(self, row: _Row) -> Iterator[TableCell]:
        """Every cell under the name in its place."""
        name = (row.words[0],) if row.words[0] else ()
        count = len(row.words) - 1
        for place, (words, span) in enumerate(zip(row.words, row.spans, strict=True)):
            if place and words and not _SIGN.fullmatch(words):
                yield TableCell(name, self._find_labels(place - 1, count, place), words, *span)

    def _label_amounts(
        self, row: _Row, name: str, values: Sequence[tuple[int, list[Span]]]
    ) -> Iterator[TableCell]:
        """The values of one row, or of several rows that are printed as one."""
        depths = {len(spans) for _, spans in values}
        depth = depths.pop() if len(depths) == 1 else 1
        names = _split_label(name, depth)
        if depth > 1:
            columns = [(n, spans) for n, spans in values]
        else:
            columns = [(n, [span]) for n, spans in values for span in spans]
        for index, (place, spans) in enumerate(columns):
            labels = self._find_labels(index, len(columns), place)
            for own, span in zip(names, spans, strict=True):
                words = row.words[place]
                start = row.spans[place][0]
                yield TableCell(
                    (own,) if own else (), labels, words[span[0] - start : span[1] - start], *span
                )

    def _find_labels(self, index: int, count: int, place: int) -> Labels:
        """The names of a column, of which there are ``count``; ``place`` is that of its cell."""
        found = [_choose_name(names, index, count) for names in self._above]
        for row in self._rows:
            filled = [words for words in row.words if words and not _SIGN.fullmatch(words)]
            whole = not row.words[0] or all(map(find_periods, filled))
            names = filled if whole else filled[1:]
            grouped = len(names) == count or all(map(find_periods, names))
            name = _choose_name(names, index, count) if grouped else ""
            if (
                not name
                and place < len(row.words)
                and row.words[place]
                and count + 1 <= len(row.words)
            ):
                name = row.words[place]
            found.append(name)
        label = " ".join(name.strip() for name in found if name)
        return (label,) if label else ()


def _is_loose(words: str) -> bool:
    """Whether a cell has more than one value, or only the sign of one."""
    values = _VALUE.findall(words)
    return len(values) > 1 or (_SIGN.search(words) is not None and not _SIGN.match(words[:-1]))


def _choose_name(names: Sequence[str], index: int, count: int) -> str:
    """The name of a column where each name has as many of the columns."""
    if not names or count % len(names):
        return ""
    return names[index * len(names) // count]


def _split_label(name: str, depth: int) -> list[str]:
    """The labels of rows that are printed as one; the whole for each where no seam shows."""
    parts = _SEAM.split(name)
    if name.endswith(":") and len(parts) == depth + 1:
        # The name of the rows below.
        return parts[:depth]
    return parts if len(parts) == depth else [name] * depth


def find_contradiction(a: str, b: str, glossary: Glossary = EMPTY_GLOSSARY) -> Conflict | None:
    """The first contradiction between two plain texts, whose sides are "a" and "b"; None without.

    Lines with bars are read as rows of a table, the first as its header.
    """
    language = detect_query_language(f"{a}\n{b}")
    sides = [
        build_plain_evidence(text, f"S{number}", name, _detect_side_language(text, language))
        for number, (text, name) in enumerate(((a, "a"), (b, "b")), 1)
    ]
    return next(iter(find_conflicts(sides, glossary)), None)


def _detect_side_language(text: str, both: str) -> str:
    own = detect_query_language(text)
    return own if own in ("nl", "en") else both


def build_plain_evidence(text: str, id: str, name: str, language: str) -> Evidence:  # noqa: A002
    """A plain text as evidence: each line a paragraph, or a table row if it has bars."""
    blocks: list[Block] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        words = line.strip()
        start = offset + len(line) - len(line.lstrip())
        kind = "table" if "|" in words else "paragraph"
        if words and kind == "table" and blocks and blocks[-1].kind == "table":
            first, end = blocks[-1].start, start + len(words)
            table = read_barred_table(text[first:end], first)
            blocks[-1] = replace(blocks[-1], end=end, table=table)
        elif words:
            blocks.append(
                Block("table" if kind == "table" else "paragraph", start, start + len(words))
            )
        offset += len(line)
    chunk = Chunk(
        id=f"chk_{name}", source_id=f"src_{name}", position=0, start=0, end=len(text), text=text,
        content=text, tokens=0, language=language, blocks=tuple(blocks),
    )  # fmt: skip
    source = Source(
        id=f"src_{name}", path=name, content_hash=name, title="", type="txt", language=language,
        size=len(text), modified=_EPOCH, ingested=_EPOCH,
    )  # fmt: skip
    return Evidence(id, Hit(chunk, source, Focus(0, len(text)), 1.0, 1.0))
