"""What a lexicon contains, section by section; ``en.toml`` explains the keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    inflections: Words = frozenset()
    connectives: Words = frozenset()
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
class PeriodWords(LexiconSection):
    """Years, quarters, halves and spans of months."""

    fiscal: Words = frozenset()
    year: Words = frozenset()
    quarter: Words = frozenset()
    half: Words = frozenset()
    months: Words = frozenset()
    lengths: Table = field(default_factory=dict)
    ordinals: Table = field(default_factory=dict)
    first: Words = frozenset()
    ended: Words = frozenset()
    until: Words = frozenset()
    symbols: Table = field(default_factory=dict)


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
    auxiliaries: Words = frozenset()
    negators: Words = frozenset()
    deniable: Words = frozenset()
    denial: str = ""
    because: str = ""
    undenied: Words = frozenset()
    reversing_prefixes: Words = frozenset()
    antonyms: Groups = ()
    exclusive: Groups = ()


@dataclass(frozen=True)
class SignWords(LexiconSection):
    """Words that widen, narrow or join what a sentence says."""

    universals: Words = frozenset()
    obligations: Words = frozenset()
    permissions: Words = frozenset()
    limits: Words = frozenset()
    conditions: Words = frozenset()
    causes: Words = frozenset()


@dataclass(frozen=True)
class NameWords(LexiconSection):
    """Names and capitals."""

    places: Table = field(default_factory=dict)
    capitalised: Words = frozenset()
    legal_forms: Words = frozenset()
    plain_legal_forms: Words = frozenset()
    organisation_labels: Words = frozenset()
    product_labels: Words = frozenset()
    party_captions: Words = frozenset()
    alias_markers: Words = frozenset()


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
    amounts: Words = frozenset()
    counts: Words = frozenset()
    listing: Words = frozenset()
    universals: Words = frozenset()
    values: Table = field(default_factory=dict)


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
    unit_exceptions: Words = frozenset()
    ratios: Words = frozenset()
    label_abbreviations: Table = field(default_factory=dict)
    list_introductions: Words = frozenset()
    following: Words = frozenset()


@dataclass(frozen=True)
class ReplyWords(LexiconSection):
    """A model's replies."""

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
    shared_properties: Words = frozenset()
    symbol_labels: Words = frozenset()
    qualifier_labels: Words = frozenset()
    free_labels: Words = frozenset()
    roles: Table = field(default_factory=dict)


@dataclass(frozen=True)
class SpecificationWords(LexiconSection):
    """Lines of a specification that do not say what a document is about."""

    exclusions: Words = frozenset()
    manner_labels: Words = frozenset()
    all_of: Words = frozenset()
    citation_words: Words = frozenset()
    manner_headings: Words = frozenset()


@dataclass(frozen=True)
class RevisionWords(LexiconSection):
    """Revision marks and dates of documents."""

    words: Words = frozenset()
    numbers: Words = frozenset()
    plain_words: OrderedWords = ()
    document_types: Words = frozenset()
    date_labels: Words = frozenset()
    other_dates: Words = frozenset()
    own_dates: Words = frozenset()
    fillers: Words = frozenset()
    period_labels: Words = frozenset()
    date_prepositions: Words = frozenset()


@dataclass(frozen=True)
class StatusWords(LexiconSection):
    """Whether a document holds: the words for each ``DocumentStatus``."""

    labels: Words = frozenset()
    draft: Words = frozenset()
    proposal: Words = frozenset()
    final: Words = frozenset()
    superseded: Words = frozenset()
    archived: Words = frozenset()
    archives: Words = frozenset()
    withdrawn: Words = frozenset()
    homographs: Words = frozenset()
    negations: Words = frozenset()


@dataclass(frozen=True)
class DocumentWords(LexiconSection):
    """What files print besides their text."""

    page_words: Words = frozenset()
    rights: Words = frozenset()
    placeholder_titles: Words = frozenset()
    form_words: Words = frozenset()
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
    periods: PeriodWords = PeriodWords()
    numbers: NumberWords = NumberWords()
    units: UnitWords = UnitWords()
    polarity: PolarityWords = PolarityWords()
    signs: SignWords = SignWords()
    names: NameWords = NameWords()
    questions: QuestionWords = QuestionWords()
    headings: HeadingWords = HeadingWords()
    replies: ReplyWords = ReplyWords()
    comparison: ComparisonWords = ComparisonWords()
    specifications: SpecificationWords = SpecificationWords()
    revisions: RevisionWords = RevisionWords()
    statuses: StatusWords = StatusWords()
    documents: DocumentWords = DocumentWords()
