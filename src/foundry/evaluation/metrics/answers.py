"""Compare short answers with accepted ones, and what a reader gets where passages are shown instead.

Answers have exact match, token F1 and token recall, with the normalisation of SQuAD (Rajpurkar et
al., "SQuAD: 100,000+ Questions for Machine Comprehension of Text", EMNLP 2016), for Dutch and
English: case, punctuation and articles do not count. A quantity is one token whatever its notation:
``2,0 s``, ``2.0 s`` and ``2 seconds`` agree.

Passages have ``shown_gold``: whether they hold the gold, by the most exact thing that the question
has: all of an expected span, in its place or in the same words; else every word of an accepted
answer in one passage of an expected source; else a line of the expected page or section; and
``shown_source``: whether a passage of an expected source is shown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from foundry.analysis.lexer import JOINED_WORD
from foundry.evaluation.questions.places import (
    Places,
    find_covered_items,
    find_quote,
    is_whole_source,
    locate_quote,
)
from foundry.lexicon import load_shared_lexicon
from foundry.records import CitedSpan, EvalQuestion, Excerpt, Expectation, Sentence
from foundry.text.quantities import Quantity, find_quantities, is_same_quantity

ARTICLES = load_shared_lexicon().general.articles
ANSWER_MEASURES = ("exact_match", "f1", "answer_recall")


Token = str | Quantity


def plain_text(sentences: Sequence[Sentence]) -> str:
    """The text of an answer without its citation marks."""
    return " ".join(sentence.text for sentence in sentences)


def answer_figures(text: str, accepted: Sequence[str]) -> dict[str, float]:
    """Compute each measure (0–1) at its best over the accepted answers; an empty text has 0.

    ``answer_recall`` is the share of an accepted answer's tokens that the text contains: a whole
    sentence around a short answer contains all of them.
    """
    given = answer_tokens(text)
    scores = [_score(given, answer_tokens(answer)) for answer in accepted]
    return {
        name: max((score[n] for score in scores), default=0.0)
        for n, name in enumerate(ANSWER_MEASURES)
    }


def _score(given: Sequence[Token], wanted: Sequence[Token]) -> tuple[float, float, float]:
    if not given or not wanted:
        return (0.0, 0.0, 0.0)
    shared = _count_shared(given, wanted)
    precision, recall = shared / len(given), shared / len(wanted)
    same = len(given) == len(wanted) and all(map(_agree, given, wanted))
    return (float(same), 2 * precision * recall / (precision + recall) if shared else 0.0, recall)


def _count_shared(given: Sequence[Token], wanted: Sequence[Token]) -> int:
    """How many tokens of ``wanted`` occur in ``given``, each used once."""
    left = list(given)
    for token in wanted:
        index = next((n for n, other in enumerate(left) if _agree(other, token)), None)
        if index is not None:
            del left[index]
    return len(given) - len(left)


def _agree(one: Token, other: Token) -> bool:
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return is_same_quantity(one, other)
    return isinstance(one, str) and one == other


@lru_cache(maxsize=2_000)
def answer_tokens(text: str) -> tuple[Token, ...]:
    """Words in lower case without articles, and quantities, in reading order."""
    text = unicodedata.normalize("NFKC", text)
    # The language of an answer's numbers is unknown: either reading of "1.000" may agree.
    quantities = [replace(item, bound=0) for item in find_quantities(text, "und")]
    tokens: list[Token] = []
    end = 0
    for quantity in quantities:
        tokens += [*_split_words(text[end : max(end, quantity.start)]), quantity]
        end = max(end, quantity.end)
    return (*tokens, *_split_words(text[end:]))


def _split_words(text: str) -> list[str]:
    words = (match[0].casefold().replace("’", "'") for match in JOINED_WORD.finditer(text))
    return [word for word in words if word not in ARTICLES]


SHOWN_MEASURES = ("shown_gold", "shown_source")


def measure_passages(
    places: Places,
    question: EvalQuestion,
    expected: Sequence[Expectation],
    passages: Sequence[Excerpt],
) -> dict[str, float | None]:
    """Each measure as 1 or 0, or None where nothing says what it would be.

    ``expected`` are the places of the question that the index contains. Without ``passages``, as
    after a refusal, nothing is shown.
    """
    if question.answerable is False:
        return dict.fromkeys(SHOWN_MEASURES)
    sources = {place.source for place in expected}
    listed = {source for passage in passages for source in _list_sources(passage)}
    gold = _find_gold(places, question, expected, passages)
    return {
        "shown_gold": None if gold is None else float(gold),
        "shown_source": float(bool(sources & listed)) if sources else None,
    }


def list_shown(question: EvalQuestion, passages: Sequence[Excerpt]) -> Iterator[CitedSpan]:
    """Each passage from its first to its last line, with the expected places that it covers."""
    for passage in passages:
        quotes = sorted(passage.quotes, key=lambda quote: quote.start)
        if quotes:
            first, path = quotes[0], passage.evidence.hit.source.path
            text, end = " ".join(quote.text for quote in quotes), max(q.end for q in quotes)
            covers = tuple(dict.fromkeys(_find_covered(passage, question.expected)))
            yield CitedSpan(path, first.start, end, text, first.page, covers)


def _find_gold(
    places: Places,
    question: EvalQuestion,
    expected: Sequence[Expectation],
    passages: Sequence[Excerpt],
) -> bool | None:
    spans = [(place.source, span) for place in expected for span in place.spans]
    if spans:
        return any(_is_shown(places, source, span, passages) for source, span in spans)
    if question.answers:
        sources = {place.source for place in expected}
        return any(
            answer_figures(_read_text(passage), question.answers)["answer_recall"] == 1
            for passage in passages
            if not sources or not sources.isdisjoint(_list_sources(passage))
        )
    narrow = [place for place in expected if not is_whole_source(place)]
    if not narrow:
        return None
    return any(_find_covered(passage, narrow) for passage in passages)


def _is_shown(
    places: Places, source: str, span: tuple[int, int], passages: Sequence[Excerpt]
) -> bool:
    """Whether lines have every letter and digit of the span, or a passage has the same words."""
    start, end = span
    words = left = places.read_span(source, span)
    for passage in passages:
        if passage.evidence.hit.source.path == source:
            for quote in passage.quotes:
                first, last = max(quote.start, start) - start, min(quote.end, end) - start
                left = left[:first] + " " * (last - first) + left[last:] if first < last else left
    if not any(letter.isalnum() for letter in left):
        return True
    return any(
        find_quote(" ".join(quote.text for quote in passage.quotes), words) for passage in passages
    )


def _find_covered(passage: Excerpt, expected: Sequence[Expectation]) -> list[int]:
    hit = passage.evidence.hit
    pieces = [locate_quote(quote, hit.chunk, hit.source.path) for quote in passage.quotes]
    return [index for piece in pieces for index, _ in find_covered_items(piece, expected)]


def _list_sources(passage: Excerpt) -> list[str]:
    """The path of its source, and those of the others that say the same."""
    return [evidence.hit.source.path for evidence in (passage.evidence, *passage.same)]


def _read_text(passage: Excerpt) -> str:
    """All that its lines say, with the labels of cells."""
    return " ".join(
        text
        for line in passage.lines
        for text in (line.text, *(f"{label} {value}" for label, value in line.cells))
    )
