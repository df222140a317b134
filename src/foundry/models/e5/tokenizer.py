"""The tokenizer of the built-in model: SentencePiece's unigram model over 250,002 pieces.

A text is normalised character by character, runs of spaces become one, and each word, with the
mark "▁" before it, is cut into the pieces with the highest sum of scores (Kudo, 2018). A
character without a piece is one unknown token. No piece has the mark inside, so words are cut
one by one and remembered.

Pieces are looked up by their first characters: only the groups that a text needs are read,
which takes milliseconds where a table of all pieces would take a tenth of a second and 40 MB.
"""

from __future__ import annotations

import re
from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from foundry.models.e5.weights import UNKNOWN, Bytes, E5Weights

_MARK = "\u2581"
_SPACES = re.compile(" {2,}")
_LONGEST = 16
"""Characters of the longest piece."""
_UNKNOWN_PENALTY = 10.0
"""Below the lowest score, as in SentencePiece."""
_MOST_WORDS = _MOST_GROUPS = 50_000
"""Remembered at once, so that memory stays below 20 MB (a guess)."""
_BEGINNING, _KEY = 4, 8
"""Characters by which pieces are looked up, and bytes of each piece that are sorted. With two
characters, "▁s" alone has thousands."""

Keys = npt.NDArray[np.uint64]
Order = npt.NDArray[np.int32]


class PieceTokenizer:
    """Text → tokens; threads may share it."""

    def __init__(self, weights: E5Weights, keys: Keys, order: Order) -> None:
        """``keys`` and ``order`` are ``index_pieces`` of the same weights."""
        self._normal_forms = weights.normal_forms
        # A single number is read much faster from a view than from an array.
        self._keys, self._order = keys.data, order.data
        self._text, self._starts = weights.piece_bytes.data, weights.piece_starts.data
        self._scores = weights.scores.data
        self._unknown = float(weights.scores.min()) - _UNKNOWN_PENALTY
        self._words: dict[str, tuple[int, ...]] = {}
        self._groups: dict[str, dict[str, tuple[int, float]]] = {}

    def split_text(self, text: str) -> list[int]:
        """Tokens of a text, without ``<s>`` and ``</s>``."""
        normal = _SPACES.sub(" ", text.translate(self._normal_forms))
        tokens: list[int] = []
        for word in normal.replace(" ", _MARK).removeprefix(_MARK).split(_MARK):
            known = self._words.get(word)
            tokens += self._remember_word(word) if known is None else known
        return tokens

    def _remember_word(self, word: str) -> tuple[int, ...]:
        if len(self._words) >= _MOST_WORDS:
            self._words = {}
        found = self._words[word] = tuple(self._split_word(_MARK + word))
        return found

    def _split_word(self, word: str) -> list[int]:
        """Viterbi's algorithm; of equal sums the one whose last piece begins first wins."""
        best = [0.0] + [-np.inf] * len(word)
        steps = [(0, UNKNOWN)] * (len(word) + 1)
        for start in range(len(word)):
            so_far = best[start]
            for end in range(start + 1, min(len(word), start + _LONGEST) + 1):
                group = self._find_group(word[start : min(end, start + _BEGINNING)])
                piece = group.get(word[start:end])
                if piece is not None and so_far + piece[1] > best[end]:
                    best[end], steps[end] = so_far + piece[1], (start, piece[0])
            if so_far + self._unknown > best[start + 1]:
                best[start + 1], steps[start + 1] = so_far + self._unknown, (start, UNKNOWN)
        tokens, end = [], len(word)
        while end:
            end, token = steps[end]
            tokens.append(token)
        return tokens[::-1]

    def _find_group(self, beginning: str) -> dict[str, tuple[int, float]]:
        """The piece that is exactly this, or all that begin so, with token and score.

        All for ``_BEGINNING`` characters, which are few.
        """
        group = self._groups.get(beginning)
        if group is None:
            if len(self._groups) >= _MOST_GROUPS:
                self._groups = {}
            group = self._groups[beginning] = self._read_group(beginning)
        return group

    def _read_group(self, beginning: str) -> dict[str, tuple[int, float]]:
        key = beginning.encode("utf-8", "replace")[:_KEY]
        last = key.ljust(_KEY, b"\xff" if len(beginning) == _BEGINNING else b"\0")
        begin = bisect_left(self._keys, int.from_bytes(key.ljust(_KEY, b"\0")))
        end = bisect_left(self._keys, int.from_bytes(last) + 1, begin)
        group: dict[str, tuple[int, float]] = {}
        for token in self._order[begin:end]:
            if token != UNKNOWN:
                start, stop = self._starts[token], self._starts[token + 1]
                group[str(self._text[start:stop], "utf-8")] = token, self._scores[token]
        return group


def index_pieces(weights: E5Weights) -> tuple[Keys, Order]:
    """The pieces in the order of their first bytes, and those as sorted numbers."""
    text: Bytes = np.concatenate((weights.piece_bytes, np.zeros(_KEY, np.uint8)))
    starts = weights.piece_starts.astype(np.int64)
    lengths, starts = np.diff(starts), starts[:-1]
    keys = np.zeros(len(starts), dtype=np.uint64)
    for place in range(_KEY):
        byte = np.where(place < lengths, text[starts + place], 0).astype(np.uint64)
        keys |= byte << np.uint64(8 * (_KEY - 1 - place))
    order = np.argsort(keys, kind="stable").astype(np.int32)
    return keys[order], order
