"""Named SQL statements: the queries of both dialects, read once from one folder of ``.sql`` files.

Each statement follows a line such as ``-- name: find_source``. SQL for PostgreSQL alone is in a comment,
``/*pg project = :project AND*/``; a statement that differs more is written twice, as
``-- name: find_source (sqlite)`` and ``(postgres)``. Braces (``{vectors}``) mark an identifier that
the adapter fills in from names it generated; values are always bound, ``?1`` by place and ``:name``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

_NAME = re.compile(r"^-- name: ([a-z_]+)(?: \((sqlite|postgres)\))?$", re.MULTILINE)
_ONLY_POSTGRES = re.compile(r"/\*pg (.*?)\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its number from 1, its name and its SQL."""

    version: int
    name: str
    sql: str


@cache
def load_statements(dialect: str) -> Mapping[str, str]:
    """Name → SQL of every statement of ``sqlite`` or ``postgres``; names must be unique."""
    statements: dict[str, str] = {}
    for text in _read_files("sql").values():
        for name, sql in parse_statements(text, dialect).items():
            if name in statements:
                raise ValueError(f"two statements are named {name}")
            statements[name] = sql
    return statements


def parse_statements(text: str, dialect: str) -> dict[str, str]:
    """Name → SQL of a dialect's statements in one file."""
    text = _ONLY_POSTGRES.sub(r"\1" if dialect == "postgres" else "", text)
    statements: dict[str, str] = {}
    _, *parts = _NAME.split(text)
    for name, only, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if only in {None, dialect}:
            if name in statements:
                raise ValueError("two statements have the same name")
            statements[name] = body.strip()
    return statements


@cache
def load_migrations(dialect: str) -> tuple[Migration, ...]:
    """The migrations of a dialect in order, numbered from 1 without gaps."""
    migrations = []
    for name, text in _read_files("sql", dialect, "migrations").items():
        number, _, title = name.removesuffix(".sql").partition("_")
        migrations.append(Migration(int(number), title, text))
    if [migration.version for migration in migrations] != list(range(1, len(migrations) + 1)):
        raise ValueError("the migrations are not numbered 1, 2, 3 …")
    return tuple(migrations)


def _read_files(*folder: str) -> dict[str, str]:
    """The SQL files of a folder by name, in its order."""
    found = resources.files(__package__).joinpath(*folder).iterdir()
    files = sorted(
        (file for file in found if file.name.endswith(".sql")), key=lambda file: file.name
    )
    return {file.name: file.read_text(encoding="utf-8") for file in files}
