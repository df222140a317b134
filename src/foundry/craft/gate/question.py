"""The gate's input: a question with the rarity of its words, its candidates, its unmentioned names.

Only a sure name counts. An identifier (``ZX-9000``, ``KNX``) must occur letter by letter; a
capitalised word inside a question may also be inflected, misspelt or part of a compound. Where the
answer may be in another language, only what is written alike everywhere counts.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foundry.analysis import QueryTerm, fold
from foundry.analysis.stopwords import DUTCH, ENGLISH
from foundry.records import Chunk, RetrieverHit, Source
from foundry.text.names import Name, find_names, is_mentioned_in

# Words that say how an answer is asked for, not what about: no source need hold them.
_ENGLISH_FRAME = (
    "many much long far fast high big large heavy old often wide deep thick hot date year day time"
    " number amount kind type sort mention mentions mentioned say says name names named call called"
    " state states describe described give gives given get happen happens happened"
)
_DUTCH_FRAME = (
    "hoeveel lang ver snel hoog groot zwaar oud vaak breed diep dik warm duur datum jaar dag tijd"
    " aantal soort noemt noemen genoemd staat staan zegt gebeurt gebeurde heet heten duurt duren"
)
_FRAMING_WORDS = frozenset(f"{_ENGLISH_FRAME} {_DUTCH_FRAME}".split())


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the gate sees it.

    ``frequencies`` tells in how many chunks each analysed term stands, of
    ``chunks`` chunks in all; ``languages`` are those of the chunks.
    """

    text: str
    language: str
    words: tuple[QueryTerm, ...]
    frequencies: Mapping[str, int]
    chunks: int
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that at least one channel found. ``cosine`` is None without a vector."""

    chunk: Chunk
    source: Source
    fused: float
    dense: RetrieverHit | None = None
    bm25: RetrieverHit | None = None
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class TermWeights:
    """How rare each word of the question is: BM25's idf."""

    by_word: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The sum over all words; never 0, so that shares are defined."""
        return sum(self.by_word.values()) or 1.0


def compute_idf(question: Question) -> TermWeights:
    """The idf of each word; a word counts as its most frequent variant."""
    count = question.chunks
    by_word = {}
    for word in question.words:
        found = max((question.frequencies.get(term, 0) for term in word.terms), default=0)
        by_word[word.word] = math.log(1 + (count - found + 0.5) / (found + 0.5))
    return TermWeights(by_word)


def select_subject_words(question: Question) -> tuple[QueryTerm, ...]:
    """What the question is about: its words without those that only frame it ("how many")."""
    return tuple(word for word in question.words if fold(word.word) not in _FRAMING_WORDS)


def is_covered(question: Question, word: QueryTerm) -> bool:
    """Whether a word of the question stands in any chunk at all."""
    return any(question.frequencies.get(term, 0) for term in word.terms)


def find_uncovered_words(question: Question) -> tuple[str, ...]:
    """The words that the question is about and that stand in no chunk at all."""
    return tuple(w.word for w in select_subject_words(question) if not is_covered(question, w))


def is_same_language(question: Question, chunk: Chunk) -> bool:
    """Whether words of the question can be expected in the chunk; unknown counts as yes."""
    return "und" in (question.language, chunk.language) or question.language == chunk.language


_MIN_LENGTH = 5
_MIN_PART_SHARE = 0.6
"""The least share of a compound that its known part takes: "temperatuur" of "kamertemperatuur"."""

_MIN_SIMILARITY = 0.85
"""The least share of letters in common, in order: one slip in six letters or more."""


def has_similar_term(word: QueryTerm, vocabulary: Collection[str]) -> bool:
    """Whether a term of the vocabulary is part of the word, holds it, or differs by a slip."""
    return any(has_similar_word(term, vocabulary) for term in word.terms)


def has_similar_word(term: str, vocabulary: Collection[str]) -> bool:
    """The same for one folded term. Digits never slip: E05 is not E12."""
    if len(term) < _MIN_LENGTH or not term.isalpha():
        return False
    others = [other for other in vocabulary if len(other) >= _MIN_LENGTH and other.isalpha()]
    if any(_is_part(term, other) for other in others):
        return True
    alike = [other for other in others if abs(len(other) - len(term)) <= 1 and other[0] == term[0]]
    return bool(difflib.get_close_matches(term, alike, 1, _MIN_SIMILARITY))


def _is_part(one: str, other: str) -> bool:
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    ends = longer.startswith(shorter) or longer.endswith(shorter)
    return ends and len(shorter) >= _MIN_PART_SHARE * len(longer)


_QUESTION_OPENING = re.compile(
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
_CAPITALISES_NAMES_ONLY = frozenset(("nl", "en", "und"))
"""Languages that capitalise names only; German capitalises every noun."""

_MANY_CAPITALS = 0.5
"""At this share of capitalised words a text is a title or shouted: capitals say nothing."""

_DUTCH_SUFFIX = re.compile(r"(?:-[^\W\d_A-Z]{3,})+$")
# "Art-Net" and "PowerCon" are written alike in every language; "Vienna" is not.
_COINED_NAME = re.compile(r"[A-Z][a-z]+(?:-?[A-Z][a-z]*)+")
_MIN_STEM = 5
_DECADE = re.compile(r"\d+['’]?s")
_WORD = re.compile(r"[^\W\d_]{2,}")
_WRITTEN_WORD = re.compile(r"[^\W\d_][\w'’-]+")


def find_unmentioned(
    question: Question, candidates: Sequence[Candidate], *, across: bool
) -> tuple[str, ...]:
    """The names of the question that stand in no source, as written.

    A name of several words is unmentioned when all its words are. ``across`` says that
    the answer may stand in another language. Looks into the index for whole words and
    into the candidates for other spellings.
    """
    entities = _group_names(question, across=across)
    if not entities:
        return ()
    held = "\n".join(_join_text(candidate) for candidate in candidates)
    vocabulary = frozenset(_WORD.findall(held))
    lacking = (
        " ".join(name.text for name in entity)
        for entity in entities
        if not any(_is_mentioned(name, question, held, vocabulary) for name in entity)
    )
    return tuple(dict.fromkeys(lacking))


def find_question_names(text: str) -> tuple[Name, ...]:
    """The names of a question, without the Dutch word that hangs on one: "DX-4-regelaar" is DX-4."""
    found = (replace(name, text=_DUTCH_SUFFIX.sub("", name.text)) for name in find_names(text))
    return tuple(name for name in found if name.text)


def _group_names(question: Question, *, across: bool) -> list[list[Name]]:
    """Names that stand next to each other, as one."""
    greeting = _GREETING.match(question.text)
    begin = greeting.end() if greeting else 0
    named = (name for name in find_question_names(question.text) if name.start >= begin)
    names = [name for name in named if _is_reliable_name(name, question, across=across)]
    entities: list[list[Name]] = []
    for name in names:
        last = entities[-1][-1] if entities else None
        between = question.text[last.start + len(last.text) : name.start] if last else "?"
        if between.strip():
            entities.append([name])
        else:
            entities[-1].append(name)
    return entities


def _is_reliable_name(name: Name, question: Question, *, across: bool) -> bool:
    if any(character.isdigit() for character in name.text):
        return name.identifier and not _DECADE.fullmatch(name.text)
    asked = _QUESTION_OPENING.match(
        fold(_GREETING.sub("", question.text))
    ) or question.text.rstrip().endswith("?")
    reliable = question.language in _CAPITALISES_NAMES_ONLY and not _has_title_case(question.text)
    ordinary = name.key in ENGLISH | DUTCH or (name.initial and not name.identifier)
    alike = not across or _COINED_NAME.fullmatch(name.text) is not None
    return bool(asked) and reliable and alike and not ordinary


def _has_title_case(text: str) -> bool:
    """Capitals as a habit; a name of two parts is one word, and an identifier says nothing."""
    words: list[str] = _WRITTEN_WORD.findall(text)[1:]
    plain = [word for word in words if not any(character.isdigit() for character in word)]
    capitalised = sum(word[0].isupper() for word in plain)
    return capitalised > 1 and capitalised >= _MANY_CAPITALS * len(plain)


def _is_mentioned(name: Name, question: Question, held: str, vocabulary: Collection[str]) -> bool:
    if _is_indexed(name, question.words, question) or is_mentioned_in(name, held):
        return True
    if any(character.isdigit() for character in name.text):
        return False
    parts = [fold(part) for part in _WORD.findall(name.text) if _is_distinctive_part(part)]
    if not name.text.isalpha() and any(part in vocabulary for part in parts):
        return True
    return _has_variant_spelling(name, held, vocabulary)


def _is_distinctive_part(part: str) -> bool:
    """A part that names by itself: "Vlonder" or "DMX", but neither half of "Art-Net"."""
    least = 3 if part.isupper() else 4
    return part[0].isupper() and len(part) >= least


def _has_variant_spelling(name: Name, held: str, vocabulary: Collection[str]) -> bool:
    if name.identifier:
        # "mean time between failures" mentions MTBF.
        initials = r"\w*\W+".join(map(re.escape, name.key))
        return len(name.key) > 2 and re.search(rf"\b{initials}", held) is not None
    stem = name.key[: max(_MIN_STEM, len(name.key) - 3)]
    inflected = len(name.key) >= _MIN_STEM and any(word.startswith(stem) for word in vocabulary)
    return inflected or has_similar_word(name.key, vocabulary)


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


def _join_text(candidate: Candidate) -> str:
    source, chunk = candidate.source, candidate.chunk
    return fold("\n".join((source.title, source.path, *chunk.heading_path, chunk.content)))
