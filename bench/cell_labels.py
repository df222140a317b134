"""Whether read table cells carry the labels that a person gave them.

Values are equal without spaces, currency signs and kinds of dashes; a percent sign and the
parentheses of a negative count. Labels are compared as words, without case, punctuation and
footnote marks. A path is right if it has all the person's labels in order and no word of another
label; outer labels may be in the table's title or the section's heading. A word that the
person did not give is wrong unless title, unit, the other path or the row's own values have it.
Fewer labels are not right, but not wrong either.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

Path = tuple[str, ...]

_SUPERSCRIPTS = re.compile("[\u00b9\u00b2\u00b3\u2070-\u2079†‡§*]+")
_MARK = re.compile(r"\s*(?:\((?:\d{1,2}|[a-z])\)\s*,?\s*)+$", re.IGNORECASE)
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_CURRENCY = re.compile("[$€£¥]")
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+|[%#]")
_POINTS = re.compile(r"[,;:.'\"’‘“”•]")


@dataclass(frozen=True)
class LabelledCell:
    row: Path
    column: Path
    value: str


@dataclass(frozen=True)
class ReadTable:
    """A table as a reader gives it; ``heading`` is the section that it is in."""

    cells: tuple[LabelledCell, ...]
    page: int = 1
    title: str = ""
    heading: str = ""


@dataclass(frozen=True)
class GoldTable:
    """Some or all cells of a table, labelled by a person."""

    cells: tuple[LabelledCell, ...]
    page: int = 1
    title: str = ""
    unit: str = ""
    file: str = ""


@dataclass
class Scores:
    """Counts over cells and tables; ``add`` adds those of another part, times a weight."""

    cells: float = 0
    found: float = 0
    rows: float = 0
    columns: float = 0
    right: float = 0
    wrong: float = 0
    misread: float = 0
    """Cells with a person's labels but another value."""

    def add(self, other: Scores, weight: float = 1) -> None:
        for one in fields(self):
            value = getattr(self, one.name) + weight * getattr(other, one.name)
            setattr(self, one.name, value)

    @property
    def precision(self) -> float:
        return self.right / max(self.found + self.misread, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.cells, 1)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(self.found + self.misread + self.cells, 1)

    @property
    def wrong_share(self) -> float:
        """Share of the found values that carry a label that is not theirs."""
        return self.wrong / max(self.found, 1)


@dataclass(frozen=True)
class Match:
    """A person's cell with the read cell of its value, if any; ``wrong`` are foreign words."""

    gold: LabelledCell
    read: LabelledCell | None = None
    row: bool = False
    column: bool = False
    wrong: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return self.row and self.column and not self.wrong


def value_key(text: str) -> str:
    """Return a value in the form in which it is compared."""
    text = _SUPERSCRIPTS.sub("", text) if re.search(r"[^\W\d_]", text) else text
    text = _DASHES.sub("-", unicodedata.normalize("NFKC", text))
    key = "".join(_CURRENCY.sub("", text).split())
    return _POINTS.sub("", key).casefold() if re.search(r"[^\W\d_]", key) else key


def label_words(label: str) -> tuple[str, ...]:
    """Return a label's words without footnote marks; a mark that is the whole label stays."""
    text = unicodedata.normalize("NFKC", _SUPERSCRIPTS.sub("", label))
    text = text if text.strip() else unicodedata.normalize("NFKC", label)
    text = _MARK.sub("", text) or text
    return tuple(_WORD.findall(text.casefold()))


def _flatten(path: Iterable[str]) -> list[str]:
    return [word for label in path for word in label_words(label)]


def _same(gold: str, read: str) -> bool:
    # "debt²" is stored as "debt2" where a reader does not see that the figure is raised.
    return gold == read or (len(gold) > 2 and gold == read[:-1] and read[-1].isdigit())


def _consume(gold: Path, read: Sequence[str]) -> set[int] | None:
    """Return the positions of the gold labels' words in ``read``, or None if one is missing."""
    taken: set[int] = set()
    start = 0
    for label in gold:
        words = label_words(label)
        for place in range(start, len(read) - len(words) + 1):
            if all(_same(word, read[place + i]) for i, word in enumerate(words)):
                taken.update(range(place, place + len(words)))
                start = place + len(words)
                break
        else:
            return None
    return taken


@dataclass
class _Context:
    """What may come with a cell's own labels."""

    explained: set[str]
    by_row: Mapping[Path, set[str]]
    labels: set[tuple[str, ...]]

    @classmethod
    def of(cls, table: GoldTable) -> _Context:
        by_row: dict[Path, set[str]] = defaultdict(set)
        for cell in table.cells:
            by_row[cell.row].update(label_words(cell.value))
        labels = {label_words(label) for cell in table.cells for label in cell.row + cell.column}
        return cls(set(_flatten((table.title, table.unit))), by_row, labels)


