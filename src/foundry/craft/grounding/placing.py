"""Finds each statement of a reply its place: kept, cited anew, or removed, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from foundry.craft.grounding.verifying import Finding, Similar, verify
from foundry.craft.grounding.windows import Claim, read_claim, vocabulary
from foundry.records import Change, Evidence, Grounding, Sentence
from foundry.wording.lines import Material, read_material
from foundry.wording.replies import Parsed, Statement, is_refusal

_MOST_ASKED = 3


def ground(
    parsed: Parsed,
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: Similar | None = None,
) -> Grounding:
    """The sentences that the evidence carries, with their quotes, and what became of the rest.

    ``known_words`` is text whose words are no unknown names (the question).
    ``similar`` is needed to accept a sentence without number or name from a
    source in another language; without it such a sentence is removed.
    """
    if parsed.refused:
        return Grounding((), refused=True)
    materials = {item.id: read_material(item) for item in evidence}
    common = vocabulary(list(materials.values()), known_words)
    sentences: list[Sentence] = []
    changes: list[Change] = []
    for statement in parsed.statements:
        claim = read_claim(statement.text, language, common)
        sentence, change = _place(statement, claim, materials, similar)
        if sentence is not None:
            sentences.append(sentence)
        if change is not None:
            changes.append(change)
    total = len(parsed.statements)
    return Grounding(
        sentences=tuple(sentences),
        changes=tuple(changes),
        attribution_coverage=len(sentences) / total if total else None,
        shown_coverage=1.0 if sentences else None,
        refused=total > 0 and not sentences and all(is_refusal(s.text) for s in parsed.statements),
    )


def _place(
    statement: Statement,
    claim: Claim,
    materials: Mapping[str, Material],
    similar: Similar | None,
) -> tuple[Sentence | None, Change | None]:
    cited = [one for one in statement.citations if one in materials]
    unknown = [one for one in statement.citations if one not in materials]
    findings = {one: verify(claim, [materials[one]], similar) for one in cited}
    good = {one: finding for one, finding in findings.items() if finding.supported}
    if not good and len(cited) > 1:
        good = _jointly(verify(claim, [materials[one] for one in cited], similar))
    complaints = [f"{one} is not among the evidence" for one in unknown]
    complaints += [f"{one}: {findings[one].reason}" for one in cited if one not in good]
    if not cited and not unknown:
        complaints.append("it cites nothing")
    if good:
        change = _change(statement, "recited", complaints) if complaints else None
        return _sentence(statement.text, good), change
    other = _elsewhere(claim, [m for one, m in materials.items() if one not in cited], similar)
    if other:
        complaints.append(f"{', '.join(other)} carries it")
        return _sentence(statement.text, other), _change(statement, "reattributed", complaints)
    return None, _change(statement, "removed", [*complaints, "no evidence carries it"])


def _change(
    statement: Statement,
    action: Literal["reattributed", "removed", "recited"],
    complaints: Sequence[str],
) -> Change:
    return Change(statement.text, action, "; ".join(complaints))


def _sentence(text: str, findings: Mapping[str, Finding]) -> Sentence:
    quotes = tuple(quote for finding in findings.values() for quote in finding.quotes)
    return Sentence(text, tuple(findings), quotes)


def _jointly(finding: Finding) -> dict[str, Finding]:
    """A finding over several pieces of evidence, parted by the piece that each quote is from."""
    if not finding.supported:
        return {}
    ids = dict.fromkeys(quote.evidence_id for quote in finding.quotes)
    return {
        one: replace(finding, quotes=tuple(q for q in finding.quotes if q.evidence_id == one))
        for one in ids
    }


def _elsewhere(
    claim: Claim, others: Sequence[Material], similar: Similar | None
) -> dict[str, Finding]:
    """The other evidence that carries a sentence best; meaning is asked of the first few only."""
    found = {
        material.evidence.id: finding
        for at, material in enumerate(others)
        if (finding := verify(claim, [material], similar if at < _MOST_ASKED else None)).supported
    }
    if not found:
        return {}
    best = max(found, key=lambda one: found[one].words or 0.0)
    return {best: found[best]}
