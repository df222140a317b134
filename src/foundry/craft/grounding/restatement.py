"""Whether one sentence or one row says a statement, says the contrary, or neither.

A sentence says it if it has the same words in the same order: articles, inflection, the format of
numbers and their units may differ, nothing else. A row says it if the statement names the row, the
labels of the value and the value, and nothing besides. The contrary is the same sentence with one
other value, a contrary word or a negation, or the row that the statement names with another value.
What paraphrases, combines or concludes is neither: rules cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foundry.craft.comparison import Difference, compare_stretch
from foundry.craft.grounding.source_units import SourceUnit, Token
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.text.polarity import NEGATIONS, split_words

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
