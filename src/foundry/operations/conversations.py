"""Conversations of the caller, and answers shared with others."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.journeys.conversations import (
    change_conversation,
    list_conversations,
    share_answer,
)
from foundry.operations.table import Limit, Scope, Text, operation
from foundry.records import Conversation, QueryRecord
from foundry.wire.projects import ConversationListJson, QueryJson
from foundry.wire.requests import ConversationRequest, ShareRequest


@operation("GET", "/conversations", ConversationListJson, listed="conversations")
def list_conversations_(on: Scope, q: Text = "", limit: Limit = 50) -> Sequence[Conversation]:
    """The caller's own conversations with the words ``q``, the latest first."""
    return list_conversations(on.workspace, on.who, q, limit)


@operation("PATCH", "/conversations/{query_id}", ConversationListJson, listed="conversations")
def change(on: Scope, query_id: str, asked: ConversationRequest) -> Sequence[Conversation]:
    """Name one of the caller's conversations, or take it off the list; gives what is listed then."""
    change_conversation(on.workspace, on.who, query_id, title=asked.title, removed=asked.removed)
    return list_conversations(on.workspace, on.who)


@operation("POST", "/log/{query_id}/share", QueryJson, audit="answer.share")
def share(on: Scope, query_id: str, asked: ShareRequest) -> QueryRecord:
    """A copy of an answer for a lower role; 403 if a cited source is hidden from that role."""
    return share_answer(on.workspace, query_id, asked.role)
