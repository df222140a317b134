"""Whether the row of a table says a statement: its labels, the value's labels and the value.

The statement must name the row, by its innermost label or by a cell that no other row has, each
value by all its labels, and say nothing that the row, its table's title or its document's headings
do not. A cell of words may describe the row without its label. Where it names several
values, each must stand beside its own label. Another row that it names as well, with another value
in that column, leaves open which is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foundry.craft.grounding.restatement import (
    Difference,
    UnitComparison,
    is_other_value,
    is_same_amount,
    is_same_word,
)
from foundry.craft.grounding.source_units import Field, SourceUnit, TableRow, Token
from foundry.lexicon import load_lexicons, load_shared_lexicon
from foundry.messages import Message
from foundry.text.lines import names_unit
from foundry.text.polarity import EXCLUSIVE_WORDS
from foundry.text.quantities import find_bound


@lru_cache(maxsize=8)
def _list_weighty(language: str) -> frozenset[str]:
    """Function words that change what a statement says of a value, where the row has none of them."""
    lexicon = load_lexicons().get(language) or load_shared_lexicon()
    signs, numbers = lexicon.signs, lexicon.numbers
    return frozenset().union(
        lexicon.polarity.negations, signs.universals, signs.obligations, signs.permissions,
        signs.limits, signs.conditions, signs.causes, numbers.more, numbers.less, numbers.than,
        numbers.exceeding, numbers.approximate, lexicon.general.disjunctions, EXCLUSIVE_WORDS,
    ) - lexicon.comparison.copulas  # fmt: skip


Place = tuple[int, int]
"""From and up to which word of a statement."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """Where a statement has what of a row: its name, and the values of fields.

    ``named`` are the fields whose labels it has, ``places`` those whose values; ``key`` is the
    field that names the row in the place of its label.
    """

    row: TableRow
    name: Place
    named: tuple[Field, ...]
    places: Mapping[Field, Place]
    key: Field | None = None

    @property
    def stated(self) -> dict[Field, Place]:
        """The values that stand with their labels."""
        return {f: self.places[f] for f in self.named if f in self.places and f is not self.key}

    @property
    def other(self) -> list[Field]:
        """The fields that are named and whose values it does not have."""
        return [field for field in self.named if field not in self.places]

    @property
    def described(self) -> list[Field]:
        """Cells of words that describe the row without their labels: "the supply voltage VCC"."""
        return [f for f in self.places if f not in self.named and (f.worded or f.generic)]


def compare_row(
    tokens: Sequence[Token], unit: SourceUnit, units: Sequence[SourceUnit], language: str
) -> UnitComparison:
    """Compare a statement's words with a row; ``units`` are all that could be meant instead."""
    reading = _read(tokens, unit, units)
    if reading is None:
        return UnitComparison()
    stated, other = reading.stated, reading.other
    spans = (reading.name, *(reading.places[f] for f in (*stated, *reading.described)))
    inside = {n for start, end in spans for n in range(start, end)}
    known_fields = [*reading.named, *reading.described]
    left = [
        n for n, token in enumerate(tokens)
        if n not in inside and _is_beyond(token, unit, known_fields, language)
    ]  # fmt: skip
    fields = other or list(stated)
    if len(other) > 1 or bool(other) != bool(left) or not fields:
        return UnitComparison()
    start, end = reading.name
    rest = [t for n, t in enumerate(tokens) if n not in inside or start <= n < end]
    if reading.key is None and _has_rival(rest, unit, fields, units):
        return UnitComparison()
    if other:
        return UnitComparison(difference=_find_other_value(tokens, left, reading.row, other[0]))
    return UnitComparison(says=len(stated) == 1 or _stand_by_labels(tokens, stated))


def _read(
    tokens: Sequence[Token], unit: SourceUnit, units: Sequence[SourceUnit]
) -> _Reading | None:
    """What a statement has of a row that it names by its label, or by a cell of this row alone."""
    row = unit.row
    if row is None or not row.certain or not row.fields:
        return None
    named = tuple(field for field in row.fields if _names_column(field, tokens, row))
    name, key = _find_name(row, tokens), None
    if name is None:
        key = next((f for f in row.fields if _is_key(f, tokens, unit, units)), None)
        name = _find_words(key, tokens, (0, 0)) if key else None
    if name is None:
        return None
    places = {
        field: place
        for field in row.fields
        if field is not key and (place := _find_words(field, tokens, name))
    }
    if key is not None:
        places[key] = name
    # "Value" says nothing of a value, so nobody repeats it.
    plain = [field for field in row.fields if field.generic and not field.worded]
    if len(plain) == 1 and plain[0] not in named and (plain[0] in places or not named):
        named = (*named, plain[0])
    return _Reading(row, name, named, places, key)


def _is_key(
    field: Field, tokens: Sequence[Token], unit: SourceUnit, units: Sequence[SourceUnit]
) -> bool:
    """Whether the statement has a cell of words or codes that no other row has in that column."""
    if not field.worded or _find_words(field, tokens, (0, 0)) is None:
        return False
    rows = [one.row for one in units if one.row is not None and one is not unit]
    cells = [one for row in rows for one in row.fields if one.title == field.title]
    return not any(_is_same_value(one, field) for one in cells)


def _find_name(row: TableRow, tokens: Sequence[Token]) -> Place | None:
    """Where a statement has the row's innermost label; nowhere in a row that has only fields."""
    if not row.names:
        return 0, 0
    return _find_sequence(row.names[-1], tokens)


