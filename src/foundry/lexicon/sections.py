"""The keys of a lexicon file, section by section, each with what it is for.

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
    """Words without a topic: never index terms.

    Question words and negations are among them: polarity is judged on the text, never on terms.
    Words of quantity and place ("each", "without") are not: they matter in specifications and
    code, where they gained .009 nDCG@10, and cost nothing in prose.
    """
    frequent: Words = frozenset()
    """Frequent words that are index terms but reveal the language."""
    ambiguous: Words = frozenset()
    """Words that other languages have too: they do not reveal the language."""
    joints: OrderedWords = ()
    """Letters between the parts of a compound; "" where they follow each other."""
    articles: Words = frozenset()
    """Articles."""
    possessives: Words = frozenset()
    """"my", "our": what may stand in an article's place."""
    pronouns: Words = frozenset()
    """Words that open a sentence about the subject of the one before."""
    verbs: Words = frozenset()
    """Verbs with which a statement turns from its subject to what it says of it."""
    auxiliaries: Words = frozenset()
    """Verbs that follow the name of who acts ("Karel will …")."""
    irregular_pasts: Words = frozenset()
    """Past forms that no ending reveals."""
    past_endings: Words = frozenset()
    """Endings of regular past forms."""
    word_endings: Words = frozenset()
    """Endings that words have and names rarely do."""
    conjunctions: Words = frozenset()
    """Words between two clauses."""


class Sentences(Section):
    """Abbreviations with a full stop, without that stop."""

    never_final: Words = frozenset()
    """Always followed by something: they never end a sentence."""
    sometimes_final: Words = frozenset()
    """They end a sentence only before a word that begins like one."""
    often_final: Words = frozenset()
    """They end a sentence wherever the next word begins like one ("etc.")."""


class Dates(Section):
    """Dates and times."""

    months: Table = {}
    """Names by number, 1 for January; the full name comes first."""
    weekdays: Table = {}
    """Names by number, 1 for Monday."""
    ordinal_suffixes: Words = frozenset()
    """What follows a day's number ("5th")."""
    of: Words = frozenset()
    """Between day and month ("5 of March")."""
    month_first: bool = False
    """Whether ``3/5/2026`` may be 5 March, and "March 5" is usual."""
    hours: Words = frozenset()
    """What follows a clock time with a full stop ("14.30 uur")."""


class Numbers(Section):
    """Numbers, ranges, bounds."""

    multipliers: Mapping[str, float] = {}
    """Words after digits that multiply ("3 million")."""
    not_numbers: Words = frozenset()
    """Number words that are pronouns or articles more often."""
    to: Words = frozenset()
    """Between the ends of a range."""
    between: Words = frozenset()
    """Before the first end of a range."""
    conjunctions: Words = frozenset()
    """Between numbers that share a unit ("3 and 5 V")."""
    by: Words = frozenset()
    """Between two sizes ("3 by 5 m")."""
    approximate: Words = frozenset()
    """Before a number that is not exact."""
    bounding: Words = frozenset()
    """Phrases with a number that name a bound; compared as a bound, never as words."""
    more: Words = frozenset()
    """Comparatives upwards."""
    less: Words = frozenset()
    """Comparatives downwards."""
    than: Words = frozenset()
    """After a comparative."""
    exceeding: Words = frozenset()
    """Verbs for "more than"."""
    at_least: Words = frozenset()
    """Bounds upwards that include the number."""
    at_most: Words = frozenset()
    """Bounds downwards that include the number."""
    not_above: Words = frozenset()
    """Denied words for "above": a bound downwards."""
    not_below: Words = frozenset()
    """Denied words for "below": a bound upwards."""
    of: Words = frozenset()
    """Between a bound and its number ("a maximum of 5")."""
    section_marks: Words = frozenset()
    """Before a number that names instead of measuring ("version 2", "table 3")."""


class Units(Section):
    """Words for units, by the symbol of the unit."""

    words: Table = {}
    """In lower case; SI prefixes may stand before them."""
    symbols: Mapping[str, str] = {}
    """Symbols of this language only → the international symbol; case counts."""


