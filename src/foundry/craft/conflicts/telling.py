"""What differs between two texts that speak of one thing: the kind, both values, and a reason."""

from __future__ import annotations

from dataclasses import dataclass

from foundry.records import ConflictKind


@dataclass(frozen=True, slots=True)
class Difference:
    """``values`` are what differs, as each text writes it; ``reason`` is one sentence."""

    kind: ConflictKind
    values: tuple[str, str]
    reason: str


def differ(kind: ConflictKind, ours: str, theirs: str, about: str = "") -> Difference:
    """A difference with its sentence: "3.3 V" against "5 V" for "supply voltage"."""
    subject = f" for {about}" if about else ""
    return Difference(kind, (ours, theirs), f'"{ours}" against "{theirs}"{subject}')
