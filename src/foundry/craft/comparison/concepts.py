"""The concepts of a text (its terms as the glossary has them, without neutral words), role and predicate."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from foundry.analysis import analyse, fold
from foundry.analysis.languages import FAVOURED
from foundry.analysis.lexer import JOINED_WORD
from foundry.lexicon import load_shared_lexicon
from foundry.text.glossary import Glossary

WORDS = load_shared_lexicon().comparison
"""The words that the comparison of statements treats specially, in every language."""

ROLES = {word: role for role, names in WORDS.roles.items() for word in names}
"""Word → which of several values of a quantity it means; different roles never conflict."""

LABELLED = re.compile(r"\W{0,3}([^:=.!?]{1,60}?)\s*(?:: |=)\s*(?=\S)")
"""The label of a "Label: value" or "name = value" line."""


@dataclass(frozen=True, slots=True)
class ConceptReader:
    """Reads the concepts of texts in one language, with a project's glossary."""

    language: str
    glossary: Glossary

    @lru_cache(maxsize=4096)  # noqa: B019  a reader is small, and equal ones share their results
    def read(self, text: str) -> frozenset[str]:
        """The concepts of a short text."""
        return self.select(term for term in analyse(text, self.language) if len(term) > 1)

    def select(self, terms: Iterable[str]) -> frozenset[str]:
        """Terms as concepts, without neutral words, roles and numbers."""
        concepts = self.glossary.translate(terms) - _NEUTRAL
        return frozenset(concept for concept in concepts if not concept.isdigit())


_NEUTRAL = frozenset(
    stem
    for word in WORDS.neutral | ROLES.keys()
    for code in FAVOURED
    for stem in (word, *analyse(word, code))
)
"""Neutral words and roles, and their stems in every favoured language."""


def find_role(text: str) -> str:
    """Which of several values a text means: "max", "min", "typ", "nom", "peak" or ""."""
    roles = {ROLES[word] for word in re.findall(r"\w+", fold(text)) if word in ROLES}
    return "+".join(sorted(roles))


def find_predicate(text: str) -> int:
    """The offset where a text's predicate begins: after its first verb, "=" or label.

    The length of the text if there is none.
    """
    label = LABELLED.match(text)
    if label:
        return label.end(1)
    for match in JOINED_WORD.finditer(text):
        if fold(match[0]) in WORDS.verbs and match.start() > 0:
            return match.end()
    return len(text)
