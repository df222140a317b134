"""Amounts as people repeat them: rounded, in another scale, without the sign or the unit of a table.

``is_same_quantity`` is exact. Here a number counts as given wherever a reader could have got it
from, so that only a number that nobody could have read in the text is called missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.quantities import Quantity, is_same_quantity

COUNTED = 20
"""A whole number in words up to this may count what a text lists ("three techniques"). A guess."""

_SPREAD = frozenset({"%", "EUR", "USD", "GBP"})
"""Dimensions whose signs tables print once for many values, which gives some of them to others."""

_DEGREES = frozenset({"°", "°C"}), frozenset({"°", "°F"})
_LETTERS = {"k": 1e3, "m": 1e6, "b": 1e9}

_WORDS = load_shared_lexicon().numbers
# A scale that follows no number is that of a table or of amounts around it: "(in millions)".
_SCALE = re.compile(
    rf"(?<![\d.,])(?<![\d.,][ \t\u00a0])\b({build_alternation(_WORDS.multipliers)})(?:s|en)?\b"
    r"|(?<![\w.,])x\s?(?:[€$£]\s?)?(1)[.,]000\b",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    rf"\b(?:in|x)\s(?:[€$£]\s?)?(?:{build_alternation(_WORDS.multipliers)}|1[.,]000)", re.IGNORECASE
)
_HEDGE = re.compile(rf"\b{build_alternation(_WORDS.approximate)}\W{{0,3}}$", re.IGNORECASE)
_DIGITS = re.compile(r"\d[\d.,]*")


@lru_cache(maxsize=512)
def find_scales(text: str) -> tuple[float, ...]:
    """The scales that a text gives for bare numbers: 1 and 1e6 for "(in millions)".

    A text that names none may have lost its caption, so all of them are possible.
    """
    words = {match[1].lower() if match[1] else "" for match in _SCALE.finditer(text)}
    known = {_WORDS.multipliers.get(word, 1e3) for word in words}
    return (1.0, *sorted(known or set(_WORDS.multipliers.values())))


ALL_SCALES = (1.0, *sorted(set(_WORDS.multipliers.values())))
"""Every scale that a table may have."""


def names_scale(text: str) -> bool:
    """Whether a text gives a scale for bare numbers."""
    return _SCALE.search(text) is not None


def has_scale_caption(text: str) -> bool:
    """Whether a text says what its numbers are in: "in millions", "x 1,000"."""
    return _CAPTION.search(text) is not None


def may_state(source: Quantity, claim: Quantity, text: str, scales: Collection[float]) -> bool:
    """Whether a reader of ``source`` could write ``claim``, a part of ``text``.

    ``scales`` are those of numbers without one, from ``find_scales``.
    """
    if is_same_quantity(claim, source):
        return True
    if claim.kind != "number" or source.kind != "number":
        return _strip_words(claim.text) == _strip_words(source.text) != ""
    if claim.dimension and source.dimension and claim.dimension != source.dimension:
        both = {claim.dimension, source.dimension}
        if not _are_degrees(both) and (_has_own_unit(source) or not both <= _SPREAD):
            return False
    elif claim.dimension and claim.dimension == source.dimension:
        scale = max(claim.values) / (max(claim.bare) or 1.0)
        step = _find_step(claim, text) * abs(scale)
        if _is_any_near(claim.values, source.values, (1.0,), step):
            return True
        if claim.values != claim.bare or source.values != source.bare:
            return False
    # A share has no scale, even under "in millions".
    factors = list(scales) if _is_bare(source) and claim.dimension != "%" else [1.0]
    # "1.8 to 2 billion"
    factors += [1 / scale for scale in _WORDS.multipliers.values()] if _is_bare(claim) else []
    return _is_any_near(claim.bare, source.bare, factors, _find_step(claim, text))


def is_given(source: Quantity, claim: Quantity, scales: Collection[float]) -> bool:
    """Whether ``source`` is the number of the claim: the same, or money or a share of a table."""
    if is_same_quantity(claim, source):
        return True
    both = {claim.dimension, source.dimension}
    loose = both <= _SPREAD | {""} or _are_degrees(both)
    return loose and claim.bound * source.bound >= 0 and may_state(source, claim, "", scales)


def _are_degrees(dimensions: Collection[str]) -> bool:
    """Whether dimensions may be degrees of one kind, which is left out in one place."""
    return any(kind.issuperset(dimensions) for kind in _DEGREES)


def is_written_in(claim: Quantity, text: str) -> bool:
    """Whether the digits occur in a text: spaced, in a date or code, with a letter ("150K")."""
    parts = re.split(r"\s*[.,:]\s*", _strip_words(claim.text))
    if not parts[0]:
        return False
    forms = [r"\s?[.,:]\s?".join(map(re.escape, parts))]
    for letter, factor in _LETTERS.items():
        forms += [rf"{re.escape(f'{value / factor:g}')}\s?{letter}\b" for value in claim.bare]
    return re.search(rf"(?<![\d.,])(?i:{'|'.join(forms)})(?!\d|[.,]\d)", text) is not None


def may_count(claim: Quantity) -> bool:
    """Whether the number may count things that a text lists without the number."""
    worded = not _DIGITS.search(claim.text)
    return worded and not claim.dimension and max(claim.bare, default=COUNTED + 1) <= COUNTED


def _is_any_near(
    ours: Iterable[float], theirs: Iterable[float], factors: Iterable[float], step: float
) -> bool:
    known = [abs(value * factor) for value in theirs for factor in factors]
    return any(_is_near(abs(own), value, step) for own in ours for value in known)


def _is_near(own: float, value: float, step: float) -> bool:
    """Whether a finer value is the same when it is written with this step."""
    if abs(own - value) <= 1e-9 * max(own, value):
        return True
    # A value with no more digits is another one: 24 is no rounded 25.
    finer = step > 0 and abs(value / step - round(value / step)) > 1e-6
    return finer and -step / 2 <= value - own < step


def _find_step(claim: Quantity, text: str) -> float:
    """The last place of the number as written; of a hedged number, its last digit that is not 0."""
    match = _DIGITS.search(claim.text)
    if match is None or not claim.bare:
        return 0.0
    digits = match[0].rstrip(".,")
    plain = re.sub(r"[.,]", "", digits)
    value = max(abs(own) for own in claim.bare)
    unit = value / int(plain) if int(plain) else 0.0
    hedged = claim.bound or _HEDGE.search(text[: claim.start])
    # The last nought of "56.0" is exact.
    whole = not re.search(r"[.,]\d{1,2}$", digits)
    zeros = len(plain) - len(plain.rstrip("0")) if hedged and whole else 0
    return float(unit * 10**zeros)


def _is_bare(quantity: Quantity) -> bool:
    return re.search(r"[^\W\d_]", quantity.text) is None


def _has_own_unit(quantity: Quantity) -> bool:
    return quantity.end - quantity.start > len(quantity.text)


def _strip_words(text: str) -> str:
    return re.sub(r"^\D*|\D*$", "", text)
