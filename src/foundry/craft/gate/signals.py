"""The passages that the gate judges, and the signals by which it judges them.

They come from retrieval and from comparing words: the cosine, how much of the question's rare words
a candidate covers, and whether it is about the thing named and states the value asked for. None
comes from a language model, or from the fused score, which says nothing about relevance. Words are
compared only within a language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import mul

from foundry.analysis import analyse, find_sentences, fold
from foundry.craft.question import (
    CURRENCIES,
    has_comparable_words,
    is_same_language,
    select_subject_words,
    split_words,
)
from foundry.records import (
    AskedValue,
    Chunk,
    Name,
    Period,
    QueryTerm,
    Question,
    RetrieverHit,
    Source,
    SubjectFit,
)
from foundry.text.lines import PART_CREDIT
from foundry.text.names import is_mentioned_in
from foundry.text.periods import Fit, find_periods, judge_label, judge_periods
from foundry.text.quantities import Quantity, find_quantities


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

    def join_labels(self) -> str:
        """Its title, path, the names of its source, and its headings, a line each."""
        own = (word for name in self.source.names for word in (name.name, *name.aliases))
        return "\n".join((self.source.title, self.source.path, *own, *self.chunk.heading_path))

    def fold_text(self) -> str:
        """Its title, path, headings and content, folded."""
        source, chunk = self.source, self.chunk
        return fold(" ".join((source.title, source.path, *chunk.heading_path, chunk.content)))


_MIN_LENGTH = 5
_MIN_PART_SHARE = 0.6
"""Smallest share of a compound that its known part must be, as "temperatuur" in
"kamertemperatuur". A guess: more than half."""


def has_similar_word(term: str, vocabulary: Collection[str]) -> bool:
    """Whether the vocabulary has a part or a compound of a folded term.

    Terms with digits never match: E05 is not E12.
    """
    if len(term) < _MIN_LENGTH or not term.isalpha():
        return False
    others = (other for other in vocabulary if len(other) >= _MIN_LENGTH and other.isalpha())
    for longer, shorter in (sorted((term, other), key=len, reverse=True) for other in others):
        ends = longer.startswith(shorter) or longer.endswith(shorter)
        if ends and len(shorter) >= _MIN_PART_SHARE * len(longer):
            return True
    return False


MAX_JUDGED = 10
"""Candidates whose text is read: the best by fused rank. ``python -m bench.fit_gate`` fitted the
shipped weights with this number."""

_VERSION_BEFORE = re.compile(r"\bv(?:ers(?:ion|ie)s?)?\W*$")
_CURRENCY_SIGN = re.compile(r"[€$£]|\b(?:EUR|USD|GBP)\b")
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_YEAR_LENGTH = 4

_NEAR = 40
"""Characters between a number and what it counts: "12 of the 30 larger municipalities" (a guess)."""

SATURATION = 1.2
"""BM25's k1, its usual value: how fast repetitions of a word stop counting."""


@dataclass(frozen=True, slots=True)
class CandidateSignals:
    """The signals of one candidate; higher is better.

    All are 0–1 except ``cosine`` (-1–1).

    - ``shared``: question and chunk share a language, so signals from words mean something
    - ``passage``: share of the question's words in the best two neighbouring sentences, weighted by
      rarity
    - ``saturated``: the same in chunk, headings and title, where repetitions count more (BM25's
      saturation)
    - ``known``: share of the question's subject words in any source, weighted by rarity; 1 where no
      source is in the question's language
    - ``named``: share of the question's names in the chunk, of those that any candidate has
    - ``familiar``: ``known`` times ``named``, for chunks in another language, which share little else
    - ``attribute``: coverage by the chunk of the question's words that are not part of a name
    - ``asked``: the best coverage by a sentence that has the kind of value asked for, divided by the
      best coverage by any sentence; 1 where no value is asked for
    - ``about``: 0 for a passage about another thing than the question names, such as another year
    - ``dated``: coverage by a sentence or row of the period asked about, as a share of that by any
      sentence; one whose period is in doubt counts half; 1 where no period is asked about
    """

    shared: bool
    cosine: float = 0.0
    passage: float = 0.0
    saturated: float = 0.0
    known: float = 1.0
    named: float = 1.0
    familiar: float = 1.0
    attribute: float = 0.0
    asked: float = 1.0
    about: float = 1.0
    dated: float = 1.0

    def as_dict(self) -> dict[str, float]:
        """The signals by name, for results and logs."""
        return {name: round(float(getattr(self, name)), 4) for name in SIGNAL_NAMES}


