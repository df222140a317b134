"""Whether a sentence is about the very thing that a question names by an identifier: F1, LC-512, E08.

An identifier here begins with a letter and has a digit. Sentences about X1 share all other words with those
about F1, so one that does not carry the identifier is no sure answer.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from foundry.analysis import fold
from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.records import QueryTerm, Question
from foundry.text.names import Name, find_identifiers, is_mentioned_in
from foundry.text.passages import find_lines_and_passages

_SHAPE = re.compile(r"[^\W\d_].*\d")

IN_SECTION = 0.5
"""What an identifier counts that is only in the sentences before, under the same heading: a step of
"Replacing fuse F1" is about F1. A guess: half of what counts in the sentence itself."""

_NEAR = 6
"""Sentences before that may say what a sentence is about: a short procedure. A guess."""


def keep_whole(word: QueryTerm, question: Question) -> tuple[str, ...]:
    """The word's terms, of an identifier in the index only the whole: "T 1 A" has no F1."""
    known = question.frequencies.get(word.terms[0]) if _SHAPE.match(word.word) else None
    return word.terms[:1] if known else word.terms


def names_another(word: str, candidate: QuoteCandidate) -> bool:
    """Whether the word is an identifier and the sentence names others."""
    return bool(_SHAPE.match(word) and find_identifiers(candidate.text))


def measure_named(asked: str, candidate: QuoteCandidate) -> float | None:
    """The least, 0 to 1, that an identifier of the question counts in a sentence; None without any.

    1 if it is in the sentence or row, its headings, or the label of its document; ``IN_SECTION`` if
    it comes before in the section, and the sentence names nothing else.
    """
    names = find_identifiers(asked)
    return min((_rate(name, candidate) for name in names), default=None)


def _rate(name: Name, candidate: QuoteCandidate) -> float:
    source = candidate.evidence.hit.source
    label = (source.title, PurePosixPath(source.path).stem)
    if is_mentioned_in(name, fold("\n".join((candidate.text, *candidate.section, *label)))):
        return 1.0
    if find_identifiers(candidate.text):
        return 0.0
    chunk, number = candidate.evidence.hit.chunk, candidate.order[1]
    before = find_lines_and_passages(chunk)[max(number - _NEAR, 0) : number]
    own = (
        p.text for p in before if (p.place.heading_path or chunk.heading_path) == candidate.section
    )
    return IN_SECTION * is_mentioned_in(name, fold("\n".join(own)))
