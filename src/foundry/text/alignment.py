"""Aligns two sentences word by word: what both have in the same order, and the gaps between.

A global alignment (Needleman and Wunsch, 1970) of words and quantities that rewards matches next
to each other. What a gap means is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from foundry.analysis import analyse, fold
from foundry.text.lines import ParsedLine
from foundry.text.quantities import Quantity, is_same_quantity

_TOKEN = re.compile(r"[^\W_]+(?:[.,:'’/+-]+[^\W_]+)*|[%‰°€$£±≤≥<>]")
# Relative to a content word's weight of 1. Both are guesses: a function word should never outweigh
# a content word, and a run of matches should win over the same words scattered.
_FUNCTION_WORD_WEIGHT = 0.3
_ADJACENCY_BONUS = 0.25
# Letters that the forms of one name share; a guess.
_MIN_STEM = 4


@dataclass(frozen=True, slots=True)
class AlignmentToken:
    """A word, or a quantity with its unit, from ``start`` to ``end`` of its text.

    ``key`` is its stem, or the folded word for a function word, which weighs less.
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
        return is_letter or any(character.isdigit() for character in self.text)

    def may_abbreviate(self, other: AlignmentToken) -> bool:
        """Whether one word may be short for the other or a form of it: "Theo" and "Theodore"."""
        a, b = self.folded, other.folded
        size = 3 if min(len(a), len(b)) <= 3 else _MIN_STEM
        return a[:size] == b[:size] or (size == 3 and a[:1] == b[:1])


@dataclass(frozen=True, slots=True)
class Gap:
    """Unmatched words of the claim and of the source in the same place; either may be empty.

    ``before`` and ``after`` are the matched words on either side, "" at the end of a text.
    """

    claim: tuple[AlignmentToken, ...]
    source: tuple[AlignmentToken, ...]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Alignment:
    """How much of a claim a source has, 0–1 of the claim's weight, and the gaps.

    ``share`` counts every word that occurs in the source in order. ``same`` is True if both texts
    have the same words throughout.
    """

    share: float
    gaps: tuple[Gap, ...]
    same: bool


def align(claim: ParsedLine, sources: Sequence[ParsedLine], language: str) -> Alignment:
    """Aligns a claim with consecutive lines of a source."""
    ours = tokenize_line(claim, language)
    theirs = tuple(token for line in sources for token in tokenize_line(line, language))
    pairs = _match_tokens(ours, theirs)
    total = sum(token.weight for token in ours) or 1.0
    matched = sum(ours[index].weight for index, _ in pairs)
    gaps = tuple(_find_gaps(ours, theirs, pairs))
    return Alignment(matched / total, gaps, bool(pairs) and not gaps)


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
            tokens.append(AlignmentToken(words, quantity.start, taken, "", 1.0, quantity))
        else:
            key, weight = _compute_key(match[0], language)
            tokens.append(AlignmentToken(match[0], match.start(), match.end(), key, weight))
    return tuple(tokens)


@lru_cache(maxsize=8192)
def _compute_key(word: str, language: str) -> tuple[str, float]:
    if any(character.isdigit() for character in word):
        return re.sub(r"[\W_]", "", fold(word)), 1.0
    stems = analyse(word, language)
    if len(stems) == 1:
        return stems[0], 1.0
    return fold(word), 1.0 if stems else _FUNCTION_WORD_WEIGHT


def _find_matches(
    token: AlignmentToken, index: Mapping[str, Sequence[int]], theirs: Sequence[AlignmentToken]
) -> set[int]:
    """Where the other text has this word, or a quantity that confirms this one; from 1."""
    positions = index.get(token.key, ())
    if token.quantity is None:
        return set(positions)
    return {
        position
        for position in positions
        if _is_same_token_quantity(token.quantity, theirs[position - 1])
    }


def _is_same_token_quantity(quantity: Quantity, token: AlignmentToken) -> bool:
    return token.quantity is not None and is_same_quantity(quantity, token.quantity)


def _match_tokens(
    ours: Sequence[AlignmentToken], theirs: Sequence[AlignmentToken]
) -> list[tuple[int, int]]:
    """Matched positions, by dynamic programming over (best so far, best that ends in a match)."""
    columns = len(theirs) + 1
    index: dict[str, list[int]] = {}
    for column, token in enumerate(theirs, 1):
        index.setdefault(token.key, []).append(column)
    nothing = [-1.0] * columns
    best, ending = [[0.0] * columns], [nothing]
    for token in ours:
        above, ended = best[-1], ending[-1]
        places = _find_matches(token, index, theirs)
        # A word that the other text lacks changes nothing, and most words are such.
        row, ends = above, nothing
        if places:
            row, ends = [0.0] * columns, [-1.0] * columns
            for column in range(1, columns):
                value = max(above[column], row[column - 1])
                if column in places:
                    ends[column] = token.weight + max(
                        above[column - 1], ended[column - 1] + _ADJACENCY_BONUS
                    )
                    value = max(value, ends[column])
                row[column] = value
        best.append(row)
        ending.append(ends)
    return _trace_back(best, ending)


def _trace_back(
    best: Sequence[Sequence[float]], ending: Sequence[Sequence[float]]
) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    i, j = len(best) - 1, len(best[0]) - 1
    must = False
    while i and j:
        if must or ending[i][j] >= best[i][j]:
            pairs.append((i - 1, j - 1))
            must = ending[i - 1][j - 1] + _ADJACENCY_BONUS > best[i - 1][j - 1]
            i, j = i - 1, j - 1
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def _find_gaps(
    ours: Sequence[AlignmentToken],
    theirs: Sequence[AlignmentToken],
    pairs: Sequence[tuple[int, int]],
) -> list[Gap]:
    gaps = []
    edges = [(-1, -1), *pairs, (len(ours), len(theirs))]
    for (i, j), (k, m) in pairwise(edges):
        claim, source = tuple(ours[i + 1 : k]), tuple(theirs[j + 1 : m])
        if claim or source:
            before = ours[i].text if i >= 0 else ""
            gaps.append(Gap(claim, source, before, ours[k].text if k < len(ours) else ""))
    return gaps