SIGNAL_NAMES = tuple(name for name in CandidateSignals.__dataclass_fields__ if name != "shared")


def compute_signals(question: Question, candidates: Sequence[Candidate]) -> list[CandidateSignals]:
    """The signals of the first ``MAX_JUDGED`` candidates, in order."""
    judged = candidates[:MAX_JUDGED]
    asked = _build_context(question, judged)
    return [_compute_signals(asked, candidate) for candidate in judged]


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """The terms of a chunk: counts with its headings, and per sentence with its text."""

    headings: frozenset[str]
    counts: Counter[str]
    sentences: tuple[frozenset[str], ...]
    texts: tuple[str, ...]


# Evaluations and conversations retrieve the same chunks again and again.
@lru_cache(maxsize=2048)
def analyse_chunk(headings: str, content: str, language: str) -> ChunkTerms:
    """The terms of a chunk's content under its headings."""
    texts = tuple(content[start:end] for start, end in find_sentences(content, language))
    sentences = [analyse(text, language) for text in texts]
    above = analyse(headings, language)
    counts = Counter(above)
    for sentence in sentences:
        counts.update(sentence)
    terms = tuple(frozenset(sentence) for sentence in sentences)
    return ChunkTerms(frozenset(above), counts, terms, texts)


def analyse_candidate(candidate: Candidate) -> ChunkTerms:
    """The terms of a candidate's content, headings and title."""
    headings = " . ".join((candidate.source.title, *candidate.chunk.heading_path))
    return analyse_chunk(headings, candidate.chunk.content, candidate.chunk.language)


def compute_coverage(question: Question, title: str, chunk: Chunk) -> float:
    """Share of the question's words in a chunk and its title, weighted by rarity; 0–1."""
    terms = analyse_chunk(" . ".join((title, *chunk.heading_path)), chunk.content, chunk.language)
    weights = weigh_words(question)
    return _sum_weights(question.words, weights, terms.counts) / (sum(weights.values()) or 1.0)


def weigh_words(question: Question) -> dict[str, float]:
    """The rarity of each word; it counts as its most frequent variant."""
    return {word.word: question.compute_rarity(*word.terms) for word in question.words}


@dataclass(frozen=True, slots=True)
class _QuestionContext:
    """What the signals of all candidates share."""

    question: Question
    weights: Mapping[str, float]
    known: float
    attribute: tuple[QueryTerm, ...]
    names: tuple[Name, ...]


def _build_context(question: Question, judged: Sequence[Candidate]) -> _QuestionContext:
    weights = weigh_words(question)
    known = _compute_known(question, weights, judged)
    return _QuestionContext(
        question,
        weights,
        known,
        _select_attribute_words(question),
        _select_names(question, judged),
    )


def _select_attribute_words(question: Question) -> tuple[QueryTerm, ...]:
    """The subject words that are not part of a name: what is asked about the thing named."""
    named = split_words(" ".join(name.text for name in question.sure_names))
    words = select_subject_words(question) or question.words
    return tuple(word for word in words if fold(word.word) not in named) or words


