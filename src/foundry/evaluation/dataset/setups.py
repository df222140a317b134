"""Which configuration a set is measured under: the defaults, with what a YAML file says over them.

The file may hold any part of ``foundry.yaml``. It goes before the environment, for it was named
in the call. What has no part in search, and what would point at another project, is told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from foundry.config import ENVIRONMENT_PREFIX, Config, parse_config
from foundry.errors import ConfigError, UsageError

CANDIDATES = 100
"""Per channel: recall@100 is measured, unless a configuration asks for another depth."""

_BASE: Mapping[str, Any] = {
    "retrieval": {"top_k_bm25": CANDIDATES, "top_k_dense": CANDIDATES, "hyde": False},
    "generation": {"model": "builtin/extractive"},
}
_REFUSED = ("project", "storage")
# What is not of the index: everything else, keys of later versions too, is in its key.
_NOT_OF_THE_INDEX = (
    "project", "mode", "retrieval", "generation", "models", "output", "access", "log",
    "validation", "storage", "web", "agents",
)  # fmt: skip
_WITHOUT_PART = (
    "output", "access", "log", "validation", "web", "agents", "retrieval.mode", "retrieval.top_k",
    "retrieval.hyde", "retrieval.hyde_model", "retrieval.reranker", "retrieval.scorer_model",
    "retrieval.relevance_threshold", "retrieval.max_context_chunks",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration by name; ``values`` is what it says, as in ``foundry.yaml``."""

    name: str = "default"
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def changes(self) -> dict[str, Any]:
        """What it says, key by key: ``retrieval.rrf_k`` → 10."""
        return _flat(self.values)

    def index_key(self) -> str:
        """What of it decides chunks and vectors; empty where the defaults do."""
        own, usual = _of_the_index(self.values), _of_the_index({})
        return "" if own == usual else json.dumps(own, sort_keys=True)

    def over(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The environment in which a project is configured like this."""
        changes = _two_deep(_merged(_BASE, self.values))
        named = tuple(f"{_variable(key)}__" for key in _two_deep(self.values))
        kept = {key: value for key, value in environment.items() if not key.startswith(named)}
        return kept | {_variable(key): json.dumps(value) for key, value in changes.items()}

    def notices(self) -> tuple[str, ...]:
        """What it says that changes nothing here."""
        idle = [
            key
            for key in self.changes
            if any(key == part or key.startswith(f"{part}.") for part in _WITHOUT_PART)
        ]
        if not idle:
            return ()
        return (f"{self.name}: {', '.join(idle)} has no part in search, and changes nothing here.",)


DEFAULT = Setup()
"""Nothing but the defaults."""


def read_setup(path: Path) -> Setup:
    """The configuration in a file; raises ``ConfigError`` or ``UsageError`` that names the file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"The configuration cannot be read: {getattr(error, 'strerror', None) or error}.",
            where=str(path),
            fix="Name a YAML file that holds any part of foundry.yaml.",
        ) from error
    parse_config(text, str(path))
    values = {key: value for key, value in (yaml.safe_load(text) or {}).items() if value}
    for key in _REFUSED:
        if key in values:
            raise ConfigError(
                f"A data set has a project of its own: {key} cannot be set for it.",
                where=str(path),
                fix=f"Leave {key} out.",
            )
    setup = Setup(path.name, values)
    # With the values that every set is measured with, it must make sense too.
    parse_config(yaml.safe_dump(_merged(_BASE, values)), str(path))
    return setup


def _of_the_index(values: Mapping[str, Any]) -> dict[str, Any]:
    config = Config.model_validate(_merged(_BASE, values))
    found = config.model_dump(mode="json", exclude=set(_NOT_OF_THE_INDEX))
    return {**found, "budget_tokenizer": config.generation.budget_tokenizer}


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        merged[key] = _merged(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            found |= _flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value
    return found


def _two_deep(values: Mapping[str, Any]) -> dict[tuple[str, ...], Any]:
    """Section and key → value: what lies deeper stays as it is."""
    found: dict[tuple[str, ...], Any] = {}
    for section, part in values.items():
        if isinstance(part, Mapping):
            found |= {(section, key): value for key, value in part.items()}
        else:
            found[section,] = part
    return found


def _variable(key: tuple[str, ...]) -> str:
    return ENVIRONMENT_PREFIX + "__".join(part.upper() for part in key)
