"""Whether two sources are about one thing, by what their titles and file names print."""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePosixPath

from foundry.analysis import analyse, fold
from foundry.craft.conflicts.resolution import is_revision_of, remove_marks, strip_marks
from foundry.lexicon import load_shared_lexicon
from foundry.records import Source
from foundry.text.names import find_identifiers
from foundry.text.periods import find_periods, is_accounting

_TYPES = load_shared_lexicon().revisions.document_types


@lru_cache(maxsize=1024)
def is_about_same(one: Source, other: Source) -> bool | None:
    """Whether both are about one thing: True, False, or None if nothing printed says so.

    They are if one is a revision of the other, if they name the same type or product, or if one
    title says all that the other says ("Pump manual" and "Pump"). Types or organisations that
    differ are two things, and so are accounting periods.
    """
    if _find_periods(one) != _find_periods(other):
        return False
    if is_revision_of(one, other):
        return True
    for find in (_find_products, _find_organisations):
        mine, yours = find(one), find(other)
        if mine & yours or (mine and yours):
            return bool(mine & yours)
    titles = _read_title(one), _read_title(other)
    return True if titles[0] <= titles[1] or titles[1] <= titles[0] else None


def _find_periods(source: Source) -> frozenset[tuple[tuple[int, int], str]]:
    """The accounting periods in title and file name: a report on another quarter is on another thing."""
    label = f"{source.title}. {PurePosixPath(source.path).stem}"
    periods = find_periods(label, source.language)
    return frozenset((p.years, p.part) for p in periods if is_accounting(p))


def _find_products(source: Source) -> frozenset[str]:
    """The identifiers in title and file name, without revision marks and dates."""
    stem = PurePosixPath(source.path).stem
    label = remove_marks(f"{source.title} {stem}")
    return frozenset(fold(name.text) for name in find_identifiers(label))


def _find_organisations(source: Source) -> frozenset[str]:
    names = (name for name in source.names if name.kind == "organisation" and name.place == "front")
    return frozenset(fold(name.name) for name in names)


def _read_title(source: Source) -> frozenset[str]:
    words = f" {' '.join(strip_marks(source.title).split())} "
    for kind in sorted(_TYPES, key=len, reverse=True):
        words = words.replace(f" {kind} ", " ")
    return frozenset(analyse(words, source.language))
