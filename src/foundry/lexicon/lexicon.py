"""The words of a language: ``en.toml`` → a ``Lexicon``.

Most rules work on text whose language is unknown or mixed, so they use the *shared* lexicon: the
union of all files. To add a language, add a file named by its ISO 639-1 code; ``en.toml`` explains
the keys, and a language may leave out any of them. A list of single words is written as one
string, separated by white space; a list of phrases as an array; groups of related words as an array
with one string for each group.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, reduce
from pathlib import Path
from typing import Any

Words = frozenset[str]
"""Words or phrases in no order."""

OrderedWords = tuple[str, ...]
"""Words or phrases in the order of the file."""

Groups = tuple[tuple[str, ...], ...]
"""Groups of words that belong together, in the order of the file."""

Table = Mapping[str, OrderedWords]
"""A language-neutral key, such as the symbol of a unit, with the words for it."""

Values = Mapping[str, Any]
"""A language-neutral or single word with its value."""


class LexiconSection:
    """A part of a lexicon; every key may be left out."""


@dataclass(frozen=True)
class GeneralWords(LexiconSection):
    """Function words and how words are built."""

    stop_words: Words = frozenset()
    frequent: Words = frozenset()
    ambiguous: Words = frozenset()
    joints: OrderedWords = ()
    articles: Words = frozenset()
    possessives: Words = frozenset()
    pronouns: Words = frozenset()
    back_pronouns: Words = frozenset()
    auxiliaries: Words = frozenset()
    irregular_pasts: Words = frozenset()
    verb_endings: Words = frozenset()
    word_endings: Words = frozenset()
    conjunctions: Words = frozenset()
    additive: Words = frozenset()
    disjunctions: Words = frozenset()


@dataclass(frozen=True)
class Abbreviations(LexiconSection):
    """Abbreviations with a full stop, without that stop."""

    never_final: Words = frozenset()
    sometimes_final: Words = frozenset()
    often_final: Words = frozenset()


@dataclass(frozen=True)
class DateWords(LexiconSection):
    """Dates and times."""

    months: Table = field(default_factory=dict)
    weekdays: Table = field(default_factory=dict)
    ordinal_suffixes: Words = frozenset()
    of: Words = frozenset()
    month_first: bool = False
    hours: Words = frozenset()


@dataclass(frozen=True)
class NumberWords(LexiconSection):
    """Numbers, ranges, bounds."""

    multipliers: Values = field(default_factory=dict)
    not_numbers: Words = frozenset()
    to: Words = frozenset()
    between: Words = frozenset()
    conjunctions: Words = frozenset()
    by: Words = frozenset()
    approximate: Words = frozenset()
    bounding: Words = frozenset()
    more: Words = frozenset()
    less: Words = frozenset()
    than: Words = frozenset()
    exceeding: Words = frozenset()
    at_least: Words = frozenset()
    at_most: Words = frozenset()
    not_above: Words = frozenset()
    not_below: Words = frozenset()
    of: Words = frozenset()
    section_marks: Words = frozenset()


@dataclass(frozen=True)
class UnitWords(LexiconSection):
    """Words for units, by the symbol of the unit."""

    words: Table = field(default_factory=dict)
    symbols: Values = field(default_factory=dict)


@dataclass(frozen=True)
class PolarityWords(LexiconSection):
    """Negations and contraries."""

    negations: Words = frozenset()
    negators: Words = frozenset()
    no_denials: Words = frozenset()
    undenied: Words = frozenset()
    number_abbreviations: Words = frozenset()
    denials: Words = frozenset()
    denial_prefixes: Words = frozenset()
    denial_suffixes: Words = frozenset()
    clause_openers: Words = frozenset()
    antonyms: Groups = ()
    exclusive: Groups = ()


@dataclass(frozen=True)
class NameWords(LexiconSection):
    """Names and capitals."""

    places: Table = field(default_factory=dict)
    capitalised: Words = frozenset()


@dataclass(frozen=True)
class QuestionWords(LexiconSection):
    """Questions, and how they follow each other."""

    words: Words = frozenset()
    interrogatives: Words = frozenset()
    opening_verbs: Words = frozenset()
    frame: Words = frozenset()
    greetings: Words = frozenset()
    follow_up_openings: Words = frozenset()
    anaphora: Words = frozenset()
    anaphora_patterns: OrderedWords = ()
    subject_prepositions: Words = frozenset()


@dataclass(frozen=True)
class HeadingWords(LexiconSection):
    """Headings, labels and captions, without number."""

    generic: Words = frozenset()
    administrative: Words = frozenset()
    contents: Words = frozenset()
    sources: Words = frozenset()
    bibliographies: Words = frozenset()
    source_words: Words = frozenset()
    captions: Words = frozenset()
    generic_labels: Words = frozenset()
    unit_labels: Words = frozenset()
    label_abbreviations: Table = field(default_factory=dict)
    list_introductions: Words = frozenset()
    following: Words = frozenset()


@dataclass(frozen=True)
class ReplyWords(LexiconSection):
    """A model's replies."""

    refusal: str = ""
    apologies: Words = frozenset()
    source_determiners: Words = frozenset()
    source_adjectives: Words = frozenset()
    source_nouns: Words = frozenset()
    lacking_verbs: Words = frozenset()
    lacking_objects: Words = frozenset()
    refusal_openings: Words = frozenset()
    refusal_words: Words = frozenset()
    contrasts: Words = frozenset()
    answer_headings: Words = frozenset()
    yes: Words = frozenset()
    no: Words = frozenset()


