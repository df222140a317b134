"""How good retrieval and the gate are, measured on labelled questions through the real journeys."""

from __future__ import annotations

import importlib
from typing import Any

from foundry.errors import ExtraMissing, describe_missing


def require(module: str) -> Any:
    """Import a module of the extra ``eval``. Raises ``ExtraMissing`` where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ExtraMissing(describe_missing("eval"), where="foundry eval") from error
