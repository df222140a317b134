"""The libraries that only evaluation needs: imported on first use, named when they are missing."""

from __future__ import annotations

import importlib
from typing import Any

from foundry.errors import ConfigError


def require(module: str) -> Any:
    """The module of the extra ``eval``. Raises ``ConfigError`` that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(
            f"The library {module.partition('.')[0]} is not installed.",
            where="foundry eval",
            fix="Install it with: pip install 'foundry-rag[eval]'.",
        ) from error