@dataclass(frozen=True)
class ComparisonWords(LexiconSection):
    """Words that the comparison of two statements treats specially."""

    verbs: Words = frozenset()
    state_verbs: Words = frozenset()
    copulas: Words = frozenset()
    auxiliaries: Words = frozenset()
    conditions: Words = frozenset()
    quantity_conditions: Words = frozenset()
    settings: Words = frozenset()
    neutral: Words = frozenset()
    additions: Words = frozenset()
    small_words: Words = frozenset()
    things: Words = frozenset()
    general_headings: Words = frozenset()
    limit_headings: Words = frozenset()
    shared_properties: Words = frozenset()
    made_of: Words = frozenset()
    broad_materials: Words = frozenset()
    symbol_labels: Words = frozenset()
    value_labels: Words = frozenset()
    qualifier_labels: Words = frozenset()
    free_labels: Words = frozenset()
    roles: Table = field(default_factory=dict)


@dataclass(frozen=True)
class AnswerWords(LexiconSection):
    """What kind of answer a question asks for, and sentences that do not answer."""

    amount_questions: Words = frozenset()
    what_is: Words = frozenset()
    measures: Words = frozenset()
    time_questions: Words = frozenset()
    person_questions: Words = frozenset()
    place_questions: Words = frozenset()
    reason_questions: Words = frozenset()
    definition_questions: Words = frozenset()
    reasons: Words = frozenset()
    places: Words = frozenset()
    defining_verbs: Words = frozenset()
    back_references: Words = frozenset()
    expletive_adjectives: Words = frozenset()
    page_words: Words = frozenset()
    rights: Words = frozenset()
    self_determiners: Words = frozenset()
    document_parts: Words = frozenset()


@dataclass(frozen=True)
class SpecificationWords(LexiconSection):
    """Lines of a specification that do not say what a document is about."""

    exclusions: Words = frozenset()
    manner_labels: Words = frozenset()
    all_of: Words = frozenset()
    citation_words: Words = frozenset()


@dataclass(frozen=True)
class RevisionWords(LexiconSection):
    """Revision marks and dates of documents."""

    words: Words = frozenset()
    numbers: Words = frozenset()
    plain_words: OrderedWords = ()
    document_types: Words = frozenset()
    date_labels: Words = frozenset()
    other_dates: Words = frozenset()


@dataclass(frozen=True)
class DocumentWords(LexiconSection):
    """What files print besides their text."""

    placeholder_titles: Words = frozenset()
    numbered_headings: Words = frozenset()
    page_labels: Words = frozenset()
    page_of: Words = frozenset()
    slide_words: Words = frozenset()
    speaker_exclusions: Words = frozenset()
    name_particles: Words = frozenset()


