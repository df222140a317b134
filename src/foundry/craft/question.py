"""A question's own words, read once: its names, periods, numbers, the value it asks for, its parts.

"How many members", "what does it cost" and "how long" ask for a count, an amount of money and a
duration. What else a question is, its words in the sources, ``journeys.question`` adds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from foundry.analysis import UNKNOWN, fold
from foundry.analysis.lexer import WORD, has_digit
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import AskedPart, AskedValue, Chunk, Name, QueryTerm, Question
from foundry.text.names import find_plain_names
from foundry.text.periods import find_periods, spell_out_periods
from foundry.text.quantities import Quantity, find_quantities
from foundry.text.units import find_unit

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.questions
_STOP_WORDS = _LEXICON.general.stop_words
_INTERROGATIVE = re.compile(rf"\b{build_alternation(_WORDS.words)}\b")
_AMOUNT = re.compile(build_alternation(_WORDS.amounts))
_COUNT = re.compile(
    rf"\b{build_alternation(_WORDS.counts)}\s+(?P<nouns>[^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*)?)"
)
_ALL = rf"{build_alternation(_WORDS.listing)}\s+(?:\w{{2,3}}\s+)?{build_alternation(_WORDS.universals)}"
_ASKS_ALL = re.compile(rf"\W*{_ALL}\b")
"""None of 1,383 written questions about other things has this form. "How many" does not tell: 180 of
these have it, and all ten with "how many … are there" ask for a number that a source would state."""

_ASKS = re.compile(
    rf"\b(?:{build_alternation(_WORDS.interrogatives)}|{build_alternation(_WORDS.opening_verbs)})\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    rf"\W*(?:{_ALL}|{build_alternation(_WORDS.counts)}|{build_alternation(_WORDS.interrogatives)})\b"
)
_OPENING = re.compile(
    rf"^\W*(?:(?:\w+ )?{build_alternation(_WORDS.interrogatives)}"
    rf"|{build_alternation(_WORDS.opening_verbs)})\b"
)
# A salutation names whom the question is put to, not what it is about.
_GREETING = re.compile(
    rf"^\W*{build_alternation(_WORDS.greetings)}\b[^,.!?\n]{{0,40}}[,.!]", re.IGNORECASE
)
_TWO = re.compile(
    rf"[?]\s+(?=\w)|,?\s+{build_alternation(_LEXICON.general.additive)}\s+"
    rf"(?=(?:\w+\s+)?{build_alternation(_WORDS.interrogatives)}\b)",
    re.IGNORECASE,
)
_KINDS = {
    kind: re.compile(rf"\b{build_alternation(frozenset(words))}\b")
    for kind, words in _WORDS.values.items()
}
CURRENCIES = frozenset(("EUR", "USD", "GBP"))
_DIMENSIONS = {
    "money": CURRENCIES,
    "share": frozenset(("%",)),
    "duration": frozenset(("s", "month")),
}
_ENDING, _SHORTEST = 3, 4
"""Letters at the end of a noun that its plural may change, and how many are always compared."""

_DECADE = re.compile(r"\d+['’]?s\b")
_TIMES = re.compile(r"\d+x")
_NUMBERS = frozenset(("number", "version"))
_WRITTEN_WORD = re.compile(r"[^\W\d_][\w'’-]+")
_CAPITALISES_NAMES_ONLY = frozenset(("nl", "en", "und"))
"""Languages that capitalise names only; German capitalises every noun."""

_MANY_CAPITALS = 0.5
"""From this share of capitalised words on, a text is a title or shouted, and capitals do not
mark names. A guess: half."""

MOST_PARTS = 3
"""A question of more parts is a list or a pasted text, not a question in two parts."""

_LEAST_WORDS = 2
"""Subject words of a part that is searched by itself: with one, "what does it cost" finds prices of
anything."""


def read_question(text: str, language: str) -> Question:
    """What a question's text says by itself; it has no words yet."""
    folded = fold(text)
    periods, names = find_periods(text, language), find_plain_names(text)
    quantities = find_quantities(text, language)
    taken = {place for period in periods for place in range(period.start, period.end)}
    numbers = (q for q in quantities if q.start not in taken and _is_number(q, text))
    return Question(
        text=text,
        language=language,
        names=names,
        expected=_select_expected(names, text, language),
        periods=periods,
        numbers=tuple((quantity.text, quantity.bare) for quantity in numbers),
        value=_find_value(folded, frozenset(quantity.text for quantity in quantities)),
        lists_all=_ASKS_ALL.match(folded) is not None,
        noun=_find_noun(folded),
    )


def cut_question(question: Question, text: str) -> Question:
    """The question with no more words than ``text``, a part of its own text."""
    read = read_question(text, question.language)
    said = split_words(f"{text} {spell_out_periods(text, read.periods)}")
    return replace(
        read,
        words=tuple(word for word in question.words if split_words(word.word) <= said),
        frequencies=question.frequencies,
        chunks=question.chunks,
        languages=question.languages,
        readings=question.readings,
    )


def drop_words(question: Question, words: Iterable[str]) -> Question:
    """The question without these words and their possessive endings."""
    text = question.text
    for word in words:
        text = re.sub(rf"(?<!\w){re.escape(word)}(?:['’]s?)?(?!\w)", " ", text)
    return cut_question(question, " ".join(text.split()))


