"""An answer of one or two source sentences, a list, or the cells of a table that are asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import analyse, fold
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
from foundry.craft.quoting.kinds import asks_for_reason, asks_for_value, has_asked_kind
from foundry.craft.quoting.ranking import (
    RankedQuote,
    WeightedQuestion,
    is_cross_lingual,
    judge_time,
    measure_coverage,
    weigh_question,
)
from foundry.craft.quoting.rows import match_columns
from foundry.craft.quoting.signs import (
    ReadTogether,
    estimate_confidence,
    is_doubtful,
    rank_answers,
)
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Evidence, Question, Sentence
from foundry.text.periods import Period, find_periods, judge_periods

_WORDS = load_shared_lexicon().answers
_POINTS_BACK = re.compile(
    rf"{build_alternation(_WORDS.back_references)}\b"
    rf"(?! is (?:not )?{build_alternation(_WORDS.expletive_adjectives)})",
    re.IGNORECASE,
)
_MIN_ODDS = 0.3
"""A second sentence is shown if it is this likely to answer, compared with the best. A guess."""

MIN_CONFIDENCE = 0.47
"""Below it, the best sentence is only the nearest: of questions about documents left out, 7 % get a
wrong answer shown as sure and 21 % a right one (``python -m bench.fit_writer``)."""

_FITS = ("other", "unknown", "fits")

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
    read: ReadTogether | None = None,
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
    confidence = estimate_confidence(asked, ranked, found)
    best = _prefer_current(ranked)
    whole = _find_asked_list(asked, best)
    if whole is not None:
        return QuotedAnswer((whole.sentence,), confidence)
    best = _narrow_list(best, ranked)
    chosen = [best]
    if max_sentences > 1:
        chosen = _add_reason(asked, best, candidates) or _add_antecedent(best, candidates)
        sure = confidence >= MIN_CONFIDENCE
        chosen = [*chosen, *_choose_more(asked, best, ranked, sure)][:max_sentences]
    focused = [_focus_row(question, asked.periods, c) for c in sort_for_reading(chosen)]
    return QuotedAnswer(tuple(_join_same(focused)), confidence)


def _join_same(candidates: Sequence[QuoteCandidate]) -> Iterator[Sentence]:
    """The sentences as they are shown; what several sources say alike is one with their citations."""
    same: dict[str, list[Sentence]] = {}
    for candidate in candidates:
        same.setdefault(fold(candidate.text), []).append(candidate.sentence)
    for first, *others in same.values():
        ids = dict.fromkeys((*first.citations, *(i for o in others for i in o.citations)))
        quotes = (*first.quotes, *(quote for other in others for quote in other.quotes))
        yield replace(first, citations=tuple(ids), quotes=quotes)


def show_candidate(question: Question, asked: WeightedQuestion, candidate: QuoteCandidate) -> str:
    """The text that is shown if this is the best sentence: its list, or the cells asked for."""
    whole = _find_asked_list(asked, candidate)
    return (whole or _focus_row(question, asked.periods, candidate)).text


def _find_asked_list(asked: WeightedQuestion, best: QuoteCandidate) -> QuoteCandidate | None:
    """The whole list of the best sentence, unless the question is about what that item says.

    Its words then weigh more than those of the opening sentence and the heading.
    """
    whole = None if asks_for_value(asked.folded) else find_whole_list(best)
    if whole is None:
        return None
    chunk, (start, end) = whole.evidence.hit.chunk, whole.spans[0]
    text = " ".join((*whole.section[-1:], chunk.text[start - chunk.start : end - chunk.start]))
    opening = measure_coverage(asked, replace(whole, terms=tuple(analyse(text, chunk.language))))
    own = measure_coverage(asked, best).covers - opening.covers
    return whole if opening.own >= sum(asked.weights[index] for index in own) else None


def _narrow_list(best: QuoteCandidate, ranked: Sequence[RankedQuote]) -> QuoteCandidate:
    """The best sentence; of a list the item that alone has all of the question's words in it."""
    covers = next(quote.covers for quote in ranked if quote.candidate is best)
    items = [
        quote.candidate
        for quote in ranked
        if quote.covers >= covers
        and len(quote.candidate.text) < len(best.text)
        and has_overlap(quote.candidate, best)
    ]
    return items[0] if len(items) == 1 else best


