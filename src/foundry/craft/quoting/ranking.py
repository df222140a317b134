"""Ranks quotable candidates by how well they answer a question.

The score adds up the question's words by rarity, the kind of answer asked for, and the relevance of
the hit. It only compares candidates of one question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import analyse_query, fold
from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import QueryTerm, Question
from foundry.text.lines import find_shared_terms
from foundry.text.names import find_names
from foundry.text.quantities import Quantity

QuestionSimilarity = Callable[[Sequence[str]], Sequence[float]]
"""Cosines of texts to the question, from an embedder."""

MAX_COMPARED = 40
"""Sentences that are embedded at most: each takes about 20 ms with the built-in model."""

# Across languages, meaning raised right first sentences from 4 to 10 of the example project's 17.
# Within one language it settles nothing: among the eight best of a close race it gave 33 right first
# sentences of the example's 53 questions and 68 of 100 of SQuAD, words alone 35 and 69. The other
# weights are guesses. `python -m bench own_questions` reports the answers made with all of them.
_MEANING_WEIGHT = 0.5
_LEADING_SHARE = 0.6
_RELEVANCE_WEIGHT = 0.4
_HEADING_CREDIT = 0.5
_BEFORE_CREDIT = 0.4
_COMPOUND_CREDIT = 0.6

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.answers
_NUMBER = re.compile(
    rf"\b(?:{build_alternation(_WORDS.amount_questions)}"
    rf"|{build_alternation(_WORDS.what_is)} (?:\w+ ){{0,3}}{build_alternation(_WORDS.measures)})\b"
)
_TIME = re.compile(rf"\b{build_alternation(_WORDS.time_questions)}\b")
_PERSON = re.compile(rf"\b{build_alternation(_WORDS.person_questions)}\b")
_PLACE = re.compile(rf"\b{build_alternation(_WORDS.place_questions)}\b")
_REASON = re.compile(rf"\b{build_alternation(_WORDS.reason_questions)}\b")
_BECAUSE = re.compile(rf"\b{build_alternation(_WORDS.reasons)}\b")
_LOCATIVE = re.compile(rf"\b{build_alternation(_WORDS.places)}\b")
_DEFINITION = re.compile(rf"^{build_alternation(_WORDS.definition_questions)}\b")
_DEFINING = re.compile(
    rf"^\W*(?:{build_alternation(_LEXICON.general.articles)} )?"
    rf"((?:[\w'-]+ ){{1,6}}?){build_alternation(_WORDS.defining_verbs)}\b"
)


@dataclass(frozen=True, slots=True)
class WeightedQuestion:
    """A question's content words with their weights, and its folded text."""

    folded: str
    language: str
    terms: tuple[QueryTerm, ...]
    weights: tuple[float, ...]

    @property
    def total(self) -> float:
        """The weight of all its words, or 1 if that is 0: it serves as a divisor."""
        return sum(self.weights) or 1.0


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
    return weigh_text(
        question.text, question.language, candidates, weights, detected=question.language
    )


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
    """The rarity of each term of the questions in the index."""
    return {
        term: question.compute_rarity(term)
        for question in questions
        for word in question.words
        for term in word.terms
    }


def rank_candidates(
    question: WeightedQuestion,
    candidates: Sequence[QuoteCandidate],
    similar: QuestionSimilarity | None = None,
    *,
    most: int = 0,
) -> list[RankedQuote]:
    """The candidates, best first: by words, and across languages with ``similar`` also by meaning.

    What reads like a heading is left out, unless it holds the value that is asked for.
    If a leading hit is in another language than the question, meaning counts among the
    ``MAX_COMPARED`` best candidates by words, or among ``most``: half of them the best by words,
    half in the foci of their hits.
    """
    scored = [
        quote
        for quote in (_score_candidate(question, candidate) for candidate in candidates)
        if not quote.candidate.heading_like or _holds_asked_value(question, quote)
    ]
    scored.sort(key=_get_sort_key)
    if similar is not None and scored and _is_cross_lingual(question, candidates):
        # Scores with and without meaning do not compare, so the rest is dropped.
        likely = _choose_likely(scored, most) if most else scored[:MAX_COMPARED]
        scored = _add_similarity(likely, similar)
    return sorted(scored, key=_get_sort_key)


def _choose_likely(scored: Sequence[RankedQuote], most: int) -> list[RankedQuote]:
    """The best by words, which say little across languages, then those in the nearest windows."""
    half = most // 2
    rest = sorted(scored[half:], key=lambda quote: not _is_in_focus(quote.candidate))
    return [*scored[:half], *rest[: most - half]]


def _get_sort_key(quote: RankedQuote) -> tuple[float, tuple[int, int]]:
    return -quote.score, quote.candidate.order


def _score_candidate(question: WeightedQuestion, candidate: QuoteCandidate) -> RankedQuote:
    covered, covers = _compute_coverage(question, candidate)
    score = covered / question.total
    score += _RELEVANCE_WEIGHT * candidate.evidence.hit.relevance + 0.1 * _is_in_focus(candidate)
    score += _score_answer_kind(question, candidate)
    words = len(candidate.text.split())
    score -= 0.002 * max(0, words - 40) + 0.04 * (words < 4)
    if candidate.text.rstrip("\"'”’*_ )").endswith("?"):
        score -= 0.5
    return RankedQuote(candidate, score, covers, touches=covered > 0)


