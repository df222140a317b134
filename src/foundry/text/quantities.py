"""Numbers in a text with their units and bounds, normalised so that two texts can be compared.

``3.3 V`` equals ``3300 mV``; ``1.000`` is a thousand in Dutch and one in English, and where
the language is unknown it is either. Dates, clock times and versions are separate kinds.
Numbers within identifiers (``RS-485``, ``DMX512``) are not quantities: see ``names``. Nothing
is rounded: ``6 %`` never equals ``5 %``. A bound is the words before a number that limit it:
"at least 5 V", "no more than 2 A", "meer dan 8 uur".

The library ``text2num`` reads numbers in words ("seventy-two", "tweeënzeventig"); the lexicon says
which of them are something else more often ("one", "een"). Ordinals are no numbers here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from text_to_num import find_numbers

from foundry.analysis.lexer import LETTERS, YEAR, TakenSpans
from foundry.lexicon import NumberWords, build_alternation, load_lexicons, load_shared_lexicon
from foundry.text.dates import Date, dates_agree, find_dates
from foundry.text.units import Unit, find_unit

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


STRICT_BOUND = 2
"""The size of a bound that leaves the number itself out ("more than")."""

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.numbers


def _compile_bounds(words: NumberWords) -> Iterator[tuple[int, re.Pattern[str]]]:
    """The bounds with the words for them at the end of a text; the first that matches counts."""
    than = build_alternation(words.than)
    more = rf"(?:{build_alternation(words.more)} {than}|{build_alternation(words.exceeding)})"
    less = rf"{build_alternation(words.less)} {than}"
    negators = build_alternation(_LEXICON.polarity.negators)
    for bound, pattern in (
        (-1, rf"\b(?:{negators} {more}|{build_alternation(words.not_above)})"),
        (1, rf"\b(?:{negators} {less}|{build_alternation(words.not_below)})"),
        (STRICT_BOUND, rf"\b{more}|>"),
        (-STRICT_BOUND, rf"\b{less}|<"),
        (1, rf"\b{build_alternation(words.at_least)}|≥"),
        (-1, rf"\b{build_alternation(words.at_most)}|≤"),
    ):
        tail = rf"\s*(?:{build_alternation(words.of)} )?$"
        yield bound, re.compile(f"(?:{pattern}){tail}", re.IGNORECASE)


_BOUND_PATTERNS = tuple(_compile_bounds(_WORDS))
_CURRENCY_SIGN = re.compile(r"[€$£]\s?$")


def find_bound(before: str) -> int:
    """The bound at the end of a text: positive upwards, ±2 strictly, 0 for none."""
    plain = _CURRENCY_SIGN.sub("", before)
    return next((bound for bound, pattern in _BOUND_PATTERNS if pattern.search(plain)), 0)


QuantityKind = Literal["number", "date", "clock", "version"]

_SPACE = "\u00a0\u202f\u2009"
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(
    rf"(?<![^\W_])(?<![^\W\d_][-‑])(?:(?<![\w)\].,%°])[-−–](?=\d))?"
    rf"(?:\d{{1,3}}(?:['’{_SPACE} ]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
)
_VERSION = re.compile(
    rf"(?:§\s*|\b(?:(?-i:v)\.?(?=\d)|{build_alternation(_WORDS.section_marks)}\b\.?\s*(?:(?-i:v)\.?)?))"
    r"(\d+(?:\.\d+)*[a-z]?)\b(?!\s*[%°€$£])",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w:.,])(?P<hours>\d{1,2})"
    r"(?::(?P<minutes>\d{2})(?::(?P<seconds>\d{2}))?(?:\s*(?P<half>[ap])\.?m\b\.?)?(?![\w:])"
    r"|\s*(?P<noon>[ap])\.?m\b\.?"
    rf"|\.(?P<past>\d{{2}})\s*{build_alternation(_LEXICON.dates.hours)}\b)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    rf"[ \t{_SPACE}]?-?[ \t]?((?:°\s?[CF]\b|[%‰°€$£\"℃]|[A-Za-zµμΩΩ]+(?:'s)?)(?:[²³]|\^[23]|[23]\b)?"
    r"(?:/[A-Za-z]+(?:[²³])?)?)(?![\w])"
)
_MULTIPLIER = re.compile(
    rf"[ \t\u00a0]?({build_alternation(_WORDS.multipliers)})\b\.?", re.IGNORECASE
)
# An amount below zero, as accounts write it: "(48)%", "$(1,158) million".
_BRACKET_END = re.compile(
    rf"\)(?=[ \t]?(?:%|{build_alternation(_WORDS.multipliers)}\b))", re.IGNORECASE
)
_CURRENCY_BEFORE = re.compile(r"([€$£]|\bEUR|\bUSD|\bGBP)\s?-?$")
_AND = build_alternation(_WORDS.conjunctions)
_BETWEEN = re.compile(
    r"\s*(?:-|–|—|−|±|/|\.{2,3}|…|,|x|×"
    rf"|{build_alternation(_WORDS.to | _WORDS.by | _WORDS.conjunctions)})?\s*(?:\+)?\s*{_AND}?\s*",
    re.IGNORECASE,
)
# Also for languages without a lexicon.
_DECIMAL_COMMA = frozenset({"nl", "de", "fr", "es", "it", "pt", "da", "sv", "no", "fi", "pl", "cs"})


@dataclass(frozen=True)
class Quantity:
    """A number, date, clock time or version in a text, from ``start`` to ``end``.

    ``values`` are its possible values in the base unit of ``dimension``, ``bare`` those as
    written. ``dimension`` is "" without a unit. ``bound`` is the result of ``find_bound``.
    """

    kind: QuantityKind
    start: int
    end: int
    text: str
    values: frozenset[float] = frozenset()
    bare: frozenset[float] = frozenset()
    dimension: str = ""
    bound: int = 0
    date: Date | None = None

    @cached_property
    def key(self) -> str:
        """The same for two quantities of one value and bound, however they are written.

        What can be read in two ways, such as 3/5/2026, is only the same as the same text.
        """
        readings = self.date.readings if self.date else self.values or self.bare
        said = self.text.lower().lstrip("v.")
        if len(readings) == 1 and self.kind != "version":
            (one,) = readings
            said = f"{one:.13g}" if isinstance(one, float) else str(one)
        return f"{self.kind} {said} {self.dimension} {self.bound}"


_IN_DIGITS = re.compile(r"\s?\((\d+)\)")
"""A number again in digits, as contracts write it: of 75 such terms in 60 contracts that this was not made
from, 67 have their unit with it and none without. The others count what has none."""


# Conflicts and quotes read the same lines of the same passages.
@lru_cache(maxsize=2048)
def find_quantities(text: str, language: str) -> tuple[Quantity, ...]:
    """All quantities in reading order; in "3 to 5 V" both numbers have the unit."""
    written = _DIGIT.search(text) is not None
    quantities = [
        Quantity("date", date.start, date.end, date.text, date=date)
        for date in (find_dates(text, language) if written else ())
    ]
    taken = TakenSpans((quantity.start, quantity.end) for quantity in quantities)
    if written:
        quantities += _find_versions(text, taken)
        quantities += _find_clocks(text, taken)
    numbers = _find_numbers(text, language, taken)
    quantities += _inherit_units(text, numbers)
    return tuple(sorted(quantities, key=lambda quantity: quantity.start))


def is_same_quantity(claim: Quantity, source: Quantity) -> bool:
    """Whether both can be read as one value, whatever their bounds; a year also as that of a date."""
    if claim.date or source.date:
        return _is_same_date(claim, source)
    if "version" in (claim.kind, source.kind):
        return _strip_prefix(claim.text) == _strip_prefix(source.text)
    if (claim.kind, claim.dimension) != (source.kind, source.dimension):
        return False
    return _have_common_value(claim.values, source.values)


def apply_unit(quantity: Quantity, unit: Unit) -> Quantity:
    """A bare number in a unit that is given elsewhere, such as in its table's header."""
    values = frozenset(value * unit.factor for value in quantity.bare)
    return replace(quantity, values=values, dimension=unit.dimension)


