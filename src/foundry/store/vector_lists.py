"""Sorts vectors into lists of near ones, so that a search of a large index reads only some lists.

K-means runs in two steps: for groups, then for lists within each group. Then every vector goes to the
nearest list of its nearest few groups; without that last step a search has to read twice as many
vectors for the same hits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from foundry.ports import Vectors
from foundry.store.text_ranking import Integers

LIST = 160
"""Average number of vectors in a list, half of it where lists are made for several levels. A guess: longer lists are fewer to choose from, shorter ones
have fewer vectors to read in vain."""

_GROUPS = 4
"""Each vector is compared with the lists of so many groups."""
_LARGEST = 16
"""A list has at most so many times the average."""
_ROUNDS = 8
_SAMPLE = 64
"""Vectors per list in the sample that k-means sees."""
_AT_ONCE = 1 << 13

_Numbers = npt.NDArray[np.int32]

Read = Callable[[Integers], Vectors]
"""Returns the vectors at some places, with length 1."""


def sort_vectors(read: Read, number: int, length: int) -> list[Integers]:
    """Return the places of each list's vectors, ascending; equal vectors give equal lists.

    ``length`` is the average of a list.
    """
    rng = np.random.default_rng(0)
    every = np.arange(number)
    count = max(1, number // length)
    groups = _find_middles(read, every, max(1, round(count**0.5)), rng)
    nearest = _rank_groups(read, number, groups)
    middles = [
        _find_middles(read, own, -(-len(own) // length), rng)
        for own in _split(nearest[:, 0], len(groups))
        if len(own)
    ]
    filled = np.unique(nearest[:, 0])
    lists = _assign(read, nearest, dict(zip(filled.tolist(), middles, strict=True)))
    found = _split(lists, int(lists.max(initial=0)) + 1)
    return [part for own in found if len(own) for part in _cut(own, length)]


def _cut(own: Integers, length: int) -> list[Integers]:
    """Return a list in parts that are quick to write again, such as one of many equal vectors."""
    return np.array_split(own, -(-len(own) // (_LARGEST * length)))


def _find_middles(read: Read, places: Integers, count: int, rng: np.random.Generator) -> Vectors:
    """Return the means of ``count`` groups of near vectors, by Lloyd's algorithm on a sample."""
    if len(places) > count * _SAMPLE:
        places = np.sort(rng.choice(places, count * _SAMPLE, replace=False))
    vectors = read(places)
    middles = vectors[rng.choice(len(vectors), count, replace=False)]
    for _ in range(_ROUNDS):
        nearest = np.concatenate([s.argmax(axis=1) for s in _compare(vectors, middles)])
        for number, own in enumerate(_split(nearest, count)):
            if len(own):
                middles[number] = vectors[own].mean(axis=0)
    return middles


def _rank_groups(read: Read, number: int, groups: Vectors) -> _Numbers:
    """Return the nearest groups of each vector, nearest first."""
    most = min(_GROUPS, len(groups))
    found = np.empty((number, most), dtype=np.int32)
    for first in range(0, number, _AT_ONCE):
        (scores,) = _compare(read(np.arange(first, min(first + _AT_ONCE, number))), groups)
        near = np.argpartition(-scores, most - 1, axis=1)[:, :most]
        order = np.argsort(-np.take_along_axis(scores, near, axis=1), axis=1, kind="stable")
        found[first : first + len(near)] = np.take_along_axis(near, order, axis=1)
    return found


def _assign(read: Read, nearest: _Numbers, middles: dict[int, Vectors]) -> _Numbers:
    """Return the number of each vector's nearest list, among those of its nearest groups."""
    best = np.full(len(nearest), -np.inf, dtype=np.float32)
    lists = np.zeros(len(nearest), dtype=np.int32)
    first = 0
    for group, own in middles.items():
        places = np.flatnonzero((nearest == group).any(axis=1))
        for start in range(0, len(places), _AT_ONCE):
            part = places[start : start + _AT_ONCE]
            (scores,) = _compare(read(part), own)
            chosen = scores.argmax(axis=1)
            reached = scores[np.arange(len(part)), chosen]
            nearer = reached > best[part]
            best[part[nearer]] = reached[nearer]
            lists[part[nearer]] = first + chosen[nearer]
        first += len(own)
    return lists


def _compare(vectors: Vectors, middles: Vectors) -> Iterator[Vectors]:
    """Yield, for some vectors at a time, a score of each middle; a nearer middle scores higher."""
    halves = np.einsum("ij,ij->i", middles, middles) / 2
    for first in range(0, len(vectors), _AT_ONCE):
        yield vectors[first : first + _AT_ONCE] @ middles.T - halves


def _split(owners: Integers | _Numbers, count: int) -> list[Integers]:
    """Return the places of each of ``count`` owners, ascending."""
    order = np.argsort(owners, kind="stable")
    return np.split(order, np.cumsum(np.bincount(owners, minlength=count))[:-1])
