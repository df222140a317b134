"""Two lines compared word by word: one place that differs while everything else is the same.

What lies between shared words is judged gap by gap. A gap says the same, contradicts, or shows
that the lines speak of different things; in the last case nothing is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foundry.analysis import fold
from foundry.craft.conflicts.amounts import Amount, is_consistent, read_amounts
from foundry.craft.conflicts.concepts import ROLES, WORDS, find_predicate
from foundry.craft.conflicts.subjects import is_accounting
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.records import ConflictKind
from foundry.text.alignment import AlignmentToken, Gap, align
from foundry.text.dates import MONTHS, dates_agree
from foundry.text.lines import ParsedLine
from foundry.text.periods import find_periods
from foundry.text.polarity import (
    ANTONYMS,
    EXCLUSIVE_WORDS,
    NEGATIONS,
    exclude_each_other,
    is_reversed,
)


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """What two texts state differently, as each writes it, and about what ("" if unknown)."""

    kind: ConflictKind
    ours: str
    theirs: str
    about: str = ""

    @property
    def reason(self) -> Message:
        """``"3.3 V" against "5 V" for supply voltage``."""
        if not self.about:
            return Message("conflict-values", ours=self.ours, theirs=self.theirs)
        values = {"ours": self.ours, "theirs": self.theirs}
        return Message("conflict-values-about", **values, about=self.about)


# Both are low, as every gap is judged anyway; what they find and alarm: `python -m bench conflicts`.
_MIN_SHARE = 0.4
"""Least share of a line's words in the other, in order, for the two to be compared."""

_MIN_CONTENT = 2
"""Words that two statements must share to be about one thing."""
_SAME = "same"
_LEXICON = load_shared_lexicon()
_WEEKDAYS = frozenset(day for names in _LEXICON.dates.weekdays.values() for day in names)


@dataclass(frozen=True, slots=True)
class _AnalysedLine:
    """A line with its amounts, and the offset of its predicate."""

    line: ParsedLine
    amounts: tuple[Amount, ...]
    predicate: int

    def amount(self, token: AlignmentToken) -> Amount | None:
        return next((item for item in self.amounts if item.start <= token.start < item.end), None)


def compare_lines(
    ours: ParsedLine, theirs: ParsedLine, language: str, predicates: tuple[int, int] | None = None
) -> Discrepancy | None:
    """The fact that two lines state differently; None unless everything else agrees.

    ``predicates`` are the offsets where the predicates begin, found in the text by default.
    """
    alignment = align(ours, [theirs], language)
    if alignment.same or alignment.share < _MIN_SHARE:
        return None
    offsets = predicates or (find_predicate(ours.text), find_predicate(theirs.text))
    sides = tuple(
        _AnalysedLine(line, read_amounts(line.text, line.quantities), offset)
        for line, offset in zip((ours, theirs), offsets, strict=True)
    )
    discrepancies: list[Discrepancy] = []
    for gap in alignment.gaps:
        judged = _compare_gap(gap, sides[0], sides[1])
        if judged is None:
            return None
        if isinstance(judged, Discrepancy):
            discrepancies.append(judged)
    merged = _merge_discrepancies(discrepancies) if discrepancies else None
    return merged if merged and (predicates or _is_same_subject(ours, theirs, merged)) else None


def _merge_discrepancies(discrepancies: Sequence[Discrepancy]) -> Discrepancy | None:
    """One discrepancy; up to three as one if all are measured values, else None."""
    if len(discrepancies) == 1:
        return discrepancies[0]
    if len(discrepancies) > 3 or any(item.kind not in ("number", "unit") for item in discrepancies):
        return None
    return join_discrepancies(discrepancies)


def join_discrepancies(discrepancies: Sequence[Discrepancy], about: str = "") -> Discrepancy:
    """Several discrepancies as one, of the kind of the first."""
    ours, theirs = (
        ", ".join(item.ours for item in discrepancies),
        ", ".join(item.theirs for item in discrepancies),
    )
    return Discrepancy(discrepancies[0].kind, ours, theirs, about)


def _is_same_subject(ours: ParsedLine, theirs: ParsedLine, discrepancy: Discrepancy) -> bool:
    """Whether enough words are shared; more are needed where no verb or label makes a statement."""
    shared = len(ours.terms & theirs.terms)
    if ":" in ours.text[:40] or "=" in ours.text[:40]:
        return shared > 0
    are_statements = all(find_predicate(line.text) < len(line.text) for line in (ours, theirs))
    if discrepancy.kind in ("number", "unit"):
        # "The fuse is 2 A" needs no second word.
        return shared >= (1 if are_statements else _MIN_CONTENT + 1)
    return shared >= _MIN_CONTENT + (not are_statements and discrepancy.kind != "negation")


