"""Whether one sentence or one row says a statement, says the contrary, or neither.

A sentence says it if it has the same words in the same order: articles, inflection, the format of
numbers and their units may differ, nothing else. The contrary is the same sentence with one other
value, a contrary word or a negation, or the row that the statement names with another value. What
paraphrases, combines or concludes is neither: rules cannot read.

A row says it if the statement names the row, by its innermost label or by a cell of words, each value
by all its labels, and says nothing that the row, its table's title or its document's headings do not.
A cell of words may describe the row without its label. Where it names several values, each must stand
beside its own label. Another row that has all its words as well, with another value in that column,
leaves open which is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foundry.analysis.lexer import has_digit
from foundry.craft.comparison import Difference, compare_stretch, exclude
from foundry.craft.grounding.source_units import (
    Claim,
    Field,
    SourceUnit,
    TableRow,
    Token,
    list_signs,
)
from foundry.lexicon import load_lexicons, load_shared_lexicon
from foundry.messages import Message
from foundry.text.lines import names_unit
from foundry.text.polarity import EXCLUSIVE_WORDS, NEGATIONS, split_words
from foundry.text.quantities import find_bound

_LEXICON = load_shared_lexicon()
_CONNECTIVES = _LEXICON.general.connectives | _LEXICON.general.additive
_REPLIES = _LEXICON.replies.yes | _LEXICON.replies.no
_INFLECTIONS = _LEXICON.general.inflections | {""}
_LEAST_STEM = 3
"""Letters that two forms of a word share."""
_JOINTS = re.compile(r"(?<!\d)[-\s_‐‑]+|[-\s_‐‑]+(?!\d)")
_SYMBOLS = re.compile(r"[^\w\s.,;:!?'\"()\[\]{}\-‐‑–—…“”„‘’‚«»*`|•·▪◦/\\]")


@dataclass(frozen=True, slots=True)
class UnitComparison:
    """``says`` if the unit says the statement; else the ``difference``, if there is only one."""

    says: bool = False
    difference: Difference | None = None


def compare_sentence(text: str, tokens: Sequence[Token], unit: SourceUnit) -> UnitComparison:
    """Compare a statement, given with its words, with a sentence or list item."""
    plain = _drop_reply(text, tokens)
    ours, theirs = _drop_connective(plain), _drop_connective(unit.tokens)
    if not ours:
        return UnitComparison()
    if len(ours) == len(theirs) == _count_same(ours, theirs):
        # "No, …" answers a question, which no source says.
        return UnitComparison(says=plain is tokens and _mark_alike(text, unit.text))
    return UnitComparison(difference=compare_stretch(text, ours, unit.text, theirs))


def explain(found: Difference) -> Message:
    """What a statement says otherwise than its source does."""
    ours, theirs = (
        [word for word in split_words(part) if word in NEGATIONS]
        for part in (found.ours, found.theirs)
    )
    if found.kind == "negation" and bool(ours) != bool(theirs):
        code = "claim-negation-added-word" if ours else "claim-negation-missing"
        return Message(code, word=(ours or theirs)[0])
    return Message("claim-says-other", said=found.ours, found=found.theirs)


def _drop_reply(text: str, tokens: Sequence[Token]) -> Sequence[Token]:
    """The words without "Yes," or "Nee," at the beginning, which denies nothing of the rest."""
    if tokens and tokens[0].folded in _REPLIES and text[tokens[0].end :].lstrip().startswith(","):
        return tokens[1:]
    return tokens


def _drop_connective(tokens: Sequence[Token]) -> Sequence[Token]:
    """The words without "and" or "however" at the beginning."""
    return tokens[1:] if tokens and tokens[0].folded in _CONNECTIVES else tokens


def _count_same(ours: Sequence[Token], theirs: Sequence[Token]) -> int:
    """How many words from the beginning on are the same."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    shorter = min(len(ours), len(theirs))
    return next((index for index, pair in pairs if not is_same_word(*pair)), shorter)


def _mark_alike(text: str, other: str) -> bool:
    """Whether both are questions or neither is, and both have the same signs, such as < or ~."""
    asks = [one.rstrip("\"'”’»)*_ ").endswith("?") for one in (text, other)]
    return asks[0] == asks[1] and _SYMBOLS.findall(text) == _SYMBOLS.findall(other)


def is_same_word(ours: Token, theirs: Token) -> bool:
    """Whether two words are one by inflection, two quantities one by format and unit."""
    if ours.quantity is not None or theirs.quantity is not None:
        return ours.quantity is not None and theirs.quantity is not None and ours.key == theirs.key
    one, other = ours.folded, theirs.folded
    if one == other:
        return True
    if has_digit(one + other):
        return _JOINTS.sub("", one) == _JOINTS.sub("", other)
    return (
        ours.key == theirs.key and ours.weight == theirs.weight == 1 and _is_inflected(one, other)
    )


