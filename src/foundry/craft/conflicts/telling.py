"""What differs between two texts that speak of one thing: the kind, and both values."""

from __future__ import annotations

from dataclasses import dataclass

from foundry.records import ConflictKind


@dataclass(frozen=True, slots=True)
class Difference:
    """``values`` are what differs, as each text writes it; ``about`` is of what, "" if unknown."""

    kind: ConflictKind
    values: tuple[str, str]
    about: str = ""

    @property
    def reason(self) -> str:
        """``"3.3 V" against "5 V" for supply voltage``."""
        subject = f" for {self.about}" if self.about else ""
        return f'"{self.values[0]}" against "{self.values[1]}"{subject}'


def differ(kind: ConflictKind, ours: str, theirs: str, about: str = "") -> Difference:
    """What the one text says in the place of the other."""
    return Difference(kind, (ours, theirs), about)
