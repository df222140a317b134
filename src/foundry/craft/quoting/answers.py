"""An answer of one or two source sentences, a list, or the cells of a table that are asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from foundry.analysis import analyse
from foundry.craft.quoting.candidates import (
    QuoteCandidate,
    find_candidates,
    find_whole_list,
    write_columns,
)
from foundry.craft.quoting.composition import (
    has_conflicting_values,
    has_overlap,
    is_alike,
    sort_for_reading,
)
from foundry.craft.quoting.ranking import (
    QuestionSimilarity,
    RankedQuote,
    WeightedQuestion,
    asks_for_value,
    covers_share,
    is_about_another,
    is_cross_lingual,
    is_foreign,
    rank_answers,
    score_answer_kind,
    weigh_question,
)
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Evidence, Question, Sentence
from foundry.text.periods import Period, compare_periods, find_periods

_WORDS = load_shared_lexicon().answers
_POINTS_BACK = re.compile(
    rf"{build_alternation(_WORDS.back_references)}\b"
    rf"(?! is (?:not )?{build_alternation(_WORDS.expletive_adjectives)})",
    re.IGNORECASE,
)
# The shares are guesses; `python -m bench answers --data DIR` reports the answers they lead to.
_MIN_NEAR_BEST = 0.85
"""A second sentence with this share of the best score is shown even if it covers nothing new."""

_MIN_SCORE_SHARE = 0.6
"""Sentences below this share of the best score are not shown."""

_MIN_NEW_WEIGHT = 0.12
"""Share of the question's weight that a further sentence must newly cover."""

MIN_CONFIDENCE = 0.35
"""Below it, the best sentence is only the nearest. The weights of the confidence are those of a
regression over 680 written questions, with and without an answer; fits on each half of the documents
differ most in the kind of value asked for (2.9, 1.7). With .35, 13 % of the questions of the second
half get a wrong answer shown as sure, and 7 of 76 that have none (`python -m bench answers`); the
fit saw them, so expect more elsewhere."""

_MAX_CELLS = 2
"""Values of a row that are shown if the question does not say which: two periods, at most."""


@dataclass(frozen=True, slots=True)
class QuotedAnswer:
    """Sentences with citations and exact quotes, and how likely they answer the question (0-1)."""

    sentences: tuple[Sentence, ...] = ()
    confidence: float = 0.0

    @property
    def is_sure(self) -> bool:
        """Whether this may be shown as the answer, not only as the nearest passage."""
        return self.confidence >= MIN_CONFIDENCE


def compose_answer(
    question: Question,
    evidence: Sequence[Evidence],
    *,
    found: float = 1.0,
    max_sentences: int = 2,
    read: QuestionSimilarity | None = None,
) -> QuotedAnswer:
    """The sentences of the evidence that answer a question, or come nearest to it.

    ``found`` is the gate's score. ``read`` compares sentences with the question where the leading
    sources are in another language; called once, at most. The source of the best sentence comes
    first, in reading order. Empty if nothing in the evidence can be shown.
    """
    candidates = find_candidates(evidence, answering=True)
    asked = weigh_question(question, candidates)
    ranked = rank_answers(asked, candidates, read) if candidates else []
    if not ranked:
        return QuotedAnswer()
    confidence = _estimate_confidence(asked, ranked, found)
    whole = None if asks_for_value(asked) else find_whole_list(ranked[0].candidate)
    if whole is not None:
        return QuotedAnswer((whole.sentence,), confidence)
    chosen = _choose_candidates(asked, ranked, max_sentences)
    if max_sentences > 1:
        chosen = _add_antecedent(chosen, candidates)
    terms = frozenset(analyse(question.text, question.language))
    focused = [_focus_row(c, terms, asked.periods) for c in sort_for_reading(chosen)]
    return QuotedAnswer(tuple(candidate.sentence for candidate in focused), confidence)


def _estimate_confidence(
    question: WeightedQuestion, ranked: Sequence[RankedQuote], found: float
) -> float:
    """The chance that the best sentence answers the question."""
    best, gap = ranked[0], ranked[0].score - ranked[1].score if len(ranked) > 1 else 1.0
    score = (
        -3.0
        + 1.0 * found
        + 1.7 * covers_share(question, best.candidate)
        + 2.3 * score_answer_kind(question, best.candidate)
        + 1.6 * min(gap, 1.0)
        - 2.6 * is_about_another(question, best.candidate)
        - 0.3 * is_foreign(question, best.candidate)
    )
    return 1 / (1 + math.exp(-score))


