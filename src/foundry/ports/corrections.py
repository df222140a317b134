"""What people corrected in the sources, and what the readers had made of them."""

from __future__ import annotations

from typing import Protocol

from foundry.records import Correction, Reading


class Corrections(Protocol):
    """The corrections of visible sources."""

    def list_corrections(
        self, content_hash: str | None = None, path: str | None = None
    ) -> list[Correction]:
        """All corrections, or those of these bytes and those made at this path; oldest first.

        A role sees those of the bytes that a visible source has, with the path of such a source. What was corrected in an earlier
        content of a visible source it sees if the source was visible then.
        """

    def find_reading(self, source_id: str) -> Reading | None:
        """What a reader made of a source that is corrected; None for others."""


class CorrectionWriter(Protocol):
    """Corrections are saved with the sources that they change, and removed with them or alone."""

    def remove_correction(self, correction_id: str) -> bool:
        """Remove a correction, not what it changed; False if there was none."""
