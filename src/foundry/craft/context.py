"""Which hits become evidence: no repetitions, within the token budget.

Every dropped hit is returned with its reason. The order stays as given, and nothing is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

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
    doubles: Mapping[str, str] | None = None,
) -> Selection:
    """Select the hits to hand to a writer; ``hits`` come best first.

    A chunk that adds nothing to a better one (a copy of a file, the overlap of neighbours) is
    dropped; two revisions that differ in one number both stay. A chunk that does not fit leaves
    room for a smaller one after it. ``cost`` gives the tokens of a hit, ``chunk.tokens`` by
    default. Of two hits with the same words the one whose source has the lower ``rank`` is chosen,
    in the place of the first. ``doubles`` maps the ids of nearly identical sources to one key.
    Between such sources a hit replaces one whose words it contains, and a hit is dropped if several
    chosen ones together contain its words. A chosen hit names the other sources of its words.
    """
    price = cost or (lambda hit: hit.chunk.tokens)
    chosen: list[tuple[Hit, Fingerprint]] = []
    dropped: list[DroppedHit] = []
    repeats: list[tuple[Hit, Fingerprint]] = []
    used, known = 0, doubles or {}
    for found in hits:
        hit, fingerprint = found, compute_fingerprint(found.chunk.content)
        if rank is not None:
            hit, fingerprint = _exchange(hit, fingerprint, chosen, rank, known)
        reason = _describe_repetition(hit, fingerprint, chosen, known)
        if reason is not None:
            repeats.append((hit, fingerprint))
        elif len(chosen) >= max_chunks:
            reason = Message("passage-limit", limit=max_chunks)
        tokens = price(hit) if reason is None else 0
        if reason is None and used + tokens > token_budget:
            reason = Message("passage-budget", tokens=tokens, used=used, budget=token_budget)
        if reason is not None:
            dropped.append(DroppedHit(hit, reason))
            continue
        used += tokens
        chosen.append((hit, fingerprint))
    evidence = tuple(
        Evidence(f"S{number}", _note_others(hit, own, repeats))
        for number, (hit, own) in enumerate(chosen, 1)
    )
    return Selection(evidence, tuple(dropped))


def _note_others(hit: Hit, own: Fingerprint, repeats: Sequence[tuple[Hit, Fingerprint]]) -> Hit:
    """The hit, with a notice of the other sources that contain the same words."""
    others = dict.fromkeys(
        other.source.path
        for other, runs in repeats
        if other.source.id != hit.source.id and is_repeat(runs, own)
    )
    if not others:
        return hit
    return replace(hit, notices=(*hit.notices, Message("passage-also-in", paths=list(others))))


def _exchange(
    hit: Hit,
    own: Fingerprint,
    chosen: list[tuple[Hit, Fingerprint]],
    rank: Callable[[Source], tuple[int, ...]],
    doubles: Mapping[str, str],
) -> tuple[Hit, Fingerprint]:
    """The hit, or the chosen one with the same words whose place it takes as the better source."""
    for place, (other, known) in enumerate(chosen):
        better = own.runs == known.runs and rank(hit.source) < rank(other.source)
        more = known.runs < own.runs and _are_doubles(hit, other, doubles)
        if better or more:
            chosen[place] = hit, own
            return other, known
    return hit, own


def _are_doubles(hit: Hit, other: Hit, doubles: Mapping[str, str]) -> bool:
    ours, theirs = hit.source.id, other.source.id
    return ours != theirs and ours in doubles and doubles[ours] == doubles.get(theirs)


def _describe_repetition(
    hit: Hit,
    own: Fingerprint,
    chosen: Sequence[tuple[Hit, Fingerprint]],
    doubles: Mapping[str, str],
) -> Message | None:
    for number, (better, other) in enumerate(chosen, 1):
        if better.chunk.id == hit.chunk.id or is_repeat(own, other):
            return Message("passage-repeats", number=str(number), path=better.source.path)
    # Nearly identical sources are cut in other places.
    beside = [(n, one) for n, one in enumerate(chosen, 1) if _are_doubles(hit, one[0], doubles)]
    runs = frozenset[tuple[str, ...]]().union(*(other.runs for _, (_, other) in beside))
    if beside and is_repeat(own, Fingerprint(runs)):
        numbers = ", S".join(str(number) for number, _ in beside)
        return Message("passage-repeats", number=numbers, path=beside[0][1][0].source.path)
    return None
