"""The numbers that the gate judges, read off the candidates of one question.

All come from retrieval: cosines, ranks, and how much of the question's rare words
a candidate covers. None comes from a language model or from the fused score,
which says nothing about relevance. Lexical signals count only where question and
candidate share a language; elsewhere only what every language writes alike
(numbers, identifiers) is compared.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from foundry.analysis import QueryTerm, analyse, sentence_spans
from foundry.records import ChannelHit, Chunk, Source

JUDGED = 10
"""Candidates whose text is looked into: the best by fused rank."""

SATURATION = 1.2
"""k1 of BM25: how fast repeated words stop counting."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the gate sees it.

    ``frequencies`` tells in how many chunks each analysed term stands, of
    ``chunks`` chunks in all.
    """

    text: str
    language: str
    words: tuple[QueryTerm, ...]
    frequencies: Mapping[str, int]
    chunks: int


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
class Signals:
    """One candidate's numbers, each 0–1 except ``cosine`` and ``gap``.

    ``coverage``: rarity-weighted share of the question's words in chunk, headings
    and title; ``passage``: the same in its best two neighbouring sentences;
    ``saturated``: coverage with repeated words counting more (BM25's saturation);
    ``agreement``: 1 if both channels rank it first. ``shared``: whether the
    languages agree, so that the lexical ones mean something.
    """

    shared: bool
    cosine: float = 0.0
    gap: float = 0.0
    coverage: float = 0.0
    passage: float = 0.0
    saturated: float = 0.0
    agreement: float = 0.0

    def as_dict(self) -> dict[str, float]:
        """The signals by name, for results and logs."""
        names = ("cosine", "gap", "coverage", "passage", "saturated", "agreement")
        return {name: round(float(getattr(self, name)), 4) for name in names}


@dataclass(frozen=True, slots=True)
class Weights:
    """How rare each word of the question is: BM25's idf, over the whole index."""

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


def read_signals(question: Question, candidates: Sequence[Candidate]) -> list[Signals]:
    """The signals of the first ``JUDGED`` candidates, in order."""
    weights = weigh_words(question)
    judged = candidates[:JUDGED]
    return [_signals(question, weights, candidate, judged) for candidate in judged]


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """A chunk analysed: how often each term stands in it and its headings, and per sentence."""

    counts: Mapping[str, int]
    sentences: tuple[frozenset[str], ...]


# Evaluations and conversations meet the same chunks again and again.
@lru_cache(maxsize=2048)
def read_terms(headings: str, content: str, language: str) -> ChunkTerms:
    """The terms of a chunk's content under its headings."""
    sentences = [
        analyse(content[start:end], language) for start, end in sentence_spans(content, language)
    ]
    counts = Counter(analyse(headings, language))
    for sentence in sentences:
        counts.update(sentence)
    return ChunkTerms(counts, tuple(frozenset(sentence) for sentence in sentences))


def uncovered_words(question: Question) -> tuple[str, ...]:
    """The words of the question that stand in no chunk at all."""
    return tuple(
        word.word
        for word in question.words
        if not any(question.frequencies.get(term, 0) for term in word.terms)
    )


def languages_agree(question: Question, chunk: Chunk) -> bool:
    """Whether words of the question can be expected in the chunk; unknown counts as yes."""
    return "und" in (question.language, chunk.language) or question.language == chunk.language


def _signals(
    question: Question, weights: Weights, candidate: Candidate, judged: Sequence[Candidate]
) -> Signals:
    chunk = candidate.chunk
    shared = languages_agree(question, chunk)
    words = question.words if shared else tuple(w for w in question.words if _universal(w.word))
    headings = " . ".join((candidate.source.title, *chunk.heading_path))
    terms = read_terms(headings, chunk.content, chunk.language)
    present = [_times(word, terms.counts) for word in words]
    total = weights.total if shared else sum(weights.by_word[w.word] for w in words) or 1.0
    return Signals(
        shared=shared,
        cosine=candidate.cosine or 0.0,
        gap=_gap(candidate, judged),
        coverage=sum(weights.by_word[w.word] for w, n in zip(words, present, strict=True) if n)
        / total,
        passage=_best_passage(words, weights, terms.sentences) / total,
        saturated=sum(
            weights.by_word[w.word] * n / (n + SATURATION)
            for w, n in zip(words, present, strict=True)
        )
        / total,
        agreement=float(_first(candidate.dense) and _first(candidate.bm25)),
    )


def _first(hit: ChannelHit | None) -> bool:
    return hit is not None and hit.rank == 1


def _gap(candidate: Candidate, judged: Sequence[Candidate]) -> float:
    """How far a cosine stands above its competitors'; 0 where there are none.

    Only those in the same language compete: any text in the question's own language
    lies nearer to it than the best in another.
    """
    others = [
        other.cosine
        for other in judged
        if other is not candidate
        and other.cosine is not None
        and other.chunk.language == candidate.chunk.language
    ]
    if candidate.cosine is None or not others:
        return 0.0
    # Few competitors say little: the gap is drawn towards 0 by their number.
    return (candidate.cosine - sum(others) / len(others)) * len(others) / (len(others) + 1)


def _times(word: QueryTerm, counts: Mapping[str, int]) -> int:
    return max((counts.get(term, 0) for term in word.terms), default=0)


def _best_passage(
    words: Sequence[QueryTerm], weights: Weights, sentences: Sequence[frozenset[str]]
) -> float:
    """The most weight that two neighbouring sentences cover."""
    pairs = [a | b for a, b in zip(sentences, [*sentences[1:], frozenset[str]()], strict=True)]
    return max((_weight_in(words, weights, terms) for terms in pairs), default=0.0)


def _weight_in(words: Sequence[QueryTerm], weights: Weights, terms: Collection[str]) -> float:
    return sum(weights.by_word[w.word] for w in words if any(term in terms for term in w.terms))


def _universal(word: str) -> bool:
    """Numbers and identifiers are written alike in every language."""
    return any(character.isdigit() for character in word)