def _is_inflected(one: str, other: str) -> bool:
    stem = 0
    while stem < min(len(one), len(other)) and one[stem] == other[stem]:
        stem += 1
    return stem >= _LEAST_STEM and {one[stem:], other[stem:]} <= _INFLECTIONS


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


def compare_row(claim: Claim, unit: SourceUnit, units: Sequence[SourceUnit]) -> UnitComparison:
    """Compare a statement with a row; ``units`` are all that could be meant instead."""
    compared = [
        _compare_reading(claim, unit, reading, units) for reading in _list_readings(claim, unit)
    ]
    says = next((one for one in compared if one.says), None)
    differs = next((one for one in compared if one.difference), UnitComparison())
    return says or differs


def _compare_reading(
    claim: Claim, unit: SourceUnit, reading: _Reading, units: Sequence[SourceUnit]
) -> UnitComparison:
    tokens, stated, other = claim.tokens, reading.stated, reading.other
    values = [reading.places[field] for field in stated]
    described = [reading.places[field] for field in reading.described]
    labels = [place for f in reading.named if (place := _find_sequence(f.words, tokens))]
    inside = _list_places((reading.name, *values, *described, *labels))
    known_fields = [*reading.named, *reading.described]
    left = [
        n for n, token in enumerate(tokens)
        if n not in inside and _is_beyond(token, unit, known_fields, claim.language)
    ]  # fmt: skip
    fields = other or list(stated)
    if len(other) > 1 or bool(other) != bool(left) or not fields:
        return UnitComparison()
    if not all(field.certain for field in (*fields, *reading.described)):
        return UnitComparison()
    taken = {*_list_places(values), *left}
    rest = replace(claim, tokens=tuple(t for n, t in enumerate(tokens) if n not in taken))
    if _has_rival(rest, unit, fields, units):
        return UnitComparison()
    if other:
        return UnitComparison(difference=_find_other_value(tokens, left, reading.row, other[0]))
    placed = len(stated) == 1 or _stand_by_labels(tokens, stated)
    return UnitComparison(says=placed and _is_in_order(tokens, reading))


def _list_places(spans: Iterable[Place]) -> set[int]:
    return {n for start, end in spans for n in range(start, end)}


def _is_in_order(tokens: Sequence[Token], reading: _Reading) -> bool:
    """Whether what names the row stands before its values: "PR-100 is replaced by PR-200".

    A label of the cell that names the row stands directly before that. What describes the row stands
    before the last value, and no value is a part of it.
    """
    start, values = reading.name[0], reading.stated.values()
    described = [
        place
        for field in reading.described
        if not any(_is_part(place := reading.places[field], one) for one in values)
    ]
    last = max(place[0] for place in values)
    if any(one[0] > last or _is_part(two, one) for one in described for two in values):
        return False
    if not reading.row.names and reading.key is None:
        start = min((place[0] for place in described), default=0)
    if any(place[0] < start for place in values):
        return False
    if reading.key is None or reading.key not in reading.named:
        return True
    before = tokens[start - 1 : start]
    return any(_has_form(token, forms) for token in before for forms in reading.key.label)


def _is_part(one: Place, other: Place) -> bool:
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def _list_readings(claim: Claim, unit: SourceUnit) -> list[_Reading]:
    """What a statement has of a row that it names by its label, or else by a cell of words."""
    row = unit.row
    if row is None or not row.fields:
        return []
    name = _find_name(row, claim.tokens)
    if name is not None:
        return [_read(claim, row, name)]
    cells = [(field, _find_value(field, claim)) for field in row.fields if field.worded]
    return [_read(claim, row, place, field) for field, place in cells if place]


def _read(claim: Claim, row: TableRow, name: Place, key: Field | None = None) -> _Reading:
    outside = [token for n, token in enumerate(claim.tokens) if not name[0] <= n < name[1]]
    named = _find_columns(row, outside)
    places = {
        field: place
        for field in row.fields
        if field is not key
        and (place := _find_value(field, claim, name, _find_sequence(field.words, claim.tokens)))
    }
    if key is not None:
        places[key] = name
    # "Value" says nothing of a value, so nobody repeats it.
    plain = [field for field in row.fields if field.generic and not field.worded]
    if len(plain) == 1 and plain[0] not in named and (plain[0] in places or not named):
        named = (*named, plain[0])
    return _Reading(row, name, named, places, key)


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


