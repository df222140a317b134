"""The segments of the text index: where terms occur in up to 16,384 chunks, written once.

A posting says that a chunk has a term, in two bytes: the chunk's place in the segment, and a kind.
Most chunks have a term once or twice and not in the title; for the others the weight is stored apart.

A chunk that is written again is also in a newer segment, and the newest counts. A removed chunk stays
until its segment is merged. Every saved source makes a segment, and small ones are merged while
writing, as in a log-structured merge tree. In PostgreSQL all chunks of a segment have the same level,
for row-level security, and a segment that may still be merged is a single row.
"""

from __future__ import annotations

import hashlib
import itertools
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreCorrupt
from foundry.store.relational.database import Transaction
from foundry.store.rows import encode_json
from foundry.store.text_ranking import (
    WEIGHTS,
    Integers,
    Numbers,
    Terms,
)

Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint16]
Packed = npt.NDArray[Any]
"""Integers of the smallest type that holds them, since all chunks are in memory."""

MOST_CHUNKS = 1 << 14
"""Most chunks in a segment: a place and a kind share 16 bits."""
MOST_SMALL = 32
"""So many segments that are not full may exist before some are merged. A guess: each costs a search
one seek per term."""

MOST_SEGMENTS = 16
"""Most segments in a volume. A guess: with fewer there are more volumes, each a seek for a search;
with more, each full segment is written to more pages."""

TITLED = 3
"""The kind of a posting whose term is in the title; 0 and 1 are weights of 1 and 2, 2 any other."""
_APART = 2
"""The bit of the kinds whose weight is stored apart."""
_HEAVIEST = (1 << 16) - 1
_ROW, _LENGTH, _CODE = np.dtype("<i8"), np.dtype("<i4"), np.dtype("<u2")


@dataclass(frozen=True)
class SegmentPostings:
    """The postings of one segment: ``counts`` says how many each term has, ``apart`` are weights.

    Terms are in the order of their code points.
    """

    terms: list[str]
    counts: Integers
    codes: Codes
    apart: Codes

    def weights(self) -> Numbers:
        """Return the total weight of each posting's occurrences."""
        return unpack_weights(self.codes, self.apart, find_heavy(self.codes))

    def digest(self) -> bytes:
        """Return a hash of everything."""
        made = hashlib.blake2b("\n".join(self.terms).encode(), digest_size=16)
        for part in (self.counts, self.codes, self.apart):
            made.update(part.astype(_ROW if part is self.counts else _CODE).tobytes())
        return made.digest()

    def pack(self) -> bytes:
        """Return everything packed for one row."""
        parts = (
            "\n".join(self.terms).encode(),
            self.counts.astype(_LENGTH).tobytes(),
            self.codes.astype(_CODE).tobytes(),
            self.apart.astype(_CODE).tobytes(),
        )
        return np.array([len(part) for part in parts], dtype=_ROW).tobytes() + b"".join(parts)

    @cached_property
    def ends(self) -> Integers:
        """Where the postings of each term end."""
        return np.cumsum(self.counts)

    @cached_property
    def aparts(self) -> Integers:
        """By posting: how many earlier postings have a weight stored apart."""
        return np.concatenate(([0], np.cumsum((self.codes & _APART) != 0)))

    def find(self, term: str) -> tuple[bytes, bytes]:
        """Return a term's codes and its weights stored apart, as in a row of ``postings``."""
        at = bisect_left(self.terms, term)
        if at == len(self.terms) or self.terms[at] != term:
            return b"", b""
        end = int(self.ends[at])
        start = end - int(self.counts[at])
        first, last = self.aparts[start], self.aparts[end]
        return self.codes[start:end].tobytes(), self.apart[first:last].tobytes()


@dataclass(frozen=True, slots=True)
class IndexSegment:
    """A segment's chunks by place: row numbers, and how many terms each has."""

    rows: Integers
    lengths: Integers
    postings: SegmentPostings


def unpack_weights(codes: Packed, apart: Codes, heavy: Integers) -> Numbers:
    """Return the total weight of each posting's occurrences; ``heavy`` is of ``find_heavy``."""
    weights = ((codes & 3) + 1).astype(np.float64)
    weights[heavy] = apart
    return weights


