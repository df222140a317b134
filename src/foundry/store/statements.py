"""Named SQL statements: the queries of a dialect, read once from its ``.sql`` files.

Each statement in a file follows a line such as ``-- name: find_source``. Braces
(``{vectors}``) mark an identifier that the adapter fills in from names it generated;
values are always bound.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

_NAME = re.compile(r"^-- name: ([a-z_]+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its number from 1, its name and its SQL."""

    version: int
    name: str
    sql: str


@cache
def load_statements(dialect: str) -> Mapping[str, str]:
    """Name → SQL of every statement in ``sql/<dialect>/*.sql``; names must be unique."""
    statements: dict[str, str] = {}
    folder = resources.files(__package__) / "sql" / dialect
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".sql"):
            for name, sql in parse_statements(entry.read_text(encoding="utf-8")).items():
                if name in statements:
                    raise ValueError(f"two statements are named {name}")
                statements[name] = sql
    return statements


def parse_statements(text: str) -> dict[str, str]:
    """Name → SQL of the statements in one file."""
    parts = _NAME.split(text)
    names, bodies = parts[1::2], parts[2::2]
    if len(set(names)) != len(names):
        raise ValueError("two statements have the same name")
    return {name: body.strip() for name, body in zip(names, bodies, strict=True)}


@cache
def load_migrations(dialect: str) -> tuple[Migration, ...]:
    """The migrations of a dialect in order, numbered from 1 without gaps."""
    folder = resources.files(__package__) / "sql" / dialect / "migrations"
    migrations = []
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".sql"):
            number, _, name = entry.name.removesuffix(".sql").partition("_")
            migrations.append(Migration(int(number), name, entry.read_text(encoding="utf-8")))
    if [migration.version for migration in migrations] != list(range(1, len(migrations) + 1)):
        raise ValueError("the migrations are not numbered 1, 2, 3 …")
    return tuple(migrations)
