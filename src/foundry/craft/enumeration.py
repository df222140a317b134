"""The rows and list items that have what a question asks all of.

Nothing is judged: a row or item is found by the words of the question in itself, in what is above it,
and in the sentence that introduces it, such as "The following parts are needed:". Those with the
most of these words are taken, all of them, and what they have in common is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from foundry.analysis import analyse, fold
from foundry.craft.excerpts import Line, build_line, list_terms_above, read_lines
from foundry.craft.question import select_subject_words
from foundry.lexicon import load_shared_lexicon
from foundry.records import Evidence, Excerpt, QueryTerm, Question
from foundry.text.lines import find_shared_terms

_WORDS = load_shared_lexicon().questions
_KINDS = frozenset({"table", "list_item"})


@dataclass(frozen=True, slots=True)
class FoundItems:
    """The rows and items of all ``lines``, in the order of their sources, and the words that they have.

    ``tables`` counts those that were read.
    """

    lines: tuple[Line, ...] = ()
    words: tuple[str, ...] = ()
    tables: int = 0


def select_listed_words(question: Question, common: Iterable[str] = ()) -> tuple[QueryTerm, ...]:
    """The words that tell what is asked for: known ones, without "list all" and what most passages have.

    ``common`` are terms of what the whole project is about.
    """
    said = _WORDS.listing | _WORDS.universals
    known = [
        word
        for word in select_subject_words(question)
        if question.is_covered(word) and fold(word.word) not in said
    ]
    about = frozenset(common)
    rare = [
        word
        for word in known
        if about.isdisjoint(word.terms)
        and 2 * max(question.frequencies.get(term, 0) for term in word.terms) < question.chunks
    ]
    return tuple(rare or known)


def find_items(
    question: Question, words: Sequence[QueryTerm], evidence: Sequence[Evidence]
) -> FoundItems:
    """The rows and items with the most of the words, by their rarity; none with fewer than two of several.

    The noun of what is asked for is looked for above them: an item of "all changes in 1.1.0" need not
    say that it is a change, and one that does is no better.
    """
    rarity = {word: question.compute_rarity(*word.terms) for word in words}
    rated: list[tuple[Line, frozenset[QueryTerm]]] = []
    tables = set[tuple[str, int]]()
    for line, own, above in _read_terms(evidence):
        if line.passage.kind == "table":
            tables.add((line.chunk.source_id, line.passage.place.start))
        found = (
            word
            for word in words
            if find_shared_terms(
                word.terms, above if fold(word.word) == question.noun else own | above
            )
        )
        rated.append((line, frozenset(found)))
    most = max((found for _, found in rated), key=lambda one: _weigh(one, rarity), default=None)
    if not most or len(most) < min(len(words), 2):
        return FoundItems(tables=len(tables))
    least = _weigh(most, rarity)
    lines = tuple(line for line, found in rated if _weigh(found, rarity) >= least)
    return FoundItems(lines, tuple(word.word for word in words if word in most), len(tables))


def _weigh(found: frozenset[QueryTerm], rarity: dict[QueryTerm, float]) -> float:
    return sum(weight for word, weight in rarity.items() if word in found)


def _read_terms(
    evidence: Sequence[Evidence],
) -> Iterator[tuple[Line, frozenset[str], frozenset[str]]]:
    """Each row and item once, with its terms, and those above it and of what introduces it."""
    ordered = sorted(evidence, key=lambda item: (item.hit.source.path, item.hit.chunk.start))
    seen = set[tuple[str, int]]()
    place: tuple[str, tuple[str, ...]] | None = None
    lead = frozenset[str]()
    for line in (line for item in ordered for line in read_lines(item)):
        key, here = (
            (line.chunk.source_id, line.passage.start),
            (line.chunk.source_id, line.headings),
        )
        if key in seen:
            continue  # Neighbouring passages overlap.
        seen.add(key)
        if here != place:
            place, lead = here, frozenset()
        own = frozenset(analyse(line.text, line.chunk.language))
        if line.passage.kind in _KINDS:
            yield line, own, lead | list_terms_above(line)
        else:
            lead = own if re.search(r":\W*$", line.text) else frozenset()


def build_item_excerpts(lines: Sequence[Line]) -> Iterator[Excerpt]:
    """The lines as they are shown: together under one heading, table and passage, in their order."""
    for _, group in groupby(lines, key=_describe_group):
        own = tuple(group)
        table = own[0].passage.place.table
        title = (table.title if table else None) or ""
        shown = tuple(build_line(line) for line in own)
        yield Excerpt(own[0].evidence, shown, own[0].headings, title, own[0].evidence.hit.relevance)


def _describe_group(line: Line) -> tuple[object, ...]:
    table = line.passage.place.start if line.passage.kind == "table" else None
    return line.evidence.id, line.headings, table
