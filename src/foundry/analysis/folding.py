"""Folds text for comparison: one form for letters that people write in several ways.

Offsets are not kept: a folded text may be longer or shorter than its source.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        **dict.fromkeys("‘’‚‛′ʼ´｀`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
    }
)
# Letters whose stroke or ligature Unicode does not decompose.
_STROKES = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)


def fold(text: str) -> str:
    """Lower case without diacritics, with plain quotes, dashes and ligatures.

    "Eén ‘Ähnlichkeit’ – ﬁjn" becomes "een 'ahnlichkeit' - fijn". Removes invisible characters
    (soft hyphens, joiners) and the vowel signs of Indic and Semitic scripts. Idempotent.
    """
    if text.isascii():
        return text.lower()
    # Character by character, which is quicker; only Korean letters form one with the next.
    return unicodedata.normalize("NFC", text.translate(_FOLDED))


def fold_in_place(text: str) -> str:
    """The folded text with each character in its place: one that would become several stays."""
    return text.lower() if text.isascii() else text.translate(_FOLDED_IN_PLACE)


class _Folded(dict[int, str]):
    """The folded form of each character that was met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_character(chr(code))
        return folded


class _FoldedInPlace(dict[int, str]):
    def __missing__(self, code: int) -> str:
        folded = _FOLDED[code]
        self[code] = kept = folded if len(folded) == 1 and chr(code).isalpha() else chr(code)
        return kept


_FOLDED, _FOLDED_IN_PLACE = _Folded(), _FoldedInPlace()


def _fold_character(char: str) -> str:
    decomposed = unicodedata.normalize("NFKD", char.translate(_PLAIN)).casefold()
    # Case folding can bring back composed letters, hence the second pass.
    decomposed = unicodedata.normalize("NFKD", decomposed)
    kept = strip_marks(decomposed).translate(_STROKES)
    return unicodedata.normalize("NFC", kept).translate(_PLAIN)


def normalise(text: str) -> str:
    """Compatibility forms (NFKC) with plain dashes and quotes; keeps case and accents."""
    if text.isascii():
        return text
    return strip_marks(unicodedata.normalize("NFKC", text.translate(_PLAIN))).translate(_PLAIN)


def strip_marks(text: str) -> str:
    """The text without combining marks and invisible format characters."""
    unwanted = {ord(char): None for char in set(text) if _is_mark(char)}
    return text.translate(unwanted) if unwanted else text


@lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf")