def _focus_row(
    candidate: QuoteCandidate, asked: frozenset[str], periods: Sequence[Period]
) -> QuoteCandidate:
    """The row with only the columns that the question asks for.

    Columns whose values the question names stay: they say why it is this row. Where nothing tells
    the numbers of a row apart, the first are shown: sources print the latest period first.
    """
    name, values = candidate.columns[:1], candidate.columns[1:]
    if not values:
        return candidate
    fits = _match_columns(candidate, asked, periods)
    named = [bool(asked & frozenset(analyse(v, candidate.language))) for _, v in values]
    if max(fits) == min(fits) and all(re.search(r"\d", value) for _, value in values):
        wanted = list(values[:_MAX_CELLS])
    else:
        best = max(fits)
        wanted = [
            pair
            for pair, fit, is_named in zip(values, fits, named, strict=True)
            if fit == best or is_named
        ]
    if len(wanted) == len(values) > 1:
        return candidate
    if len(wanted) == 1 and not name[0][0] and wanted[0][0]:
        label, value = wanted[0]
        return replace(candidate, text=f"{name[0][1]}, {label}: {value}")
    return replace(candidate, text=write_columns([*name, *wanted]))


def _match_columns(
    candidate: QuoteCandidate, asked: frozenset[str], periods: Sequence[Period]
) -> list[int]:
    """How well the label of each column fits the question: by its words, and by its period."""
    labels = [label for label, _ in candidate.columns[1:]]
    hits = [asked & frozenset(analyse(label, candidate.language)) for label in labels]
    shared = frozenset.intersection(*hits)
    own = [len(hit - shared) for hit in hits]
    if not periods:
        return own
    return [
        count + _rate_period(periods, find_periods(label, candidate.language))
        for count, label in zip(own, labels, strict=True)
    ]


def _rate_period(asked: Sequence[Period], said: Sequence[Period]) -> int:
    """10 for the asked period, 5 for one as long, -10 for another one."""
    found = {compare_periods(one, other) for one in asked for other in said}
    if "same" in found:
        return 10
    if found == {"other"}:
        return -10
    return 5 if {_rate_length(p) for p in asked} & {_rate_length(p) for p in said} - {0} else 0


def _rate_length(period: Period) -> int:
    """The months of a period; 0 if it does not say."""
    if period.part:
        return {"q": 3, "h": 6, "m": 9}[period.part[0]]
    if period.days is None or not period.closing:
        return 0
    return round((period.days[1] - period.days[0]).days / 30.4)


def _choose_candidates(
    question: WeightedQuestion, ranked: Sequence[RankedQuote], limit: int
) -> list[QuoteCandidate]:
    """The best sentence, what its source adds to it, and what contradicts it elsewhere.

    Across languages the next best may be of another source: words say less about which is right.
    """
    best = ranked[0]
    chosen = [best]
    covered = set(best.covers)
    home = best.candidate.evidence.hit.chunk.source_id
    across = is_cross_lingual(question, [quote.candidate for quote in ranked])
    for quote in ranked[1:]:
        if len(chosen) >= limit or quote.score < _MIN_SCORE_SHARE * best.score:
            break
        if any(has_overlap(quote.candidate, other.candidate) for other in chosen):
            continue
        twin = next((c for c in chosen if is_alike(quote.candidate, c.candidate)), None)
        if twin is not None:
            if has_conflicting_values(quote.candidate, twin.candidate):
                chosen.append(quote)
            continue
        if quote.candidate.evidence.hit.chunk.source_id != home and not across:
            continue
        new = sum(question.weights[index] for index in quote.covers - covered) / question.total
        is_close_second = len(chosen) == 1 and quote.score >= _MIN_NEAR_BEST * best.score
        if new >= _MIN_NEW_WEIGHT or is_close_second:
            chosen.append(quote)
            covered |= quote.covers
    return [quote.candidate for quote in chosen]


def _add_antecedent(
    chosen: list[QuoteCandidate], candidates: Sequence[QuoteCandidate]
) -> list[QuoteCandidate]:
    """A best sentence that opens with "it" or "this" needs the sentence before it."""
    best = chosen[0]
    if not _POINTS_BACK.match(best.text):
        return chosen
    index, position = best.order
    before = next((c for c in candidates if c.order == (index, position - 1)), None)
    if before is None or before.section != best.section or before.text.endswith("?"):
        return chosen
    if before.heading_like or before.kind in {"heading", "code"}:
        return chosen
    if any(has_overlap(before, candidate) for candidate in chosen):
        return chosen
    return [best, before]
