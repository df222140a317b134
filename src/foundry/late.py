"""Names of a package that are imported on first use: most commands need none of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def import_late(package: str, *modules: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package: looks a name up in these modules, in their order."""

    def find(name: str) -> Any:
        for module in modules if not name.startswith("_") else ():
            known = vars(import_module(f"{package}.{module}"))
            if name in known:
                return known[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
