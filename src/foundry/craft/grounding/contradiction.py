"""Facts that a claim changed while following the words of its source.

Claim and source are aligned word by word. Where the claim follows the source, the words between
two shared words are compared: another number, name or code, an added or lost negation, or a word
that excludes the source's word contradicts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from foundry.analysis import fold
from foundry.craft.grounding.amounts import ALL_SCALES, is_given
from foundry.craft.grounding.claims import Claim, EvidenceWindow
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.text.alignment import Alignment, AlignmentToken, Gap, align, tokenize_line
from foundry.text.lines import ParsedLine, find_shared_terms
from foundry.text.names import Name, is_mentioned_in, is_opening, is_ordinary
from foundry.text.polarity import NEGATIONS, exclude_each_other, is_negated
from foundry.text.quantities import Quantity, is_comparable, is_same_quantity

MIN_FOLLOWING = 0.5
"""A claim follows a passage if this share of its words occurs there in order. A guess: half."""

RESTATED = 0.7
"""From this share on, the claim restates that very sentence, so another number, name or contrary in
its place contradicts it: of 810 sentences as models write them 8 were contradicted, all rightly;
between 0.5 and 0.7 every second one wrongly."""

RESTATED_CLOSELY = 0.8
"""The same for a negation, which a paraphrase may move or express otherwise."""

_MAX_ALIGNED = 4
"""Windows that are aligned, as aligning is slow: the ones that share most words."""

_SECOND_LINE_COST = 0.1
"""Two passages match any claim better than one, so the second must be worth this much."""

_REPLACED = 2
"""Words that another value or name has at most: "50 channels", "Anna Jansen"."""

# A longer stretch is a paraphrase rather than a changed word.
_LONGEST_CLAIM, _LONGEST_SOURCE = 4, 7
_LEXICON = load_shared_lexicon()


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a claim is not supported, and what the source says instead (``differs``), if anything."""

    reason: Message
    differs: str | None = None


@dataclass(frozen=True, slots=True)
class AlignedWindow:
    """A window with its word-by-word alignment to a claim."""

    window: EvidenceWindow
    alignment: Alignment


def find_aligned_window(claim: Claim, windows: Sequence[EvidenceWindow]) -> AlignedWindow:
    """The window with most of the claim's words in order; ``windows`` must not be empty."""
    shared = [
        len(find_shared_terms(claim.line.terms, window.terms))
        + sum(window.has_quantity(quantity) for quantity in claim.line.quantities)
        for window in windows
    ]
    likely = sorted(range(len(windows)), key=lambda i: (-shared[i], len(windows[i].lines)))
    # A window with less than half of the best one's words is not the sentence being restated.
    likely = [i for i in likely[:_MAX_ALIGNED] if 2 * shared[i] >= shared[likely[0]]]
    return max((_align_window(claim, windows[i]) for i in likely), key=_get_closeness)


def _align_window(claim: Claim, window: EvidenceWindow) -> AlignedWindow:
    alignment = align(claim.line, window.lines, claim.language)
    text = " ".join(line.passage.text for line in window.lines if line.passage)
    # The line of a spoken passage starts with its speaker's name; the claim may not.
    if text == " ".join(claim.line.text.split()):
        alignment = replace(alignment, same=True)
    return AlignedWindow(window, alignment)


def _get_closeness(place: AlignedWindow) -> tuple[bool, float, float]:
    extra = _SECOND_LINE_COST * (len(place.window.lines) - 1)
    return place.alignment.same, place.alignment.share - extra, place.alignment.run


def find_altered_fact(
    claim: Claim, place: AlignedWindow, least: float, placed: Sequence[Quantity] = ()
) -> Objection | None:
    """The first place where claim and source state different facts.

    ``least`` is the share of the claim's other words that the source must have in order. Numbers
    ``placed`` in a table are not compared.
    """
    for gap in place.alignment.gaps:
        ours, theirs = _select_facing(gap)
        share = place.alignment.compute_share_without(ours if len(ours) <= _REPLACED else ())
        if share < least or not (ours or theirs):
            continue
        objection = (
            _find_other_column(place, gap)
            or _find_other_quantity(ours, theirs, place.window, placed)
            or _find_other_code(ours, theirs)
            or _find_other_name(claim, place, ours, theirs)
            or _find_contrary(ours, theirs)
        )
        if objection is None and place.alignment.share >= RESTATED_CLOSELY:
            objection = _find_negation_change(gap, ours, theirs)
        if objection is not None:
            return objection
    return None


