"""The catalogue: every code in both languages with the same placeholders, and nothing unused."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message, VariableReference
from fluent.syntax.visitor import Visitor

from foundry.messages import LANGUAGES

SOURCE = Path("src/foundry")
CATALOGUE = SOURCE / "messages"
AREAS = sorted({path.name for path in CATALOGUE.glob("*/*.ftl")})

Signature = dict[str, frozenset[str]]


class _Variables(Visitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def find_variables(node: object) -> frozenset[str]:
    visitor = _Variables()
    visitor.visit(node)
    return frozenset(visitor.names)


@cache
def read_area(language: str, area: str) -> dict[str, Signature]:
    """Code → part ("" or an attribute) → the variables of its text."""
    path = CATALOGUE / language / area
    entries = FluentParser().parse(path.read_text(encoding="utf-8")).body if path.exists() else []
    assert not [entry.content for entry in entries if isinstance(entry, Junk)]
    found: dict[str, Signature] = {}
    for entry in entries:
        if isinstance(entry, Message):
            assert entry.id.name not in found, f"{entry.id.name} twice in {path}"
            parts = {"": entry.value, **{part.id.name: part for part in entry.attributes}}
            found[entry.id.name] = {name: find_variables(part) for name, part in parts.items()}
    return found


@cache
def read_catalogue() -> dict[str, Signature]:
    return {code: parts for area in AREAS for code, parts in read_area("en", area).items()}


@cache
def parse_modules() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}


def find_messages() -> Iterator[tuple[str, ast.Call, str]]:
    """Place, call and code of every ``Message("code", …)`` and ``SomeError("code", …)``."""
    for path, tree in parse_modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    code = first.value
                    known = node.func.id == "Message" or node.func.id in ERRORS
                    if known and " " not in code:
                        yield f"{path}:{node.lineno}", node, code


def _list_errors() -> frozenset[str]:
    from foundry import errors

    return frozenset(name for name in vars(errors) if isinstance(getattr(errors, name), type))


ERRORS = _list_errors() | {"WriteError", "ExportMissing", "ExportFailed"}


@pytest.mark.parametrize("area", AREAS)
def test_every_code_has_both_languages_with_the_same_placeholders(area: str):
    first, *others = [read_area(language, area) for language in LANGUAGES]
    for other in others:
        assert other == first


@pytest.mark.parametrize("area", AREAS)
def test_a_code_begins_with_its_area(area: str):
    stem = area.removesuffix(".ftl")
    assert [c for c in read_area("en", area) if c != stem and not c.startswith(f"{stem}-")] == []


def test_every_message_has_its_text_and_all_its_parameters():
    catalogue, wrong = read_catalogue(), []
    for place, call, code in find_messages():
        given = {item.arg for item in call.keywords if item.arg}
        spread = any(item.arg is None for item in call.keywords)
        needed = frozenset().union(*catalogue.get(code, {}).values())
        if code not in catalogue or (needed - given and not spread):
            wrong.append(f"{place}: {code} needs {sorted(needed - given)}")
    assert wrong == []


FAMILIES = ("help-",)
"""Codes made from names: ``tests/faces/test_program.py`` compares those of the help."""


def test_every_text_is_used():
    texts = {
        node.value
        for tree in parse_modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    unused = [code for code in read_catalogue() if code not in texts]
    assert [code for code in unused if not code.startswith(FAMILIES)] == []
