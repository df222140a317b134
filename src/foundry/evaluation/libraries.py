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
            "eval-library-missing", where="foundry eval", name=module.partition(".")[0]
        ) from error
