"""Making a project: folders and a commented ``foundry.yaml`` with models that work here.

Nothing that exists is ever overwritten. What works here is looked up, not
guessed: a key in the environment, an Ollama that answers within half a second,
else the built-in models, which need neither. No text is sent anywhere.
"""

from __future__ import annotations

import json
import secrets
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from foundry.config import BUILTIN_GENERATOR, CONFIG_NAME, Config, find_project
from foundry.errors import ConfigError, ProjectNotFound, RuleError
from foundry.models import ModelSettings
from foundry.models.providers import is_loopback, resolve_target

FOLDERS = ("sources", "features", "output")

_ANY_OLLAMA_MODEL = "ollama/any"

Mode = Literal["offline", "online"]


@dataclass(frozen=True, slots=True)
class ProviderDefaults:
    """A provider whose key may be in the environment: a large model to write, a small one to help."""

    key: str
    writer: str
    small: str


PROVIDERS = (
    ProviderDefaults("OPENAI_API_KEY", "openai/gpt-4o", "openai/gpt-4o-mini"),
    ProviderDefaults(
        "ANTHROPIC_API_KEY", "anthropic/claude-sonnet-4-5", "anthropic/claude-haiku-4-5"
    ),
    ProviderDefaults("GEMINI_API_KEY", "gemini/gemini-2.5-pro", "gemini/gemini-2.5-flash"),
    ProviderDefaults(
        "MISTRAL_API_KEY", "mistral/mistral-large-latest", "mistral/mistral-small-latest"
    ),
)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The models of a new project: configuration values by dotted key, and why these."""

    mode: Mode
    values: Mapping[str, Any]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InitReport:
    """What ``init_project`` made. ``kept`` names the folders that were there already."""

    root: Path
    created: tuple[str, ...]
    kept: tuple[str, ...]
    mode: Mode
    models: Mapping[str, str]
    reasons: tuple[str, ...]
    notices: tuple[str, ...] = field(default=())


def init_project(
    folder: Path, *, environment: Mapping[str, str], mode: Mode | None = None
) -> InitReport:
    """Make a project in ``folder``, which is made if it is missing.

    ``mode`` None picks what works here. Raises ``RuleError`` when ``folder`` holds
    a project already or is no folder.
    """
    root = folder.resolve()
    _require_free(root)
    notices = _find_enclosing(root)
    choice = choose_models(environment, mode)
    values = {
        "project.name": root.name or "Untitled project",
        "project.id": f"prj_{secrets.token_hex(8)}",
        "mode": choice.mode,
        **choice.values,
    }
    root.mkdir(parents=True, exist_ok=True)
    kept = [name for name in FOLDERS if (root / name).is_dir()]
    for name in FOLDERS:
        (root / name).mkdir(exist_ok=True)
    _create_file(root / CONFIG_NAME, render_config(values))
    return InitReport(
        root=root,
        created=(CONFIG_NAME, *(f"{name}/" for name in FOLDERS if name not in kept)),
        kept=tuple(f"{name}/" for name in kept),
        mode=choice.mode,
        models={key: str(value) for key, value in choice.values.items() if "model" in key},
        reasons=choice.reasons,
        notices=notices,
    )


def _require_free(root: Path) -> None:
    taken = (root / CONFIG_NAME).exists()
    if taken or (root.exists() and not root.is_dir()):
        what = f"has a {CONFIG_NAME} already" if taken else "is a file"
        raise RuleError(
            f"{root} {what}; nothing was changed.",
            where=str(root),
            fix="Use that project, or name another folder: `foundry init DIR`.",
        )


def _find_enclosing(root: Path) -> tuple[str, ...]:
    try:
        outer = find_project(root)
    except ProjectNotFound:
        return ()
    return (f"This project lies inside another one, {outer}; each has its own sources.",)


def _create_file(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise RuleError(
            f"{path} was made by someone else just now; it was left as it is.",
            where=str(path),
            fix="Use that project, or name another folder.",
        ) from error


def choose_models(environment: Mapping[str, str], mode: Mode | None = None) -> ModelChoice:
    """The models of a new project, from what is there: keys, Ollama, else the built-in ones."""
    provider = next((known for known in PROVIDERS if environment.get(known.key)), None)
    if mode == "online" or (mode is None and provider):
        return _choose_online(provider)
    return _choose_offline(environment)


def _choose_online(provider: ProviderDefaults | None) -> ModelChoice:
    chosen = provider or PROVIDERS[0]
    small = (
        "retrieval.hyde_model",
        "retrieval.scorer_model",
        "embedding.context_model",
        "ingest.summary_model",
    )
    values = {"generation.online.model": chosen.writer, **dict.fromkeys(small, chosen.small)}
    host = chosen.writer.split("/", 1)[0]
    if provider:
        found = f"{chosen.key} is set, so {chosen.writer} writes the answers."
    else:
        found = f"{chosen.key} is not set; {chosen.writer} needs it before the first question."
    sent = f"Passages of your sources will be sent to {host}; `mode: offline` in a project made "
    return ModelChoice(
        "online", values, (found, sent + "with `foundry init --offline` sends nothing.")
    )


def _choose_offline(environment: Mapping[str, str]) -> ModelChoice:
    address = find_ollama_address(environment)
    names = list_ollama_models(address) if is_loopback(address) else None
    model = next((name for name in names or () if _is_writing_model(name)), None)
    if model is None:
        return _choose_builtin(address, names)
    values: dict[str, Any] = dict.fromkeys(
        ("generation.offline.model", "retrieval.hyde_model", "retrieval.scorer_model"),
        f"ollama/{model}",
    )
    if address != find_ollama_address({}):
        values["models.api_base"] = {"ollama": address}
    reasons = (
        f"Ollama answers at {address}, so its model {model} writes the answers.",
        "Prefixes and summaries stay built-in: a model call for every chunk takes long.",
    )
    return ModelChoice("offline", values, reasons)


def _choose_builtin(address: str, names: Sequence[str] | None) -> ModelChoice:
    if not is_loopback(address):
        found = f"Ollama's address {address} is another machine, which offline mode leaves alone"
    elif names is None:
        found = f"Ollama does not answer at {address}"
    else:
        found = f"Ollama at {address} has no model that writes"
    composes = f"{BUILTIN_GENERATOR} composes answers from whole sentences of your sources"
    reasons = (
        f"{found}, so {composes}; it is no language model.",
        "Everything stays on this machine; no key is needed.",
    )
    # HyDE needs a language model; without one every answer would say that it was skipped.
    values = {"generation.offline.model": BUILTIN_GENERATOR, "retrieval.hyde": False}
    return ModelChoice("offline", values, reasons)


def _is_writing_model(name: str) -> bool:
    """Whether a model of Ollama writes text; embedding models say so in their names."""
    return not any(mark in name.lower() for mark in ("embed", "bge-", "minilm", "/e5", "rerank"))


def find_ollama_address(
    environment: Mapping[str, str], api_base: Mapping[str, str] | None = None
) -> str:
    """Where Ollama is: configured (``models.api_base``), in the environment, or on loopback.

    An address in the environment that makes no sense counts as none.
    """
    configured = api_base or {}
    try:
        target = resolve_target(
            _ANY_OLLAMA_MODEL, ModelSettings(api_base=configured, environment=environment)
        )
    except (ConfigError, ValueError):
        target = resolve_target(_ANY_OLLAMA_MODEL, ModelSettings(api_base=configured))
    return str(target.api_base)


def list_ollama_models(address: str, timeout_s: float = 0.5) -> tuple[str, ...] | None:
    """The names of the models that an Ollama at ``address`` has; None if none answers."""
    if not address.startswith(("http://", "https://")):
        return None
    # A proxy from the environment must not see a call to this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{address}/api/tags", timeout=timeout_s) as response:
            listed = json.loads(response.read(4_000_000))["models"]
            return tuple(str(model["name"]) for model in listed)
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return None


_HEADER = f"""\
# {CONFIG_NAME}: the settings of this Foundry project.
#
# A key that begins with "#" shows its default; take the "#" away to change it.
# Environment variables override: FOUNDRY_RETRIEVAL__TOP_K=20.
# Keys and passwords never belong here; they stay in the environment.
"""


def render_config(values: Mapping[str, Any]) -> str:
    """A commented ``foundry.yaml``: ``values`` (by dotted key) set, every other key as a comment."""
    parts = [_HEADER]
    for name, info in Config.model_fields.items():
        parts.append("\n".join(_render_key(name, info, name, values)) + "\n")
    return "\n".join(parts)


def _render_key(name: str, info: FieldInfo, path: str, values: Mapping[str, Any]) -> list[str]:
    depth = path.count(".")
    inner = info.annotation
    if isinstance(inner, type) and issubclass(inner, BaseModel):
        # A section of comments only reads as null, which a nested one may not be.
        used = depth == 0 or any(key.startswith(f"{path}.") for key in values)
        lines = [_render_line(depth, f"{name}:", info, used=used)]
        for below, field_info in inner.model_fields.items():
            lines += _render_key(below, field_info, f"{path}.{below}", values)
        return lines
    used = path in values
    shown = values[path] if used else _get_default(info)
    return [_render_line(depth, f"{name}: {_format_yaml(shown)}", info, used=used)]


def _render_line(depth: int, entry: str, info: FieldInfo, *, used: bool) -> str:
    head = "  " * depth + ("" if used else "# ") + entry
    return f"{head:<44}  # {info.description}{_format_options(info)}"


def _format_options(info: FieldInfo) -> str:
    if get_origin(info.annotation) is not Literal or len(get_args(info.annotation)) < 2:
        return ""
    return f" One of {', '.join(str(option) for option in get_args(info.annotation))}."


def _get_default(info: FieldInfo) -> Any:
    default = info.get_default(call_default_factory=True)
    return list(default) if isinstance(default, tuple) else default


def _format_yaml(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000)
    return text.removesuffix("\n").removesuffix("\n...").strip()
