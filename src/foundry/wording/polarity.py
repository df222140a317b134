"""What turns a statement round: negations, and words that mean the contrary of each other.

Works on folded words of Dutch and English, in any mixture. It knows cues, not
grammar: the scope of a negation is the clause that it stands in.
"""

from __future__ import annotations

import re

from foundry.analysis import fold
from foundry.wording.rivals import CONTRARIES

NEGATIONS = frozenset(
    [
        "no",
        "not",
        "never",
        "none",
        "nor",
        "neither",
        "nothing",
        "nobody",
        "nowhere",
        "without",
        "cannot",
        "can't",
        "won't",
        "don't",
        "doesn't",
        "didn't",
        "isn't",
        "aren't",
        "wasn't",
        "weren't",
        "shouldn't",
        "mustn't",
        "couldn't",
        "wouldn't",
        "hasn't",
        "haven't",
        "hadn't",
        "needn't",
        "niet",
        "geen",
        "nooit",
        "niets",
        "niks",
        "niemand",
        "nergens",
        "zonder",
        "noch",
        "evenmin",
        "geenszins",
        "nicht",
        "kein",
        "keine",
        "keinen",
        "keiner",
        "nie",
        "ohne",
        "ne",
        "jamais",
        "sans",
        "aucun",
        "aucune",
    ]
)
"""Words that deny their clause, folded, with a plain apostrophe."""

_DENYING_WORDS = """
fail fails failed failure lack lacks lacking absent absence prevent prevents prevented avoid
avoids refuse refuses refused deny denies denied forbid forbids forbidden prohibit prohibits
prohibited exclude excludes excluded except rarely seldom hardly barely few little only unless
rather instead however although but stop stops stopped cease ceased lose loses lost remove
removed reject rejects rejected impossible illegal less least free contrary unlike until minor
verboden mislukt faalt ontbreekt ontbreken gebrek voorkomt voorkomen vermijd vermijden weigert
weiger uitgezonderd behalve zelden nauwelijks weinig alleen slechts tenzij maar echter anders
verloren verwijderd onmogelijk minder vrij stopt gestopt kapot defect onvoldoende
"""
_DENYING = frozenset(_DENYING_WORDS.split())
_DENYING_SHAPE = re.compile(
    r"(?:un|in|im|ir|il|dis|mis|non|on)[a-z]{4,}|[a-z]{3,}(?:less|loos|loze)$"
)
_LEAST_WORDS = 3
_WORD = re.compile(r"\w+(?:'\w+)?")
_NO_DENIAL = re.compile(
    r"\b(?:no|not|niet) (?:more|less|fewer|later|earlier|higher|lower|meer|minder|later|eerder|hoger"
    r"|lager) (?:than|dan)\b|\bnot only\b|\bniet alleen\b|\b(?:or|of) (?:not|niet)\b|\bwith or without\b|\bmet of zonder\b|\bno ?\. ?(?=\d)|\bno (?=\d)"
)
_CLAUSE = re.compile(
    r"[;!?]\s|[.]\s|\s\(|\)[\s,;.]|,\s|\s[-–—]\s|\s(?:but|however|while|whereas|although|though|because|unless|if"
    r"|and|maar|echter|terwijl|hoewel|omdat|tenzij|indien|als|en|doch)\s",
    re.IGNORECASE,
)


def words(text: str) -> list[str]:
    """The folded words of a text, contractions in one piece."""
    return _WORD.findall(fold(text))


def is_negated(text: str) -> bool:
    """True when an odd number of negations stands in the text; two cancel out.

    "Not more than" is a bound, and "not only" an assertion: neither counts.
    """
    told = words(_NO_DENIAL.sub(" ", fold(text)))
    return sum(word in NEGATIONS for word in told) % 2 == 1


def denies_within(text: str) -> bool:
    """True when a word of the text denies without being a negation: "fails", "unsafe", "verboden"."""
    return any(
        word in NEGATIONS or word in _DENYING or _DENYING_SHAPE.match(word) for word in words(text)
    )


def find_contrary(claim: str, source: str) -> tuple[str, str] | None:
    """A word of the claim whose contrary, but not itself, stands in the source."""
    known = set(words(source))
    for word in words(claim):
        if word in known:
            continue
        for contrary in sorted(CONTRARIES.get(word, frozenset()) & known):
            return word, contrary
    return None


def clauses(text: str) -> list[tuple[int, int]]:
    """Spans of the text's clauses, cut at commas, semicolons and conjunctions of clauses.

    Pieces of one or two words ("In 1973, …", "between 5 and 10") are no clauses:
    they stay with their neighbour.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in (*_CLAUSE.finditer(text), None):
        end = match.start() if match else len(text)
        # "2010, 2011 and 2012" is one thing.
        listed = match and text[:end].rstrip()[-1:].isdigit() and text[match.end() :][:1].isdigit()
        short = len(text[start:end].split()) < _LEAST_WORDS
        if match and (short or listed):
            continue
        if short and spans:
            spans[-1] = (spans[-1][0], end)
        elif text[start:end].strip():
            spans.append((start, end))
        start = match.end() if match else end
    return spans
