"""Evidence and claims parsed for comparison: content words, quantities, names, clauses.

Parsed once per text and compared many times. A unit in a table's header applies to the bare numbers
below it. Thresholds and verdicts belong to ``craft.grounding``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from foundry.analysis import analyse, fold
from foundry.analysis.lexer import strip_number
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Chunk, Evidence, Name, Source
from foundry.text.names import find_names
from foundry.text.passages import Passage, find_passages
from foundry.text.quantities import Quantity, apply_unit, find_quantities
from foundry.text.units import Unit, find_unit

_LEXICON = load_shared_lexicon()
# The unit in a header: Voltage (V), Current [mA], current_mA.
BRACKETED = re.compile(r"[(\[]\s*([^()\[\]\s]{1,8})\s*[)\]]|_([A-Za-zµ°%]{1,5})$")
# They belong to a number, whose bound is compared separately.
_HEDGES = re.compile(
    rf"\b{build_alternation(_LEXICON.numbers.approximate | _LEXICON.numbers.bounding)}\.?(?!\w)",
    re.IGNORECASE,
)
UNIT_LABELS = _LEXICON.headings.unit_labels
"""Folded headers of the column that has the unit of a row's numbers."""

# Content words that "it" may refer to: about the length of a noun phrase.
_SUBJECT_TERMS = 3
# Letters: shorter words occur in longer ones by chance.
_MIN_PART_LENGTH = 5

PART_CREDIT = 0.6
"""What a word counts of which only a part or a compound is found. A guess: more than half."""


@dataclass(frozen=True, eq=False)
class ParsedLine:
    """A sentence, clause or row as it is compared; compared by identity.

    ``order`` has its content words in reading order, without numbers; ``terms`` is the same as a
    set, with the words of its row or title and those that an opening "it" refers to.
    ``columns`` are the cells of a row, each with the row's name, whose text is ``named``. What few
    comparisons need is found when it is asked for.
    """

    text: str
    language: str
    terms: frozenset[str]
    quantities: tuple[Quantity, ...]
    order: tuple[str, ...] = ()
    passage: Passage | None = None
    columns: tuple[ParsedLine, ...] = ()
    named: str = ""

    @cached_property
    def folded(self) -> str:
        """The text as ``fold`` writes it."""
        return fold(self.text)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The names in the text; of a row, those of its first cell."""
        return find_names(self.named if self.columns else self.text)


@dataclass(frozen=True, slots=True, eq=False)
class ParsedEvidence:
    """A piece of evidence, line by line; ``context`` is its title, headings and printed date.

    Compared by identity, so that what is derived from it can be cached.
    """

    evidence: Evidence
    language: str
    lines: tuple[ParsedLine, ...]
    context: ParsedLine


def parse_line(text: str, language: str) -> ParsedLine:
    """Parses a claim, or any text of one sentence."""
    quantities = find_quantities(text, language)
    # The content words outside quantities: "five volts" and "5 V" have none.
    parts = []
    offset = 0
    for quantity in quantities:
        parts.append(text[offset : quantity.start])
        offset = max(offset, quantity.end)
    words = analyse(_HEDGES.sub(" ", " ".join([*parts, text[offset:]])), language)
    terms = [word for word in words if len(word) > 1 and not word.isdigit()]
    return ParsedLine(text, language, frozenset(terms), quantities, tuple(terms))


def parse_evidence(evidence: Evidence, chosen: frozenset[int] | None = None) -> ParsedEvidence:
    """Parses every passage of a piece of evidence except headings.

    ``chosen`` limits it to some passages, by their indexes in ``find_passages``.
    """
    chunk = evidence.hit.chunk
    lines, context = _parse_chunk(chunk, evidence.hit.source, chosen)
    return ParsedEvidence(evidence, chunk.language, lines, context)


@lru_cache(maxsize=256)
def _parse_chunk(
    chunk: Chunk, source: Source, chosen: frozenset[int] | None
) -> tuple[tuple[ParsedLine, ...], ParsedLine]:
    """Cached: a chunk is evidence for several questions and sections, under several ids."""
    lines: list[ParsedLine] = []
    before: Passage | None = None
    for number, passage in enumerate(find_passages(chunk)):
        if passage.kind == "heading":
            continue
        if chosen is None or number in chosen:
            lines.append(_resolve_anaphora(_parse_passage(passage, chunk), before, chunk))
        before = passage
    headings = {heading: None for block in chunk.blocks for heading in block.heading_path}
    headings |= dict.fromkeys((*chunk.heading_path, *chunk.headings))
    plain = map(strip_number, headings)
    names = [word for name in source.names for word in (name.name, *name.aliases)]
    about = [source.title, source.path, source.revision or "", source.revision_date or "", *plain]
    about += dict.fromkeys(names)
    return tuple(lines), parse_line(". ".join(part for part in about if part), chunk.language)


def find_shared_terms(claim: Iterable[str], source: frozenset[str]) -> frozenset[str]:
    """The claim's terms that the source has, also as part of a compound (``spanning``)."""
    return frozenset(term for term in claim if term in source or _is_in_compound(term, source))


