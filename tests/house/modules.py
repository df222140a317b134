"""The modules of the package, each parsed once for all house tests of a process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "foundry"
MODULES = sorted(SOURCE.rglob("*.py"))


@cache
def parse_modules() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


@cache
def list_nodes() -> dict[Path, list[ast.AST]]:
    """Every node of each module."""
    return {path: list(ast.walk(tree)) for path, tree in parse_modules().items()}


def read_name(node: ast.AST) -> str:
    """The last word of a name such as ``workspace.store``."""
    return str(getattr(node, "id", getattr(node, "attr", "")))
