"""Table rows → questions: a label and its value, a thing and its properties, a bound of a parameter.

A row says what it means only under a header that is one: rows of figures, of drawings that a
reader took for tables, and of measurements over time are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foundry.analysis import fold
from foundry.evaluation.questions.drafting.phrasing import (
    bound_of,
    bounded,
    in_brackets,
    is_activity,
    is_identifier,
    is_plural,
    listed,
    lowered,
    with_article,
)
from foundry.records import Chunk
from foundry.text.lines import UNIT_LABELS
from foundry.text.passages import Passage, label_cells

_PROPERTY = listed(
    """
    property parameter characteristic quantity specification item setting feature eigenschap
    kenmerk parameter grootheid gegeven instelling specificatie onderdeel menu-item
    """
)
_VALUE = listed(
    """
    value requirement rating specification default result waarde eis standaard resultaat
    instelling
    """
)
_MEANING = listed(
    """
    meaning betekenis
    """
)
_WHO = listed(
    """
    leverancier fabrikant contactpersoon contact verantwoordelijke eigenaar auteur deelnemer
    uitvoerder supplier manufacturer owner author responsible
    """
)
_NAME = listed(
    """
    omschrijving naam benaming description name
    """
)
_PASSED = listed(
    """
    note notes remark remarks comment opmerking opmerkingen toelichting reason reden total
    totaal nr no number nummer wijziging change conditions condition voorwaarde voorwaarden
    symbol symbool aantal qty quantity who wie what wat when wanneer how hoe
    """
)
_IN_BRACKETS = re.compile(r"\s*[(\[]([^)\]]{1,20})[)\]]\s*$")
_NO_VALUE = re.compile(r"[\s\-–—.?*/]*|n/?a|nvt|n\.v\.t\.?|none|geen", re.IGNORECASE)
_NUMBER = re.compile(r"[-+−±]?\d[\d.,\s]*%?")
_LONGEST_NAME, _LONGEST_VALUE = 60, 90
_SHORTEST_PROPERTY = 6
_PHRASE = 2
_MOST_WORDS = 8
_TROUBLES = listed("symptom problem fault complaint klacht probleem storing verschijnsel symptoom")
_SIDES = listed(
    """
    side zijde kant plaats place location where waar stap step
    """
)
# Headers such as "Until" or "Available from" are no nouns that something has.
_NO_NOUN = re.compile(
    r"(?:.*\s)?(?:from|until|since|at|to|by|of|with|when|vanaf|tot|sinds|bij|met|door|van|op|voor|for|in|aan|on)",
    re.IGNORECASE,
)
_OPTION = re.compile(r"[A-Za-z][.)]\s")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a row with its answer; ``weight`` and ``vague`` as in ``Proposal``."""

    text: str
    answer: str
    weight: float
    vague: bool = False


def ask_row(row: Passage, chunk: Chunk, language: str) -> Iterator[Asked]:
    """The questions that a row answers, the best first; none where it says too little."""
    columns = label_cells(row, chunk)
    if row.cut or len(columns) < 2 or not all(_is_header(label) for label, _ in columns):
        return
    (label, name), rest = columns[0], columns[1:]
    if not _is_name(name):
        return
    name = in_brackets(name)
    if fold(label) in _PROPERTY or (label and _is_bounded(rest, language)):
        yield from _of_property(name, rest, language)
    else:
        yield from _of_thing(label, name, rest, language)


def _of_property(name: str, rest: Sequence[tuple[str, str]], language: str) -> Iterator[Asked]:
    """``Input current | max 350 | mA`` → ``What is the maximum input current?``"""
    if len(name) < _SHORTEST_PROPERTY:
        return
    vague = not any(is_identifier(word) for word in name.split())
    unit = next((cell for label, cell in rest if fold(label) in UNIT_LABELS), "")
    for label, cell in rest:
        bound = bound_of(label, language)
        folded = fold(label)
        if not _is_value(cell) or folded in UNIT_LABELS | _PASSED:
            continue
        answer = _with_unit(cell, unit)
        if bound:
            yield Asked(
                _what_is(bounded(name, bound, language), False, language), answer, 1.0, vague
            )
        elif folded in _VALUE or len(rest) == 1:
            several = is_plural(name, language)
            yield Asked(
                _what_is(with_article(name, language), several, language), answer, 0.9, vague
            )
        else:
            yield Asked(_of(label, with_article(name, language), language), answer, 0.7, vague)


