"""What the judge decides and what the rules decide alone: ``python -m bench judge --data DIR``.

The labelled sentences of ``DIR/written/claims.jsonl``, with a judge that always says what the
label says: the figures show what the rules decide without it, so they bound what any judge can
reach. ``--sample N`` takes so many.

Then a judge that says yes to everything, twice, and quotes the nearest words and those with the values:
*sure* is shown as supported, *marked* with the objection of the rules or, where it accepts the control
too, as not verified, *removed* for a number that no passage has. Beside the written sentences stand source sentences with one fact changed (``bench.mutations``,
the half that was not looked at), with the sentence that they were made from as the quote.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import mutations
from bench.tables import share, write_head, write_row
from bench.written_claims import WrittenClaim, read_written_claims
from foundry.craft.grounding import (
    Attribution,
    EvidenceIndex,
    Judgement,
    Statement,
    attribute,
    find_quote,
    settle,
)
from foundry.craft.grounding.controls import build_control
from foundry.craft.grounding.objections import find_objection, read_quotes
from foundry.craft.grounding.restatement import is_same_word
from foundry.craft.grounding.source_units import list_units, read_words
from foundry.records import Evidence, Quote
from foundry.text.passages import build_quotes, find_passages

SAMPLE = 600
MUTATED = 20
"""Passages of each set whose sentences are changed."""


def measure(data: Path, *, sample: int = SAMPLE) -> Iterator[str]:
    """One row for all, for each group of documents, and for sentences across languages."""
    claims = read_written_claims(data)
    claims = random.Random(3).sample(claims, min(sample, len(claims)))
    settled = [(claim, *_settle_by_label(claim)) for claim in claims]
    yield from write_head(
        "sentences", "n", "true", "kept", "caught", "to the judge", "decided by rules: yes, no"
    )
    yield _claims_row("all", settled)
    for group in sorted({claim.group for claim in claims}):
        yield _claims_row(group, [row for row in settled if row[0].group == group])
    yield _claims_row("across languages", [row for row in settled if row[0].crosses])
    yield ""
    yield from _measure_accepting(data, claims)


def _accept_all(
    text: str, language: str, evidence: Sequence[Evidence], quotes: Sequence[Quote]
) -> str:
    """What becomes of a statement that a judge accepts with these quotes whatever it is shown."""
    index = EvidenceIndex(evidence, language, judged=True)
    first = attribute(Statement(text, (evidence[0].id,)), index)
    if not first.candidates:
        return "sure" if first.sentence else "removed"
    against = first.check.reason if first.check.verdict == "contradicted" else None
    if not first.exact and build_control(evidence, text):
        last = settle(first, None, index)
        return "marked" if last.sentence else "removed"
    quoted = read_quotes(quotes, evidence, language)
    objection = None if first.exact else against or find_objection(text, language, quoted)
    last = settle(first, Judgement("supported", tuple(quotes), objection=objection), index)
    return "sure" if last.sentence and last.sentence.verified else "marked"


def _quote_nearest(claim: WrittenClaim) -> list[Quote]:
    """The two nearest sentences or rows, and for each value that they lack the nearest one with it."""
    tokens = read_words(claim.text, claim.language)
    units = [unit for item in claim.evidence for unit in list_units(item, claim.language)]
    shares = {token.key for token in tokens}
    units.sort(key=lambda unit: -len(shares & unit.known))
    chosen = units[:2]
    for token in tokens:
        having = [unit for unit in units if any(is_same_word(token, one) for one in unit.tokens)]
        if token.quantity is not None and having and not set(having) & set(chosen):
            chosen.append(having[0])
    return [
        quote
        for unit in chosen
        for passage in unit.passages
        for quote in build_quotes(passage, unit.evidence)
    ]


def _measure_accepting(data: Path, claims: Sequence[WrittenClaim]) -> Iterator[str]:
    rows: dict[str, list[str]] = {"written, true": [], "written, false": []}
    for claim in claims:
        name = "written, true" if claim.label else "written, false"
        quotes = _quote_nearest(claim)
        rows[name].append(_accept_all(claim.text, claim.language, claim.evidence, quotes))
    for kind, text, home, original in mutations.list_mutants(data, MUTATED):
        quote = find_quote(original, home.evidence, home.language)
        if quote:
            found = _accept_all(text, home.language, [home.evidence, *home.others], [quote])
            rows.setdefault(f"changed: {kind}", []).append(found)
    ends = ("sure", "marked", "removed")
    yield from write_head("a judge that says yes to all", "n", *ends)
    for name, ended in rows.items():
        yield write_row(name, len(ended), *(share(one == end for one in ended) for end in ends))


Settled = tuple[WrittenClaim, Attribution, Attribution]


def _settle_by_label(claim: WrittenClaim) -> tuple[Attribution, Attribution]:
    """By the rules, and after a judge that says what the label says."""
    index = EvidenceIndex(claim.evidence, claim.language, judged=True)
    cited = claim.evidence[0]
    first = attribute(Statement(claim.text, (cited.id,)), index)
    quote = find_quote(claim.text, cited, claim.language)
    # A sentence in another language has no word of its passage.
    quotes = (quote,) if quote else build_quotes(find_passages(cited.hit.chunk)[0], cited)
    verdict = Judgement("supported" if claim.label else "unsupported", quotes)
    return first, settle(first, verdict, index) if first.candidates else first


def _claims_row(name: str, rows: Sequence[Settled]) -> str:
    true = [last.sentence is not None for claim, _, last in rows if claim.label]
    false = [last.sentence is None for claim, _, last in rows if not claim.label]
    asked = [bool(first.candidates) for _, first, _ in rows]
    alone = [first.sentence is not None for _, first, _ in rows if not first.candidates]
    decided = f"{alone.count(True)}, {alone.count(False)}"
    return write_row(name, len(rows), len(true), *map(share, (true, false, asked)), decided)
