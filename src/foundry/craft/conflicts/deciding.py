"""Which side of a conflict holds: by the user's source hierarchy, else by the later revision.

The hierarchy is the user's word and goes before revisions. Where neither speaks, nothing
is decided, and the conflict says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Literal

from foundry.craft.conflicts.revising import are_revisions, describe, is_later
from foundry.records import Conflict, ConflictSide, Source


def supersede(conflicts: Iterable[Conflict], sources: Mapping[str, Source]) -> list[Conflict]:
    """The conflicts, those between revisions of one document marked; ``sources`` by path."""
    return [_superseded(conflict, sources) for conflict in conflicts]


def _superseded(conflict: Conflict, sources: Mapping[str, Source]) -> Conflict:
    ours, theirs = sources.get(conflict.a.source), sources.get(conflict.b.source)
    if ours is None or theirs is None or not are_revisions(ours, theirs):
        return conflict
    later = is_later(ours, theirs)
    if later is None:
        return conflict
    new, old = (ours, theirs) if later else (theirs, ours)
    rule = f"{describe(new)} follows {describe(old)}"
    return replace(conflict, holds="a" if later else "b", rule=rule, superseded=True)


def decide(
    conflicts: Sequence[Conflict], hierarchy: Sequence[str], paths: Iterable[str] = ()
) -> tuple[Conflict, ...]:
    """The conflicts with ``holds`` and ``rule`` set where the hierarchy tells the sides apart.

    ``hierarchy`` are patterns of source paths (``*`` and ``**`` match anything, ``/`` too; a name
    without a slash matches in any folder), the most trusted first. A source that no pattern
    matches comes last. A pattern that matches no source of ``paths`` (all of the project,
    where given) does not count.
    """
    known = set(paths)
    unknown = set(unknown_patterns(hierarchy, known)) if known else set()
    patterns = [pattern for pattern in hierarchy if pattern not in unknown]
    return tuple(_decided(conflict, patterns) for conflict in conflicts)


def unknown_patterns(hierarchy: Sequence[str], paths: Iterable[str]) -> tuple[str, ...]:
    """The patterns that match no source, in their order."""
    known = list(paths)
    return tuple(
        pattern for pattern in hierarchy if not any(matches(path, pattern) for path in known)
    )


def matches(path: str, pattern: str) -> bool:
    """True when the pattern names the path, a folder above it, or its file name."""
    plain = pattern.strip().removeprefix("./").rstrip("/")
    if not plain:
        return False
    name = path.rsplit("/", 1)[-1]
    loose = plain.replace("**/", "*")
    wholes = (plain, loose, f"{plain}/*", f"sources/{plain}", f"sources/{plain}/*")
    return any(fnmatchcase(path, whole) for whole in wholes) or (
        "/" not in plain and fnmatchcase(name, plain)
    )


def _decided(conflict: Conflict, patterns: Sequence[str]) -> Conflict:
    ranks = _rank(conflict.a, patterns), _rank(conflict.b, patterns)
    if ranks[0] == ranks[1]:
        return conflict
    holds: Literal["a", "b"] = "a" if ranks[0] < ranks[1] else "b"
    best, rest = min(ranks), max(ranks)
    below = patterns[rest] if rest < len(patterns) else "sources that it does not name"
    rule = f"source hierarchy: {patterns[best]} before {below}"
    if conflict.superseded and conflict.holds != holds:
        rule += f", although {conflict.rule}"
        return replace(conflict, holds=holds, rule=rule, superseded=False)
    if conflict.superseded:
        rule += f"; {conflict.rule}"
    return replace(conflict, holds=holds, rule=rule)


def _rank(side: ConflictSide, patterns: Sequence[str]) -> int:
    return next(
        (at for at, pattern in enumerate(patterns) if matches(side.source, pattern)), len(patterns)
    )
