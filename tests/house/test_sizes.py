"""Modules and functions stay short enough to read in one go, and each module says what it is for."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "foundry"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_MODULE = 600
LONGEST_BODY = 60


def functions(path: Path) -> dict[str, int]:
    """The lines of each function's body, its signature and docstring left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        f"{node.name}:{node.lineno}": _body_lines(node)
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    }


def _body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_a_module_has_at_most_600_lines() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path: n for path, n in lines.items() if n > LONGEST_MODULE} == {}


def test_a_function_body_has_at_most_60_lines() -> None:
    bodies = {f"{path}: {name}": n for path in MODULES for name, n in functions(path).items()}
    assert {name: n for name, n in bodies.items() if n > LONGEST_BODY} == {}


def test_a_module_opens_with_what_it_is_for() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
    assert [path for path, tree in trees.items() if not ast.get_docstring(tree)] == []
