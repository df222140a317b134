"""What becomes of each statement of a reply by its verdict: kept, cited differently, left open or removed.

What is open is shown as not verified where no judge reads it, if a reader can look it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from textwrap import shorten
from typing import Literal

from foundry.analysis import detect_query_language
from foundry.analysis.near_duplicates import compute_fingerprint
from foundry.craft.grounding.objections import find_other_period
from foundry.craft.grounding.source_units import read_words
from foundry.craft.grounding.verdict import (
    ClaimRuling,
    EvidenceIndex,
    Judgement,
    apply_judgement,
    rule_claim,
)
from foundry.messages import Message
from foundry.records import ClaimCheck, Grounding, GroundingChange, Quote, Sentence
from foundry.text.passages import build_quotes, find_passages
from foundry.text.periods import find_periods
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
    """What becomes of a statement by the rules, and what of the evidence a judge should read."""
    ruling = rule_claim(statement, index)
    check, refused = ruling.check, is_refusal(statement.text)
    if check.carried_by:
        found = _cite(check, _collect_complaints(ruling), index)
        read = check.carried_by if found.sentence else ()
    else:
        found = _leave_open(ruling, index, refused=refused)
        quoting = (quote.evidence_id for quote in check.quotes)
        read = () if refused or ruling.decided else (*ruling.cited, *quoting, *ruling.nearest[:1])
    return replace(found, candidates=tuple(dict.fromkeys(read))) if index.judged else found


def settle(
    attribution: Attribution, judgement: Judgement | None, index: EvidenceIndex
) -> Attribution:
    """The attribution with the judge's verdict; without one, or where the rules are certain, theirs."""
    ruled = replace(attribution, candidates=())
    if judgement is None or not attribution.candidates:
        return ruled
    if attribution.exact:
        # What a source says exactly stands; a judge only says whether it is about what was asked.
        return _add_judgement(replace(ruled, read=judgement.verdict == "supported"), judgement)
    check = apply_judgement(attribution.check, judgement)
    if judgement.verdict != "supported":
        final = not judgement.correction
        return Attribution(check, None, _build_removal(check, ()), final=final)
    if not judgement.quotes:
        return ruled
    carrying = tuple(dict.fromkeys(quote.evidence_id for quote in check.quotes))
    elsewhere = [id_ for id_ in check.citations if id_ not in carrying]
    complaints = [Message("claim-judge-elsewhere", name=id_) for id_ in elsewhere]
    found = _cite(replace(check, carried_by=carrying), complaints, index)
    return _add_judgement(replace(found, check=check, read=True), judgement)


def _add_judgement(found: Attribution, judgement: Judgement) -> Attribution:
    """The attribution with the judge's doubt, or without a sentence that is not about what was asked."""
    if found.sentence is None:
        return found
    if not judgement.fits:
        change = _build_change(found.check, "removed", [Message("claim-beside")])
        return replace(found, sentence=None, change=change, beside=found.sentence, final=True)
    if judgement.objection is None:
        return found
    doubted = replace(found.sentence, verified=False, objection=judgement.objection)
    return replace(found, sentence=doubted)


