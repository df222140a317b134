"""Samples of texts by which any two are compared without reading them again.

A sketch has the smallest hashes of a text's runs of four words (Broder, "On the Resemblance and
Containment of Documents", 1997): the same runs are sampled in every text that has them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from foundry.analysis.folding import fold
from foundry.analysis.near_duplicates import list_words

_RUN = 4
_SIZE = 200
"""Hashes of a sketch: shares are estimated to within 0.07 in 95 of 100 cases."""
NEARLY_IDENTICAL = 0.8
"""Share of all their runs that two nearly identical texts have in common. Chosen on exports of 60 pages
of documentation of ten projects (0.7 to 0.8 found all); of 150 pages of 44 others, each as Markdown, DOCX,
PDF with a footer and with lines between its own, it found all 900 pairs and nothing else."""
_MOST_WITH_ONE = 40
"""Sketches with one hash that are all compared with each other; of more, each with its neighbours.
What more texts share is boilerplate, or they are one family, which neighbours link too."""
_NEIGHBOURS = 8

Hashes = np.ndarray[tuple[int], np.dtype[np.uint64]]


@dataclass(frozen=True, slots=True)
class Likeness:
    """Shares of the runs of words of two texts, 0 to 1.

    ``both`` is the share that both have of all, ``of_shorter`` of those of the shorter text.
    """

    both: float
    of_shorter: float


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """The sorted sample, and of how many different runs it is."""

    hashes: Hashes
    runs: int

    def pack(self) -> bytes:
        """As bytes, in any order of bytes of the machine."""
        numbers = np.concatenate([np.array([self.runs], dtype="<u8"), self.hashes.astype("<u8")])
        return bytes(numbers.tobytes())

    @classmethod
    def unpack(cls, packed: bytes) -> Sketch:
        """The sketch that ``pack`` made these bytes of."""
        numbers = np.frombuffer(packed, dtype="<u8")
        return cls(numbers[1:].astype(np.uint64), int(numbers[0]))


def compute_sketch(text: str) -> Sketch:
    """The sample of a text; a text of fewer than four words has one of its words together."""
    words = list_words(fold(text))
    if not words:
        return Sketch(np.zeros(0, dtype=np.uint64), 0)
    numbers = {word: _hash_word(word) for word in set(words)}
    each = np.array([numbers[word] for word in words], dtype=np.uint64)
    size = min(_RUN, len(words))
    runs = np.zeros(len(words) - size + 1, dtype=np.uint64)
    for place in range(size):
        runs = _mix(runs * np.uint64(31) + each[place : place + len(runs)])
    distinct = np.unique(runs)
    return Sketch(distinct[:_SIZE].copy(), len(distinct))


def _hash_word(word: str) -> int:
    data = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def _mix(numbers: Hashes) -> Hashes:
    """The finalizer of SplitMix64: what differs in one bit differs in half of them."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def compare_sketches(one: Sketch, other: Sketch) -> Likeness:
    """How much of their words two texts share, estimated if they are long."""
    if not one.runs or not other.runs:
        return Likeness(0.0, 0.0)
    sample = np.union1d(one.hashes, other.hashes)
    shared = np.intersect1d(one.hashes, other.hashes, assume_unique=True)
    # Nothing is known of a text beyond the last hash of its sample.
    ends = [s.hashes[-1] for s in (one, other) if s.runs > len(s.hashes)]
    if ends:
        sample, shared = sample[sample <= min(ends)], shared[shared <= min(ends)]
    both = len(shared) / len(sample)
    common = both / (1 + both) * (one.runs + other.runs)
    return Likeness(both, min(1.0, common / min(one.runs, other.runs)))


def is_nearly_identical(one: Sketch, other: Sketch) -> bool:
    """Whether two texts differ in little: the same document in another format or with another footer."""
    return compare_sketches(one, other).both >= NEARLY_IDENTICAL


def find_nearly_identical(own: Sketch, sketches: Mapping[str, Sketch]) -> list[str]:
    """The keys of the sketches of texts that are nearly identical to one."""
    if not sketches:
        return []
    keys, samples = list(sketches), [sketch.hashes for sketch in sketches.values()]
    owners = np.repeat(np.arange(len(keys)), [len(sample) for sample in samples])
    # Most share no hash at all, and comparing two sketches takes a tenth of a millisecond.
    sharing = np.unique(owners[np.isin(np.concatenate(samples), own.hashes)])
    return [keys[at] for at in sharing if is_nearly_identical(own, sketches[keys[at]])]


def find_alike(sketches: Mapping[str, Sketch], least: int = 2) -> Iterator[tuple[str, str]]:
    """Pairs of keys whose sketches share at least so many hashes, each pair once."""
    keys, counts = sorted(sketches), Counter[tuple[str, str]]()
    for members in _list_sharing([sketches[key].hashes for key in keys]):
        counts.update(_pair([keys[member] for member in members]))
    for pair, number in counts.items():
        if number >= min(least, *(len(sketches[key].hashes) for key in pair)):
            yield pair


def _list_sharing(samples: Sequence[Hashes]) -> Iterator[list[int]]:
    """Of each hash that several samples have, their numbers; most hashes are of one alone."""
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
