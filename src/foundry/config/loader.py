"""Reads ``foundry.yaml`` and its overrides, and says what is wrong with its keys.

A problem names the place, the rule and the nearest known key. Keys and passwords in a text that is
shown are recognised, and replaced by ``[key]``.
"""

from __future__ import annotations

import difflib
import re
import reprlib
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union, get_args, get_origin
from urllib.parse import quote

import yaml
from pydantic import BaseModel, ValidationError

from foundry.config.keys import Config
from foundry.config.yaml_text import load_yaml, parse_mapping
from foundry.errors import ConfigError, ProjectNotFound, UsageError
from foundry.messages import Message

CONFIG_NAME = "foundry.yaml"
SERVER_CONFIG_NAME = "server.yaml"
ENVIRONMENT_PREFIX = "FOUNDRY_"


def get_cache_folder(environment: Mapping[str, str]) -> Path:
    """Foundry's folder for what can be made again; it may not exist yet.

    ``FOUNDRY_CACHE_DIR`` or ``XDG_CACHE_HOME`` sets its parent, which otherwise is
    ``%LOCALAPPDATA%`` on Windows and ``~/.cache`` elsewhere.
    """
    names = ("FOUNDRY_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA")
    chosen = next(filter(None, map(environment.get, names)), None)
    if chosen is not None:
        return Path(chosen) / "foundry"
    home = environment.get("HOME")
    return (Path(home) if home else Path.home()) / ".cache" / "foundry"


def find_project(start: Path) -> Path:
    """The nearest folder with a ``foundry.yaml``, at or above ``start``."""
    for folder in (start, *start.parents):
        if (folder / CONFIG_NAME).is_file():
            return folder
    raise ProjectNotFound("config-no-project", where=str(start), name=CONFIG_NAME)


def load_config(project: Path, environment: Mapping[str, str]) -> Config:
    """Read ``project/foundry.yaml``, with overrides such as ``FOUNDRY_RETRIEVAL__TOP_K``."""
    path = project / CONFIG_NAME
    values = _merge(_read_yaml(path), _environment_values(environment))
    return _validate(values, str(path))


def load_server_config(folder: Path, environment: Mapping[str, str]) -> Config:
    """Read ``folder/server.yaml`` if there is one: the keys of a server with several projects."""
    path = folder / SERVER_CONFIG_NAME
    own = {"project": {"name": folder.name or "server", "id": "server"}}
    values = _merge(own, _read_yaml(path) if path.exists() else {})
    return _validate(_merge(values, _environment_values(environment)), str(path))


def override_config(config: Config, overrides: Mapping[str, str]) -> Config:
    """The configuration with dotted keys replaced by values written as on a command line.

    A list is written with commas (``ingest.chunk_tokens=200,300``), a mapping by its key
    (``models.windows.NAME=8192``); ``null`` unsets an optional key. Raises ``UsageError``, naming
    ``-o KEY``, for an unknown key or an invalid value.
    """
    values: dict[str, Any] = {}
    for key, text in overrides.items():
        names, value = _parse_override(key, text)
        part = values
        for name in names[:-1]:
            part = part.setdefault(name, {})
            if not isinstance(part, dict):
                raise UsageError("config-override-overlaps", where=f"-o {key}", key=key)
        part[names[-1]] = value
    try:
        return Config.model_validate(_merge(config.model_dump(), values))
    except ValidationError as error:
        problems = [dict(item) for item in error.errors()]
        raise UsageError(
            "config-override-invalid",
            where=", ".join(f"-o {key}" for key in _find_overrides(overrides, problems)),
            problems=[describe_problem(item, Config) for item in problems],
        ) from error


def _parse_override(key: str, text: str) -> tuple[list[str], Any]:
    """The path of a key, and its value in the key's type."""
    names, annotation = key.split("."), None
    model: type[BaseModel] | None = Config
    for index, name in enumerate(names):
        if model is None or name not in model.model_fields:
            break
        annotation = model.model_fields[name].annotation
        model = find_model(annotation)
        if get_origin(annotation) is dict and index + 1 < len(names):
            # The rest is one key of a mapping, such as a model's name, which may contain dots.
            return [*names[: index + 1], ".".join(names[index + 1 :])], text
    return names, _parse_value(annotation, text, key)


