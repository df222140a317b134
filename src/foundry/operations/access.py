"""Who may use the server, and what leaves the machine: the owner's alone."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.journeys.access import create_token, list_tokens, parse_period, revoke_token
from foundry.models.privacy import PrivacyReport, describe_privacy
from foundry.operations.table import Scope, operation
from foundry.records import Token
from foundry.wire.access import NewTokenJson, TokenListJson
from foundry.wire.requests import TokenRequest


@operation("GET", "/tokens", TokenListJson, listed="tokens", owner=True)
def list_tokens_(on: Scope) -> Sequence[Token]:
    """All tokens, also those that have ended, oldest first; the owner's alone."""
    return list_tokens(on.workspace)


@operation("POST", "/tokens", NewTokenJson, owner=True, audit="token.new")
def create(on: Scope, asked: TokenRequest) -> NewTokenJson:
    """Make a token for a person; its text is in this reply and never again. The owner's alone."""
    on.note(asked.name)
    token, text = create_token(on.workspace, asked.name, asked.role, parse_period(asked.expires))
    return NewTokenJson.copy_fields(token, token=text)


@operation("DELETE", "/tokens/{name}", Token, owner=True, audit="token.revoke")
def revoke(on: Scope, name: str) -> Token:
    """End a token, by its name or id, and the sessions that began with it; the owner's alone."""
    return revoke_token(on.workspace, name)


@operation("GET", "/privacy", PrivacyReport, owner=True)
def show_privacy(on: Scope) -> PrivacyReport:
    """The hosts that the configuration can reach, and what would be sent there; the owner's alone."""
    return describe_privacy(on.workspace.config, on.workspace.settings)
