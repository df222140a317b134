"""Named configurations that a data set is measured under: the defaults, or a YAML file over them.

A file may hold any part of ``foundry.yaml``. Its keys become overrides of the runs, as ``-o``
would set them, so they win over the environment. Keys without a part in search are reported.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from foundry.config import Config, override_config, parse_config
from foundry.errors import ConfigError, UsageError
from foundry.evaluation.runs.facts import flatten
from foundry.evaluation.runs.side_index import select_index_settings
from foundry.messages import Message
from foundry.records import SearchMode

_BASE = {"retrieval.top_k_bm25": "100", "retrieval.top_k_dense": "100"}
"""Candidates of each retriever: recall@100 is measured."""

_REFUSED = ("project", "storage")
_UNUSED = (
    "output", "access", "log", "validation", "web", "agents", "ingest.include", "ingest.exclude",
    "retrieval.mode", "retrieval.top_k", "retrieval.hyde", "retrieval.hyde_model",
    "retrieval.scorer_model", "retrieval.relevance_threshold",
    "retrieval.max_context_chunks",
)  # fmt: skip
_OF_GENERATION = "generation.budget_tokenizer"
"""The one key of ``generation`` that search depends on: chunks are cut by it."""


@dataclass(frozen=True, slots=True)
class NamedConfig:
    """A configuration by name. ``changes`` has its dotted keys: ``retrieval.rrf_k`` → 10."""

    name: str = "default"
    changes: Mapping[str, Any] = field(default_factory=dict)

    def overrides(self, mode: SearchMode | None = None) -> dict[str, str]:
        """The overrides of a run under this configuration, as ``-o KEY=VALUE`` writes them."""
        used = {key: _as_text(value) for key, value in self.changes.items() if not _is_unused(key)}
        return {**_BASE, **used, **({"retrieval.mode": mode} if mode else {})}

    def index_key(self) -> str:
        """The settings that decide chunks and vectors, as JSON; empty where they are the defaults."""
        default = Config.model_validate({})
        own = select_index_settings(override_config(default, self.overrides()))
        return "" if own == select_index_settings(default) else json.dumps(own, sort_keys=True)

    def notices(self) -> tuple[Message, ...]:
        """Which of its keys change nothing here."""
        unused = [key for key in self.changes if _is_unused(key)]
        if not unused:
            return ()
        return (Message("eval-keys-unused", name=self.name, keys=unused),)


DEFAULT = NamedConfig()
"""The defaults alone."""


def read_config_file(path: Path) -> NamedConfig:
    """Read a configuration; raises ``ConfigError`` or ``UsageError`` with the file's path."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            "eval-config-unreadable",
            where=str(path),
            reason=str(getattr(error, "strerror", None) or error),
        ) from error
    parse_config(text, str(path))
    values = {key: value for key, value in (yaml.safe_load(text) or {}).items() if value}
    for key in _REFUSED:
        if key in values:
            raise ConfigError("eval-config-own-project", where=str(path), key=key)
    return NamedConfig(path.name, flatten(values))


def _is_unused(key: str) -> bool:
    if key.startswith("generation."):
        return key != _OF_GENERATION
    return any(key == part or key.startswith(f"{part}.") for part in _UNUSED)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
