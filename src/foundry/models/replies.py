"""A model's replies: asking for JSON, reading what comes back, and the reply cache."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from foundry.errors import FoundryError
from foundry.models.providers import Target
from foundry.models.settings import ModelSettings
from foundry.ports import Message, Reply
from foundry.records import Usage

Level = Literal["json_schema", "json_object", "prompt"]

LEVELS: tuple[Level, ...] = ("json_schema", "json_object", "prompt")
"""How firmly a provider is held to the schema, the firmest first."""

_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)```", re.DOTALL)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
# Starts of objects that are tried in a text; a page of braces must not take minutes.
_MOST_STARTS = 50

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def build_schema_instruction(schema: Mapping[str, Any]) -> str:
    """What is added to the last message, for every provider alike.

    Most models follow a schema better when they also read it, and a prompt that
    is the same everywhere keeps answers comparable between providers.
    """
    compact = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return (
        f"Reply with one JSON object that fits this JSON Schema, and with nothing else:\n{compact}"
    )


def build_response_format(schema: Mapping[str, Any], level: Level) -> dict[str, Any] | None:
    """The ``build_response_format`` of a request, or None where the prompt alone must do."""
    if level == "prompt":
        return None
    if level == "json_object":
        return {"type": "json_object"}
    named = {"name": _make_name(schema), "schema": dict(schema), "strict": _is_strict(schema)}
    return {"type": "json_schema", "json_schema": named}


def read_object(text: str) -> dict[str, Any] | None:
    """The JSON object in a model's reply, or None if there is no whole one.

    Fences, prose around it, a reasoning part and trailing commas do no harm.
    """
    plain = _THINKING.sub("", text)
    for candidate in (plain.strip(), *_FENCE.findall(plain)):
        found = _load(candidate)
        if found is not None:
            return found
    return _find_object(plain)


def find_mismatch(data: object, schema: Mapping[str, Any]) -> str | None:
    """Where the data's shape differs from the schema ("sentences[0].text: missing"), or None."""
    return _misfit(data, schema, schema, "")


def _load(text: str) -> dict[str, Any] | None:
    for attempt in (text, _without_trailing_commas(text)):
        try:
            # strict=False: models write raw line breaks inside strings.
            found = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _find_object(text: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder(strict=False)
    mended = _without_trailing_commas(text)
    start = mended.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return None
        try:
            found, _ = decoder.raw_decode(mended, start)
        except (ValueError, RecursionError):
            start = mended.find("{", start + 1)
            continue
        # A cut-off object holds whole smaller ones; the outermost is what was asked for.
        return found if isinstance(found, dict) and _is_outermost(mended, start) else None
    return None


def _is_outermost(text: str, start: int) -> bool:
    return "{" not in text[:start] or text[:start].count("{") <= text[:start].count("}")


def _without_trailing_commas(text: str) -> str:
    """Commas before a closing bracket removed, outside strings only."""
    kept: list[str] = []
    inside = escaped = False
    for place, letter in enumerate(text):
        if inside:
            inside = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            inside = True
        elif letter == "," and text[place + 1 :].lstrip()[:1] in ("}", "]"):
            continue
        kept.append(letter)
    return "".join(kept)


def _misfit(
    data: object, schema: Mapping[str, Any], root: Mapping[str, Any], where: str
) -> str | None:
    schema = _followed(schema, root)
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        misfits = [_misfit(data, option, root, where) for option in options]
        return None if None in misfits else misfits[0]
    wanted = schema.get("type")
    names = [wanted] if isinstance(wanted, str) else list(wanted or ())
    if names and not any(_is_a(data, name) for name in names):
        return f"{where or 'the reply'}: not a {' or '.join(names)}"
    if isinstance(data, dict):
        return _misfit_in_object(data, schema, root, where)
    if isinstance(data, list) and isinstance(schema.get("items"), Mapping):
        for place, item in enumerate(data):
            found = _misfit(item, schema["items"], root, f"{where}[{place}]")
            if found:
                return found
    return None


def _misfit_in_object(
    data: dict[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], where: str
) -> str | None:
    for key in schema.get("required", ()):
        if key not in data:
            return f"{where}.{key}".lstrip(".") + ": missing"
    for key, part in schema.get("properties", {}).items():
        found = (
            _misfit(data[key], part, root, f"{where}.{key}".lstrip(".")) if key in data else None
        )
        if found:
            return found
    return None


def _followed(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return schema
    found: Any = root
    for part in reference[2:].split("/"):
        found = found.get(part, {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) else {}


def _is_a(data: object, name: str) -> bool:
    if isinstance(data, bool) and name in ("integer", "number"):
        return False
    return isinstance(data, _TYPES.get(name, (object,)))


def _make_name(schema: Mapping[str, Any]) -> str:
    title = re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title") or "reply"))
    return title[:64]


def _is_strict(schema: object) -> bool:
    """True when every object is closed with all its keys required, as strict mode wants it."""
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


_FORMAT_VERSION = 1


def make_reply_key(
    target: Target,
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None,
    parameters: Mapping[str, Any],
) -> str:
    """The cache key: a hash of everything that decides the reply."""
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
