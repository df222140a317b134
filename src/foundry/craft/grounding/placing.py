"""Finds each statement of a reply its place: kept, cited anew, or removed, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from foundry.craft.grounding.scoring import Constants, get_constants
from foundry.craft.grounding.verifying import Finding, Similar, verify
from foundry.craft.grounding.windows import Claim, read_claim, vocabulary
from foundry.records import Change, Check, ClaimVerdict, Evidence, Grounding, Sentence
from foundry.wording.lines import Material, read_material
from foundry.wording.replies import Parsed, Statement, is_refusal

_MOST_ASKED = 3

RETOLD = 0.75
"""Share of a statement's words, in order in one passage, from which it retells that passage."""

Judge = Callable[[str, Evidence], bool | None]
"""Whether evidence carries a borderline sentence; None where it could not be asked."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement after verification: what it was, what is shown of it, and what was changed."""

    check: Check
    sentence: Sentence | None = None
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Grounds:
    """The evidence prepared once, to hold any number of statements against.

    ``similar`` compares by meaning across languages, ``judge`` decides on borderline
    sentences. ``reattribute`` False removes what only other evidence carries.
    ``constants`` make the scores.
    """

    materials: Mapping[str, Material]
    common: frozenset[str]
    language: str
    similar: Similar | None = None
    judge: Judge | None = None
    reattribute: bool = True
    constants: Constants = field(default_factory=get_constants)


def prepare(
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: Similar | None = None,
    judge: Judge | None = None,
    reattribute: bool = True,
    constants: Constants | None = None,
) -> Grounds:
    """Read the evidence once. ``known_words`` is text whose words are no unknown names.

    ``similar`` is needed to accept a sentence without number or name from a source in
    another language; without it such a sentence is removed. ``constants`` default to the
    shipped ones.
    """
    materials = {item.id: read_material(item) for item in evidence}
    common = vocabulary(list(materials.values()), known_words)
    chosen = constants or get_constants()
    return Grounds(materials, common, language, similar, judge, reattribute, chosen)


def ground(
    parsed: Parsed,
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: Similar | None = None,
    judge: Judge | None = None,
    reattribute: bool = True,
) -> Grounding:
    """The sentences that the evidence carries, with their quotes, and what became of the rest.

    The arguments are those of ``prepare``.
    """
    if parsed.refused:
        return Grounding((), refused=True)
    grounds = prepare(
        evidence,
        language,
        known_words=known_words,
        similar=similar,
        judge=judge,
        reattribute=reattribute,
    )
    return gather([place(statement, grounds) for statement in parsed.statements])


def gather(placed: Sequence[Placed]) -> Grounding:
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


def place(statement: Statement, grounds: Grounds) -> Placed:
    """Hold one statement against what it cites, then against the rest of the evidence."""
    claim = read_claim(statement.text, grounds.language, grounds.common)
    cited = [one for one in statement.citations if one in grounds.materials]
    unknown = [one for one in statement.citations if one not in grounds.materials]
    findings = _findings(claim, cited, grounds)
    good = {one: finding for one, finding in findings.items() if finding.supported}
    if not good and len(cited) > 1:
        materials = [grounds.materials[one] for one in cited]
        good = _jointly(verify(claim, materials, grounds.similar, grounds.constants))
    good = _outweighing(good, findings)
    complaints = [f"{one} is not among the evidence" for one in unknown]
    complaints += [f"{one}: {findings[one].reason}" for one in cited if one not in good]
    if not cited and not unknown:
        complaints.append("it cites nothing")
    if good:
        change = _change(statement, "recited", complaints) if complaints else None
        check = _check(statement, "supported", good)
        return Placed(check, _sentence(statement.text, good), change)
    others = _elsewhere(claim, cited, grounds)
    carrying = {one: finding for one, finding in others.items() if finding.supported}
    carrying = _outweighing(carrying, {**findings, **others})
    if carrying:
        return _misattributed(statement, carrying, complaints, grounds.reattribute)
    nearest = _nearest({**findings, **others})
    verdict: ClaimVerdict = nearest.verdict if nearest else "unsupported"
    check = _check(statement, verdict, {}, nearest)
    # A statement without citations is told what its nearest evidence says.
    if nearest and not cited:
        complaints.append(nearest.reason)
    return Placed(check, None, _removed(statement, [*complaints, "no evidence carries it"]))


