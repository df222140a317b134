"""Modules and functions stay short enough to read in one go, and each module says what it is for."""

from __future__ import annotations

import ast

from tests.house.modules import MODULES, list_nodes, parse_modules

LONGEST_MODULE = 600
LONGEST_BODY = 60


def _body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function's body, its signature and docstring left out."""
    body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_a_module_has_at_most_600_lines() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path: n for path, n in lines.items() if n > LONGEST_MODULE} == {}


def test_a_function_body_has_at_most_60_lines() -> None:
    bodies = {
        f"{path}:{node.lineno}: {node.name}": _body_lines(node)
        for path, nodes in list_nodes().items()
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: n for name, n in bodies.items() if n > LONGEST_BODY} == {}


def test_a_module_opens_with_what_it_is_for() -> None:
    assert [path for path, tree in parse_modules().items() if not ast.get_docstring(tree)] == []
