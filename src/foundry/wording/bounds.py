"""The words before a number that make it a bound: "at least 5 V", "no more than 2 A", "meer dan 8 uur"."""

from __future__ import annotations

import re

STRICT = 2
"""The size of a bound that leaves the number itself out ("more than")."""

_TAIL = r"\s*(?:of |van )?$"
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
    (STRICT, rf"\b(?:{_MORE}|{_EXCEEDING})|>"),
    (-STRICT, rf"\b{_LESS}|<"),
    (1, _LEAST),
    (-1, _MOST),
)
_PATTERNS = tuple(
    (bound, re.compile(f"(?:{words}){_TAIL}", re.IGNORECASE)) for bound, words in _BOUNDS
)
_CURRENCY = re.compile(r"[€$£]\s?$")


def find_bound(before: str) -> int:
    """The bound that stands at the end of a text: positive upwards, ±2 strictly, 0 for none."""
    plain = _CURRENCY.sub("", before)
    return next((bound for bound, pattern in _PATTERNS if pattern.search(plain)), 0)


def bounds_agree(claim: int, source: int) -> bool:
    """Whether a number with the source's bound carries the same number with the claim's.

    "At least 5" is carried by "5"; "more than 5" only by another bound upwards.
    """
    return claim * source > 0 if abs(claim) == STRICT else claim * source >= 0
