"""The gate's input: a question with the rarity of its words, its candidates, its unmentioned names.

Only a sure name counts. An identifier (``ZX-9000``, ``KNX``) must occur letter by letter; a
capitalised word inside a question may also be inflected, misspelt or part of a compound. Where the
answer may be in another language, only what is written alike everywhere counts.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from foundry.analysis import fold
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Chunk, QueryTerm, Question, RetrieverHit, Source, SubjectFit
from foundry.text.names import Name, find_names, is_mentioned_in
from foundry.text.periods import find_periods

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.questions


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that at least one retriever found. ``cosine`` is None without a vector.

    ``fit`` says whether it is about what the question names.
    """

    chunk: Chunk
    source: Source
    fused: float
    dense: RetrieverHit | None = None
    bm25: RetrieverHit | None = None
    cosine: float | None = None
    fit: SubjectFit = field(default_factory=SubjectFit)


@dataclass(frozen=True, slots=True)
class TermWeights:
    """The rarity of each word of the question: BM25's idf."""

    by_word: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The sum over all words, or 1 if that is 0: it serves as a divisor."""
        return sum(self.by_word.values()) or 1.0


def compute_idf(question: Question) -> TermWeights:
    """The idf of each word; a word counts as its most frequent variant."""
    return TermWeights({w.word: question.compute_rarity(*w.terms) for w in question.words})


def select_subject_words(question: Question) -> tuple[QueryTerm, ...]:
    """The words of the question without those that only frame it ("how many")."""
    return tuple(word for word in question.words if fold(word.word) not in _WORDS.frame)


def is_covered(question: Question, word: QueryTerm) -> bool:
    """Whether any chunk contains a word of the question."""
    return any(question.frequencies.get(term, 0) for term in word.terms)


def find_uncovered_words(question: Question) -> tuple[str, ...]:
    """The subject words of the question that no chunk contains."""
    return tuple(w.word for w in select_subject_words(question) if not is_covered(question, w))


def is_same_language(question: Question, chunk: Chunk) -> bool:
    """Whether question and chunk share a language; an unknown one counts as shared."""
    return "und" in (question.language, chunk.language) or question.language == chunk.language


_MIN_LENGTH = 5
_MIN_PART_SHARE = 0.6
"""Smallest share of a compound that its known part must be, as "temperatuur" in
"kamertemperatuur". A guess: more than half."""

_MIN_SIMILARITY = 0.85
"""Smallest ``difflib`` ratio of a misspelling: it allows one slip in six letters or more."""


def has_similar_term(word: QueryTerm, vocabulary: Collection[str]) -> bool:
    """Whether the vocabulary has a part, a compound or a misspelling of the word."""
    return any(has_similar_word(term, vocabulary) for term in word.terms)


def has_similar_word(term: str, vocabulary: Collection[str]) -> bool:
    """The same for one folded term. Terms with digits never match: E05 is not E12."""
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
    rf"^\W*(?:(?:\w+ )?{build_alternation(_WORDS.interrogatives)}"
    rf"|{build_alternation(_WORDS.opening_verbs)})\b"
)
# A salutation names whom the question is put to, not what it is about.
_GREETING = re.compile(
    rf"^\W*{build_alternation(_WORDS.greetings)}\b[^,.!?\n]{{0,40}}[,.!]", re.IGNORECASE
)
_CAPITALISES_NAMES_ONLY = frozenset(("nl", "en", "und"))
"""Languages that capitalise names only; German capitalises every noun."""

_MANY_CAPITALS = 0.5
"""From this share of capitalised words on, a text is a title or shouted, and capitals do not
mark names. A guess: half."""

_DUTCH_SUFFIX = re.compile(r"(?:-[^\W\d_A-Z]{3,})+$")
_MIN_TRANSLATED = 0.7
"""Smallest ``difflib`` ratio of a name and its form in another language. Of 365 questions across
languages with an answer, 1 asked about a name that is less alike; of 246 without, 5 more are refused."""

_BEFORE_TRANSLATED = _LEXICON.general.articles | (_WORDS.subject_prepositions - _LEXICON.dates.of)

# "Art-Net" and "PowerCon" are written alike in every language; "Vienna" is not.
_COINED_NAME = re.compile(r"[A-Z][a-z]+(?:-?[A-Z][a-z]*)+")
_MIN_STEM = 5
_DECADE = re.compile(r"\d+['’]?s")
_WORD = re.compile(r"[^\W\d_]{2,}")
_WRITTEN_WORD = re.compile(r"[^\W\d_][\w'’-]+")


def find_unmentioned(
    question: Question, candidates: Sequence[Candidate], *, across: bool
) -> tuple[str, ...]:
    """The names in the question that occur in no source, as written.

    A name of several words is unmentioned if all its words are. ``across``: the answer may be in
    another language. Whole words are looked up in the index, other spellings in the candidates.
    """
    entities = _group_names(question)
    if not entities:
        return ()
    text = "\n".join(map(_join_text, candidates))
    folded = fold(text)
    vocabulary = frozenset(_WORD.findall(folded))
    missing = [
        entity
        for entity in entities
        if not any(_is_mentioned(name, question, folded, vocabulary) for name in entity)
    ]
    if across:
        missing = [entity for entity in missing if _is_written_alike(entity, question, text)]
    return tuple(dict.fromkeys(" ".join(name.text for name in entity) for entity in missing))


def _is_written_alike(entity: Sequence[Name], question: Question, text: str) -> bool:
    """Whether another language, that of ``text``, writes a name like the question.

    "Art-Net" and "Boeing" stay what they are. Abbreviations, what has an article ("the Senate") and
    places ("in Vienna") are translated, and so may be a name that one in the text resembles
    ("Warschau", "Warsaw").
    """
    if any(_is_universal(name) for name in entity):
        return True
    first, *others = entity
    before = fold(question.text[: first.start]).split()[-1:]
    if others or not before or before[0] in _BEFORE_TRANSLATED or first.text.isupper():
        return False
    known = {name.key for name in find_names(text) if name.key[0] == first.key[0]}
    return not difflib.get_close_matches(first.key, known, 1, _MIN_TRANSLATED)


def _is_universal(name: Name) -> bool:
    return any(char.isdigit() for char in name.text) or bool(_COINED_NAME.fullmatch(name.text))


def find_question_names(text: str) -> tuple[Name, ...]:
    """The names in a question, without a Dutch noun joined to one: "DX-4-regelaar" gives DX-4.

    A period, such as FY2022 or Q4, is not a name: sources may write it in another way.
    """
    periods = [(period.start, period.end) for period in find_periods(text)]
    names = (replace(name, text=_DUTCH_SUFFIX.sub("", name.text)) for name in find_names(text))
    return tuple(
        name
        for name in names
        if name.text and not any(start <= name.start < end for start, end in periods)
    )


def _group_names(question: Question) -> list[list[Name]]:
    """The reliable names, those next to each other as one entity."""
    greeting = _GREETING.match(question.text)
    begin = greeting.end() if greeting else 0
    entities: list[list[Name]] = []
    for name in find_question_names(question.text):
        if name.start < begin or not _is_reliable_name(name, question):
            continue
        last = entities[-1][-1] if entities else None
        between = question.text[last.start + len(last.text) : name.start] if last else "?"
        if between.strip():
            entities.append([name])
        else:
            entities[-1].append(name)
    return entities


def _is_reliable_name(name: Name, question: Question) -> bool:
    if any(character.isdigit() for character in name.text):
        return name.identifier and not _DECADE.fullmatch(name.text)
    opening = _QUESTION_OPENING.match(fold(_GREETING.sub("", question.text)))
    is_question = opening is not None or question.text.rstrip().endswith("?")
    marks_names = question.language in _CAPITALISES_NAMES_ONLY and not _has_title_case(
        question.text
    )
    is_ordinary = name.key in _LEXICON.general.stop_words or (name.initial and not name.identifier)
    return is_question and marks_names and not is_ordinary


@lru_cache(maxsize=16)
def _has_title_case(text: str) -> bool:
    """Whether most words are capitalised. A hyphenated name is one word; identifiers do not count."""
    words: list[str] = _WRITTEN_WORD.findall(text)[1:]
    plain = [word for word in words if not any(character.isdigit() for character in word)]
    capitalised = sum(word[0].isupper() for word in plain)
    return capitalised > 1 and capitalised >= _MANY_CAPITALS * len(plain)


def _is_mentioned(name: Name, question: Question, text: str, vocabulary: Collection[str]) -> bool:
    if _is_indexed(name, question) or is_mentioned_in(name, text):
        return True
    if any(character.isdigit() for character in name.text):
        return False
    parts = [fold(part) for part in _WORD.findall(name.text) if _is_distinctive_part(part)]
    if not name.text.isalpha() and any(part in vocabulary for part in parts):
        return True
    return _has_variant_spelling(name, text, vocabulary)


def _is_distinctive_part(part: str) -> bool:
    """Whether a part is a name by itself: "Vlonder" or "DMX", but neither half of "Art-Net"."""
    least = 3 if part.isupper() else 4
    return part[0].isupper() and len(part) >= least


def _has_variant_spelling(name: Name, text: str, vocabulary: Collection[str]) -> bool:
    if name.identifier:
        # "mean time between failures" mentions MTBF.
        initials = r"\w*\W+".join(map(re.escape, name.key))
        return len(name.key) > 2 and re.search(rf"\b{initials}", text) is not None
    stem = name.key[: max(_MIN_STEM, len(name.key) - 3)]
    inflected = len(name.key) >= _MIN_STEM and any(word.startswith(stem) for word in vocabulary)
    return inflected or has_similar_word(name.key, vocabulary)


def _is_indexed(name: Name, question: Question) -> bool:
    """Whether the index has the name as one word; its parts alone do not count."""
    squeezed = re.sub(r"[\W_]+", "", fold(name.text))
    for word in question.words:
        if re.sub(r"[\W_]+", "", fold(word.word)) != squeezed:
            continue
        if name.text.isalpha():
            return is_covered(question, word)
        whole = (term for term in word.terms if term.replace("_", "") == squeezed)
        return any(question.frequencies.get(term, 0) for term in whole)
    return False


def _join_text(candidate: Candidate) -> str:
    source, chunk = candidate.source, candidate.chunk
    return "\n".join((source.title, source.path, *chunk.heading_path, chunk.content))
