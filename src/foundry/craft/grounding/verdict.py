"""The verdict on a claim: what the rules say of it, and a judge of what they leave open.

Every face decides here whether a statement holds: of an answer, a draft or a text to verify. They
differ in where the evidence comes from and in what they show. The rules decide in this order: a
sentence or row of what the claim cites says it; one of other evidence says it; one says the contrary;
a number of it is nowhere. All else is open. A judge decides that, but no number and no exact
difference that its own quotes do not meet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from foundry.analysis import detect_query_language
from foundry.craft.grounding.figures import (
    collect_figures,
    find_absent_figure,
    find_computation,
)
from foundry.craft.grounding.verification import Finding, verify_statement
from foundry.messages import Message
from foundry.records import ClaimCheck, ClaimVerdict, Evidence, Quote
from foundry.text.lines import ParsedEvidence, ParsedLine, parse_evidence, parse_line
from foundry.text.replies import Statement

JudgeVerdict = Literal["supported", "partly", "unsupported"]

_MIN_DETECTABLE_WORDS = 6
"""Words. Fewer say too little to detect a language (a guess)."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a statement: its verdict, the quotes that decide it, what is missing.

    ``correction`` is its own wording of a statement that it rejects, "" if nothing is left to say.
    ``fits`` is false for a statement about another subject, period or kind of thing than was asked.
    ``objection`` is an exact difference that it saw beside its quotes and accepts all the same.
    """

    verdict: JudgeVerdict
    quotes: tuple[Quote, ...] = ()
    missing: str = ""
    correction: str = ""
    fits: bool = True
    objection: Message | None = None


@dataclass(frozen=True, eq=False)
class EvidenceIndex:
    """Evidence prepared once, to check any number of statements against.

    ``language`` is that of the text that the statements are from, ``about`` the evidence of the
    document that the text is about. ``has`` says of a number whether a source beyond the evidence
    has it. With ``reattribute`` False, a statement that only uncited evidence supports is removed. With
    ``judged``, attributions name what a judge should read, and ``settle`` decides.
    """

    evidence: Sequence[Evidence]
    language: str
    judged: bool = False
    reattribute: bool = True
    about: Collection[str] = ()
    has: Callable[[ParsedLine], bool] = lambda _number: False

    @cached_property
    def materials(self) -> Mapping[str, ParsedEvidence]:
        """The evidence by its ids."""
        return {item.id: parse_evidence(item) for item in self.evidence}

    @cached_property
    def figures(self) -> frozenset[str]:
        """The digits of all numbers in the evidence."""
        return collect_figures(self.materials.values())


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """What the rules say of a claim, and what each piece of evidence that was read says of it.

    In ``check`` the evidence is named by its ids. ``language`` is that of the claim, "und" where that
    of a passage is taken for it. ``decided`` if no judge may say otherwise.
    """

    check: ClaimCheck
    findings: Mapping[str, Finding]
    language: str
    decided: bool = False

    @property
    def cited(self) -> tuple[str, ...]:
        """What it cites and was read."""
        return tuple(id_ for id_ in self.check.citations if id_ in self.findings)

    @property
    def nearest(self) -> list[str]:
        """What was read, the nearest first."""
        return sorted(self.findings, key=lambda id_: -self.findings[id_].nearness)


def rule_claim(claim: Statement, index: EvidenceIndex) -> ClaimRuling:
    """What the rules say of a claim, of what it cites and then of all evidence."""
    language = detect_statement_language(claim.text, index.language)
    cited = [id_ for id_ in claim.citations if id_ in index.materials]
    text, formulas, absent = _read_figures(claim.text, language, cited, index)
    findings = {id_: _verify(text, language, id_, index) for id_ in cited}
    if not _list_exact(findings):
        others = (id_ for id_ in index.materials if id_ not in findings)
        findings |= {id_: _verify(text, language, id_, index) for id_ in others}
    check = replace(_build_check(claim, findings, index), computed=formulas)
    if formulas and check.verdict != "contradicted":
        check = replace(check, reason=Message("claim-computed", formulas=formulas))
    if check.carried_by and _is_ambiguous(text, language, findings, index):
        reason = Message("claim-several-rows")
        check = replace(check, verdict="unclear", reason=reason, carried_by=())
    number = None if check.carried_by else _find_nowhere(absent, index)
    if number and check.verdict == "unclear":
        reason = Message("claim-figure-absent", value=number)
        check = replace(check, reason=reason)
    return ClaimRuling(check, findings, language, decided=bool(check.carried_by or number))


def detect_statement_language(text: str, document: str) -> str:
    """A statement's own language if it is long enough to detect, else its document's."""
    language = detect_query_language(text) if len(text.split()) >= _MIN_DETECTABLE_WORDS else "und"
    return document if language == "und" else language


def _read_figures(
    text: str, language: str, cited: Sequence[str], index: EvidenceIndex
) -> tuple[str, tuple[str, ...], list[ParsedLine]]:
    """The text without the numbers that follow by calculation, how they do, and those that do not.

    Only those are looked at that the evidence does not have.
    """
    line = parse_line(text, language)
    materials = [index.materials[id_] for id_ in cited or index.materials]
    formulas, absent, left = list[str](), list[ParsedLine](), text
    for number in reversed(line.quantities):
        alone = replace(line, quantities=(number,))
        if find_absent_figure(alone, index.figures) is None:
            continue
        formula = find_computation(number, line, materials)
        if formula is None:
            absent.append(alone)
            continue
        formulas.append(formula)
        left = left[: number.start] + left[number.end :]
    return left, tuple(reversed(formulas)), absent[::-1]


def _find_nowhere(absent: Sequence[ParsedLine], index: EvidenceIndex) -> str | None:
    """The first number that no source has either."""
    alone = next((one for one in absent if not index.has(one)), None)
    return alone.quantities[0].text.strip() if alone else None


def _verify(text: str, language: str, id_: str, index: EvidenceIndex) -> Finding:
    evidence = index.materials[id_].evidence
    return verify_statement(text, [evidence], choose_language(language, evidence))


def choose_language(language: str, evidence: Evidence) -> str:
    """A statement's language; that of the passage where it is too short to say."""
    return evidence.hit.chunk.language if language == "und" else language


