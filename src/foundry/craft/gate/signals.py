"""The numbers that the gate judges, read off the candidates of one question.

All come from retrieval and from comparing wording: cosines, ranks, how much of the
question's rare words a candidate covers, and whether it denies what the question
says. None comes from a language model or from the fused score, which says nothing
about relevance. Lexical signals count only where question and candidate share a
language; elsewhere only what every language writes alike (numbers, identifiers)
is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foundry.analysis import QueryTerm, analyse, fold, sentence_spans
from foundry.craft.gate.mentions import find_named
from foundry.craft.gate.question import (
    Candidate,
    Question,
    Weights,
    is_covered,
    languages_agree,
    subject_words,
    weigh_words,
)
from foundry.craft.gate.spelling import resembles
from foundry.records import ChannelHit, Chunk
from foundry.wording.names import stands_in
from foundry.wording.polarity import is_negated

JUDGED = 10
"""Candidates whose text is looked into: the best by fused rank."""

SATURATION = 1.2
"""k1 of BM25: how fast repeated words stop counting."""

RESEMBLING = 0.6
"""What a word counts whose compound or inflection stands in a candidate, itself in none."""


@dataclass(frozen=True, slots=True)
class Signals:
    """One candidate's numbers, each 0–1 except ``cosine`` and ``gap``; more is better.

    ``coverage``: rarity-weighted share of the question's words in chunk, headings
    and title; ``passage``: the same in its best two neighbouring sentences;
    ``saturated``: coverage with repeated words counting more (BM25's saturation);
    ``agreement``: 1 if both channels rank it first; ``known``: rarity-weighted share
    of what the question is about that stands in any source; ``named``: share of the
    question's names in the chunk; ``upright``: 0 where the question denies and the text
    around the best sentence does not. ``shared``: whether the languages agree, so that
    the lexical ones mean something.
    """

    shared: bool
    cosine: float = 0.0
    gap: float = 0.0
    coverage: float = 0.0
    passage: float = 0.0
    saturated: float = 0.0
    agreement: float = 0.0
    known: float = 1.0
    named: float = 1.0
    upright: float = 1.0

    def as_dict(self) -> dict[str, float]:
        """The signals by name, for results and logs."""
        return {name: round(float(getattr(self, name)), 4) for name in NAMES}


NAMES = tuple(name for name in Signals.__dataclass_fields__ if name != "shared")


def read_signals(question: Question, candidates: Sequence[Candidate]) -> list[Signals]:
    """The signals of the first ``JUDGED`` candidates, in order."""
    judged = candidates[:JUDGED]
    asked = _read_question(question, judged)
    return [_signals(asked, candidate, judged) for candidate in judged]


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """A chunk analysed: how often each term stands in it and its headings, and per sentence."""

    counts: Mapping[str, int]
    sentences: tuple[frozenset[str], ...]
    texts: tuple[str, ...]


# Evaluations and conversations meet the same chunks again and again.
@lru_cache(maxsize=2048)
def read_terms(headings: str, content: str, language: str) -> ChunkTerms:
    """The terms of a chunk's content under its headings."""
    texts = tuple(content[start:end] for start, end in sentence_spans(content, language))
    sentences = [analyse(text, language) for text in texts]
    counts = Counter(analyse(headings, language))
    for sentence in sentences:
        counts.update(sentence)
    return ChunkTerms(counts, tuple(frozenset(sentence) for sentence in sentences), texts)


def terms_of(candidate: Candidate) -> ChunkTerms:
    """The terms of a candidate's content, headings and title."""
    headings = " . ".join((candidate.source.title, *candidate.chunk.heading_path))
    return read_terms(headings, candidate.chunk.content, candidate.chunk.language)


def share_covered(question: Question, title: str, chunk: Chunk) -> float:
    """How much of the question's words, by their rarity, a chunk with its title holds; 0–1."""
    terms = read_terms(" . ".join((title, *chunk.heading_path)), chunk.content, chunk.language)
    weights = weigh_words(question)
    return _weight_in(question.words, weights, terms.counts) / weights.total


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with what all its candidates are compared with."""

    question: Question
    weights: Weights
    known: float
    negated: bool


def _read_question(question: Question, judged: Sequence[Candidate]) -> _Asked:
    weights = weigh_words(question)
    known = _known(question, weights, judged)
    return _Asked(question, weights, known, is_negated(question.text))


def _signals(asked: _Asked, candidate: Candidate, judged: Sequence[Candidate]) -> Signals:
    base = Signals(
        shared=languages_agree(asked.question, candidate.chunk),
        cosine=candidate.cosine or 0.0,
        gap=_gap(candidate, judged),
        agreement=float(_first(candidate.dense) and _first(candidate.bm25)),
    )
    terms = terms_of(candidate)
    if not base.shared:
        words = tuple(w for w in asked.question.words if _universal(w.word))
        return _with_words(base, words, asked, terms)
    words = subject_words(asked.question) or asked.question.words
    return _with_text(_with_words(base, words, asked, terms), asked, candidate)


def _with_words(
    base: Signals, words: Sequence[QueryTerm], asked: _Asked, terms: ChunkTerms
) -> Signals:
    """How much of these words stands in the chunk, its best two sentences and its best one."""
    weight = asked.weights.by_word
    total = sum(weight[w.word] for w in words) or 1.0
    present = [(weight[w.word], _times(w, terms.counts)) for w in words]
    return replace(
        base,
        coverage=sum(rarity for rarity, times in present if times) / total,
        saturated=sum(rarity * n / (n + SATURATION) for rarity, n in present) / total,
        passage=_best_passage(words, asked.weights, terms.sentences) / total,
    )


def _with_text(base: Signals, asked: _Asked, candidate: Candidate) -> Signals:
    """What the text around the best sentence says of the question's words, names and denials."""
    terms, question = terms_of(candidate), asked.question
    at = _best_sentence(question.words, asked.weights, terms.sentences)
    around = " ".join(terms.texts[max(0, at - 1) : at + 2])
    return replace(
        base,
        known=asked.known,
        named=_named(question.text, candidate),
        upright=float(not asked.negated or is_negated(around)),
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


def _best_sentence(
    words: Sequence[QueryTerm], weights: Weights, sentences: Sequence[frozenset[str]]
) -> int:
    """The place of the sentence that covers the most weight; the first of equals."""
    covered = [_weight_in(words, weights, terms) for terms in sentences]
    return covered.index(max(covered)) if covered else 0


def _weight_in(words: Sequence[QueryTerm], weights: Weights, terms: Collection[str]) -> float:
    return sum(weights.by_word[w.word] for w in words if any(term in terms for term in w.terms))


def _known(question: Question, weights: Weights, judged: Sequence[Candidate]) -> float:
    words = subject_words(question)
    total = sum(weights.by_word[w.word] for w in words)
    uncovered = [w for w in words if not is_covered(question, w)]
    if not uncovered or not total:
        return 1.0
    near = [c for c in judged if languages_agree(question, c.chunk)]
    vocabulary = frozenset[str]().union(*(terms_of(c).counts for c in near))
    lacking = sum(
        weights.by_word[w.word] * (1 - RESEMBLING * resembles(w, vocabulary)) for w in uncovered
    )
    return 1 - lacking / total


def _named(text: str, candidate: Candidate) -> float:
    """The share of the question's names that the chunk, its headings, title or path holds."""
    names = [name for name in find_named(text) if name.identifier or not name.initial]
    if not names:
        return 1.0
    source, chunk = candidate.source, candidate.chunk
    held = fold(" ".join((source.title, source.path, *chunk.heading_path, chunk.content)))
    return sum(stands_in(name, held) for name in names) / len(names)


def _universal(word: str) -> bool:
    """Numbers and identifiers are written alike in every language."""
    return any(character.isdigit() for character in word)