def _compute_coverage(
    question: WeightedQuestion, candidate: QuoteCandidate
) -> tuple[float, frozenset[int]]:
    own = frozenset(candidate.terms)
    covered = 0.0
    covers: set[int] = set()
    asked = 0.9 if candidate.asks_before else _BEFORE_CREDIT
    for index, (term, weight) in enumerate(zip(question.terms, question.weights, strict=True)):
        forms = frozenset(term.terms)
        if forms & own:
            covers.add(index)
            covered += weight
        elif find_shared_terms(forms, own):
            covers.add(index)
            covered += _COMPOUND_CREDIT * weight
        elif forms & candidate.above:
            covered += _HEADING_CREDIT * weight
        elif forms & candidate.before:
            covered += asked * weight
    return covered, frozenset(covers)


def _is_in_focus(candidate: QuoteCandidate) -> bool:
    focus = candidate.evidence.hit.focus
    return any(quote.start < focus.end and focus.start < quote.end for quote in candidate.quotes)


def _score_answer_kind(question: WeightedQuestion, candidate: QuoteCandidate) -> float:
    """A bonus for containing the kind of thing asked for, or a penalty for lacking it."""
    for pattern, holds, bonus, penalty in _KINDS:
        if pattern.search(question.folded):
            return bonus if holds(question, candidate) else -penalty
    return 0.0


def _has_number(_: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    return any(quantity.kind == "number" for quantity in candidate.quantities)


def _has_time(_: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    kinds = {quantity.kind for quantity in candidate.quantities}
    years = any(re.fullmatch(r"[12]\d{3}", quantity.text) for quantity in candidate.quantities)
    return bool(kinds & {"date", "clock"}) or years


def _has_person(question: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    asked = {fold(term.word) for term in question.terms}
    names = [name for name in find_names(candidate.text) if name.key not in asked]
    return any(not name.identifier for name in names)


def _has_reason(_: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    return _BECAUSE.search(fold(candidate.text)) is not None


def _has_place(_: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    return _LOCATIVE.search(fold(candidate.text)) is not None


def _has_definition(question: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    defining = _DEFINING.match(fold(candidate.text))
    subject = defining[1].split() if defining else []
    return any(fold(term.word) in subject for term in question.terms)


_KINDS: tuple[
    tuple[re.Pattern[str], Callable[[WeightedQuestion, QuoteCandidate], bool], float, float], ...
] = (
    (_NUMBER, _has_number, 0.3, 0.2),
    (_TIME, _has_time, 0.3, 0.2),
    (_PERSON, _has_person, 0.2, 0.1),
    (_REASON, _has_reason, 0.2, 0.0),
    (_PLACE, _has_place, 0.1, 0.0),
    (_DEFINITION, _has_definition, 0.2, 0.0),
)


def _holds_asked_value(question: WeightedQuestion, quote: RankedQuote) -> bool:
    """Whether it shares a word with the question, and has the date, person or amount asked for.

    Other questions may ask for an identifier; a year or the number of a note is no amount.
    """
    if not quote.covers:
        return False
    for pattern, holds in ((_TIME, _has_time), (_PERSON, _has_person)):
        if pattern.search(question.folded):
            return holds(question, quote.candidate)
    asked = {fold(term.word) for term in question.terms}
    names = find_names(quote.candidate.text)
    return any(_is_amount(quantity) for quantity in quote.candidate.quantities) or any(
        name.identifier and name.key not in asked for name in names
    )


def _is_amount(quantity: Quantity) -> bool:
    return quantity.kind == "number" and bool(
        quantity.dimension or re.search(r"\d[.,]\d", quantity.text)
    )


def _is_cross_lingual(question: WeightedQuestion, candidates: Sequence[QuoteCandidate]) -> bool:
    """Whether a leading hit is in another language than the question."""
    known = {question.language, "und"}
    best = max(candidate.evidence.hit.relevance for candidate in candidates)
    return question.language != "und" and any(
        candidate.language not in known
        and candidate.evidence.hit.relevance >= _LEADING_SHARE * best
        for candidate in candidates
    )


def _add_similarity(
    leading: Sequence[RankedQuote], similar: QuestionSimilarity
) -> list[RankedQuote]:
    """Scores raised by cosines, rescaled to 0–1: some models keep theirs within a tenth."""
    cosines = list(similar([_add_heading(quote.candidate) for quote in leading]))
    low, high = min(cosines), max(cosines)
    spread = (high - low) or 1.0
    return [
        replace(quote, score=quote.score + _MEANING_WEIGHT * (cosine - low) / spread)
        for quote, cosine in zip(leading, cosines, strict=True)
    ]


def _add_heading(candidate: QuoteCandidate) -> str:
    """The text after its heading, which says what a short sentence is about."""
    return f"{candidate.section[-1]}. {candidate.text}" if candidate.section else candidate.text
