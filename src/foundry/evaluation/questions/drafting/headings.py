"""Headings → questions, where a section gives no better one: how something is done, what is said.

The answer is the first sentence below the heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from foundry.evaluation.questions.drafting.phrasing import (
    DONE_EN,
    DONE_NL,
    document,
    lowered,
    subject_of_heading,
    with_article,
)
from foundry.evaluation.questions.drafting.tables import Asked
from foundry.text.headings import is_administrative, is_generic

WEAK = 0.3
"""The weight of questions that ask what is said, not for a fact."""

_MOST_WORDS = 7
_LABEL = 20


def ask_heading(
    path: Sequence[str], title: str, name: str, first: str, language: str
) -> Asked | None:
    """The question of a section with this heading path, or None where its heading says too little.

    ``title`` and ``name`` are the source's, whole and as it is called, ``first`` the first sentence below the heading.
    """
    heading = subject_of_heading(path[-1])
    words = heading.split()
    letters = sum(letter.isalpha() for letter in heading)
    if is_generic(heading) or any(is_administrative(one) for one in path):
        return None
    if not 1 <= len(words) <= _MOST_WORDS or letters < 4 or re.search(r"\d{4}|[?!:|]", heading):
        return None
    if heading.casefold() in title.casefold() or ":" in first[:_LABEL]:
        return None
    how = _how(words, language)
    if how:
        return Asked(how, first, 0.6)
    about = lowered(heading)
    if language == "en":
        return Asked(f"What does {document(name, language)} say about {about}?", first, WEAK)
    return Asked(f"Wat zegt {document(name, language)} over {about}?", first, WEAK)


def _how(words: Sequence[str], language: str) -> str | None:
    """``Zekering vervangen`` → ``Hoe kan ik de zekering vervangen?``"""
    if len(words) < 2:
        return None
    if language == "nl":
        verb = words[-1].lower()
        if verb not in DONE_NL:
            return None
        return f"Hoe kan ik {with_article(' '.join(words[:-1]), 'nl')} {verb}?"
    base = DONE_EN.get(words[0].lower())
    return f"How do I {base} {lowered(' '.join(words[1:]))}?" if base else None
