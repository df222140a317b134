"""Numbers in a text with their units and bounds, normalised so that two texts can be compared.

``3.3 V`` equals ``3300 mV``; ``1.000`` is a thousand in Dutch and one in English, and where
the language is unknown it is either. Dates, clock times and versions are kinds of their own.
Numbers within identifiers (``RS-485``, ``DMX512``) are not quantities: see ``names``. Nothing
is rounded: ``6 %`` never equals ``5 %``. A bound is the words before a number that limit it:
"at least 5 V", "no more than 2 A", "meer dan 8 uur".
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Literal

from foundry.text.dates import Date, dates_agree, find_dates
from foundry.text.units import Unit, find_unit

STRICT_BOUND = 2
"""The size of a bound that leaves the number itself out ("more than")."""

_BOUND_TAIL = r"\s*(?:of |van )?$"
_MORE = r"(?:more|greater|higher|longer|later|meer|groter|hoger|langer|later) (?:than|dan)"
_LESS = (
    r"(?:less|fewer|smaller|lower|shorter|earlier|minder|kleiner|lager|korter|eerder) (?:than|dan)"
)
_NOT = r"(?:no|not|never|niet|nooit)(?: be)?"
_EXCEEDING = r"(?:exceeds?|exceeding|exceeded|overschrijdt|overschreden)"
_LEAST = (
    r"\b(?:at least|minimum(?: of)?|minimal|min\.?|over|above|from|ten minste|minstens|tenminste"
    r"|minimaal|boven|vanaf)|≥"
)
_MOST = (
    r"\b(?:at most|maximum(?: of)?|maximal|max\.?|under|below|up to|ten hoogste|hoogstens"
    r"|maximaal|onder|tot)|≤"
)
_BOUNDS = (
    (-1, rf"\b{_NOT} (?:{_MORE}|{_EXCEEDING})|\bniet (?:boven|over)"),
    (1, rf"\b{_NOT} {_LESS}|\bniet (?:onder|beneden)"),
    (STRICT_BOUND, rf"\b(?:{_MORE}|{_EXCEEDING})|>"),
    (-STRICT_BOUND, rf"\b{_LESS}|<"),
    (1, _LEAST),
    (-1, _MOST),
)
_BOUND_PATTERNS = tuple(
    (bound, re.compile(f"(?:{words}){_BOUND_TAIL}", re.IGNORECASE)) for bound, words in _BOUNDS
)
_CURRENCY_SIGN = re.compile(r"[€$£]\s?$")


def find_bound(before: str) -> int:
    """The bound that stands at the end of a text: positive upwards, ±2 strictly, 0 for none."""
    plain = _CURRENCY_SIGN.sub("", before)
    return next((bound for bound, pattern in _BOUND_PATTERNS if pattern.search(plain)), 0)


def bounds_agree(claim: int, source: int) -> bool:
    """Whether a number with the source's bound carries the same number with the claim's.

    "At least 5" is carried by "5"; "more than 5" only by another bound upwards.
    """
    return claim * source > 0 if abs(claim) == STRICT_BOUND else claim * source >= 0


QuantityKind = Literal["number", "date", "clock", "version"]

_SPACE = "\u00a0\u202f\u2009"
_NUMBER = re.compile(
    rf"(?<![^\W_])(?<![^\W\d_][-‑])(?:(?<![\w)\].,%°])[-−–](?=\d))?"
    rf"(?:\d{{1,3}}(?:['’{_SPACE} ]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
)
_VERSION = re.compile(
    r"\b(?:(?-i:v)\.?(?=\d)|(?:version|versie|release|firmware|rev|revision|revisie|edition|editie"
    r"|section|paragraaf|chapter|hoofdstuk|table|tabel|figure|figuur|article|artikel|annex"
    r"|bijlage|step|stap)\b\.?\s*(?:(?-i:v)\.?)?)(\d+(?:\.\d+)*[a-z]?)\b(?!\s*[%°€$£])",
    re.IGNORECASE,
)
_SIGN_SECTION = re.compile(r"§\s*(\d+(?:\.\d+)*)")
_CLOCK = re.compile(
    r"(?<![\w:.,])(\d{1,2})[:](\d{2})(?:[:](\d{2}))?(?:\s*([ap])\.?m\b\.?)?(?![\w:])", re.IGNORECASE
)
_CLOCK_12 = re.compile(r"(?<![\w:.,])(\d{1,2})\s*([ap])\.?m\b\.?", re.IGNORECASE)
_CLOCK_NL = re.compile(r"(?<![\w:.,])(\d{1,2})\.(\d{2})\s*(?:uur|u|h)\b", re.IGNORECASE)
_UNIT = re.compile(
    rf"[ \t{_SPACE}]?-?[ \t]?((?:°\s?[CF]\b|[%‰°€$£\"℃]|[A-Za-zµμΩΩ]+(?:'s)?)(?:[²³]|\^[23]|[23]\b)?"
    r"(?:/[A-Za-z]+(?:[²³])?)?)(?![\w])"
)
_MULTIPLIER = re.compile(
    r"[ \t\u00a0]?(thousand|duizend|million|miljoen|mln|billion|miljard|mld)\b\.?", re.IGNORECASE
)
_MULTIPLIERS = {
    "thousand": 1e3,
    "duizend": 1e3,
    "million": 1e6,
    "miljoen": 1e6,
    "mln": 1e6,
    "billion": 1e9,
    "miljard": 1e9,
    "mld": 1e9,
}
_CURRENCY_BEFORE = re.compile(r"([€$£]|\bEUR|\bUSD|\bGBP)\s?-?$")
_BETWEEN = re.compile(
    r"\s*(?:-|–|—|−|±|/|\.{2,3}|…|,|x|×|to|tot|t/m|through|and|en|or|of|by|bij|and up to)?\s*(?:\+)?"
    r"\s*(?:and|en|or|of)?\s*",
    re.IGNORECASE,
)
_SMALL = (
    "zero nul|one één|two twee|three drie|four vier|five vijf|six zes|seven zeven|eight acht"
    "|nine negen|ten tien|eleven elf|twelve twaalf|thirteen dertien|fourteen veertien"
    "|fifteen vijftien|sixteen zestien|seventeen zeventien|eighteen achttien|nineteen negentien"
    "|twenty twintig"
)
NUMBER_WORDS = {
    word: float(value) for value, pair in enumerate(_SMALL.split("|")) for word in pair.split()
} | {
    word: value
    for value, pair in {
        30.0: "thirty dertig",
        40.0: "forty veertig",
        50.0: "fifty vijftig",
        60.0: "sixty zestig",
        70.0: "seventy zeventig",
        80.0: "eighty tachtig",
        90.0: "ninety negentig",
        100.0: "hundred honderd",
    }.items()
    for word in pair.split()
}
# "one" is a pronoun more often than a number.
del NUMBER_WORDS["one"]
_WORD_NUMBER = re.compile(
    r"(?<![\w-])(" + "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + r")(?![\w])",
    re.IGNORECASE,
)
_DECIMAL_COMMA = frozenset({"nl", "de", "fr", "es", "it", "pt", "da", "sv", "no", "fi", "pl", "cs"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, date, clock time or version in a text, from ``start`` to ``end``.

    ``values`` are its possible values in the base unit of ``dimension``, ``bare``
    those as written. ``dimension`` is "" without a unit. ``bound`` is that of
    ``bounds.find_bound``.
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


def find_quantities(text: str, language: str) -> tuple[Quantity, ...]:
    """All quantities in reading order; a number before "3 to 5 V" has the unit of the last."""
    found = [_convert_date(date) for date in find_dates(text, language)]
    found += _find_versions(text, found)
    found += _find_clocks(text, found)
    numbers = _find_numbers(text, language, found)
    found += _inherit_units(text, numbers)
    return tuple(sorted(found, key=lambda quantity: quantity.start))


def is_same_quantity(claim: Quantity, source: Quantity) -> bool:
    """True when the source's quantity carries the claim's."""
    if claim.date or source.date:
        return _is_same_date(claim, source)
    if "version" in (claim.kind, source.kind):
        return _strip_prefix(claim.text) == _strip_prefix(source.text)
    if claim.kind != source.kind or not bounds_agree(claim.bound, source.bound):
        return False
    if claim.dimension == "":
        alike = _strip_prefix(claim.text) == _strip_prefix(source.text) != ""
        return alike or _have_common_value(claim.bare, source.bare)
    return claim.dimension == source.dimension and _have_common_value(claim.values, source.values)


def is_comparable(claim: Quantity, source: Quantity) -> bool:
    """True when the two measure the same kind of thing, whatever their values."""
    if claim.kind != source.kind:
        return False
    return claim.kind != "number" or claim.dimension == source.dimension


def apply_unit(quantity: Quantity, unit: Unit) -> Quantity:
    """A bare number read in a unit that stands elsewhere, such as in its table's header."""
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
    # "In 2026" is carried by a date of that year; a date never by a lone number.
    if source.date is None or claim.kind != "number" or claim.dimension:
        return False
    parts = {float(part) for year, _, day in source.date.readings for part in (year, day) if part}
    return _have_common_value(claim.bare, frozenset(parts))


