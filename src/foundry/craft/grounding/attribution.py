"""Finds each statement of a reply its place: kept, cited anew, or removed, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from foundry.craft.grounding.calibration import ClaimCalibration, get_claim_calibration
from foundry.craft.grounding.claims import Claim, collect_lowercase_words, parse_claim
from foundry.craft.grounding.verification import Finding, Similarity, verify_claim
from foundry.records import (
    ClaimCheck,
    ClaimVerdict,
    Evidence,
    Grounding,
    GroundingChange,
    Sentence,
)
from foundry.text.lines import ParsedEvidence, parse_evidence
from foundry.text.replies import ParsedReply, Statement, is_refusal

_MAX_JUDGED = 3

MIN_RETELLING = 0.75
"""Share of a statement's words, in order in one passage, from which it retells that passage."""

Judge = Callable[[str, Evidence], bool | None]
"""Whether evidence carries a borderline sentence; None where it could not be asked."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """A statement after verification: what it was, what is shown of it, and what was changed."""

    check: ClaimCheck
    sentence: Sentence | None = None
    change: GroundingChange | None = None


@dataclass(frozen=True, slots=True)
class EvidenceIndex:
    """The evidence prepared once, to hold any number of statements against.

    ``similar`` compares by meaning across languages, ``make_decision`` decides on borderline
    sentences. ``reattribute`` False removes what only other evidence carries.
    ``constants`` make the scores.
    """

    materials: Mapping[str, ParsedEvidence]
    common: frozenset[str]
    language: str
    similar: Similarity | None = None
    judge: Judge | None = None
    reattribute: bool = True
    constants: ClaimCalibration = field(default_factory=get_claim_calibration)


def index_evidence(
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: Similarity | None = None,
    judge: Judge | None = None,
    reattribute: bool = True,
    constants: ClaimCalibration | None = None,
) -> EvidenceIndex:
    """Read the evidence once. ``known_words`` is text whose words are no unknown names.

    ``similar`` is needed to accept a sentence without number or name from a source in
    another language; without it such a sentence is removed. ``constants`` default to the
    shipped ones.
    """
    materials = {item.id: parse_evidence(item) for item in evidence}
    common = collect_lowercase_words(list(materials.values()), known_words)
    chosen = constants or get_claim_calibration()
    return EvidenceIndex(materials, common, language, similar, judge, reattribute, chosen)


def ground(
    parsed: ParsedReply,
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: Similarity | None = None,
    judge: Judge | None = None,
    reattribute: bool = True,
) -> Grounding:
    """The sentences that the evidence carries, with their quotes, and what became of the rest.

    The arguments are those of ``prepare``.
    """
    if parsed.refused:
        return Grounding((), refused=True)
    grounds = index_evidence(
        evidence,
        language,
        known_words=known_words,
        similar=similar,
        judge=judge,
        reattribute=reattribute,
    )
    return build_grounding([attribute(statement, grounds) for statement in parsed.statements])


def build_grounding(placed: Sequence[Attribution]) -> Grounding:
    """The placed statements of one text as its grounding; coverage is before removal."""
    sentences = tuple(one.sentence for one in placed if one.sentence)
    refusals = [one for one in placed if is_refusal(one.check.sentence)]
    return Grounding(
        sentences=sentences,
        changes=tuple(one.change for one in placed if one.change),
        attribution_coverage=len(sentences) / len(placed) if placed else None,
        shown_coverage=1.0 if sentences else None,
        refused=bool(placed) and not sentences and len(refusals) == len(placed),
        checks=tuple(one.check for one in placed),
    )


def attribute(statement: Statement, grounds: EvidenceIndex) -> Attribution:
    """Hold one statement against what it cites, then against the rest of the evidence."""
    claim = parse_claim(statement.text, grounds.language, grounds.common)
    cited = [one for one in statement.citations if one in grounds.materials]
    unknown = [one for one in statement.citations if one not in grounds.materials]
    findings = _verify_each(claim, cited, grounds)
    good = {one: finding for one, finding in findings.items() if finding.supported}
    if not good and len(cited) > 1:
        materials = [grounds.materials[one] for one in cited]
        good = _split_by_evidence(
            verify_claim(claim, materials, grounds.similar, grounds.constants)
        )
    good = _drop_outweighed(good, findings)
    complaints = [f"{one} is not among the evidence" for one in unknown]
    complaints += [f"{one}: {findings[one].reason}" for one in cited if one not in good]
    if not cited and not unknown:
        complaints.append("it cites nothing")
    if good:
        change = _build_change(statement, "recited", complaints) if complaints else None
        check = _build_check(statement, "supported", good)
        return Attribution(check, _build_sentence(statement.text, good), change)
    others = _verify_others(claim, cited, grounds)
    carrying = {one: finding for one, finding in others.items() if finding.supported}
    carrying = _drop_outweighed(carrying, {**findings, **others})
    if carrying:
        return _reattribute(statement, carrying, complaints, grounds.reattribute)
    nearest = _choose_nearest({**findings, **others})
    verdict: ClaimVerdict = nearest.verdict if nearest else "unsupported"
    check = _build_check(statement, verdict, {}, nearest)
    # A statement without citations is told what its nearest evidence says.
    if nearest and not cited:
        complaints.append(nearest.reason)
    return Attribution(
        check, None, _build_removal(statement, [*complaints, "no evidence carries it"])
    )


def _drop_outweighed(
    good: Mapping[str, Finding], findings: Mapping[str, Finding]
) -> dict[str, Finding]:
    """Support that is no looser than the sentence that says otherwise, where there is one.

    Somewhere in any evidence a number of the right size can be found. Where the very
    sentence that a statement retells has another value, that sentence counts.
    """
    told = max((finding.follows for finding in findings.values() if finding.hard), default=0.0)
    if told < MIN_RETELLING:
        return dict(good)
    return {one: finding for one, finding in good.items() if finding.follows >= told}


def _reattribute(
    statement: Statement,
    carrying: Mapping[str, Finding],
    complaints: Sequence[str],
    reattribute: bool,
) -> Attribution:
    best = max(carrying, key=lambda one: carrying[one].score)
    chosen = {best: carrying[best]}
    complaints = [*complaints, f"{best} carries it"]
    check = _build_check(statement, "misattributed", chosen)
    if not reattribute:
        return Attribution(check, None, _build_removal(statement, complaints))
    change = _build_change(statement, "reattributed", complaints)
    return Attribution(check, _build_sentence(statement.text, chosen), change)


def _build_check(
    statement: Statement,
    verdict: ClaimVerdict,
    carried: Mapping[str, Finding],
    nearest: Finding | None = None,
) -> ClaimCheck:
    best = max(carried.values(), key=lambda finding: finding.score, default=nearest)
    return ClaimCheck(
        sentence=statement.text,
        verdict=verdict,
        score=best.score if best else 0.0,
        reason=best.reason if best else "there is nothing to hold it against",
        citations=statement.citations,
        carried_by=tuple(carried),
        quotes=tuple(quote for finding in carried.values() for quote in finding.quotes)
        or (best.quotes if best else ()),
        differs=best.differs if best else None,
    )


def _choose_nearest(findings: Mapping[str, Finding]) -> Finding | None:
    """The finding that says most about a statement which nothing carries."""
    ranked = sorted(findings.values(), key=lambda one: (-(one.words or 0.0), -one.score))
    return ranked[0] if ranked else None


def _build_change(
    statement: Statement,
    action: Literal["reattributed", "removed", "recited"],
    complaints: Sequence[str],
) -> GroundingChange:
    return GroundingChange(statement.text, action, "; ".join(complaints))


def _build_removal(statement: Statement, complaints: Sequence[str]) -> GroundingChange:
    return _build_change(statement, "removed", complaints)


def _build_sentence(text: str, findings: Mapping[str, Finding]) -> Sentence:
    quotes = tuple(quote for finding in findings.values() for quote in finding.quotes)
    return Sentence(text, tuple(findings), quotes)


def _verify_each(claim: Claim, ids: Sequence[str], grounds: EvidenceIndex) -> dict[str, Finding]:
    return {one: _verify_one(claim, one, grounds, ask=True) for one in ids}


def _verify_one(claim: Claim, one: str, grounds: EvidenceIndex, *, ask: bool) -> Finding:
    """The finding on one piece of evidence; a borderline one as the judge decides."""
    material = grounds.materials[one]
    similar = grounds.similar if ask else None
    finding = verify_claim(claim, [material], similar, grounds.constants)
    return apply_judge(finding, claim.line.text, material.evidence, grounds.judge if ask else None)


def apply_judge(finding: Finding, text: str, evidence: Evidence, judge: Judge | None) -> Finding:
    """A borderline finding as the judge decides; any other, and without a judge, as it is.

    Where nothing was found to quote there is nothing to show it by: a yes changes nothing.
    """
    if judge is None or not finding.borderline:
        return finding
    decided = judge(text, evidence)
    if decided is None or decided == finding.supported or (decided and not finding.quotes):
        return finding
    verdict: Literal["supported", "unsupported"] = "supported" if decided else "unsupported"
    said = "carries it" if decided else "does not carry it"
    reason = f"the verifier says that {evidence.id} {said} ({finding.reason})"
    return replace(finding, verdict=verdict, reason=reason)


def _split_by_evidence(finding: Finding) -> dict[str, Finding]:
    """A finding over several pieces of evidence, parted by the piece that each quote is from."""
    if not finding.supported:
        return {}
    ids = dict.fromkeys(quote.evidence_id for quote in finding.quotes)
    return {
        one: replace(finding, quotes=tuple(q for q in finding.quotes if q.evidence_id == one))
        for one in ids
    }


def _verify_others(
    claim: Claim, cited: Sequence[str], grounds: EvidenceIndex
) -> dict[str, Finding]:
    """Findings on the rest of the evidence; meaning and the judge are asked of the first few only."""
    others = [one for one in grounds.materials if one not in cited]
    return {
        one: _verify_one(claim, one, grounds, ask=at < _MAX_JUDGED) for at, one in enumerate(others)
    }
