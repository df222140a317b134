"""The loader of named statements, and rules for the files it reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import foundry.store
from foundry.store.postgres.connections import PREPARED
from foundry.store.relational.database import load_statements, parse_statements

PACKAGE = Path(foundry.store.__file__).parent


def test_statements_are_parsed_by_name() -> None:
    text = "-- about\n-- name: one\nSELECT 1\n\n-- name: two_more\n-- why\nSELECT 2\n"
    found = {"one": "SELECT 1", "two_more": "-- why\nSELECT 2"}
    assert parse_statements(text, "sqlite") == found


def test_what_only_postgresql_reads_is_a_comment_to_sqlite() -> None:
    text = "-- name: one\nSELECT 1 WHERE /*pg project = :project AND*/ id = ?1\n"
    assert parse_statements(text, "sqlite")["one"] == "SELECT 1 WHERE  id = ?1"
    assert (
        parse_statements(text, "postgres")["one"] == "SELECT 1 WHERE project = :project AND id = ?1"
    )


def test_a_statement_may_stand_once_for_each_dialect() -> None:
    text = "-- name: one (sqlite)\nSELECT 1\n-- name: one (postgres)\nSELECT 2\n"
    assert parse_statements(text, "sqlite") == {"one": "SELECT 1"}
    assert parse_statements(text, "postgres") == {"one": "SELECT 2"}


def test_two_statements_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match="the same name"):
        parse_statements("-- name: one\nSELECT 1\n-- name: one\nSELECT 2\n", "sqlite")


def test_every_statement_is_used() -> None:
    code = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    names = {**load_statements("sqlite"), **load_statements("postgres")}
    assert [name for name in names if f'"{name}"' not in code] == []


def test_statements_to_prepare_exist() -> None:
    assert load_statements("postgres").keys() >= PREPARED


def test_the_code_contains_no_queries() -> None:
    """Settings, transactions and the schema version are not queries."""
    pattern = re.compile(
        r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.*\b(FROM|VALUES|SET|WHERE)\b"
    )
    found = {
        path.name
        for path in PACKAGE.rglob("*.py")
        if any(pattern.search(line) for line in path.read_text().splitlines())
    }
    assert found <= {"schema.py"}
