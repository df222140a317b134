"""How two sources relate: whether they are about one thing, which is later, which prevails or is cited.

The hierarchy is the user's own word and outranks revisions, which are ordered by the dates and
marks printed in the documents. Where neither decides, a conflict stays open; of two sources that say
the same, one put aside in a folder such as "archive" is cited last.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Literal

from foundry.analysis import analyse, fold
from foundry.analysis.lexer import LETTERS_AND_DIGITS
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.messages import Message
from foundry.records import Conflict, ConflictSide, Source
from foundry.text.names import find_identifiers
from foundry.text.periods import find_label_periods, is_accounting

_WORDS = load_shared_lexicon().revisions
_REVISION = build_alternation(_WORDS.words)
_MARK = re.compile(
    rf"(?<![^\W_])(?:(?:{_REVISION}|v|r)"
    r"[\s._:-]*(?:[a-z]{1,2}\d{0,2}|v?\d+(?:\.\d+)*[a-z]?)(?![^\W_])"
    r"|(?:19|20)\d\d(?:[-_.]?\d\d){0,2}(?![^\W_]))"
)
_ASKED_MARK = re.compile(
    rf"(?<![^\W_]){_REVISION}[\s._:-]*(?:[a-z]\d{{0,2}}|v?\d+(?:\.\d+)*[a-z]?)(?![^\W_])"
)
_REVISION_WORD = re.compile(rf"(?<![^\W_]){_REVISION}s?(?![^\W_])")
_MARK_WORD = re.compile(rf"^{_REVISION}?\W*(?:{build_alternation(_WORDS.numbers)}\b\W*)?")
RevisionOrder = tuple[str, tuple[int, ...]]


def is_later(one: Source, other: Source) -> bool | None:
    """Whether ``one`` is the later revision; None if nothing decides.

    Chains outrank what is printed, which people may have corrected in them. Dates outrank marks where
    both sources have one; a month equals any of its days.
    """
    if one.chain and one.chain == other.chain and one.chain_place != other.chain_place:
        return one.chain_place > other.chain_place
    sign = compare_dates(one, other) or compare_marks(one, other)
    return sign > 0 if sign else None


def compare_dates(one: Source, other: Source) -> int | None:
    """1 if ``one`` prints the later date, -1, or 0; None if either prints none."""
    ours, theirs = one.revision_date, other.revision_date
    if not (ours and theirs):
        return None
    size = min(len(ours), len(theirs))
    return (ours[:size] > theirs[:size]) - (ours[:size] < theirs[:size])


def compare_marks(one: Source, other: Source) -> int | None:
    """1 if ``one`` has the later revision mark, -1, or 0; None if the two do not compare."""
    ours, theirs = (
        parse_revision_mark(one.revision or ""),
        parse_revision_mark(other.revision or ""),
    )
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return None
    return (ours > theirs) - (ours < theirs)


def is_newer(one: Source, other: Source) -> bool | None:
    """Whether ``one`` is in force: the only one that is not a draft, archived or the like, else the later."""
    if one.is_set_aside != other.is_set_aside:
        return other.is_set_aside
    return is_later(one, other)


def parse_revision_mark(mark: str) -> RevisionOrder | None:
    """The sort key of a revision mark: letters (A < B < AA) or numbers (1.2 < 1.10).

    None for any other mark. Letters and numbers do not compare.
    """
    rest = _MARK_WORD.sub("", fold(mark).strip())
    letters = re.fullmatch(r"([a-z]{1,2})(\d{0,3})", rest)
    if letters and letters[1] != "v":
        value = 0
        for letter in letters[1]:
            value = 27 * value + ord(letter) - 96
        return "letters", (value, int(letters[2] or 0))
    numbers = re.fullmatch(r"v?\s?(\d+(?:\.\d+)*)([a-z]?)", rest)
    if numbers is None:
        return None
    parts = [int(part) for part in numbers[1].split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    tail = ord(numbers[2]) - 96 if numbers[2] else 0
    return "numbers", (*(2 * part for part in parts), *((-1, tail) if tail else ()))


def is_revision_of(one: Source, other: Source) -> bool:
    """Whether both are in one chain or, if either is in none, have the same name."""
    if one.chain and other.chain:
        return one.chain == other.chain and one.path != other.path
    return has_same_name(one, other)


def has_same_name(one: Source, other: Source) -> bool:
    """Whether title or file name are equal apart from revision marks and dates.

    Files of one name in two folders ("README") need the same title too.
    """
    if one.path == other.path:
        return False
    titles = strip_marks(one.title), strip_marks(other.title)
    stems = PurePosixPath(one.path).stem, PurePosixPath(other.path).stem
    names = strip_marks(stems[0]), strip_marks(stems[1])
    if names[0] and names[0] == names[1]:
        return stems[0] != stems[1] or titles[0] == titles[1]
    # A title of one word ("Manual") proves nothing.
    return len(titles[0].split()) >= 2 and titles[0] == titles[1]


def find_preferred_revisions(question: str, sources: Collection[Source]) -> dict[str, Source]:
    """Source id → another revision of it that answers the question instead.

    That is the revision that the question asks for by its mark, else the latest one, unless the
    question is about revisions at all. Only sources with a printed mark have revisions; one that is a
    draft, archived or the like gives way to any revision that holds.
    """
    known = [source for source in sources if source.revision or source.is_set_aside]
    holding = list(sources) if any(one.is_set_aside for one in known) else known
    asked = _find_asked_marks(question)
    if not asked and _REVISION_WORD.search(fold(question)):
        return {}
    preferred: dict[str, Source] = {}
    for old in known:
        for new in holding if old.is_set_aside else known:
            if is_revision_of(old, new) and _is_preferred(new, preferred.get(old.id, old), asked):
                preferred[old.id] = new
    return preferred


def is_about_revisions(question: str) -> bool:
    """Whether a question names a revision, or asks about revisions at all."""
    return bool(_find_asked_marks(question) or _REVISION_WORD.search(fold(question)))


def _find_asked_marks(question: str) -> set[RevisionOrder | None]:
    return {parse_revision_mark(match[0]) for match in _ASKED_MARK.finditer(fold(question))}


def _is_preferred(new: Source, old: Source, asked: Collection[RevisionOrder | None]) -> bool:
    if not asked:
        return is_newer(new, old) is True
    ours, theirs = parse_revision_mark(new.revision or ""), parse_revision_mark(old.revision or "")
    return ours in asked and theirs not in asked


def remove_marks(text: str) -> str:
    """The folded text without revision marks and dates; underscores are spaces."""
    return _MARK.sub(" ", fold(text).replace("_", " "))


def strip_marks(text: str) -> str:
    """The folded words of a text without revision marks and dates."""
    return " ".join(LETTERS_AND_DIGITS.findall(remove_marks(text)))


def _describe_revision(source: Source) -> Message:
    """``Rev. B of 2026-03``, ``Rev. B`` or ``the issue of 2026-03``."""
    if not source.revision:
        return Message("conflict-issue", date=source.revision_date)
    if not source.revision_date:
        return Message("verbatim", text=source.revision, fix="")
    return Message("conflict-revision", revision=source.revision, date=source.revision_date)


def mark_superseded(conflict: Conflict, sources: Mapping[str, Source]) -> Conflict:
    """The conflict, marked if it is between revisions of one document; ``sources`` by path."""
    ours, theirs = sources.get(conflict.a.source), sources.get(conflict.b.source)
    if ours is None or theirs is None or not is_revision_of(ours, theirs):
        return conflict
    later = is_newer(ours, theirs)
    if later is None:
        return conflict
    new, old = (ours, theirs) if later else (theirs, ours)
    if old.is_set_aside and not new.is_set_aside:
        rule = Message("conflict-set-aside", status=Message(f"source-is-{old.status}"))
    else:
        rule = Message("conflict-follows", new=_describe_revision(new), old=_describe_revision(old))
    return replace(conflict, holds="a" if later else "b", rule=rule, superseded=True)


def resolve_conflicts(
    conflicts: Sequence[Conflict], hierarchy: Sequence[str], paths: Iterable[str] = ()
) -> tuple[Conflict, ...]:
    """The conflicts with ``holds`` and ``rule`` set where the hierarchy ranks the sides differently.

    ``hierarchy`` are patterns of source paths, the most trusted first: ``*`` and ``**`` match
    anything, ``/`` too; a name without a slash matches in any folder. Sources that match no
    pattern come last. If ``paths`` (all of the project) are given, patterns that match none of
    them do not count.
    """
    known = set(paths)
    unknown = set(find_unknown_patterns(hierarchy, known)) if known else set()
    patterns = [pattern for pattern in hierarchy if pattern not in unknown]
    return tuple(_resolve_conflict(conflict, patterns) for conflict in conflicts)


def find_unknown_patterns(hierarchy: Sequence[str], paths: Iterable[str]) -> tuple[str, ...]:
    """The patterns that match no source, in their order."""
    known = list(paths)
    return tuple(
        pattern for pattern in hierarchy if not any(is_match(path, pattern) for path in known)
    )


def find_leading_paths(patterns: Sequence[str], paths: Iterable[str]) -> frozenset[str]:
    """The sources of the first pattern that matches any."""
    known = list(paths)
    groups = (frozenset(p for p in known if is_match(p, pattern)) for pattern in patterns)
    return next((group for group in groups if group), frozenset())


def is_match(path: str, pattern: str) -> bool:
    """Whether a pattern matches the path, a folder above it, or its file name."""
    plain = pattern.strip().removeprefix("./").rstrip("/")
    if not plain:
        return False
    name = path.rsplit("/", 1)[-1]
    loose = plain.replace("**/", "*")
    wholes = (plain, loose, f"{plain}/*", f"sources/{plain}", f"sources/{plain}/*")
    return any(fnmatchcase(path, whole) for whole in wholes) or (
        "/" not in plain and fnmatchcase(name, plain)
    )


def _resolve_conflict(conflict: Conflict, patterns: Sequence[str]) -> Conflict:
    ranks = _rank_side(conflict.a, patterns), _rank_side(conflict.b, patterns)
    if ranks[0] == ranks[1]:
        return conflict
    holds: Literal["a", "b"] = "a" if ranks[0] < ranks[1] else "b"
    best, rest = min(ranks), max(ranks)
    below = patterns[rest] if rest < len(patterns) else Message("conflict-unnamed-sources")
    rule = Message("conflict-hierarchy", best=patterns[best], below=below)
    if conflict.superseded and conflict.holds != holds:
        rule = Message("conflict-although", rule=rule, other=conflict.rule)
        return replace(conflict, holds=holds, rule=rule, superseded=False)
    if conflict.superseded:
        rule = Message("conflict-and", rule=rule, other=conflict.rule)
    return replace(conflict, holds=holds, rule=rule)


def _rank_side(side: ConflictSide, patterns: Sequence[str]) -> int:
    return next(
        (index for index, pattern in enumerate(patterns) if is_match(side.source, pattern)),
        len(patterns),
    )


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
    return frozenset((p.years, p.part) for p in find_label_periods(source) if is_accounting(p))


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
        return place, outdated, age, int(source.is_set_aside)


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
