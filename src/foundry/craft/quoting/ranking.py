"""Ranks quotable candidates by a question's words.

The score adds up the words by rarity and the relevance of the hit. It only compares candidates of one
question. Drafts take the best; ``signs`` decides which of the leading ones answers a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import analyse, analyse_query, fold
from foundry.craft.quoting.candidates import QuoteCandidate, list_terms
from foundry.craft.quoting.identifiers import keep_whole, names_another
from foundry.craft.quoting.kinds import holds_asked_value
from foundry.craft.quoting.rows import judge_row
from foundry.records import QueryTerm, Question
from foundry.text.lines import find_shared_terms
from foundry.text.periods import Fit, Period, find_periods, judge_periods
from foundry.text.quantities import Quantity, find_quantities, is_same_quantity

QuestionSimilarity = Callable[[Sequence[str]], Sequence[float]]
"""Cosines of texts to the question, from an embedder."""

MAX_COMPARED = 40
"""Sentences of a draft that are embedded at most: each takes about 20 ms with the built-in model."""

_MEANING_WEIGHT = 0.5
_LEADING_SHARE = 0.6

# Rounded from a regression on which sentence of half of 410 written questions answers.
_RELEVANCE_WEIGHT = 0.45
_HEADING_CREDIT = 0.5
_BEFORE_CREDIT, _ASKED_BEFORE_CREDIT = 0.5, 0.9
_ROW_NAME_WEIGHT = 0.5
_COMPOUND_CREDIT = 0.6


@dataclass(frozen=True, slots=True)
class WeightedQuestion:
    """A question's content words with their weights, its folded text, and the periods it names.

    ``known`` are the words that some source has, ``bounded`` the quantities with a bound.
    """

    folded: str
    language: str
    terms: tuple[QueryTerm, ...]
    weights: tuple[float, ...]
    known: tuple[bool, ...] = ()
    periods: tuple[Period, ...] = ()
    bounded: tuple[Quantity, ...] = ()

    @property
    def total(self) -> float:
        """The weight of all its words, or 1 if that is 0: it serves as a divisor."""
        return sum(self.weights) or 1.0

    @property
    def forms(self) -> frozenset[str]:
        """The terms of all its words."""
        return frozenset(form for term in self.terms for form in term.terms)

    @property
    def dated(self) -> frozenset[int]:
        """The indexes of the words that its periods are written with."""
        words = {word for one in self.periods for word in re.findall(r"\w+", fold(one.text))}
        return frozenset(i for i, term in enumerate(self.terms) if fold(term.word) in words)

    @property
    def known_total(self) -> float:
        """The weight of the words that some source has; all of them if none has."""
        known = (w for w, k in zip(self.weights, self.known, strict=False) if k)
        return sum(known) or self.total


@dataclass(frozen=True, slots=True)
class RankedQuote:
    """A candidate with its score and the indexes of the question's words that it contains.

    ``touches``: the candidate, its headings or the sentence before it contain a question word.
    """

    candidate: QuoteCandidate
    score: float
    covers: frozenset[int]
    touches: bool = False


def weigh_question(question: Question, candidates: Sequence[QuoteCandidate]) -> WeightedQuestion:
    """The question with the rarity of its words in the index as their weights."""
    weights = compute_term_weights([question])
    asked = weigh_text(
        question.text, question.language, candidates, weights, detected=question.language
    )
    counts = question.frequencies
    known = tuple(any(counts.get(form) for form in term.terms) for term in asked.terms)
    periods = find_periods(question.text, question.language)
    terms = tuple(replace(term, terms=keep_whole(term, question)) for term in asked.terms)
    bounded = tuple(one for one in find_quantities(question.text, question.language) if one.bound)
    return replace(asked, terms=terms, known=known, periods=periods, bounded=bounded)


def weigh_text(
    text: str,
    language: str,
    candidates: Sequence[QuoteCandidate],
    weights: Mapping[str, float],
    *,
    detected: str | None = None,
) -> WeightedQuestion:
    """A text with a weight per word: the largest of its terms', 1 if unknown.

    The words are analysed in the languages of the candidates. ``language`` is that of the text to
    write, ``detected`` that of the text itself, if it is known.
    """
    languages = {candidate.language for candidate in candidates}
    terms = analyse_query(text, languages or {"und"}, detected)
    weighed = tuple(
        max((weights[form] for form in term.terms if form in weights), default=1.0)
        for term in terms
    )
    return WeightedQuestion(fold(text).strip(), language, terms, weighed)


def compute_term_weights(questions: Iterable[Question]) -> dict[str, float]:
    """The rarity of each term in the index, without unknown forms of words with a known one."""
    return {
        term: question.compute_rarity(term)
        for question in questions
        for word in question.words
        for term in [form for form in word.terms if question.frequencies.get(form)] or word.terms
    }


def rank_candidates(
    question: WeightedQuestion,
    candidates: Sequence[QuoteCandidate],
    similar: QuestionSimilarity | None = None,
) -> list[RankedQuote]:
    """The candidates, best first: by words, and for a draft across languages also by meaning.

    What reads like a heading is left out, unless it holds the value that is asked for.

    If a leading hit is in another language than the topic, ``similar`` compares the
    ``MAX_COMPARED`` best candidates by words. Their evidence may be of several queries.
    """
    scored = sorted(_score_all(question, candidates), key=_get_sort_key)
    if similar is not None and scored and is_cross_lingual(question, candidates):
        # Scores with and without meaning do not compare, so the rest is dropped.
        scored = _add_similarity(scored[:MAX_COMPARED], similar)
    return sorted(scored, key=_get_sort_key)


def _score_all(
    question: WeightedQuestion, candidates: Sequence[QuoteCandidate]
) -> list[RankedQuote]:
    return [
        quote
        for quote in (_score_candidate(question, candidate) for candidate in candidates)
        if not quote.candidate.heading_like
        or (quote.covers and holds_asked_value(question.folded, quote.candidate))
    ]


def _get_sort_key(quote: RankedQuote) -> tuple[float, tuple[int, int]]:
    return -quote.score, quote.candidate.order


def _score_candidate(question: WeightedQuestion, candidate: QuoteCandidate) -> RankedQuote:
    found = measure_coverage(question, candidate)
    before = _ASKED_BEFORE_CREDIT if candidate.asks_before else _BEFORE_CREDIT
    score = found.own + _HEADING_CREDIT * found.above + before * found.before
    score /= question.known_total
    score += _RELEVANCE_WEIGHT * candidate.evidence.hit.relevance + 0.1 * _is_in_focus(candidate)
    if candidate.columns:
        score += _ROW_NAME_WEIGHT * measure_row_name(question, candidate) - 0.1
    score -= 0.1 * (not found.covers) + 0.04 * (len(candidate.text.split()) < 4)
    score -= 0.5 * is_question(candidate)
    return RankedQuote(candidate, score, found.covers, touches=found.total > 0)


def is_question(candidate: QuoteCandidate) -> bool:
    """Whether it asks, and so answers nothing."""
    return candidate.text.rstrip("\"'”’*_ )").endswith("?")


def find_first_term(candidate: QuoteCandidate) -> str:
    """What it opens with, of a row its name: the label above the names is the same for all rows."""
    return next(iter(_list_row_name(candidate) or candidate.terms), "")


def _list_row_name(candidate: QuoteCandidate) -> list[str]:
    """The terms of a row's name; [] for what is no row."""
    return analyse(candidate.columns[0][1], candidate.language) if candidate.columns else []