def _strip_prefix(text: str) -> str:
    """The text from its first digit on; "" for a number in words."""
    return re.sub(r"^\D*", "", text).strip().lower()


def _have_common_value(ones: frozenset[float], others: frozenset[float]) -> bool:
    return any(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-15) for a in ones for b in others)


def _is_same_date(claim: Quantity, source: Quantity) -> bool:
    if claim.date and source.date:
        return dates_agree(claim.date, source.date)
    # A date of that year confirms "in 2026"; a lone number never confirms a date.
    if source.date is None or claim.kind != "number" or claim.dimension:
        return False
    parts = {float(part) for year, _, day in source.date.readings for part in (year, day) if part}
    return _have_common_value(claim.bare, frozenset(parts))


def _find_versions(text: str, taken: TakenSpans) -> list[Quantity]:
    quantities: list[Quantity] = []
    for match in _VERSION.finditer(text):
        if taken.is_free(*match.span(1)):
            taken.add(*match.span(1))
            quantities.append(Quantity("version", match.start(1), match.end(1), match[1]))
    return quantities


def _find_clocks(text: str, taken: TakenSpans) -> list[Quantity]:
    quantities: list[Quantity] = []
    for match in _CLOCK.finditer(text):
        value = _parse_clock(match)
        if value is not None and taken.is_free(*match.span()):
            taken.add(*match.span())
            values = frozenset({value})
            quantities.append(Quantity("clock", *match.span(), match[0], values, dimension="clock"))
    return quantities