class Polarity(Section):
    """Negations and contraries."""

    negations: Words = frozenset()
    """Words that deny their clause, contractions with a plain apostrophe."""
    negators: Words = frozenset()
    """Negations that turn a bound round ("no more than")."""
    no_denials: Words = frozenset()
    """Phrases with a negation that deny nothing ("not only")."""
    undenied: Words = frozenset()
    """Words after which a negation denies nothing else ("not only", "no more")."""
    number_abbreviations: Words = frozenset()
    """Negations that are "number" before digits ("no. 5")."""
    denials: Words = frozenset()
    """Words that deny without being negations."""
    denial_prefixes: Words = frozenset()
    """Beginnings that reverse a word ("unsafe")."""
    denial_suffixes: Words = frozenset()
    """Endings that reverse a word ("useless")."""
    clause_openers: Words = frozenset()
    """Conjunctions that begin a clause."""
    antonyms: Groups = ()
    """Pairs of contraries."""
    exclusive: Groups = ()
    """Groups of which any two exclude each other in one place; days and months are added."""


class Names(Section):
    """Names and capitals."""

    places: Table = {}
    """Country codes → the country, its people and its language."""
    capitalised: Words = frozenset()
    """Words that documents capitalise without naming anything."""


class Questions(Section):
    """Questions, and how they follow each other."""

    words: Words = frozenset()
    """Question words."""
    interrogatives: Words = frozenset()
    """Words with which a question begins, perhaps after a preposition; ``*`` is any ending."""
    opening_verbs: Words = frozenset()
    """Verbs with which a question begins."""
    frame: Words = frozenset()
    """Words that say how an answer is asked for, not what about."""
    greetings: Words = frozenset()
    """Greetings before a question."""
    follow_up_openings: Words = frozenset()
    """With these a follow-up begins ("and", "what about")."""
    anaphora: Words = frozenset()
    """Words that point back to the question before."""
    anaphora_patterns: OrderedWords = ()
    """Regular expressions for words that point back in some places only, folded."""
    subject_prepositions: Words = frozenset()
    """Prepositions before what a question is about."""


class Headings(Section):
    """Headings, labels and captions, without number."""

    generic: Words = frozenset()
    """Headings that say nothing of their content."""
    administrative: Words = frozenset()
    """Headings under which a document speaks of itself."""
    contents: Words = frozenset()
    """Headings of a table of contents."""
    sources: Words = frozenset()
    """Headings of a list of sources whose entries are numbered."""
    bibliographies: Words = frozenset()
    """Headings of a bibliography."""
    source_words: Words = frozenset()
    """What a citation calls a source ("[source: …]")."""
    captions: Words = frozenset()
    """Before the number of a caption."""
    generic_labels: Words = frozenset()
    """Column headers that add nothing to a cell."""
    unit_labels: Words = frozenset()
    """Headers of the column that has the unit of a row's numbers."""
    label_abbreviations: Table = {}
    """Abbreviated column headers → what a sentence calls them."""
    list_introductions: Words = frozenset()
    """Phrases that announce a list and say nothing themselves ("as follows")."""
    following: Words = frozenset()
    """Words for "following" before the noun that a list shows."""


class Replies(Section):
    """A model's replies."""

    refusal: str = ""
    """The agreed sentence for "the sources do not say"."""
    apologies: Words = frozenset()
    """Before a refusal."""
    source_determiners: Words = frozenset()
    """Before the words for sources."""
    source_adjectives: Words = frozenset()
    """What a model calls the sources that it was given ("the provided documents")."""
    source_nouns: Words = frozenset()
    """Words for the sources."""
    lacking_verbs: Words = frozenset()
    """With the sources as subject and a word of ``lacking_objects`` later on: a refusal."""
    lacking_objects: Words = frozenset()
    """What the sources lack, or do not do."""
    refusal_openings: Words = frozenset()
    """Beginnings of a refusal, with a word of ``refusal_words`` later on."""
    refusal_words: Words = frozenset()
    """See ``refusal_openings``."""
    conjunctions: Words = frozenset()
    """Between ids of evidence ("S1 and S2")."""
    contrasts: Words = frozenset()
    """Words after which a refusal goes on with an answer."""
    source_words: Words = frozenset()
    """What a model calls evidence in a mark ("[source 1]")."""
    source_headings: Words = frozenset()
    """Lines that open a list of sources below a reply."""
    answer_headings: Words = frozenset()
    """Labels before an answer."""


class Lexicon(Section):
    """Everything that Foundry knows of one language, or of several together."""

    name: str = ""
    """The language's English name."""
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

    # Compared and hashed by identity, so that what is derived from a lexicon can be cached.
    __eq__ = object.__eq__
    __hash__ = object.__hash__
