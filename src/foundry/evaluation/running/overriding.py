"""Configuration that holds for one run: ``-o retrieval.top_k=20``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foundry.config import Config, override_config
from foundry.errors import UsageError
from foundry.records import CONFIDENTIALITY_LEVELS

_REFUSED = {
    "project": "what belongs to the project stays: questions and runs are kept under its id",
    "storage": "the run is kept in the project's own database",
    "output": "a run writes no document",
    "log": "the query log is not what is measured",
    "web": "the browser application is not what is measured",
    "ingest.include": "a run asks the sources that the project has",
    "ingest.exclude": "a run asks the sources that the project has",
}


def parse_overrides(texts: Sequence[str]) -> dict[str, str]:
    """``KEY=VALUE`` each, the last of a key counts. Raises ``UsageError`` for what is not."""
    found = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageError(
                f"{text!r} is not KEY=VALUE.",
                where=f"-o {text}",
                fix="Write for example -o retrieval.top_k=20.",
            )
        found[key.strip()] = value.strip()
    return found


def overridden(config: Config, overrides: Mapping[str, str]) -> Config:
    """The configuration of a run. Raises ``UsageError`` that names ``-o KEY``."""
    for key in overrides:
        reason = _REFUSED.get(key) or _REFUSED.get(key.partition(".")[0])
        if reason:
            raise UsageError(
                f"{key} cannot be changed for a run: {reason}.",
                where=f"-o {key}",
                fix="Leave it out, or change foundry.yaml.",
            )
    wanted = override_config(config, overrides)
    chosen = f"generation.{wanted.mode}.model"
    if "generation.model" in overrides and getattr(wanted.generation, wanted.mode).model:
        raise UsageError(
            f"generation.model has no effect here: {chosen} stands before it.",
            where="-o generation.model",
            fix=f"Use -o {chosen}={overrides['generation.model']}.",
        )
    level = CONFIDENTIALITY_LEVELS.index
    if level(wanted.access.role) > level(config.access.role):
        raise UsageError(
            f"The role {wanted.access.role!r} is above this project's role {config.access.role!r}.",
            where="-o access.role",
            fix="A role can only be lowered.",
        )
    return wanted
