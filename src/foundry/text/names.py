"""Names and identifiers in a sentence: what must occur in a source letter by letter.

Found by their shape: mixed letters and digits (``RS-485``), capitals (``DMX``), capitalised words
within a sentence. A capital at the start of a sentence proves nothing, so such a word is marked and
judged with more care. There are no lists of people or products, only the days, months,
countries and languages that languages name differently.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from foundry.analysis import fold
from foundry.analysis.lexer import LETTER_THEN_DIGIT, LETTERS, has_digit
from foundry.lexicon import load_shared_lexicon
from foundry.records import Name
from foundry.text.dates import MONTHS
from foundry.text.periods import find_periods

_LEXICON = load_shared_lexicon()
_STOP_WORDS = _LEXICON.general.stop_words
_PART = re.compile(r"\d+|[^\W\d_]+")
_TOKEN = re.compile(r"[^\W_]+(?:[.&'’/+_-]+[^\W_]+)*(?:\+\+|#)?")
_OPENING = re.compile(r"(?:^|[.!?:;•]\s|\n)[\s\"'“”‘’«(\[*_•-]*$")
_POSSESSIVE = re.compile(r"['’]s?$")
_DUTCH_SUFFIX = re.compile(r"(?:-[^\W\d_A-Z]{3,})+$")
_LANGUAGES = ("en", "nl", "de", "fr")
_WIDELY_SPOKEN = 2
"""Letters of a language code in ISO 639-1, which has the languages that most texts name."""


@lru_cache(maxsize=1)
def _list_equivalents() -> Mapping[str, frozenset[str]]:
    """Folded month, weekday, country or language → its forms in every language.

    Countries and languages are those of the Unicode CLDR, by their code, with the words made from
    them ("nederlandse") that it lacks.
    """
    forms: dict[str, set[str]] = defaultdict(set)
    for group in _list_groups().values():
        folded = {fold(word) for word in group}
        for word in folded:
            forms[word] |= folded
    return {word: frozenset(group) for word, group in forms.items()}


def _list_groups() -> Mapping[str, set[str]]:
    # Imported here: many texts have no name.
    from babel import Locale

    groups: dict[str, set[str]] = defaultdict(set)
    for kind in ("weekdays", "months"):
        for number, words in getattr(_LEXICON.dates, kind).items():
            groups[f"{kind} {number}"].update(words)
    for code, words in _LEXICON.names.places.items():
        groups[code].update(words)
    for locale in map(Locale, _LANGUAGES):
        for code, name in (*locale.territories.items(), *locale.languages.items()):
            if code.isupper() or len(code) == _WIDELY_SPOKEN:
                groups[code].add(name)
    return groups


def find_names(text: str) -> tuple[Name, ...]:
    """The names and identifiers in reading order, without plain numbers and dates."""
    names: list[Name] = []
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word.islower() and word.isalpha():
            continue
        if _is_identifier(word):
            names.append(Name(word, match.start(), identifier=True, key=_make_key(word)))
        elif _is_capitalised(word) and not _is_in_date(text, match):
            before = text[max(match.start() - 40, 0) : match.start()]
            initial = _OPENING.search(before) is not None
            names.append(Name(word, match.start(), False, initial, _make_key(word)))
    return tuple(_drop_ordinary(names, text))


def find_plain_names(text: str) -> tuple[Name, ...]:
    """The names without periods, which sources may write in another way, and without a noun joined to one.

    A Dutch noun: "DX-4-regelaar" gives DX-4.
    """
    periods = [(period.start, period.end) for period in find_periods(text)]
    return tuple(
        replace(name, text=plain, key=_make_key(plain))
        for name in find_names(text)
        if (plain := _DUTCH_SUFFIX.sub("", name.text))
        and not any(start <= name.start < end for start, end in periods)
    )


@lru_cache(maxsize=1024)
def find_identifiers(text: str) -> tuple[Name, ...]:
    """The names of letters and digits in a text."""
    return tuple(name for name in find_plain_names(text) if is_code(name))


def is_code(name: Name) -> bool:
    """Whether a name is a type, part or article number: letters, then digits."""
    return name.identifier and LETTER_THEN_DIGIT.match(name.text) is not None


def strip_possessive(word: str) -> str:
    """The word without a possessive ending."""
    return _POSSESSIVE.sub("", word)


def _make_key(text: str) -> str:
    return strip_possessive(fold(text))


@lru_cache(maxsize=4096)
def _build_pattern(text: str) -> re.Pattern[str]:
    """Matches a name in folded text, however its parts are joined: ``rs485``, ``rs 485``."""
    key = _make_key(text)
    forms = _list_equivalents().get(key, frozenset({key}))
    parts = [r"[\W_]*".join(_PART.findall(form)) for form in sorted(forms)]
    ending = r"(?:'?s)?" if not key[-1:].isdigit() else ""
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(parts)}){ending}(?![^\W_])")


def is_mentioned_in(name: Name, folded: str) -> bool:
    """Whether a folded text contains the name."""
    return _build_pattern(name.text).search(folded) is not None


_MIN_PART = 3
"""Letters of the shortest part of a compound ("wet")."""


def find_long_form(short: str, text: str, is_word: Callable[[str], bool]) -> str | None:
    """The title, a line of the text or all but its first word, of which a name has the initials.

    "aow" is "Algemene Ouderdomswet", "pw" "Pensioenwet", "wia" what follows "Wet" in "Wet werk en
    inkomen naar arbeidsvermogen": a letter stands for a word or for a last part of a compound that
    ``is_word``. Function words may have none. ``short`` is folded.
    """
    if not short.isalpha() or len(short) < _SHORTEST_NAME:
        return None
    for line in text.splitlines():
        words = list(LETTERS.finditer(line))
        for first in range(min(2, len(words))):
            run = [fold(word[0]) for word in words[first:]]
            if _match_initials(short, run, is_word) == len(run):
                return line[words[first].start() : words[-1].end()]
    return None


_SHORTEST_NAME = 2


def _match_initials(short: str, words: Sequence[str], is_word: Callable[[str], bool]) -> int:
    """How many of the words, from the first, have these initials; 0 if they have others."""
    word = words[0]
    if word[0] == short[0]:
        for rest in (short[1:], *_take_part(short[1:], word, is_word)):
            if not rest:
                return 1
            used = _match_rest(rest, words[1:], is_word)
            if used:
                return 1 + used
    return 0


def _match_rest(short: str, words: Sequence[str], is_word: Callable[[str], bool]) -> int:
    """The same for the words behind the first, of which function words may be left out."""
    for skipped, word in enumerate(words):
        used = _match_initials(short, words[skipped:], is_word)
        if used:
            return skipped + used
        if word not in _STOP_WORDS:
            break
    return 0


def _take_part(short: str, word: str, is_word: Callable[[str], bool]) -> Iterator[str]:
    """What is left of the initials behind that of the word's last part, if it has such a part."""
    for start in range(_MIN_PART, len(word) - _MIN_PART + 1):
        if short and word[start] == short[0] and is_word(word[start:]):
            yield short[1:]
            return


