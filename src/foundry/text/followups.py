"""A follow-up question → what it leans on: which words of the question before it needs.

Knows pronouns and openings of Dutch and English, not grammar. It carries over
what the question before was *about* (its names, and the words after its last
"of", "van", …); where the follow-up brings a new name itself ("and the DX-8?"),
what was *asked* about the old one. It adds no word that was not said.
"""

from __future__ import annotations

import re

from foundry.analysis import QueryTerm, analyse_query, fold
from foundry.text.names import find_names

_LANGUAGES = ("en", "nl")
_OPENING = re.compile(
    r"^\W*(?:and|but|or|so|also|then|what about|how about|what if|en|maar|dus|dan|ook|hoe zit het"
    r"|hoe zit dat|en wat|wat betreft)\b"
)
_ANAPHORA = re.compile(
    r"\b(?:it|its|this|these|those|they|them|their|he|him|his|she|her|here|there|former|latter"
    r"|hij|zijn(?= \w+ ?\?)|zij|ze|hun|hem|haar|dit|deze|diens"
    r"|(?:daar|er|hier|waar)(?:aan|bij|binnen|door|in|mee|na|naar|om|onder|op|over|toe|tussen|uit"
    r"|van|voor)|daar)\b"
    # "That" and "het" more often join or open than point back: only some places tell.
    r"|\b(?:is|are|was|does|do|of|for|with|about|than|to|on|at|in|van|voor|met|over|dan|op|doet)"
    r" (?:that|dat|die)\b|\b(?:that|dat|die|het)\W*$|^\W*(?:that|dat|die)\b"
    r"|\bhet(?= (?:worden|zijn|kunnen|dan|ook|nog|wel|niet|in|op|bij|te)\b| ge\w+[dt]\W*$)"
)
_QUESTION_WORDS = frozenset(
    [
        "why",
        "how",
        "when",
        "where",
        "who",
        "which",
        "what",
        "waarom",
        "hoe",
        "wanneer",
        "waar",
        "wie",
        "welke",
        "welk",
        "wat",
        "hoeveel",
    ]
)
_SUBJECT = re.compile(
    r".*\b(?:of|for|from|with|by|on|in|at|about|van|voor|uit|bij|met|door|op|over|aan)"
    r" (?:(?:the|a|an|my|our|its|de|het|een|mijn|onze|zijn|haar) )?(.+)$"
)


def is_follow_up(question: str) -> bool:
    """True when a question can hardly be understood without the one before it."""
    folded = fold(question).strip()
    return bool(
        len(_find_content_terms(question)) < 2
        or _OPENING.search(folded)
        or _ANAPHORA.search(folded)
    )


def find_context_words(question: str, before: str) -> tuple[str, ...]:
    """The words of the question before that a follow-up needs, in their order; () for none."""
    own = {fold(term.word) for term in _find_content_terms(question)}
    words = _find_content_terms(before)
    names = {name.key for name in find_names(before) if not name.initial}
    if _names_new_subject(question):
        chosen = [term for term in words if fold(term.word) not in names]
    elif not own:
        chosen = list(words)
    else:
        chosen = _find_subject_terms(before, words, names) or list(words)
    return tuple(term.word for term in chosen if fold(term.word) not in own)


def _names_new_subject(question: str) -> bool:
    """The follow-up opens as one and names something else of the kind ("and the DX-8?")."""
    named = any(not name.initial for name in find_names(question))
    return named and len(_find_content_terms(question)) <= 2


def _find_subject_terms(
    before: str, words: tuple[QueryTerm, ...], names: set[str]
) -> list[QueryTerm]:
    subject = _SUBJECT.match(fold(before).strip(" ?.!"))
    told = set(re.findall(r"[\w-]+", subject[1])) if subject else set()
    return [term for term in words if fold(term.word) in told | names]


def _find_content_terms(question: str) -> tuple[QueryTerm, ...]:
    return tuple(
        term
        for term in analyse_query(question, _LANGUAGES)
        if fold(term.word) not in _QUESTION_WORDS
    )
