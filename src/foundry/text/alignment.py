"""Aligns two sentences word by word: what both have in the same order, and the gaps between.

The longest run of words that both have comes first, then the longest on either side of it. What a
gap means is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from foundry.analysis import analyse, fold
from foundry.analysis.lexer import has_digit
from foundry.text.lines import ParsedLine
from foundry.text.quantities import Quantity

_TOKEN = re.compile(r"[^\W_]+(?:[.,:'’/+-]+[^\W_]+)*|[%‰°€$£±≤≥<>]")
_MIN_STEM = 3
"""Letters that the forms of one name share. From 3 to 6 the labelled pairs of sources keep all figures."""


@dataclass(frozen=True, slots=True)
class AlignmentToken:
    """A word, or a quantity with its unit, from ``start`` to ``end`` of its text.

    ``key`` is its stem, that of a quantity, or the folded word for a function word, which weighs nothing.
    """

    text: str
    start: int
    end: int
    key: str
    weight: float
    quantity: Quantity | None = None

    @property
    def folded(self) -> str:
        """The word in lower case without accents."""
        return fold(self.text)

    @property
    def is_code(self) -> bool:
        """Whether it is a code: "RS-485", "J3", the "B" of "Rev. B", but not an opening "A"."""
        if self.quantity is not None:
            return False
        is_letter = self.text.isupper() and len(self.text) == 1 and self.start > 0
        return is_letter or has_digit(self.text)

    def may_abbreviate(self, other: AlignmentToken) -> bool:
        """Whether one word may be short for the other or a form of it: "Theo" and "Theodore"."""
        a, b = self.folded, other.folded
        size = 1 if min(len(a), len(b)) <= _MIN_STEM else _MIN_STEM
        return a[:size] == b[:size]


@dataclass(frozen=True, slots=True)
class Gap:
    """Unmatched words of both texts in the same place; either may be empty.

    ``before`` and ``after`` are the matched words on either side, "" at the end of a text.
    """

    ours: tuple[AlignmentToken, ...]
    theirs: tuple[AlignmentToken, ...]
    before: str
    after: str


def align(ours: Sequence[AlignmentToken], theirs: Sequence[AlignmentToken]) -> tuple[Gap, ...]:
    """The places where two texts differ; none if they have the same words throughout."""
    matcher = SequenceMatcher(
        None, [token.key for token in ours], [token.key for token in theirs], autojunk=False
    )
    return tuple(
        Gap(
            tuple(ours[i:j]),
            tuple(theirs[k:m]),
            ours[i - 1].text if i else "",
            ours[j].text if j < len(ours) else "",
        )
        for kind, i, j, k, m in matcher.get_opcodes()
        if kind != "equal"
    )


@lru_cache(maxsize=4096)
def tokenize_line(line: ParsedLine, language: str) -> tuple[AlignmentToken, ...]:
    """The words of a line, each quantity as one token; a row is read column by column."""
    if line.columns:
        return tuple(token for part in line.columns for token in tokenize_line(part, language))
    tokens: list[AlignmentToken] = []
    taken = 0
    for match in _TOKEN.finditer(line.text):
        if match.end() <= taken:
            continue
        # "-5" begins before its digits; "E1.31" does not begin with a number.
        quantity = next((q for q in line.quantities if q.start <= match.start() < q.end), None)
        if quantity is not None:
            taken = max(quantity.end, match.end())
            words = line.text[quantity.start : quantity.end]
            tokens.append(AlignmentToken(words, quantity.start, taken, quantity.key, 1.0, quantity))
        else:
            key, weight = _compute_key(match[0], language)
            tokens.append(AlignmentToken(match[0], match.start(), match.end(), key, weight))
    return tuple(tokens)


@lru_cache(maxsize=8192)
def _compute_key(word: str, language: str) -> tuple[str, float]:
    if has_digit(word):
        return re.sub(r"[\W_]", "", fold(word)), 1.0
    stems = analyse(word, language)
    if len(stems) == 1:
        return stems[0], 1.0
    return fold(word), 1.0 if stems else 0.0
