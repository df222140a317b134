"""A model's replies: asking for JSON, reading what comes back, and the reply cache."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from foundry.errors import FoundryError
from foundry.messages import Message
from foundry.models.providers import Target
from foundry.models.settings import ModelSettings
from foundry.ports import ChatMessage, Reply
from foundry.prompts import OPTIONAL_TEXT
from foundry.records import Usage

Level = Literal["json_schema", "json_object", "prompt"]

LEVELS: tuple[Level, ...] = ("json_schema", "json_object", "prompt")
"""How a provider is held to the schema, the strictest way first."""

_FORMAT_VERSION = 1
# A token is 3 to 5 characters of text, and a streamed one comes in an event of 200 to 500 bytes.
# What exceeds these does not keep to max_tokens; the smallest sizes leave room for error pages.
_CHARACTERS_PER_TOKEN = 16
_FEWEST_CHARACTERS = 2**14
_BYTES_PER_TOKEN = 2**10
_FEWEST_BYTES = 2**20


def count_most_characters(max_tokens: int) -> int:
    """How long the text of a reply may be: 16 characters a token, and 16,384 in any case."""
    return max(_FEWEST_CHARACTERS, _CHARACTERS_PER_TOKEN * max_tokens)


def count_most_bytes(max_tokens: int) -> int:
    """How many bytes of a reply are read: 1 MB, and 1 KB for each token."""
    return _FEWEST_BYTES + _BYTES_PER_TOKEN * max_tokens


def build_schema_instruction(schema: Mapping[str, Any]) -> str:
    """The instruction added to the last message where a provider takes no schema as a parameter.

    The prompts themselves show the form of a reply.
    """
    compact = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return (
        f"Reply with one JSON object that fits this JSON Schema, and with nothing else:\n{compact}"
    )


def build_response_format(schema: Mapping[str, Any], level: Level) -> dict[str, Any]:
    """The ``response_format`` of a request, for every level but "prompt"."""
    if level == "json_object":
        return {"type": "json_object"}
    named = {"name": _make_name(schema), "schema": dict(schema), "strict": _is_strict(schema)}
    return {"type": "json_schema", "json_schema": named}


def complete(data: Any, schema: Mapping[str, Any]) -> Any:
    """The data with "" for each ``OPTIONAL_TEXT`` that a model left out, at any depth."""
    if isinstance(data, list) and "items" in schema:
        return [complete(item, schema["items"]) for item in data]
    if not isinstance(data, dict) or "properties" not in schema:
        return data
    filled = {
        name: complete(data[name], part) if name in data else ""
        for name, part in schema["properties"].items()
        if name in data or part == OPTIONAL_TEXT
    }
    return {**data, **filled}


def find_mismatch(data: object, schema: Mapping[str, Any]) -> Message | None:
    """Where the data does not fit the schema ("sentences[0].text: missing"), or None.

    Only its form is checked (types, required keys), not its values: grounding decides
    whether a cited id exists, for example.
    """
    error = next(iter(_load_validator()(schema).iter_errors(data)), None)
    if error is None:
        return None
    while error.context:
        error = error.context[0]
    place = error.json_path.removeprefix("$").lstrip(".")
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return Message("models-field-missing", place=f"{place}.{missing}".lstrip("."))
    return Message("models-field-type", place=place or "{}", type=str(error.validator_value))


@cache
def _load_validator() -> Any:
    # Imported here: only structured replies need it, and it takes 0.1 s.
    from jsonschema import Draft202012Validator, validators

    keywords = ("$ref", "anyOf", "items", "oneOf", "properties", "required", "type")
    checks = {keyword: Draft202012Validator.VALIDATORS[keyword] for keyword in keywords}
    return validators.create(Draft202012Validator.META_SCHEMA, checks)


def _make_name(schema: Mapping[str, Any]) -> str:
    title = re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title") or "reply"))
    return title[:64]


def _is_strict(schema: object) -> bool:
    """True if every object is closed and requires all its keys, as strict mode demands."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            properties = schema.get("properties", {})
            closed = schema.get("additionalProperties") is False
            if not closed or set(schema.get("required", ())) != set(properties):
                return False
        return all(_is_strict(part) for part in schema.values())
    if isinstance(schema, list):
        return all(_is_strict(part) for part in schema)
    return True


def make_reply_key(
    target: Target,
    messages: Sequence[ChatMessage],
    schema: Mapping[str, Any] | None,
    parameters: Mapping[str, Any],
) -> str:
    """The cache key: a hash of everything that determines the reply."""
    parts = {
        "form": _FORMAT_VERSION,
        "model": target.litellm_name,
        "base": target.api_base,
        "messages": [[message.role, message.content] for message in messages],
        "schema": schema,
        "parameters": dict(parameters),
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def find_reply(key: str, model: str, settings: ModelSettings) -> Reply | None:
    """The cached reply, or None; an unreadable row counts as none.

    A cached reply counts no tokens and no cost; its usage shows that it was cached.
    """
    row = settings.find_response(key) if settings.find_response else None
    if row is None:
        return None
    try:
        values = json.loads(row)
        text, data, notices = values["text"], values["data"], values["notices"]
    except (ValueError, KeyError, TypeError):
        return None
    if not isinstance(text, str) or not isinstance(data, dict | None):
        return None
    return Reply(text, data, Usage(cached=1), model, tuple(map(Message.from_dict, notices)))


def save_reply(key: str, reply: Reply, settings: ModelSettings) -> Message | None:
    """Cache a complete reply; a cache that fails is returned as a notice, not raised."""
    if settings.save_response is None:
        return None
    notices = [Message.from_dict(notice).to_dict() for notice in reply.notices]
    row = {"text": reply.text, "data": reply.data, "notices": notices}
    try:
        settings.save_response(key, reply.model, json.dumps(row, ensure_ascii=True))
    except FoundryError as error:
        return Message("models-reply-not-cached", cause=error.problem)
    return None
