"""Whether one sentence or one row says a statement, says the contrary, or neither.

A sentence says it if it has the same words in the same order: articles, inflection, the format of
numbers and their units may differ, nothing else. A row says it if the statement names the row, the
labels of the value and the value, and nothing besides. The contrary is the same sentence with one
other value, a contrary word or a negation, or the row that the statement names with another value.
What paraphrases, combines or concludes is neither: rules cannot read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from foundry.craft.grounding.source_units import SourceUnit, Token
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.text.dates import dates_agree
from foundry.text.polarity import NEGATIONS, exclude_each_other
from foundry.text.quantities import Quantity, is_comparable

_LEXICON = load_shared_lexicon()
_CARRIERS = _LEXICON.polarity.auxiliaries
_CONNECTIVES = _LEXICON.general.connectives | _LEXICON.general.additive
_REPLIES = _LEXICON.replies.yes | _LEXICON.replies.no
_NARROWING = NEGATIONS | _LEXICON.signs.conditions | _LEXICON.signs.limits
_INFLECTIONS = _LEXICON.general.inflections | {""}
_LEAST_STEM = 3
"""Letters that two forms of a word share."""
_LEAST_AROUND = 4
"""Words that two sentences share around a difference; fewer are alike by chance."""
_MOST_DIFFERENT = 4
"""Words that differ in one place: a value, a name, a negation with its verb."""
_ROUNDED = 0.05
"""A value this near to the source's, as a share of it, may be rounded: it is no contrary."""
_JOINTS = re.compile(r"(?<!\d)[-\s_‐‑]+|[-\s_‐‑]+(?!\d)")
_SYMBOLS = re.compile(r"[^\w\s.,;:!?'\"()\[\]{}\-‐‑–—…“”„‘’‚«»*`|•·▪◦/\\]")


@dataclass(frozen=True, slots=True)
class Difference:
    """The one place where a statement and a sentence or row differ.

    ``contrary`` if both cannot be true; otherwise it only says where to look.
    """

    reason: Message
    said: str = ""
    found: str = ""
    contrary: bool = False


@dataclass(frozen=True, slots=True)
class UnitComparison:
    """``says`` if the unit says the statement; else the ``difference``, if there is only one."""

    says: bool = False
    difference: Difference | None = None


def compare_sentence(text: str, tokens: Sequence[Token], unit: SourceUnit) -> UnitComparison:
    """Compare a statement, given with its words, with a sentence or list item."""
    plain = _drop_reply(text, tokens)
    ours, theirs = _drop_connective(plain), _drop_connective(unit.tokens)
    if unit.marked_up or not ours:
        return UnitComparison()
    if len(ours) == len(theirs) == _count_same(ours, theirs):
        # "No, …" answers a question, which no source says.
        return UnitComparison(says=plain is tokens and _mark_alike(text, unit.text))
    common = sum(token.quantity is not None or token.key in unit.keys for token in ours)
    if common < max(_LEAST_AROUND, len(ours) - _MOST_DIFFERENT):
        return UnitComparison()
    return UnitComparison(difference=_find_one_difference(ours, theirs))


def _find_one_difference(ours: Sequence[Token], theirs: Sequence[Token]) -> Difference | None:
    """What differs, if in a stretch of the sentence everything before and after is the same."""
    for start in range(len(theirs)):
        first = _count_same(ours, theirs[start:])
        if not first and start:
            continue
        for end in range(len(theirs), start, -1):
            last = _count_same(ours[first:][::-1], theirs[start + first : end][::-1])
            said = ours[first : len(ours) - last]
            found = theirs[start + first : end - last]
            if first + last < _LEAST_AROUND or max(len(said), len(found)) > _MOST_DIFFERENT:
                continue
            around = (*theirs[:start], *theirs[end:])
            if not any(token.folded in _NARROWING or token.quantity for token in around):
                return _find_difference(said, found)
    return None


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
    if ours.quantity is not None and theirs.quantity is not None:
        return is_same_amount(ours.quantity, theirs.quantity)
    if ours.quantity is not None or theirs.quantity is not None:
        return False
    one, other = ours.folded, theirs.folded
    if one == other:
        return True
    if any(map(str.isdigit, one + other)):
        return _JOINTS.sub("", one) == _JOINTS.sub("", other)
    return (
        ours.key == theirs.key and ours.weight == theirs.weight == 1 and _is_inflected(one, other)
    )