def _of_thing(
    label: str, name: str, rest: Sequence[tuple[str, str]], language: str
) -> Iterator[Asked]:
    """``Terminal X1.1 | Wire red`` → ``What is the wire of terminal X1.1?``"""
    thing = _thing(label, name, rest, language)
    if thing is None:
        return
    for column, cell in rest:
        plain = _IN_BRACKETS.sub("", column)
        folded = fold(plain)
        if not _is_value(cell) or folded in _PASSED | _NAME | UNIT_LABELS:
            continue
        if _NO_NOUN.fullmatch(plain) or is_activity(plain, language):
            continue
        unit = _IN_BRACKETS.search(column)
        answer = _with_unit(cell, unit[1] if unit else "")
        if folded in _MEANING:
            text = f"What does {thing} mean?" if language == "en" else f"Wat betekent {thing}?"
            yield Asked(text, answer, 1.0)
        elif folded in _WHO:
            who = "Who is" if language == "en" else "Wie is"
            of = _joint(thing, language)
            yield Asked(f"{who} {with_article(plain, language)} {of} {thing}?", answer, 0.8)
        else:
            yield Asked(_of(plain, thing, language), answer, 0.8)


def _of(column: str, thing: str, language: str) -> str:
    noun = f"{with_article(column, language)} {_joint(thing, language)} {thing}"
    return _what_is(noun, is_plural(column, language), language)


def _joint(thing: str, language: str) -> str:
    """What joins a property to a thing, or to something that is done or goes wrong."""
    if thing.startswith('"'):
        return "for" if language == "en" else "bij"
    if is_activity(thing, language):
        return "for" if language == "en" else "voor"
    return "of" if language == "en" else "van"


def _thing(label: str, name: str, rest: Sequence[tuple[str, str]], language: str) -> str | None:
    """What the row is about, so that a reader without the table knows it; None where it is unclear."""
    words = name.split()
    if is_identifier(words[0].rstrip(",")):
        return _numbered(label, name, rest, language)
    if fold(label) in _TROUBLES:
        return f'"{lowered(name)}"'
    # A name, or a phrase of its own; a single common word means nothing without the table.
    if len(words) < _PHRASE:
        return None
    if sum(word[:1].isupper() for word in words) >= _PHRASE:
        return name
    if is_activity(name, language):
        return lowered(name)
    return None if fold(label) in _SIDES else with_article(name, language)


def _numbered(label: str, name: str, rest: Sequence[tuple[str, str]], language: str) -> str:
    """``U3`` → ``U3 (switching regulator)``, or ``terminal X1.1`` where no column says more."""
    said = next((cell for column, cell in rest if fold(column) in _NAME), "")
    said = lowered(said.split(",")[0].strip())
    if said and len(said) <= _LONGEST_NAME:
        return f"{name} ({said})"
    singular = label and not is_plural(label, language) and len(label.split()) == 1
    return f"{lowered(label)} {name}" if singular else name


def _what_is(noun: str, several: bool, language: str) -> str:
    if language == "en":
        return f"What {'are' if several else 'is'} {noun}?"
    return f"Wat {'zijn' if several else 'is'} {noun}?"


def _is_header(label: str) -> bool:
    """A word or two, not a value: the first row of a drawing is no header."""
    plain = _IN_BRACKETS.sub("", label).strip()
    letters = sum(letter.isalpha() for letter in plain)
    words = plain.split()
    return (
        letters >= 2
        and len(plain) <= 40
        and len(words) <= 4
        and not is_identifier(words[0])
        and ("_" not in plain and not re.search(r"\d\s?[A-Za-zµ%°]", plain))
    )


def _is_bounded(rest: Sequence[tuple[str, str]], language: str) -> bool:
    return any(bound_of(label, language) for label, _ in rest)


def _is_name(name: str) -> bool:
    letters = sum(letter.isalpha() for letter in name)
    words = name.split()
    return (
        letters >= 1
        and len(name) <= _LONGEST_NAME
        and len(words) <= _MOST_WORDS
        and not (
            _OPTION.match(name)
            or _NUMBER.fullmatch(name)
            or re.match(r"\d", name)
            or name.endswith(("?", "!", "."))
        )
    )


def _is_value(cell: str) -> bool:
    return not _NO_VALUE.fullmatch(cell) and len(cell) <= _LONGEST_VALUE


def _with_unit(cell: str, unit: str) -> str:
    return f"{cell} {unit}" if unit and _NUMBER.fullmatch(cell) else cell