def _parse_clock(match: re.Match[str]) -> float | None:
    hours, minutes = int(match["hours"]), int(match["minutes"] or match["past"] or 0)
    seconds, half = int(match["seconds"] or 0), match["half"] or match["noon"]
    if half:
        hours = hours % 12 + (12 if half.lower() == "p" else 0)
    if minutes > 59 or seconds > 59:
        return None
    return float(hours * 3600 + minutes * 60 + seconds)


def _find_numbers(text: str, language: str, taken: TakenSpans) -> list[Quantity]:
    quantities: list[Quantity] = []
    for match in _NUMBER.finditer(text):
        if not taken.is_free(*match.span()):
            continue
        quantities += _read_number(text, match, language)
    for number in find_worded_numbers(text, language):
        hyphenated = text[max(0, number.start - 1) : number.start] == "-"
        if not hyphenated and taken.is_free(number.start, number.end):
            values, end = frozenset({number.value}), number.end
            again = _IN_DIGITS.match(text, end)
            if again and float(again[1]) == number.value:
                # "eighteen (18) months" is one quantity.
                end = again.end()
                quantities = [one for one in quantities if not number.start <= one.start < end]
            quantities.append(_build_quantity(text, number.start, end, values))
    return sorted(quantities, key=lambda quantity: quantity.start)


def _read_number(text: str, match: re.Match[str], language: str) -> list[Quantity]:
    start, end = match.span()
    digits = match[0]
    if _is_identifier(text, end):
        return []
    values = parse_number(digits, language)
    if values:
        return [_build_quantity(text, start, end, values)]
    if digits.count(".") > 1 and "," not in digits:
        return [Quantity("version", start, end, digits)]
    # "1,2,3" is a list of numbers.
    quantities = []
    for part in re.finditer(r"\d+", digits):
        position = start + part.start()
        value = frozenset({float(part[0])})
        quantities.append(_build_quantity(text, position, start + part.end(), value))
    return quantities


def _is_identifier(text: str, end: int) -> bool:
    """Whether letters that are not a unit follow at once (``5G``), or a decade's "s" (``1990s``)."""
    after = text[end : end + 2]
    if not after[:1].isalpha():
        return False
    decade = after[0] == "s" and re.search(r"\b[12]\d\d0$", text[max(0, end - 5) : end])
    return bool(decade) or _find_unit_after(text, end)[0] is None


