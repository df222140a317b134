"""Who may use the server, and what was done with it."""

from __future__ import annotations

from datetime import datetime

from foundry.records import AuditEvent, ProjectRole, Token
from foundry.store.relational.database import Database
from foundry.store.rows import build_row, read_row


class AccessStore:
    """Tokens, roles and the audit stream of a project; every method is one transaction.

    None says anything of the sources' texts.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_token(self, token: Token) -> None:
        """Add a token with a new id."""
        with self._database.writing() as db:
            db.run("add_token", build_row(token))

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
            rows = db.rows("find_token", {"id": token_id})
        return read_row(Token, rows[0]) if rows else None

    def list_tokens(self) -> list[Token]:
        """All tokens, oldest first."""
        with self._database.reading() as db:
            return [read_row(Token, row) for row in db.rows("list_tokens")]

    def put_role(self, given: ProjectRole) -> None:
        """Give a person a role in a project, instead of an earlier one."""
        with self._database.writing() as db:
            db.run("put_project_role", build_row(given))

    def delete_role(self, person: str, folder: str) -> bool:
        """Withdraw it; False if there is none."""
        with self._database.writing() as db:
            db.run("delete_project_role", {"person": person, "folder": folder})
            return db.changes() > 0

    def find_roles(self, person: str, folder: str) -> list[ProjectRole]:
        """What a person has in that project, and in all of them."""
        with self._database.reading() as db:
            rows = db.rows("find_project_roles", {"person": person, "folder": folder})
            return [read_row(ProjectRole, row) for row in rows]

    def list_roles(
        self, *, person: str | None = None, folder: str | None = None
    ) -> list[ProjectRole]:
        """The roles by person and folder; only those of one person, or in one folder."""
        with self._database.reading() as db:
            rows = db.rows("list_project_roles", {"person": person, "folder": folder})
            return [read_row(ProjectRole, row) for row in rows]

    def add_event(self, event: AuditEvent) -> None:
        """Add to the audit stream, which nothing changes or shortens."""
        with self._database.writing() as db:
            db.run("add_event", build_row(event, "number"))

    def list_events(self, limit: int, before: int | None = None) -> list[AuditEvent]:
        """The latest events, or the latest with a ``number`` below ``before``; latest first."""
        with self._database.reading() as db:
            rows = db.rows("list_events", {"limit": limit, "before": before})
            return [read_row(AuditEvent, row) for row in rows]