def _is_free(start: int, end: int, taken: list[Quantity]) -> bool:
    return not any(start < other.end and other.start < end for other in taken)


def _convert_date(date: Date) -> Quantity:
    return Quantity("date", date.start, date.end, date.text, date=date)


def _find_versions(text: str, taken: list[Quantity]) -> list[Quantity]:
    found: list[Quantity] = []
    for match in [*_VERSION.finditer(text), *_SIGN_SECTION.finditer(text)]:
        if _is_free(match.start(1), match.end(1), taken + found):
            found.append(Quantity("version", match.start(1), match.end(1), match[1]))
    return found


def _find_clocks(text: str, taken: list[Quantity]) -> list[Quantity]:
    found: list[Quantity] = []
    for pattern in (_CLOCK, _CLOCK_12, _CLOCK_NL):
        for match in pattern.finditer(text):
            value = _parse_clock(match, pattern)
            if value is not None and _is_free(match.start(), match.end(), taken + found):
                quantity = Quantity("clock", match.start(), match.end(), match[0])
                found.append(replace(quantity, values=frozenset({value}), dimension="clock"))
    return found


def _parse_clock(match: re.Match[str], pattern: re.Pattern[str]) -> float | None:
    hours = int(match[1])
    minutes = 0 if pattern is _CLOCK_12 else int(match[2])
    seconds = int(match[3] or 0) if pattern is _CLOCK else 0
    half = {_CLOCK: 4, _CLOCK_12: 2}.get(pattern)
    if half and match[half]:
        hours = hours % 12 + (12 if match[half].lower() == "p" else 0)
    if minutes > 59 or seconds > 59 or hours > 99:
        return None
    return float(hours * 3600 + minutes * 60 + seconds)


