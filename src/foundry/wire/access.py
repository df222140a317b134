"""The JSON of tokens and of the audit stream."""

from __future__ import annotations

from pydantic import Field

from foundry.records import Confidentiality
from foundry.wire import fields
from foundry.wire.base import WireModel


class TokenJson(WireModel):
    id: str
    name: str
    role: Confidentiality = Field(description="highest confidentiality visible to its holder")
    created: fields.Timestamp
    expires: fields.Timestamp
    revoked: fields.Timestamp | None
    used: fields.Timestamp | None = Field(description="last use, to a minute")


class NewTokenJson(TokenJson):
    token: str = Field(description="its text, which is shown this once")


class TokenListJson(WireModel):
    tokens: list[TokenJson]


class AuditEventJson(WireModel):
    number: int = Field(description="ascending; the cursor of the next page")
    time: fields.Timestamp
    who: str = Field(description="name of the token; empty for the owner on the server's machine")
    role: Confidentiality
    action: str = Field(description="login, source.remove …")
    subject: str = Field(description="id or path of what it was done to")
    address: str = Field(description="network address it came from")
    outcome: str = Field(description="done, or an error's code")


class AuditListJson(WireModel):
    events: list[AuditEventJson] = Field(description="latest first")
    next: int | None = Field(description="--before or ?before= of the next page; null at the end")
