"""Sentences with one fact changed, made by rules of this module alone.

No rule here asks the product anything: the patterns and word lists are this module's own.
A changed sentence is given only where the new wording cannot hold by the same sentence: the new
number, year or name must not occur in it, values that are only enumerated ("5 and 7") are never
exchanged, and a negation is neither taken out of nor put into a sentence with another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
_MONTH = "|".join(" ".join(_MONTHS.values()).split())
_FULL_DATE = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH}) (\d{{4}})\b"
    rf"|\b({_MONTH}) (\d{{1,2}}), (\d{{4}})\b|\b(\d{{4}})-(\d\d)-(\d\d)\b"
    rf"|\b(\d{{1,2}}) ({_MONTH})\b|\b({_MONTH}) (\d{{4}})\b"
)
_YEAR = re.compile(r"(?<![\d.,€$£#/-])\b(?:1[5-9]|20)\d\d\b(?![\d%/-]|[.,]\d)")
_VERSIONED = re.compile(
    r"\b(?:[Vv]ersion|[Vv]ersie|[Rr]ev(?:ision|isie)?\.?|[Rr]elease|[Ff]irmware|[Ss]eason|[Ee]pisode"
    r"|[Cc]hapter|[Ss]ection|[Aa]rticle|[Aa]rtikel|[Pp]aragraaf|[Hh]oofdstuk|[Vv]olume|[Pp]hase"
    r"|[Ss]tep|[Tt]able|[Ff]igure) ((?:\d+(?:\.\d+)*)|[A-H]\b)(?![\w%])|\bv(\d+(?:\.\d+)+)\b"
)
_NUMBER = re.compile(r"(?<![\w.,:/#§-])\d+(?:[.,]\d+)*(?![\w:/§-]|[.,]\d)")
_UNITS = {
    "V": "A", "A": "V", "mA": "A", "mV": "V", "kV": "V", "W": "kW", "kW": "W", "ms": "s", "s": "ms",
    "µs": "ms", "km": "miles", "miles": "km", "mi": "km", "m": "cm", "cm": "m", "mm": "cm",
    "kg": "g", "g": "kg", "lb": "kg", "°C": "°F", "°F": "°C", "%": "°", "MHz": "kHz", "kHz": "MHz",
    "Hz": "kHz", "MB": "GB", "GB": "MB", "kbit/s": "Mbit/s", "Mbit/s": "kbit/s", "feet": "metres",
    "ft": "m", "metres": "feet", "meters": "feet", "meter": "kilometer", "kilometres": "miles",
    "kilometers": "miles", "inches": "feet", "hours": "minutes", "hour": "day", "minutes": "hours",
    "seconds": "minutes", "days": "weeks", "weeks": "days", "months": "years", "years": "months",
    "acres": "hectares", "million": "billion", "billion": "million", "percent": "per mille",
    "dagen": "weken", "weken": "dagen", "maanden": "jaar", "jaar": "maanden", "uur": "minuten",
    "minuten": "uur", "seconden": "minuten", "miljoen": "miljard", "miljard": "miljoen",
    "Nm": "N", "lm": "lx", "Ω": "kΩ", "kΩ": "Ω", "ohm": "V", "gram": "kilo",
}  # fmt: skip
_MEASURED = re.compile(
    r"(?<=\d)(\s?)("
    + "|".join(re.escape(u) for u in sorted(_UNITS, key=len, reverse=True))
    + r")(?!\w)"
)
_COUNTS = {
    "two": "three", "three": "four", "four": "six", "five": "six", "six": "four", "seven": "eight",
    "eight": "nine", "nine": "seven", "ten": "twelve", "eleven": "ten", "twelve": "ten",
    "twenty": "thirty", "thirty": "forty", "hundred": "thousand", "both": "neither of",
    "twice": "three times", "half": "a quarter",
    "first": "second", "second": "third", "third": "fourth", "double": "triple", "once": "twice",
}  # fmt: skip
_COUNTS_NL = {
    "twee": "drie", "drie": "vier", "vier": "vijf",
    "vijf": "zes", "zes": "zeven", "tien": "twaalf", "twaalf": "tien", "tweemaal": "driemaal",
    "helft": "een kwart",
    "eerste": "tweede", "tweede": "derde", "dubbele": "enkele",
}  # fmt: skip
_TURNS = {
    "increase": "decrease", "increases": "decreases", "increased": "decreased",
    "increasing": "decreasing", "rise": "fall", "rises": "falls", "rising": "falling",
    "maximum": "minimum", "before": "after", "after": "before", "left": "right", "above": "below",
    "below": "above", "more than": "less than", "less than": "more than", "at least": "at most",
    "at most": "at least", "over": "under", "higher": "lower", "lower": "higher",
    "highest": "lowest", "lowest": "highest", "largest": "smallest", "larger": "smaller",
    "smaller": "larger", "longest": "shortest", "longer": "shorter", "north": "south",
    "south": "north", "east": "west", "west": "east", "northern": "southern",
    "southern": "northern", "eastern": "western", "western": "eastern", "early": "late",
    "earlier": "later", "later": "earlier", "first": "last", "last": "first", "open": "closed",
    "always": "never", "never": "always", "positive": "negative", "negative": "positive",
    "internal": "external", "external": "internal", "upper": "lower", "male": "female",
    "female": "male", "began": "ended", "begins": "ends", "start": "end", "success": "failure",
    "successful": "unsuccessful", "win": "lose", "won": "lost", "lost": "won", "legal": "illegal",
    "up": "down", "most": "least", "public": "private", "major": "minor", "old": "new",
    "new": "old", "inside": "outside", "outside": "inside", "winter": "summer", "summer": "winter",
}  # fmt: skip
_TURNS_NL = {
    "meer dan": "minder dan", "minder dan": "meer dan", "minimaal": "maximaal",
    "maximaal": "minimaal", "minstens": "hoogstens", "hoogstens": "minstens", "voor": "na",
    "vóór": "na", "links": "rechts", "rechts": "links", "boven": "onder", "onder": "boven",
    "hoger": "lager", "lager": "hoger", "hoog": "laag", "hoge": "lage", "lage": "hoge",
    "laag": "hoog", "groter": "kleiner", "kleiner": "groter", "altijd": "nooit",
    "nooit": "altijd", "verplicht": "optioneel", "toegestaan": "verboden",
    "verboden": "toegestaan", "intern": "extern", "extern": "intern", "interne": "externe",
    "externe": "interne", "eerder": "later", "eerste": "laatste", "laatste": "eerste",
    "open": "dicht", "binnen": "buiten", "buiten": "binnen", "nieuw": "oud", "nieuwe": "oude",
    "positieve": "negatieve", "negatieve": "positieve", "publieke": "private", "meer": "minder",
    "minder": "meer", "toename": "afname", "stijgt": "daalt", "daalt": "stijgt",
    "verhogen": "verlagen", "begin": "eind", "vooraf": "achteraf", "hoogste": "laagste",
    "laagste": "hoogste", "grote": "kleine", "kleine": "grote", "sterke": "zwakke",
}  # fmt: skip
_DENIALS = {
    "is": "is not", "are": "are not", "was": "was not", "were": "were not", "has": "has not",
    "can": "cannot", "must": "must not", "may": "may not", "will": "will not",
    "should": "should not", "would": "would not", "could": "could not", "had": "had not",
    "have": "have not",
}  # fmt: skip
_DENIALS_NL = {
    "is": "is niet", "wordt": "wordt niet", "worden": "worden niet", "kan": "kan niet",
    "kunnen": "kunnen niet", "mag": "mag niet", "moet": "moet niet", "moeten": "moeten niet",
    "zijn": "zijn niet", "heeft": "heeft niet", "een": "geen",
}  # fmt: skip
_UNDENIALS = {
    "not": "", "never": "always", "without": "with", "unless": "if", "no": "a", "cannot": "can",
    "n't": "", "none": "all", "niet": "", "geen": "een", "nooit": "altijd", "zonder": "met",
    "tenzij": "als",
}  # fmt: skip
_ANY_DENIAL = re.compile(
    r"(?:\b(?:not|no|never|nor|neither|without|unless|cannot|none|nothing|niet|geen|nooit|zonder"
    r"|tenzij|niets|noch|hardly|barely|only|alleen)\b|n't\b)",
    re.IGNORECASE,
)
_BARE_DENIAL = re.compile(
    r"\b(?:not|niet|no|geen) (?:only|alleen|more|less|fewer|meer|minder|later|earlier|eerder)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b(?!['’.])")
_CODE = re.compile(r"\b[A-Z]{2,}-?\d+[A-Z]?\b|\b[A-Z]\d+\b")
_LISTED = re.compile(
    r"^[\s\w%°€$£.]{0,12}?(?:,|/|&|\band\b|\bor\b|\ben\b|\bof\b|\bto\b|\btot\b|[-–—×x])[\s$€£+-]*$"
)
_PLAIN_MONTHS = frozenset(_MONTH.split("|"))

Mutator = Callable[[str, Random, Sequence[str], str], str | None]
"""The sentence with one fact changed, or None; from names that may be put in and its language."""


def change_number(text: str, rng: Random, _names: Sequence[str], _language: str) -> str | None:
    taken = [match.span() for match in (*_FULL_DATE.finditer(text), *_YEAR.finditer(text))]
    taken += [match.span() for match in _VERSIONED.finditer(text)]
    spans = [m for m in _NUMBER.finditer(text) if not _within(m.span(), taken)]
    return _change(text, spans, rng, _other_number)


def change_date(text: str, rng: Random, _names: Sequence[str], _language: str) -> str | None:
    dates = [*_FULL_DATE.finditer(text)]
    years = [m for m in _YEAR.finditer(text) if not _within(m.span(), [d.span() for d in dates])]
    if dates and (not years or rng.random() < 0.7):
        return _change(text, dates, rng, _other_date)
    return _change(
        text, years, rng, lambda year, r: str(int(year) + r.choice((-11, -2, -1, 1, 3, 10)))
    )


def change_version(text: str, rng: Random, _names: Sequence[str], _language: str) -> str | None:
    found = list(_VERSIONED.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    group = 1 if match[1] else 2
    old = match[group]
    new = chr(ord(old) + 1) if old.isalpha() else _other_version(old, rng)
    return _put(text, match.span(group), new)


def change_unit(text: str, rng: Random, _names: Sequence[str], _language: str) -> str | None:
    found = list(_MEASURED.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return _put(text, match.span(2), _UNITS[match[2]])


def change_count(text: str, rng: Random, _names: Sequence[str], language: str) -> str | None:
    return _swapped_word(text, _COUNTS_NL if language == "nl" else _COUNTS, rng)


def change_direction(text: str, rng: Random, _names: Sequence[str], language: str) -> str | None:
    return _swapped_word(text, _TURNS_NL if language == "nl" else _TURNS, rng)


def deny(text: str, _rng: Random, _names: Sequence[str], language: str) -> str | None:
    """The sentence with a negation at its first auxiliary; None if it has one."""
    if _ANY_DENIAL.search(text):
        return None
    denials = _DENIALS_NL if language == "nl" else _DENIALS
    found = [m for m in re.finditer(r"\b\w+\b", text) if m[0] in denials]
    # "zijn" and "een" are other things more often than not, "can" may be a noun.
    found = [m for m in found if m[0] not in {"zijn", "een"} or len(found) == 1]
    if not found:
        return None
    match = found[0]
    return _put(text, match.span(), denials[match[0]])


def undeny(text: str, _rng: Random, _names: Sequence[str], _language: str) -> str | None:
    """The sentence without its only negation."""
    found = list(_ANY_DENIAL.finditer(text))
    if len(found) != 1 or _BARE_DENIAL.search(text):
        return None
    match = found[0]
    if match[0] not in _UNDENIALS or re.match(r"\.|\s*\d", text[match.end() :]):
        return None
    changed = _put(text, match.span(), _UNDENIALS[match[0]])
    return " ".join(changed.split())


def change_name(text: str, rng: Random, names: Sequence[str], _language: str) -> str | None:
    """The sentence with a capitalised word or code replaced by another."""
    codes = list(_CODE.finditer(text))
    if codes and rng.random() < 0.5:
        return _change(text, codes, rng, _other_code)
    found = [m for m in _NAME.finditer(text) if m[0] not in _PLAIN_MONTHS]
    others = [name for name in names if name.casefold() not in text.casefold()]
    if not found or not others:
        return None
    match = rng.choice(found)
    return _put(text, match.span(), rng.choice(others))


def swap_numbers(text: str, rng: Random, _names: Sequence[str], _language: str) -> str | None:
    """The sentence with two numbers swapped, unless they form an enumeration or range."""
    found = list(_NUMBER.finditer(text))
    pairs = [
        (one, other)
        for one, other in pairwise(found)
        if one[0] != other[0]
        and not _LISTED.match(text[one.end() : other.start()])
        and len(text[one.end() : other.start()].split()) > 2
        and (bool(_YEAR.match(text, one.start())) == bool(_YEAR.match(text, other.start())))
        and not any(
            _within(n.span(), [d.span() for d in _FULL_DATE.finditer(text)]) for n in (one, other)
        )
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return (
        text[: one.start()]
        + other[0]
        + text[one.end() : other.start()]
        + one[0]
        + text[other.end() :]
    )


def names_of(text: str) -> list[str]:
    """Names that could be put in place of another."""
    return sorted({m[0] for m in _NAME.finditer(text)} - _PLAIN_MONTHS)


MUTATORS: dict[str, Mutator] = {
    "number": change_number,
    "unit": change_unit,
    "date": change_date,
    "version": change_version,
    "negation in": deny,
    "negation out": undeny,
    "direction": change_direction,
    "count in words": change_count,
    "name": change_name,
    "swap": swap_numbers,
}


def _within(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)


def _put(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]


def _change(
    text: str, found: Sequence[re.Match[str]], rng: Random, change: Callable[[str, Random], str]
) -> str | None:
    """The sentence with one match changed; None if the new words are in it already."""
    if not found:
        return None
    match = rng.choice(found)
    new = change(match[0], rng)
    if new == match[0] or re.search(rf"(?<![\d.,]){re.escape(new)}(?![\d])", text):
        return None
    return _put(text, match.span(), new)


def _swapped_word(text: str, table: dict[str, str], rng: Random) -> str | None:
    found = [m for word in table for m in re.finditer(rf"(?<![\w-]){word}(?![\w-])", text)]
    found = [m for m in found if not re.search(rf"\b{table[m[0]]}\b", text)]
    if not found:
        return None
    match = rng.choice(sorted(found, key=lambda m: m.start()))
    return _put(text, match.span(), table[match[0]])


def _other_number(old: str, rng: Random) -> str:
    """A number with one digit changed, two digits swapped, or a zero added."""
    digits = [i for i, character in enumerate(old) if character.isdigit()]
    way = rng.random()
    if way < 0.2 and len(digits) == len(old) and int(old) > 0:
        return old + "0"
    if (
        way < 0.4
        and len(digits) > 1
        and old[digits[-1]] != old[digits[-2]]
        and old[digits[-1]] != "0"
    ):
        swapped = list(old)
        swapped[digits[-1]], swapped[digits[-2]] = swapped[digits[-2]], swapped[digits[-1]]
        return "".join(swapped)
    at = rng.choice(digits)
    choices = [d for d in "123456789" if d != old[at]]
    return old[:at] + rng.choice(choices) + old[at + 1 :]


def _other_version(old: str, rng: Random) -> str:
    parts = old.split(".")
    at = rng.randrange(len(parts))
    parts[at] = str(int(parts[at]) + rng.choice((1, 2)))
    return ".".join(parts)


def _other_date(old: str, rng: Random) -> str:
    """Another day, month or year, in the form of the old one."""
    names = [month for month in _PLAIN_MONTHS if re.search(rf"\b{month}\b", old)]
    numbers = re.findall(r"\d+", old)
    if names and rng.random() < 0.34:
        same = next(m.split() for m in _MONTHS.values() if names[0] in m.split())
        return old.replace(names[0], rng.choice([m for m in same if m != names[0]]))
    number = rng.choice(numbers)
    limit = 2999 if len(number) == 4 else 12 if "-" in old and number == numbers[1] else 28
    new = int(number) + rng.choice((-1, 1, 2))
    if not 1 <= new <= limit:
        new = max(1, int(number) - 1) if int(number) > 1 else 2
    return re.sub(rf"\b{number}(?=\b|st|nd|rd|th)", str(new).zfill(len(number)), old, count=1)


def _other_code(old: str, rng: Random) -> str:
    at = rng.choice([i for i, character in enumerate(old) if character.isdigit()])
    return old[:at] + rng.choice([d for d in "123456789" if d != old[at]]) + old[at + 1 :]
