"""The second witness: what is exactly different between a statement and the words quoted for it.

A judge decides on meaning, and a small one says yes too easily. What is compared here takes no
reading: values with their units, whose they are, codes, names and periods. Opposites and negations
count only where a whole sentence is restated (``restatement``): anywhere else they objected to as many
true sentences as false ones. An objection is no verdict: the judge sees it beside its quote and
decides again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import fold
from foundry.analysis.lexer import has_digit
from foundry.craft.comparison import is_among
from foundry.craft.grounding.figures import collect_figures, find_absent_figure, find_figures
from foundry.craft.grounding.restatement import is_same_word
from foundry.craft.grounding.source_units import SourceUnit, Token, list_units, read_words
from foundry.messages import Message
from foundry.records import Evidence, Name, Period, Quote, Source
from foundry.text.lines import parse_evidence, parse_line
from foundry.text.names import find_identifiers, find_names, is_mentioned_in
from foundry.text.periods import compare_periods, count_months, find_periods
from foundry.text.quantities import Quantity

_NAME = "objection-name"


@dataclass(frozen=True, slots=True)
class Quoted:
    """The words quoted from one passage: the sentences and rows that the quotes touch."""

    evidence: Evidence
    units: tuple[SourceUnit, ...]

    @property
    def source(self) -> Source:
        """The document that they are from."""
        return self.evidence.hit.source


def read_quotes(
    quotes: Sequence[Quote], evidence: Sequence[Evidence], language: str
) -> tuple[Quoted, ...]:
    """The sentences and rows of the evidence in which the quotes stand, whole."""
    found = []
    for item in evidence:
        spans = [(one.start, one.end) for one in quotes if one.evidence_id == item.id]
        units = tuple(unit for unit in list_units(item, language) if _touches(unit, spans))
        if spans:
            found.append(Quoted(item, units))
    return tuple(found)


def _touches(unit: SourceUnit, spans: Sequence[tuple[int, int]]) -> bool:
    return any(
        start < passage.end and passage.start < end
        for passage in unit.passages[-1:]
        for start, end in spans
    )


def find_objection(
    text: str,
    language: str,
    quoted: Sequence[Quoted],
    *,
    computed: bool = False,
    read: bool = False,
) -> Message | None:
    """The first exact difference between a statement and what is quoted for it; None if there is none.

    ``computed`` values follow by calculation and need not be quoted. After a second look at the
    difference, ``read``, a name alone is none: only reading tells that DISCLOSEE is the Receiving Party.
    """
    objections = _list_objections(text, language, quoted, computed=computed)
    return next((one for one in objections if not (read and one.code == _NAME)), None)


def _list_objections(
    text: str, language: str, quoted: Sequence[Quoted], *, computed: bool
) -> Iterator[Message]:
    units = [unit for one in quoted for unit in one.units]
    if not units:
        return
    tokens = read_words(text, language)
    if not computed:
        yield from _object_to_values(tokens, units, find_periods(text, language))
        yield from _object_to_figures(text, language, quoted)
        yield from _object_to_owners(text, tokens, quoted)
    yield from _object_to_names(text, language, quoted)
    yield from _object_to_periods(text, tokens, language, quoted)
    yield from _object_to_doubts(tokens, units)


def _object_to_doubts(tokens: Sequence[Token], units: Sequence[SourceUnit]) -> Iterator[Message]:
    """A value of the statement whose row or column in its table is in doubt: a judge sees no page."""
    rows = [unit.row for unit in units if unit.row is not None]
    for field in (field for row in rows for field in row.fields if not field.certain):
        if all(any(is_same_word(token, word) for token in tokens) for word in field.value):
            yield Message("claim-cells-doubtful", value=field.text, number=1)


def _object_to_values(
    tokens: Sequence[Token], units: Sequence[SourceUnit], periods: Sequence[Period]
) -> Iterator[Message]:
    """Values in digits that no quoted sentence or row has, or has with another unit.

    The year of a period may stand elsewhere in the passage: a table has it in its columns, as a date.
    """
    figures = frozenset[str]().union(*(_list_figures(unit) for unit in units))
    contents = dict.fromkeys(unit.evidence.hit.chunk.content for unit in units)
    around = figures.union(*map(find_figures, contents))
    known = [quantity for unit in units for quantity in unit.quantities]
    for token in tokens:
        value = token.quantity
        if value is None or not has_digit(value.text):
            continue
        if value.kind == "version" and not any(_has_version(value, unit) for unit in units):
            yield Message("objection-value", said=token.text)
        if value.kind != "number":
            continue
        dated = any(one.start <= token.start and token.end <= one.end for one in periods)
        if not is_among(value, around if dated else figures) and not _is_written(value, known):
            yield Message("objection-value", said=token.text)
        elif value.dimension and (other := _find_other_unit(value, known)):
            yield Message("objection-unit", said=token.text, found=other)


def _object_to_figures(text: str, language: str, quoted: Sequence[Quoted]) -> Iterator[Message]:
    """A number of any kind, also of a date, that no passage has which is quoted."""
    figures = collect_figures(parse_evidence(one.evidence) for one in quoted)
    absent = find_absent_figure(parse_line(text, language), figures)
    if absent:
        yield Message("objection-value", said=absent.text.strip())


def _is_written(value: Quantity, known: Sequence[Quantity]) -> bool:
    """Whether the quoted words have the number in words: "twenty-five" for 25."""
    return any(one.bare & value.bare for one in known if not has_digit(one.text))


def _list_figures(unit: SourceUnit) -> frozenset[str]:
    words = (token.text for token in (*unit.tokens, *(unit.row.about if unit.row else ())))
    return frozenset[str]().union(*map(find_figures, (*words, *_list_words(unit))))


def _has_version(value: Quantity, unit: SourceUnit) -> bool:
    said = rf"(?<![\d.]){re.escape(value.text.lstrip('vV'))}(?!\d)"
    return any(re.search(said, words) for words in _list_words(unit))


def _list_words(unit: SourceUnit) -> Iterator[str]:
    """The words of a sentence or row, of its own headings and its document: not of a section beside it."""
    source = unit.evidence.hit.source
    yield from (unit.text, source.title, source.path, *_list_headings(unit))
    yield from (passage.text for passage in unit.passages)


def _list_headings(unit: SourceUnit) -> Iterator[str]:
    for passage in unit.passages:
        for block in passage.blocks:
            yield from block.heading_path


def _find_other_unit(value: Quantity, known: Sequence[Quantity]) -> str | None:
    """The same number of another dimension, if it is there with no other."""
    same = [one for one in known if one.bare & value.bare or one.values & value.values]
    known_here = any(one.dimension in {"", value.dimension} for one in same)
    return same[0].text if same and not known_here else None


def _object_to_owners(
    text: str, tokens: Sequence[Token], quoted: Sequence[Quoted]
) -> Iterator[Message]:
    """A value after the name of one document's company or product, quoted from another's alone."""
    folded = fold(text)
    for token in tokens:
        if token.quantity is None:
            continue
        owner = _find_owner(folded[: token.start], quoted)
        holders = [
            one
            for one in quoted
            if any(is_same_word(token, word) for unit in one.units for word in unit.tokens)
        ]
        if owner and holders and not any(is_mentioned_in(owner, _join_known(h)) for h in holders):
            path = holders[0].source.path
            yield Message("objection-owner", name=owner.text, value=token.text, path=path)


def _find_owner(before: str, quoted: Sequence[Quoted]) -> Name | None:
    """The name last mentioned that one of the quoted documents has on its front."""
    found: list[tuple[int, Name]] = []
    for one in quoted:
        for known in one.source.names:
            name = Name(known.name, 0, identifier=False)
            place = before.rfind(fold(known.name))
            if known.place == "front" and place >= 0:
                found.append((place, name))
    return max(found, key=lambda pair: pair[0], default=(0, None))[1]


def _join_known(quoted: Quoted) -> str:
    """The folded words of the passage, its headings and its document's names."""
    hit = quoted.evidence.hit
    names = (form for name in hit.source.names for form in (name.name, *name.aliases))
    headings = (heading for block in hit.chunk.blocks for heading in block.heading_path)
    above = (hit.source.title, hit.source.path, *hit.chunk.heading_path, *headings, *names)
    return fold(" \n ".join((*above, hit.chunk.content)))


