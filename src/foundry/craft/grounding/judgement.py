"""What a judge says of a statement, and what becomes of the statement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from foundry.analysis.near_duplicates import compute_fingerprint
from foundry.craft.grounding.attribution import (
    Attribution,
    EvidenceIndex,
    attribute,
    build_change,
    build_removal,
    build_sentence,
    recite,
)
from foundry.messages import Message
from foundry.records import ClaimCheck, Quote
from foundry.text.replies import Statement

JudgeVerdict = Literal["supported", "partly", "unsupported"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a statement: its verdict, the quotes that decide it, what is missing.

    ``correction`` is its own wording of a statement that it rejects, "" if it gives none.
    """

    verdict: JudgeVerdict
    quotes: tuple[Quote, ...] = ()
    missing: str = ""
    correction: str = ""


def settle(
    attribution: Attribution, judgement: Judgement | None, index: EvidenceIndex
) -> Attribution:
    """The attribution with the judge's verdict; without one, or where the rules are certain, theirs.

    A yes without a quote is no verdict.
    """
    unquoted = judgement is not None and judgement.verdict == "supported" and not judgement.quotes
    if judgement is None or unquoted or not attribution.candidates:
        return replace(attribution, candidates=())
    check = apply_judgement(attribution.check, judgement)
    statement = Statement(check.sentence, check.citations)
    if judgement.verdict != "supported":
        return Attribution(check, None, build_removal(statement, check, []))
    carrying = tuple(dict.fromkeys(quote.evidence_id for quote in judgement.quotes))
    kept = tuple(id_ for id_ in carrying if id_ in check.citations)
    used = kept or carrying
    quotes = tuple(quote for quote in check.quotes if quote.evidence_id in used)
    check = replace(check, carried_by=used, quotes=quotes)
    complaints = [
        Message("claim-judge-elsewhere", name=id_) for id_ in check.citations if id_ not in used
    ]
    if kept:
        change = build_change(statement, "recited", complaints) if complaints else None
        return Attribution(check, build_sentence(check), change)
    complaints = complaints or [Message("claim-cites-nothing")]
    complaints.append(Message("claim-supported-by", name=used[0]))
    return recite(replace(check, verdict="misattributed"), complaints, index)


def correct(
    attribution: Attribution, judgement: Judgement | None, index: EvidenceIndex
) -> Attribution | None:
    """A rejected statement as the judge corrects it, or None if the rules alone reject that too.

    What a passage says exactly needs no second judging. Any other correction comes back with the
    ``candidates`` to judge: as a statement like any.
    """
    if judgement is None or not judgement.correction or not judgement.quotes:
        return None
    rejected = attribution.check.sentence
    if compute_fingerprint(rejected) == compute_fingerprint(judgement.correction):
        return None
    carrying = tuple(dict.fromkeys(quote.evidence_id for quote in judgement.quotes))
    found = attribute(Statement(judgement.correction, carrying), index)
    hopeful = found.check.verdict in {"exact", "misattributed"} or bool(found.candidates)
    return found if hopeful and found.check.verdict != "contradicted" else None


def apply_judgement(check: ClaimCheck, judgement: Judgement) -> ClaimCheck:
    """The check with a judge's verdict, quotes and reason, carried by nothing yet.

    A contradiction stays one unless the judge accepts the statement. Then the reason says both.
    """
    contradicted = check.verdict == "contradicted"
    if judgement.verdict == "supported":
        reason = Message("claim-judge-supports")
        if contradicted:
            reason = Message("claim-judge-overrules", reason=check.reason)
    elif contradicted:
        return check
    elif judgement.missing:
        reason = Message("claim-judge-rejects", missing=judgement.missing)
    else:
        reason = Message("claim-judge-rejects-plainly")
    return replace(
        check,
        verdict=judgement.verdict,
        reason=reason,
        carried_by=(),
        quotes=judgement.quotes or check.quotes,
        differs=check.differs if contradicted else None,
    )
