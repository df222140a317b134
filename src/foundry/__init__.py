"""Foundry: source-bounded answers and documents.

``foundry.open_project(path)`` opens a project; ``docs/python.md`` shows what it can do. The API
is imported on first use, so that ``import foundry`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foundry.api import (
        Event,
        Excerpt,
        FoundryError,
        Project,
        Sentence,
        build_json,
        open_project,
        use_language,
    )

__version__ = "0.1.0"
__all__ = [
    "Event",
    "Excerpt",
    "FoundryError",
    "Project",
    "Sentence",
    "__version__",
    "build_json",
    "open_project",
    "use_language",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("foundry.api"), name)
    raise AttributeError(f"module 'foundry' has no attribute {name!r}")
