"""Which hits become evidence: no repetitions, within the token budget.

Every dropped hit is returned with its reason. The order stays as given, and nothing is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foundry.analysis.near_duplicates import Fingerprint, compute_fingerprint, is_repeat
from foundry.messages import Message
from foundry.records import DroppedHit, Evidence, Hit, Source


@dataclass(frozen=True, slots=True)
class Selection:
    """Evidence numbered S1, S2, … in the order of the hits, and the dropped hits."""

    evidence: tuple[Evidence, ...]
    dropped: tuple[DroppedHit, ...]


def select_evidence(
    hits: Sequence[Hit],
    *,
    max_chunks: int,
    token_budget: int,
    cost: Callable[[Hit], int] | None = None,
    rank: Callable[[Source], tuple[int, ...]] | None = None,
) -> Selection:
    """Select the hits to hand to a writer; ``hits`` come best first.

    A chunk that adds nothing to a better one (a copy of a file, the overlap of neighbours) is
    dropped; two revisions that differ in one number both stay. A chunk that does not fit leaves
    room for a smaller one after it. ``cost`` gives the tokens of a hit, ``chunk.tokens`` by
    default. Of two hits with the same words the one whose source has the lower ``rank`` is chosen,
    in the place of the first.
    """
    price = cost or (lambda hit: hit.chunk.tokens)
    chosen: list[tuple[Hit, Fingerprint]] = []
    dropped: list[DroppedHit] = []
    used = 0
    for found in hits:
        hit, fingerprint = found, compute_fingerprint(found.chunk.content)
        if rank is not None:
            hit, fingerprint = _exchange(hit, fingerprint, chosen, rank)
        reason = _describe_repetition(hit, fingerprint, chosen)
        if reason is None and len(chosen) >= max_chunks:
            reason = Message("passage-limit", limit=max_chunks)
        tokens = price(hit) if reason is None else 0
        if reason is None and used + tokens > token_budget:
            reason = Message("passage-budget", tokens=tokens, used=used, budget=token_budget)
        if reason is not None:
            dropped.append(DroppedHit(hit, reason))
            continue
        used += tokens
        chosen.append((hit, fingerprint))
    evidence = tuple(Evidence(f"S{number}", hit) for number, (hit, _) in enumerate(chosen, 1))
    return Selection(evidence, tuple(dropped))


def _exchange(
    hit: Hit,
    own: Fingerprint,
    chosen: list[tuple[Hit, Fingerprint]],
    rank: Callable[[Source], tuple[int, ...]],
) -> tuple[Hit, Fingerprint]:
    """The hit, or the chosen one with the same words whose place it takes as the better source."""
    for place, (other, known) in enumerate(chosen):
        if own.runs == known.runs and rank(hit.source) < rank(other.source):
            chosen[place] = hit, own
            return other, known
    return hit, own


def _describe_repetition(
    hit: Hit, own: Fingerprint, chosen: Sequence[tuple[Hit, Fingerprint]]
) -> Message | None:
    for number, (better, other) in enumerate(chosen, 1):
        if better.chunk.id == hit.chunk.id or is_repeat(own, other):
            return Message("passage-repeats", number=str(number), path=better.source.path)
    return None
