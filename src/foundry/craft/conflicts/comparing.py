"""Two lines word by word: one place that differs, with everything else the same.

What stands between shared words is judged gap by gap. A gap either says the same, or
contradicts, or makes the lines speak of different things: then nothing is reported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foundry.analysis import fold
from foundry.craft.conflicts import words
from foundry.craft.conflicts.amounts import Amount, agree, read_amounts
from foundry.craft.conflicts.reading import is_condition, is_numbering, settled_at
from foundry.craft.conflicts.telling import Difference, differ
from foundry.records import ConflictKind
from foundry.wording.alignment import Gap, Token, align
from foundry.wording.dates import MONTHS
from foundry.wording.dates import agree as dates_agree
from foundry.wording.lines import Line
from foundry.wording.polarity import NEGATIONS
from foundry.wording.rivals import CONTRARIES, RIVALS

_LEAST_SHARE = 0.4
_LEAST_CONTENT = 2
_SAME = "same"
_AUXILIARY = words.listed("do does did be can may must wordt worden het een a an the any")
_DENIED_OTHERWISE = words.listed("only more less later earlier alleen meer minder later eerder")
_WEEKDAYS = words.listed(
    "monday tuesday wednesday thursday friday saturday sunday maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"
)


@dataclass(frozen=True, slots=True)
class _Side:
    """A line with its amounts, and where it settles what it speaks of."""

    line: Line
    amounts: tuple[Amount, ...]
    settled: int

    def amount(self, token: Token) -> Amount | None:
        return next((one for one in self.amounts if one.start <= token.start < one.end), None)


def compare_lines(
    ours: Line, theirs: Line, language: str, settled: tuple[int, int] | None = None
) -> Difference | None:
    """What the one line says and the other contradicts, or None."""
    alignment = align(ours, [theirs], language)
    if alignment.same or alignment.share < _LEAST_SHARE:
        return None
    at = settled or (settled_at(ours.text), settled_at(theirs.text))
    sides = tuple(
        _Side(line, read_amounts(line.text, line.quantities), offset)
        for line, offset in zip((ours, theirs), at, strict=True)
    )
    found: list[Difference] = []
    for gap in alignment.gaps:
        judged = _judge(gap, sides[0], sides[1])
        if judged is None:
            return None
        if isinstance(judged, Difference):
            found.append(judged)
    return _single(found) if found and _speak_of_one(ours, theirs, settled) else None


def _single(found: Sequence[Difference]) -> Difference | None:
    """One difference; several only where all are measured values."""
    if len(found) == 1:
        return found[0]
    if len(found) > 3 or any(one.kind not in ("number", "unit") for one in found):
        return None
    values = tuple(", ".join(one.values[side] for one in found) for side in (0, 1))
    return differ(found[0].kind, values[0], values[1])


def _speak_of_one(ours: Line, theirs: Line, settled: tuple[int, int] | None) -> bool:
    shared = ours.terms & theirs.terms
    return settled is not None or len(shared) >= _LEAST_CONTENT or ours.text[:40].find(":") > 0


def _judge(gap: Gap, ours: _Side, theirs: _Side) -> Difference | str | None:
    """The difference in a gap, ``_SAME`` where it says nothing else, None where it may be of another."""
    mine, yours = _weighty(gap.claim), _weighty(gap.source)
    if not mine and not yours:
        return _SAME
    denied = _denial(gap, mine, yours)
    if denied is not None:
        return denied if _mild(mine) and _mild(yours) else None
    if not mine or not yours:
        return _judge_added(gap, mine or yours, ours if mine else theirs)
    return (
        _judge_amounts(mine, yours, ours, theirs)
        or _judge_marks(mine, yours, ours, theirs)
        or _judge_words(gap, mine, yours, ours, theirs)
    )


def _weighty(tokens: Sequence[Token]) -> list[Token]:
    """Tokens that can change a meaning: no function words but denials, rivals and conditions."""
    return [token for token in tokens if token.quantity or _is_code(token) or _counts(token)]


def _counts(token: Token) -> bool:
    word = token.folded
    if word in words.HARMLESS:
        return False
    return token.weight == 1.0 or word in NEGATIONS or word in RIVALS or word in words.CONDITIONS


def _is_code(token: Token) -> bool:
    if token.quantity is not None:
        return False
    letter = token.text.isupper() and len(token.text) == 1 and token.start > 0
    return letter or any(character.isdigit() for character in token.text)


def _denial(gap: Gap, mine: list[Token], yours: list[Token]) -> Difference | None:
    """A negation on one side only, with nothing else in the gap but small words."""
    ours, theirs = (
        [token for token in part if token.folded in NEGATIONS] for part in (mine, yours)
    )
    if len(ours) % 2 == len(theirs) % 2 or gap.after.casefold() in _DENIED_OTHERWISE:
        return None
    said = " ".join([*(token.text for token in gap.claim), gap.after]).strip()
    there = " ".join([*(token.text for token in gap.source), gap.after]).strip()
    return differ("negation", said or gap.before, there or gap.before)


def _mild(tokens: Sequence[Token]) -> bool:
    return all(token.folded in NEGATIONS or token.folded in _AUXILIARY for token in tokens)


def _judge_added(gap: Gap, added: list[Token], side: _Side) -> str | None:
    """Words on one side only: detail behind the statement, or something that narrows it."""
    amounts = [side.amount(token) for token in added if token.quantity]
    if all(token.quantity for token in added) and not any(amounts):
        versions = [t for t in added if t.quantity and t.quantity.kind != "number"]
        return None if versions else _SAME
    first = added[0]
    narrowing = any(
        token.folded in words.CONDITIONS or token.quantity or _is_code(token) for token in added
    )
    trailing = not gap.after and (first.opens or first.folded in {"and", "en", "because", "omdat"})
    return _SAME if trailing and not narrowing else None


def _judge_amounts(
    mine: list[Token], yours: list[Token], ours: _Side, theirs: _Side
) -> Difference | str | None:
    own = list(dict.fromkeys(ours.amount(token) for token in mine if token.quantity))
    other = list(dict.fromkeys(theirs.amount(token) for token in yours if token.quantity))
    bare = all(token.quantity for token in [*mine, *yours] if not _is_small(token))
    if not own or len(own) != len(other) or not bare or None in own or None in other:
        return None
    found: list[Difference] = []
    for one, two in zip(own, other, strict=True):
        if one is None or two is None or agree(one, two):
            continue
        kind = _kind_of(one, two, ours, theirs)
        if kind is None:
            return None
        found.append(differ(kind, one.text, two.text))
    return _single(found) if found else _SAME


def _is_small(token: Token) -> bool:
    return token.folded in words.CONDITIONS or token.folded in words.HARMLESS


def _kind_of(one: Amount, two: Amount, ours: _Side, theirs: _Side) -> ConflictKind | None:
    """Whether number or unit differ; None where the numbers tell two things apart."""
    for amount, side in ((one, ours), (two, theirs)):
        if is_condition(side.line.text, amount, side.amounts):
            return None
        if amount.dimension:
            continue
        early = amount.start < side.settled
        if is_numbering(side.line.text, amount) or (early and _is_year(amount)):
            return None
    if _is_year(one) and _is_year(two):
        return "date"
    if one.dimension == two.dimension:
        return "number"
    same = bool(one.bare & two.bare)
    return "unit" if same and one.dimension and two.dimension else None


def _is_year(amount: Amount) -> bool:
    return not amount.dimension and amount.text.isdigit() and 1000 <= int(amount.text) <= 2100


def _judge_marks(
    mine: list[Token], yours: list[Token], ours: _Side, theirs: _Side
) -> Difference | None:
    """A date, clock time, version or code in the place of another, after the verb."""
    if len(mine) != 1 or len(yours) != 1 or not _both_settled(mine[0], yours[0], ours, theirs):
        return None
    one, two = mine[0], yours[0]
    if one.quantity and two.quantity:
        a, b = one.quantity, two.quantity
        if {a.kind, b.kind} == {"date"} and a.date and b.date:
            apart = not dates_agree(a.date, b.date) and not dates_agree(b.date, a.date)
            return differ("date", a.text, b.text) if apart else None
        if a.kind == b.kind and a.kind in ("clock", "version"):
            return differ("date" if a.kind == "clock" else "version", one.text, two.text)
        return None
    if _is_code(one) and _is_code(two) and _only_one(ours, theirs):
        return differ("name", one.text, two.text)
    return None


def _only_one(ours: _Side, theirs: _Side) -> bool:
    """True where a thing is said to be one of several: "is connected to A", not "supports A"."""
    for side in (ours, theirs):
        said = [fold(word) for word in re.findall(r"\w+", side.line.text)]
        if not words.MANY.isdisjoint(said):
            return False
        if words.BEING.isdisjoint(said) and side.settled and ":" not in side.line.text:
            return False
    return True


def _both_settled(one: Token, two: Token, ours: _Side, theirs: _Side) -> bool:
    return one.start >= ours.settled and two.start >= theirs.settled


def _judge_words(
    gap: Gap, mine: list[Token], yours: list[Token], ours: _Side, theirs: _Side
) -> Difference | None:
    if not 0 < len(mine) <= 3 or not 0 < len(yours) <= 3:
        return None
    if len(mine) == len(yours) == 1:
        rival = _rival(gap, mine[0], yours[0], ours, theirs)
        if rival is not None:
            return rival
    if not _only_one(ours, theirs):
        return None
    return _other_name(mine, yours, ours, theirs) or _other_material(gap, mine, yours, ours)


def _other_material(
    gap: Gap, mine: list[Token], yours: list[Token], ours: _Side
) -> Difference | None:
    """Another substance behind "made of"; a broader word says nothing else."""
    one, two = mine[0], yours[0]
    before = fold(ours.line.text[: one.start]).rstrip()
    if len(mine) != 1 or len(yours) != 1 or not before.endswith(words.MATERIAL):
        return None
    if gap.after or not words.BROAD.isdisjoint((one.folded, two.folded)):
        return None
    return differ("name", one.text, two.text)


def _rival(gap: Gap, one: Token, two: Token, ours: _Side, theirs: _Side) -> Difference | None:
    if two.folded not in RIVALS.get(one.folded, frozenset()):
        return None
    verbal = one.folded in words.LIKE_VERBS and two.folded in words.LIKE_VERBS
    settled = _both_settled(one, two, ours, theirs)
    # "the left channel": a word that tells one thing from another, before what both name.
    last = not gap.after or gap.after.casefold() in words.CONDITIONS or verbal
    if not (verbal or (settled and last)):
        return None
    kind: ConflictKind = "name"
    if two.folded in CONTRARIES.get(one.folded, frozenset()) or verbal:
        kind = "negation"
    elif one.folded in MONTHS or one.folded in _WEEKDAYS:
        kind = "date"
    return differ(kind, one.text, two.text)


def _other_name(
    mine: list[Token], yours: list[Token], ours: _Side, theirs: _Side
) -> Difference | None:
    """Another name behind the verb: "was designed by Jansen" against "by De Vries"."""
    for tokens, side in ((mine, ours), (yours, theirs)):
        named = {name.start for name in side.line.names if not name.initial}
        capital = [t for t in tokens if t.start in named and t.start >= side.settled]
        if not capital or any(t.start < side.settled or t.quantity for t in tokens):
            return None
        if len(capital) < len([t for t in tokens if t.weight == 1.0]):
            return None
    if any(_may_be_same(one, two) for one in mine for two in yours):
        return None
    said, there = (" ".join(token.text for token in part) for part in (mine, yours))
    return differ("name", said, there)


def _may_be_same(one: Token, other: Token) -> bool:
    a, b = one.folded, other.folded
    return a.startswith(b) or b.startswith(a) or (min(len(a), len(b)) <= 3 and a[:1] == b[:1])