def list_parts(question: Question) -> tuple[AskedPart, ...]:
    """What the question asks apart: of each side, or in each of its sentences or clauses; else none.

    A side is asked the same as the others, without their names: those chose its documents.
    """
    sides = question.subject.sides
    parts = tuple(_split_question(question))
    if sides and not parts:
        core = drop_words(question, [word for side in sides for word in side.name.split()])
        return tuple(AskedPart(side.name, core, side.sources) for side in sides if core.words)
    named = [[side for side in sides if side.name in part.text] for part in parts]
    return tuple(
        AskedPart(part.text, drop_words(part, own[0].name.split()), own[0].sources)
        if len(own) == 1
        else AskedPart(part.text, part)
        for part, own in zip(parts, named, strict=True)
    )


def _split_question(question: Question) -> Iterator[Question]:
    """Two sentences with a question mark each, or two interrogatives joined by "and".

    A part without two words that the sources have says too little; one without a name gets those of
    the whole.
    """
    parts = [part.strip(" ,?") for part in _TWO.split(question.text)]
    if not 1 < len(parts) <= MOST_PARTS or not all(map(_ASKS.search, parts)):
        return
    known = [word.word for word in select_subject_words(question) if question.is_covered(word)]
    if any(sum(word in part for word in known) < _LEAST_WORDS for part in parts):
        return
    names = [name.text for name in question.names if not name.initial]
    for part in parts:
        own = any(name in part for name in names)
        yield cut_question(question, part if own else " ".join((part, *names)))


def split_words(text: str) -> set[str]:
    """The words of a text, folded."""
    return set(WORD.findall(fold(text)))


def select_subject_words(question: Question) -> tuple[QueryTerm, ...]:
    """The words of the question without those that only frame it ("how many")."""
    return tuple(word for word in question.words if fold(word.word) not in _WORDS.frame)


def find_uncovered_words(question: Question) -> tuple[str, ...]:
    """The subject words of the question that no chunk contains, if words can tell."""
    words = select_subject_words(question) if has_comparable_words(question) else ()
    return tuple(word.word for word in words if not question.is_covered(word))


def has_comparable_words(question: Question) -> bool:
    """Whether any source may have its words: one is in its language, or in none that is known."""
    known = question.languages - {UNKNOWN}
    return question.language == UNKNOWN or not known or question.language in known


def has_common_words_only(question: Question) -> bool:
    """Whether all its words are such as every text has, so that nothing can be looked for."""
    return all(fold(word.word) in _STOP_WORDS for word in question.words)


def is_same_language(question: Question, chunk: Chunk) -> bool:
    """Whether question and chunk share a language; an unknown one counts as shared."""
    return UNKNOWN in (question.language, chunk.language) or question.language == chunk.language


def _select_expected(names: Sequence[Name], text: str, language: str) -> tuple[Name, ...]:
    """The names without the opening word of a sentence and whom it greets."""
    greeting = _GREETING.match(text)
    begin = greeting.end() if greeting else 0
    asks = _OPENING.match(fold(text[begin:])) is not None or text.rstrip().endswith("?")
    marks = asks and language in _CAPITALISES_NAMES_ONLY and not _has_title_case(text)
    return tuple(name for name in names if name.start >= begin and _is_expected(name, marks=marks))


def _is_expected(name: Name, *, marks: bool) -> bool:
    """Whether it is a name for sure; ``marks`` if capitals mark names in its text."""
    if has_digit(name.text):
        return name.identifier and not (_DECADE.fullmatch(name.text) or _TIMES.fullmatch(name.text))
    return marks and name.sure and name.key not in _STOP_WORDS


def _has_title_case(text: str) -> bool:
    """Whether most words are capitalised. A hyphenated name is one word; identifiers do not count."""
    words: list[str] = _WRITTEN_WORD.findall(text)[1:]
    plain = [word for word in words if not has_digit(word)]
    capitalised = sum(word[0].isupper() for word in plain)
    return capitalised > 1 and capitalised >= _MANY_CAPITALS * len(plain)


def _is_number(quantity: Quantity, text: str) -> bool:
    """Whether it is a number in digits or a version, not a decade ("50s")."""
    is_decade = _DECADE.match(text, quantity.start) is not None
    return quantity.kind in _NUMBERS and quantity.text[0].isdigit() and not is_decade


def _find_value(folded: str, known: frozenset[str]) -> AskedValue | None:
    """The value that the question asks for; None for any other question."""
    count = _COUNT.search(folded)
    if count:
        return _read_count(count["nouns"].split(), known)
    first = _INTERROGATIVE.search(folded)
    if first and not _AMOUNT.match(folded, first.start()):
        return None
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.search(folded)), None)
    return AskedValue(kind, _DIMENSIONS.get(kind, frozenset()), known=known) if kind else None


def _read_count(words: Sequence[str], known: frozenset[str]) -> AskedValue | None:
    unit = find_unit(words[0])
    if unit is not None:
        alike = (d for d in _DIMENSIONS.values() if unit.dimension in d)
        return AskedValue("unit", next(alike, frozenset((unit.dimension,))), known=known)
    nouns = [word for word in words if word not in _STOP_WORDS]
    stems = tuple(noun[: max(len(noun) - _ENDING, _SHORTEST)] for noun in nouns)
    return AskedValue("count", stems=stems, known=known) if stems else None


def _find_noun(folded: str) -> str:
    """What the items are: the last word before a function word ("list all *parts* from …"), or "".

    English and Dutch have the noun last: "relevant alarms of", "hoeveel user stories zijn".
    """
    opening = _LISTED.match(folded)
    words = re.findall(r"[\w-]+", folded[opening.end() :]) if opening else []
    phrase = list(takewhile(lambda word: word not in _STOP_WORDS, words))
    return phrase[-1] if phrase else ""