def parse_number(digits: str, language: str) -> frozenset[float]:
    """The values of a number in digits: ``1.000`` is {1000} in Dutch, {1} in English, else both.

    Empty for what is not a single number (``1.2.3``).
    """
    sign = -1.0 if digits[0] in "-−–" else 1.0
    plain = re.sub(rf"['’{_SPACE} ]", "", digits.lstrip("-−–"))
    return frozenset(sign * value for value in _parse_digits(plain, language))


def _parse_digits(plain: str, language: str) -> list[float]:
    marks = re.findall(r"[.,]", plain)
    if len(set(marks)) == 2:
        whole, fraction = plain.rsplit(marks[-1], 1)
        joined = re.sub(r"[.,]", "", whole)
        return [float(f"{joined}.{fraction}")] if marks.count(marks[-1]) == 1 else []
    grouped = re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{3})+", plain) is not None
    thousands = float(re.sub(r"[.,]", "", plain)) if grouped else 0.0
    if len(marks) > 1:
        return [thousands] if grouped else []
    decimals = float(plain.replace(",", "."))
    if not grouped:
        return [decimals]
    if language == "und":
        return [thousands, decimals]
    return [decimals if (marks[0] == ",") == (language in _DECIMAL_COMMA) else thousands]


def _build_quantity(text: str, start: int, end: int, values: frozenset[float]) -> Quantity:
    start, end = _include_brackets(text, start, end)
    multiplier = _MULTIPLIER.match(text, end)
    if multiplier:
        factor = _WORDS.multipliers[multiplier[1].lower()]
        values = frozenset(value * factor for value in values)
        end = multiplier.end(1)
    # In "5 mln. euro" the full stop is inside, in "5 million." it is after.
    unit, after = _find_unit_after(text, multiplier.end() if multiplier else end)
    after = after if unit else end
    before = _CURRENCY_BEFORE.search(text[max(0, start - 6) : start])
    if unit is None and before:
        unit = find_unit(before[1])
    bound = find_bound(text[max(0, start - 24) : start])
    quantity = Quantity("number", start, after, text[start:end], values, values, "", bound)
    return apply_unit(quantity, unit) if unit else quantity


def _include_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of a number with its brackets, if they belong to an amount."""
    opened = text[start - 1 : start] == "("
    if opened and (
        _BRACKET_END.match(text, end)
        or (
            text[end : end + 1] == ")"
            and _CURRENCY_BEFORE.search(text[max(0, start - 7) : start - 1])
        )
    ):
        return start - 1, end + 1
    return start, end


def _find_unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    match = _UNIT.match(text, end)
    if match is None:
        return None, end
    unit = find_unit(match[1].replace(" ", ""))
    return (unit, match.end()) if unit else (None, end)


def _inherit_units(text: str, numbers: list[Quantity]) -> list[Quantity]:
    result = list(numbers)
    for index in range(len(result) - 2, -1, -1):
        number, following = result[index], result[index + 1]
        end = following.start - (text[following.start - 1] in "€$£")
        between = _BETWEEN.fullmatch(text, number.end, end)
        if not between or not between[0].strip():
            continue
        number = _inherit_scale(number, following)
        if following.dimension and not number.dimension:
            factor = next(iter(following.values)) / (next(iter(following.bare)) or 1.0)
            number = apply_unit(number, Unit(following.dimension, factor or 1.0))
        result[index] = number
    return result


def _inherit_scale(number: Quantity, following: Quantity) -> Quantity:
    """In "3.3 to 7.7 billion" both may be billions."""
    scale = _MULTIPLIER.search(following.text)
    if scale is None or _MULTIPLIER.search(number.text) or YEAR.fullmatch(number.text):
        return number
    factor = _WORDS.multipliers[scale[1].lower()]
    values = number.values | {value * factor for value in number.values}
    bare = number.bare | {value * factor for value in number.bare}
    return replace(number, values=values, bare=bare)
