"""What one sentence, list item or row of a source says, cut into words that can be compared.

A statement is compared with one unit at a time, so that nothing is ever read into two sentences
together. A list item is a unit by itself and with the sentence that opens its list; the row of a
table is its fields, each a value with its labels and unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from foundry.analysis import fold
from foundry.lexicon import load_shared_lexicon
from foundry.records import Chunk, Evidence, Source
from foundry.text.alignment import AlignmentToken, tokenize_line
from foundry.text.lines import UNIT_LABELS, ParsedLine, parse_evidence, parse_line
from foundry.text.passages import Passage, find_passages, label_cells
from foundry.text.statements import clean_caption, clean_words, join_opening
from foundry.text.tables import find_cells

_LEXICON = load_shared_lexicon()
_ARTICLES = _LEXICON.general.articles
_ABBREVIATIONS = _LEXICON.headings.label_abbreviations
_GENERIC_LABELS = _LEXICON.headings.generic_labels
_TAG = re.compile(r"<[a-zA-Z/][^<>]*>|^\s*[!?=]{3}")

Token = AlignmentToken


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A value of a row: the words of its column's labels, each with its other forms, and its own."""

    label: tuple[tuple[Token, ...], ...]
    value: tuple[Token, ...]
    text: str
    title: str


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row of a table: ``names`` are its labels, outermost first, ``corner`` what those are.

    ``about`` are the words of its table's title and unit. ``certain`` is false if the reader
    doubts the structure of the table.
    """

    names: tuple[tuple[Token, ...], ...]
    corner: tuple[Token, ...]
    fields: tuple[Field, ...]
    about: tuple[Token, ...]
    certain: bool


@dataclass(frozen=True, slots=True, eq=False)
class SourceUnit:
    """One sentence, item or row with its passages; ``tokens`` are its words without articles.

    ``keys`` are those of all its words, a quantity's is ""; ``around`` are the words of its title
    and headings. ``marked_up`` if markup is left in it, so that its parts may not belong together.
    """

    evidence: Evidence
    passages: tuple[Passage, ...]
    text: str
    tokens: tuple[Token, ...]
    keys: frozenset[str]
    around: tuple[Token, ...]
    row: Row | None = None
    marked_up: bool = False


@lru_cache(maxsize=1024)
def list_units(evidence: Evidence, language: str) -> tuple[SourceUnit, ...]:
    """The units of a piece of evidence in reading order; headings are none.

    ``language`` is that of the statements, whose words are reduced to the same stems.
    """
    chunk, source = evidence.hit.chunk, evidence.hit.source
    around = read_words(_join_context(chunk, source), language)
    rows = {line.passage: line for line in parse_evidence(evidence).lines if line.columns}
    units: list[SourceUnit] = []
    opening: Passage | None = None
    for passage in find_passages(chunk):
        if passage.kind == "heading" or passage.labels:
            continue
        if passage.cells and passage in rows:
            units.append(_build_row(evidence, passage, rows[passage], around, language))
            continue
        units += _build_sentences(evidence, passage, opening, around, language)
        if passage.kind != "list_item":
            opening = passage if passage.text.rstrip("*_ ").endswith(":") else None
    return tuple(units)


def _join_context(chunk: Chunk, source: Source) -> str:
    headings = dict.fromkeys((*chunk.heading_path, *chunk.headings))
    below = dict.fromkeys(heading for block in chunk.blocks for heading in block.heading_path)
    return " . ".join((source.title, *headings, *below))


def read_words(text: str, language: str) -> tuple[Token, ...]:
    """The words of a text in reading order, each quantity as one, without articles."""
    return drop_articles(tokenize_line(_parse(text, language), language))


@lru_cache(maxsize=4096)
def _parse(text: str, language: str) -> ParsedLine:
    return parse_line(text, language)


def drop_articles(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The words that are no article; "één" and the name "A" are none."""
    return tuple(t for t in tokens if t.text.lower() not in _ARTICLES or t.is_code)


def _build_sentences(
    evidence: Evidence,
    passage: Passage,
    opening: Passage | None,
    around: tuple[Token, ...],
    language: str,
) -> Iterator[SourceUnit]:
    """The unit of a passage, and for a list item that with its opening sentence."""
    kind = evidence.hit.source.type
    text = clean_words(passage.text, kind)
    if passage.kind == "caption":
        text = clean_caption(text)
    yield _build_sentence(evidence, (passage,), text, around, language)
    if opening is not None:
        whole = join_opening(clean_words(opening.text, kind), text)
        yield _build_sentence(evidence, (opening, passage), whole, around, language)


def _build_sentence(
    evidence: Evidence,
    passages: tuple[Passage, ...],
    text: str,
    around: tuple[Token, ...],
    language: str,
) -> SourceUnit:
    tokens = read_words(text, language)
    marked_up = any(_TAG.search(passage.text) for passage in passages)
    keys = frozenset(token.key for token in tokens)
    return SourceUnit(evidence, passages, text, tokens, keys, around, marked_up=marked_up)


def _build_row(
    evidence: Evidence,
    passage: Passage,
    line: ParsedLine,
    around: tuple[Token, ...],
    language: str,
) -> SourceUnit:
    columns = label_cells(passage, evidence.hit.chunk)
    row = _read_row(passage, line, columns, language)
    every = [tokenize_line(part, language) for part in line.columns]
    tokens = drop_articles([token for part in every for token in part])
    about = row.about if row else ()
    keys = frozenset(token.key for token in (*tokens, *about))
    return SourceUnit(evidence, (passage,), line.text, tokens, keys, around, row)


def _read_row(
    passage: Passage, line: ParsedLine, columns: Sequence[tuple[str, str]], language: str
) -> Row | None:
    """The fields of a row; None where nothing names its columns."""
    table = passage.place.table
    cells = find_cells(table, passage.start, passage.end) if table else ()
    if table is None or not cells:
        return None
    paths = {cell.row for cell in cells}
    named = len(paths) == 1 and bool(cells[0].row)
    fields = tuple(
        _read_field(label, text, part, language)
        for (label, text), part in zip(columns, line.columns, strict=True)
        if fold(label) not in UNIT_LABELS
    )
    about = read_words(f"{table.title or ''} {table.unit or ''}", language)
    if not named:
        return Row((), (), fields, about, table.certain)
    names = tuple(read_words(label, language) for label in cells[0].row)
    return Row(names, read_words(table.corner, language), fields[1:], about, table.certain)


def _read_field(label: str, text: str, part: ParsedLine, language: str) -> Field:
    """A value with its unit; the label stands before it in the words of ``part``."""
    start = len(part.text) - len(text)
    value = drop_articles([t for t in tokenize_line(part, language) if t.start >= start])
    words = () if fold(label) in _GENERIC_LABELS else read_words(label, language)
    forms = tuple(_list_forms(token, language) for token in words if token.weight >= 1)
    return Field(forms, value, text, label)


def _list_forms(token: Token, language: str) -> tuple[Token, ...]:
    """A word of a label and those that it is short for: "Max" is "maximum"."""
    long = (read_words(form, language) for form in _ABBREVIATIONS.get(token.folded, ()))
    return (token, *(word for words in long for word in words))
