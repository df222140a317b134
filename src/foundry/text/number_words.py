"""Numbers in words: ``seventy-two``, ``tweeënzeventig``, ``three hundred and five``.

The library ``text2num`` reads them; the lexicon says which number words are something else more
often ("one", "een"). Ordinals ("twelfth") are not numbers here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from text_to_num import find_numbers

from foundry.analysis.lexer import LETTERS, TakenSpans
from foundry.lexicon import build_alternation, load_lexicons, load_shared_lexicon

_READABLE = frozenset(("da", "de", "en", "es", "fr", "it", "nl", "pt"))
"""The languages that text2num reads."""

_LEXICONS = load_lexicons()
_SCALED = re.compile(
    rf"(\d[ \u00a0])({build_alternation(load_shared_lexicon().numbers.multipliers)})\b",
    re.IGNORECASE,
)
_PART = re.compile(r"[^\W\d_]+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class WordedNumber:
    """A number in words, from ``start`` to ``end`` of its text."""

    start: int
    end: int
    value: float


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or a single other character, as text2num takes it."""

    start: int
    word: str

    def text(self) -> str:
        return self.word

    def nt_separated(self, _previous: _Token) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return False


def find_worded_numbers(text: str, language: str) -> tuple[WordedNumber, ...]:
    """The numbers in words, in the text's own language first, then in those of the lexicon.

    A word of another language is not read as a number where it is a stop word of the text's own
    ("ten" in Dutch).
    """
    languages = _list_languages(language)
    # Asking for each new word once is much faster than reading every text.
    read = {
        code
        for word in {word.lower() for word in LETTERS.findall(text)}
        for code in _find_languages(word, languages)
        if word not in _list_excluded(code, language)
    }
    codes = [code for code in languages if code in read]
    if not codes:
        return ()
    # Half a character would break the library.
    text = text.encode(errors="replace").decode()
    # In "5 million three years ago" the million belongs to the digits.
    plain = _SCALED.sub(lambda match: match[1] + "," * len(match[2]), text)
    tokens = [_Token(match.start(), match[0]) for match in _PART.finditer(plain)]
    numbers: list[WordedNumber] = []
    taken = TakenSpans()
    for code in codes:
        for number in _read(tokens, code, language):
            if taken.is_free(number.start, number.end):
                taken.add(number.start, number.end)
                numbers.append(number)
    return tuple(sorted(numbers, key=lambda number: number.start))


@lru_cache(maxsize=64)
def _list_languages(language: str) -> tuple[str, ...]:
    known = [code for code, lexicon in _LEXICONS.items() if lexicon.numbers.not_numbers]
    return tuple(code for code in dict.fromkeys([language, *known]) if code in _READABLE)


def _read(tokens: list[_Token], code: str, language: str) -> list[WordedNumber]:
    """The numbers of one language."""
    excluded = _list_excluded(code, language)
    numbers = []
    for hit in find_numbers(tokens, code, threshold=0.0):
        first, last = tokens[hit.start], tokens[hit.end - 1]
        single = hit.end - hit.start == 1
        if hit.is_ordinal or (single and first.word.lower() in excluded):
            continue
        numbers.append(WordedNumber(first.start, last.start + len(last.word), hit.value))
    return numbers


@lru_cache(maxsize=1 << 14)
def _find_languages(word: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    """The languages in which a word is a number or part of one: none for most words."""
    token = [_Token(0, word)]
    return tuple(
        code for code in codes if word.isalpha() and find_numbers(token, code, threshold=0.0)
    )


@lru_cache(maxsize=64)
def _list_excluded(code: str, language: str) -> frozenset[str]:
    own = _LEXICONS[code].numbers.not_numbers if code in _LEXICONS else frozenset()
    if code == language or language not in _LEXICONS:
        return own
    return own | _LEXICONS[language].general.stop_words
