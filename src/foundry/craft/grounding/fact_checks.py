"""Objections to a claim without word-by-word alignment: absent and misplaced facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from foundry.craft.grounding.amounts import (
    ALL_SCALES,
    has_scale_caption,
    is_given,
    is_written_in,
    may_count,
    may_state,
)
from foundry.craft.grounding.claims import (
    Claim,
    EvidenceWindow,
    list_named_scales,
    list_quantities,
    list_row_quantities,
    list_scales,
)
from foundry.craft.grounding.contradiction import Objection, is_listed
from foundry.craft.grounding.figures import find_computation
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.messages import Message
from foundry.text.lines import ParsedEvidence, ParsedLine, find_shared_terms
from foundry.text.names import Name, collect_names, is_mentioned_in, is_opening, is_ordinary
from foundry.text.quantities import (
    Quantity,
    find_frequencies,
    is_comparable,
    is_same_quantity,
)

# A text that says "we" may be about anybody.
_SPEAKER = re.compile(
    rf"\b{build_alternation(load_shared_lexicon().general.speakers)}\b", re.IGNORECASE
)


def find_absent_fact(claim: Claim, materials: Sequence[ParsedEvidence]) -> Objection | None:
    """A number, date, version or name that a reader could find nowhere in the evidence.

    Names with other forms in another language, or that a text may call "we", are not among them.
    """
    for quantity in claim.line.quantities:
        if not _is_stated(quantity, claim, materials):
            text = claim.line.text[quantity.start : quantity.end]
            lines = [line for material in materials for line in material.lines]
            reason = Message("claim-value-missing", value=text)
            return Objection(reason, _find_only_value(quantity, lines))
    across = any(one.language not in (claim.language, claim.spoken) for one in materials)
    vague = across or any(_SPEAKER.search(one.evidence.hit.chunk.text) for one in materials)
    for name in claim.names:
        coded = any(character.isdigit() for character in name.text)
        if (vague and not coded) or is_opening(name, claim.line.text):
            continue
        if not any(has_name(material, name, claim.line.text) for material in materials):
            return Objection(Message("claim-name-missing", name=name.text))
    return None


def _is_stated(quantity: Quantity, claim: Claim, materials: Sequence[ParsedEvidence]) -> bool:
    if may_count(quantity) or any(is_given_in(quantity, claim, one) for one in materials):
        return True
    # "Every twelve months" is "yearly", which has no number.
    lines = (line for material in materials for line in material.lines)
    known = [other for line in lines for other in find_frequencies(line.text, claim.language)]
    for own in find_frequencies(claim.line.text, claim.language):
        inside = own.start <= quantity.start < own.end
        if inside and any(is_same_quantity(own, other) for other in known):
            return True
    return find_computation(quantity, claim, materials) is not None


def is_given_in(quantity: Quantity, claim: Claim, material: ParsedEvidence) -> bool:
    """Whether a reader could have got a number, date or version of the claim from the evidence."""
    source = material.evidence.hit.chunk.text
    known, text = list_quantities(material), claim.line.text
    if has_scale_caption(source):
        found = any(may_state(other, quantity, text, list_scales(material)) for other in known)
    else:
        # The caption of a table may be in an earlier passage, whatever scale a sentence here has.
        scales, rows = list_named_scales(material), list_row_quantities(material)
        found = any(may_state(other, quantity, text, scales) for other in known) or any(
            may_state(other, quantity, text, ALL_SCALES) for other in rows
        )
    if found:
        return True
    bare = quantity.kind != "number" or not quantity.dimension
    return bare and is_written_in(quantity, source)


def has_name(material: ParsedEvidence, name: Name, text: str) -> bool:
    """Whether the evidence may mention a name of ``text``, perhaps in another form."""
    known = collect_names(f"{material.evidence.hit.chunk.text}\n{material.context.text}")
    if re.search(rf"\b{re.escape(name.key)}", material.folded):
        return True
    return is_mentioned_in(name, material.folded) or known.may_have(name, text)


def find_missing_name(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Objection | None:
    """A name of the claim that the passages of these windows lack."""
    materials = {window.material for window in chosen}
    for name in claim.names:
        if not any(has_name(material, name, claim.line.text) for material in materials):
            return Objection(Message("claim-name-missing", name=name.text))
    return None


def find_other_frequency(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Objection | None:
    """How often the claim says that something happens, where these windows only say otherwise."""
    known = [
        frequency
        for window in chosen
        for line in window.lines
        for frequency in find_frequencies(line.text, window.material.language)
    ]
    for own in find_frequencies(claim.line.text, claim.language):
        if known and not any(is_same_quantity(own, other) for other in known):
            reason = Message("claim-says-other", said=own.text, found=known[0].text)
            return Objection(reason, known[0].text)
    return None


def find_unknown_scale(claim: Claim, materials: Sequence[ParsedEvidence]) -> Objection | None:
    """A number that the evidence has only in a scale which it does not name."""
    known = [(list_named_scales(one), list_quantities(one)) for one in materials]
    rows = [quantity for one in materials for quantity in list_row_quantities(one)]
    for quantity in claim.line.quantities:
        if quantity.kind != "number" or may_count(quantity):
            continue
        named = any(is_given(o, quantity, scales) for scales, own in known for o in own)
        if not named and any(is_given(other, quantity, ALL_SCALES) for other in rows):
            text = claim.line.text[quantity.start : quantity.end]
            return Objection(Message("claim-scale-unknown", value=text))
    return None


def _find_only_value(quantity: Quantity, lines: Sequence[ParsedLine]) -> str | None:
    """The only value of this kind in the lines, as the source writes it."""
    values = {
        part.text[other.start : other.end]
        for line in lines
        for part in line.clauses
        for other in part.quantities
        if is_comparable(quantity, other)
    }
    return values.pop() if len(values) == 1 else None


def find_misplaced_fact(
    claim: Claim, chosen: Sequence[EvidenceWindow], placed: Sequence[Quantity]
) -> Objection | None:
    """A value that the text gives for something else: another line matches better and differs.

    A rival is a clause with another value of the same kind. It wins if it has all the words that
    the claim shares with the places of this value, and more. Numbers ``placed`` in a table have none.
    """
    materials = {window.material.evidence.id: window.material for window in chosen}
    lines = [line for material in materials.values() for line in material.lines]
    for clause in claim.line.clauses:
        terms = clause.terms if len(clause.terms) > 1 else claim.line.terms
        for quantity in clause.quantities:
            if may_count(quantity) or is_listed(quantity, placed):
                continue
            rival = _find_rival_value(quantity, terms, lines)
            if rival is not None:
                text = clause.text[quantity.start : quantity.end]
                reason = Message("claim-value-of-other", value=text)
                return Objection(reason, rival.text.strip())
    subject = claim.line.names[0] if claim.line.names else None
    if subject and any(is_mentioned_in(subject, one.context.folded) for one in materials.values()):
        # Of a document's own subject every sentence may be said.
        return None
    if subject and _is_subject(subject, claim.line.text) and not is_ordinary(subject, claim.common):
        rival = _find_rival_subject(subject, claim, lines)
        if rival is not None:
            reason = Message("claim-other-subject", name=subject.text)
            return Objection(reason, rival.text.strip())
    return None


def _is_subject(name: Name, text: str) -> bool:
    """Whether the name is what the sentence is about, not the label of a field ("Type: USB")."""
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
    """A competing clause that shares strictly more terms than every clause that ``holds``.

    Clauses are compared within a sentence, whole sentences otherwise: a number is often apart from
    the words it belongs to ("In 1973, …"). A clause without terms counts as its sentence.
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


def find_cross_lingual_denial(claim: Claim, chosen: Sequence[EvidenceWindow]) -> Objection | None:
    """A negation in each line of the source alone; for claim and source in two languages."""
    parts = [part for window in chosen for line in window.lines for part in line.clauses]
    if not claim.line.negated and parts and all(part.negated for part in parts):
        return Objection(Message("claim-negated-by-source"))
    return None
