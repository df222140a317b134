"""Compare short answers with accepted ones: exact match, token F1 and token recall.

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
    """The text of an answer without its citation marks."""
    return " ".join(sentence.text for sentence in sentences)


def answer_figures(text: str, accepted: Sequence[str]) -> dict[str, float]:
    """Compute each measure (0–1) at its best over the accepted answers; an empty text has 0.

    ``answer_recall`` is the share of an accepted answer's tokens that the text contains: a whole
    sentence around a short answer contains all of them.
    """
    given = answer_tokens(text)
    scores = [_score(given, answer_tokens(answer)) for answer in accepted]
    return {
        name: max((score[n] for score in scores), default=0.0)
        for n, name in enumerate(ANSWER_MEASURES)
    }


def _score(given: Sequence[Token], wanted: Sequence[Token]) -> tuple[float, float, float]:
    if not given or not wanted:
        return (0.0, 0.0, 0.0)
    shared = _count_shared(given, wanted)
    precision, recall = shared / len(given), shared / len(wanted)
    same = len(given) == len(wanted) and all(map(_agree, given, wanted))
    return (float(same), 2 * precision * recall / (precision + recall) if shared else 0.0, recall)


def _count_shared(given: Sequence[Token], wanted: Sequence[Token]) -> int:
    """How many tokens of ``wanted`` occur in ``given``, each used once."""
    left = list(given)
    for token in wanted:
        index = next((n for n, other in enumerate(left) if _agree(other, token)), None)
        if index is not None:
            del left[index]
    return len(given) - len(left)


def _agree(one: Token, other: Token) -> bool:
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return is_same_quantity(one, other)
    return isinstance(one, str) and one == other


@lru_cache(maxsize=2_000)
def answer_tokens(text: str) -> tuple[Token, ...]:
    """Words in lower case without articles, and quantities, in reading order."""
    text = unicodedata.normalize("NFKC", text)
    # The language of an answer's numbers is unknown: either reading of "1.000" may agree.
    quantities = [replace(item, bound=0) for item in find_quantities(text, "und")]
    tokens: list[Token] = []
    end = 0
    for quantity in quantities:
        tokens += [*_split_words(text[end : max(end, quantity.start)]), quantity]
        end = max(end, quantity.end)
    return (*tokens, *_split_words(text[end:]))


def _split_words(text: str) -> list[str]:
    words = (match[0].casefold().replace("’", "'") for match in _WORD.finditer(text))
    return [word for word in words if word not in ARTICLES]
