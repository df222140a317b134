"""The libraries of the extra ``eval``, imported on first use."""

from __future__ import annotations

import importlib
from typing import Any

from foundry.errors import ConfigError


def require(module: str) -> Any:
    """Import a module of the extra ``eval``. Raises ``ConfigError`` where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(
            f"The library {module.partition('.')[0]} is not installed.",
            where="foundry eval",
            fix="Install it with: pip install 'foundry-rag[eval]'.",
        ) from error
