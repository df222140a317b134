"""Names and identifiers in a sentence: what must stand in a source letter by letter.

Found by their shape: mixed letters and digits (``RS-485``), capitals (``DMX``),
capitalised words within a sentence. A capital at the start of a sentence says
nothing, so such a word is marked and judged with more care. No lists of people,
places or products.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from foundry.analysis import fold
from foundry.analysis.stopwords import DUTCH, ENGLISH
from foundry.text.dates import MONTHS
from foundry.text.quantities import NUMBER_WORDS

_PART = re.compile(r"\d+|[^\W\d_]+")
_TOKEN = re.compile(r"[^\W_]+(?:[.&'’/+_-]+[^\W_]+)*(?:\+\+|#)?")
_OPENING = re.compile(r"(?:^|[.!?:;•]\s|\n)[\s\"'“”‘’«(\[*_•-]*$")
_POSSESSIVE = re.compile(r"['’]s?$")
_EQUIVALENT_NAMES = (
    "monday maandag|tuesday dinsdag|wednesday woensdag|thursday donderdag|friday vrijdag"
    "|saturday zaterdag|sunday zondag"
    "|netherlands nederland holland nederlandse dutch nederlands|belgium belgie belgian belgische"
    "|germany duitsland german duitse duits|france frankrijk french franse frans"
    "|england engeland english engelse engels|europe europa european europese europees"
    "|spain spanje spanish spaanse spaans|italy italie italian italiaanse italiaans"
    "|eu europese european|chinese china chinees|american amerikaanse amerika america usa us vs"
)
_GROUPS = [frozenset(group.split()) for group in _EQUIVALENT_NAMES.split("|")]
_GROUPS += [
    frozenset(name for name, month in MONTHS.items() if month == number) for number in range(1, 13)
]
EQUIVALENTS = {word: group for group in _GROUPS for word in group}
"""Folded month, weekday, country or language → its Dutch and English forms."""

# Words that documents capitalise without naming anything.
_CAPITALISED_WORDS = frozenset(
    [
        "i",
        "section",
        "sections",
        "table",
        "tables",
        "figure",
        "figures",
        "chapter",
        "article",
        "annex",
        "appendix",
        "part",
        "step",
        "note",
        "warning",
        "caution",
        "paragraaf",
        "tabel",
        "tabellen",
        "figuur",
        "hoofdstuk",
        "artikel",
        "bijlage",
        "deel",
        "stap",
        "let",
        "op",
        "opmerking",
        "waarschuwing",
        "mr",
        "mrs",
        "ms",
        "dr",
        "dhr",
        "mevr",
        "u",
        "ok",
    ]
)
# Endings that words have and names rarely do.
_WORD_ENDINGS = (
    "ing",
    "ings",
    "tion",
    "tions",
    "ment",
    "ments",
    "ness",
    "able",
    "ally",
    "fully",
    "ity",
    "heid",
    "heden",
    "lijk",
    "lijke",
    "tie",
    "ties",
    "ende",
    "ected",
    "oped",
    "uced",
    "ated",
    "ized",
    "ised",
    "erde",
    "ende",
    "edly",
    "ously",
    "baar",
    "matig",
)


@dataclass(frozen=True, slots=True)
class Name:
    """A word that names something; ``initial`` when only its place explains its capital."""

    text: str
    start: int
    identifier: bool
    initial: bool = False

    @property
    def key(self) -> str:
        """The name folded, without a possessive ending."""
        return _POSSESSIVE.sub("", fold(self.text))


def find_names(text: str) -> tuple[Name, ...]:
    """Names and identifiers in reading order; plain numbers and dates are none."""
    found: list[Name] = []
    for match in _TOKEN.finditer(text):
        word = match[0]
        initial = _OPENING.search(text[: match.start()][-40:]) is not None
        if _is_identifier(word):
            found.append(Name(word, match.start(), identifier=True))
        elif _is_capitalised(word) and not _in_date(text, match):
            found.append(Name(word, match.start(), identifier=False, initial=initial))
    return tuple(_drop_ordinary(found, text))


def name_pattern(name: Name) -> re.Pattern[str]:
    """Matches the name in folded text however its parts are set apart: ``rs485``, ``rs 485``."""
    return _build_pattern(name.text)


@lru_cache(maxsize=4096)
def _build_pattern(text: str) -> re.Pattern[str]:
    key = _POSSESSIVE.sub("", fold(text))
    forms = EQUIVALENTS.get(key, frozenset({key}))
    parts = [r"[\W_]*".join(_PART.findall(form)) for form in sorted(forms)]
    ending = r"(?:'?s)?" if not key[-1:].isdigit() else ""
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(parts)}){ending}(?![^\W_])")


def is_mentioned_in(name: Name, folded: str) -> bool:
    """True when the folded text holds the name."""
    return name_pattern(name).search(folded) is not None


def is_ordinary(name: Name, vocabulary: Collection[str]) -> bool:
    """True for a capital at a sentence's start that names nothing: a known or function word."""
    key = name.key
    return name.initial and (
        key in vocabulary or key in ENGLISH or key in DUTCH or _has_word_ending(key)
    )


def _has_word_ending(word: str) -> bool:
    return word in NUMBER_WORDS or (len(word) >= 6 and word.endswith(_WORD_ENDINGS))


def _is_identifier(word: str) -> bool:
    letters = [character for character in word if character.isalpha()]
    if not letters:
        return False
    if any(character.isdigit() for character in word):
        # "24-hour", "3.3V" and "5th" start with a number that is checked as a quantity.
        return not re.match(r"\d+(?:[.,]\d+)*-?(?:[^\W\d_]{2,}|[VAWsmhgKNJFHL%])$", word)
    capitals = sum(character.isupper() for character in word)
    return capitals >= 2 and (capitals == len(letters) or not word[0].isupper() or _has_humps(word))


def _has_humps(word: str) -> bool:
    return re.search(r"[a-z][A-Z]", word) is not None or re.match(r"[A-Z]{2,}", word) is not None


def _is_capitalised(word: str) -> bool:
    key = fold(word)
    return word[0].isupper() and key not in _CAPITALISED_WORDS and len(key) > 1


def _in_date(text: str, match: re.Match[str]) -> bool:
    if fold(match[0]) not in MONTHS:
        return False
    before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip(". ")
    return before[-1:].isdigit() or after[:1].isdigit()


def _drop_ordinary(names: list[Name], text: str) -> list[Name]:
    # "Jan Jansen" at the start of a sentence: the second capital makes the first a name.
    settled: list[Name] = []
    for at, name in enumerate(names):
        following = names[at + 1] if at + 1 < len(names) else None
        end = name.start + len(name.text)
        joined = (
            following is not None
            and not following.identifier
            and text[end : following.start].strip() == ""
            and name.key not in ENGLISH | DUTCH
        )
        initial = name.initial and not joined
        if name.identifier or initial or name.key not in ENGLISH | DUTCH:
            settled.append(Name(name.text, name.start, name.identifier, initial))
    return settled
