"""What the judge decides and what the rules decide alone: ``python -m bench judge --data DIR``.

The labelled sentences of ``DIR/written/claims.jsonl``, with a judge that always says what the
label says: the figures show what the rules decide without it, so they bound what any judge can
reach. ``--sample N`` takes so many.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.written_claims import WrittenClaim, read_written_claims
from foundry.craft.grounding import (
    Attribution,
    Judgement,
    Statement,
    attribute,
    find_quote,
    index_evidence,
    settle,
)
from foundry.text.passages import build_quotes, find_passages

SAMPLE = 600


def measure(data: Path | None, *, sample: int = SAMPLE) -> Iterator[str]:
    """One row for all, for each group of documents, and for sentences across languages."""
    if data is None:
        yield "Left out: give --data DIR."
        return
    claims = read_written_claims(data)
    claims = random.Random(3).sample(claims, min(sample, len(claims)))
    settled = [(claim, *_settle_by_label(claim)) for claim in claims]
    yield "| sentences | n | true | kept | caught | to the judge | decided by rules: yes, no |"
    yield "|---|---|---|---|---|---|---|"
    yield _claims_row("all", settled)
    for group in sorted({claim.group for claim in claims}):
        yield _claims_row(group, [row for row in settled if row[0].group == group])
    yield _claims_row("across languages", [row for row in settled if row[0].crosses])


Settled = tuple[WrittenClaim, Attribution, Attribution]


def _settle_by_label(claim: WrittenClaim) -> tuple[Attribution, Attribution]:
    """By the rules, and after a judge that says what the label says."""
    index = index_evidence(claim.evidence, claim.language, judged=True)
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
    shares = [f"{sum(part) / len(part):.3f}" if part else "–" for part in (true, false, asked)]
    decided = f"{alone.count(True)}, {alone.count(False)}"
    return f"| {name} | {len(rows)} | {len(true)} | {' | '.join(shares)} | {decided} |"