def _select_facing(gap: Gap) -> tuple[Sequence[AlignmentToken], Sequence[AlignmentToken]]:
    """The words to compare: all of a short gap; at the ends of a claim, those next to the match."""
    if gap.before and gap.after:
        short = len(gap.claim) <= _LONGEST_CLAIM and len(gap.source) <= _LONGEST_SOURCE
        return (gap.claim, gap.source) if short else ((), ())
    near = len(gap.claim) + 2
    if len(gap.claim) > _LONGEST_CLAIM:
        return (), ()
    return gap.claim, gap.source[:near] if gap.before else gap.source[-near:]


def _is_in_row(quantity: Quantity, window: EvidenceWindow) -> bool:
    """Whether a row of the window has it, whatever its table's scale and the order of its cells."""
    rows = (line for line in window.lines if line.passage and line.passage.place.table)
    return any(is_given(other, quantity, ALL_SCALES) for line in rows for other in line.quantities)


def _find_other_quantity(
    ours: Sequence[AlignmentToken],
    theirs: Sequence[AlignmentToken],
    window: EvidenceWindow,
    placed: Sequence[Quantity],
) -> Objection | None:
    known = [token for token in theirs if token.quantity]
    for token in ours:
        if token.quantity is None or not known or is_listed(token.quantity, placed):
            continue
        if any(_is_rounded(o.quantity, token.quantity) for o in known if o.quantity):
            continue
        if _is_in_row(token.quantity, window):
            continue
        rivals = [o for o in known if o.quantity and o.quantity.kind == token.quantity.kind]
        if not rivals and len(ours) == len(theirs) == 1:
            rivals = known
        if rivals:
            return _build_replacement(token, rivals[0])
    return None


def _is_rounded(source: Quantity, claim: Quantity) -> bool:
    """Whether the claim has the source's number, perhaps with fewer digits."""
    below = [min(one.values, default=0) < 0 for one in (source, claim)]
    numbers = source.kind == claim.kind == "number" and below[0] == below[1]
    return is_same_quantity(source, claim) or (numbers and is_given(source, claim, (1.0,)))


def is_listed(quantity: Quantity, known: Sequence[Quantity]) -> bool:
    """Whether one of the known quantities is the same."""
    return any(is_same_quantity(quantity, other) for other in known)


def _find_other_column(place: AlignedWindow, gap: Gap) -> Objection | None:
    """A row's value under another column's label: the claim skips that label's own value."""
    passage = place.window.lines[0].passage
    if passage is None or not passage.header or gap.claim or not gap.before:
        return None
    first = gap.source[0]
    if first.quantity is None or gap.before[:1].isdigit() or not gap.after[:1].isdigit():
        return None
    reason = Message("claim-other-column", given=gap.after, label=gap.before, found=first.text)
    return Objection(reason, first.text)


def find_exchanged_values(
    claim: Claim, place: AlignedWindow, least: float, placed: Sequence[Quantity] = ()
) -> Objection | None:
    """Two values of one kind that the same sentence of the source gives in the other order.

    Numbers ``placed`` in a table are not compared.
    """
    values = [token for gap in place.alignment.gaps for token in gap.claim if token.quantity]
    if place.alignment.compute_share_without(values) < least:
        return None
    ours = [one for one in claim.line.quantities if not is_listed(one, placed)]
    theirs = [q for line in place.window.lines for q in _list_quantities(line)]
    places = []
    for quantity in ours:
        same = [i for i, other in enumerate(theirs) if is_same_quantity(quantity, other)]
        places.append(same[0] if len(same) == 1 else None)
    for index, (token, first) in enumerate(zip(ours, places, strict=True), 1):
        for other, second in zip(ours[index:], places[index:], strict=True):
            if first is None or second is None or not is_comparable(token, other):
                continue
            if first > second:
                reason = Message("claim-swapped", first=token.text, second=other.text)
                return Objection(reason, place.window.lines[0].text)
    return None


def _list_quantities(line: ParsedLine) -> tuple[Quantity, ...]:
    return tuple(token.quantity for token in tokenize_line(line, "und") if token.quantity)


