"""Finds texts that add nothing to another one.

A text repeats another only if the other contains every run of three of its words. Two revisions
of a sheet that differ in one value, or in one "not", are therefore never duplicates; a copy, and
the overlap of neighbouring chunks, always are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from foundry.analysis.folding import fold

_WORD = re.compile(r"\w+(?:[.,:/-]\w+)*|[%°€$£≥≤<>±−-](?=\w)|[%°]")
# Words: the shortest run in which one changed word is noticed on either side.
_RUN = 3


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The runs of three folded words of a text; one shorter run if it has fewer words."""

    runs: frozenset[tuple[str, ...]]


def list_words(text: str) -> list[str]:
    """The words, numbers and signs of a folded text."""
    return _WORD.findall(text)


def compute_fingerprint(text: str) -> Fingerprint:
    """The runs of words of a text, for ``is_repeat``."""
    words = list_words(fold(text))
    size = min(_RUN, len(words))
    if size == 0:
        return Fingerprint(frozenset())
    return Fingerprint(
        frozenset(tuple(words[start : start + size]) for start in range(len(words) - size + 1))
    )


def is_repeat(later: Fingerprint, earlier: Fingerprint) -> bool:
    """Whether ``later`` adds nothing to ``earlier``."""
    return bool(later.runs) and later.runs <= earlier.runs