def find_heavy(codes: Packed) -> Integers:
    """Return the places of the postings whose weight is stored apart."""
    return np.flatnonzero((codes & _APART) != 0)


def find_weights(codes: Packed, apart: Codes, heavy: Integers, at: Integers) -> Numbers:
    """Return the weights of only the postings at some places; ``heavy`` is of ``find_heavy``."""
    weights = ((codes[at] & 3) + 1).astype(np.float64)
    stored = (codes[at] & _APART) != 0
    weights[stored] = apart[np.searchsorted(heavy, at[stored])]
    return weights


# Making


def build(rows: Sequence[tuple[int, Terms]]) -> IndexSegment:
    """Return a segment of chunks, given with their row numbers."""
    numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    said: list[int] = []
    sizes: list[int] = []
    for _, terms in rows:
        for field in (terms.title, terms.headings, terms.body):
            names = field.split()
            said += map(numbers.__getitem__, names)
            sizes.append(len(names))
    fields = np.repeat(np.arange(len(sizes)), sizes)
    keys = np.array(said, dtype=np.int64) * MOST_CHUNKS + fields // len(WEIGHTS)
    known, places = np.unique(keys, return_inverse=True)
    weights = np.bincount(places, WEIGHTS[fields % len(WEIGHTS)], len(known))
    titled = np.zeros(len(known), dtype=np.bool_)
    titled[places[fields % len(WEIGHTS) == 0]] = True
    made = pack_postings(list(numbers), *np.divmod(known, MOST_CHUNKS), weights, titled)
    lengths = np.array(sizes, dtype=np.int64).reshape(-1, len(WEIGHTS)).sum(axis=1)
    return IndexSegment(np.array([row for row, _ in rows]), lengths, made)


def merge(parts: Iterable[tuple[IndexSegment, Flags]]) -> IndexSegment:
    """Return one segment of the chunks that are still in use, in the order of the parts."""
    numbers: dict[str, int] = {}
    rows, lengths, found = [], [], []
    first = 0
    for segment, used in parts:
        kept = segment.postings
        own = [numbers.setdefault(term, len(numbers)) for term in kept.terms]
        places = kept.codes >> 2
        among = used[places]
        moved = np.cumsum(used) - 1 + first
        owners = np.repeat(np.array(own, dtype=np.int64), kept.counts)
        whole = (owners, moved[places], kept.weights(), (kept.codes & 3) == TITLED)
        found.append([part[among] for part in whole])
        rows.append(segment.rows[used])
        lengths.append(segment.lengths[used])
        first += int(np.count_nonzero(used))
    owners, places, weights, titled = map(np.concatenate, zip(*found, strict=True))
    made = pack_postings(list(numbers), owners, places, weights, titled)
    return IndexSegment(np.concatenate(rows), np.concatenate(lengths), made)


def pack_postings(
    names: list[str], owners: Packed, places: Any, weights: Any, titled: Flags
) -> SegmentPostings:
    """Return postings by term and place.

    ``owners`` are places in ``names``; within each owner, ``places`` ascend.
    """
    ranks = np.zeros(len(names), dtype=np.int64)
    ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    owners = ranks[owners]
    order = np.argsort(owners, kind="stable")
    weights = np.minimum(weights, _HEAVIEST).astype(_CODE)
    kinds = np.where(titled, TITLED, np.minimum(weights, 3) - 1)
    codes = (np.asarray(places, dtype=np.int64) * 4 + kinds).astype(_CODE)[order]
    counts = np.bincount(owners, minlength=len(names))
    terms = [term for term, number in zip(sorted(names), counts, strict=True) if number]
    return SegmentPostings(terms, counts[counts > 0], codes, weights[order][(codes & _APART) != 0])


# Reading and writing


def add_chunks(db: Transaction, rows: Sequence[tuple[int, Terms]], level: int = 0) -> None:
    """Write or replace chunks in the text index."""
    for first in range(0, len(rows), MOST_CHUNKS):
        write(db, build(rows[first : first + MOST_CHUNKS]), level=level)


