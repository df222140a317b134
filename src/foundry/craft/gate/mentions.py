"""Names in a question that no source mentions: it asks about a thing that the sources do not know.

Only what is surely a name counts. An identifier (``ZX-9000``, ``KNX``) must stand
letter by letter; a word with a capital inside a question may also be inflected,
misspelt or part of a compound. Where the answer may stand in another language,
only identifiers with digits are written alike, so only they count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from foundry.analysis import QueryTerm, fold
from foundry.analysis.stopwords import DUTCH, ENGLISH
from foundry.craft.gate.question import Candidate, Question, is_covered
from foundry.craft.gate.spelling import is_near
from foundry.wording.names import Name, find_names, stands_in

_ASKING = re.compile(
    r"^\W*(?:(?:\w+ )?(?:what|which|who|whose|whom|when|where|why|how|wat|welke?|wie|wiens|wanneer"
    r"|waar\w*|hoe\w*)|is|are|was|were|do|does|did|can|could|may|must|should|will|has|have|mag|kan"
    r"|moet|heeft|hebben|zijn|wordt|worden|werd|zit|doet|gaat)\b"
)
# Whom a question is put to is not what it is about.
_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|dear|hallo|hoi|dag|beste|geachte|good (?:morning|afternoon|evening)"
    r"|goede?n?\s?(?:morgen|middag|avond|dag))\b[^,.!?\n]{0,40}[,.!]",
    re.IGNORECASE,
)
_CAPITALISING = frozenset(("nl", "en", "und"))
"""Languages that capitalise names only; German capitalises every noun."""

_MANY_CAPITALS = 0.5
"""At this share of capitalised words a text is a title or shouted: capitals say nothing."""

_GLUED = re.compile(r"(?:-[^\W\d_A-Z]{3,})+$")
# "Art-Net" and "PowerCon" are written alike in every language; "Vienna" is not.
_COINED = re.compile(r"[A-Z][a-z]+(?:-?[A-Z][a-z]*)+")
_PREFIX = 5
_DECADE = re.compile(r"\d+['’]?s")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SPELT = re.compile(r"[^\W\d_][\w'’-]+")


def unmentioned(
    question: Question, candidates: Sequence[Candidate], *, across: bool
) -> tuple[str, ...]:
    """The names of the question that stand in no source, as written.

    A name of several words is unmentioned when all its words are. ``across`` says that
    the answer may stand in another language. Looks into the index for whole words and
    into the candidates for other spellings.
    """
    entities = _entities(question, across=across)
    if not entities:
        return ()
    held = "\n".join(_text(candidate) for candidate in candidates)
    vocabulary = frozenset(_WORD.findall(held))
    lacking = (
        " ".join(name.text for name in entity)
        for entity in entities
        if not any(_is_mentioned(name, question, held, vocabulary) for name in entity)
    )
    return tuple(dict.fromkeys(lacking))


def find_named(text: str) -> tuple[Name, ...]:
    """The names of a question, without the Dutch word that hangs on one: "DX-4-regelaar" is DX-4."""
    found = (replace(name, text=_GLUED.sub("", name.text)) for name in find_names(text))
    return tuple(name for name in found if name.text)


def _entities(question: Question, *, across: bool) -> list[list[Name]]:
    """Names that stand next to each other, as one."""
    greeting = _GREETING.match(question.text)
    begin = greeting.end() if greeting else 0
    named = (name for name in find_named(question.text) if name.start >= begin)
    names = [name for name in named if _counts(name, question, across=across)]
    entities: list[list[Name]] = []
    for name in names:
        last = entities[-1][-1] if entities else None
        between = question.text[last.start + len(last.text) : name.start] if last else "?"
        if between.strip():
            entities.append([name])
        else:
            entities[-1].append(name)
    return entities


def _counts(name: Name, question: Question, *, across: bool) -> bool:
    if any(character.isdigit() for character in name.text):
        return name.identifier and not _DECADE.fullmatch(name.text)
    asked = _ASKING.match(
        fold(_GREETING.sub("", question.text))
    ) or question.text.rstrip().endswith("?")
    reliable = question.language in _CAPITALISING and not _is_titled(question.text)
    ordinary = name.key in ENGLISH | DUTCH or (name.initial and not name.identifier)
    alike = not across or _COINED.fullmatch(name.text) is not None
    return bool(asked) and reliable and alike and not ordinary


def _is_titled(text: str) -> bool:
    """Capitals as a habit; a name of two parts is one word, and an identifier says nothing."""
    words: list[str] = _SPELT.findall(text)[1:]
    plain = [word for word in words if not any(character.isdigit() for character in word)]
    capitalised = sum(word[0].isupper() for word in plain)
    return capitalised > 1 and capitalised >= _MANY_CAPITALS * len(plain)


def _is_mentioned(name: Name, question: Question, held: str, vocabulary: Collection[str]) -> bool:
    if _is_indexed(name, question.words, question) or stands_in(name, held):
        return True
    if any(character.isdigit() for character in name.text):
        return False
    parts = [fold(part) for part in _WORD.findall(name.text) if _is_telling(part)]
    if not name.text.isalpha() and any(part in vocabulary for part in parts):
        return True
    return _is_spelt_otherwise(name, held, vocabulary)


def _is_telling(part: str) -> bool:
    """A part that names by itself: "Vlonder" or "DMX", but neither half of "Art-Net"."""
    least = 3 if part.isupper() else 4
    return part[0].isupper() and len(part) >= least


def _is_spelt_otherwise(name: Name, held: str, vocabulary: Collection[str]) -> bool:
    if name.identifier:
        # "mean time between failures" mentions MTBF.
        initials = r"\w*\W+".join(map(re.escape, name.key))
        return len(name.key) > 2 and re.search(rf"\b{initials}", held) is not None
    stem = name.key[: max(_PREFIX, len(name.key) - 3)]
    inflected = len(name.key) >= _PREFIX and any(word.startswith(stem) for word in vocabulary)
    return inflected or is_near(name.key, vocabulary)


def _is_indexed(name: Name, words: Sequence[QueryTerm], question: Question) -> bool:
    """Whether the index holds the name as one word; its parts alone are not the name."""
    squeezed = re.sub(r"[\W_]+", "", fold(name.text))
    for word in words:
        if re.sub(r"[\W_]+", "", fold(word.word)) != squeezed:
            continue
        if name.text.isalpha():
            return is_covered(question, word)
        whole = (term for term in word.terms if term.replace("_", "") == squeezed)
        return any(question.frequencies.get(term, 0) for term in whole)
    return False


def _text(candidate: Candidate) -> str:
    source, chunk = candidate.source, candidate.chunk
    return fold("\n".join((source.title, source.path, *chunk.heading_path, chunk.content)))