@dataclass(frozen=True, eq=False)
class Lexicon(LexiconSection):
    """Everything that Foundry knows about one language, or about several together.

    Compared and hashed by identity, so that what is derived from a lexicon can be cached.
    """

    name: str = ""
    general: GeneralWords = GeneralWords()
    sentences: Abbreviations = Abbreviations()
    dates: DateWords = DateWords()
    numbers: NumberWords = NumberWords()
    units: UnitWords = UnitWords()
    polarity: PolarityWords = PolarityWords()
    names: NameWords = NameWords()
    questions: QuestionWords = QuestionWords()
    headings: HeadingWords = HeadingWords()
    replies: ReplyWords = ReplyWords()
    comparison: ComparisonWords = ComparisonWords()
    answers: AnswerWords = AnswerWords()
    specifications: SpecificationWords = SpecificationWords()
    revisions: RevisionWords = RevisionWords()
    documents: DocumentWords = DocumentWords()


BUNDLED = Path(__file__).parent
"""The folder of the language files that Foundry ships."""


def load_lexicons(folder: Path = BUNDLED) -> Mapping[str, Lexicon]:
    """The lexicon of every ``<ISO 639-1 code>.toml`` in a folder, by code.

    Raises ``ValueError`` for an unknown key or a value of the wrong form, naming file and key.
    """
    return _read_folder(folder)


def load_shared_lexicon(folder: Path = BUNDLED) -> Lexicon:
    """The union of all lexicons of a folder, for text of any language or mixture."""
    return _merge_folder(folder)


def merge_lexicons(lexicons: Iterable[Lexicon]) -> Lexicon:
    """One lexicon with the words of all."""
    return reduce(_merge, lexicons, Lexicon())


def build_alternation(words: Iterable[str]) -> str:
    """A regular expression group ``(?:…)`` that matches any of the words, longest first.

    ``*`` stands for any letters, and a space for any white space. Callers put the boundaries
    around it. Without words it matches nothing.
    """
    ordered = sorted(words, key=lambda word: (-len(word), word))
    if not ordered:
        return r"(?!)"
    patterns = (re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in ordered)
    return f"(?:{'|'.join(patterns)})"


@cache
def _read_folder(folder: Path) -> Mapping[str, Lexicon]:
    return {file.stem: _read(file) for file in sorted(folder.glob("*.toml"))}


@cache
def _merge_folder(folder: Path) -> Lexicon:
    return merge_lexicons(_read_folder(folder).values())


def _read(file: Path) -> Lexicon:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    kinds = {entry.name: entry for entry in fields(Lexicon)}
    sections: dict[str, Any] = {}
    for name, value in tables.items():
        if name not in kinds:
            raise ValueError(f"{file.name}: unknown section {name!r}.")
        is_plain = isinstance(kinds[name].default, str)
        sections[name] = (
            value if is_plain else _read_section(kinds[name].default, value, file, name)
        )
    return Lexicon(**sections)


def _read_section(empty: Any, table: Mapping[str, Any], file: Path, name: str) -> LexiconSection:
    kinds = {entry.name: str(entry.type) for entry in fields(empty)}
    values = {}
    for key, value in table.items():
        try:
            values[key] = _READERS[kinds[key]](value)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{file.name}: cannot read {name}.{key}.") from error
    section: LexiconSection = type(empty)(**values)
    return section


def _split(value: str | list[str]) -> list[str]:
    return value.split() if isinstance(value, str) else value


_READERS: dict[str, Callable[[Any], Any]] = {
    "Words": lambda value: frozenset(_split(value)),
    "OrderedWords": lambda value: tuple(_split(value)),
    "Groups": lambda value: tuple(tuple(_split(entry)) for entry in value),
    "Table": lambda value: {key: tuple(_split(words)) for key, words in value.items()},
    "Values": dict,
    "bool": bool,
    "str": str,
}
"""How the value of a key is read, by the type of its field."""


def _merge(first: Any, second: Any) -> Any:
    """The union of two values of one type, section by section and list by list."""
    if isinstance(first, LexiconSection):
        names = [entry.name for entry in fields(first)]  # type: ignore[arg-type]
        pairs = {name: (getattr(first, name), getattr(second, name)) for name in names}
        return type(first)(**{name: _merge(*pair) for name, pair in pairs.items()})
    if isinstance(first, Mapping):
        shared = {key: _merge(first[key], second[key]) for key in first.keys() & second.keys()}
        return {**first, **second, **shared}
    if isinstance(first, bool):
        return first or second
    if isinstance(first, frozenset):
        return first | second
    if isinstance(first, Sequence) and not isinstance(first, str):
        return (*first, *(entry for entry in second if entry not in first))
    return second
