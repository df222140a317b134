"""What one sentence, list item or row of a source says, cut into words that can be compared.

A statement is compared with one unit at a time, so that nothing is ever read into two sentences
together. A list item is a unit by itself and with the sentence that opens its list; the row of a
table is its fields, each a value with its labels and unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from foundry.analysis import fold
from foundry.lexicon import load_shared_lexicon
from foundry.records import Chunk, Evidence, Source, Table
from foundry.text.alignment import AlignmentToken, tokenize_line
from foundry.text.lines import UNIT_LABELS, ParsedLine, drop_unit, parse_evidence, parse_line
from foundry.text.passages import Passage, find_passages
from foundry.text.quantities import Quantity
from foundry.text.statements import clean_caption, clean_words, join_opening
from foundry.text.tables import find_cells

_LEXICON = load_shared_lexicon()
_ARTICLES = _LEXICON.general.articles
_ABBREVIATIONS = _LEXICON.headings.label_abbreviations
_GENERIC_LABELS = _LEXICON.headings.generic_labels
_NO_SIGN = re.compile(r"[\w\s.,;:!?'\"`*_|“”„‘’‚…]")

Token = AlignmentToken


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A statement with its words, in a ``language``."""

    text: str
    tokens: tuple[Token, ...]
    language: str


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A value of a row: the words of its column's labels, each with its other forms, and its own.

    ``words`` are all those of the labels in their order; ``unit`` are those of a unit in brackets,
    which the value may say in their place. ``signs`` are the marks within the value that are no
    words. ``generic`` if the label says nothing of it ("Value"); ``worded`` if it has a word. Not ``certain`` if the reader doubts its labels.
    """

    label: tuple[tuple[Token, ...], ...]
    words: tuple[Token, ...]
    unit: tuple[Token, ...]
    value: tuple[Token, ...]
    signs: str
    text: str
    title: str
    generic: bool
    worded: bool
    certain: bool


@dataclass(frozen=True, slots=True, eq=False)
class TableRow:
    """A row of a table: ``names`` are its labels, outermost first, ``corner`` what those are.

    ``about`` are the words of its table's title and unit.
    """

    names: tuple[tuple[Token, ...], ...]
    corner: tuple[Token, ...]
    fields: tuple[Field, ...]
    about: tuple[Token, ...]

    @property
    def certain(self) -> bool:
        """Whether the reader doubts no label of its values."""
        return all(field.certain for field in self.fields)


@dataclass(frozen=True, slots=True, eq=False)
class SourceUnit:
    """One sentence, item or row with its passages; ``tokens`` are its words without articles.

    ``keys`` are those of its words and ``known`` those of its title and headings too;
    ``quantities`` are those of both. ``around`` are the words of title and headings, of a row those
    above it alone.
    """

    evidence: Evidence
    passages: tuple[Passage, ...]
    text: str
    tokens: tuple[Token, ...]
    keys: frozenset[str]
    known: frozenset[str]
    quantities: tuple[Quantity, ...]
    around: tuple[Token, ...]
    row: TableRow | None = None

    @property
    def table(self) -> Table | None:
        """The table that a row is of."""
        return self.passages[0].place.table


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
            own = passage.place.heading_path or chunk.heading_path
            above = read_words(" . ".join((source.title, *own)), language)
            units.append(_build_row(evidence, passage, rows[passage], above, language))
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
    return _read_line(_parse(text, language), language)


def _read_line(line: ParsedLine, language: str, start: int = 0) -> tuple[Token, ...]:
    """The words of a line from an offset on; a number within a code ("2025-117") is no quantity."""
    tokens = (token for token in tokenize_line(line, language) if token.start >= start)
    return drop_articles([_restore_code(token, line.text) for token in tokens])


def _restore_code(token: Token, text: str) -> Token:
    if token.quantity is None or token.end <= token.quantity.end:
        return token
    code = text[token.start : token.end]
    return replace(token, text=code, key=fold(code), quantity=None)


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
    return _build_unit(evidence, passages, text, tokens, around)


def _build_row(
    evidence: Evidence,
    passage: Passage,
    line: ParsedLine,
    around: tuple[Token, ...],
    language: str,
) -> SourceUnit:
    row = _read_row(passage, line, language)
    tokens = tuple(token for part in line.columns for token in _read_line(part, language))
    above = (*around, *(row.about if row else ()))
    return _build_unit(evidence, (passage,), line.text, tokens, above, row=row)


def _build_unit(
    evidence: Evidence,
    passages: tuple[Passage, ...],
    text: str,
    tokens: tuple[Token, ...],
    around: tuple[Token, ...],
    *,
    row: TableRow | None = None,
) -> SourceUnit:
    keys = frozenset(token.key for token in tokens if token.quantity is None)
    known = keys.union(token.key for token in around if token.quantity is None)
    quantities = tuple(token.quantity for token in (*tokens, *around) if token.quantity)
    return SourceUnit(evidence, passages, text, tokens, keys, known, quantities, around, row)


def _read_row(passage: Passage, line: ParsedLine, language: str) -> TableRow | None:
    """The fields of a row; None where nothing names its columns."""
    table = passage.place.table
    cells = find_cells(table, passage.start, passage.end) if table else ()
    if table is None or not cells:
        return None
    paths = {cell.row for cell in cells}
    named = len(paths) == 1 and bool(cells[0].row)
    doubtful = {cell.start for cell in cells if not cell.certain}
    starts = [*dict.fromkeys(cell.start for cell in cells)]
    places = [-1, *starts] if named else [cell.start for cell in cells]
    fields = tuple(
        _read_field(label, text, part, language, certain=place not in doubtful)
        for (label, text), part, place in zip(passage.columns, line.columns, places, strict=True)
        if fold(label) not in UNIT_LABELS
    )
    about = read_words(f"{table.title or ''} {table.unit or ''}", language)
    if not named:
        return TableRow((), (), fields, about)
    names = tuple(read_words(label, language) for label in cells[0].row)
    return TableRow(names, read_words(table.corner, language), fields[1:], about)


def _read_field(label: str, text: str, part: ParsedLine, language: str, *, certain: bool) -> Field:
    """A value with its unit; the label stands before it in the words of ``part``."""
    value = _read_line(part, language, len(part.text) - len(text))
    said = read_words(label, language)
    plain = drop_unit(label).strip()
    bare = {token.folded for token in read_words(plain, language)}
    words = [token for token in said if token.weight >= 1]
    forms = tuple(_list_forms(token, language) for token in words if token.folded in bare)
    unit = tuple(token for token in words if token.folded not in bare)
    worded = any(token.quantity is None and token.weight >= 1 for token in value)
    generic = not forms or fold(plain) in _GENERIC_LABELS
    signs = list_signs(part.text, value)
    return Field(forms, said, unit, value, signs, text, label, generic, worded, certain)


def list_signs(text: str, words: Sequence[Token]) -> str:
    """The punctuation and symbols between consecutive words of a text and around them.

    "10 / sec" is no "10 sec", "(31)" no "31" and "~1.0" no "1.0".
    """
    if not words:
        return ""
    before = re.search(r"\S*$", text[: words[0].start])
    after = re.match(r"\S*", text[words[-1].end :])
    gaps = [text[a.end : b.start] for a, b in pairwise(words)]
    assert before
    assert after
    return "".join(_NO_SIGN.sub("", part) for part in (before[0], *gaps, after[0]))


def _list_forms(token: Token, language: str) -> tuple[Token, ...]:
    """A word of a label and those that it is short for: "Max" is "maximum"."""
    long = (read_words(form, language) for form in _ABBREVIATIONS.get(token.folded, ()))
    return (token, *(word for words in long for word in words))