def _compare_gap(gap: Gap, ours: _AnalysedLine, theirs: _AnalysedLine) -> Discrepancy | str | None:
    """The discrepancy in a gap, ``_SAME`` if there is none, None if the subjects may differ."""
    mine, yours = _select_content(gap.claim), _select_content(gap.source)
    if not mine and not yours:
        return _SAME
    denied = _find_negation(gap, mine, yours)
    if denied is not None:
        return denied if _is_mild(mine) and _is_mild(yours) else None
    if not mine or not yours:
        # Words on one side only may narrow what it says.
        return None
    return (
        _compare_amounts(mine, yours, ours, theirs)
        or _compare_marks(mine, yours, ours, theirs)
        or _compare_words(gap, mine, yours, ours, theirs)
    )


def _select_content(tokens: Sequence[AlignmentToken]) -> list[AlignmentToken]:
    """Tokens that can change the meaning: content words, negations, antonyms and conditions."""
    return [token for token in tokens if token.quantity or token.is_code or _is_content(token)]


def _is_content(token: AlignmentToken) -> bool:
    word = token.folded
    if word in WORDS.neutral:
        return False
    return (
        token.weight == 1.0
        or word in NEGATIONS
        or word in EXCLUSIVE_WORDS
        or word in WORDS.conditions
    )


def _find_negation(
    gap: Gap, mine: list[AlignmentToken], yours: list[AlignmentToken]
) -> Discrepancy | None:
    """A negation on one side only."""
    ours, theirs = (
        [token for token in part if token.folded in NEGATIONS] for part in (mine, yours)
    )
    if len(ours) % 2 == len(theirs) % 2 or gap.after.casefold() in _LEXICON.polarity.undenied:
        return None
    own = " ".join([*(token.text for token in gap.claim), gap.after]).strip()
    other = " ".join([*(token.text for token in gap.source), gap.after]).strip()
    return Discrepancy("negation", own or gap.before, other or gap.before)


def _is_mild(tokens: Sequence[AlignmentToken]) -> bool:
    return all(token.folded in NEGATIONS or token.folded in WORDS.auxiliaries for token in tokens)


def _compare_amounts(
    mine: list[AlignmentToken],
    yours: list[AlignmentToken],
    ours: _AnalysedLine,
    theirs: _AnalysedLine,
) -> Discrepancy | str | None:
    own = list(dict.fromkeys(ours.amount(token) for token in mine if token.quantity))
    other = list(dict.fromkeys(theirs.amount(token) for token in yours if token.quantity))
    bare = all(token.quantity for token in [*mine, *yours] if not _is_small(token))
    if not own or len(own) != len(other) or not bare or None in own or None in other:
        return None
    discrepancies: list[Discrepancy] = []
    for one, two in zip(own, other, strict=True):
        if one is None or two is None or is_consistent(one, two):
            continue
        kind = _classify(one, two, ours, theirs)
        if kind is None:
            return None
        discrepancies.append(Discrepancy(kind, one.text, two.text))
    return _merge_discrepancies(discrepancies) if discrepancies else _SAME


def _is_small(token: AlignmentToken) -> bool:
    return token.folded in WORDS.conditions or token.folded in WORDS.neutral


def _classify(
    one: Amount, two: Amount, ours: _AnalysedLine, theirs: _AnalysedLine
) -> ConflictKind | None:
    """What differs, number or unit; None if the numbers identify two things."""
    for amount, side in ((one, ours), (two, theirs)):
        if _is_condition(side.line.text, amount, side.amounts):
            return None
        if not amount.dimension and _is_numbering(side.line.text, amount):
            return None
    if _is_year(one) and _is_year(two):
        return None if _is_in_period(one, ours) or _is_in_period(two, theirs) else "date"
    if one.dimension == two.dimension:
        return "number"
    same = bool(one.bare & two.bare)
    return "unit" if same and one.dimension and two.dimension else None


def _is_in_period(amount: Amount, side: _AnalysedLine) -> bool:
    """Whether a year belongs to an accounting period, of which each has its own facts."""
    periods = find_periods(side.line.text, side.line.language)
    return any(is_accounting(p) and p.start <= amount.start < p.end for p in periods)


def _is_condition(text: str, amount: Amount, amounts: Iterable[Amount]) -> bool:
    """Whether an amount is a condition: "at 25 °C" beside another amount, but not "rated at 2 A"."""
    before = re.findall(r"[^\W_]+", fold(text[: amount.start]))[-3:]
    if not before or not any(other.dimension != amount.dimension for other in amounts):
        return False
    hit = any(word in WORDS.quantity_conditions for word in before[-2:])
    return hit and not any(word in WORDS.settings for word in before)


