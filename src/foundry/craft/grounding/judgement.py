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
from foundry.craft.grounding.objections import find_other_period
from foundry.craft.grounding.source_units import read_words
from foundry.messages import Message
from foundry.records import ClaimCheck, ClaimVerdict, Quote
from foundry.text.periods import find_periods
from foundry.text.replies import Statement

JudgeVerdict = Literal["supported", "partly", "unsupported"]


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


def settle(
    attribution: Attribution, judgement: Judgement | None, index: EvidenceIndex
) -> Attribution:
    """The attribution with the judge's verdict; without one, or where the rules are certain, theirs.

    A yes without a quote is no verdict.
    """
    if judgement is None or not attribution.candidates or _is_unquoted(attribution, judgement):
        return replace(attribution, candidates=())
    if attribution.exact:
        return _settle_exact(attribution, judgement)
    check = apply_judgement(attribution.check, judgement)
    statement = Statement(check.sentence, check.citations)
    if judgement.verdict != "supported":
        final = not judgement.correction
        return Attribution(check, None, build_removal(statement, check, []), final=final)
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
        found = Attribution(check, build_sentence(check), change)
    else:
        complaints = complaints or [Message("claim-cites-nothing")]
        complaints.append(Message("claim-supported-by", name=used[0]))
        cited = check if judgement.objection else replace(check, verdict="misattributed")
        found = recite(cited, complaints, index)
    return _drop_beside(_add_objection(replace(found, read=True), judgement), judgement)


def _add_objection(found: Attribution, judgement: Judgement) -> Attribution:
    if judgement.objection is None or found.sentence is None:
        return found
    doubted = replace(found.sentence, verified=False, objection=judgement.objection)
    return replace(found, sentence=doubted)


def _is_unquoted(attribution: Attribution, judgement: Judgement) -> bool:
    return judgement.verdict == "supported" and not judgement.quotes and not attribution.exact


def _settle_exact(attribution: Attribution, judgement: Judgement) -> Attribution:
    """What a source says exactly stands; a judge only says whether it is about what was asked."""
    read = replace(attribution, candidates=(), read=judgement.verdict == "supported")
    return _drop_beside(_add_objection(read, judgement), judgement)


def _drop_beside(found: Attribution, judgement: Judgement) -> Attribution:
    """The attribution without a sentence that is about something else than was asked."""
    if judgement.fits or found.sentence is None:
        return found
    statement = Statement(found.check.sentence, found.check.citations)
    change = build_change(statement, "removed", [Message("claim-beside")])
    return replace(found, sentence=None, change=change, beside=found.sentence, final=True)


def correct(
    attribution: Attribution, judgement: Judgement | None, index: EvidenceIndex, asked: str = ""
) -> Attribution | None:
    """A rejected statement as the judge corrects it, or None if the rules alone reject that too.

    What a passage says exactly needs no second judging. Any other correction comes back with the
    ``candidates`` to judge: as a statement like any. None also if the correction drops a word that
    is ``asked`` or is of another period: it would answer another question.
    """
    if judgement is None or not judgement.correction or not judgement.quotes:
        return None
    rejected = attribution.check.sentence
    if compute_fingerprint(rejected) == compute_fingerprint(judgement.correction):
        return None
    lost = _list_keys(rejected, index) - _list_keys(judgement.correction, index)
    if lost & _list_keys(asked, index):
        return None
    if find_other_period(judgement.correction, index.language, find_periods(asked)):
        return None
    carrying = tuple(dict.fromkeys(quote.evidence_id for quote in judgement.quotes))
    found = attribute(Statement(judgement.correction, carrying), index)
    if found.exact:
        return replace(found, candidates=(), read=True)
    hopeful = bool(found.candidates) and found.check.verdict != "contradicted"
    return found if hopeful else None


def _list_keys(text: str, index: EvidenceIndex) -> frozenset[str]:
    """The stems of its content words; a value may be what is corrected."""
    tokens = read_words(text, index.language)
    return frozenset(t.key for t in tokens if t.weight >= 1 and t.quantity is None)


def apply_judgement(check: ClaimCheck, judgement: Judgement) -> ClaimCheck:
    """The check with a judge's verdict, quotes and reason, carried by nothing yet.

    What a passage contradicts stays so unless the judge accepts it. Where it accepts what the rules
    object to, even with that before it, neither decides, and the reason says both.
    """
    contradicted = check.verdict == "contradicted"
    verdict: ClaimVerdict = judgement.verdict
    if judgement.objection:
        verdict = check.verdict if contradicted else "unclear"
        reason = Message("claim-judge-overrules", reason=judgement.objection)
    elif judgement.verdict == "supported":
        reason = Message("claim-judge-supports")
    elif contradicted:
        return check
    elif judgement.missing:
        reason = Message("claim-judge-rejects", missing=judgement.missing)
    else:
        reason = Message("claim-judge-rejects-plainly")
    return replace(
        check,
        verdict=verdict,
        reason=reason,
        carried_by=(),
        quotes=judgement.quotes or check.quotes,
        differs=check.differs if contradicted else None,
    )
