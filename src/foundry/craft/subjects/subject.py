"""What a question names: the words that tell the project's documents apart, and its periods."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from foundry.analysis import UNKNOWN, fold
from foundry.lexicon import load_shared_lexicon
from foundry.records import Mention, QueryTerm, Question
from foundry.text.names import Name, find_names
from foundry.text.periods import Period, find_periods

_LEXICON = load_shared_lexicon()

ABOUT_SHARE = 0.5
"""A source is about a name that at least this share of its chunks has, whatever its title says,
if the name is in the label of another one. A guess: more than half."""

SPECIFIC_SHARE = 0.8
"""A word without a capital names a document only if at least this share of the chunks that have it
are of sources with it in their label: "boeing" does, "tax" does not. A guess."""

MOST_WORDS = 20
"""A question with more words is a pasted text, which names too much."""


@dataclass(frozen=True, slots=True)
class AskedName:
    """A name in a question that some sources have in their label.

    ``sources`` are the ids of those, and of sources that have it in most of their chunks;
    ``shares`` is the share of chunks that have it, 0–1, by source id. ``sure`` if it is written like a name; else its spread alone makes it one.
    """

    text: str
    sources: frozenset[str]
    shares: Mapping[str, float]
    sure: bool


@dataclass(frozen=True, slots=True)
class Subject:
    """The names and periods in a question by which documents differ.

    ``sources`` are the ids of those that it is about: that have all of its names, or else any.
    ``language`` is the question's.
    """

    names: tuple[AskedName, ...] = ()
    periods: tuple[Period, ...] = ()
    sources: frozenset[str] = frozenset()
    language: str = UNKNOWN


def list_subject_terms(question: Question) -> dict[QueryTerm, tuple[str, ...]]:
    """The words of the question that may name a document, with the terms of the whole word."""
    if len(question.words) > MOST_WORDS:
        return {}
    periods = find_periods(question.text, question.language)
    dated = {word for period in periods for word in re.findall(r"\w+", fold(period.text))}
    return {
        word: terms
        for word in question.words
        if fold(word.word) not in _LEXICON.questions.frame
        and not (fold(word.word) in dated or word.word.isdigit())
        and (terms := _list_whole_terms(word))
        and any(question.frequencies.get(term, 0) for term in terms)
    }


def find_subject(question: Question, mentions: Sequence[Mention]) -> Subject:
    """What the question names; ``mentions`` are of its ``list_subject_terms``."""
    by_term: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        by_term[mention.term].append(mention)
    written = {name.key: name for name in find_names(question.text)}
    found: list[tuple[Name | None, AskedName]] = []
    for word, terms in list_subject_terms(question).items():
        name = written.get(_strip_possessive(fold(word.word)))
        own = [mention for term in terms for mention in by_term[term]]
        asked = _read_name(word.word, own, sure=name is not None and _is_sure(name))
        if asked:
            found.append((name, asked))
    periods = find_periods(question.text, question.language)
    names = tuple(_join_names(found, question.text))
    return Subject(names, periods, _choose_sources(names), question.language)


def _list_whole_terms(word: QueryTerm) -> tuple[str, ...]:
    """The terms of the whole word in each language, without those of its parts."""
    if _strip_possessive(fold(word.word)).isalpha():
        return word.terms
    return word.terms[:1]


def _strip_possessive(folded: str) -> str:
    return re.sub(r"['’]s?$", "", folded)


def _is_sure(name: Name) -> bool:
    return name.identifier or not name.initial


def _read_name(text: str, mentions: Collection[Mention], *, sure: bool) -> AskedName | None:
    """The name, or None if the word tells no documents apart."""
    shares: dict[str, float] = {}
    for mention in mentions:
        shares[mention.source_id] = max(mention.share, shares.get(mention.source_id, 0.0))
    labelled = frozenset(mention.source_id for mention in mentions if mention.labelled)
    if sure:
        most = frozenset(source for source, share in shares.items() if share >= ABOUT_SHARE)
        return AskedName(text, labelled | most, shares, sure) if labelled else None
    everywhere = sum(mention.chunks for mention in mentions)
    inside = sum(mention.chunks for mention in mentions if mention.source_id in labelled)
    specific = labelled and inside >= SPECIFIC_SHARE * everywhere
    return AskedName(text, labelled, shares, sure) if specific else None


def _join_names(found: Sequence[tuple[Name | None, AskedName]], text: str) -> Iterator[AskedName]:
    """Names that follow each other are one: "Best Buy" is about the sources that have both."""
    run = 0
    numbered: list[tuple[int, AskedName]] = []
    end = -1
    for name, asked in sorted(found, key=lambda pair: pair[0].start if pair[0] else -1):
        if name is None or end < 0 or text[end : name.start].strip():
            run += 1
        end = name.start + len(name.text) if name else -1
        numbered.append((run, asked))
    for _, group in groupby(numbered, key=lambda pair: pair[0]):
        yield _join_run([asked for _, asked in group])


def _choose_sources(names: Sequence[AskedName]) -> frozenset[str]:
    """The sources of all names, as in "Intel's 10-Q"; else of any, as in "Intel or NVIDIA"."""
    sets = [name.sources for name in names]
    if not sets:
        return frozenset()
    shared = frozenset.intersection(*sets)
    # "Intel's and NVIDIA's 10-Q": what all have in common names neither.
    narrow = [one for one in sets if not any(other < one for other in sets)]
    return shared or frozenset.union(*narrow)


def _join_run(run: Sequence[AskedName]) -> AskedName:
    shared = frozenset.intersection(*(name.sources for name in run))
    if len(run) == 1 or not shared:
        return run[0]
    every = {source for name in run for source in name.shares}
    shares = {source: min(name.shares.get(source, 0.0) for name in run) for source in every}
    words = " ".join(name.text for name in run)
    return AskedName(words, shared, shares, any(name.sure for name in run))
