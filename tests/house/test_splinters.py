"""No splinters: a small module has two importers, or a reason to be on its own."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
SMALL = 150

REASONS = {
    "foundry.craft.context": "the step that decides which hits become evidence",
    "foundry.evaluation.dataset.table": "the file that --output writes, apart from measuring",
    "foundry.journeys.access.tokens": "an __init__ only lists names",
    "foundry.lexicon.loader": "how lexicons are read, apart from their records",
    "foundry.models.e5.tokenizer": "text to tokens, apart from the arithmetic",
    "foundry.ports.readers": "one module per kind of port",
    "foundry.render.delivery.markdown": "one format per module",
    "foundry.store.adapters": "an __init__ only lists names",
    "foundry.text.followups": "rules of language, not of a journey",
    "foundry.store.postgres.store": "the store, apart from its connections and its indexes",
    "foundry.store.relational.access": "one module per customer of the store",
    "foundry.web.security.sessions": "cookies and limits, apart from who calls",
    "foundry.web.app": "what the application consists of, apart from the process that serves it",
    "foundry.web.server": "the process, apart from the application, which tests call without it",
    "foundry.web.worker": "a thread, apart from what requests share",
    "foundry.wire.commands": "a table of all documents, which commands that print one need not load",
}
"""Module → why it is a separate module. The list only shrinks."""


def _name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def _importers() -> dict[str, set[str]]:
    paths = {_name(path): path for path in SOURCE.rglob("*.py")}
    importers: dict[str, set[str]] = defaultdict(set)
    for importer, path in paths.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    importers[inner if inner in paths else node.module].add(importer)
    return importers


def _is_entry_point(path: Path) -> bool:
    """A command or the routes of a subject, or another module from a table."""
    text = path.read_text(encoding="utf-8")
    return "@click." in text or "\n@router." in text


def _splinters() -> set[str]:
    importers = _importers()
    return {
        _name(path)
        for path in SOURCE.rglob("*.py")
        if path.name != "__init__.py"
        and len(path.read_text(encoding="utf-8").splitlines()) < SMALL
        and len(importers[_name(path)]) < 2
        and not _is_entry_point(path)
    }


def test_a_small_module_has_two_importers_or_a_reason() -> None:
    assert sorted(_splinters() - REASONS.keys()) == []


def test_the_reasons_are_still_needed() -> None:
    assert sorted(REASONS.keys() - _splinters()) == []
