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

from foundry.analysis import QueryTerm, analyse, find_sentences, fold
from foundry.craft.gate.question import (
    Candidate,
    Question,
    TermWeights,
    compute_idf,
    find_question_names,
    has_similar_term,
    is_covered,
    is_same_language,
    select_subject_words,
)
from foundry.records import Chunk, RetrieverHit
from foundry.text.names import is_mentioned_in
from foundry.text.polarity import is_negated

MAX_JUDGED = 10
"""Candidates whose text is looked into: the best by fused rank."""

SATURATION = 1.2
"""k1 of BM25: how fast repeated words stop counting."""

SIMILAR_WORD_CREDIT = 0.6
"""What a word counts whose compound or inflection stands in a candidate, itself in none."""


@dataclass(frozen=True, slots=True)
class CandidateSignals:
    """One candidate's numbers, each 0–1 except ``cosine`` and ``gap``; more is better.

    ``coverage``: rarity-weighted share of the question's words in chunk, headings
    and title; ``find_passage``: the same in its best two neighbouring sentences;
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
        return {name: round(float(getattr(self, name)), 4) for name in SIGNAL_NAMES}


SIGNAL_NAMES = tuple(name for name in CandidateSignals.__dataclass_fields__ if name != "shared")


def compute_signals(question: Question, candidates: Sequence[Candidate]) -> list[CandidateSignals]:
    """The signals of the first ``MAX_JUDGED`` candidates, in order."""
    judged = candidates[:MAX_JUDGED]
    asked = _build_context(question, judged)
    return [_compute_signals(asked, candidate, judged) for candidate in judged]


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """A chunk analysed: how often each term stands in it and its headings, and per sentence."""

    counts: Mapping[str, int]
    sentences: tuple[frozenset[str], ...]
    texts: tuple[str, ...]


# Evaluations and conversations meet the same chunks again and again.
@lru_cache(maxsize=2048)
def analyse_chunk(headings: str, content: str, language: str) -> ChunkTerms:
    """The terms of a chunk's content under its headings."""
    texts = tuple(content[start:end] for start, end in find_sentences(content, language))
    sentences = [analyse(text, language) for text in texts]
    counts = Counter(analyse(headings, language))
    for sentence in sentences:
        counts.update(sentence)
    return ChunkTerms(counts, tuple(frozenset(sentence) for sentence in sentences), texts)


def analyse_candidate(candidate: Candidate) -> ChunkTerms:
    """The terms of a candidate's content, headings and title."""
    headings = " . ".join((candidate.source.title, *candidate.chunk.heading_path))
    return analyse_chunk(headings, candidate.chunk.content, candidate.chunk.language)


def compute_coverage(question: Question, title: str, chunk: Chunk) -> float:
    """How much of the question's words, by their rarity, a chunk with its title holds; 0–1."""
    terms = analyse_chunk(" . ".join((title, *chunk.heading_path)), chunk.content, chunk.language)
    weights = compute_idf(question)
    return _sum_weights(question.words, weights, terms.counts) / weights.total


@dataclass(frozen=True, slots=True)
class _QuestionContext:
    """A question with what all its candidates are compared with."""

    question: Question
    weights: TermWeights
    known: float
    negated: bool


def _build_context(question: Question, judged: Sequence[Candidate]) -> _QuestionContext:
    weights = compute_idf(question)
    known = _compute_known(question, weights, judged)
    return _QuestionContext(question, weights, known, is_negated(question.text))


def _compute_signals(
    asked: _QuestionContext, candidate: Candidate, judged: Sequence[Candidate]
) -> CandidateSignals:
    base = CandidateSignals(
        shared=is_same_language(asked.question, candidate.chunk),
        cosine=candidate.cosine or 0.0,
        gap=_compute_gap(candidate, judged),
        agreement=float(_is_first(candidate.dense) and _is_first(candidate.bm25)),
    )
    terms = analyse_candidate(candidate)
    if not base.shared:
        words = tuple(w for w in asked.question.words if _is_language_independent(w.word))
        return _add_word_signals(base, words, asked, terms)
    words = select_subject_words(asked.question) or asked.question.words
    return _add_text_signals(_add_word_signals(base, words, asked, terms), asked, candidate)