def _is_inflected(one: str, other: str) -> bool:
    stem = 0
    while stem < min(len(one), len(other)) and one[stem] == other[stem]:
        stem += 1
    return stem >= _LEAST_STEM and {one[stem:], other[stem:]} <= _INFLECTIONS


def is_same_amount(ours: Quantity, theirs: Quantity) -> bool:
    """Whether two quantities are one value with one bound, however they are written.

    What can be read in two ways, such as 3/5/2026, is only the same as the same text.
    """
    if ours.kind != theirs.kind or ours.bound != theirs.bound:
        return False
    if ours.kind == "version":
        return ours.text.lower().lstrip("v.") == theirs.text.lower().lstrip("v.")
    if ours.date is not None and theirs.date is not None:
        readings = ours.date.readings, theirs.date.readings
        return readings[0] == readings[1] and (len(readings[0]) == 1 or ours.text == theirs.text)
    if ours.dimension != theirs.dimension:
        return False
    values = (ours.values or ours.bare), (theirs.values or theirs.bare)
    if max(map(len, values)) > 1:
        return ours.text == theirs.text
    return all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(*values, strict=True))


def _find_difference(said: Sequence[Token], found: Sequence[Token]) -> Difference | None:
    """What two sentences differ in that are the same before and after."""
    words = " ".join(t.text for t in said), " ".join(t.text for t in found)
    reason = Message("claim-says-other", said=words[0], found=words[1])
    denials = [[t for t in part if t.folded in NEGATIONS] for part in (said, found)]
    if bool(denials[0]) != bool(denials[1]) and _is_same_but_negation(said, found):
        added, word = bool(denials[0]), (denials[0] or denials[1])[0].text
        code = "claim-negation-added-word" if added else "claim-negation-missing"
        return Difference(Message(code, word=word), *words, contrary=True)
    if len(said) != 1 or len(found) != 1:
        return Difference(reason, *words) if said and found else None
    ours, theirs = said[0], found[0]
    contrary = (
        is_other_value(ours.quantity, theirs.quantity)
        if ours.quantity and theirs.quantity
        else exclude_each_other(ours.folded, theirs.folded)
    )
    return Difference(reason, *words, contrary=contrary)


def _is_same_but_negation(said: Sequence[Token], found: Sequence[Token]) -> bool:
    """Whether two passages are the same but for negations and the verbs that only carry them."""
    plain = [
        [t for t in part if t.folded not in NEGATIONS and t.folded not in _CARRIERS]
        for part in (said, found)
    ]
    return len(plain[0]) == len(plain[1]) == _count_same(*plain)


def is_other_value(ours: Quantity, theirs: Quantity) -> bool:
    """Whether two quantities measure the same and cannot both hold; one may be rounded."""
    if not is_comparable(ours, theirs) or ours.bound != theirs.bound:
        return False
    if ours.date is not None and theirs.date is not None:
        return not (dates_agree(ours.date, theirs.date) or dates_agree(theirs.date, ours.date))
    if ours.kind == "version":
        return True
    values = (ours.values or ours.bare), (theirs.values or theirs.bare)
    if max(map(len, values)) > 1:
        return False
    (a,), (b,) = values
    digits = [re.sub(r"\D", "", one.text).strip("0") for one in (ours, theirs)]
    if digits[0] and digits[0] == digits[1]:
        # "235446" beside "235.446": the scale may be said elsewhere.
        return ours.text == theirs.text and a != b
    whole = ours.text.isdigit() and theirs.text.isdigit()
    return a != b and (whole or abs(a - b) > _ROUNDED * max(abs(a), abs(b)))
