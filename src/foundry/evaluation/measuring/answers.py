"""Short answers held against accepted wordings: exact match, token F1 and token recall.

The normalisation of SQuAD (Rajpurkar et al., "SQuAD: 100,000+ Questions for Machine
Comprehension of Text", EMNLP 2016), for Dutch and English: case, punctuation and articles do not
count. A quantity is one token whatever its notation: ``2,0 s``, ``2.0 s`` and ``2 seconds`` agree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from foundry.lexicon import load_shared_lexicon
from foundry.records import Sentence
from foundry.text.quantities import Quantity, find_quantities, is_same_quantity

ARTICLES = load_shared_lexicon().general.articles
ANSWER_MEASURES = ("exact_match", "f1", "answer_recall")

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")

Token = str | Quantity


def plain_text(sentences: Sequence[Sentence]) -> str:
    """What an answer says, without its citation marks."""
    return " ".join(sentence.text for sentence in sentences)


def answer_figures(text: str, accepted: Sequence[str]) -> dict[str, float]:
    """Each measure at its best over the accepted answers, 0–1; an empty text has 0 everywhere.

    ``answer_recall`` is the share of an accepted answer's tokens that the text holds: a whole
    sentence around a short answer has all of it.
    """
    given = answer_tokens(text)
    scores = [_scores(given, answer_tokens(one)) for one in accepted]
    return {
        name: max((score[at] for score in scores), default=0.0)
        for at, name in enumerate(ANSWER_MEASURES)
    }


def _scores(given: Sequence[Token], wanted: Sequence[Token]) -> tuple[float, float, float]:
    if not given or not wanted:
        return (0.0, 0.0, 0.0)
    shared = _shared(given, wanted)
    precision, recall = shared / len(given), shared / len(wanted)
    same = len(given) == len(wanted) and all(map(_alike, given, wanted))
    return (float(same), 2 * precision * recall / (precision + recall) if shared else 0.0, recall)


def _shared(given: Sequence[Token], wanted: Sequence[Token]) -> int:
    """How many tokens of ``wanted`` stand in ``given``, each used once."""
    left = list(given)
    for token in wanted:
        at = next((at for at, other in enumerate(left) if _alike(other, token)), None)
        if at is not None:
            del left[at]
    return len(given) - len(left)


def _alike(one: Token, other: Token) -> bool:
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return is_same_quantity(one, other)
    return isinstance(one, str) and one == other


@lru_cache(maxsize=2_000)
def answer_tokens(text: str) -> tuple[Token, ...]:
    """Words in small letters without articles, and quantities, in reading order."""
    text = unicodedata.normalize("NFKC", text)
    # In an answer the language of a number is not known: either reading of "1.000" may agree.
    found = [replace(one, bound=0) for one in find_quantities(text, "und")]
    tokens: list[Token] = []
    at = 0
    for quantity in found:
        tokens += [*_words(text[at : max(at, quantity.start)]), quantity]
        at = max(at, quantity.end)
    return (*tokens, *_words(text[at:]))


def _words(text: str) -> list[str]:
    words = (match[0].casefold().replace("’", "'") for match in _WORD.finditer(text))
    return [word for word in words if word not in ARTICLES]
