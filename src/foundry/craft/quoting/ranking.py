"""Ranks quotable candidates by how well they answer a question.

The score adds up the question's words by rarity, the kind of answer asked for, and the relevance of
the hit. It only compares candidates of one question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import analyse, analyse_query, fold
from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import QueryTerm, Question
from foundry.text.lines import find_shared_terms
from foundry.text.names import find_names
from foundry.text.periods import Period, find_periods, judge_periods
from foundry.text.quantities import Quantity

QuestionSimilarity = Callable[[Sequence[str]], Sequence[float]]
"""Cosines of texts to the question, from an embedder."""

MAX_COMPARED = 40
"""Sentences of a draft that are embedded at most: each takes about 20 ms with the built-in model."""

MAX_READ = 10
"""Sentences of an answer that are read with the question, across languages: .15 s of CPU."""

_MAX_READ_CHARS = 600
_READING_WEIGHT = 4.0
"""Across languages this raises right first sentences from 26 to 33 of 95; within one, not at all."""

_MEANING_WEIGHT = 0.5
_LEADING_SHARE = 0.6

# The weights of a regression on which sentence answers, rounded; the question's words weigh 1. It
# was fitted mostly on half of the documents of 410 written questions, and chosen with both halves
# in view. With the rest of the ranking, right first sentences go from 84 to 97 of 225 on that half,
# and from 65 to 76 of 185 on the other (`python -m bench answers --data DIR`).
_NEARNESS_WEIGHT = 5.0
_RELEVANCE_WEIGHT = 0.45
_HEADING_CREDIT = 0.9  # In a draft, where whole headings are chosen, it lets in all below one.
_BEFORE_CREDIT = 0.5
_ROW_NAME_WEIGHT = 0.5
_ABOUT_ANOTHER = 0.4
"""What a sentence loses that is about another period or subject than the question. A guess."""

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
    """A question's content words with their weights, its folded text, and the periods it names.

    ``known`` are the words that some source has; ``heading_credit`` is what a word counts in the
    heading above a sentence.
    """

    folded: str
    language: str
    terms: tuple[QueryTerm, ...]
    weights: tuple[float, ...]
    known: tuple[bool, ...] = ()
    periods: tuple[Period, ...] = ()
    heading_credit: float = 0.5

    @property
    def total(self) -> float:
        """The weight of all its words, or 1 if that is 0: it serves as a divisor."""
        return sum(self.weights) or 1.0

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
    return replace(asked, known=known, periods=periods, heading_credit=_HEADING_CREDIT)


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


def rank_answers(
    question: WeightedQuestion,
    candidates: Sequence[QuoteCandidate],
    read: QuestionSimilarity | None = None,
) -> list[RankedQuote]:
    """The candidates, best first: by words, by the kind of answer, and by the cosines of the hits.

    What reads like a heading is left out, unless it holds the value that is asked for. If the best
    is in another language than the question, ``read`` compares the ``MAX_READ`` best.
    """
    nearest = max((candidate.nearness for candidate in candidates), default=0.0)
    scored = [
        replace(quote, score=quote.score + _NEARNESS_WEIGHT * (quote.candidate.nearness - nearest))
        for quote in _score_all(question, candidates)
    ]
    scored.sort(key=_get_sort_key)
    scored = sorted(_demote_others(question, scored), key=_get_sort_key)
    if read is None or not scored or not is_foreign(question, scored[0].candidate):
        return scored
    # Scores with and without reading do not compare, so the rest is dropped.
    likely = scored[:MAX_READ]
    matches = read([_add_heading(quote.candidate)[:_MAX_READ_CHARS] for quote in likely])
    compared = (
        replace(quote, score=quote.score + _READING_WEIGHT * (match - max(matches)))
        for quote, match in zip(likely, matches, strict=True)
    )
    return sorted(compared, key=_get_sort_key)


def rank_candidates(
    question: WeightedQuestion,
    candidates: Sequence[QuoteCandidate],
    similar: QuestionSimilarity | None = None,
) -> list[RankedQuote]:
    """The candidates for a draft, best first: by words, and across languages also by meaning.

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
        if not quote.candidate.heading_like or _holds_asked_value(question, quote)
    ]


def _get_sort_key(quote: RankedQuote) -> tuple[float, tuple[int, int]]:
    return -quote.score, quote.candidate.order


def _score_candidate(question: WeightedQuestion, candidate: QuoteCandidate) -> RankedQuote:
    covered, covers = _compute_coverage(question, candidate)
    score = covered / question.known_total
    score += _RELEVANCE_WEIGHT * candidate.evidence.hit.relevance + 0.1 * _is_in_focus(candidate)
    score += score_answer_kind(question, candidate) + _score_row_name(question, candidate)
    score -= 0.1 * (not covers) + 0.04 * (len(candidate.text.split()) < 4)
    if candidate.text.rstrip("\"'”’*_ )").endswith("?"):
        score -= 0.5
    return RankedQuote(candidate, score, covers, touches=covered > 0)


def _score_row_name(question: WeightedQuestion, candidate: QuoteCandidate) -> float:
    """For a row of a table, the share of its name that the question asks for."""
    if not candidate.columns:
        return 0.0
    name = analyse(candidate.columns[0][1], candidate.language)
    asked = {form for term in question.terms for form in term.terms}
    return _ROW_NAME_WEIGHT * sum(term in asked for term in name) / max(len(name), 1) - 0.1


def covers_share(question: WeightedQuestion, candidate: QuoteCandidate) -> float:
    """The share of the question, 0 to 1, that a candidate covers, with headings and what precedes.

    Words that no source has count too.
    """
    return _compute_coverage(question, candidate)[0] / question.total


def is_about_another(question: WeightedQuestion, candidate: QuoteCandidate) -> bool:
    """Whether it speaks of other periods than the question, or its document of another subject."""
    if candidate.evidence.hit.fit.verdict == "other":
        return True
    periods = question.periods
    return bool(periods) and judge_periods(periods, candidate.periods) == "other"


def _demote_others(question: WeightedQuestion, scored: Sequence[RankedQuote]) -> list[RankedQuote]:
    """The candidates, the leading ones with a lower score where they are about something else."""
    leading = [
        replace(quote, score=quote.score - _ABOUT_ANOTHER)
        if is_about_another(question, quote.candidate)
        else quote
        for quote in scored[:MAX_COMPARED]
    ]
    return [*leading, *scored[MAX_COMPARED:]]


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
            covered += question.heading_credit * weight
        elif forms & candidate.before:
            covered += asked * weight
    return covered, frozenset(covers)


def _is_in_focus(candidate: QuoteCandidate) -> bool:
    focus = candidate.evidence.hit.focus
    return any(quote.start < focus.end and focus.start < quote.end for quote in candidate.quotes)


def score_answer_kind(question: WeightedQuestion, candidate: QuoteCandidate) -> float:
    """A bonus for containing the kind of thing asked for, or a penalty for lacking it."""
    for pattern, holds, bonus, penalty in _KINDS:
        if pattern.search(question.folded):
            return bonus if holds(question, candidate) else -penalty
    return 0.0


def asks_for_value(question: WeightedQuestion) -> bool:
    """Whether a number, time, person, place or reason is asked for, which no list answers."""
    patterns = (_NUMBER, _TIME, _PERSON, _PLACE, _REASON)
    return any(pattern.search(question.folded) for pattern in patterns)


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
    (_NUMBER, _has_number, 0.2, 0.2),
    (_TIME, _has_time, 0.35, 0.1),
    (_PERSON, _has_person, 0.1, 0.25),
    (_REASON, _has_reason, 0.25, 0.0),
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
