"""Sort vectors into lists of near ones, which a search of a large index reads instead of all.

K-means in two steps: groups, and lists within each. Then every vector goes to the nearest list of the
nearest few groups: without that last step a search needs twice as many vectors for the same hits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from foundry.ports import Vectors
from foundry.store.text_ranking import Integers

LIST = 160
"""Vectors in a list, on average; a guess between fewer lists to read and fewer to choose from."""

_GROUPS = 4
"""Of so many groups the lists are compared with each vector."""
_ROUNDS = 8
_SAMPLE = 64
"""Vectors of each list that k-means sees."""
_AT_ONCE = 1 << 13

Read = Callable[[Integers], Vectors]
"""Vectors of length 1 by place."""


def sort_vectors(read: Read, number: int) -> list[Integers]:
    """The places of each list's vectors, ascending; the same for the same vectors."""
    rng = np.random.default_rng(0)
    every = np.arange(number)
    count = max(1, number // LIST)
    groups = _find_middles(read, every, max(1, round(count**0.5)), rng)
    nearest = _rank_groups(read, number, groups)
    middles = [
        _find_middles(read, own, -(-len(own) // LIST), rng)
        for own in _split(nearest[:, 0], len(groups))
        if len(own)
    ]
    filled = np.unique(nearest[:, 0])
    lists = _assign(read, nearest, dict(zip(filled.tolist(), middles, strict=True)))
    return [own for own in _split(lists, int(lists.max(initial=0)) + 1) if len(own)]


def _find_middles(read: Read, places: Integers, count: int, rng: np.random.Generator) -> Vectors:
    """The means of ``count`` groups of near vectors, by Lloyd's algorithm on a sample."""
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


def _rank_groups(read: Read, number: int, groups: Vectors) -> Integers:
    """The nearest groups of each vector, the nearest first."""
    most = min(_GROUPS, len(groups))
    found = []
    for first in range(0, number, _AT_ONCE):
        (scores,) = _compare(read(np.arange(first, min(first + _AT_ONCE, number))), groups)
        near = np.argpartition(-scores, most - 1, axis=1)[:, :most]
        order = np.argsort(-np.take_along_axis(scores, near, axis=1), axis=1, kind="stable")
        found.append(np.take_along_axis(near, order, axis=1))
    return np.concatenate(found)


def _assign(read: Read, nearest: Integers, middles: dict[int, Vectors]) -> Integers:
    """The number of the nearest list of each vector, among those of its nearest groups."""
    best = np.full(len(nearest), -np.inf, dtype=np.float32)
    lists = np.zeros(len(nearest), dtype=np.int64)
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
    """For some vectors at a time, a number for each middle that falls with its distance."""
    halves = np.einsum("ij,ij->i", middles, middles) / 2
    for first in range(0, len(vectors), _AT_ONCE):
        yield vectors[first : first + _AT_ONCE] @ middles.T - halves


def _split(owners: Integers, count: int) -> list[Integers]:
    """The places that each of a ``count`` of owners has, ascending."""
    order = np.argsort(owners, kind="stable")
    return np.split(order, np.cumsum(np.bincount(owners, minlength=count))[:-1])
