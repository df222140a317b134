"""What tells the sentence that answers from those that share words, and what each sign weighs.

A sentence's score is linear in the signs of ``list_signs``; the chance that the best one answers is
logistic in those of ``list_doubts``. ``python -m bench.fit_writer`` fits both on written questions
and writes ``weights.json``, with figures of documents left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.craft.quoting.composition import is_repetition
from foundry.craft.quoting.identifiers import measure_named
from foundry.craft.quoting.kinds import has_asked_kind
from foundry.craft.quoting.ranking import (
    MAX_COMPARED,
    RankedQuote,
    WeightedQuestion,
    add_heading,
    find_first_term,
    is_about_another,
    is_foreign,
    is_question,
    judge_time,
    measure_asked,
    measure_coverage,
    measure_row_name,
    rank_candidates,
)

Signs = Mapping[str, float]

ReadTogether = Callable[[Sequence[Sequence[str]]], Sequence[float]]
"""How well the texts of each entry, read together, have something for each part of the question."""

MAX_READ = 16
"""Sentences of an answer that are read with the question if one is in another language: .15 s of
CPU. Of 188 questions across languages 82 then get a right first sentence, of a group of documents
that no fit saw; with 8 sentences 79, and with one set of weights for sentences read or not 74.
Within one language, reading changes nothing."""

_MOST_WORDS = 0.5
"""With this share of the question's words in a sentence of its language, none is read: of the 188,
as many are right as without this bound, and fewer than half as many others are read."""

_MAX_READ_CHARS, _MAX_ABOVE_CHARS = 600, 300
_NEXT = 5
"""How many candidates after the best are compared with it: an agreeing one confirms it."""


@cache
def load_weights() -> Mapping[str, Signs]:
    """The fitted weights of the signs ("answers"; "read" if read) and of the doubts ("sure")."""
    text = files("foundry.craft.quoting").joinpath("weights.json").read_text("utf-8")
    weights: Mapping[str, Signs] = json.loads(text)["weights"]
    return weights


def rank_answers(
    question: WeightedQuestion,
    candidates: Sequence[QuoteCandidate],
    read: ReadTogether | None = None,
) -> list[RankedQuote]:
    """The ``MAX_COMPARED`` leading candidates by words, the likeliest answer first.

    Where the answer may be in another language, ``read`` compares the ``MAX_READ`` likeliest, and the
    others are dropped: scores with and without reading do not compare.
    """
    weights = load_weights()
    leading = list_leading(question, candidates)
    signs = list_signs(question, [quote.candidate for quote in leading])
    ranked = _sort(leading, signs, weights["answers"])
    likely = ranked[:MAX_READ]
    if read is not None and calls_for_reading([own for _, own in likely]):
        quotes = [quote for quote, _ in likely]
        reading = read_candidates([quote.candidate for quote in quotes], read)
        both = [{**own, **match} for (_, own), match in zip(likely, reading, strict=True)]
        ranked = _sort(quotes, both, weights["read"])
    return [quote for quote, _ in ranked]


def calls_for_reading(likely: Sequence[Signs]) -> bool:
    """Whether the answer may be in another language, by the signs of the likeliest, best first.

    Not if the best one is in the question's language and has most of its words.
    """
    words = 0.0 if likely[0]["foreign"] else likely[0]["covered"]
    return words < _MOST_WORDS and any(own["foreign"] for own in likely)


def read_candidates(candidates: Sequence[QuoteCandidate], read: ReadTogether) -> list[Signs]:
    """How far each is behind the one that the question matches best."""
    matches = read([_list_parts(candidate) for candidate in candidates])
    return [{"reading": match - max(matches)} for match in matches]


def _list_parts(candidate: QuoteCandidate) -> tuple[str, str]:
    """The text under its heading, and the title and headings above it, which say of what it is."""
    above = ". ".join((candidate.evidence.hit.source.title, *candidate.section))
    return add_heading(candidate)[:_MAX_READ_CHARS], above[:_MAX_ABOVE_CHARS]


def list_leading(
    question: WeightedQuestion, candidates: Sequence[QuoteCandidate]
) -> list[RankedQuote]:
    """The leading candidates by words; questions only if there is nothing else."""
    ranked = rank_candidates(question, candidates)
    answers = [quote for quote in ranked if not is_question(quote.candidate)]
    return (answers or ranked)[:MAX_COMPARED]


def _sort(
    quotes: Sequence[RankedQuote], signs: Sequence[Signs], weights: Signs
) -> list[tuple[RankedQuote, Signs]]:
    scored = [
        (replace(quote, score=weigh_signs(own, weights)), own)
        for quote, own in zip(quotes, signs, strict=True)
    ]
    return sorted(scored, key=lambda pair: (-pair[0].score, pair[0].candidate.order))


def weigh_signs(signs: Signs, weights: Signs) -> float:
    """The sum of the signs, each by its weight; a missing one counts 0."""
    return sum(weight * signs.get(name, 0.0) for name, weight in weights.items())


def list_signs(question: WeightedQuestion, candidates: Sequence[QuoteCandidate]) -> list[Signs]:
    """What speaks for and against each of the candidates, compared with the others."""
    relevant = max((c.evidence.hit.relevance for c in candidates), default=0.0)
    nearest = max((c.nearness for c in candidates), default=0.0)
    return [
        {
            **_list_words(question, candidate),
            "relevance": candidate.evidence.hit.relevance - relevant,
            "nearness": candidate.nearness - nearest,
        }
        for candidate in candidates
    ]


def _list_words(question: WeightedQuestion, candidate: QuoteCandidate) -> Signs:
    found, kind = measure_coverage(question, candidate), has_asked_kind(question.folded, candidate)
    return {
        "covered": found.total / question.total,
        "own": found.own / question.known_total,
        "above": found.above / question.known_total,
        "asked_before": candidate.asks_before * found.before / question.known_total,
        "opens": float(find_first_term(candidate) in question.forms),
        "asked": measure_asked(question, candidate),
        "named": measure_named(question.folded, candidate) or 0.0,
        "row_name": measure_row_name(question, candidate),
        "table": float(candidate.kind == "table"),
        "has_kind": float(kind is True),
        "lacks_kind": float(kind is False),
        "another": float(is_about_another(question, candidate)),
        "in_time": float(judge_time(question, candidate) == "fits"),
        "doubtful": float(is_doubtful(candidate)),
        "foreign": float(is_foreign(question, candidate)),
        "length": math.log(len(candidate.text.split()) + 1),
        "rank": float(candidate.order[0]),
    }


def is_doubtful(candidate: QuoteCandidate) -> bool:
    """Whether its document may be about another thing, or a later revision comes first."""
    return candidate.evidence.hit.fit.reason is not None


def estimate_confidence(
    question: WeightedQuestion, ranked: Sequence[RankedQuote], found: float
) -> float:
    """The chance, 0 to 1, that the best sentence answers; ``found`` is the gate's score."""
    return rate_doubts(list_doubts(question, ranked, found), load_weights()["sure"])


