"""Whether a text says anything that another does not: near-duplicates without false friends.

A text repeats another only if every run of three of its words stands there. Two
revisions of a sheet that differ in one value, or in one "not", are never taken
for one; a copy, and the overlap of neighbouring chunks, always are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from foundry.analysis import fold

_WORD = re.compile(r"\w+(?:[.,:/-]\w+)*|[%°€$£≥≤<>±−-](?=\w)|[%°]")
_RUN = 3


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A text's words, folded, in runs of three (of all where there are fewer)."""

    runs: frozenset[tuple[str, ...]]


def compute_fingerprint(text: str) -> Fingerprint:
    """The text's runs of words, for ``is_repeat``."""
    words = _WORD.findall(fold(text))
    size = min(_RUN, len(words))
    if size == 0:
        return Fingerprint(frozenset())
    return Fingerprint(
        frozenset(tuple(words[at : at + size]) for at in range(len(words) - size + 1))
    )


def is_repeat(later: Fingerprint, earlier: Fingerprint) -> bool:
    """True when ``later`` adds nothing to ``earlier``."""
    return bool(later.runs) and later.runs <= earlier.runs
