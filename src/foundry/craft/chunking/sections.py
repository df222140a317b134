"""Pieces → groups: the stretches of a document that are chunked independently.

An edit changes the group it falls in, at most the ones beside it, and no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise

from foundry.craft.chunking.pieces import INSIDE, Piece

_RADIUS = 3
"""Least length of a part of a long group, in full chunks."""


def split_groups(pieces: Sequence[Piece], least: int, most: int) -> list[tuple[int, int]]:
    """Index ranges of groups, in order, covering all pieces.

    A top section of at least ``least`` tokens is a group of its own; smaller
    neighbours share one. A group that stays below ``least`` takes in what follows; the
    last one joins the group before. Long groups are parted at anchors.
    """
    groups: list[tuple[int, int]] = []
    sizes: list[int] = []
    open_run = False
    for first, last in _sections(pieces):
        size = sum(piece.tokens for piece in pieces[first:last])
        large = size >= least
        if groups and (sizes[-1] < least or (open_run and not large)):
            groups[-1] = (groups[-1][0], last)
            sizes[-1] += size
        else:
            groups.append((first, last))
            sizes.append(size)
        open_run = not large
    if len(groups) > 1 and sizes[-1] < least:
        (first, _), (_, last) = groups[-2:]
        groups[-2:] = [(first, last)]
    return [part for group in groups for part in _part(pieces, *group, _RADIUS * most)]


def _sections(pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    """Index ranges of top sections; one without a body belongs to the next.

    A top section is one of the shallowest heading level that occurs twice.
    """
    top = _top_level(pieces)
    starts = [0] if pieces else []
    bodied = False
    for at, piece in enumerate(pieces):
        heading = piece.block.kind == "heading"
        if heading and bodied and (piece.block.level or 6) <= top:
            starts.append(at)
            bodied = False
        bodied = bodied or not heading
    if len(starts) > 1 and not bodied:
        starts.pop()
    return list(pairwise([*starts, len(pieces)]))


def _top_level(pieces: Sequence[Piece]) -> int:
    blocks = {piece.block.start: piece.block for piece in pieces}
    levels = Counter(block.level or 6 for block in blocks.values() if block.kind == "heading")
    repeated = [level for level, times in levels.items() if times > 1]
    return min(repeated or levels, default=0)


def _part(pieces: Sequence[Piece], first: int, last: int, radius: int) -> list[tuple[int, int]]:
    """The group parted at its anchors.

    An anchor is the best place (by rank, then hash) within ``radius`` tokens on either
    side. Where it lies depends on those words alone, so it survives edits elsewhere.
    """
    ahead = _reach(pieces, range(first, last))
    behind = _reach(pieces, range(last - 1, first - 1, -1))
    anchors = [
        at
        for at in range(first + 1, last)
        if pieces[at].rank < INSIDE
        and ahead[at - first] >= radius
        and behind[last - 1 - at] >= radius
    ]
    return list(pairwise([first, *anchors, last]))


def _reach(pieces: Sequence[Piece], order: range) -> list[int]:
    """Tokens from each piece, in ``order``, to the next better place or to the end."""
    sums = [0, *accumulate(pieces[at].tokens for at in order)]
    reach = [0] * len(order)
    waiting: list[int] = []
    for nth, at in enumerate(order):
        while waiting and _place(pieces[at]) < _place(pieces[order[waiting[-1]]]):
            held = waiting.pop()
            reach[held] = sums[nth] - sums[held]
        waiting.append(nth)
    for held in waiting:
        reach[held] = sums[-1] - sums[held]
    return reach


def _place(piece: Piece) -> tuple[int, int, int]:
    return piece.rank, piece.key, piece.start
