"""Who may use the server, and what was done with it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import cast

from foundry.records import AuditEvent, Confidentiality, Token
from foundry.store.relational.database import Database


class AccessStore:
    """Tokens and the audit stream of a project; every method is one transaction.

    Neither says anything of the sources' texts.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_token(self, token: Token) -> None:
        """Add a token with a new id."""
        with self._database.writing() as db:
            db.run("add_token", _encode(token))

    def revoke_token(self, token_id: str, when: datetime) -> None:
        """End a token for good; one that is revoked keeps its time."""
        with self._database.writing() as db:
            db.run("revoke_token", {"id": token_id, "revoked": when.isoformat()})

    def note_token_use(self, token_id: str, when: datetime) -> None:
        """Note when a token was last used; of a revoked one nothing is noted."""
        with self._database.writing() as db:
            db.run("note_token_use", {"id": token_id, "used": when.isoformat()})

    def find_token(self, token_id: str) -> Token | None:
        """The token with that id, expired and revoked ones too, or None."""
        with self._database.reading() as db:
            row = db.run("find_token", {"id": token_id}).fetchone()
        return _read_token(*row) if row else None

    def list_tokens(self) -> list[Token]:
        """All tokens, oldest first."""
        with self._database.reading() as db:
            return [_read_token(*row) for row in db.run("list_tokens")]

    def add_event(self, event: AuditEvent) -> None:
        """Add to the audit stream, which nothing changes or shortens."""
        values = _encode(event)
        del values["number"]
        with self._database.writing() as db:
            db.run("add_event", values)

    def list_events(self, limit: int, before: int | None = None) -> list[AuditEvent]:
        """The latest events, or the latest with a ``number`` below ``before``; latest first."""
        with self._database.reading() as db:
            rows = db.run("list_events", {"limit": limit, "before": before})
            return [AuditEvent(datetime.fromisoformat(time), *rest) for time, *rest in rows]


def _encode(record: Token | AuditEvent) -> dict[str, object]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(record).items()
    }


def _read_token(*row: str) -> Token:
    identity, name, role, hashed, created, expires, revoked, used = row
    return Token(
        identity,
        name,
        cast("Confidentiality", role),
        hashed,
        created=datetime.fromisoformat(created),
        expires=datetime.fromisoformat(expires),
        revoked=datetime.fromisoformat(revoked) if revoked else None,
        used=datetime.fromisoformat(used) if used else None,
    )
