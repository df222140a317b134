"""Sketches: small samples of texts that allow comparing any two without reading them again.

A sketch holds the smallest hashes of a text's runs of four words (Broder, "On the Resemblance and
Containment of Documents", 1997), so texts that share a run tend to sample the same one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice

import numpy as np

from foundry.analysis.folding import fold
from foundry.analysis.near_duplicates import list_words

_RUN = 4
_SIZE = 200
"""Hashes in a sketch: enough to estimate shares to within 0.07 in 95 of 100 cases."""
NEARLY_IDENTICAL = 0.8
"""Least share of their runs that two nearly identical texts have in common. Chosen on exports of 60 pages
of documentation from ten projects, where 0.7 to 0.8 found all pairs. On 150 pages from 44 others, each as
Markdown, DOCX, PDF with a footer and with added lines, it found all 900 pairs and nothing else."""
_MOST_WITH_ONE = 40
"""Up to this many sketches that share a hash are all paired; in larger groups each is paired with its
neighbours only. Such a hash is boilerplate, or the group is one family, which neighbours link too."""
_NEIGHBOURS = 8

Hashes = np.ndarray[tuple[int], np.dtype[np.uint64]]


@dataclass(frozen=True, slots=True)
class Likeness:
    """Share of runs of words that two texts have in common, from 0 to 1.

    ``both`` is relative to all their runs, ``of_shorter`` to those of the shorter text.
    """

    both: float
    of_shorter: float


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """A sorted sample of hashes, and the number of distinct runs it was drawn from."""

    hashes: Hashes
    runs: int

    def pack(self) -> bytes:
        """Serialise the sketch; the result does not depend on the machine's byte order."""
        numbers = np.concatenate([np.array([self.runs], dtype="<u8"), self.hashes.astype("<u8")])
        return bytes(numbers.tobytes())

    @classmethod
    def unpack(cls, packed: bytes) -> Sketch:
        """Restore a sketch from the bytes of ``pack``."""
        numbers = np.frombuffer(packed, dtype="<u8")
        return cls(numbers[1:].astype(np.uint64), int(numbers[0]))


def compute_sketch(text: str) -> Sketch:
    """Return the sketch of a text. Fewer than four words count as one run."""
    words = list_words(fold(text))
    if not words:
        return Sketch(np.zeros(0, dtype=np.uint64), 0)
    each = np.fromiter(map(_hash_word, words), dtype=np.uint64, count=len(words))
    size = min(_RUN, len(words))
    runs = np.zeros(len(words) - size + 1, dtype=np.uint64)
    for place in range(size):
        runs = _mix(runs * np.uint64(31) + each[place : place + len(runs)])
    distinct = np.unique(runs)
    return Sketch(distinct[:_SIZE].copy(), len(distinct))


@lru_cache(maxsize=1 << 16)
def _hash_word(word: str) -> int:
    data = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def _mix(numbers: Hashes) -> Hashes:
    """Spread each bit over all of them (the finalizer of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def compare_sketches(one: Sketch, other: Sketch) -> Likeness:
    """Return how much two texts share; an estimate if they are long."""
    if not one.runs or not other.runs:
        return Likeness(0.0, 0.0)
    ours, theirs = one.hashes, other.hashes
    # Nothing is known of a text beyond the last hash of its sample.
    ends = [s.hashes[-1] for s in (one, other) if s.runs > len(s.hashes)]
    if ends:
        ours, theirs = (
            hashes[: np.searchsorted(hashes, min(ends), "right")] for hashes in (ours, theirs)
        )
    shared = len(np.intersect1d(ours, theirs, assume_unique=True))
    both = shared / (len(ours) + len(theirs) - shared)
    common = both / (1 + both) * (one.runs + other.runs)
    return Likeness(both, min(1.0, common / min(one.runs, other.runs)))


def is_nearly_identical(one: Sketch, other: Sketch) -> bool:
    """Whether two texts hardly differ: one document in two formats, or with another footer."""
    return compare_sketches(one, other).both >= NEARLY_IDENTICAL


def find_nearly_identical(own: Sketch, sketches: Mapping[str, Sketch]) -> list[str]:
    """The keys of the sketches of texts that are nearly identical to one."""
    if not sketches:
        return []
    keys, samples = list(sketches), [sketch.hashes for sketch in sketches.values()]
    lengths = np.array([len(sample) for sample in samples])
    owners = np.repeat(np.arange(len(keys)), lengths)
    shared = np.bincount(owners[np.isin(np.concatenate(samples), own.hashes)], minlength=len(keys))
    # Comparing two takes a tenth of a millisecond. Those alike share this part of the smaller sample.
    least = np.maximum(1, NEARLY_IDENTICAL * np.minimum(lengths, len(own.hashes)))
    near = np.flatnonzero(shared >= least)
    return [keys[at] for at in near if is_nearly_identical(own, sketches[keys[at]])]


def find_alike(sketches: Mapping[str, Sketch], least: int = 2) -> Iterator[tuple[str, str]]:
    """Yield each pair of keys whose sketches share at least ``least`` hashes."""
    keys, counts = sorted(sketches), Counter[tuple[str, str]]()
    for members in _list_sharing([sketches[key].hashes for key in keys]):
        counts.update(_pair([keys[member] for member in members]))
    for pair, number in counts.items():
        if number >= min(least, *(len(sketches[key].hashes) for key in pair)):
            yield pair


def _list_sharing(samples: Sequence[Hashes]) -> Iterator[list[int]]:
    """Yield, for each hash that occurs in several samples, the indices of these samples."""
    if not samples:
        return
    every = np.concatenate(samples)
    order = np.argsort(every, kind="stable")
    owners = np.repeat(np.arange(len(samples)), [len(sample) for sample in samples])[order]
    starts = np.flatnonzero(np.diff(every[order], prepend=every[order][:1] + np.uint64(1)))
    ends = np.append(starts[1:], len(every))
    for start, end in zip(starts[ends - starts > 1], ends[ends - starts > 1], strict=True):
        yield owners[start:end].tolist()


def _pair(keys: list[str]) -> Iterator[tuple[str, str]]:
    if len(keys) <= _MOST_WITH_ONE:
        yield from combinations(keys, 2)
        return
    for place, key in enumerate(keys):
        yield from ((key, other) for other in islice(keys, place + 1, place + 1 + _NEIGHBOURS))