def _compute_signals(asked: _QuestionContext, candidate: Candidate) -> CandidateSignals:
    terms = analyse_candidate(candidate)
    named = _compute_named(asked.names, candidate)
    base = CandidateSignals(
        shared=is_same_language(asked.question, candidate.chunk),
        cosine=candidate.cosine or 0.0,
        known=asked.known,
        named=named,
        familiar=named * asked.known,
        asked=_compute_asked(asked, candidate, terms),
        about=float(candidate.fit.verdict != "other"),
        dated=_compute_dated(asked, candidate, terms),
    )
    return _add_word_signals(base, asked, terms) if base.shared else base


def _add_word_signals(
    base: CandidateSignals, asked: _QuestionContext, terms: ChunkTerms
) -> CandidateSignals:
    """How much of the question's words and names the chunk and its best two sentences cover."""
    weight = asked.weights
    words = select_subject_words(asked.question) or asked.question.words
    total = sum(weight[w.word] for w in words) or 1.0
    present = [(weight[w.word], max(terms.counts[t] for t in w.terms)) for w in words]
    return replace(
        base,
        passage=_score_best_passage(words, asked.weights, terms.sentences) / total,
        saturated=sum(rarity * n / (n + SATURATION) for rarity, n in present) / total,
        attribute=_compute_share(asked.attribute, asked.weights, terms.counts),
    )


def _compute_share(
    words: Sequence[QueryTerm], weights: Mapping[str, float], terms: Collection[str]
) -> float:
    """The share of the words' weight that these terms cover."""
    total = sum(weights[word.word] for word in words) or 1.0
    return _sum_weights(words, weights, terms) / total


def _compute_asked(asked: _QuestionContext, candidate: Candidate, terms: ChunkTerms) -> float:
    """How near to the question's words the chunk has a value of the kind asked for."""
    value, chunk = asked.question.value, candidate.chunk
    if value is None:
        return 1.0
    if not is_same_language(asked.question, chunk):
        # The things that a number counts have other names there.
        counts = value.kind == "count"
        return float(counts or _has_value(value, chunk, terms.texts))
    above = (frozenset[str](), *terms.sentences)
    covered = [
        _sum_weights(asked.question.words, asked.weights, terms.headings | before | own)
        for before, own in zip(above, terms.sentences, strict=False)
    ]
    # From the best sentence on, because reading values takes longer than comparing words.
    for place in sorted(range(len(covered)), key=lambda place: -covered[place]):
        if _has_value(value, chunk, terms.texts[place : place + 1]):
            return covered[place] / max(covered) if covered[place] else 0.0
    return 0.0


_PERIOD_CREDIT: Mapping[Fit, float] = {"fits": 1.0, "unknown": 0.5, "other": 0.0}


def _compute_dated(asked: _QuestionContext, candidate: Candidate, terms: ChunkTerms) -> float:
    """How near to the question's words the chunk has the period asked about."""
    periods = asked.question.periods
    if not periods:
        return 1.0
    worth = [_PERIOD_CREDIT[fit] for fit in _judge_sentences(periods, candidate, terms)]
    covered = [
        _sum_weights(asked.question.words, asked.weights, terms.headings | own)
        for own in terms.sentences
    ]
    most = max(covered, default=0.0)
    if not most:
        return max(worth, default=0.5)
    return float(max(map(mul, worth, covered))) / most


def _judge_sentences(
    asked: Sequence[Period], candidate: Candidate, terms: ChunkTerms
) -> Iterator[Fit]:
    """Whether each sentence or row is of an asked period, by its own or that of what is above it.

    Rows have the period of the last row that has one, as headers do; others that of the heading or
    document.
    """
    chunk, source = candidate.chunk, candidate.source
    above = judge_periods(asked, find_periods("\n".join(chunk.heading_path), chunk.language))
    if above == "unknown":
        above = judge_label(asked, source)
    header = above
    for text in terms.texts:
        own = find_periods(text, chunk.language)
        inherited = header if "|" in text else above
        fit = judge_periods(asked, own) if own else inherited
        header = fit if "|" in text else above
        yield fit


def _has_value(value: AskedValue, chunk: Chunk, texts: Sequence[str]) -> bool:
    return any(states_value(value, text, chunk.content, chunk.language) for text in texts)