def measure_row_name(question: WeightedQuestion, candidate: QuoteCandidate) -> float:
    """For a row of a table, the share of its name that the question asks for; else 0."""
    name = _list_row_name(candidate)
    return sum(term in question.forms for term in name) / max(len(name), 1)


def judge_time(question: WeightedQuestion, candidate: QuoteCandidate) -> Fit:
    """Whether it speaks of the question's periods; "unknown" if the question names none.

    Of a row the labels decide, of a sentence its own periods, else those above it.
    """
    if not question.periods:
        return "unknown"
    if len(candidate.columns) > 1:
        row = judge_row(candidate, question.forms, question.periods)
        if row != "unknown":
            return row
    return judge_periods(question.periods, candidate.periods)


def is_about_another(question: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    """Whether its periods, the bound in its row's name or its document's subject is another one."""
    fit = candidate.evidence.hit.fit
    other = fit.verdict == "other" or judge_time(question, candidate) == "other"
    return other or _has_opposite_bound(question, candidate)


def _has_opposite_bound(question: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    """Whether the name of a row bounds a quantity of the question in the other direction."""
    if not (candidate.columns and question.bounded):
        return False
    named = find_quantities(candidate.columns[0][1], candidate.language)
    return any(
        one.bound * other.bound < 0 and is_same_quantity(replace(one, bound=0), other)
        for one in question.bounded
        for other in named
    )


@dataclass(frozen=True, slots=True)
class Coverage:
    """The weight of a question's words in a candidate, else in its headings, else just before it.

    ``covers`` are the indexes of the words in the candidate.
    """

    own: float
    above: float
    before: float
    covers: frozenset[int]

    @property
    def total(self) -> float:
        """Of the words anywhere near the candidate."""
        return self.own + self.above + self.before


def measure_coverage(question: WeightedQuestion, candidate: QuoteCandidate) -> Coverage:
    """What a candidate has of the question's words."""
    terms = frozenset(candidate.terms)
    own = above = before = 0.0
    covers: set[int] = set()
    for index, (term, weight) in enumerate(zip(question.terms, question.weights, strict=True)):
        forms = frozenset(term.terms)
        if forms & terms:
            covers.add(index)
            own += weight
        elif find_shared_terms(forms, terms):
            covers.add(index)
            own += _COMPOUND_CREDIT * weight
        elif forms & candidate.above:
            above += weight
        elif forms & candidate.before and not names_another(term.word, candidate):
            before += weight
    return Coverage(own, above, before, frozenset(covers))


def measure_asked(question: WeightedQuestion, candidate: QuoteCandidate) -> float:
    """The share, 0 to 1, of what is asked that the candidate has itself; 1 if nothing is.

    What is asked are the question's words apart from its periods and those in the document's title:
    these two say of what, and when.
    """
    source = candidate.evidence.hit.source
    titled = list_terms(source.title, candidate.language)
    asked = [
        index
        for index, term in enumerate(question.terms)
        if index not in question.dated and titled.isdisjoint(term.terms)
    ]
    covers = measure_coverage(question, candidate).covers
    total = sum(question.weights[index] for index in asked)
    return (
        sum(question.weights[index] for index in asked if index in covers) / total if total else 1.0
    )


def _is_in_focus(candidate: QuoteCandidate) -> bool:
    focus = candidate.evidence.hit.focus
    return any(quote.start < focus.end and focus.start < quote.end for quote in candidate.quotes)


def is_foreign(question: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    """Whether it is in another language than the question, as far as both are known."""
    one, other = question.language, candidate.language
    return one != other and "und" not in (one, other)


def is_cross_lingual(question: WeightedQuestion, candidates: Sequence[QuoteCandidate]) -> bool:
    """Whether a leading hit is in another language than the question."""
    best = max(candidate.evidence.hit.relevance for candidate in candidates)
    return any(
        is_foreign(question, candidate)
        and candidate.evidence.hit.relevance >= _LEADING_SHARE * best
        for candidate in candidates
    )


def _add_similarity(
    leading: Sequence[RankedQuote], similar: QuestionSimilarity
) -> list[RankedQuote]:
    """Scores raised by cosines, rescaled to 0–1: some models keep theirs within a tenth."""
    cosines = list(similar([add_heading(quote.candidate) for quote in leading]))
    low, high = min(cosines), max(cosines)
    spread = (high - low) or 1.0
    return [
        replace(quote, score=quote.score + _MEANING_WEIGHT * (cosine - low) / spread)
        for quote, cosine in zip(leading, cosines, strict=True)
    ]


def add_heading(candidate: QuoteCandidate) -> str:
    """The text after its heading, which says what a short sentence is about."""
    return f"{candidate.section[-1]}. {candidate.text}" if candidate.section else candidate.text