def _outweighing(
    good: Mapping[str, Finding], findings: Mapping[str, Finding]
) -> dict[str, Finding]:
    """Support that is no looser than the sentence that says otherwise, where there is one.

    Somewhere in any evidence a number of the right size can be found. Where the very
    sentence that a statement retells has another value, that sentence counts.
    """
    told = max((finding.follows for finding in findings.values() if finding.hard), default=0.0)
    if told < RETOLD:
        return dict(good)
    return {one: finding for one, finding in good.items() if finding.follows >= told}


def _misattributed(
    statement: Statement,
    carrying: Mapping[str, Finding],
    complaints: Sequence[str],
    reattribute: bool,
) -> Placed:
    best = max(carrying, key=lambda one: carrying[one].score)
    chosen = {best: carrying[best]}
    complaints = [*complaints, f"{best} carries it"]
    check = _check(statement, "misattributed", chosen)
    if not reattribute:
        return Placed(check, None, _removed(statement, complaints))
    change = _change(statement, "reattributed", complaints)
    return Placed(check, _sentence(statement.text, chosen), change)


def _check(
    statement: Statement,
    verdict: ClaimVerdict,
    carried: Mapping[str, Finding],
    nearest: Finding | None = None,
) -> Check:
    best = max(carried.values(), key=lambda finding: finding.score, default=nearest)
    return Check(
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


def _nearest(findings: Mapping[str, Finding]) -> Finding | None:
    """The finding that says most about a statement which nothing carries."""
    ranked = sorted(findings.values(), key=lambda one: (-(one.words or 0.0), -one.score))
    return ranked[0] if ranked else None


def _change(
    statement: Statement,
    action: Literal["reattributed", "removed", "recited"],
    complaints: Sequence[str],
) -> Change:
    return Change(statement.text, action, "; ".join(complaints))


def _removed(statement: Statement, complaints: Sequence[str]) -> Change:
    return _change(statement, "removed", complaints)


def _sentence(text: str, findings: Mapping[str, Finding]) -> Sentence:
    quotes = tuple(quote for finding in findings.values() for quote in finding.quotes)
    return Sentence(text, tuple(findings), quotes)


def _findings(claim: Claim, ids: Sequence[str], grounds: Grounds) -> dict[str, Finding]:
    return {one: _verified(claim, one, grounds, ask=True) for one in ids}


def _verified(claim: Claim, one: str, grounds: Grounds, *, ask: bool) -> Finding:
    """The finding on one piece of evidence; a borderline one as the judge decides."""
    material = grounds.materials[one]
    similar = grounds.similar if ask else None
    finding = verify(claim, [material], similar, grounds.constants)
    return judged(finding, claim.line.text, material.evidence, grounds.judge if ask else None)


def judged(finding: Finding, text: str, evidence: Evidence, judge: Judge | None) -> Finding:
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


def _jointly(finding: Finding) -> dict[str, Finding]:
    """A finding over several pieces of evidence, parted by the piece that each quote is from."""
    if not finding.supported:
        return {}
    ids = dict.fromkeys(quote.evidence_id for quote in finding.quotes)
    return {
        one: replace(finding, quotes=tuple(q for q in finding.quotes if q.evidence_id == one))
        for one in ids
    }


def _elsewhere(claim: Claim, cited: Sequence[str], grounds: Grounds) -> dict[str, Finding]:
    """Findings on the rest of the evidence; meaning and the judge are asked of the first few only."""
    others = [one for one in grounds.materials if one not in cited]
    return {
        one: _verified(claim, one, grounds, ask=at < _MOST_ASKED) for at, one in enumerate(others)
    }
