"""Importing by name: the only place of the program that does."""

from __future__ import annotations

import importlib
from typing import Any


def load(module: str, name: str) -> Any:
    """What ``module`` calls ``name``, imported now."""
    return getattr(importlib.import_module(module), name)
