"""Groups sources that are revisions of one document into chains, oldest first.

Two sources are revisions of one document if their names are equal apart from marks, dates and versions,
if they share enough words, and if a printed mark or a version in the path tells which is later. A date
alone is not enough: the minutes of several meetings have one name too. Sources whose marks, versions and
dates contradict each other are left unordered. What people say of two sources outranks all of this.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from itertools import combinations
from pathlib import PurePosixPath

from foundry.craft.conflicts.resolution import (
    compare_dates,
    compare_marks,
    has_same_name,
    is_about_same,
)
from foundry.records import RevisionLink, Source

LEAST_SHARED = 0.5
"""Least share of the runs of words of the shorter of two revisions that the other has. Chosen on the
documentation of ten Python packages in three versions each, where 0.4 (precision .889, recall .983) and
0.5 (.893, .978) are equal in F1; the stricter, because what is superseded is not searched. Of 44 other
packages (645 pairs): .937 and .964; of the 625 pairs that versions in paths order none is wrong."""
_MOST_MEMBERS = 500
"""Largest group that is ordered, since every two of its sources are compared. A guess."""
_VERSION = re.compile(r"(?<![^\W_])v?(\d+(?:\.\d+)+|(?<=v)\d+)(?![^\W_])", re.IGNORECASE)

Step = tuple[Source, ...]
"""Sources that are one and the same revision, such as a PDF and the file it was made from."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """Chains, oldest revision first, and the pairs whose facts contradict each other."""

    chains: tuple[tuple[Step, ...], ...]
    doubts: tuple[tuple[Source, Source], ...]


def is_same_document(one: Source, other: Source, shared: float) -> bool:
    """Whether two sources are revisions of one document, by name and by the share of their words."""
    if shared < LEAST_SHARED or is_about_same(one, other) is False:
        return False
    return has_same_name(one, other) or compare_versions(one, other) is not None


def compare_versions(one: Source, other: Source) -> int | None:
    """1 if ``one`` has the later version in its path, -1, or 0; None if more than versions differ."""
    (rest, ours), (other_rest, theirs) = _split_versions(one.path), _split_versions(other.path)
    if rest != other_rest or not ours:
        return None
    return (ours > theirs) - (ours < theirs)


@lru_cache(maxsize=20_000)
def _split_versions(path: str) -> tuple[str, tuple[tuple[int, ...], ...]]:
    """A path without its suffix and versions, and these versions."""
    stem = PurePosixPath(path).with_suffix("").as_posix()
    versions = (tuple(map(int, found.split("."))) for found in _VERSION.findall(stem))
    return _VERSION.sub("\0", stem), tuple(versions)


def compare_order(one: Source, other: Source) -> int | None:
    """1 if ``one`` is the later revision, -1, 0 if both are the same one; None if nothing decides."""
    mark, version, day = _compare_facts(one, other)
    known = [sign for sign in (mark, version) if sign is not None]
    if not known or {1, -1} <= {mark, version, day}:
        return None
    return next((sign for sign in known if sign), 0)


def has_doubt(one: Source, other: Source) -> bool:
    """Whether marks, versions and dates disagree on which of two revisions is later."""
    return {1, -1} <= {*_compare_facts(one, other)}


def _compare_facts(one: Source, other: Source) -> tuple[int | None, int | None, int | None]:
    """How the marks, the versions and the dates of two sources compare."""
    return compare_marks(one, other), compare_versions(one, other), compare_dates(one, other)


def find_chains(
    sources: Iterable[Source], pairs: Iterable[tuple[Source, Source]], links: Iterable[RevisionLink]
) -> Recognised:
    """Return the chains of ``sources``; each of ``pairs`` consists of revisions of one document."""
    groups, doubts = _Groups(), []
    for one, other in pairs:
        if compare_order(one, other) is not None:
            groups.join(one.id, other.id)
        elif has_doubt(one, other):
            doubts.append((one, other))
    members: dict[str, list[Source]] = defaultdict(list)
    known = list(sources)
    for source in known:
        members[groups.find(source.id)].append(source)
    chains = [list(chain) for group in members.values() for chain in _split_group(group)]
    chains = apply_links(chains, sorted(links, key=lambda link: link.created))
    return Recognised(tuple(map(tuple, chains)), tuple(doubts))


class _Groups:
    """Union-find over ids."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def find(self, key: str) -> str:
        while (parent := self._parents.get(key, key)) != key:
            self._parents[key] = key = self._parents.get(parent, parent)
        return key

    def join(self, one: str, other: str) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self._parents[second] = first


