"""Which of two sources that say the same is cited.

What a specification's hierarchy names comes first, in its order; then the newest revision; then
what is not put aside in a folder such as "archive". Nothing here says which one is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from foundry.craft.conflicts import find_preferred_revisions, find_unknown_patterns
from foundry.craft.conflicts.resolution import is_match
from foundry.records import Source
from foundry.text.folders import is_set_aside

SourceRank = tuple[int, int, int]
"""Place in the hierarchy, whether a later revision comes first, whether it is put aside."""


@dataclass(frozen=True, slots=True)
class SourceOrder:
    """The order of some sources; ``newer`` has the id of the revision that comes before each."""

    patterns: tuple[str, ...]
    newer: Mapping[str, str]

    def rank(self, source: Source) -> SourceRank:
        """The rank of a source: the lower, the better."""
        places = (n for n, pattern in enumerate(self.patterns) if is_match(source.path, pattern))
        place = next(places, len(self.patterns))
        return place, int(source.id in self.newer), int(is_set_aside(source.path))


def order_sources(
    asked: str, sources: Iterable[Source], hierarchy: Sequence[str] = ()
) -> SourceOrder:
    """The order of ``sources`` for what is asked, which may name a revision.

    ``hierarchy`` are patterns of paths, the most trusted first; those that match none do not count.
    """
    known = list(sources)
    unknown = set(find_unknown_patterns(hierarchy, (source.path for source in known)))
    patterns = tuple(pattern for pattern in hierarchy if pattern not in unknown)
    preferred = find_preferred_revisions(asked, known)
    return SourceOrder(patterns, {old: new.id for old, new in preferred.items()})
