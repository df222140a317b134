"""The sections and keys of a lexicon file; ``en.toml`` explains each key.

A list of single words is written as one string, separated by white space; a list of phrases as an
array; groups of related words as an array with one string for each group.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _split(value: Any) -> Any:
    return value.split() if isinstance(value, str) else value


def _split_each(value: Any) -> Any:
    return [_split(entry) for entry in value]


Words = Annotated[frozenset[str], BeforeValidator(_split)]
"""Words or phrases in no order."""

OrderedWords = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""Words or phrases in the order of the file."""

Groups = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_split_each)]
"""Groups of words that belong together, in the order of the file."""

Table = Mapping[str, OrderedWords]
"""A language-neutral key, such as the symbol of a unit, with the words for it."""


class Section(BaseModel):
    """A part of a lexicon; every key may be left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class General(Section):
    """Function words and how words are built."""

    stop_words: Words = frozenset()
    frequent: Words = frozenset()
    ambiguous: Words = frozenset()
    joints: OrderedWords = ()
    articles: Words = frozenset()
    possessives: Words = frozenset()
    pronouns: Words = frozenset()
    auxiliaries: Words = frozenset()
    irregular_pasts: Words = frozenset()
    past_endings: Words = frozenset()
    word_endings: Words = frozenset()
    conjunctions: Words = frozenset()


class Sentences(Section):
    """Abbreviations with a full stop, without that stop."""

    never_final: Words = frozenset()
    sometimes_final: Words = frozenset()
    often_final: Words = frozenset()


class Dates(Section):
    """Dates and times."""

    months: Table = {}
    weekdays: Table = {}
    ordinal_suffixes: Words = frozenset()
    of: Words = frozenset()
    month_first: bool = False
    hours: Words = frozenset()


class Numbers(Section):
    """Numbers, ranges, bounds."""

    multipliers: Mapping[str, float] = {}
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


class Units(Section):
    """Words for units, by the symbol of the unit."""

    words: Table = {}
    symbols: Mapping[str, str] = {}


class Polarity(Section):
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


class Names(Section):
    """Names and capitals."""

    places: Table = {}
    capitalised: Words = frozenset()


class Questions(Section):
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


class Headings(Section):
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
    label_abbreviations: Table = {}
    list_introductions: Words = frozenset()
    following: Words = frozenset()


class Replies(Section):
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
    conjunctions: Words = frozenset()
    contrasts: Words = frozenset()
    answer_headings: Words = frozenset()
    yes: Words = frozenset()
    no: Words = frozenset()


class Comparison(Section):
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
    roles: Table = {}


class Answers(Section):
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
    page_of: Words = frozenset()
    rights: Words = frozenset()
    self_determiners: Words = frozenset()
    document_parts: Words = frozenset()


class Specifications(Section):
    """Lines of a specification that do not say what a document is about."""

    exclusions: Words = frozenset()
    manner_labels: Words = frozenset()
    all_of: Words = frozenset()
    citation_words: Words = frozenset()


class Revisions(Section):
    """Revision marks and dates of documents."""

    words: Words = frozenset()
    numbers: Words = frozenset()
    document_types: Words = frozenset()
    date_labels: Words = frozenset()
    other_dates: Words = frozenset()


class Lexicon(Section):
    """Everything that Foundry knows of one language, or of several together."""

    name: str = ""
    general: General = General()
    sentences: Sentences = Sentences()
    dates: Dates = Dates()
    numbers: Numbers = Numbers()
    units: Units = Units()
    polarity: Polarity = Polarity()
    names: Names = Names()
    questions: Questions = Questions()
    headings: Headings = Headings()
    replies: Replies = Replies()
    comparison: Comparison = Comparison()
    answers: Answers = Answers()
    specifications: Specifications = Specifications()
    revisions: Revisions = Revisions()

    # Compared and hashed by identity, so that what is derived from a lexicon can be cached.
    __eq__ = object.__eq__
    __hash__ = object.__hash__
