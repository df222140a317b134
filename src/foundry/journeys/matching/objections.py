"""What the sources say where none supports a statement: the nearest passage, and what differs in it.

A value that the passages found lack may be elsewhere in the sources. Then nobody can tell; only a
value that no searched source has does not occur in them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from foundry.analysis import analyse
from foundry.craft.grounding import Finding, find_quote
from foundry.craft.grounding.claims import Claim
from foundry.craft.grounding.computations import Computation, compute_from_cells
from foundry.craft.grounding.fact_checks import is_given_in
from foundry.craft.grounding.figures import find_computation
from foundry.journeys.matching.matches import (
    CONTRADICTION_MARGIN,
    StatementMatch,
    VerificationContext,
    find_absent_value,
    list_near_sources,
)
from foundry.journeys.matching.values import Value, is_rare
from foundry.messages import Message
from foundry.records import (
    CheckedStatement,
    ClaimCheck,
    DocumentStatement,
    Evidence,
    Hit,
    Quote,
    Source,
)
from foundry.render.places import format_location
from foundry.text.lines import ParsedEvidence, find_shared_terms
from foundry.text.names import Name
from foundry.text.passages import find_passages, label_cells
from foundry.text.quantities import Quantity, find_quantities, is_comparable

_NAMED = 0.3
"""Of a sentence of ten words, what three words more in another source weigh (a guess)."""

_REPLACED = frozenset({"claim-says-other", "claim-value-missing"})
"""Reasons whose ``differs`` is the source's own value; that of others is a line of it."""

_AGREEING = frozenset({"claim-languages-agree", "claim-languages-agree-in-meaning"})
"""Reasons why a statement is not supported only because its source is in another language."""

_ABOUT = 0.5
"""Share of a statement's words with which a passage is about the same thing (a guess)."""

_OPERANDS = 2

_MOST_NAMED = 2
"""Sources that a reason names; of more it gives the number."""


_COMPUTED_SCORE = 0.8
"""With both cells named, the sign right and nothing else in doubt (a guess)."""

_WORDS_OF_REST = 0.5
"""Share of the other words of the statement that the passage must have (a guess)."""


def find_computed(
    context: VerificationContext,
    statement: DocumentStatement,
    language: str,
    matches: Sequence[StatementMatch],
) -> CheckedStatement | None:
    """The statement with how its one value that no passage has was calculated, or None.

    Supported if the passage says the rest of it too; undecided if it does not, or if the statement
    does not say which of the two numbers is the larger.
    """
    hits = {hit.chunk.id: hit for match in matches for hit in match.hits}
    claim = context.parse(statement, language, hits.values())
    materials = [context.read(Evidence(hit.chunk.id, hit)) for hit in hits.values()]
    absent = [
        quantity
        for quantity in claim.line.quantities
        if not any(is_given_in(quantity, claim, material) for material in materials)
    ]
    if len(absent) != 1:
        return None
    for material in materials:
        found = compute_from_cells(absent[0], claim, material) or _compute_from_claim(
            absent[0], claim, material
        )
        if found is not None:
            start, end = absent[0].start, absent[0].end
            rest = replace(statement, text=f"{statement.text[:start]}{statement.text[end:]}")
            match = context.match(rest, language, (material.evidence.hit,))
            return _build_checked(statement, found, match)
    return None


def _compute_from_claim(
    value: Quantity, claim: Claim, material: ParsedEvidence
) -> Computation | None:
    """How the value follows from two others that the claim itself gives."""
    if len(claim.line.quantities) <= _OPERANDS:
        return None
    formula = find_computation(value, claim, [material])
    return Computation(formula, (), certain=True) if formula else None


def _build_checked(
    statement: DocumentStatement, found: Computation, match: StatementMatch
) -> CheckedStatement:
    finding, hit = match.finding, match.hits[0]
    settled = found.certain and not finding.hard and (finding.words or 0.0) >= _WORDS_OF_REST
    check = ClaimCheck(
        sentence=statement.text,
        verdict="supported" if settled else "unclear",
        score=_COMPUTED_SCORE if settled else 1 - _COMPUTED_SCORE,
        reason=Message("claim-computed", formulas=(found.formula,)),
        carried_by=(hit.source.path,) if settled else (),
        quotes=found.quotes or finding.quotes,
        computed=(found.formula,),
    )
    return CheckedStatement(statement, check, hit)