def _find_other_code(
    ours: Sequence[AlignmentToken], theirs: Sequence[AlignmentToken]
) -> Objection | None:
    known = [token for token in theirs if token.is_code]
    for token in ours:
        if token.is_code and known and all(other.key != token.key for other in known):
            return _build_replacement(token, known[0])
    return None


def _find_other_name(
    claim: Claim,
    place: AlignedWindow,
    ours: Sequence[AlignmentToken],
    theirs: Sequence[AlignmentToken],
) -> Objection | None:
    # Names before a colon count here, where a name faces them: "Hanse Bauteile: 30 days".
    names = [name for name in claim.line.names if not is_ordinary(name, claim.common)]
    named = {name.start: name for name in names}
    if not any(token.start in named for token in ours):
        return None
    known = [token for token in theirs if token.text[:1].isupper() and token.weight == 1.0]
    known = [token for token in known if token.quantity is None and len(token.text) > 1]
    for token in ours:
        name = named.get(token.start)
        if name is None or not known or name.key in _LEXICON.general.frequent:
            continue
        if any(map(token.may_abbreviate, known)):
            continue
        opens = is_opening(name, claim.line.text)
        elsewhere = _is_repeated(claim, place, name) if opens else len(ours) > 1
        if not (elsewhere and (opens or place.window.has_name(name))):
            return _build_replacement(token, known[0])
    return None


def _is_repeated(claim: Claim, place: AlignedWindow, name: Name) -> bool:
    """Whether the passage has the name as often as the claim, or its document is about it."""
    ours = sum(other.key == name.key for other in claim.line.names)
    theirs = sum(
        fold(word).startswith(name.key) for line in place.window.lines for word in line.text.split()
    )
    return theirs >= ours or is_mentioned_in(name, place.window.material.context.folded)


def _find_contrary(
    ours: Sequence[AlignmentToken], theirs: Sequence[AlignmentToken]
) -> Objection | None:
    for token in ours:
        for other in theirs:
            if exclude_each_other(token.folded, other.folded):
                return _build_replacement(token, other)
    return None


def _find_negation_change(
    gap: Gap, ours: Sequence[AlignmentToken], theirs: Sequence[AlignmentToken]
) -> Objection | None:
    around = (
        f"{gap.before} {' '.join(t.text for t in part)} {gap.after}" for part in (ours, theirs)
    )
    if len({is_negated(part) for part in around}) == 1:
        return None
    denials = [_collect_negations(gap.after, part) for part in (ours, theirs)]
    if len(denials[0]) % 2 == len(denials[1]) % 2 or not _is_local_negation(gap, ours, theirs):
        return None
    if denials[0]:
        return Objection(Message("claim-negation-added-word", word=denials[0][0].text))
    text = " ".join(token.text for token in theirs)
    there = " ".join(part for part in (gap.before, text, gap.after) if part)
    return Objection(Message("claim-negation-missing", word=denials[1][0].text), there)


def _is_local_negation(
    gap: Gap, ours: Sequence[AlignmentToken], theirs: Sequence[AlignmentToken]
) -> bool:
    """Whether the negation belongs to the words around it, not to a clause the claim leaves out."""
    if not (gap.before and gap.after) and max(len(ours), len(gap.source)) > 2:
        return False
    longer = theirs if len(theirs) > len(ours) else ours
    content = [token for token in longer if token.weight == 1.0 and token.folded not in NEGATIONS]
    return not (
        content
        and any(token.opens or token.folded in _LEXICON.general.conjunctions for token in longer)
    )


def _collect_negations(after: str, part: Sequence[AlignmentToken]) -> list[AlignmentToken]:
    following = [*(token.folded for token in part[1:]), ""]
    earlier = ["", *(token.folded for token in part)]
    tokens = [
        token
        for first, token, then in zip(earlier, part, following, strict=False)
        if token.folded in NEGATIONS
        and then not in _LEXICON.polarity.undenied
        and first not in _LEXICON.general.disjunctions
    ]
    # Before a word that both have, "not" negates it ("not higher than"), except in "not only".
    last = bool(part) and tokens[-1:] == [part[-1]] and after.casefold() in {"only", "alleen"}
    return tokens[:-1] if last else tokens


def _build_replacement(token: AlignmentToken, other: AlignmentToken) -> Objection:
    reason = Message("claim-says-other", said=token.text, found=other.text)
    return Objection(reason, other.text)
