"""The reply cache's keys and form: the same call of the same model costs once.

Where replies are kept is the store's business (``settings.find_response``). Only
complete and successful replies are kept; a reply from the cache says so in its
usage and counts no tokens and no cost.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from foundry.errors import FoundryError
from foundry.models.providers import Target
from foundry.models.settings import ModelSettings
from foundry.ports import Message, Reply
from foundry.records import Usage

_FORM = 1


def reply_key(
    target: Target,
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None,
    parameters: Mapping[str, Any],
) -> str:
    """The cache key: a hash of everything that decides the reply."""
    parts = {
        "form": _FORM,
        "model": target.litellm_name,
        "base": target.api_base,
        "messages": [[message.role, message.content] for message in messages],
        "schema": schema,
        "parameters": dict(parameters),
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def find_reply(key: str, model: str, settings: ModelSettings) -> Reply | None:
    """The cached reply, or None; a row that cannot be read counts as none."""
    row = settings.find_response(key) if settings.find_response else None
    if row is None:
        return None
    try:
        found = json.loads(row)
        text, data, notices = found["text"], found["data"], found["notices"]
    except (ValueError, KeyError, TypeError):
        return None
    if not isinstance(text, str) or not isinstance(data, dict | None):
        return None
    return Reply(text, data, Usage(cached=1), model, tuple(notices))


def save_reply(key: str, reply: Reply, settings: ModelSettings) -> str | None:
    """Keep a reply. A cache that fails must not cost the answer: it returns a notice."""
    if settings.save_response is None:
        return None
    row = {"text": reply.text, "data": reply.data, "notices": list(reply.notices)}
    try:
        settings.save_response(key, reply.model, json.dumps(row, ensure_ascii=True))
    except FoundryError as error:
        return f"The reply could not be kept in the cache: {error.message}"
    return None