def explain_unsupported(
    context: VerificationContext,
    statement: DocumentStatement,
    first: tuple[str, ...],
    language: str,
    matches: Sequence[StatementMatch],
) -> CheckedStatement:
    """The nearest passage and what differs in it; ``first`` are the sources searched first."""
    cited = list_cited(statement)
    if not matches:
        reason = Message("verify-no-passage")
        check = ClaimCheck(statement.text, "unsupported", 0.0, reason, cited)
        return CheckedStatement(statement, check)
    open_matches = [match for match in matches if not match.finding.supported]
    nearest = max(open_matches, key=partial(_measure_nearness, statement, first))
    claim = context.parse(statement, language, nearest.hits)
    quotes = _choose_quotes(statement, nearest, language)
    hit = next((h for h in nearest.hits if quotes and h.chunk.id == quotes[0].evidence_id), None)
    finding = _keep_shown(replace(nearest.finding, quotes=quotes), claim)
    # Across languages, where numbers and names agree, meaning alone is too weak to reject anything.
    agrees = bool(claim.line.quantities or claim.names) and not finding.hard
    if finding.words is None and agrees:
        finding = replace(finding, verdict="partly")
    check = ClaimCheck(
        sentence=statement.text,
        verdict="unclear" if finding.verdict == "partly" else finding.verdict,
        score=finding.score,
        reason=_explain_difference(statement, finding, hit or nearest.hits[0]),
        citations=cited,
        quotes=quotes,
        differs=finding.differs,
    )
    found = CheckedStatement(statement, check, hit)
    return _look_elsewhere(context, found, finding, claim, list_near_sources(matches))


def list_cited(statement: DocumentStatement) -> tuple[str, ...]:
    """The paths of the sources that a statement cites, once each."""
    return tuple(dict.fromkeys(ref.source for ref in statement.references if ref.source))


def _measure_nearness(
    statement: DocumentStatement, first: Collection[str], match: StatementMatch
) -> tuple[float, float]:
    """How near a passage that does not support a statement comes: by numbers and words, then score.

    A passage of a source in ``first``, which the text names, is nearer. Only digits count: a table
    has its unit elsewhere, and another language other separators.
    """
    finding = match.finding
    numbers = [q.text for q in find_quantities(statement.text, "und") if q.kind == "number"]
    ours = _list_digits(" ".join(numbers) or statement.text)
    theirs = _list_digits(" ".join(quote.text for quote in finding.quotes))
    held = len(ours & theirs) / len(ours) if ours else 0.0
    named = _NAMED if match.hits[0].source.path in first else 0.0
    return held + (finding.words or 0.0) + named, finding.score


def _choose_quotes(
    statement: DocumentStatement, match: StatementMatch, language: str
) -> tuple[Quote, ...]:
    """The passage nearest to the statement, and those with a number of it that this one lacks."""
    near = [find_quote(statement.text, Evidence(h.chunk.id, h), language) for h in match.hits]
    quotes = [quote for quote in near if quote is not None]
    if not quotes:
        return match.finding.quotes[:1]
    terms = frozenset(analyse(statement.text, language))
    best = max(quotes, key=lambda q: len(terms & frozenset(analyse(q.text, language))))
    missing = _list_digits(statement.text) - _list_digits(best.text)
    more = [q for q in match.finding.quotes if missing & _list_digits(q.text)]
    return (best, *(q for q in more if q.text not in best.text))


def _keep_shown(finding: Finding, claim: Claim) -> Finding:
    """The finding with what the source says instead, if that is in the words that are shown."""
    text = " ".join(quote.text for quote in finding.quotes)
    said, found = find_absent_value(finding.reason), finding.differs
    if said is not None and finding.hard:
        found = _find_only_value(claim, said, finding.quotes) or found
    # Before the colon are the labels of a cell, which its row lacks.
    if found is not None and not _list_digits(found.rpartition(": ")[2]) <= _list_digits(text):
        found = None
    reason = finding.reason if found is not None else _drop_said(finding.reason)
    return replace(finding, reason=reason, differs=found)


def _drop_said(reason: Message) -> Message:
    """The reason without what the source says instead."""
    inner = reason.params.get("reason")
    if not isinstance(inner, Message):
        return reason
    if reason.code == "claim-source-says":
        return _drop_said(inner)
    return Message(reason.code, **{**reason.params, "reason": _drop_said(inner)})