def _find_sequence(words: Sequence[Token], tokens: Sequence[Token]) -> Place | None:
    size = len(words)
    for start in range(len(tokens) - size + 1) if size else ():
        if all(map(is_same_word, tokens[start : start + size], words)):
            return start, start + size
    return None


def _names_column(field: Field, tokens: Sequence[Token], row: TableRow) -> bool:
    """Whether the statement has all words of the value's labels; the only value needs none."""
    if field.generic and len(row.fields) == 1:
        return True
    return bool(field.label) and all(
        any(_has_form(token, forms) for token in tokens) for forms in field.label
    )


def _has_form(token: Token, forms: Sequence[Token]) -> bool:
    return any(is_same_word(token, form) for form in forms)


def _find_words(field: Field, tokens: Sequence[Token], name: Place) -> Place | None:
    """Where the statement has the value, outside the row's name; its bound may be the label's."""
    size = len(field.value)
    for start in range(len(tokens) - size + 1) if size else ():
        clear = start >= name[1] or start + size <= name[0]
        part = zip(tokens[start : start + size], field.value, strict=True)
        if clear and all(_is_said(token, word, field) for token, word in part):
            return start, start + size
    return None


def _is_said(token: Token, word: Token, field: Field) -> bool:
    """Whether a word is that of the value; what its label says, bound or unit, need not be repeated."""
    if is_same_word(token, word):
        return True
    ours, theirs = token.quantity, word.quantity
    if ours is None or theirs is None:
        return False
    if ours.bound and ours.bound == find_bound(f"{field.title} "):
        return is_same_word(_drop_bound(token), _drop_bound(word))
    bare = replace(theirs, dimension="", values=theirs.bare)
    return names_unit(field.title) and is_same_amount(ours, bare)


def _drop_bound(token: Token) -> Token:
    assert token.quantity
    return replace(token, quantity=replace(token.quantity, bound=0))


def _is_beyond(token: Token, unit: SourceUnit, named: Sequence[Field], language: str) -> bool:
    """Whether a word outside name and values says something that the row and its headings do not."""
    row = unit.row
    assert row
    labels = [form for field in named for forms in field.label for form in forms]
    outer = [word for name in row.names[:-1] for word in name]
    if _has_form(token, (*labels, *outer, *row.corner, *row.about)):
        return False
    if token.weight < 1:
        return token.folded in _list_weighty(language)
    return not _has_form(token, unit.around)


def _stand_by_labels(tokens: Sequence[Token], stated: dict[Field, Place]) -> bool:
    """Whether each value directly follows the words of its own label."""
    for field, (start, _) in stated.items():
        words = [token for token in tokens[:start] if token.weight >= 1][-len(field.label) :]
        if not all(any(_has_form(word, forms) for word in words) for forms in field.label):
            return False
    return True


def _has_rival(
    tokens: Sequence[Token],
    unit: SourceUnit,
    fields: Sequence[Field],
    units: Sequence[SourceUnit],
) -> bool:
    """Whether a row that the other words name as well has another value under the same label.

    A row whose name is a part of this one's is not meant: "Scenario" beside "Abstract Scenario".
    """
    assert unit.row
    own = unit.row.names[-1] if unit.row.names else ()
    for other in units:
        row = other.row
        if row is None or other is unit or _find_name(row, tokens) is None:
            continue
        name = row.names[-1] if row.names else ()
        if len(name) < len(own) and _find_sequence(name, own):
            continue
        for field in row.fields:
            same = [one for one in fields if one.title == field.title]
            if same and not _is_same_value(field, same[0]):
                return True
    return False


def _is_same_value(field: Field, other: Field) -> bool:
    if len(field.value) != len(other.value):
        return False
    return all(is_same_word(a, b) for a, b in zip(field.value, other.value, strict=True))


def _find_other_value(
    tokens: Sequence[Token], left: Sequence[int], row: TableRow, field: Field
) -> Difference | None:
    """The value that a statement gives to a cell which has another; None for anything else.

    ``left`` are the places of its words that the row does not have.
    """
    start = next((n for n in range(len(tokens)) if _faces(tokens[n:], field, left, n)), None)
    if start is None:
        return None
    said = tokens[start : start + len(field.value)]
    pairs = [(a, b) for a, b in zip(said, field.value, strict=True) if not is_same_word(a, b)]
    elsewhere = [word for other in row.fields for word in other.value]
    if any(is_same_word(a, word) for a, _ in pairs for word in elsewhere):
        return None
    words = " ".join(token.text for token in said)
    reason = Message("claim-says-other", said=words, found=field.text)
    contrary = all(
        a.quantity is not None and b.quantity is not None and is_other_value(a.quantity, b.quantity)
        for a, b in pairs
    )
    return Difference(reason, words, field.text, contrary=contrary)


def _faces(tokens: Sequence[Token], field: Field, left: Sequence[int], start: int) -> bool:
    """Whether words stand where the value would: all that the row does not have are among them."""
    places = range(start, start + len(field.value))
    kinds = [
        (a.quantity is None, b.quantity is None) for a, b in zip(tokens, field.value, strict=False)
    ]
    return (
        len(kinds) == len(field.value)
        and all(a == b for a, b in kinds)
        and all(n in places for n in left)
    )
