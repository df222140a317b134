"""Conversations as their people find them again, and answers that are shared with another role."""

from __future__ import annotations

import secrets
from dataclasses import replace

from foundry.analysis import fold
from foundry.clock import get_now
from foundry.errors import NotFound, RuleError, UsageError
from foundry.journeys.query_log import get_query
from foundry.records import Confidentiality, Conversation, QueryRecord, ShownAnswer, is_visible
from foundry.workspace import Workspace

MOST_LISTED = 1000
"""Conversations of one person that are searched; older ones are in the log."""
LONGEST_TITLE = 200


def list_conversations(
    workspace: Workspace, who: str, words: str = "", limit: int = MOST_LISTED
) -> list[Conversation]:
    """The conversations of a person with all these words in title or questions, the latest first."""
    wanted = fold(words).split()
    found = workspace.store.list_conversations(who, MOST_LISTED if wanted else limit)
    return [one for one in found if _has(one, wanted)][:limit]


def _has(one: Conversation, wanted: list[str]) -> bool:
    text = fold(f"{one.title} {one.words}") if wanted else ""
    return all(word in text for word in wanted)


def change_conversation(
    workspace: Workspace, who: str, identity: str, *, title: str = "", removed: bool = False
) -> None:
    """Name a conversation of one's own, or take it off the list; the log keeps its rows.

    Raises ``NotFound`` for another's, ``UsageError`` for a title that is too long.
    """
    title = " ".join(title.split())
    if len(title) > LONGEST_TITLE:
        raise UsageError("web-title-long", where="title", most=LONGEST_TITLE)
    row = get_query(workspace, identity)
    if row.who != who or row.conversation != identity:
        raise NotFound("web-not-found", where=identity)
    workspace.store.keep_conversation(identity, title=title, removed=removed)


def share_answer(workspace: Workspace, query_id: str, role: Confidentiality) -> QueryRecord:
    """A copy of an answer for a lower role, which has a row and so an address of its own.

    What was removed or contradicted, and notices, are left out: they may speak of sources that the
    role does not see. Raises ``NotFound``, and ``RuleError`` if a cited source is hidden from the role.
    """
    row = get_query(workspace, query_id)
    if row.shown is None or not is_visible(role, workspace.principal.role):
        raise NotFound("web-not-found", where=query_id)
    sources = workspace.store.get_sources({one.source_id for one in row.shown.sources})
    hidden = [
        one.title
        for one in row.shown.sources
        if (now := sources.get(one.source_id)) is None or not is_visible(now.confidentiality, role)
    ]
    if hidden:
        raise RuleError("web-share-hidden", where=query_id, role=role, sources=sorted(set(hidden)))
    copy = replace(
        row,
        id=f"qry_{secrets.token_hex(8)}",
        time=get_now(),
        role=role,
        shown=_reduce(row.shown),
        chunks=(),
        conversation=None,
    )
    workspace.view(role).log_query(copy)
    return copy


def _reduce(shown: ShownAnswer) -> ShownAnswer:
    kept = tuple(one for one in shown.reasons if one.code.startswith("gate-"))
    return replace(shown, reasons=kept, changes=(), conflicts=(), notices=(), earlier=())
