"""What the gate is given: a question with how rare its words are, and the candidates found for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from foundry.analysis import QueryTerm, fold
from foundry.records import ChannelHit, Chunk, Source

# Words that say how an answer is asked for, not what about: no source need hold them.
_ENGLISH_FRAME = (
    "many much long far fast high big large heavy old often wide deep thick hot date year day time"
    " number amount kind type sort mention mentions mentioned say says name names named call called"
    " state states describe described give gives given get happen happens happened"
)
_DUTCH_FRAME = (
    "hoeveel lang ver snel hoog groot zwaar oud vaak breed diep dik warm duur datum jaar dag tijd"
    " aantal soort noemt noemen genoemd staat staan zegt gebeurt gebeurde heet heten duurt duren"
)
_FRAME = frozenset(f"{_ENGLISH_FRAME} {_DUTCH_FRAME}".split())


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the gate sees it.

    ``frequencies`` tells in how many chunks each analysed term stands, of
    ``chunks`` chunks in all; ``languages`` are those of the chunks.
    """

    text: str
    language: str
    words: tuple[QueryTerm, ...]
    frequencies: Mapping[str, int]
    chunks: int
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that at least one channel found. ``cosine`` is None without a vector."""

    chunk: Chunk
    source: Source
    fused: float
    dense: ChannelHit | None = None
    bm25: ChannelHit | None = None
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """How rare each word of the question is: BM25's idf."""

    by_word: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The sum over all words; never 0, so that shares are defined."""
        return sum(self.by_word.values()) or 1.0


def weigh_words(question: Question) -> Weights:
    """The idf of each word; a word counts as its most frequent variant."""
    count = question.chunks
    by_word = {}
    for word in question.words:
        found = max((question.frequencies.get(term, 0) for term in word.terms), default=0)
        by_word[word.word] = math.log(1 + (count - found + 0.5) / (found + 0.5))
    return Weights(by_word)


def subject_words(question: Question) -> tuple[QueryTerm, ...]:
    """What the question is about: its words without those that only frame it ("how many")."""
    return tuple(word for word in question.words if fold(word.word) not in _FRAME)


def is_covered(question: Question, word: QueryTerm) -> bool:
    """Whether a word of the question stands in any chunk at all."""
    return any(question.frequencies.get(term, 0) for term in word.terms)


def uncovered_words(question: Question) -> tuple[str, ...]:
    """The words that the question is about and that stand in no chunk at all."""
    return tuple(w.word for w in subject_words(question) if not is_covered(question, w))


def languages_agree(question: Question, chunk: Chunk) -> bool:
    """Whether words of the question can be expected in the chunk; unknown counts as yes."""
    return "und" in (question.language, chunk.language) or question.language == chunk.language