def _is_identifier(word: str) -> bool:
    letters = [character for character in word if character.isalpha()]
    if not letters:
        return False
    if has_digit(word):
        # "24-hour", "3.3V" and "5th" start with a number that is checked as a quantity.
        return not re.match(r"\d+(?:[.,]\d+)*-?(?:[^\W\d_]{2,}|[VAWsmhgKNJFHL%])$", word)
    capitals = sum(character.isupper() for character in word)
    humped = re.search(r"[a-z][A-Z]|^[A-Z]{2,}", word) is not None
    return capitals >= 2 and (capitals == len(letters) or not word[0].isupper() or humped)


def _is_capitalised(word: str) -> bool:
    key = fold(word)
    return word[0].isupper() and key not in _LEXICON.names.capitalised and len(key) > 1


def _is_in_date(text: str, match: re.Match[str]) -> bool:
    if fold(match[0]) not in MONTHS:
        return False
    before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip(". ")
    return before[-1:].isdigit() or after[:1].isdigit()


def _drop_ordinary(names: list[Name], text: str) -> list[Name]:
    # "Jan Jansen" at the start of a sentence: the second capital makes the first a name.
    kept: list[Name] = []
    for index, name in enumerate(names):
        following = names[index + 1] if index + 1 < len(names) else None
        end = name.start + len(name.text)
        joined = (
            following is not None
            and not following.identifier
            and text[end : following.start].strip() == ""
            and name.key not in _STOP_WORDS
        )
        initial = name.initial and not joined
        if name.identifier or initial or name.key not in _STOP_WORDS:
            kept.append(replace(name, initial=initial))
    return kept