def _object_to_names(text: str, language: str, quoted: Sequence[Quoted]) -> Iterator[Message]:
    """Names and codes that the quoted passages do not have; names in one language only."""
    known = " \n ".join(_join_known(one) for one in quoted)
    languages = {one.evidence.hit.chunk.language for one in quoted}
    codes = {name.text for name in find_identifiers(text)}
    periods = find_periods(text, language)
    for name in find_names(text):
        code = name.text in codes
        dated = any(one.start <= name.start < one.end for one in periods)
        plain = language in languages and not name.initial and not dated
        if (code or plain) and not any(is_mentioned_in(one, known) for one in _list_forms(name)):
            yield Message("objection-code" if code else _NAME, name=name.text)


def _list_forms(name: Name) -> Iterator[Name]:
    """A name, and its part of a compound with a plain word: "BRP" of "BRP-log"."""
    yield name
    parts = name.text.split("-")
    if any(part.islower() for part in parts):
        yield from (replace(name, text=part) for part in parts if part and not part.islower())


def _object_to_periods(
    text: str, tokens: Sequence[Token], language: str, quoted: Sequence[Quoted]
) -> Iterator[Message]:
    """A period, where the cells with its values, or else all quoted words, are of others.

    A cell of a longer or shorter period has another value: nine months are not their last three.
    """
    cells = [period for one in quoted for period in _list_cell_periods(one, tokens)]
    said = cells or [period for one in quoted for period in _list_periods(one)]
    for period in find_periods(text, language) if said else ():
        found = {compare_periods(period, other) for other in said}
        lengths = {count_months(other) for other in cells}
        differs = count_months(period) and lengths and not lengths & {0, count_months(period)}
        if differs or found <= ({"other", "whole"} if cells else {"other"}):
            yield Message("objection-period", said=period.text, found=said[0].text)


