"""The parts of a compound word that stands in no chunk, where they stand in some.

Dutch and German write compounds as one word, and a question may join what the sources keep apart:
"trainingsproces" where they speak of a "proces" of "training". No dictionary is asked: a word
splits where both halves are words of the index. A word that some chunk has is never split: over
the data sets that cost as much as it gave (docs/evaluation.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from foundry.analysis.folding import fold
from foundry.analysis.terms import variants

Count = Callable[[Sequence[str]], Mapping[str, int]]
"""In how many chunks each term stands."""

SHORTEST_PART = 4
"""Letters: shorter ones are found in any word ("be" and "leid" in "beleid")."""

LONGEST_WORD = 50

FEWEST_CHUNKS = 2
"""That both parts must stand in: a word met once may be a misspelling."""

_JOINTS = ("", "s", "en", "e", "n")


def find_parts(word: str, languages: Sequence[str], count: Count) -> tuple[str, ...]:
    """The index terms of the two parts of a compound, or nothing; ``count`` is asked once.

    ``languages`` are those of the index. Of several splits the one whose rarer part is
    the most frequent is taken, then the one with the longer second part, the head.
    """
    splits = list(_splits(fold(word)))
    terms = {part: variants(part, languages) for split in splits for part in split}
    counts = count(sorted({term for found in terms.values() for term in found}))
    # A chunk has one language, so it has one of a part's variants.
    common = {part: sum(counts.get(term, 0) for term in found) for part, found in terms.items()}
    rarest = [min(common[first], common[head]) for first, head in splits]
    at = max(range(len(splits)), key=rarest.__getitem__, default=None)
    if at is None or rarest[at] < FEWEST_CHUNKS:
        return ()
    return tuple(dict.fromkeys(term for part in splits[at] for term in terms[part]))


def _splits(word: str) -> Iterator[tuple[str, str]]:
    """Every way to cut a word into a first part and a head, with and without a joint between."""
    if not word.isalpha() or len(word) > LONGEST_WORD:
        return
    for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
        for joint in _JOINTS:
            first = word[:at].removesuffix(joint)
            if len(first) >= SHORTEST_PART and word[:at].endswith(joint):
                yield first, word[at:]
