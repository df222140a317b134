"""A server that is down, refuses, lacks what Foundry needs, or was changed by hand."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest

from foundry.errors import ConfigError, DiskFull, SchemaTooNew, StoreCorrupt, StoreError
from foundry.records import Filters
from foundry.store import Store, open_store
from foundry.store.postgres import PostgresStore, connections
from foundry.store.postgres.connections import PostgresTransaction
from foundry.store.relational import vector_blocks
from foundry.store.relational.database import load_migrations
from foundry.store.relational.vector_index import get_index, make_slug
from foundry.store.window_codes import unpack_windows
from tests.store.records import DIMENSION, MODEL, PROJECT, embed, make_source, terms, vector
from tests.store.server import grant


@pytest.fixture
def fresh(address: str) -> Iterator[str]:
    """A database of its own, without tables."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE DATABASE fresh")
    yield address.replace("/foundry", "/fresh")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP DATABASE fresh WITH (FORCE)")


def fail_to_open(url: str, **options: Any) -> StoreError:
    with pytest.raises(StoreError) as caught:
        PostgresStore(url, PROJECT, **options)
    return caught.value


def refuse_once(said: str) -> int:
    """The port of a server that refuses one connection with these words."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with listener, listener.accept()[0] as client:
            while int.from_bytes(client.recv(4096)[4:8]) != 196608:  # asks for encryption first
                client.sendall(b"N")
            fields = b"SFATAL\0VFATAL\0C28P01\0M" + said.encode() + b"\0\0"
            client.sendall(b"E" + (len(fields) + 4).to_bytes(4) + fields)

    threading.Thread(target=answer, daemon=True).start()
    return int(listener.getsockname()[1])


def test_a_server_that_is_down_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    error = fail_to_open(f"postgresql://app@127.0.0.1:{port}/foundry")
    assert error.problem.code == "store-server-unreachable"
    assert str(port) in error.where


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ('password authentication failed for user "app"', "store-login-refused"),
        ('no pg_hba.conf entry for host "10.0.0.9"', "store-login-refused"),
        ("sorry, too many clients already", "store-server-busy"),
        ("the database system is starting up", "store-server-unreachable"),
    ],
)
def test_a_refused_connection_names_its_reason(said: str, code: str) -> None:
    error = fail_to_open(f"postgresql://app@127.0.0.1:{refuse_once(said)}/foundry")
    assert error.problem.code == code
    assert said in str(error)


@pytest.mark.parametrize("end", ["[::1/x", "h:port/x", "h/x?speed=9"])
def test_an_address_that_cannot_be_read_is_named(end: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Not a valid database address"):
        open_store(f"postgresql://{end}", tmp_path, PROJECT)


def test_a_database_or_user_that_does_not_exist_is_named(address: str) -> None:
    missing = fail_to_open(address.replace("/foundry", "/none"))
    stranger = fail_to_open(address.replace("postgres@", "nobody@"))
    assert missing.problem.code == "store-no-such-database"
    assert stranger.problem.code == "store-login-refused"


def test_connections_that_the_server_closed_are_replaced(fresh: str) -> None:
    store = PostgresStore(fresh, PROJECT)
    assert store.list_sources() == []
    with psycopg.connect(fresh, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = 'fresh' AND pid <> pg_backend_pid()"
        )
    assert store.list_sources() == []
    store.save_source(*make_source("a.md", "Cable."))
    store.close()


def test_a_server_that_goes_down_in_the_middle_is_not_waited_for_long(
    fresh: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(connections, "CONNECT_S", 1)
    store = PostgresStore(fresh, PROJECT)
    with psycopg.connect(fresh.replace("/fresh", "/foundry"), autocommit=True) as connection:
        connection.execute("ALTER DATABASE fresh ALLOW_CONNECTIONS false")
        with pytest.raises(StoreError, match="cannot be reached"):
            store.list_sources()
        connection.execute("ALTER DATABASE fresh ALLOW_CONNECTIONS true")
    store.close()
    assert capfd.readouterr().err == ""


def test_an_old_server_is_refused_unchanged(fresh: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PostgresTransaction, "server_version", 140_011)
    assert fail_to_open(fresh).problem.code == "store-server-too-old"
    assert count_schemas(fresh) == 0


def count_schemas(url: str) -> int:
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'foundry'")
        return len(rows.fetchall())


def test_processes_that_start_together_migrate_once(fresh: str) -> None:
    def open_store(number: int) -> None:
        PostgresStore(fresh, f"prj_{number % 2}").close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(open_store, range(4)))
    with psycopg.connect(fresh) as connection:
        rows = connection.execute("SELECT version FROM foundry.schema_version").fetchall()
        projects = connection.execute("SELECT id FROM foundry.projects ORDER BY id").fetchall()
    assert len(rows) == len(load_migrations("postgres"))
    assert projects == [("prj_0",), ("prj_1",)]


def test_an_owner_who_is_no_superuser_can_make_the_tables(fresh: str) -> None:
    with psycopg.connect(fresh, autocommit=True) as connection:
        connection.execute("ALTER DATABASE fresh OWNER TO app")
    PostgresStore(fresh.replace("postgres@", "app@"), PROJECT).close()


@pytest.mark.parametrize(
    ("version", "code"), [(0, "store-schema-not-made"), (5, "store-schema-not-updated")]
)
def test_who_may_not_migrate_reads_what_the_owner_runs(fresh: str, version: int, code: str) -> None:
    with psycopg.connect(fresh, autocommit=True) as connection:
        if version:
            PostgresStore(fresh, PROJECT).close()
            grant(fresh)
            connection.execute("DELETE FROM foundry.schema_version WHERE version > 5")
    assert fail_to_open(fresh.replace("postgres@", "app@")).problem.code == code


WITHOUT_BLOCKS = """
    CREATE EXTENSION vector SCHEMA public;
    DROP FUNCTION make_vectors(text, text);
    CREATE FUNCTION make_vectors(text, text, integer) RETURNS void LANGUAGE sql AS '';
    CREATE FUNCTION index_vectors(text, text, bigint) RETURNS void LANGUAGE sql AS '';
    DROP TABLE {table}, {table}_blocks;
    CREATE TABLE {table} (
      project text NOT NULL, chunk bigint NOT NULL, source bigint NOT NULL, embedding halfvec NOT NULL,
      PRIMARY KEY (project, chunk)) PARTITION BY LIST (project);
    SELECT protect('{table}', 'source')
