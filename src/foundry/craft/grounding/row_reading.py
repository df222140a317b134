"""Whether the row of a table says a statement: its labels, the value's labels and the value.

The statement must name the row by its innermost label, each value by all its labels, and say
nothing that the row, its table's title or its document's headings do not. Where it names several
values, each must stand beside its own label. Another row that it names as well, with another value
in that column, leaves open which is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foundry.craft.grounding.restatement import (
    Comparison,
    Difference,
    is_other_value,
    is_same_word,
)
from foundry.craft.grounding.source_units import Field, Row, SourceUnit, Token
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.text.polarity import EXCLUSIVE_WORDS, NEGATIONS
from foundry.text.quantities import find_bound

_LEXICON = load_shared_lexicon()
_SIGNS = _LEXICON.signs
_WEIGHTY = frozenset().union(
    NEGATIONS, _SIGNS.universals, _SIGNS.obligations, _SIGNS.permissions, _SIGNS.limits,
    _SIGNS.conditions, _SIGNS.causes, _LEXICON.numbers.more, _LEXICON.numbers.less,
    _LEXICON.numbers.than, _LEXICON.numbers.exceeding, _LEXICON.numbers.approximate,
    _LEXICON.general.disjunctions,
)  # fmt: skip
"""Function words that change what a statement says of a value, where the row has none of them."""

Place = tuple[int, int]
"""From and up to which word of a statement."""


def compare_row(
    tokens: Sequence[Token], unit: SourceUnit, units: Sequence[SourceUnit]
) -> Comparison:
    """Compare a statement's words with a row; ``units`` are all that could be meant instead."""
    row = unit.row
    if row is None or not row.certain or not row.fields:
        return Comparison()
    name = _find_name(row, tokens)
    if name is None:
        return Comparison()
    named = [field for field in row.fields if _names_column(field, tokens, row)]
    stated = {field: place for field in named if (place := _find_words(field, tokens, name))}
    other = [field for field in named if field not in stated]
    inside = {n for start, end in (name, *stated.values()) for n in range(start, end)}
    left = [
        n for n, token in enumerate(tokens)
        if n not in inside and _is_beyond(token, unit, named)
    ]  # fmt: skip
    if len(other) == 1 and left and not _has_rival(tokens, unit, other, units):
        return Comparison(difference=_find_other_value(tokens, left, row, other[0]))
    if other or left or not stated or _has_rival(tokens, unit, list(stated), units):
        return Comparison()
    return Comparison(says=len(stated) == 1 or _stand_by_labels(tokens, stated))


def _find_name(row: Row, tokens: Sequence[Token]) -> Place | None:
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


def _names_column(field: Field, tokens: Sequence[Token], row: Row) -> bool:
    """Whether the statement has all words of the value's labels; the only value needs none."""
    if not field.label:
        return len(row.fields) == 1
    return all(any(_has_form(token, forms) for token in tokens) for forms in field.label)


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
    if is_same_word(token, word):
        return True
    if token.quantity is None or word.quantity is None or not token.quantity.bound:
        return False
    bound = find_bound(f"{field.title} ")
    return bound == token.quantity.bound and is_same_word(_drop_bound(token), _drop_bound(word))


def _drop_bound(token: Token) -> Token:
    assert token.quantity
    return replace(token, quantity=replace(token.quantity, bound=0))


def _is_beyond(token: Token, unit: SourceUnit, named: Sequence[Field]) -> bool:
    """Whether a word outside name and values says something that the row and its headings do not."""
    row = unit.row
    assert row
    labels = [form for field in named for forms in field.label for form in forms]
    outer = [word for name in row.names[:-1] for word in name]
    if _has_form(token, (*labels, *outer, *row.corner, *row.about)):
        return False
    if token.weight < 1:
        weighty = token.folded in _WEIGHTY or token.folded in EXCLUSIVE_WORDS
        return weighty and token.folded not in _LEXICON.comparison.copulas
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
    """Whether another row that the statement names has another value under the same label."""
    for other in units:
        row = other.row
        if row is None or other is unit or _find_name(row, tokens) is None:
            continue
        for field in row.fields:
            same = [own for own in fields if own.title == field.title]
            if same and not _is_same_value(field, same[0]):
                return True
    return False


def _is_same_value(field: Field, other: Field) -> bool:
    if len(field.value) != len(other.value):
        return False
    return all(is_same_word(a, b) for a, b in zip(field.value, other.value, strict=True))


def _find_other_value(
    tokens: Sequence[Token], left: Sequence[int], row: Row, field: Field
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
