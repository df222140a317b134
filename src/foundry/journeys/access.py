"""Who may use the server: tokens, roles, and the stream of what was done with them.

A token is shown once, when it is made; the database has the hash of its secret, which has 256
random bits and so needs no slow hash. What callers do is written to the audit stream, apart from
the query log: it has no words of questions or sources.

A server of several projects has a home, a workspace that keeps the tokens of all people and their roles
per project. There a token's role is the most that it gives in any project.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from foundry.clock import get_now
from foundry.errors import NotFound, RuleError, StoreError, UsageError
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    AuditEvent,
    Confidentiality,
    ProjectRole,
    Token,
    is_visible,
)
from foundry.workspace import Workspace

PREFIX = "fdy"
"""Opens every token, so that scanners of repositories can find one that leaked."""
LONGEST = timedelta(days=366)
LONGEST_NAME = 64
_NAME = re.compile(r"[\w.@ -]{1,64}")
_PERIOD = re.compile(r"(\d{1,4})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_USE_EVERY = timedelta(minutes=1)


def parse_period(text: str) -> timedelta:
    """``12h``, ``30d`` or ``4w`` as a period; at most a year. Raises ``UsageError``."""
    found = _PERIOD.fullmatch(text.strip())
    period = timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else timedelta()
    if not timedelta() < period <= LONGEST:
        raise UsageError("token-period-invalid", where="--expires", text=text)
    return period


def create_token(
    workspace: Workspace, name: str, role: Confidentiality, period: timedelta
) -> tuple[Token, str]:
    """A new token and its text, which cannot be shown again.

    Raises ``UsageError`` for an invalid name, ``RuleError`` for one in use or below the highest role.
    """
    workspace.maintenance()
    if workspace.home:
        raise RuleError("token-of-server", where="NAME")
    if not _NAME.fullmatch(name) or name != name.strip():
        raise UsageError("token-name-invalid", where="NAME", name=name)
    now = get_now().replace(microsecond=0)
    if any(token.name == name and token.is_valid(now) for token in list_tokens(workspace)):
        raise RuleError("token-name-taken", where="NAME", name=name)
    identity, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    token = Token(identity, name, role, _hash(secret), now, now + period)
    workspace.access.add_token(token)
    return token, f"{PREFIX}_{identity}_{secret}"


def list_tokens(workspace: Workspace) -> list[Token]:
    """All tokens, oldest first. Raises ``RuleError`` below the highest role."""
    workspace.maintenance()
    return workspace.access.list_tokens()


def revoke_token(workspace: Workspace, name_or_id: str) -> Token:
    """End a token and its sessions; one that is revoked already stays so. Raises ``NotFound``."""
    matching = [item for item in list_tokens(workspace) if name_or_id in {item.id, item.name}]
    if not matching:
        raise NotFound("token-unknown", where="NAME", name=name_or_id)
    token = next((item for item in matching if item.revoked is None), matching[-1])
    if token.revoked is None:
        now = get_now().replace(microsecond=0)
        workspace.access.revoke_token(token.id, now)
        token = replace(token, revoked=now)
    return token


def has_valid_token(workspace: Workspace) -> bool:
    """Whether anybody can log in."""
    return any(token.is_valid(get_now()) for token in workspace.access.list_tokens())


def find_bearer(workspace: Workspace, text: str) -> Token | None:
    """The valid token with this text, or None; notes its use."""
    prefix, _, rest = text.strip().partition("_")
    identity, _, secret = rest.partition("_")
    token = _find_unexpired(workspace, identity) if prefix == PREFIX else None
    # Compared even without a token, so that the time says nothing about which ids exist.
    same = hmac.compare_digest(_hash(secret), token.hash if token else _hash(""))
    return _note_use(workspace, token) if token and same else None


def find_valid(workspace: Workspace, identity: str) -> Token | None:
    """The token with that id if it is valid now, or None; notes its use."""
    token = _find_unexpired(workspace, identity)
    return _note_use(workspace, token) if token else None


def _find_unexpired(workspace: Workspace, identity: str) -> Token | None:
    token = workspace.access.find_token(identity)
    return token if token and token.is_valid(get_now()) else None


def _note_use(workspace: Workspace, token: Token) -> Token:
    now = get_now()
    if token.used is None or now - token.used > _USE_EVERY:
        # A disk that is full keeps nobody out.
        with suppress(StoreError):
            workspace.access.note_token_use(token.id, now.replace(microsecond=0))
    return token


def give_role(
    home: Workspace, person: str, folder: str, role: Confidentiality, *, most: Confidentiality
) -> ProjectRole:
    """Give a person a role in the project ``folder``, "" for all, instead of an earlier one.

    ``most`` is the highest role of who gives it. Raises ``RuleError`` for a higher one, and
    ``UsageError`` for what cannot be a name.
    """
    if not 0 < len(person) <= LONGEST_NAME or not person.isprintable() or person != person.strip():
        raise UsageError("token-name-invalid", where="NAME", name=person)
    if not is_visible(role, most):
        raise RuleError("access-role-too-high", where="--role", role=role, owner=most)
    given = ProjectRole(person, folder, role)
    home.access.put_role(given)
    return given


def withdraw_role(home: Workspace, person: str, folder: str) -> None:
    """Withdraw what a person has in that project; what they have in all of them stays.

    Raises ``NotFound``.
    """
    if not home.access.delete_role(person, folder):
        raise NotFound("access-no-role", where="NAME", name=person)


def find_role(home: Workspace, person: str, folder: str) -> Confidentiality | None:
    """A person's role in a project, the higher of its own and that in all projects."""
    found = [given.role for given in home.access.find_roles(person, folder)]
    return max(found, key=CONFIDENTIALITY_LEVELS.index, default=None)


def record_event(
    workspace: Workspace, action: str, subject: str, *, who: str, address: str, outcome: str
) -> None:
    """Add to the audit stream; the role is the workspace's."""
    role, now = workspace.principal.role, get_now()
    event = AuditEvent(now, who, role, action, subject[:500], address, outcome)
    workspace.access.add_event(event)


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Events of the audit stream, latest first; ``next`` is the ``before`` of the next page."""

    events: tuple[AuditEvent, ...]
    next: int | None


def list_events(workspace: Workspace, limit: int, before: int | None = None) -> AuditPage:
    """A page of the audit stream. Raises ``RuleError`` below the highest role."""
    workspace.maintenance()
    events = tuple(workspace.access.list_events(limit + 1, before))
    following = events[limit - 1].number if len(events) > limit else None
    return AuditPage(events[:limit], following)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