def find_other_period(text: str, language: str, asked: Sequence[Period]) -> Message | None:
    """What a statement says of other periods alone than the quarters or months that are asked."""
    said = find_periods(text, language)
    others = (_is_other(one, other) for one in asked for other in said)
    if not asked or not said or not all(others):
        return None
    return Message("objection-asked", said=said[0].text, asked=asked[0].text)


def _is_other(asked: Period, said: Period) -> bool:
    """Whether a period is another one, or too short to be that; one without a length is not judged."""
    months = count_months(asked)
    shorter = 0 < count_months(said) < months
    return months > 0 and (shorter or compare_periods(asked, said) == "other")


def _list_cell_periods(quoted: Quoted, tokens: Sequence[Token]) -> Iterator[Period]:
    """The periods of the columns in which the values of a statement stand."""
    language = quoted.evidence.hit.chunk.language
    fields = [field for unit in quoted.units if unit.row for field in unit.row.fields]
    for token in tokens:
        if token.quantity is not None and token.quantity.date is None:
            for field in fields:
                if any(is_same_word(token, word) for word in field.value):
                    yield from find_periods(field.title, language)


def _list_periods(quoted: Quoted) -> Iterator[Period]:
    """The periods in the quoted sentences and rows, and in the title and headings above them."""
    chunk = quoted.evidence.hit.chunk
    labels = (field.title for unit in quoted.units if unit.row for field in unit.row.fields)
    own = (unit.text for unit in quoted.units)
    above = (heading for unit in quoted.units for heading in _list_headings(unit))
    for words in (*own, *labels, quoted.source.title, *above):
        yield from find_periods(words, chunk.language)
