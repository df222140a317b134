"""Attribution of each statement of a reply: kept, cited differently or removed, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Literal

from foundry.craft.grounding.calibration import ClaimCalibration, get_claim_calibration
from foundry.craft.grounding.claims import Claim, collect_lowercase_words, parse_claim
from foundry.craft.grounding.verification import Finding, verify_claim
from foundry.messages import Message
from foundry.ports import Similarity
from foundry.records import (
    ClaimCheck,
    ClaimVerdict,
    Evidence,
    Grounding,
    GroundingChange,
    Sentence,
)
from foundry.text.lines import ParsedEvidence, parse_evidence
from foundry.text.replies import Statement, is_refusal

_MAX_JUDGED = 3
"""Uncited pieces of evidence for which meaning and the judge are asked: each costs a call."""

MIN_RETELLING = 0.75
"""A statement restates a passage if it has this share of its words in order. A guess; without the
rule that uses it, fewer changed values are caught (``python -m bench mutations``, "among five")."""

Judge = Callable[[str, Evidence], bool | None]
"""Whether evidence supports a borderline sentence; None if it could not be asked."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """A statement after verification: the check, the sentence to show, and the change made."""

    check: ClaimCheck
    sentence: Sentence | None = None
    change: GroundingChange | None = None


@dataclass(frozen=True, slots=True)
class EvidenceIndex:
    """Evidence prepared once, to check any number of statements against.

    ``similar`` compares by meaning across languages; ``judge`` decides on borderline sentences.
    With ``reattribute`` False, a statement that only uncited evidence supports is removed.
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
    """Prepare the evidence for ``attribute``.

    ``known_words`` is text whose words do not count as unknown names, such as the question.
    Without ``similar``, a sentence without number or name is removed if its source is in another
    language. ``constants`` default to the shipped calibration.
    """
    materials = {item.id: parse_evidence(item) for item in evidence}
    common = collect_lowercase_words(list(materials.values()), known_words)
    chosen = constants or get_claim_calibration()
    return EvidenceIndex(materials, common, language, similar, judge, reattribute, chosen)


def build_grounding(attributions: Sequence[Attribution]) -> Grounding:
    """The grounding of a text from its attributed statements; coverage counts removed ones too."""
    sentences = tuple(attribution.sentence for attribution in attributions if attribution.sentence)
    refusals = [
        attribution for attribution in attributions if is_refusal(attribution.check.sentence)
    ]
    return Grounding(
        sentences=sentences,
        changes=tuple(attribution.change for attribution in attributions if attribution.change),
        attribution_coverage=len(sentences) / len(attributions) if attributions else None,
        shown_coverage=1.0 if sentences else None,
        refused=bool(attributions) and not sentences and len(refusals) == len(attributions),
        checks=tuple(attribution.check for attribution in attributions),
    )


def attribute(statement: Statement, index: EvidenceIndex) -> Attribution:
    """Check one statement against what it cites, then against the rest of the evidence."""
    claim = parse_claim(statement.text, index.language, index.common)
    cited = [id_ for id_ in statement.citations if id_ in index.materials]
    findings = {id_: _verify_one(claim, id_, index, ask=True) for id_ in cited}
    supporting = _select_supporting(findings)
    if not supporting and len(cited) > 1:
        materials = [index.materials[id_] for id_ in cited]
        joint = verify_claim(claim, materials, index.similar, index.constants)
        supporting = _split_by_evidence(joint)
    supporting = _drop_outweighed(supporting, findings)
    complaints = _collect_complaints(statement, findings, supporting)
    if supporting:
        change = _build_change(statement, "recited", complaints) if complaints else None
        check = _build_check(statement, "supported", supporting)
        return Attribution(check, _build_sentence(statement.text, supporting), change)
    others = _verify_others(claim, cited, index)
    everything = {**findings, **others}
    supporting = _drop_outweighed(_select_supporting(others), everything)
    if supporting:
        return _reattribute(statement, supporting, complaints, index.reattribute)
    # The finding that matches most words explains best why nothing supports the statement.
    nearest = max(
        everything.values(),
        key=lambda finding: (finding.words or 0.0, finding.score),
        default=None,
    )
    verdict: ClaimVerdict = nearest.verdict if nearest else "unsupported"
    check = _build_check(statement, verdict, {}, nearest)
    if nearest and not cited:
        complaints.append(nearest.reason)
    complaints.append(Message("claim-no-support"))
    return Attribution(check, None, _build_change(statement, "removed", complaints))


def _select_supporting(findings: Mapping[str, Finding]) -> dict[str, Finding]:
    return {id_: finding for id_, finding in findings.items() if finding.supported}