def _find_only_value(claim: Claim, said: str, quotes: Sequence[Quote]) -> str | None:
    """The only value in the nearest words that may be meant instead, if they are about the same."""
    value = _find_value(claim, said)
    if value is None or isinstance(value, Name) or not quotes:
        return None
    text, language = quotes[0].text, claim.language
    shared = find_shared_terms(claim.line.terms, frozenset(analyse(text, language)))
    if len(shared) < _ABOUT * len(claim.line.terms):
        return None
    others = [q for q in find_quantities(text, language) if is_comparable(value, q)]
    return text[others[0].start : others[0].end] if len(others) == 1 else None


def _find_value(claim: Claim, said: str) -> Value | None:
    """The number or name of the claim that reads so."""
    text = claim.line.text
    for quantity in claim.line.quantities:
        if text[quantity.start : quantity.end] == said:
            return quantity
    return next((name for name in claim.names if name.text == said), None)


def _look_elsewhere(
    context: VerificationContext,
    found: CheckedStatement,
    finding: Finding,
    claim: Claim,
    near: Sequence[Source],
) -> CheckedStatement:
    """The statement undecided if a value that its passage lacks is elsewhere in the sources."""
    said = find_absent_value(finding.reason)
    value = _find_value(claim, said) if said else None
    if value is None or not is_rare(value):
        return found
    place = context.values.find_place(claim, value, near)
    if place is None:
        if finding.differs or found.check.verdict != "unsupported":
            return found
        code = "verify-value-nowhere"
        return _give_reason(found, Message(code, value=said, sources=_name_sources(near)))
    match = context.match(found.claimed, claim.language, (place,))
    words = match.finding.words or 0.0
    if finding.differs and words + CONTRADICTION_MARGIN < (finding.words or 0.0):
        return found
    quote = find_quote(found.claimed.text, Evidence(place.chunk.id, place), claim.language)
    where = format_location(place.source.path, quote or place.focus)
    reason = Message("verify-value-elsewhere", value=said, place=where)
    check = replace(
        found.check,
        verdict="unclear",
        score=max(found.check.score, context.constants.rejected),
        quotes=(quote,) if quote else found.check.quotes,
        differs=None,
    )
    return _give_reason(replace(found, check=check, hit=place if quote else found.hit), reason)


def _give_reason(found: CheckedStatement, reason: Message) -> CheckedStatement:
    return replace(found, check=replace(found.check, reason=reason))


def _name_sources(near: Sequence[Source]) -> Message | list[str]:
    if len(near) <= _MOST_NAMED:
        return [source.path for source in near]
    return Message("verify-sources-searched", number=len(near))


def _explain_difference(statement: DocumentStatement, finding: Finding, hit: Hit) -> Message:
    """The reason in words: what the sentence says and what the source says instead, with its cell."""
    reason, found = finding.reason, finding.differs or ""
    inner = reason.params.get("reason")
    params = inner.params if isinstance(inner, Message) else reason.params
    said = params.get("said", params.get("value"))
    code = inner.code if isinstance(inner, Message) else reason.code
    if reason.code == "claim-undecided" and isinstance(inner, Message):
        reason = inner  # the verdict says the rest
    if reason.code in _AGREEING:
        near = (
            "verify-other-meaning" if finding.verdict == "unsupported" else "verify-other-language"
        )
        return Message(near, source=reason.params["source"])
    if not isinstance(said, str) or code not in _REPLACED:
        return reason
    for passage in find_passages(hit.chunk):
        quoted = any(q.start <= passage.start and passage.end <= q.end for q in finding.quotes)
        row, *cells = label_cells(passage, hit.chunk) if quoted and passage.cells else [("", "")]
        # A row of the text says which column it means; a sentence only says a value.
        same = [(c, cell) for c, cell in cells if c and f"{c}: {said}" in statement.text]
        other = [(c, found) for c, cell in cells if c and found and found in cell]
        for column, cell in [pair for pair in same if said not in pair[1]] or other:
            place = {"row": row[1], "column": column}
            return Message("verify-says-other-cell", said=said, found=cell, **place)
    return Message("verify-says-other", said=said, found=found) if found else reason


def _list_digits(text: str) -> set[str]:
    return {re.sub(r"\D", "", number) for number in re.findall(r"\d[\d.,]*", text)}
