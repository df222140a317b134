"""Shown passages: where each is, its lines as they are in the source, the nearest marked.

Sentences are laid out as a paragraph, items as a list, rows as a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from foundry.analysis import analyse
from foundry.messages import Message
from foundry.records import BlockKind, Excerpt, ExcerptLine, Quote
from foundry.render.places import describe_place, format_revision, note_reading

NEAREST = "▸"
"""Before the line of a passage that is nearest to what was asked."""
_JOINED = frozenset({"paragraph", "list_item", "table", "code", "cue"})
"""Kinds of which neighbouring lines belong together."""


def render_excerpt(excerpt: Excerpt, names: Mapping[str, str]) -> str:
    """A passage under the line that says where it is; ``names`` are those of files by path."""
    lines = [_render_place(excerpt, names)]
    if excerpt.table and excerpt.table not in excerpt.headings:
        lines.append(f"    {excerpt.table}")
    lines += [render_line(line) for line in excerpt.lines]
    same = dict.fromkeys(
        f"{item.id} {names.get(item.hit.source.path, item.hit.source.path)}"
        for item in excerpt.same
    )
    if same:
        lines.append(f"    {Message('answer-passage-same', sources=list(same))}")
    return "\n".join(lines)


def _render_place(excerpt: Excerpt, names: Mapping[str, str]) -> str:
    hit = excerpt.evidence.hit
    marked = excerpt.nearest or excerpt.lines[0]
    place = describe_place(marked.quotes[0])
    name = names.get(hit.source.path, hit.source.path)
    where = ", ".join(part for part in (name, format_revision(hit.source), place) if part)
    notes = "; ".join(map(str, (*hit.notices, *note_reading(excerpt.quotes))))
    placed = f"{excerpt.evidence.id}  {where}"
    return str(Message("answer-source-noted", source=placed, notices=notes)) if notes else placed


def render_line(line: ExcerptLine) -> str:
    """The line as text, the nearest after its mark, one that is not next to the others in parentheses."""
    text = f"({line.text})" if line.context else line.text
    return f"  {NEAREST if line.nearest else ' '} {text}"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a quote; ``marked`` if the sentence has its words too."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class LineGroup:
    """Neighbouring lines that are shown as one: a paragraph, list, table, piece of code or talk.

    ``labels`` are those of the columns of a table, () if its rows have no cells.
    """

    kind: BlockKind
    lines: tuple[ExcerptLine, ...]
    labels: tuple[str, ...] = ()
    context: bool = False

    @property
    def rows(self) -> tuple[tuple[ExcerptLine, tuple[str, ...]], ...]:
        """Each row of a table with a value for each label, "" where it has none."""
        return tuple((line, _align_cells(line, self.labels)) for line in self.lines)

    @property
    def upright(self) -> bool:
        """Whether a table reads better with its labels beside the values: a single row of many."""
        return len(self.lines) == 1 and len(self.labels) > 2


def group_lines(lines: Iterable[ExcerptLine]) -> tuple[LineGroup, ...]:
    """The lines in their order; those of one list, paragraph or table together."""
    groups = groupby(enumerate(lines), key=lambda pair: _find_key(*pair))
    return tuple(_build_group(tuple(line for _, line in run)) for _, run in groups)


def _find_key(number: int, line: ExcerptLine) -> tuple[object, ...]:
    alone = None if line.kind in _JOINED else number
    labels = _list_labels(line)
    # A row has no cell where its value is missing, so rows of one table may differ in labels.
    table = labels[:1] if len(set(labels)) == len(labels) else labels
    return line.kind, line.context, table, alone


def _build_group(lines: tuple[ExcerptLine, ...]) -> LineGroup:
    first = lines[0]
    labels = list(_list_labels(first))
    for line in lines[1:]:
        at = 0
        for label in _list_labels(line):
            if label not in labels:
                labels.insert(at, label)
            at = labels.index(label) + 1
    return LineGroup(first.kind, lines, tuple(labels), first.context)


def _list_labels(line: ExcerptLine) -> tuple[str, ...]:
    return tuple(label for label, _ in line.cells)


def _align_cells(line: ExcerptLine, labels: tuple[str, ...]) -> tuple[str, ...]:
    if _list_labels(line) == labels:
        return tuple(value for _, value in line.cells)
    values = dict(line.cells)
    return tuple(values.get(label, "") for label in labels)


def find_nearest_quotes(lines: Sequence[ExcerptLine]) -> tuple[Quote, ...]:
    """The exact words of the line nearest to what was asked, else those of all lines.

    Of a row it is the row alone: its header comes before it.
    """
    nearest = next((line for line in lines if line.nearest), None)
    if nearest is None:
        return tuple(quote for line in lines for quote in line.quotes)
    return nearest.quotes[-1:] if nearest.kind == "table" else nearest.quotes


def mark_words(quote: str, terms: frozenset[str], language: str) -> Iterator[Part]:
    """The quote in pieces; a word is marked if one of its index terms is among ``terms``."""
    pieces = re.findall(r"\s+|\S+", quote)
    shared = [not terms.isdisjoint(analyse(piece, language)) for piece in pieces]
    # A space between two marked words is marked with them.
    around = zip([False, *shared], pieces, shared, [*shared[1:], False], strict=False)
    flags = [own or (piece.isspace() and left and right) for left, piece, own, right in around]
    for marked, run in groupby(zip(pieces, flags, strict=True), key=itemgetter(1)):
        yield Part("".join(piece for piece, _ in run), marked)


def mark_shared(text: str, shared: Iterable[str], language: str) -> Iterator[Part]:
    """The text in pieces, with the shared words marked in any form, values only as they are written."""
    values = [words for words in shared if any(char.isdigit() for char in words)]
    others = (words for words in shared if words not in values)
    terms = frozenset(term for words in others for term in analyse(words, language))
    pattern = "|".join(map(re.escape, sorted(values, key=len, reverse=True))) or r"(?!)"
    for number, piece in enumerate(re.split(rf"(?<![\w.,])({pattern})(?!\w)", text)):
        if number % 2:
            yield Part(piece, marked=True)
        else:
            yield from mark_words(piece, terms, language)
