"""Which of two sources that say the same is cited.

What a specification's hierarchy names comes first, in its order; then the newest revision; then
what is not put aside in a folder such as "archive". Nothing here says which one is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from foundry.analysis import fold
from foundry.analysis.lexer import LETTERS_AND_DIGITS
from foundry.craft.conflicts import find_preferred_revisions, find_unknown_patterns
from foundry.craft.conflicts.resolution import is_later, is_match
from foundry.lexicon import load_shared_lexicon
from foundry.records import Source

SourceRank = tuple[int, int, int, int]
"""Place in the hierarchy, whether a later revision comes first, how many sources of the same title are
newer, whether it is put aside."""


@dataclass(frozen=True, slots=True)
class SourceOrder:
    """The order of some sources; ``newer`` has the id of the revision that comes before each.

    ``ages`` has how many sources of its title are newer: minutes have one title too and supersede
    nothing, but of the same words the newest are cited.
    """

    patterns: tuple[str, ...]
    newer: Mapping[str, str]
    ages: Mapping[str, int]

    def rank(self, source: Source) -> SourceRank:
        """The rank of a source: the lower, the better."""
        places = (n for n, pattern in enumerate(self.patterns) if is_match(source.path, pattern))
        place = next(places, len(self.patterns))
        outdated, age = int(source.id in self.newer), self.ages.get(source.id, 0)
        return place, outdated, age, int(is_set_aside(source.path))


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
    newer = {old: new.id for old, new in preferred.items()}
    return SourceOrder(patterns, newer, _count_newer(known))


def _count_newer(sources: Iterable[Source]) -> dict[str, int]:
    dated: dict[str, list[Source]] = defaultdict(list)
    for source in sources:
        if source.revision_date:
            dated[fold(source.title)].append(source)
    return {
        source.id: sum(is_later(other, source) is True for other in same)
        for same in dated.values()
        for source in same
    }


_ASIDE = load_shared_lexicon().revisions.aside_folders


def is_set_aside(path: str) -> bool:
    """Whether a file is in a folder such as "archive", "old" or "consultation", at any depth."""
    folders = PurePosixPath(fold(path)).parts[:-1]
    return any(not _ASIDE.isdisjoint(LETTERS_AND_DIGITS.findall(folder)) for folder in folders)