def _split_group(group: Sequence[Source]) -> list[list[Step]]:
    """Return one chain of the sources that can be ordered, and each of the others alone."""
    if len(group) == 1 or len(group) > _MOST_MEMBERS:
        return [[(source,)] for source in group]
    open_: dict[str, set[str]] = {source.path: set() for source in group}
    for one, other in combinations(group, 2):
        if compare_order(one, other) is None:
            open_[one.path].add(other.path)
            open_[other.path].add(one.path)
    left = {source.path: source for source in group}
    while any(open_[path] & left.keys() for path in left):
        del left[max(left, key=lambda path: (len(open_[path] & left.keys()), path))]
    chain = _sort(list(left.values()))
    alone = [source for source in group if source.path not in left]
    return [*([chain] if chain else [[(one,)] for one in left.values()]), *([(s,)] for s in alone)]


def _sort(sources: Sequence[Source]) -> list[Step]:
    """Return the steps of a chain, oldest first; none if the order is circular."""

    def compare(one: Source, other: Source) -> int:
        return compare_order(one, other) or 0

    ordered = sorted(sorted(sources, key=lambda one: one.path), key=cmp_to_key(compare))
    if any(compare(one, other) > 0 for one, other in combinations(ordered, 2)):
        return []
    steps: list[Step] = []
    for source in ordered:
        if steps and compare(steps[-1][0], source) == 0:
            steps[-1] += (source,)
        else:
            steps.append((source,))
    return steps


def apply_links(chains: Sequence[list[Step]], links: Iterable[RevisionLink]) -> list[list[Step]]:
    """Return the chains with people's links applied in turn, so that later ones win."""
    found = [*chains]
    for link in links:
        places = {
            source.path: (chain, at)
            for chain in found
            for at, step in enumerate(chain)
            for source in step
        }
        if link.newer not in places or link.older not in places:
            continue
        (new, new_at), (old, old_at) = places[link.newer], places[link.older]
        if new is old:
            cut = _relink(new, new_at, old_at) if link.linked else _cut(new, link, new_at, old_at)
            found = [chain for chain in found if chain is not new] + cut
        elif link.linked:
            rest = [chain for chain in found if chain is not new and chain is not old]
            found = [*rest, old[: old_at + 1] + new[new_at:], new[:new_at], old[old_at + 1 :]]
        found = [chain for chain in found if chain]
    return found


def _relink(chain: list[Step], new: int, old: int) -> list[list[Step]]:
    if new > old:
        return [chain]
    moved = [step for at, step in enumerate(chain) if at != new]
    moved.insert(old, chain[new])
    return [moved]


def _cut(chain: list[Step], link: RevisionLink, new: int, old: int) -> list[list[Step]]:
    at = max(new, old)
    if new != old:
        return [chain[:at], chain[at:]]
    out = tuple(source for source in chain[at] if source.path == link.newer)
    rest = tuple(source for source in chain[at] if source.path != link.newer)
    return [[*chain[:at], rest, *chain[at + 1 :]], [out]]


def place_sources(
    chains: Iterable[Sequence[Step]], links: Iterable[RevisionLink]
) -> Mapping[str, tuple[str, int]]:
    """Map source ids to their chain, named after its first member, and their place in it.

    A source alone has no chain, unless a person unlinked it: a chain of its own keeps it from being
    taken for a revision by its name.
    """
    unlinked = {path for link in links if not link.linked for path in (link.newer, link.older)}
    places: dict[str, tuple[str, int]] = {}
    for chain in chains:
        first = chain[0][0]
        named = len(chain) > 1 or any(source.path in unlinked for source in chain[0])
        for at, step in enumerate(chain):
            for source in step:
                places[source.id] = (first.id, at) if named else ("", 0)
    return places
