"""What is wrong with the keys of a file, as messages: the place, the rule, the nearest known key."""

from __future__ import annotations

import difflib
import types
from collections.abc import Mapping
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from foundry.config.secrets import show_value
from foundry.messages import Message

MOST_PROBLEMS = 10
_LONGEST_KEY = 60


def describe_problems(error: ValidationError, root: type[BaseModel]) -> list[Message]:
    """The problems of a file that ``root`` describes, at most ``MOST_PROBLEMS`` and a count."""
    found = error.errors()
    problems = [describe_problem(dict(item), root) for item in found[:MOST_PROBLEMS]]
    more = len(found) - MOST_PROBLEMS
    return [*problems, *([Message("config-more-problems", number=more)] if more > 0 else [])]


def describe_problem(item: Mapping[str, Any], root: type[BaseModel]) -> Message:
    """One problem as Pydantic reports it, in a file that ``root`` describes."""
    path = [str(part)[:_LONGEST_KEY] for part in item["loc"]]
    name = ".".join(path)
    if item["type"] == "extra_forbidden":
        near = difflib.get_close_matches(path[-1], _list_keys(root, path[:-1]), n=1, cutoff=0.0)
        known = ".".join([*path[:-1], near[0]]) if near else None
        hint = Message("config-nearest-key", key=known) if known else None
        return Message("config-unknown-key", key=name, hint=hint)
    # A rule about a whole section names the wrong value itself.
    rules = ("config-", "agent-")
    whole = item["type"].startswith(rules) and isinstance(item.get("input"), dict)
    whole = whole or item["type"] in {"missing", "string_too_short", "too_short"}
    got = None if whole else Message("config-got", value=show_value(item.get("input")))
    key = name or Message("config-whole-file")
    return Message("config-wrong-value", key=key, cause=_describe_cause(item), got=got)


def _describe_cause(item: Mapping[str, Any]) -> Message:
    """What is wrong with a value: a rule of ours, a common one of Pydantic's, or its words."""
    kind, context = item["type"], item.get("ctx", {})
    if kind.startswith(("config-", "agent-")):
        return Message(kind, **context)
    if kind in _KINDS:
        return Message("config-wrong-type", kind=Message(_KINDS[kind]))
    if kind in _BOUNDS:
        return Message(
            _BOUNDS[kind], **{name: str(context[name]) for name in _NAMED & context.keys()}
        )
    return Message("verbatim", text=str(item["msg"]), fix=None)


_BOUNDS = {
    "greater_than_equal": "config-greater-than-equal",
    "less_than_equal": "config-less-than-equal",
    "literal_error": "config-literal-error",
    "string_too_long": "config-text-long",
    "too_long": "config-list-long",
    "string_too_short": "config-empty",
    "too_short": "config-empty",
    "missing": "config-missing",
}
_NAMED = {"ge", "le", "expected", "max_length"}
_KINDS = {
    "int_type": "config-kind-integer",
    "int_parsing": "config-kind-integer",
    "int_from_float": "config-kind-integer",
    "float_type": "config-kind-number",
    "float_parsing": "config-kind-number",
    "bool_type": "config-kind-boolean",
    "bool_parsing": "config-kind-boolean",
    "string_type": "config-kind-text",
    "model_type": "config-kind-mapping",
    "dict_type": "config-kind-mapping",
    "tuple_type": "config-kind-list",
    "list_type": "config-kind-list",
}


def _list_keys(root: type[BaseModel], path: list[str]) -> list[str]:
    model = root
    for name in (part for part in path if not part.isdigit()):
        annotation = model.model_fields[name].annotation if name in model.model_fields else None
        inner = find_model(annotation)
        if inner is None:
            return []
        model = inner
    return list(model.model_fields)


def find_model(annotation: Any) -> type[BaseModel] | None:
    """The section that a key has, also one that may be missing or is listed; None for other keys."""
    options = (
        get_args(annotation)
        if get_origin(annotation) in (Union, types.UnionType, tuple)
        else (annotation,)
    )
    for option in options:
        if isinstance(option, type) and issubclass(option, BaseModel):
            return option
    return None