def correct(
    attribution: Attribution, judgement: Judgement | None, index: EvidenceIndex, asked: str = ""
) -> Attribution | None:
    """The judge's wording of a statement that it rejects, or None if the rules alone reject that too.

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


def recite(found: Attribution) -> Attribution:
    """The statement cited to the evidence that carries it, which was removed before that repair step."""
    if found.sentence or found.final or not (found.check.carried_by and found.change):
        return found
    change = replace(found.change, action="reattributed")
    return replace(found, sentence=_build_sentence(found.check), change=change)


def _cite(check: ClaimCheck, complaints: Sequence[Message], index: EvidenceIndex) -> Attribution:
    """A statement with the evidence that carries it: what it cites of that, else the other."""
    sentence = _build_sentence(check)
    if any(id_ in check.citations for id_ in check.carried_by):
        change = _build_change(check, "recited", complaints) if complaints else None
        return Attribution(check, sentence, change)
    reasons = [*complaints] or [Message("claim-cites-nothing")]
    reasons.append(Message("claim-supported-by", name=check.carried_by[0]))
    if index.reattribute:
        return Attribution(check, sentence, _build_change(check, "reattributed", reasons))
    return Attribution(check, None, _build_change(check, "removed", reasons))


def _leave_open(ruling: ClaimRuling, index: EvidenceIndex, *, refused: bool) -> Attribution:
    """A statement that nothing carries: shown as not verified, with the nearest words that it cites.

    It is removed if a source or a number speaks against it, if it cites nothing that has a word of it, in
    its own language, as nobody could look it up, and if it only says that an answer is missing.
    """
    check = ruling.check
    near = [id_ for id_ in ruling.nearest if id_ in ruling.cited]
    quotes = {id_: _quote_near(ruling, id_, index) for id_ in near}
    if refused or ruling.decided or check.verdict != "unclear" or not any(quotes.values()):
        complaints = [] if ruling.decided else _collect_complaints(ruling)
        return Attribution(check, None, _build_removal(check, complaints))
    check = replace(check, quotes=tuple(quote for own in quotes.values() for quote in own))
    citations = tuple(id_ for id_ in check.citations if quotes.get(id_))
    shown = Sentence(check.sentence, citations, check.quotes, check.computed, verified=False)
    return Attribution(check, shown)


def _quote_near(ruling: ClaimRuling, id_: str, index: EvidenceIndex) -> tuple[Quote, ...]:
    """The nearest words; in another language those that the search found, as no words are shared."""
    finding, evidence = ruling.findings[id_], index.materials[id_].evidence
    if finding.nearness > 0 and finding.quotes:
        return finding.quotes
    chunk, focus = evidence.hit.chunk, evidence.hit.focus
    spoken = detect_query_language(ruling.check.sentence)
    if "und" in (spoken, chunk.language) or spoken == chunk.language:
        return ()
    passages = [one for one in find_passages(chunk) if one.kind != "heading"]
    nearest = next((one for one in passages if one.end > focus.start), None)
    return build_quotes(nearest, evidence) if nearest else ()


def _collect_complaints(ruling: ClaimRuling) -> list[Message]:
    """What is wrong with the citations: unknown ones first, then those without support."""
    cited, found = ruling.check.citations, ruling.findings
    if not cited:
        return [Message("claim-cites-nothing")]
    failing = [id_ for id_ in ruling.cited if found[id_].verdict != "exact"]
    return [
        *(Message("claim-unknown-citation", name=id_) for id_ in cited if id_ not in found),
        *(Message("claim-at", name=id_, reason=found[id_].reason) for id_ in failing),
    ]


def _build_change(
    check: ClaimCheck,
    action: Literal["reattributed", "removed", "recited"],
    complaints: Sequence[Message],
) -> GroundingChange:
    """The record of what became of a statement, with all complaints as its reason."""
    reason = reduce(lambda one, two: Message("claim-and", first=one, second=two), complaints)
    return GroundingChange(check.sentence, action, reason)


def _build_removal(check: ClaimCheck, complaints: Sequence[Message]) -> GroundingChange:
    """Removal for the complaints or the check's reason, with the nearest words where there are any."""
    quote = max(check.quotes, key=lambda quote: len(quote.text), default=None)
    reasons = [*complaints] or [check.reason]
    if quote is not None:
        text = shorten(quote.text, _MAX_SHOWN_QUOTE, placeholder=" …")
        reasons.append(Message("claim-nearest-quote", name=quote.evidence_id, quote=text))
    else:
        reasons.append(Message("claim-no-support"))
    return _build_change(check, "removed", reasons)


def _build_sentence(check: ClaimCheck) -> Sentence:
    return Sentence(check.sentence, check.carried_by, check.quotes, check.computed)