def _find_numbers(text: str, language: str, taken: list[Quantity]) -> list[Quantity]:
    found: list[Quantity] = []
    for match in _NUMBER.finditer(text):
        if not _is_free(match.start(), match.end(), taken):
            continue
        found += _read_number(text, match, language)
    for match in _WORD_NUMBER.finditer(text):
        if _is_free(match.start(), match.end(), taken):
            value = frozenset({NUMBER_WORDS[match[1].lower()]})
            found.append(_build_quantity(text, match.start(), match.end(), value))
    return sorted(found, key=lambda quantity: quantity.start)


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
    found = []
    for part in re.finditer(r"\d+", digits):
        at = start + part.start()
        value = frozenset({float(part[0])})
        found.append(_build_quantity(text, at, start + part.end(), value))
    return found


def _is_identifier(text: str, end: int) -> bool:
    """True for what is glued to letters that are no unit (``5G``), and for decades (``1990s``)."""
    after = text[end : end + 2]
    if not after[:1].isalpha():
        return False
    decade = after[0] == "s" and re.search(r"\b[12]\d\d0$", text[max(0, end - 5) : end])
    return bool(decade) or _find_unit_after(text, end)[0] is None


def parse_number(digits: str, language: str) -> frozenset[float]:
    """What a written number can mean: ``1.000`` is {1000} in Dutch, {1} in English, else both.

    Empty when it is no single number (``1.2.3``).
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
    multiplier = _MULTIPLIER.match(text, end)
    if multiplier:
        factor = _MULTIPLIERS[multiplier[1].lower()]
        values = frozenset(value * factor for value in values)
        end = multiplier.end()
    unit, after = _find_unit_after(text, end)
    before = _CURRENCY_BEFORE.search(text[max(0, start - 6) : start])
    if unit is None and before:
        unit = find_unit(before[1])
    bound = find_bound(text[max(0, start - 24) : start])
    quantity = Quantity("number", start, after, text[start:end], values, values, "", bound)
    return apply_unit(quantity, unit) if unit else quantity


def _find_unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    match = _UNIT.match(text, end)
    if match is None:
        return None, end
    unit = find_unit(match[1].replace(" ", ""))
    return (unit, match.end()) if unit else (None, end)


def _inherit_units(text: str, numbers: list[Quantity]) -> list[Quantity]:
    result = list(numbers)
    for at in range(len(result) - 2, -1, -1):
        one, following = result[at], result[at + 1]
        if one.dimension or not following.dimension:
            continue
        between = _BETWEEN.fullmatch(text, one.end, following.start)
        if between and between[0].strip():
            factor = next(iter(following.values)) / (next(iter(following.bare)) or 1.0)
            result[at] = apply_unit(one, Unit(following.dimension, factor or 1.0))
    return result