def _add_word_signals(
    base: CandidateSignals, words: Sequence[QueryTerm], asked: _QuestionContext, terms: ChunkTerms
) -> CandidateSignals:
    """How much of these words stands in the chunk, its best two sentences and its best one."""
    weight = asked.weights.by_word
    total = sum(weight[w.word] for w in words) or 1.0
    present = [(weight[w.word], _count_occurrences(w, terms.counts)) for w in words]
    return replace(
        base,
        coverage=sum(rarity for rarity, times in present if times) / total,
        saturated=sum(rarity * n / (n + SATURATION) for rarity, n in present) / total,
        passage=_score_best_passage(words, asked.weights, terms.sentences) / total,
    )


def _add_text_signals(
    base: CandidateSignals, asked: _QuestionContext, candidate: Candidate
) -> CandidateSignals:
    """What the text around the best sentence says of the question's words, names and denials."""
    terms, question = analyse_candidate(candidate), asked.question
    at = _find_best_sentence(question.words, asked.weights, terms.sentences)
    around = " ".join(terms.texts[max(0, at - 1) : at + 2])
    return replace(
        base,
        known=asked.known,
        named=_compute_named(question.text, candidate),
        upright=float(not asked.negated or is_negated(around)),
    )


def _is_first(hit: RetrieverHit | None) -> bool:
    return hit is not None and hit.rank == 1


def _compute_gap(candidate: Candidate, judged: Sequence[Candidate]) -> float:
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


def _count_occurrences(word: QueryTerm, counts: Mapping[str, int]) -> int:
    return max((counts.get(term, 0) for term in word.terms), default=0)


def _score_best_passage(
    words: Sequence[QueryTerm], weights: TermWeights, sentences: Sequence[frozenset[str]]
) -> float:
    """The most weight that two neighbouring sentences cover."""
    pairs = [a | b for a, b in zip(sentences, [*sentences[1:], frozenset[str]()], strict=True)]
    return max((_sum_weights(words, weights, terms) for terms in pairs), default=0.0)


def _find_best_sentence(
    words: Sequence[QueryTerm], weights: TermWeights, sentences: Sequence[frozenset[str]]
) -> int:
    """The place of the sentence that covers the most weight; the first of equals."""
    covered = [_sum_weights(words, weights, terms) for terms in sentences]
    return covered.index(max(covered)) if covered else 0


def _sum_weights(words: Sequence[QueryTerm], weights: TermWeights, terms: Collection[str]) -> float:
    return sum(weights.by_word[w.word] for w in words if any(term in terms for term in w.terms))


def _compute_known(question: Question, weights: TermWeights, judged: Sequence[Candidate]) -> float:
    words = select_subject_words(question)
    total = sum(weights.by_word[w.word] for w in words)
    uncovered = [w for w in words if not is_covered(question, w)]
    if not uncovered or not total:
        return 1.0
    near = [c for c in judged if is_same_language(question, c.chunk)]
    vocabulary = frozenset[str]().union(*(analyse_candidate(c).counts for c in near))
    lacking = sum(
        weights.by_word[w.word] * (1 - SIMILAR_WORD_CREDIT * has_similar_term(w, vocabulary))
        for w in uncovered
    )
    return 1 - lacking / total


def _compute_named(text: str, candidate: Candidate) -> float:
    """The share of the question's names that the chunk, its headings, title or path holds."""
    names = [name for name in find_question_names(text) if name.identifier or not name.initial]
    if not names:
        return 1.0
    source, chunk = candidate.source, candidate.chunk
    held = fold(" ".join((source.title, source.path, *chunk.heading_path, chunk.content)))
    return sum(is_mentioned_in(name, held) for name in names) / len(names)


def _is_language_independent(word: str) -> bool:
    """Numbers and identifiers are written alike in every language."""
    return any(character.isdigit() for character in word)
