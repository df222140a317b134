"""What speaks against a claim in the very text that holds its words: rivals, negation, contraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foundry.craft.grounding.claims import Claim, EvidenceWindow
from foundry.craft.grounding.contradiction import Objection
from foundry.text.lines import ParsedLine, find_shared_terms
from foundry.text.names import Name, is_mentioned_in, is_ordinary
from foundry.text.polarity import find_antonym, has_denial
from foundry.text.quantities import Quantity, is_comparable, is_same_quantity

_MIN_ALIGNED = 0.6
"""Least share of a clause's words in a part of the text that is to speak of the same."""


def find_missing_fact(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Objection | None:
    """A number, date, version or name of the claim that the text does not have."""
    for quantity in claim.line.quantities:
        in_context = quantity.kind in {"date", "version"} and any(
            is_same_quantity(quantity, other)
            for window in chosen
            for other in window.material.context.quantities
        )
        if not in_context and not any(window.holds(quantity) for window in chosen):
            said = claim.line.text[quantity.start : quantity.end]
            return Objection(f"{said!r} does not stand there", _find_only_value(quantity, chosen))
    repeated = _find_repeated(claim, chosen)
    if repeated is not None:
        return Objection(f"{repeated.text!r} stands there less often")
    for name in claim.names:
        if not any(is_mentioned_in(name, window.material.folded) for window in chosen):
            return Objection(f"the name {name.text!r} does not stand there")
    return None


def _find_only_value(quantity: Quantity, chosen: Sequence[EvidenceWindow]) -> str | None:
    """The only value of this kind in the nearest passage, as the source writes it."""
    parts = [part for line in chosen[0].lines for part in line.clauses]
    said = {
        part.text[other.start : other.end]
        for part in parts
        for other in part.quantities
        if is_comparable(quantity, other)
    }
    return said.pop() if len(said) == 1 else None


def _find_repeated(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Quantity | None:
    """A number that the claim has twice and the text once, beside one that the claim lacks.

    So "14 active and 14 in remission" is not carried by "14 active and 11 in remission".
    """
    known = [other for window in chosen for line in window.lines for other in line.quantities]
    for quantity in claim.line.quantities:
        said = sum(is_same_quantity(quantity, other) for other in claim.line.quantities)
        if said < 2 or said <= sum(is_same_quantity(quantity, other) for other in known):
            continue
        if any(
            is_comparable(quantity, other) and not _is_in_claim(other, claim) for other in known
        ):
            return quantity
    return None


def _is_in_claim(quantity: Quantity, claim: Claim) -> bool:
    return any(is_same_quantity(own, quantity) for own in claim.line.quantities)


def find_misplaced_fact(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Objection | None:
    """A value that the text gives for something else: another line shares more and says otherwise.

    A rival is a clause with another value of the same kind. It wins when it has all
    the words that the claim shares with the places of this value, and more.
    """
    materials = {window.material.evidence.id: window.material for window in chosen}
    lines = [line for material in materials.values() for line in material.lines]
    for clause in claim.line.clauses:
        terms = clause.terms if len(clause.terms) > 1 else claim.line.terms
        for quantity in clause.quantities:
            rival = _find_rival_value(quantity, terms, lines)
            if rival is not None:
                said = clause.text[quantity.start : quantity.end]
                nearest = rival.text.strip()
                return Objection(f"{said!r} is said of something else", nearest)
    subject = claim.names[0] if claim.names else None
    if subject is not None and _is_subject(subject, claim.line.text):
        rival = _find_rival_subject(subject, claim, lines)
        if rival is not None:
            return Objection(f"it is not said of {subject.text!r}", rival.text.strip())
    return None


def _is_subject(name: Name, text: str) -> bool:
    """The name is who the sentence is about, not the label of a field ("Type: USB")."""
    return name.start == 0 and text[len(name.text) : len(name.text) + 1] != ":"


def _find_rival_value(
    quantity: Quantity, terms: frozenset[str], lines: Sequence[ParsedLine]
) -> ParsedLine | None:
    def holds(part: ParsedLine) -> bool:
        return any(is_same_quantity(quantity, other) for other in part.quantities)

    def competes(part: ParsedLine) -> bool:
        return not holds(part) and any(is_comparable(quantity, other) for other in part.quantities)

    return _find_stronger_clause(lines, terms, holds, competes)


def _find_rival_subject(name: Name, claim: Claim, lines: Sequence[ParsedLine]) -> ParsedLine | None:
    def holds(part: ParsedLine) -> bool:
        return is_mentioned_in(name, part.folded)

    def competes(part: ParsedLine) -> bool:
        # A row's columns do not repeat what the row is about.
        if any(part in line.clauses for line in rows):
            return False
        first = part.names[0] if part.names and part.names[0].start == 0 else None
        if first is None or first.identifier or holds(part):
            return False
        return not is_ordinary(first, claim.common)

    rows = [line for line in lines if line.passage and line.passage.cells]
    terms = claim.line.clauses[0].terms - frozenset({name.key})
    return _find_stronger_clause(lines, terms, holds, competes)


def _find_stronger_clause(
    lines: Sequence[ParsedLine],
    terms: frozenset[str],
    holds: Callable[[ParsedLine], bool],
    competes: Callable[[ParsedLine], bool],
) -> ParsedLine | None:
    """A clause that competes and shares strictly more than every place that holds.

    Within one sentence clauses are compared, between sentences whole sentences: a
    number often stands apart from the words that it belongs to ("In 1973, …"), and a
    clause that has no words of its own is taken for its sentence.
    """
    holding = [(line, part) for line in lines for part in line.clauses if holds(part)]
    if not holding:
        return None
    for line in lines:
        for part in filter(competes, line.clauses):
            if all(
                find_shared_terms(
                    terms, own.terms if within is line and own.terms else within.terms
                )
                < find_shared_terms(
                    terms, part.terms if within is line and own.terms else line.terms
                )
                for within, own in holding
            ):
                return part
    return None


def find_negated(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Objection | None:
    """A negation or a contrary that stands on one side only, judged clause by clause."""
    parts = [part for window in chosen for line in window.lines for part in line.clauses]
    known = " ".join(line.folded for window in chosen for line in window.lines)
    for clause in claim.line.clauses:
        aligned = _find_aligned_clauses(clause, parts)
        if not aligned:
            continue
        if all(part.negated != clause.negated for part in aligned):
            return Objection("the negation differs", aligned[0].text.strip())
        contrary = next((find_antonym(clause.text, part.folded) for part in aligned), None)
        if contrary and contrary[0] not in known and contrary[1] not in claim.line.folded:
            reason = f"it says {contrary[0]!r} where the source says {contrary[1]!r}"
            return Objection(reason, contrary[1])
    return None


def _find_aligned_clauses(clause: ParsedLine, parts: Sequence[ParsedLine]) -> list[ParsedLine]:
    """The parts of the text that a clause speaks of: those that share most with it.

    Where no part has all its words ("The battery … and may not be replaced"), the
    part with its last word, the predicate, decides.
    """
    shared = [find_shared_terms(clause.terms, part.terms) for part in parts]
    scores = [
        len(own)
        + sum(any(is_same_quantity(q, o) for o in part.quantities) for q in clause.quantities)
        for own, part in zip(shared, parts, strict=True)
    ]
    last = clause.order[-1] if clause.order else ""
    ending = [score if last in own else 0 for own, score in zip(shared, scores, strict=True)]
    if max(map(len, shared), default=0) < len(frozenset().union(*shared)) and any(ending):
        scores = ending
    best = max(scores, default=0)
    # Fewer than half of its words: the clause says something else, and turns nothing.
    if max(map(len, shared), default=0) < _MIN_ALIGNED * len(clause.terms):
        return []
    return [part for part, score in zip(parts, scores, strict=True) if score == best and best > 0]


def find_cross_lingual_negation(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Objection | None:
    """Between languages: a negation on one side only, told by cues alone."""
    lines = [line for window in chosen for line in window.lines]
    negated = [any(part.negated for part in line.clauses) for line in lines]
    if claim.line.negated and not any(negated):
        return Objection("it denies what the source does not deny")
    plain = any(not part.negated for line in lines for part in line.clauses)
    if not any(part.negated for part in claim.line.clauses) and any(negated) and not plain:
        return Objection("the source denies it")
    return None


def find_added_negation(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Objection | None:
    """A claim that denies, from passages in which nothing is denied, impossible or forbidden."""
    near = chosen[0].terms
    if len(find_shared_terms(claim.line.terms, near)) < _MIN_ALIGNED * len(claim.line.terms):
        return None
    if not any(part.negated for part in claim.line.clauses):
        return None
    lines = [line for window in chosen for line in window.lines]
    if any(part.negated for line in lines for part in (line, *line.clauses)):
        return None
    if any(has_denial(line.text) for line in lines):
        return None
    return Objection("it denies something, and the source denies nothing there")
