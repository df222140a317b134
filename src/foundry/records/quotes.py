"""The exact words of a source with their place."""

from __future__ import annotations

from dataclasses import dataclass

from foundry.records.documents import Box


@dataclass(frozen=True, slots=True)
class Quote:
    """The exact words in a source that carry a statement."""

    evidence_id: str
    text: str
    start: int
    end: int
    page: int | None = None
    page_label: str | None = None
    section: str | None = None
    time: float | None = None
    box: Box | None = None