def write(
    db: Transaction,
    segment: IndexSegment,
    *,
    number: int | None = None,
    volume: int | None = None,
    level: int = 0,
) -> None:
    """Add a segment, under the next number if it has none; a closed one has a volume."""
    rows, lengths = segment.rows.astype(_ROW), segment.lengths.astype(_LENGTH)
    whole = db.packs_segments and volume is None
    values = {
        "number": number,
        "volume": volume,
        "level": level,
        "size": len(rows),
        "closed": int(volume is not None),
        "chunks": rows.tobytes(),
        "lengths": lengths.tobytes(),
        "digest": segment.postings.digest(),
        "whole": segment.postings.pack() if whole else None,
    }
    number = int(db.value("add_segment", values))
    if not whole:
        db.run_many("add_postings", _split(volume or number, number, segment.postings))


def choose_volume(db: Transaction, number: int, level: int = 0) -> int:
    """Return the next full segment's volume: the latest, or a new one under the segment's number."""
    found = db.run("latest_volume", {"level": level}).fetchone()
    return int(found[0]) if found and found[1] < MOST_SEGMENTS else number


def unpack_postings(packed: bytes) -> SegmentPostings:
    """Return the postings packed by ``SegmentPostings.pack``."""
    sizes = np.frombuffer(packed, dtype=_ROW, count=4).cumsum() + 4 * _ROW.itemsize
    terms, counts, codes, apart = (
        packed[start:end] for start, end in itertools.pairwise([4 * _ROW.itemsize, *sizes.tolist()])
    )
    return SegmentPostings(
        terms.decode().split("\n") if terms else [],
        np.frombuffer(counts, dtype=_LENGTH).astype(np.int64),
        read_codes([codes]),
        read_codes([apart]),
    )


def _split(volume: int, number: int, postings: SegmentPostings) -> Iterator[tuple[Any, ...]]:
    ends, apart = postings.ends, postings.aparts
    codes, weights = postings.codes.tobytes(), postings.apart.tobytes()
    starts = ends - postings.counts
    spans = zip(starts, ends, apart[starts], apart[ends], strict=True)
    for term, (start, end, first, last) in zip(postings.terms, spans, strict=True):
        held = weights[2 * first : 2 * last] or None
        yield volume, term, number, codes[2 * start : 2 * end], held


def read_rows(rows: bytes) -> Integers:
    """Return the row numbers of a segment's chunks."""
    return np.frombuffer(rows, dtype=_ROW)


def read_codes(parts: Iterable[bytes | None]) -> Codes:
    """Return the codes, or the weights, of several rows as one array."""
    return np.frombuffer(b"".join(filter(None, parts)), dtype=_CODE)


def place_segments(db: Transaction, rows: Integers) -> tuple[dict[int, int], Packed]:
    """Return the first slot of each segment, and for each slot the place in ``rows`` of its chunk.

    The place is -1 if the chunk is not among ``rows``, or in a newer segment.
    """
    found = db.run("list_segments").fetchall()
    firsts, parts, taken = {}, [], np.zeros(len(rows) + 1, dtype=np.bool_)
    for _, packed in reversed(found):
        known = read_rows(packed)
        places = np.minimum(np.searchsorted(rows, known), len(rows) - 1)
        counts = (rows[places] == known) & ~taken[places] if len(rows) else known < 0
        taken[places[counts]] = True
        parts.append(np.where(counts, places, -1).astype(np.int32))
    first = 0
    for (number, _), part in zip(found, reversed(parts), strict=True):
        firsts[number] = first
        first += len(part)
    return firsts, np.concatenate([*reversed(parts), np.zeros(0, dtype=np.int32)])


def read(db: Transaction, number: int) -> IndexSegment:
    """Return a segment. Raises ``StoreCorrupt`` if it is not what was written."""
    rows, lengths, digest, whole = db.run("find_segment", (number,)).fetchone()
    try:
        postings = unpack_postings(whole) if whole else _read_postings(db, number)
        known = postings.digest()
    except (ValueError, LookupError):
        known = b""
    if known != digest:
        raise StoreCorrupt("store-text-index-damaged", cause=f"segment {number}")
    return IndexSegment(read_rows(rows), np.frombuffer(lengths, dtype=_LENGTH), postings)