"""
"""What the migration of vectors finds."""

WITHOUT_SEGMENTS = """
    DROP TABLE segments, postings, moved_sources;
    DROP FUNCTION note_move, note_text CASCADE;
    CREATE TABLE postings (project text) PARTITION BY LIST (project);
    CREATE FUNCTION list_postings(text, bigint) RETURNS void LANGUAGE sql AS '';
    CREATE FUNCTION drop_postings() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END';
    CREATE TRIGGER postings_follow AFTER DELETE ON sources FOR EACH ROW EXECUTE FUNCTION drop_postings()
"""
"""What the migration of the text index finds."""


def test_vectors_windows_and_words_of_every_project_are_converted(
    fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.store.relational.vectors.LARGE", 2)
    found, kept = [], []
    for project in (PROJECT, "prj_other"):
        with closing(PostgresStore(fresh, project)) as store:
            store.save_source(*make_source("a.md", "Cable.", "Plug."))
            embed(store)
            kept += read_vectors(store, project)
            found.append(store.search_vectors(MODEL, vector("Plug."), 10, Filters()))
            words = store.search_text(terms("plug"), 10, Filters())
    with psycopg.connect(fresh) as connection:
        connection.execute("SET search_path = foundry, public")
        connection.execute("ALTER TABLE window_vectors RENAME COLUMN codes TO data")
        rows = connection.execute(
            "SELECT tableoid::regclass::text, chunk, data FROM window_vectors"
        )
        for table, chunk, data in rows.fetchall():
            half = unpack_windows(data, DIMENSION).astype(np.float16).tobytes()
            values = half, chunk
            connection.execute(f"UPDATE {table} SET data = %s WHERE chunk = %s", values)
        connection.execute(WITHOUT_SEGMENTS)
        keep_by_pgvector(connection, kept)
        connection.execute("DELETE FROM schema_version WHERE version > 24")
    for project, before in zip((PROJECT, "prj_other"), found, strict=True):
        with closing(PostgresStore(fresh, project)) as store:
            hits = store.search_vectors(MODEL, vector("Plug."), 10, Filters())
            assert [hit.chunk_id for hit in hits] == [hit.chunk_id for hit in before]
            scores = [hit.score for hit in before]
            assert [hit.score for hit in hits] == pytest.approx(scores, abs=0.02)
            found_again = store.search_text(terms("plug"), 10, Filters())
            assert [hit.score for hit in found_again] == [hit.score for hit in words]
            assert store.verify() == []
            assert store.index_status(MODEL).ways.vectors.code == "index-vectors-lists"
            store.drop_index(MODEL)
    with psycopg.connect(fresh) as connection:
        connection.execute("DROP EXTENSION vector")


def read_vectors(store: Store, project: str) -> list[tuple[str, int, str]]:
    """A project, row numbers and vectors as text."""
    with store._database.reading() as db:
        rows = list(vector_blocks.read(db, get_index(db, MODEL)))
    return [(project, row, str(np.frombuffer(one, dtype=np.float32).tolist())) for row, one in rows]


def keep_by_pgvector(connection: psycopg.Connection[Any], kept: list[tuple[str, int, str]]) -> None:
    """Put vectors into the tables of version 27 of the schema."""
    table = f"vec_chunks_{make_slug(MODEL, DIMENSION)}"
    connection.execute(WITHOUT_BLOCKS.format(table=table).encode())
    for project in dict.fromkeys(project for project, *_ in kept):
        part = connection.execute("SELECT partition_name(%s, %s)", (table, project)).fetchone()
        assert part
        connection.execute(
            f"CREATE TABLE {part[0]} PARTITION OF {table} FOR VALUES IN ('{project}')".encode()
        )
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} VALUES (%s, %s, 0, %s::halfvec)", kept)


def test_the_database_of_a_newer_foundry_is_refused(fresh: str) -> None:
    PostgresStore(fresh, PROJECT).close()
    with psycopg.connect(fresh) as connection:
        connection.execute("INSERT INTO foundry.schema_version (version, name) VALUES (999, 'x')")
    assert isinstance(fail_to_open(fresh), SchemaTooNew)


def test_reading_a_project_that_does_not_exist_adds_nothing(fresh: str) -> None:
    assert fail_to_open(fresh, read_only=True).problem.code == "store-no-such-project"
    assert count_schemas(fresh) == 0
    PostgresStore(fresh, PROJECT).close()
    with closing(PostgresStore(fresh, "prj_typo", read_only=True)) as store:
        assert store.list_sources() == []
        with pytest.raises(StoreError, match="has no project 'prj_typo' yet"):
            store.search_text(["cable"], 1, Filters())
    with psycopg.connect(fresh) as connection:
        assert connection.execute("SELECT id FROM foundry.projects").fetchall() == [(PROJECT,)]


def test_a_full_disk_of_the_server_is_named_and_nothing_is_half_saved(fresh: str) -> None:
    with (
        closing(PostgresStore(fresh, PROJECT)) as store,
        psycopg.connect(fresh, autocommit=True) as connection,
    ):
        store.save_source(*make_source("a.md", "Cable."))
        connection.execute(
            "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE disk_full USING MESSAGE = 'No space left on device'; END $$"
        )
        connection.execute(
            "CREATE TRIGGER fill BEFORE INSERT ON foundry.chunks FOR EACH ROW EXECUTE FUNCTION fill()"
        )
        with pytest.raises(DiskFull, match="No space left on device"):
            store.save_source(*make_source("b.md", "Plug."))
        assert [source.path for source in store.list_sources()] == ["a.md"]
        connection.execute("DROP TRIGGER fill ON foundry.chunks")
        store.save_source(*make_source("b.md", "Plug."))
        assert store.verify() == []


def test_a_table_that_was_changed_by_hand_is_named(fresh: str) -> None:
    store = PostgresStore(fresh, PROJECT)
    with psycopg.connect(fresh) as connection:
        connection.execute("ALTER TABLE foundry.chunks RENAME COLUMN headings TO heads")
    with pytest.raises(StoreCorrupt, match="headings") as caught:
        store.save_source(*make_source("a.md", "Cable."))
    assert caught.value.problem.code == "store-schema-changed"
    assert store.list_sources() == []
    store.close()


def test_what_reads_and_checks_a_table_that_was_changed_by_hand_names_it(fresh: str) -> None:
    store = PostgresStore(fresh, PROJECT)
    made = make_source("a.md", "Cable.")
    store.save_source(*made)
    with psycopg.connect(fresh) as connection:
        connection.execute("ALTER TABLE foundry.chunks RENAME COLUMN headings TO heads")
        connection.execute("DROP TABLE foundry.postings")
    with pytest.raises(StoreCorrupt, match='column "headings"'):
        store.source_chunks(made.source.id)
    codes = [problem.code for problem in store.verify()]
    assert {"database_damaged", "sources_damaged"} <= set(codes)
    store.close()


def drop_projects(address: str) -> None:
    with psycopg.connect(address) as connection:
        parts = connection.execute(
            "SELECT string_agg(oid::regclass::text, ', ') FROM pg_class"
            " WHERE relispartition AND relkind = 'r'"
        ).fetchone()
        assert parts
        connection.execute(f"DROP TABLE {parts[0]} CASCADE".encode())
        connection.execute("DELETE FROM foundry.projects")


def test_a_project_that_is_dropped_and_created_again_has_nothing_of_the_first(fresh: str) -> None:
    with closing(PostgresStore(fresh, PROJECT)) as store:
        store.save_source(*make_source("a.md", "Cable."))
        assert store.index_status(MODEL).sources == 1
        drop_projects(fresh)
        with closing(PostgresStore(fresh, PROJECT)) as again:
            again.save_source(*make_source("b.md", "Plug."))
        assert store.index_status(MODEL).sources == 1
        assert store.index_status(MODEL).chunks == 1


def test_a_project_that_is_dropped_meanwhile_is_empty_and_cannot_be_written(fresh: str) -> None:
    with closing(PostgresStore(fresh, PROJECT)) as store:
        store.save_source(*make_source("a.md", "Cable."))
        assert store.index_status(MODEL).sources == 1
        drop_projects(fresh)
        assert store.index_status(MODEL).sources == 0
        with pytest.raises(StoreError, match="no longer has this project"):
            store.save_source(*make_source("b.md", "Plug."))
        with closing(PostgresStore(fresh, PROJECT)) as again:
            again.save_source(*make_source("b.md", "Plug."))
        assert store.index_status(MODEL).sources == 1
