"""What a judge says of a statement, and what becomes of the statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from foundry.analysis import analyse
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
from foundry.craft.grounding.verification import SupportVerdict
from foundry.messages import Message
from foundry.records import ClaimCheck, Quote
from foundry.text.replies import Statement

_JUDGED_SCORE: Mapping[SupportVerdict, float] = {
    "supported": 0.95,
    "partly": 0.2,
    "unsupported": 0.05,
}
"""Scores of judgements. A strong model that read these prompts agreed with the labels of 157 of 158
sentences (docs/evaluation/verification.md); the scores of its other verdicts are guesses."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a statement: its verdict, the quotes that decide it, what is missing.

    ``correction`` is its own wording of a statement that it rejects, "" if it gives none.
    """

    verdict: SupportVerdict
    quotes: tuple[Quote, ...] = ()
    missing: str = ""
    correction: str = ""


def settle(
    attribution: Attribution, judgement: Judgement | None, index: EvidenceIndex
) -> Attribution:
    """The attribution with the judge's verdict; without one, or where the rules are certain, theirs."""
    if judgement is None or not attribution.candidates:
        return replace(attribution, candidates=())
    check = apply_judgement(attribution.check, judgement)
    statement = Statement(check.sentence, check.citations)
    if judgement.verdict != "supported":
        return Attribution(check, None, build_removal(statement, check, []))
    carrying = tuple(dict.fromkeys(quote.evidence_id for quote in judgement.quotes))
    kept = tuple(id_ for id_ in carrying if id_ in check.citations)
    if kept:
        # The judge quotes one place; the rules may find the statement in others that it cites too.
        kept += tuple(id_ for id_ in attribution.check.carried_by if id_ not in kept)
        kept = tuple(id_ for id_ in kept if id_ in check.citations)
    used, verdict = (kept, check.verdict) if kept else (carrying, "misattributed")
    more = [quote for quote in attribution.check.quotes if quote.evidence_id not in carrying]
    quotes = tuple(quote for quote in (*check.quotes, *more) if quote.evidence_id in used)
    check = replace(check, verdict=verdict, carried_by=used, quotes=quotes)
    dropped = [id_ for id_ in check.citations if id_ not in used]
    complaints = [Message("claim-judge-elsewhere", name=id_) for id_ in dropped]
    if kept:
        change = build_change(statement, "recited", complaints) if complaints else None
        return Attribution(check, build_sentence(check), change)
    complaints = complaints or [Message("claim-cites-nothing")]
    return recite(check, [*complaints, Message("claim-supported-by", name=used[0])], index)


def correct(
    attribution: Attribution, judgement: Judgement | None, index: EvidenceIndex
) -> Attribution | None:
    """A rejected statement as the judge corrects it, or None if the rules alone reject that too.

    With only words of the statement and of the judge's quotes, and nothing that the rules object
    to, it needs no second judging. Any other, such as one in another language than the quotes,
    comes back with the ``candidates`` to judge.
    """
    if judgement is None or not judgement.correction or not judgement.quotes:
        return None
    carrying = tuple(dict.fromkeys(quote.evidence_id for quote in judgement.quotes))
    found = attribute(Statement(judgement.correction, carrying), index)
    if found.sentence is not None and not found.candidates:
        return found
    rejected = attribution.check.sentence
    if compute_fingerprint(rejected) == compute_fingerprint(judgement.correction):
        return None
    said = (rejected, *(quote.text for quote in judgement.quotes))
    known = frozenset(term for text in said for term in analyse(text, index.language))
    terms = frozenset(analyse(judgement.correction, index.language))
    if not found.candidates:
        return None
    if found.check.verdict == "unsupported" or not terms <= known:
        return found
    return settle(found, Judgement("supported", judgement.quotes), index)


def apply_judgement(check: ClaimCheck, judgement: Judgement) -> ClaimCheck:
    """The check with a judge's verdict, quotes and reason, carried by nothing yet."""
    if judgement.verdict == "supported":
        reason = Message("claim-judge-supports")
    elif judgement.missing:
        reason = Message("claim-judge-rejects", missing=judgement.missing)
    else:
        reason = Message("claim-judge-rejects-plainly")
    return replace(
        check,
        verdict=judgement.verdict,
        score=_JUDGED_SCORE[judgement.verdict],
        reason=reason,
        carried_by=(),
        quotes=judgement.quotes or check.quotes,
        differs=None,
    )
