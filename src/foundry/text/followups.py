"""A follow-up question, and which words of the question before it needs.

Knows pronouns and openings, not grammar. A follow-up inherits what the question before was *about*
(its names, and the words after its last "of", "van", …); where it brings a new name itself ("and
the DX-8?"), it inherits what was *asked* about the old one. No other word is added.
"""

from __future__ import annotations

import re

from foundry.analysis import analyse_query, fold
from foundry.analysis.languages import FAVOURED
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import QueryTerm
from foundry.text.names import find_names

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.questions
_OPENING = re.compile(rf"^\W*{build_alternation(_WORDS.follow_up_openings)}\b")
_ANAPHORA = re.compile(
    "|".join([rf"\b{build_alternation(_WORDS.anaphora)}\b", *_WORDS.anaphora_patterns])
)
_DETERMINERS = build_alternation(_LEXICON.general.articles | _LEXICON.general.possessives)
_SUBJECT = re.compile(
    rf".*\b{build_alternation(_WORDS.subject_prepositions)} (?:{_DETERMINERS} )?(.+)$"
)


_SUBJECT_WORDS = 4


def is_follow_up(question: str) -> bool:
    """Whether a question can hardly be understood without the one before it."""
    folded = fold(question).strip()
    return bool(
        len(_find_content_terms(question)) < 2
        or _OPENING.search(folded)
        or _ANAPHORA.search(folded)
    )


def stands_alone(question: str) -> bool:
    """Whether a question needs nothing of the one before it: it has a subject of its own.

    That is a name, or four words that say something (a guess: "What was the revenue in 2021?" has
    two, and leaves open whose).
    """
    named = any(not name.initial for name in find_names(question))
    return not is_follow_up(question) and (
        named or len(_find_content_terms(question)) >= _SUBJECT_WORDS
    )


def find_context_words(question: str, before: str) -> tuple[str, ...]:
    """The words of the question ``before`` that a follow-up needs, in their order."""
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
    """Whether a short follow-up names something new ("and the DX-8?")."""
    named = any(not name.initial for name in find_names(question))
    return named and len(_find_content_terms(question)) <= 2


def _find_subject_terms(
    before: str, words: tuple[QueryTerm, ...], names: set[str]
) -> list[QueryTerm]:
    subject = _SUBJECT.match(fold(before).strip(" ?.!"))
    subject_words = set(re.findall(r"[\w-]+", subject[1])) if subject else set()
    return [term for term in words if fold(term.word) in subject_words | names]


def _find_content_terms(question: str) -> tuple[QueryTerm, ...]:
    return tuple(
        term for term in analyse_query(question, FAVOURED) if fold(term.word) not in _WORDS.words
    )