def _score_best_passage(
    words: Sequence[QueryTerm], weights: Mapping[str, float], sentences: Sequence[frozenset[str]]
) -> float:
    """The highest weight that two neighbouring sentences cover."""
    pairs = [a | b for a, b in zip(sentences, [*sentences[1:], frozenset[str]()], strict=True)]
    return max((_sum_weights(words, weights, terms) for terms in pairs), default=0.0)


def _sum_weights(
    words: Sequence[QueryTerm], weights: Mapping[str, float], terms: Collection[str]
) -> float:
    return sum(weights[w.word] for w in words if any(term in terms for term in w.terms))


def _compute_known(
    question: Question, weights: Mapping[str, float], judged: Sequence[Candidate]
) -> float:
    words = select_subject_words(question)
    total = sum(weights[w.word] for w in words)
    uncovered = [w for w in words if not question.is_covered(w)]
    if not uncovered or not total or not has_comparable_words(question):
        return 1.0
    comparable = [c for c in judged if is_same_language(question, c.chunk)]
    vocabulary = frozenset[str]().union(*(analyse_candidate(c).counts for c in comparable))
    missing = sum(
        weights[w.word]
        * (1 - PART_CREDIT * any(has_similar_word(term, vocabulary) for term in w.terms))
        for w in uncovered
    )
    return 1 - missing / total


def _select_names(question: Question, judged: Sequence[Candidate]) -> tuple[Name, ...]:
    """The question's names that any candidate has: the others tell none of them from the rest."""
    names = question.sure_names
    texts = [candidate.fold_text() for candidate in judged] if names else []
    return tuple(name for name in names if any(is_mentioned_in(name, one) for one in texts))


def _compute_named(names: Sequence[Name], candidate: Candidate) -> float:
    """Share of the names in the chunk, its headings, title or path; 1 without names."""
    if not names:
        return 1.0
    text = candidate.fold_text()
    return sum(is_mentioned_in(name, text) for name in names) / len(names)


def states_value(asked: AskedValue, sentence: str, around: str, language: str) -> bool:
    """Whether a sentence or row has a value of the kind asked for.

    ``around`` is the passage: a table's currency is in its header or caption.
    """
    found = [q for q in find_quantities(sentence, language) if q.text not in asked.known]
    if asked.kind == "date":
        return any(_has_year(quantity) for quantity in found)
    if asked.kind == "version":
        return any(_is_version(quantity, sentence) for quantity in found)
    if asked.kind == "count":
        return any(_counts(quantity, asked.stems, sentence) for quantity in found)
    if any(quantity.dimension in asked.dimensions for quantity in found):
        return True
    if "month" in asked.dimensions:
        # "From 1939 to 1945" says how long; so does "3:52".
        return sum(map(_has_year, found)) > 1 or any(one.kind == "clock" for one in found)
    is_money = asked.dimensions == CURRENCIES and _CURRENCY_SIGN.search(around) is not None
    return is_money and any(not quantity.dimension for quantity in found)


def _has_year(quantity: Quantity) -> bool:
    if quantity.date is not None:
        return True
    plain = len(quantity.text) == _YEAR_LENGTH and not quantity.dimension
    return plain and any(_FIRST_YEAR <= value <= _LAST_YEAR for value in quantity.bare)


def _is_version(quantity: Quantity, sentence: str) -> bool:
    """Whether a number is a version: by its form ("3.0.1"), or behind a word ("version 4")."""
    before = fold(sentence[: quantity.start])
    return quantity.kind == "version" or _VERSION_BEFORE.search(before) is not None


def _counts(quantity: Quantity, stems: Sequence[str], sentence: str) -> bool:
    """Whether a counted thing is named beside a number, before or after it."""
    around = fold(sentence[max(0, quantity.start - _NEAR) : quantity.end + _NEAR])
    named = any(re.search(rf"\b{re.escape(stem)}", around) for stem in stems)
    return named and quantity.kind == "number"
