"""Who may use the server, and what was done with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from foundry.records import AuditEvent, Token


class AccessStore(Protocol):
    """Tokens and the audit stream of a project. Neither says anything of the sources' texts."""

    def add_token(self, token: Token) -> None:
        """Add a token with a new id."""

    def revoke_token(self, token_id: str, when: datetime) -> None:
        """End a token for good; one that is revoked keeps its time."""

    def note_token_use(self, token_id: str, when: datetime) -> None:
        """Note when a token was last used; of a revoked one nothing is noted."""

    def find_token(self, token_id: str) -> Token | None:
        """The token with that id, expired and revoked ones too, or None."""

    def list_tokens(self) -> list[Token]:
        """All tokens, oldest first."""

    def add_event(self, event: AuditEvent) -> None:
        """Add to the audit stream, which nothing changes or shortens."""

    def list_events(self, limit: int, before: int | None = None) -> Sequence[AuditEvent]:
        """The latest events, or the latest with a ``number`` below ``before``; latest first."""