def _list_exact(findings: Mapping[str, Finding]) -> list[str]:
    return [id_ for id_, one in findings.items() if one.verdict == "exact"]


def _is_ambiguous(
    text: str, language: str, findings: Mapping[str, Finding], index: EvidenceIndex
) -> bool:
    """Whether rows of other passages could be meant as well: parts lists all have an item A1.

    Those of the document that the text is about come before others; superseded ones do not count.
    """
    exact = _list_exact(findings)
    near = [id_ for id_ in findings if id_ in index.about]
    if not set(exact) & set(near):
        fits = {id_: index.materials[id_].evidence.hit.fit.reason is None for id_ in findings}
        near = [id_ for id_ in findings if fits[id_] or id_ in exact]
    evidence = [index.materials[id_].evidence for id_ in near]
    known = choose_language(language, index.materials[exact[0]].evidence)
    return len(near) > 1 and verify_statement(text, evidence, known).verdict != "exact"


def _build_check(
    claim: Statement, findings: Mapping[str, Finding], index: EvidenceIndex
) -> ClaimCheck:
    """The check by the first that there is.

    Cited evidence that says it exactly; other evidence that does; what contradicts it; the nearest.
    """
    exact = _list_exact(findings)
    own = [id_ for id_ in exact if id_ in claim.citations]
    if exact:
        carrying = own or [*(id_ for id_ in exact if id_ in index.about), *exact][:1]
        check = build_check(claim, "exact", *(findings[id_] for id_ in carrying))
        verdict: ClaimVerdict = "misattributed" if claim.citations and not own else "exact"
        return replace(check, verdict=verdict, carried_by=tuple(carrying))
    near = sorted(findings, key=lambda id_: -findings[id_].nearness)
    against = [id_ for id_ in near if findings[id_].verdict == "contradicted"]
    nearest = against or [id_ for id_ in near if id_ in claim.citations] or near
    found = (findings[id_] for id_ in nearest[:1])
    return build_check(claim, "contradicted" if against else "unclear", *found)


def build_check(claim: Statement, verdict: ClaimVerdict, *findings: Finding) -> ClaimCheck:
    """A check with the words of the nearest finding and the quotes of all."""
    if not findings:
        reason = Message("claim-nothing-to-check")
        return ClaimCheck(claim.text, verdict, 0.0, reason, claim.citations)
    best = max(findings, key=lambda one: one.nearness)
    return ClaimCheck(
        sentence=claim.text,
        verdict=verdict,
        score=best.nearness,
        reason=best.reason,
        citations=claim.citations,
        quotes=tuple(quote for one in findings for quote in one.quotes),
        differs=best.differs,
        shared=best.shared,
        missing=best.missing,
    )


def apply_judgement(check: ClaimCheck, judgement: Judgement | None) -> ClaimCheck:
    """The check with a judge's verdict, reason and quotes; as it is without one, or where rules decide.

    What a passage contradicts stays so unless the judge accepts it. Where it accepts what the rules
    object to, even with that before it, neither decides, and the reason says both. A yes without a
    quote is no verdict.
    """
    contradicted = check.verdict == "contradicted"
    if judgement is None or check.verdict not in {"unclear", "contradicted"}:
        return check
    if judgement.verdict != "supported":
        return check if contradicted else _reject(check, judgement)
    if not judgement.quotes:
        return check
    quoting = dict.fromkeys(quote.evidence_id for quote in judgement.quotes)
    kept = tuple(id_ for id_ in quoting if id_ in check.citations)
    used = kept or tuple(quoting)
    quotes = tuple(quote for quote in judgement.quotes if quote.evidence_id in used)
    if judgement.objection:
        verdict: ClaimVerdict = check.verdict if contradicted else "unclear"
        reason = Message("claim-judge-overrules", reason=judgement.objection)
        differs = check.differs if contradicted else None
        return replace(check, verdict=verdict, reason=reason, quotes=quotes, differs=differs)
    return replace(
        check,
        verdict="misattributed" if check.citations and not kept else "supported",
        reason=Message("claim-judge-supports"),
        carried_by=used,
        quotes=quotes,
        differs=None,
    )


def _reject(check: ClaimCheck, judgement: Judgement) -> ClaimCheck:
    reason = (
        Message("claim-judge-rejects", missing=judgement.missing)
        if judgement.missing
        else Message("claim-judge-rejects-plainly")
    )
    quotes = judgement.quotes or check.quotes
    return replace(check, verdict=judgement.verdict, reason=reason, quotes=quotes, differs=None)
