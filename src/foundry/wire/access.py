"""The JSON of tokens and of the audit stream."""

from __future__ import annotations

from pydantic import Field

from foundry.records import AuditEvent, ProjectRole, Token
from foundry.wire.base import RecordModel, WireModel


class NewTokenJson(RecordModel, of=Token):
    token: str = Field(description="its text, which is shown this once")


class TokenListJson(WireModel):
    tokens: list[Token]


class RoleListJson(WireModel):
    roles: list[ProjectRole]


class AuditListJson(WireModel):
    events: list[AuditEvent] = Field(description="latest first")
    next: int | None = Field(description="--before or ?before= of the next page; null at the end")
