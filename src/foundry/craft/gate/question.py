"""The gate's input: a question with the rarity of its words, and its candidates."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from foundry.analysis import UNKNOWN, fold
from foundry.lexicon import load_shared_lexicon
from foundry.records import Chunk, QueryTerm, Question, RetrieverHit, Source, SubjectFit

_WORDS = load_shared_lexicon().questions
_STOP_WORDS = load_shared_lexicon().general.stop_words


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that at least one retriever found. ``cosine`` is None without a vector.

    ``fit`` says whether it is about what the question names.
    """

    chunk: Chunk
    source: Source
    fused: float
    dense: RetrieverHit | None = None
    bm25: RetrieverHit | None = None
    cosine: float | None = None
    fit: SubjectFit = field(default_factory=SubjectFit)


@dataclass(frozen=True, slots=True)
class TermWeights:
    """The rarity of each word of the question: BM25's idf."""

    by_word: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The sum over all words, or 1 if that is 0: it serves as a divisor."""
        return sum(self.by_word.values()) or 1.0


def compute_idf(question: Question) -> TermWeights:
    """The idf of each word; a word counts as its most frequent variant."""
    return TermWeights({w.word: question.compute_rarity(*w.terms) for w in question.words})


def select_subject_words(question: Question) -> tuple[QueryTerm, ...]:
    """The words of the question without those that only frame it ("how many")."""
    return tuple(word for word in question.words if fold(word.word) not in _WORDS.frame)


def is_covered(question: Question, word: QueryTerm) -> bool:
    """Whether any chunk contains a word of the question."""
    return any(question.frequencies.get(term, 0) for term in word.terms)


def find_uncovered_words(question: Question) -> tuple[str, ...]:
    """The subject words of the question that no chunk contains, if words can tell."""
    words = select_subject_words(question) if has_comparable_words(question) else ()
    return tuple(word.word for word in words if not is_covered(question, word))


def has_comparable_words(question: Question) -> bool:
    """Whether any source may have its words: one is in its language, or in none that is known."""
    known = question.languages - {UNKNOWN}
    return question.language == UNKNOWN or not known or question.language in known


def has_common_words_only(question: Question) -> bool:
    """Whether all its words are such as every text has, so that nothing can be looked for."""
    return all(fold(word.word) in _STOP_WORDS for word in question.words)


def is_same_language(question: Question, chunk: Chunk) -> bool:
    """Whether question and chunk share a language; an unknown one counts as shared."""
    return "und" in (question.language, chunk.language) or question.language == chunk.language


_MIN_LENGTH = 5
_MIN_PART_SHARE = 0.6
"""Smallest share of a compound that its known part must be, as "temperatuur" in
"kamertemperatuur". A guess: more than half."""


def has_similar_term(word: QueryTerm, vocabulary: Collection[str]) -> bool:
    """Whether the vocabulary has a part or a compound of the word."""
    return any(has_similar_word(term, vocabulary) for term in word.terms)


def has_similar_word(term: str, vocabulary: Collection[str]) -> bool:
    """The same for one folded term. Terms with digits never match: E05 is not E12."""
    if len(term) < _MIN_LENGTH or not term.isalpha():
        return False
    others = (other for other in vocabulary if len(other) >= _MIN_LENGTH and other.isalpha())
    return any(_is_part(term, other) for other in others)


def _is_part(one: str, other: str) -> bool:
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    ends = longer.startswith(shorter) or longer.endswith(shorter)
    return ends and len(shorter) >= _MIN_PART_SHARE * len(longer)