def _is_numbering(text: str, amount: Amount) -> bool:
    """Whether a bare number identifies a thing: "channel 1", "HW 2.0"."""
    before = re.search(r"(?<![^\W\d_])([^\W\d_]+)\.?[ \t-]*$", text[: amount.start])
    after = re.match(r"\s*([^\W\d_]{2,})", text[amount.end :])
    if before is None:
        return amount.start == 0 and after is None
    word = fold(before[1])
    plain = word in WORDS.verbs or word in WORDS.conditions or word in ROLES
    followed = (
        after is not None and fold(after[1]) not in WORDS.verbs | WORDS.conditions | WORDS.neutral
    )
    return not plain and word not in WORDS.neutral and not followed


def _is_year(amount: Amount) -> bool:
    return not amount.dimension and amount.text.isdigit() and 1000 <= int(amount.text) <= 2100


def _compare_marks(
    mine: list[AlignmentToken],
    yours: list[AlignmentToken],
    ours: _AnalysedLine,
    theirs: _AnalysedLine,
) -> Discrepancy | None:
    """Another date, clock time, version or code in the predicate."""
    if len(mine) != 1 or len(yours) != 1 or not _is_in_predicates(mine[0], yours[0], ours, theirs):
        return None
    one, two = mine[0], yours[0]
    if one.quantity and two.quantity:
        a, b = one.quantity, two.quantity
        if {a.kind, b.kind} == {"date"} and a.date and b.date:
            apart = not dates_agree(a.date, b.date) and not dates_agree(b.date, a.date)
            return Discrepancy("date", a.text, b.text) if apart else None
        if a.kind == b.kind and a.kind in ("clock", "version"):
            return Discrepancy("date" if a.kind == "clock" else "version", one.text, two.text)
        return None
    if one.is_code and two.is_code and _is_exclusive(ours, theirs):
        return Discrepancy("name", one.text, two.text)
    return None


def _is_exclusive(ours: _AnalysedLine, theirs: _AnalysedLine) -> bool:
    """Whether only one value can be true: "is connected to A", not "supports A"."""
    for side in (ours, theirs):
        spoken = [fold(word) for word in re.findall(r"\w+", side.line.text)]
        if not WORDS.shared_properties.isdisjoint(spoken):
            return False
        if WORDS.copulas.isdisjoint(spoken) and side.predicate and ":" not in side.line.text:
            return False
    return True


def _is_in_predicates(
    one: AlignmentToken, two: AlignmentToken, ours: _AnalysedLine, theirs: _AnalysedLine
) -> bool:
    return one.start >= ours.predicate and two.start >= theirs.predicate


def _compare_words(
    gap: Gap,
    mine: list[AlignmentToken],
    yours: list[AlignmentToken],
    ours: _AnalysedLine,
    theirs: _AnalysedLine,
) -> Discrepancy | None:
    if not 0 < len(mine) <= 3 or not 0 < len(yours) <= 3:
        return None
    if len(mine) == len(yours) == 1:
        rival = _compare_rivals(gap, mine[0], yours[0], ours, theirs)
        if rival is not None:
            return rival
    if not _is_exclusive(ours, theirs):
        return None
    return _compare_names(mine, yours, ours, theirs)


def _compare_rivals(
    gap: Gap, one: AlignmentToken, two: AlignmentToken, ours: _AnalysedLine, theirs: _AnalysedLine
) -> Discrepancy | None:
    if not exclude_each_other(one.folded, two.folded):
        return None
    verbal = one.folded in WORDS.state_verbs and two.folded in WORDS.state_verbs
    in_predicates = _is_in_predicates(one, two, ours, theirs)
    # In "the left channel" the word identifies the thing, so it must come last.
    last = not gap.after or gap.after.casefold() in WORDS.conditions or verbal
    if not (verbal or (in_predicates and last)):
        return None
    kind: ConflictKind = "name"
    contrary = two.folded in ANTONYMS.get(one.folded, frozenset())
    if contrary or is_reversed(one.folded, two.folded) or verbal:
        kind = "negation"
    elif one.folded in MONTHS or one.folded in _WEEKDAYS:
        kind = "date"
    return Discrepancy(kind, one.text, two.text)


def _compare_names(
    mine: list[AlignmentToken],
    yours: list[AlignmentToken],
    ours: _AnalysedLine,
    theirs: _AnalysedLine,
) -> Discrepancy | None:
    """Another name in the predicate: "was designed by Jansen" against "by De Vries"."""
    for tokens, side in ((mine, ours), (yours, theirs)):
        named = {name.start for name in side.line.names if not name.initial}
        capital = [t for t in tokens if t.start in named and t.start >= side.predicate]
        if not capital or any(t.start < side.predicate or t.quantity for t in tokens):
            return None
        if len(capital) < len([t for t in tokens if t.weight == 1.0]):
            return None
    if any(token.may_abbreviate(two) for token in mine for two in yours):
        return None
    own, other = (" ".join(token.text for token in part) for part in (mine, yours))
    return Discrepancy("name", own, other)
