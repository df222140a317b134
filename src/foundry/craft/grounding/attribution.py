"""Attribution of each statement of a reply: kept, cited differently or removed, with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from textwrap import shorten
from typing import Literal

from foundry.craft.grounding.calibration import ClaimCalibration, get_claim_calibration
from foundry.craft.grounding.claims import Claim, collect_lowercase_words, parse_claim
from foundry.craft.grounding.computations import compute_from_cells
from foundry.craft.grounding.figures import (
    collect_figures,
    find_absent_figure,
    find_computation,
)
from foundry.craft.grounding.verification import Finding, verify_claim
from foundry.messages import Message
from foundry.ports import CompareSentences
from foundry.records import (
    ClaimCheck,
    ClaimVerdict,
    Evidence,
    Grounding,
    GroundingChange,
    Sentence,
)
from foundry.text.lines import ParsedEvidence, parse_evidence
from foundry.text.quantities import Quantity
from foundry.text.replies import Statement, is_refusal

_MAX_COMPARED = 3
"""Uncited pieces of evidence that are compared by meaning: each takes a second."""

MIN_RETELLING = 0.75
"""A statement restates a passage if it has this share of its words in order. A guess; without the
rule that uses it, fewer changed values are caught (``python -m bench mutations``, "among five")."""

MIN_NEAR = 0.4
"""From this share of a statement's words on, the nearest passage is shown as what the source says
instead. A guess, as where a statement counts as partly supported."""

_MAX_SHOWN_QUOTE = 240
"""Characters of a quote in the reason of a change."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """A statement after verification: the check, the sentence to show, and the change made.

    ``candidates`` are the passages that a judge should read, cited ones first; there are none if
    the rules alone are certain.
    """

    check: ClaimCheck
    sentence: Sentence | None = None
    change: GroundingChange | None = None
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceIndex:
    """Evidence prepared once, to check any number of statements against.

    ``similar`` compares by meaning across languages. With ``reattribute`` False, a statement that
    only uncited evidence supports is removed. With ``judged``, attributions name what a judge
    should read, and ``settle`` decides.
    """

    materials: Mapping[str, ParsedEvidence]
    common: frozenset[str]
    language: str
    figures: frozenset[str]
    similar: CompareSentences | None = None
    judged: bool = False
    reattribute: bool = True
    constants: ClaimCalibration = field(default_factory=get_claim_calibration)


def index_evidence(
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: CompareSentences | None = None,
    judged: bool = False,
    reattribute: bool = True,
    constants: ClaimCalibration | None = None,
) -> EvidenceIndex:
    """Prepare the evidence for ``attribute``.

    ``known_words`` is text whose words do not count as unknown names, such as the question.
    Without ``similar``, a sentence without number or name is removed if its source is in another
    language. ``constants`` default to the shipped calibration.
    """
    materials = {item.id: parse_evidence(item) for item in evidence}
    return EvidenceIndex(
        materials=materials,
        common=collect_lowercase_words(list(materials.values()), known_words),
        language=language,
        figures=collect_figures(materials.values()),
        similar=similar,
        judged=judged,
        reattribute=reattribute,
        constants=constants or get_claim_calibration(),
    )


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
    """Check one statement by the rules, against what it cites and then the rest of the evidence."""
    claim = parse_claim(statement.text, index.language, index.common)
    cited = [index.materials[id_] for id_ in statement.citations if id_ in index.materials]
    formulas: list[str] = []
    while absent := find_absent_figure(claim, index.figures):
        formula = find_computation(absent, claim, cited) or _compute(absent, claim, cited)
        if formula is None:
            value = claim.line.text[absent.start : absent.end].strip()
            return _reject_figure(_attribute(statement, claim, index), value)
        formulas.append(formula)
        rest = claim.line.text[: absent.start] + claim.line.text[absent.end :]
        claim = parse_claim(rest, index.language, index.common)
    found = _attribute(statement, claim, index)
    return _mark_computed(found, tuple(formulas)) if formulas else found


def _compute(value: Quantity, claim: Claim, cited: Sequence[ParsedEvidence]) -> str | None:
    """How a value follows from two cells that the claim names, if it says which is the larger."""
    found = (compute_from_cells(value, claim, material) for material in cited)
    return next((one.formula for one in found if one and one.certain), None)


def _attribute(statement: Statement, claim: Claim, index: EvidenceIndex) -> Attribution:
    cited = [id_ for id_ in statement.citations if id_ in index.materials]
    findings = {id_: _verify_one(claim, id_, index, embed=True) for id_ in cited}
    supporting = _select_supporting(findings)
    if not supporting and len(cited) > 1:
        materials = [index.materials[id_] for id_ in cited]
        joint = verify_claim(claim, materials, index.similar, index.constants)
        supporting = _split_by_evidence(joint)
    supporting = _drop_outweighed(supporting, findings)
    complaints = _collect_complaints(statement, findings, supporting)
    if supporting:
        check = _build_check(statement, "supported", supporting)
        change = build_change(statement, "recited", complaints) if complaints else None
        found = Attribution(check, build_sentence(check), change)
        return _add_candidates(found, cited, supporting, index)
    others = _verify_others(claim, cited, index)
    best = _find_better(others, findings)
    if best:
        complaints.append(Message("claim-supported-by", name=best))
        check = _build_check(statement, "misattributed", {best: others[best]})
        return _add_candidates(recite(check, complaints, index), cited, {best: others[best]}, index)
    # The finding that matches most words explains best why nothing supports the statement.
    ranked = sorted(
        {**others, **findings}.items(),
        key=lambda item: (-1.0 if item[1].words is None else item[1].words, item[1].score),
    )
    nearest = ranked[-1][1] if ranked else None
    check = _build_check(statement, nearest.verdict if nearest else "unsupported", {}, nearest)
    close = nearest is not None and (nearest.words or 0.0) >= MIN_NEAR
    found = Attribution(check, None, build_removal(statement, check, complaints, near=close))
    near = [id_ for id_, _ in ranked[:-2:-1]]
    return _add_candidates(found, [*cited, *near], {}, index)


def _add_candidates(
    found: Attribution,
    cited: Sequence[str],
    supporting: Mapping[str, Finding],
    index: EvidenceIndex,
) -> Attribution:
    """What a judge should read, unless the statement occurs word for word in its evidence."""
    certain = any(finding.reason.code == "claim-word-for-word" for finding in supporting.values())
    if certain or not index.judged:
        return found
    return replace(found, candidates=tuple(dict.fromkeys((*cited, *supporting))))


def _reject_figure(found: Attribution, value: str) -> Attribution:
    """No judge may accept a number that no passage has."""
    if found.sentence is not None:
        return found
    check = replace(found.check, reason=Message("claim-figure-absent", value=value))
    statement = Statement(check.sentence, check.citations)
    return Attribution(check, None, build_removal(statement, check, []))


def _mark_computed(found: Attribution, formulas: tuple[str, ...]) -> Attribution:
    reason = Message("claim-computed", formulas=formulas)
    check = replace(found.check, computed=formulas)
    if found.sentence is None:
        return replace(found, check=check)
    check = replace(check, reason=reason)
    return replace(found, check=check, sentence=build_sentence(check))


def _find_better(others: Mapping[str, Finding], cited: Mapping[str, Finding]) -> str | None:
    """The uncited evidence of which one quote carries the statement at least as well as the cited.

    Words of a statement are somewhere in most long passages: that proves nothing.
    """
    follows = max((finding.follows for finding in cited.values()), default=0.0)
    everything = {**cited, **others}
    fitting = {
        id_: finding
        for id_, finding in _drop_outweighed(_select_supporting(others), everything).items()
        if len(finding.quotes) == 1 and finding.follows >= follows
    }
    return max(fitting, key=lambda id_: fitting[id_].score, default=None)


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


def recite(check: ClaimCheck, complaints: Sequence[Message], index: EvidenceIndex) -> Attribution:
    """The statement cited to the evidence that carries it, if that repair step comes now."""
    statement = Statement(check.sentence, check.citations)
    if not index.reattribute:
        return Attribution(check, None, build_change(statement, "removed", complaints))
    change = build_change(statement, "reattributed", complaints)
    return Attribution(check, build_sentence(check), change)


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


def build_change(
    statement: Statement,
    action: Literal["reattributed", "removed", "recited"],
    complaints: Sequence[Message],
) -> GroundingChange:
    """The record of what became of a statement, with all complaints as its reason."""
    reason = reduce(lambda one, two: Message("claim-and", first=one, second=two), complaints)
    return GroundingChange(statement.text, action, reason)


def build_removal(
    statement: Statement, check: ClaimCheck, complaints: Sequence[Message], *, near: bool = True
) -> GroundingChange:
    """Removal for the complaints or the check's reason, with the words that come ``near``."""
    quote = max(check.quotes, key=lambda quote: len(quote.text), default=None)
    reasons = [*complaints] or [check.reason]
    if quote is not None and near:
        text = shorten(quote.text, _MAX_SHOWN_QUOTE, placeholder=" …")
        reasons.append(Message("claim-nearest-quote", name=quote.evidence_id, quote=text))
    else:
        reasons.append(Message("claim-no-support"))
    return build_change(statement, "removed", reasons)


def build_sentence(check: ClaimCheck) -> Sentence:
    """The sentence of a supported statement, cited to the evidence that carries it."""
    return Sentence(check.sentence, check.carried_by, check.quotes, check.computed)


def _verify_one(claim: Claim, id_: str, index: EvidenceIndex, *, embed: bool) -> Finding:
    """The finding on one piece of evidence; ``embed`` allows comparing it by meaning."""
    similar = index.similar if embed else None
    return verify_claim(claim, [index.materials[id_]], similar, index.constants)


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
    """Findings on the uncited evidence; only the first few are compared by meaning."""
    others = [id_ for id_ in index.materials if id_ not in cited]
    return {
        id_: _verify_one(claim, id_, index, embed=number < _MAX_COMPARED)
        for number, id_ in enumerate(others)
    }
