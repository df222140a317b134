"""Modules, functions and folders stay small; the list of exceptions only shrinks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "foundry"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_MODULE = 400
LONGEST_BODY = 40

EXCEPTIONS: dict[str, int] = {}
"""``module:function`` → lines. The list only shrinks."""


def functions(path: Path) -> dict[str, int]:
    """The lines of each function's body, its signature and docstring left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        f"{path.relative_to(SOURCE)}:{node.name}": _body_lines(node)
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    }


def _body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_has_at_most_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_function_body_has_at_most_40_lines(path: Path) -> None:
    long = {
        name: lines
        for name, lines in functions(path).items()
        if lines > EXCEPTIONS.get(name, LONGEST_BODY)
    }
    assert long == {}


def test_the_exceptions_are_still_needed() -> None:
    sizes: dict[str, int] = {}
    for path in MODULES:
        sizes |= functions(path)
    unneeded = [name for name in EXCEPTIONS if sizes.get(name, 0) <= LONGEST_BODY]
    assert unneeded == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_opens_with_what_it_is_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), f"{path} has no docstring"


def test_nine_bodies_in_ten_have_at_most_20_lines() -> None:
    lines = [count for path in MODULES for count in functions(path).values()]
    assert sum(count <= 20 for count in lines) >= 0.9 * len(lines)
