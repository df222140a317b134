"""What the application's user can reach with statements of its own: the second lock.

It names its project and level itself, so this guards against a statement that forgot its condition
or got a foreign id, not against somebody who has its password.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from foundry.records import Reading
from foundry.store.postgres import PostgresStore
from tests.store.records import PROJECT, embed, make_correction, make_query, make_source
from tests.store.server import OWNER, empty

OTHER = "prj_other"


@pytest.fixture(scope="module")
def filled(address: str) -> Iterator[str]:
    """Two projects with a public and a secret source each; the address for the application."""
    app = address.replace(f"{OWNER}@", "app@")
    for project in (PROJECT, OTHER):
        store = PostgresStore(address, project)
        store.save_source(*make_source("open.md", f"Cable of {project}."))
        closed = make_source("closed.md", f"Fuse of {project}.", confidentiality="secret")
        reading = Reading("", closed.text, closed.blocks)
        store.save_source(*closed, reading=reading, corrections=[make_correction(closed)])
        embed(store)
        store.log_query(make_query("one"))
        store.close()
    yield app
    with psycopg.connect(address, autocommit=True) as connection:
        empty(connection)


def ask(address: str, statement: str, project: str | None, level: str = "3") -> list[Any]:
    """The rows of a statement, or what ``COPY`` writes; a project of None sets nothing."""
    with psycopg.connect(address) as connection:
        connection.execute("SET search_path = foundry, public")
        if project:
            connection.execute("SELECT set_config('foundry.project', %s, true)", (project,))
            connection.execute("SELECT set_config('foundry.level', %s, true)", (level,))
        if statement.startswith("COPY"):
            with connection.cursor().copy(statement.encode()) as copy:
                return [bytes(row) for row in copy]
        return connection.execute(statement.encode()).fetchall()


def list_tables(address: str, kind: str) -> list[str]:
    """Tables of the schema that belong to projects: partitioned ones (p) or their parts (r)."""
    found = ask(
        address,
        "SELECT relname FROM pg_class WHERE relnamespace = 'foundry'::regnamespace"
        f" AND relkind = '{kind}' AND relname NOT IN ('schema_version', 'projects')",
        None,
    )
    return sorted(name for (name,) in found)


def test_without_naming_a_project_every_table_is_empty(filled: str) -> None:
    for table in list_tables(filled, "p"):
        assert ask(filled, f"SELECT * FROM {table}", None) == []
        assert ask(filled, f"COPY (SELECT * FROM {table}) TO STDOUT", None) == []


def test_every_table_of_a_project_is_protected_even_from_its_owner(filled: str) -> None:
    for table in list_tables(filled, "p"):
        flags = "relrowsecurity AND relforcerowsecurity"
        found = ask(filled, f"SELECT {flags} FROM pg_class WHERE oid = '{table}'::regclass", None)
        assert found == [(True,)], table


def test_the_list_of_projects_has_the_one_that_is_named(filled: str) -> None:
    for statement in ("SELECT id FROM projects", "COPY projects (id) TO STDOUT"):
        assert ask(filled, statement, None) == []
        assert OTHER not in repr(ask(filled, statement, PROJECT))
    assert ask(filled, "SELECT id FROM projects", PROJECT) == [(PROJECT,)]


def test_another_project_is_invisible_in_every_table(filled: str) -> None:
    for table in list_tables(filled, "p"):
        rows = ask(filled, f"SELECT DISTINCT project FROM {table}", PROJECT)
        assert rows in ([], [(PROJECT,)]), table
        assert OTHER.encode() not in b"".join(ask(filled, f"COPY {table} TO STDOUT", PROJECT))


@pytest.mark.parametrize("level", ["0", "2", "-1"])
def test_a_lower_level_sees_no_secret_source_in_any_way(filled: str, level: str) -> None:
    for statement in (
        "SELECT path FROM sources",
        "SELECT text FROM source_texts",
        "SELECT text FROM source_summaries",
        "SELECT record FROM source_readings",
        "SELECT path FROM corrections",
        "SELECT s.path FROM sources s JOIN chunks c ON c.source = s.rowid",
        "SELECT whole FROM segments",
    ):
        shown = repr(ask(filled, statement, PROJECT, level))
        assert "closed" not in shown, statement
        assert "fuse" not in shown.lower(), statement
    assert "fuse" in repr(ask(filled, "SELECT whole FROM segments", PROJECT, "3"))


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO sources SELECT * FROM sources s",
        "UPDATE sources SET project = 'prj_other' WHERE path = 'open.md'",
        f"INSERT INTO drafts VALUES ('{OTHER}', 'a.md', NULL, 0, '{{}}')",
        f"INSERT INTO unread_files VALUES ('{OTHER}', 'a.md', 0, '{{}}')",
    ],
)
def test_nothing_can_be_written_into_another_project(filled: str, statement: str) -> None:
    with pytest.raises((InsufficientPrivilege, psycopg.errors.UniqueViolation)) as caught:
        ask(filled, statement, PROJECT)
    assert "Cable" not in str(caught.value)


def test_what_runs_with_the_rights_of_the_owner_stays_in_the_project(filled: str) -> None:
    for statement in (f"SELECT drop_vectors('{OTHER}', 'vec_chunks_x')",
                      f"SELECT drop_vectors('{PROJECT}', 'sources')"):  # fmt: skip
        with pytest.raises(InsufficientPrivilege):
            ask(filled, statement, PROJECT)
    assert ask(filled, f"SELECT is_hidden('{OTHER}', 'closed.md', 0)", PROJECT) == [(False,)]


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE sources DISABLE ROW LEVEL SECURITY",
        "CREATE VIEW foundry.all_sources AS SELECT * FROM sources",
        "SET SESSION AUTHORIZATION postgres",
        "ALTER ROLE app BYPASSRLS",
        "SELECT pg_read_file('postgresql.conf')",
        "SELECT * FROM pg_authid",
        "TRUNCATE sources",
    ],
)
def test_the_application_cannot_open_the_lock(filled: str, statement: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        ask(filled, statement, PROJECT)


def test_an_error_shows_no_value_of_a_row_that_is_hidden(filled: str) -> None:
    with pytest.raises(psycopg.DataError) as caught:
        ask(filled, "SELECT CAST(text AS integer) FROM source_texts", PROJECT, "0")
    assert "Fuse" not in str(caught.value)
    assert OTHER not in str(caught.value)
    assert ask(filled, f"SELECT 1/count(*) FROM sources WHERE project = '{PROJECT}'", PROJECT)


def test_the_catalogue_has_no_values_of_other_projects(filled: str, address: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("ANALYZE")
    shown = repr(ask(filled, "SELECT * FROM pg_stats WHERE schemaname = 'foundry'", PROJECT))
    assert "Cable" not in shown
    assert "closed" not in shown
    plan = ask(filled, f"EXPLAIN ANALYZE SELECT * FROM sources WHERE project = '{OTHER}'", PROJECT)
    assert "rows=1 " not in repr(plan).partition("actual")[2]


def test_rights_on_tables_do_not_lead_around_the_lock_by_their_parts(filled: str) -> None:
    for part in list_tables(filled, "r"):
        with pytest.raises(InsufficientPrivilege):
            ask(filled, f"SELECT * FROM {part}", PROJECT)
