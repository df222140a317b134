"""What a specification or an agent asks of a section, and whether what the section shows has it.

Words alone decide: a line counts as covered only by a passage that was found for it and holds its
rarest word and most of the others. It is no judgement of what the passage says about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.records import Hit, QueryTerm, Question, ScopeState
from foundry.text.lines import find_shared_terms

_MIN_SHARE = 0.66
"""Share of a line's words, weighed by rarity, that a passage needs. A guess: two of three, so that "the
supply voltage of the blower" is not covered by its price."""


@dataclass(frozen=True, slots=True)
class AskedItem:
    """One thing that a section asks, and the passages that were found for it.

    ``said`` is how it is named to the reader; ``queries`` are what it is read with, the same in
    several languages, and ``words`` the terms of each. ``found`` are the hits above the gate.
    ``is_name`` if it is said as a heading has it: a line of an agent that is not its topic.
    """

    said: str
    queries: tuple[str, ...]
    words: tuple[tuple[QueryTerm, ...], ...]
    question: Question
    found: tuple[Hit, ...]
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class ShownText:
    """What a section shows of one passage: its place, its terms with those of its headings."""

    chunk_id: str
    spans: tuple[tuple[int, int], ...]
    terms: frozenset[str]
    language: str


def judge_item(item: AskedItem, shown: Sequence[ShownText]) -> ScopeState:
    """Whether the section has it; if not, whether the sources hold anything about it."""
    if not item.found:
        return "not_found"
    known = {hit.chunk.id for hit in item.found}
    for text in shown:
        if text.chunk_id not in known:
            continue
        if any(holds_words(words, text.terms, item.question) for words in item.words):
            return "covered"
        if text.language != item.question.language and _is_nearest(text, item.found[0]):
            return "covered"
    return "missing"


def holds_words(words: Sequence[QueryTerm], terms: frozenset[str], question: Question) -> bool:
    """Whether the terms hold the rarest of the words and most of the others, by rarity.

    A word that no source has cannot be held.
    """
    if not words:
        return False
    weights = [question.compute_rarity(*word.terms) for word in words]
    held = [bool(find_shared_terms(word.terms, terms)) for word in words]
    total = sum(weight for weight, own in zip(weights, held, strict=True) if own)
    return held[weights.index(max(weights))] and total >= _MIN_SHARE * sum(weights)


def _is_nearest(text: ShownText, best: Hit) -> bool:
    """Whether it shows the nearest window of the best hit: across languages no words compare."""
    if text.chunk_id != best.chunk.id or not best.nearness:
        return False
    first, last, _ = max(best.nearness, key=lambda window: window[2])
    return any(start < last and first < end for start, end in text.spans)