def _is_in_compound(term: str, source: frozenset[str]) -> bool:
    if len(term) < _MIN_PART_LENGTH:
        return False
    joined = _join_terms(source)
    if f" {term}" in joined or f"{term} " in joined:
        return True
    return not _list_affixes(term).isdisjoint(source)


@lru_cache(maxsize=4096)
def _join_terms(terms: frozenset[str]) -> str:
    """Searched as one text: much faster than word by word, and a claim meets many texts."""
    return f" {' '.join(terms)} "


@lru_cache(maxsize=4096)
def _list_affixes(term: str) -> frozenset[str]:
    """The beginnings and endings of a word that are long enough to be words."""
    sizes = range(_MIN_PART_LENGTH, len(term))
    return frozenset(term[:size] for size in sizes) | frozenset(term[-size:] for size in sizes)


def _parse_passage(passage: Passage, chunk: Chunk) -> ParsedLine:
    speaker = passage.place.speaker
    text = f"{speaker}: {passage.text}" if speaker else passage.text
    if passage.cells:
        return _parse_row(passage, chunk)
    line = parse_line(text, chunk.language)
    unit = _find_only_unit(passage.text)
    if unit:
        line = replace(line, quantities=_apply_unit(line.quantities, unit))
    return replace(line, passage=passage)


def _parse_row(passage: Passage, chunk: Chunk) -> ParsedLine:
    """Parses a row with its header's words; a bare number gets the unit of its column or row.

    Each column is read together with the row's first cell, which keeps the maximum of a row
    apart from its minimum.
    """
    columns = passage.columns
    unit_of_row = _find_row_unit(columns)
    name = parse_line(columns[0][1], chunk.language) if columns else parse_line("", chunk.language)
    parts: list[ParsedLine] = []
    for label, cell in columns:
        part = parse_line(f"{_expand_label(label)}: {cell}" if label else cell, chunk.language)
        unit = _find_only_unit(label) or unit_of_row
        quantities = _apply_unit(part.quantities, unit) if unit else part.quantities
        parts.append(replace(part, terms=part.terms | name.terms, quantities=quantities))
    if passage.place.table is not None and passage.place.table.title:
        # What the table is about may be asked or claimed with any of its values.
        about = frozenset(analyse(passage.place.table.title, chunk.language))
        parts = [replace(part, terms=part.terms | about) for part in parts]
    text = " ; ".join(f"{label}: {cell}" if label else cell for label, cell in columns)
    return ParsedLine(
        text=text,
        language=chunk.language,
        terms=frozenset().union(*(part.terms for part in parts)),
        quantities=tuple(quantity for part in parts for quantity in part.quantities),
        order=name.order,
        passage=passage,
        columns=tuple(parts),
        named=name.text,
    )


def _expand_label(label: str) -> str:
    """What a sentence would call a column: "Max" → "maximum maximaal maximale Max"."""
    known = _LEXICON.headings.label_abbreviations
    return " ".join([*(word for key in fold(label).split() for word in known.get(key, ())), label])


def _find_row_unit(columns: Sequence[tuple[str, str]]) -> Unit | None:
    """The unit in the column headed "Unit", else the only unit after the first cell."""
    for label, cell in columns:
        if fold(label) in UNIT_LABELS:
            # "V DC" and "V min" are volts.
            return find_unit(cell.split()[0])
    units = [unit for _, cell in columns[1:] if (unit := find_unit(cell))]
    return units[0] if len(units) == 1 else None


def _find_only_unit(text: str) -> Unit | None:
    units = [
        unit for match in BRACKETED.finditer(text) if (unit := find_unit(match[1] or match[2]))
    ]
    return units[0] if len(units) == 1 else None


def names_unit(label: str) -> bool:
    """Whether a column's label says what its values are in: "Price (USD)"."""
    return _find_only_unit(label) is not None


def drop_unit(label: str) -> str:
    """A column's label without what its values are in: "Price" for "Price (USD)"."""
    return BRACKETED.sub(lambda m: " " if find_unit(m[1] or m[2]) else m[0], label)


def _apply_unit(quantities: Iterable[Quantity], unit: Unit) -> tuple[Quantity, ...]:
    return tuple(
        apply_unit(quantity, unit)
        if quantity.kind == "number" and not quantity.dimension
        else quantity
        for quantity in quantities
    )


def refers_back(text: str) -> bool:
    """Whether a sentence opens with "it" or another pronoun, which refers to words before it."""
    opening = re.match(r"\W*(\w+)", fold(text))
    return opening is not None and opening[1] in _LEXICON.general.pronouns


def _resolve_anaphora(line: ParsedLine, before: Passage | None, chunk: Chunk) -> ParsedLine:
    """Gives a sentence that opens with "it" the first content words of the passage before."""
    if before is None or not refers_back(line.text):
        return line
    subject = frozenset(_parse_passage(before, chunk).order[:_SUBJECT_TERMS])
    if line.columns:
        first, *rest = line.columns
        first = replace(first, terms=first.terms | subject)
        return replace(line, terms=line.terms | subject, columns=(first, *rest))
    return replace(line, terms=line.terms | subject)