def _find_columns(row: TableRow, tokens: Sequence[Token]) -> tuple[Field, ...]:
    """The fields all whose labels' words a statement has; of "Price" and "Unit price" the latter."""
    named = [field for field in row.fields if _names_column(field, tokens, row)]
    keys = [{forms[0].key for forms in field.label} for field in named]
    return tuple(
        field for field, own in zip(named, keys, strict=True) if not any(own < one for one in keys)
    )


def _names_column(field: Field, tokens: Sequence[Token], row: TableRow) -> bool:
    """Whether the statement has all words of the value's labels; the only value needs none.

    What its values are in may be said by the value.
    """
    if field.generic and len(row.fields) == 1:
        return True
    said = all(any(_has_form(token, forms) for token in tokens) for forms in field.label)
    return bool(field.label) and said and (_has_unit(field, tokens) or _says_unit(field, tokens))


def _has_unit(field: Field, tokens: Sequence[Token]) -> bool:
    """Whether a statement has the words of the unit in a label."""
    return all(any(is_same_word(token, word) for token in tokens) for word in field.unit)


def _says_unit(field: Field, tokens: Sequence[Token]) -> bool:
    """Whether a value of the statement is in the unit of the field's."""
    own = {word.quantity.dimension for word in field.value if word.quantity}
    return any(token.quantity.dimension in own - {""} for token in tokens if token.quantity)


def _has_form(token: Token, forms: Sequence[Token]) -> bool:
    return any(is_same_word(token, form) for form in forms)


def _find_value(field: Field, claim: Claim, *taken: Place | None) -> Place | None:
    """Where the statement has the value, outside the places taken; its bound may be the label's."""
    tokens, size = claim.tokens, len(field.value)
    bare = names_unit(field.title) and _has_unit(field, tokens)
    for start in range(len(tokens) - size + 1) if size else ():
        part = tokens[start : start + size]
        if (
            all(start >= place[1] or start + size <= place[0] for place in taken if place)
            and all(
                _is_said(token, word, field, bare=bare)
                for token, word in zip(part, field.value, strict=True)
            )
            and list_signs(claim.text, part) == field.signs
        ):
            return start, start + size
    return None


def _is_said(token: Token, word: Token, field: Field, *, bare: bool) -> bool:
    """Whether a word is that of the value; what its label says, bound or unit, need not be repeated."""
    if is_same_word(token, word):
        return True
    ours, theirs = token.quantity, word.quantity
    if ours is None or theirs is None:
        return False
    if ours.bound and ours.bound == find_bound(f"{field.title} "):
        return is_same_word(_drop_bound(token), _drop_bound(word))
    return bare and ours.key == replace(theirs, dimension="", values=theirs.bare).key


def _drop_bound(token: Token) -> Token:
    assert token.quantity
    unbound = replace(token.quantity, bound=0)
    return replace(token, quantity=unbound, key=unbound.key)


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
    claim: Claim,
    unit: SourceUnit,
    fields: Sequence[Field],
    units: Sequence[SourceUnit],
) -> bool:
    """Whether another row has all words of a claim without its values, and other ``fields``.

    A row whose name is a part of this one's is not meant: "Scenario" beside "Abstract Scenario".
    """
    assert unit.row
    own = unit.row.names[-1] if unit.row.names else ()
    named = bool(own) and _find_sequence(own, claim.tokens) is not None
    words = [token for token in claim.tokens if token.weight >= 1]
    for other in units:
        row = other.row
        if row is None or other is unit:
            continue
        if not _is_named(row, claim, by_cell=not named or other.table is not unit.table):
            continue
        name = row.names[-1] if row.names else ()
        if 0 < len(name) < len(own) and _find_sequence(name, own):
            continue
        if not all(_has_form(word, (*other.tokens, *other.around)) for word in words):
            continue
        for field in row.fields:
            same = [one for one in fields if _is_same_column(one, field)]
            if same and not _is_same_value(field, same[0]):
                return True
    return False


def _is_named(row: TableRow, claim: Claim, *, by_cell: bool) -> bool:
    """Whether a statement has the row's label or, whole, one of its cells of words."""
    if _find_name(row, claim.tokens) is not None:
        return True
    return by_cell and any(field.worded and _find_value(field, claim) for field in row.fields)


def _is_same_column(field: Field, other: Field) -> bool:
    keys = [sorted(forms[0].key for forms in one.label) for one in (field, other)]
    return field.title == other.title or keys[0] == keys[1]


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
    certain = all(a.quantity and b.quantity and exclude(a.quantity, b.quantity) for a, b in pairs)
    return Difference("statement", words, field.text, certain=certain)


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