@dataclass(frozen=True)
class _Axis:
    """The labels of a person's cell along rows or columns, and what may come with them."""

    own: Path
    other: Path
    known: set[str]
    labels: set[tuple[str, ...]]

    def judge(self, read: Path, outer: Sequence[str]) -> tuple[bool, tuple[str, ...]]:
        """Return whether all labels are there, and the words that are another's."""
        words = _flatten(read)
        taken = _consume(self.own, words)
        complete = taken is not None
        if taken is None:
            whole = _consume(self.own, [*outer, *words])
            complete = whole is not None and any(place >= len(outer) for place in whole)
        wrong: list[str] = []
        place = 0
        for label in read:
            size = len(label_words(label))
            left = [i for i in range(place, place + size) if i not in (taken or ())]
            wrong += self._find_foreign(label_words(label), [words[i] for i in left])
            place += size
        return complete, tuple(wrong)

    def _find_foreign(self, label: tuple[str, ...], left: Sequence[str]) -> list[str]:
        own, across = _flatten(self.own), set(_flatten(self.other))
        foreign = label in self.labels and not set(label) <= {*own, *across}
        if foreign and len(left) == len(label):
            return [word for word in left if word not in own] or list(left)
        return [
            word
            for word in left
            if not any(_same(mine, word) for mine in own)
            and word not in across
            and word not in self.known
            and not (len(word) == 1 and len(label) > 1)
        ]


def judge(gold: LabelledCell, read: LabelledCell, table: ReadTable, context: _Context) -> Match:
    """Compare the labels of two cells of the same value."""
    near = {
        word
        for row, words in context.by_row.items()
        for word in words
        if row[: len(gold.row)] == gold.row or gold.row[: len(row)] == row
    }
    known = context.explained | near
    outer = _flatten((table.heading, table.title))
    rows = _Axis(gold.row, gold.column, known, context.labels)
    columns = _Axis(gold.column, gold.row, known, context.labels)
    row, foreign_row = rows.judge(read.row, outer)
    column, foreign_column = columns.judge(read.column, outer)
    return Match(gold, read, row, column, foreign_row + foreign_column)


@dataclass
class _Pool:
    """The read cells of a page by value; those of the page before count only if right."""

    by_value: dict[str, list[tuple[int, LabelledCell, ReadTable, bool]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    used: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, tables: Sequence[ReadTable], page: int) -> _Pool:
        pool, number = cls(), 0
        before = [table for table in tables if table.page == page - 1][-1:]
        for table in [*before, *(table for table in tables if table.page == page)]:
            for cell in table.cells:
                entry = (number, cell, table, table.page >= page)
                pool.by_value[value_key(cell.value)].append(entry)
                number += 1
        return pool


def match_page(
    gold: Sequence[GoldTable], tables: Sequence[ReadTable]
) -> Iterator[tuple[GoldTable, list[Match], Scores]]:
    """Match the tables that a person labelled on one page; each read cell serves once."""
    page = gold[0].page
    pool = _Pool.of(tables, page)
    asked = Counter(value_key(cell.value) for table in gold for cell in table.cells)
    pairs = []
    for number, table in enumerate(gold):
        context = _Context.of(table)
        for place, cell in enumerate(table.cells):
            key = value_key(cell.value)
            offered = pool.by_value.get(key, ())
            for identity, read, within, here in offered:
                match = judge(cell, read, within, context)
                near = bool(set(_flatten(cell.row)) & set(_flatten(read.row)))
                # A value that many cells have says nothing about whose labels these are.
                likely = near or (match.row and bool(cell.row)) or len(offered) <= asked[key]
                likely = likely or (match.column and bool(cell.column) and not read.row)
                if match.right or (here and likely):
                    rank = (match.right, match.row + match.column, near, -len(match.wrong))
                    pairs.append((rank, identity, number, place, match))
    pairs.sort(key=lambda pair: pair[0], reverse=True)
    chosen: dict[tuple[int, int], Match] = {}
    for _, identity, number, place, match in pairs:
        if (number, place) not in chosen and identity not in pool.used:
            pool.used.add(identity)
            chosen[number, place] = match
    spare = [
        read
        for offered in pool.by_value.values()
        for identity, read, _, here in offered
        if here and identity not in pool.used
    ]
    for number, table in enumerate(gold):
        matches = [
            chosen.get((number, place), Match(cell)) for place, cell in enumerate(table.cells)
        ]
        scores = _count(matches)
        scores.misread = _count_misread(matches, spare)
        yield table, matches, scores


def _count(matches: Sequence[Match]) -> Scores:
    found = [match for match in matches if match.read]
    return Scores(
        cells=len(matches),
        found=len(found),
        rows=sum(match.row for match in found),
        columns=sum(match.column for match in found),
        right=sum(match.right for match in found),
        wrong=sum(bool(match.wrong) for match in found),
    )


def _count_misread(matches: Sequence[Match], spare: Sequence[LabelledCell]) -> int:
    paths = {(tuple(_flatten(cell.row)), tuple(_flatten(cell.column))) for cell in spare}
    missed = (match.gold for match in matches if not match.read)
    return sum(
        (tuple(_flatten(cell.row)), tuple(_flatten(cell.column))) in paths for cell in missed
    )