def _prefer_current(ranked: Sequence[RankedQuote]) -> QuoteCandidate:
    """The best sentence, or its like in a revision that has not been superseded."""
    best = ranked[0].candidate
    alike = [q.candidate for q in ranked if is_alike(q.candidate, best)] or [best]
    return best if not is_doubtful(best) else min(alike, key=is_doubtful)


def _focus_row(
    question: Question, periods: Sequence[Period], candidate: QuoteCandidate
) -> QuoteCandidate:
    """The row with only the columns that the question asks for.

    Columns whose values the question names stay: they say why it is this row. Where nothing tells
    the numbers of several periods apart, the first are shown: sources print the latest one first.
    """
    name, values = candidate.columns[:1], candidate.columns[1:]
    if not values:
        return candidate
    asked = frozenset(analyse(question.text, question.language))
    own = find_periods(name[0][1], candidate.language)
    # "Notes due 2031" says of what, not when.
    periods = [period for period in periods if judge_periods([period], own) != "fits"]
    fits = match_columns(candidate, asked, periods)
    named = [bool(asked & frozenset(analyse(v, candidate.language))) for _, v in values]
    if max(fits) == min(fits) and all(re.search(r"\d", value) for _, value in values):
        timed = all(find_periods(label, candidate.language) for label, _ in values if label)
        wanted = list(values[:_MAX_CELLS] if timed else values)
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


def _choose_more(
    question: WeightedQuestion, best: QuoteCandidate, ranked: Sequence[RankedQuote], sure: bool
) -> Iterator[QuoteCandidate]:
    """What contradicts the best sentence; where that is not sure, also what is nearly as likely.

    Across languages that may be of another source: words say less about which is right.
    """
    home = best.evidence.hit.chunk.source_id
    across = is_cross_lingual(question, [quote.candidate for quote in ranked])
    for quote in ranked:
        other = quote.candidate
        if is_doubtful(other) > is_doubtful(best) or has_overlap(other, best):
            continue
        if _rate_fit(question, other) < _rate_fit(question, best):
            continue
        near = not sure and math.exp(quote.score - ranked[0].score) >= _MIN_ODDS
        if is_alike(other, best):
            near = has_conflicting_values(other, best)
        elif not across:
            near = near and other.evidence.hit.chunk.source_id == home
        if near:
            yield other


def _rate_fit(question: WeightedQuestion, candidate: QuoteCandidate) -> tuple[int, int]:
    """How well its document is what the question names, then how well its period is."""
    fits = (candidate.evidence.hit.fit.verdict, judge_time(question, candidate))
    return _FITS.index(fits[0]), _FITS.index(fits[1])


def _add_reason(
    asked: WeightedQuestion, best: QuoteCandidate, candidates: Sequence[QuoteCandidate]
) -> list[QuoteCandidate]:
    """For a why-question the best sentence and its neighbour that gives a reason, if it gives none.

    "They cut two crossings." answers no question why; the sentence before it or after it may.
    """
    if not asks_for_reason(asked.folded) or has_asked_kind(asked.folded, best):
        return []
    index, position = best.order
    near = [c for c in candidates if c.order in {(index, position - 1), (index, position + 1)}]
    reasons = (c for c in near if c.section == best.section and has_asked_kind(asked.folded, c))
    return next(([best, reason] for reason in reasons), [])


def _add_antecedent(
    best: QuoteCandidate, candidates: Sequence[QuoteCandidate]
) -> list[QuoteCandidate]:
    """The best sentence; if it opens with "it" or "this", also the sentence before it."""
    chosen = [best]
    if not _POINTS_BACK.match(best.text):
        return chosen
    index, position = best.order
    before = next((c for c in candidates if c.order == (index, position - 1)), None)
    if before is None or before.section != best.section or before.text.endswith("?"):
        return chosen
    if before.heading_like or before.kind in {"heading", "code"}:
        return chosen
    return chosen if has_overlap(before, best) else [best, before]