def rate_doubts(doubts: Signs, weights: Signs) -> float:
    """The chance, 0 to 1, that a sentence answers; 0 without an identifier that the question names."""
    return 0.0 if doubts["unnamed"] else 1 / (1 + math.exp(-weigh_signs(doubts, weights)))


def list_doubts(question: WeightedQuestion, ranked: Sequence[RankedQuote], found: float) -> Signs:
    """What speaks for and against the best sentence as an answer, alone and among the others.

    ``share`` is its part of the softmax of all scores, ``untimed`` whether the question names a
    period and nothing says that the sentence is of it.
    """
    best = ranked[0]
    hit = best.candidate.evidence.hit
    masses = [math.exp(quote.score - best.score) for quote in ranked]
    kind = has_asked_kind(question.folded, best.candidate)
    return {
        "always": 1.0,
        "share": 1 / sum(masses),
        "agreeing": float(
            sum(is_repetition(q.candidate, best.candidate) for q in ranked[1 : _NEXT + 1])
        ),
        "gate": found,
        "relevance": hit.relevance,
        "covered": measure_coverage(question, best.candidate).total / question.total,
        "asked": measure_asked(question, best.candidate),
        "another": float(is_about_another(question, best.candidate)),
        "unnamed": float(measure_named(question.folded, best.candidate) == 0),
        "untimed": float(bool(question.periods) and judge_time(question, best.candidate) != "fits"),
        "doubtful": float(is_doubtful(best.candidate)),
        "has_kind": float(kind is True),
        "lacks_kind": float(kind is False),
    }
