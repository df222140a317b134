"""What a specification asks of each section: the lines of its text that speak of it.

A section's title alone is a poor query ("Testing"); the specification's own scope says
what is meant. Each line goes to the one section that it is nearest to, by shared words
first and by meaning else. Lines that name what is out of scope go nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foundry.analysis import analyse, detect_language, fold
from foundry.text.headings import is_generic
from foundry.text.lines import find_shared_terms
from foundry.text.markdown import read_prose

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of one text to others, from an embedder."""

_MAX_WORDS = 24
"""Words: a longer line says too much to be a query, and mostly speaks of the document itself."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_EXCLUDED = re.compile(
    r"\b(?:not in scope|out of scope|not part of|niet in dit|buiten de omvang|valt buiten|geen onderdeel)\b"
)
# What says how to write, and not what about.
_MANNER = re.compile(
    r"^(?:language|taal|tone|toon|style|stijl|format|length|lengte)\b.{0,3}:"
    r"|\b(?:every|each|elke|iedere|alle)\b.{0,40}\b(?:source|citation|bronvermelding|verwijzing)\b"
)
_MARGIN = 0.008
"""How much nearer than to the second-nearest section a line must be, in cosine, to count as its own."""


@dataclass(frozen=True, slots=True)
class SectionOutline:
    """A section's title with the lines of the specification that say what it shall hold.

    ``subject`` is what to search for in place of a title that says nothing ("Overview").
    """

    title: str
    wants: tuple[str, ...] = ()
    subject: str = ""

    @property
    def queries(self) -> tuple[str, ...]:
        """What to search for: the title, and each line."""
        return (self.subject or self.title, *self.wants)


def outline_sections(
    sections: Sequence[str], text: str, topic: str, similar: Similarity | None = None
) -> tuple[SectionOutline, ...]:
    """Each section with its lines of the specification's ``text``, in their order.

    Under a title such as "Overview" the document's ``topic`` is searched for.
    """
    language = detect_language(text)
    wants: list[list[str]] = [[] for _ in sections]
    titles = [frozenset(analyse(title, language)) for title in sections]
    for line in _split_lines(text):
        at = _match_by_words(line, titles, language)
        if at is None and similar is not None:
            at = _match_by_meaning(line, sections, similar)
        if at is not None:
            wants[at].append(_strip_label(line, sections[at]))
    return tuple(
        SectionOutline(title, tuple(found), topic if is_generic(title) else "")
        for title, found in zip(sections, wants, strict=True)
    )


def _split_lines(text: str) -> list[str]:
    pieces = [" ".join(piece.split()) for piece in read_prose(_COMMENT.sub("", text))]
    return [
        piece
        for piece in dict.fromkeys(pieces)
        if 1 < len(piece.split()) <= _MAX_WORDS
        and not _EXCLUDED.search(fold(piece))
        and not _MANNER.search(fold(piece))
    ]


def _strip_label(line: str, title: str) -> str:
    """``Testing: the endurance test`` → ``the endurance test`` under that very title.

    A title in words of its own would hide from the gate that the rest is known.
    """
    label, colon, rest = line.partition(":")
    return rest.strip() if colon and rest.strip() and fold(label) == fold(title) else line


def _match_by_words(line: str, titles: Sequence[frozenset[str]], language: str) -> int | None:
    """The section whose title shares most with the line; None where none does, or two the same."""
    own = frozenset(analyse(line, language))
    shares = [
        len(find_shared_terms(title, own) | find_shared_terms(own, title)) / max(len(title), 1)
        for title in titles
    ]
    best = max(shares, default=0.0)
    return shares.index(best) if best > 0 and shares.count(best) == 1 else None


def _match_by_meaning(line: str, sections: Sequence[str], similar: Similarity) -> int | None:
    cosines = list(similar(line, sections))
    ranked = sorted(cosines, reverse=True)
    if len(ranked) > 1 and ranked[0] - ranked[1] < _MARGIN:
        return None
    return cosines.index(ranked[0]) if ranked else None