def _parse_value(annotation: Any, text: str, key: str) -> Any:
    if text in ("", "null") and type(None) in get_args(annotation):
        return None
    kind = get_origin(annotation)
    if kind is tuple and not text.startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    if kind in (tuple, dict) or find_model(annotation) is not None:
        try:
            return load_yaml(text)
        except yaml.YAMLError as error:
            raise UsageError(
                "config-override-not-yaml", where=f"-o {key}", value=show_value(text)
            ) from error
    return text


def _find_overrides(
    overrides: Mapping[str, str], problems: Sequence[Mapping[str, Any]]
) -> list[str]:
    """The overrides that may have caused the problems: those at or below their place, else all."""
    places = [".".join(str(part) for part in item["loc"]) for item in problems]
    return [
        key
        for key in overrides
        if any(f"{key}.".startswith(f"{place}.") or place.startswith(key) for place in places)
    ] or list(overrides)


def parse_config(text: str, where: str = CONFIG_NAME) -> Config:
    """The configuration in a YAML text, without the environment."""
    return _validate(parse_mapping(text, where), where)


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("config-unreadable", where=str(path), cause=str(error)) from error
    return parse_mapping(text, str(path))


def _environment_values(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    sections = {name.upper(): name for name in Config.model_fields}
    for variable, text in sorted(environment.items()):
        path = variable.removeprefix(ENVIRONMENT_PREFIX).split("__")
        if not variable.startswith(ENVIRONMENT_PREFIX) or path[0] not in sections:
            continue
        if len(path) == 1 and path[0] not in ("MODE", "LANGUAGE"):
            continue
        part = values
        for name in path[:-1]:
            part = part.setdefault(name.lower(), {})
        try:
            part[path[-1].lower()] = load_yaml(text)
        except yaml.YAMLError as error:
            raise ConfigError(
                "config-variable-not-yaml", where=variable, value=show_value(text)
            ) from error
    return values


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = (
            _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
        )
    return merged


def _validate(values: Mapping[str, Any], where: str) -> Config:
    # A section that contains only comments is parsed as null: it means the defaults.
    present = {key: value for key, value in values.items() if value is not None}
    try:
        return Config.model_validate(present)
    except ValidationError as error:
        problems = describe_problems(error, Config)
        raise ConfigError("config-invalid", where=where, problems=problems) from error


_MARK = "[key]"
_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD")
SHORTEST_SECRET = 8
"""Shorter values of such variables are words like "unused" or "none"."""

_FORMS = re.compile(
    r"\b(?:sk|pk|gsk|xai|hf)[-_][-_A-Za-z0-9*.]{6,}|\bAIza[-_A-Za-z0-9*]{8,}|Bearer\s+\S+"
    r"|(?<=://)[^/\s@]+(?=@)"
)
_OPAQUE = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[\w.+/=-]{20,}")
"""A long word of letters and digits, as no value of a setting is."""

_shorten = reprlib.Repr()
_shorten.maxstring = _shorten.maxother = 60


def redact_secrets(text: str, environment: Mapping[str, str]) -> str:
    """The text without the values of secret variables and what has the form of a key."""
    for name, value in environment.items():
        if len(value) >= SHORTEST_SECRET and name.upper().endswith(_NAMES):
            for form in (value, quote(value, safe="")):
                text = text.replace(form, _MARK)
    return _FORMS.sub(_MARK, text)


def show_value(value: object) -> str:
    """A wrong value as a message may quote it: at most some 60 characters, and never a key."""
    shown = _shorten.repr(value)
    if isinstance(value, str) and (_FORMS.search(value) or _OPAQUE.fullmatch(value.strip())):
        return _MARK
    return _FORMS.sub(_MARK, shown)


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
