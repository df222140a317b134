"""Which hits become evidence: each thing once, within the budget.

Everything left out is returned with its reason. Nothing is ranked anew here, and
nothing is judged relevant, true or false.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foundry.records import DroppedHit, Evidence, Hit
from foundry.text.near_duplicates import Fingerprint, compute_fingerprint, is_repeat


@dataclass(frozen=True, slots=True)
class Selection:
    """Evidence numbered S1, S2, … in the order of the hits, with what was left out.

    ``tokens`` is the cost of the evidence in the unit of the budget.
    """

    evidence: tuple[Evidence, ...]
    dropped: tuple[DroppedHit, ...]
    tokens: int = 0


def select_evidence(
    hits: Sequence[Hit],
    *,
    max_chunks: int,
    token_budget: int,
    cost: Callable[[Hit], int] | None = None,
) -> Selection:
    """The hits that are handed on, best first.

    A chunk that says nothing which a better one does not say (a copy of a file,
    the overlap of neighbours) is left out; two revisions that differ in one
    number both stay. A chunk that does not fit leaves room for a smaller one
    after it. ``cost`` is a hit's price in tokens, ``chunk.tokens`` by default.
    """
    price = cost or _get_tokens
    chosen: list[tuple[Hit, Fingerprint]] = []
    dropped: list[DroppedHit] = []
    used = 0
    for hit in hits:
        print_ = compute_fingerprint(hit.chunk.content)
        reason = _describe_repetition(hit, print_, chosen)
        if reason is None and len(chosen) >= max_chunks:
            reason = f"there are {max_chunks} better ones (retrieval.max_context_chunks)"
        tokens = price(hit) if reason is None else 0
        if reason is None and used + tokens > token_budget:
            reason = (
                f"its {tokens} tokens do not fit: {used} of {token_budget} are used "
                "(generation.token_budget)"
            )
        if reason is not None:
            dropped.append(DroppedHit(hit, reason))
            continue
        used += tokens
        chosen.append((hit, print_))
    evidence = tuple(Evidence(f"S{number}", hit) for number, (hit, _) in enumerate(chosen, 1))
    return Selection(evidence, tuple(dropped), used)


def _get_tokens(hit: Hit) -> int:
    return hit.chunk.tokens


def _describe_repetition(
    hit: Hit, own: Fingerprint, chosen: Sequence[tuple[Hit, Fingerprint]]
) -> str | None:
    for number, (better, print_) in enumerate(chosen, 1):
        if better.chunk.id == hit.chunk.id or is_repeat(own, print_):
            return f"it repeats S{number} ({better.source.path})"
    return None
