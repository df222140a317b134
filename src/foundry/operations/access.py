"""Who may use the server, and what leaves the machine: the owner's alone."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.errors import RuleError
from foundry.journeys.access import (
    create_token,
    give_role,
    list_tokens,
    parse_period,
    revoke_token,
    withdraw_role,
)
from foundry.models.privacy import PrivacyReport, describe_privacy
from foundry.operations.table import Scope, operation
from foundry.records import ProjectRole, Token
from foundry.wire.projects import NewTokenJson, RoleListJson, TokenListJson
from foundry.wire.requests import RoleRequest, TokenRequest
from foundry.workspace import Workspace


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


@operation("GET", "/roles", RoleListJson, listed="roles", owner=True)
def list_roles(on: Scope) -> Sequence[ProjectRole]:
    """The people with a role in this project, of a server that has several; the owner's alone."""
    return _get_home(on).access.list_roles(folder=on.workspace.root.name)


@operation("PUT", "/roles/{name}", ProjectRole, owner=True, audit="role.give")
def give(on: Scope, name: str, asked: RoleRequest) -> ProjectRole:
    """Give a person a role in this project, instead of an earlier one; the owner's alone."""
    on.note(f"{name} {asked.role}")
    most = on.workspace.principal.role
    return give_role(_get_home(on), name, on.workspace.root.name, asked.role, most=most)


@operation("DELETE", "/roles/{name}", RoleListJson, owner=True, audit="role.withdraw")
def withdraw(on: Scope, name: str) -> RoleListJson:
    """Withdraw a person's role in this project; the owner's alone."""
    withdraw_role(_get_home(on), name, on.workspace.root.name)
    return RoleListJson(roles=list(list_roles.perform(on)))


def _get_home(on: Scope) -> Workspace:
    if on.workspace.home is None:
        raise RuleError("access-one-project")
    return on.workspace.home


@operation("GET", "/privacy", PrivacyReport, owner=True)
def show_privacy(on: Scope) -> PrivacyReport:
    """The hosts that the configuration can reach, and what would be sent there; the owner's alone."""
    return describe_privacy(on.workspace.config, on.workspace.settings)