def _read_postings(db: Transaction, number: int) -> SegmentPostings:
    found = db.run("segment_postings", (number,)).fetchall()
    terms, codes, apart = zip(*found, strict=True) if found else ((), (), ())
    counts = np.array([len(part) // 2 for part in codes], dtype=np.int64)
    return SegmentPostings(list(terms), counts, read_codes(codes), read_codes(apart))


# Merging


def tidy(db: Transaction, level: int = 0) -> None:
    """Merge small segments of a level if there are many, and close full ones."""
    found = db.run("open_segments", {"level": level}).fetchall()
    first, end = choose_merge([size for _, size in found])
    if end:
        filled = sum(size for _, size in found) > MOST_CHUNKS
        chosen = [number for number, _ in found[first:end]]
        volume = choose_volume(db, chosen[-1], level) if filled else None
        merge_segments(db, chosen, volume, level)
        if filled:
            _join_worn(db, level)


def choose_merge(sizes: Sequence[int]) -> tuple[int, int]:
    """Return which of the open segments, oldest first, to merge: the first, and the end of the range.

    The oldest are merged once all together fill a segment. Otherwise, once there are many, the newest
    are merged, back to the first older one that is larger than all of them together.
    """
    ends = np.cumsum(sizes)
    if len(sizes) and ends[-1] > MOST_CHUNKS:
        return 0, max(1, int(np.searchsorted(ends, MOST_CHUNKS, side="right")))
    if len(sizes) <= MOST_SMALL:
        return 0, 0
    first, total = len(sizes) - 1, sizes[-1]
    while first and (first == len(sizes) - 1 or sizes[first - 1] <= total):
        first -= 1
        total += sizes[first]
    return first, len(sizes)


def _join_worn(db: Transaction, level: int) -> None:
    """Merge the first two adjacent closed segments whose remaining chunks fit in one."""
    closed = [number for (number,) in db.run("closed_segments", {"level": level})]
    rows = np.array(db.run("chunk_numbers").fetchall(), dtype=np.int64).reshape(-1)
    firsts, at = place_segments(db, rows)
    numbers, ends = [*firsts], [*firsts.values(), len(at)][1:]
    used = {
        n: int(np.count_nonzero(at[firsts[n] : end] >= 0))
        for n, end in zip(numbers, ends, strict=True)
    }
    for pair in itertools.pairwise(closed):
        if sum(used[number] for number in pair) <= MOST_CHUNKS:
            merge_segments(db, pair, int(db.value("segment_volume", (pair[-1],))), level)
            return


def merge_segments(
    db: Transaction, numbers: Sequence[int], volume: int | None, level: int = 0
) -> None:
    """Merge adjacent segments, given oldest first, into one; with a volume, it is closed."""
    newer = [read_rows(rows) for (rows,) in db.run("newer_segments", (numbers[-1],))]
    parts: list[tuple[IndexSegment, Flags]] = []
    for number in reversed(numbers):
        segment = read(db, number)
        parts.append((segment, _find_used(db, segment, newer, level)))
        newer.append(segment.rows)
        remove(db, number)
    write(db, merge(reversed(parts)), number=numbers[-1], volume=volume, level=level)


def _find_used(
    db: Transaction, segment: IndexSegment, newer: Sequence[Integers], level: int
) -> Flags:
    """Return which of a segment's chunks exist at this level and are in no newer segment."""
    values = {"rows": encode_json(segment.rows.tolist()), "level": level}
    found = db.run("existing_chunks", values)
    used: Flags = np.isin(segment.rows, [row for (row,) in found])
    if newer:
        used &= ~np.isin(segment.rows, np.concatenate(newer))
    return used


def remove(db: Transaction, number: int) -> None:
    """Remove a segment."""
    db.run("remove_postings", (number,))
    db.run("remove_segment", (number,))
