"""Attribution of each statement of a reply: kept, cited differently, left open or removed.

Kept is what a sentence or row of the evidence says exactly. Removed is what one contradicts, and a
number that no passage has and none gives by calculation. All else is open: a judge decides, and
without one the sentence is shown as not verified.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from textwrap import shorten
from typing import Literal

from foundry.analysis import detect_query_language
from foundry.craft.grounding.computations import compute_from_cells
from foundry.craft.grounding.figures import (
    collect_figures,
    find_absent_figure,
    find_computation,
)
from foundry.craft.grounding.verification import Finding, verify_statement
from foundry.messages import Message
from foundry.records import (
    ClaimCheck,
    ClaimVerdict,
    Evidence,
    Grounding,
    GroundingChange,
    Quote,
    Sentence,
)
from foundry.text.lines import ParsedEvidence, ParsedLine, parse_evidence, parse_line
from foundry.text.passages import build_quotes, find_passages
from foundry.text.quantities import Quantity
from foundry.text.replies import Statement, is_refusal

_MAX_SHOWN_QUOTE = 240
"""Characters of a quote in the reason of a change."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """A statement after verification: the check, the sentence to show, and the change made.

    ``candidates`` are the passages that a judge should read, cited ones first; of a statement that is
    exact it only judges whether that is about what was asked. ``sentence`` is what is shown where no
    judge decides. ``beside`` is a supported sentence about something else, ``read`` whether a judge
    read it. ``final`` if nothing is left of it to be written again.
    """

    check: ClaimCheck
    sentence: Sentence | None = None
    change: GroundingChange | None = None
    candidates: tuple[str, ...] = ()
    beside: Sentence | None = None
    read: bool = False
    final: bool = False

    @property
    def exact(self) -> bool:
        """Whether the rules found it word for word, or as a row says it."""
        return self.check.verdict in {"exact", "misattributed"}


@dataclass(frozen=True, slots=True)
class EvidenceIndex:
    """Evidence prepared once, to check any number of statements against.

    With ``reattribute`` False, a statement that only uncited evidence supports is removed. With
    ``judged``, attributions name what a judge should read, and ``settle`` decides.
    """

    materials: Mapping[str, ParsedEvidence]
    language: str
    figures: frozenset[str]
    judged: bool = False
    reattribute: bool = True

    def verify(self, text: str, id_: str) -> Finding:
        """What one piece of the evidence says of a sentence."""
        return verify_statement(text, [self.materials[id_].evidence], self.language)


def index_evidence(
    evidence: Sequence[Evidence],
    language: str,
    *,
    judged: bool = False,
    reattribute: bool = True,
) -> EvidenceIndex:
    """Prepare the evidence for ``attribute``."""
    materials = {item.id: parse_evidence(item) for item in evidence}
    figures = collect_figures(materials.values())
    return EvidenceIndex(materials, language, figures, judged, reattribute)


def build_grounding(attributions: Sequence[Attribution]) -> Grounding:
    """The grounding of a text from its attributed statements; coverage counts removed ones too."""
    sentences = tuple(attribution.sentence for attribution in attributions if attribution.sentence)
    verified = sum(sentence.verified for sentence in sentences)
    refusals = [
        attribution for attribution in attributions if is_refusal(attribution.check.sentence)
    ]
    return Grounding(
        sentences=sentences,
        changes=tuple(attribution.change for attribution in attributions if attribution.change),
        attribution_coverage=verified / len(attributions) if attributions else None,
        shown_coverage=verified / len(sentences) if sentences else None,
        refused=bool(attributions) and not sentences and len(refusals) == len(attributions),
        checks=tuple(attribution.check for attribution in attributions),
        beside=tuple(item.beside for item in attributions if item.beside),
    )


def attribute(statement: Statement, index: EvidenceIndex) -> Attribution:
    """Check one statement by the rules, against what it cites and then the rest of the evidence."""
    cited = [index.materials[id_] for id_ in statement.citations if id_ in index.materials]
    line = parse_line(statement.text, index.language)
    formulas: list[str] = []
    while absent := find_absent_figure(line, index.figures):
        formula = find_computation(absent, line, cited) or _compute(absent, line, cited)
        if formula is None:
            value = line.text[absent.start : absent.end].strip()
            return _reject_figure(_attribute(statement, line.text, index), value)
        formulas.append(formula)
        line = parse_line(line.text[: absent.start] + line.text[absent.end :], index.language)
    found = _attribute(statement, line.text, index)
    return _mark_computed(found, tuple(formulas)) if formulas else found


def _compute(value: Quantity, line: ParsedLine, cited: Sequence[ParsedEvidence]) -> str | None:
    """How a value follows from two cells that the line names, if it says which is the larger."""
    found = (compute_from_cells(value, line, material) for material in cited)
    return next((one.formula for one in found if one and one.certain), None)


def _attribute(statement: Statement, text: str, index: EvidenceIndex) -> Attribution:
    """The statement, of which the evidence must say ``text``."""
    cited = [id_ for id_ in statement.citations if id_ in index.materials]
    findings = {id_: index.verify(text, id_) for id_ in cited}
    exact = {id_: one for id_, one in findings.items() if one.verdict == "exact"}
    complaints = _collect_complaints(statement, findings, exact)
    if exact:
        check = _build_check(statement, "exact", exact)
        change = build_change(statement, "recited", complaints) if complaints else None
        candidates = tuple(exact) if index.judged else ()
        return Attribution(check, build_sentence(check), change, candidates)
    others = {id_: index.verify(text, id_) for id_ in index.materials if id_ not in findings}
    best = next((id_ for id_, one in others.items() if one.verdict == "exact"), None)
    if best:
        complaints.append(Message("claim-supported-by", name=best))
        check = _build_check(statement, "misattributed", {best: others[best]})
        found = recite(check, complaints, index)
        return replace(found, candidates=(best,)) if index.judged and found.sentence else found
    near = _sort_by_nearness(findings or others)
    against = [item for item in near if item[1].verdict == "contradicted"]
    if against:
        check = _build_check(statement, "contradicted", {}, against[0][1])
        found = Attribution(check, None, build_removal(statement, check, complaints))
    else:
        found = _leave_open(statement, near, complaints, index)
    if not index.judged or is_refusal(statement.text):
        return found
    more = [id_ for id_, _ in _sort_by_nearness({**findings, **others})[:1]]
    return replace(found, candidates=tuple(dict.fromkeys((*cited, *more))))


def _sort_by_nearness(findings: Mapping[str, Finding]) -> list[tuple[str, Finding]]:
    return sorted(findings.items(), key=lambda item: -item[1].nearness)


def _leave_open(
    statement: Statement,
    near: Sequence[tuple[str, Finding]],
    complaints: Sequence[Message],
    index: EvidenceIndex,
) -> Attribution:
    """A statement that only a judge or a reader can decide on, with the nearest words it cites.

    Without a judge it is removed if it cites nothing that has a word of it, in its own language:
    nobody could look it up. A refusal beside statements states nothing of a source.
    """
    nearest = near[0][1] if near else None
    check = _build_check(statement, "unclear", {}, nearest)
    cited = [item for item in near if item[0] in statement.citations]
    quotes = {id_: _quote_near(index, statement, id_, one) for id_, one in cited}
    if is_refusal(statement.text) or not any(quotes.values()):
        return Attribution(check, None, build_removal(statement, check, complaints))
    check = replace(check, quotes=tuple(quote for own in quotes.values() for quote in own))
    citations = tuple(id_ for id_ in statement.citations if quotes.get(id_))
    return Attribution(check, Sentence(statement.text, citations, check.quotes, verified=False))


def _quote_near(
    index: EvidenceIndex, statement: Statement, id_: str, finding: Finding
) -> tuple[Quote, ...]:
    """The nearest words; in another language those that the search found, as no words are shared."""
    if finding.nearness > 0 and finding.quotes:
        return finding.quotes
    evidence = index.materials[id_].evidence
    chunk, focus = evidence.hit.chunk, evidence.hit.focus
    spoken = detect_query_language(statement.text)
    if "und" in (spoken, chunk.language) or spoken == chunk.language:
        return ()
    passages = [one for one in find_passages(chunk) if one.kind != "heading"]
    nearest = next((one for one in passages if one.end > focus.start), None)
    return build_quotes(nearest, evidence) if nearest else ()


def _reject_figure(found: Attribution, value: str) -> Attribution:
    """No judge may accept a number that no passage has."""
    if found.check.verdict in {"exact", "misattributed"}:
        return found
    reason = Message("claim-figure-absent", value=value)
    verdict: ClaimVerdict = "unsupported"
    if found.check.verdict == "contradicted":
        verdict, reason = found.check.verdict, found.check.reason
    check = replace(found.check, verdict=verdict, reason=reason)
    statement = Statement(check.sentence, check.citations)
    return Attribution(check, None, build_removal(statement, check, []))


def _mark_computed(found: Attribution, formulas: tuple[str, ...]) -> Attribution:
    check = replace(found.check, computed=formulas)
    if found.sentence is None:
        return replace(found, check=check)
    check = replace(check, reason=Message("claim-computed", formulas=formulas))
    return replace(found, check=check, sentence=replace(found.sentence, computed=formulas))


def _collect_complaints(
    statement: Statement, findings: Mapping[str, Finding], exact: Mapping[str, Finding]
) -> list[Message]:
    """What is wrong with the citations: unknown ones first, then those without support."""
    if not statement.citations:
        return [Message("claim-cites-nothing")]
    unknown = [id_ for id_ in statement.citations if id_ not in findings]
    failing = [id_ for id_ in statement.citations if id_ in findings and id_ not in exact]
    return [
        *(Message("claim-unknown-citation", name=id_) for id_ in unknown),
        *(Message("claim-at", name=id_, reason=findings[id_].reason) for id_ in failing),
    ]


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
    best = max(supporting.values(), key=lambda finding: finding.nearness, default=nearest)
    if best is None:
        reason = Message("claim-nothing-to-check")
        return ClaimCheck(statement.text, verdict, 0.0, reason, statement.citations)
    return ClaimCheck(
        sentence=statement.text,
        verdict=verdict,
        score=best.nearness,
        reason=best.reason,
        citations=statement.citations,
        carried_by=tuple(supporting),
        quotes=tuple(quote for finding in supporting.values() for quote in finding.quotes)
        or best.quotes,
        differs=best.differs,
        shared=best.shared,
        missing=best.missing,
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
    statement: Statement, check: ClaimCheck, complaints: Sequence[Message]
) -> GroundingChange:
    """Removal for the complaints or the check's reason, with the nearest words where there are any."""
    quote = max(check.quotes, key=lambda quote: len(quote.text), default=None)
    reasons = [*complaints] or [check.reason]
    if quote is not None:
        text = shorten(quote.text, _MAX_SHOWN_QUOTE, placeholder=" …")
        reasons.append(Message("claim-nearest-quote", name=quote.evidence_id, quote=text))
    else:
        reasons.append(Message("claim-no-support"))
    return build_change(statement, "removed", reasons)


def build_sentence(check: ClaimCheck) -> Sentence:
    """The sentence of a supported statement, cited to the evidence that carries it."""
    return Sentence(check.sentence, check.carried_by, check.quotes, check.computed)
