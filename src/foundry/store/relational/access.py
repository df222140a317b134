"""Tokens and the audit stream; ``ports.AccessStore`` documents each method."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import cast

from foundry.records import AuditEvent, Confidentiality, Token
from foundry.store.relational.database import Database


class SqlAccess:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_token(self, token: Token) -> None:
        with self._database.writing() as db:
            db.run("add_token", _encode(token))

    def revoke_token(self, token_id: str, when: datetime) -> None:
        with self._database.writing() as db:
            db.run("revoke_token", {"id": token_id, "revoked": when.isoformat()})

    def note_token_use(self, token_id: str, when: datetime) -> None:
        with self._database.writing() as db:
            db.run("note_token_use", {"id": token_id, "used": when.isoformat()})

    def find_token(self, token_id: str) -> Token | None:
        with self._database.reading() as db:
            row = db.run("find_token", {"id": token_id}).fetchone()
        return _read_token(*row) if row else None

    def list_tokens(self) -> list[Token]:
        with self._database.reading() as db:
            return [_read_token(*row) for row in db.run("list_tokens")]

    def add_event(self, event: AuditEvent) -> None:
        values = _encode(event)
        del values["number"]
        with self._database.writing() as db:
            db.run("add_event", values)

    def list_events(self, limit: int, before: int | None = None) -> list[AuditEvent]:
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