def _collect_complaints(
    statement: Statement, findings: Mapping[str, Finding], supporting: Mapping[str, Finding]
) -> list[Message]:
    """What is wrong with the citations: unknown ones first, then those without support."""
    if not statement.citations:
        return [Message("claim-cites-nothing")]
    unknown = [id_ for id_ in statement.citations if id_ not in findings]
    failing = [id_ for id_ in statement.citations if id_ in findings and id_ not in supporting]
    return [
        *(Message("claim-unknown-citation", name=id_) for id_ in unknown),
        *(Message("claim-at", name=id_, reason=findings[id_].reason) for id_ in failing),
    ]


def _drop_outweighed(
    supporting: Mapping[str, Finding], findings: Mapping[str, Finding]
) -> dict[str, Finding]:
    """Drop support that follows the statement less closely than a contradicting sentence does.

    Some evidence always has a number of the right size. If the very sentence that a statement
    restates has another value, that sentence counts.
    """
    closest = max((finding.follows for finding in findings.values() if finding.hard), default=0.0)
    if closest < MIN_RETELLING:
        return dict(supporting)
    return {id_: finding for id_, finding in supporting.items() if finding.follows >= closest}


def _reattribute(
    statement: Statement,
    supporting: Mapping[str, Finding],
    complaints: Sequence[Message],
    reattribute: bool,
) -> Attribution:
    best = max(supporting, key=lambda id_: supporting[id_].score)
    chosen = {best: supporting[best]}
    complaints = [*complaints, Message("claim-supported-by", name=best)]
    check = _build_check(statement, "misattributed", chosen)
    if not reattribute:
        return Attribution(check, None, _build_change(statement, "removed", complaints))
    change = _build_change(statement, "reattributed", complaints)
    return Attribution(check, _build_sentence(statement.text, chosen), change)


def _build_check(
    statement: Statement,
    verdict: ClaimVerdict,
    supporting: Mapping[str, Finding],
    nearest: Finding | None = None,
) -> ClaimCheck:
    best = max(supporting.values(), key=lambda finding: finding.score, default=nearest)
    return ClaimCheck(
        sentence=statement.text,
        verdict=verdict,
        score=best.score if best else 0.0,
        reason=best.reason if best else Message("claim-nothing-to-check"),
        citations=statement.citations,
        carried_by=tuple(supporting),
        quotes=tuple(quote for finding in supporting.values() for quote in finding.quotes)
        or (best.quotes if best else ()),
        differs=best.differs if best else None,
    )


def _build_change(
    statement: Statement,
    action: Literal["reattributed", "removed", "recited"],
    complaints: Sequence[Message],
) -> GroundingChange:
    reason = reduce(lambda one, two: Message("claim-and", first=one, second=two), complaints)
    return GroundingChange(statement.text, action, reason)


def _build_sentence(text: str, findings: Mapping[str, Finding]) -> Sentence:
    quotes = tuple(quote for finding in findings.values() for quote in finding.quotes)
    return Sentence(text, tuple(findings), quotes)


def _verify_one(claim: Claim, id_: str, index: EvidenceIndex, *, ask: bool) -> Finding:
    """The finding on one piece of evidence; ``ask`` allows embedding it and asking the judge."""
    material = index.materials[id_]
    similar = index.similar if ask else None
    finding = verify_claim(claim, [material], similar, index.constants)
    return apply_judge(finding, claim.line.text, material.evidence, index.judge if ask else None)


def apply_judge(finding: Finding, text: str, evidence: Evidence, judge: Judge | None) -> Finding:
    """A borderline finding with the judge's verdict; any other finding unchanged.

    Support without a quote could not be shown, so the judge cannot grant it.
    """
    if judge is None or not finding.borderline:
        return finding
    verdict = judge(text, evidence)
    if verdict is None or verdict == finding.supported or (verdict and not finding.quotes):
        return finding
    code = "claim-judge-supports" if verdict else "claim-judge-rejects"
    reason = Message(code, name=evidence.id, reason=finding.reason)
    return replace(finding, verdict="supported" if verdict else "unsupported", reason=reason)


def _split_by_evidence(finding: Finding) -> dict[str, Finding]:
    """A joint finding as one finding per piece of evidence that it quotes."""
    if not finding.supported:
        return {}
    ids = dict.fromkeys(quote.evidence_id for quote in finding.quotes)
    return {
        id_: replace(finding, quotes=tuple(q for q in finding.quotes if q.evidence_id == id_))
        for id_ in ids
    }


def _verify_others(claim: Claim, cited: Sequence[str], index: EvidenceIndex) -> dict[str, Finding]:
    """Findings on the uncited evidence; only the first few may embed or ask the judge."""
    others = [id_ for id_ in index.materials if id_ not in cited]
    return {
        id_: _verify_one(claim, id_, index, ask=number < _MAX_JUDGED)
        for number, id_ in enumerate(others)
    }
