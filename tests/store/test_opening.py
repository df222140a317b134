"""Opening a database: created completely or not at all, checked, migrated, never overwritten."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from foundry.errors import ConfigError, FoundryError, SchemaTooNew, StoreCorrupt, StoreError
from foundry.records import Fact, Filters, RetrieverHit
from foundry.store import open_store
from foundry.store.relational.database import Migration, load_migrations, load_statements
from foundry.store.relational.vector_index import make_slug
from foundry.store.sqlite import schema
from foundry.store.sqlite.connections import connect
from foundry.store.sqlite.conversion import OldModule
from foundry.store.sqlite.schema import prepare
from foundry.store.vector_ranking import pack_small
from foundry.store.window_codes import unpack_windows
from tests.store.conftest import Opener
from tests.store.records import DIMENSION, MODEL, PROJECT, embed, make_source, terms, vector

OWN = load_migrations("sqlite")
NEXT = Migration(len(OWN) + 1, "next", "CREATE TABLE next (x); INSERT INTO next VALUES (1);")
BROKEN = Migration(len(OWN) + 2, "broken", "CREATE TABLE after (x); CREATE TABLE sources (x);")
MIGRATE = schema._fill


@pytest.fixture(autouse=True)
def _migrated_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The migrations themselves, not a copy of what they made before."""
    monkeypatch.setattr(schema, "_fill", MIGRATE)


def versions(database: Path) -> list[int]:
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute("SELECT version FROM schema_version ORDER BY version").fetchall()
    connection.close()
    return [int(str(version)) for (version,) in rows]


def backups(database: Path) -> list[Path]:
    return sorted(database.parent.glob("*.backup"))


def test_a_database_is_created_at_its_address(tmp_path: Path) -> None:
    open_store("sqlite:///deep/er/x.db", tmp_path, PROJECT).close()
    assert (tmp_path / "deep/er/x.db").is_file()


def test_an_absolute_address_ignores_the_project_folder(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "x.db"
    target.parent.mkdir()
    open_store(f"sqlite:///{target}", tmp_path / "project", PROJECT).close()
    assert target.is_file()


@pytest.mark.parametrize("address", ["sqlite:///../elsewhere/x.db", "sqlite:///{}/elsewhere/x.db"])
def test_no_folder_is_created_outside_the_project(tmp_path: Path, address: str) -> None:
    with pytest.raises(ConfigError, match="outside the project"):
        open_store(address.format(tmp_path), tmp_path / "project", PROJECT)
    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_can_look_into_the_databases_folder(opener: Opener, database: Path) -> None:
    opener()
    assert database.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "url", ["", "x.db", "sqlite://x", "sqlite:///", "mysql://h/d", "sqlite:///a\0b"]
)
def test_an_unknown_address_is_rejected(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigError, match="Not a valid database address"):
        open_store(url, tmp_path, PROJECT)


def test_saved_data_survives_reopening(opener: Opener) -> None:
    first = opener()
    first.save_source(*make_source("a.md", "Cable."))
    first.close()
    assert len(opener().search_text(terms("cable"), 10, Filters())) == 1


def test_a_database_of_another_project_is_rejected(opener: Opener) -> None:
    opener().close()
    with pytest.raises(StoreError, match="belongs to project 'prj_test', not to 'other'"):
        opener("other")


def test_a_missing_database_is_read_as_an_empty_one_and_not_created(
    opener: Opener, database: Path
) -> None:
    store = opener(read_only=True)
    assert store.list_sources() == []
    assert store.index_status(MODEL).chunks == 0
    with pytest.raises(StoreError, match="no database yet"):
        store.search_text(terms("cable"), 10, Filters())
    assert not database.parent.exists()


def test_a_read_only_store_rejects_writes(opener: Opener) -> None:
    opener().save_source(*make_source("a.md", "Cable."))
    reading = opener(read_only=True)
    assert len(reading.list_sources()) == 1
    assert reading.verify() == []
    with pytest.raises(StoreError, match="reading only"):
        reading.remove_source("src_x")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"not a database at all, but long enough to look at" * 100, "not a database"),
        (b"SQLite format 3\0" + b"\xff" * 4096, "damaged|not a database"),
    ],
)
def test_a_file_that_is_not_a_database_is_rejected_unchanged(
    opener: Opener, database: Path, content: bytes, message: str
) -> None:
    database.parent.mkdir()
    database.write_bytes(content)
    with pytest.raises(StoreCorrupt, match=message) as error:
        opener()
    assert error.value.fix
    assert database.read_bytes() == content


def test_a_database_of_another_program_is_rejected_unchanged(
    opener: Opener, database: Path
) -> None:
    database.parent.mkdir()
    connection = apsw.Connection(str(database))
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = database.read_bytes()
    with pytest.raises(StoreCorrupt, match="not one created by Foundry"):
        opener()
    assert database.read_bytes() == before


def test_a_folder_in_place_of_the_database_is_rejected(opener: Opener, database: Path) -> None:
    database.mkdir(parents=True)
    with pytest.raises(StoreError, match="but this is a folder"):
        opener()


def test_a_file_in_place_of_the_databases_folder_is_rejected(
    opener: Opener, database: Path
) -> None:
    database.parent.write_text("")
    with pytest.raises(StoreError, match="cannot be reached"):
        opener()


def test_a_damaged_page_is_an_error_with_a_fix(opener: Opener, database: Path) -> None:
    store = opener()
    store.save_source(*make_source("a.md", *[f"Cable {n} " + "x" * 500 for n in range(60)]))
    store.close()
    content = bytearray(database.read_bytes())
    content[4096:] = b"\xee" * (len(content) - 4096)
    database.write_bytes(content)
    with pytest.raises(StoreCorrupt) as error:
        opener().list_sources()
    assert "backup" in error.value.fix


def test_a_newer_database_is_rejected_unchanged(opener: Opener, database: Path) -> None:
    prepare(database, PROJECT, [*OWN, NEXT], read_only=False)
    before = database.read_bytes()
    with pytest.raises(SchemaTooNew, match="newer Foundry"):
        opener()
    assert database.read_bytes() == before
    assert backups(database) == []


def test_an_older_database_is_migrated_after_a_backup(opener: Opener, database: Path) -> None:
    store = opener()
    store.save_source(*make_source("a.md", "Cable."))
    prepare(database, PROJECT, [*OWN, NEXT], read_only=False)
    assert versions(database) == [*range(1, len(OWN) + 2)]
    (backup,) = backups(database)
    assert versions(backup) == [*range(1, len(OWN) + 1)]


def test_a_query_log_of_the_first_schema_is_kept_and_completed(
    opener: Opener, database: Path
) -> None:
    prepare(database, PROJECT, OWN[:1], read_only=False)
    connection = apsw.Connection(str(database))
    connection.execute(
        "INSERT INTO query_log (id, time, moment, kind, query, role, chunks, models, timings_ms, usage)"
        " VALUES ('q1', '2026-03-01T12:00:00+00:00', 1, 'ask', 'How far?', 'secret', '[]', '{}', '{}', ?)",
        (
            json.dumps(
                {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost": 0, "cached": 0}
            ),
        ),
    )
    connection.close()
    (record,) = opener().list_queries(10)
    assert (record.query, record.project, record.checks) == ("How far?", PROJECT, {})
    assert len(backups(database)) == 1


@pytest.mark.parametrize("kind", ["float", "int8"])
def test_vectors_of_sqlite_vec_become_blocks(opener: Opener, database: Path, kind: str) -> None:
    store = opener()
    store.save_source(*make_source("cable.md", "Cable.", "Plug."))
    embed(store)
    asked = MODEL, vector("Plug."), 10, Filters()
    before = store.search_vectors(*asked)
    store.close()
    made = np.array([vector("Cable."), np.zeros(DIMENSION), vector("Plug.")], dtype=np.float32)
    with closing(connect(database)) as connection:
        numbers = made.tobytes() if kind == "float" else pack_small(made)
        _write_old_vectors(connection, kind, numbers)
        if kind == "float":
            _enlarge_windows(connection)
        else:
            _name_windows(connection)
        version = 27 if kind == "float" else 30
        connection.execute("DELETE FROM schema_version WHERE version > ?", (version,))
    migrated = opener()
    assert _are_near(migrated.search_vectors(*asked), before)
    assert migrated.verify() == []


def _are_near(found: Sequence[RetrieverHit], before: Sequence[RetrieverHit]) -> bool:
    """Whether windows that were packed twice find the same."""
    pairs = list(zip(found, before, strict=True))
    return all(a.chunk_id == b.chunk_id and abs(a.score - b.score) < 0.02 for a, b in pairs)


def _write_old_vectors(connection: apsw.Connection, kind: str, numbers: bytes) -> None:
    """The tables of sqlite-vec with chunks 1 and 2, and a place between them that is free."""
    table = f"vec_chunks_{make_slug(MODEL, DIMENSION)}"
    connection.execute(f"DROP TABLE {table}; DROP TABLE {table}_blocks")
    module: Any = OldModule()
    connection.create_module("vec0", module)
    connection.execute(f"CREATE VIRTUAL TABLE {table} USING vec0(embedding {kind}[{DIMENSION}])")
    connection.execute(f"CREATE TABLE {table}_info (key, value)")
    connection.execute(f"CREATE TABLE {table}_rowids (rowid, id, chunk_id, chunk_offset)")
    connection.execute(f"CREATE TABLE {table}_chunks (chunk_id, size, validity, rowids)")
    connection.execute(f"CREATE TABLE {table}_vector_chunks00 (vectors)")
    rows = np.array([1, 7, 2], dtype="<i8").tobytes()
    values = (1, 3, bytes([0b101]), rows)
    connection.execute(f"INSERT INTO {table}_chunks VALUES (?, ?, ?, ?)", values)
    connection.execute(f"INSERT INTO {table}_vector_chunks00 VALUES (?)", (numbers,))


def _enlarge_windows(connection: apsw.Connection) -> None:
    """Give windows 16 bits a number, as before the 29th schema."""
    _name_windows(connection)
    connection.execute("ALTER TABLE window_vectors RENAME COLUMN codes TO data")
    for chunk, data in list(connection.execute("SELECT chunk, data FROM window_vectors")):
        half = unpack_windows(data, DIMENSION).astype(np.float16).tobytes()
        connection.execute("UPDATE window_vectors SET data = ? WHERE chunk = ?", (half, chunk))


def _name_windows(connection: apsw.Connection) -> None:
    """Have windows repeat the name of their model, as before the 32nd schema."""
    connection.execute(
        "CREATE TABLE named (model, chunk, codes, PRIMARY KEY (model, chunk));"
        "INSERT INTO named SELECT i.model, w.key - (i.number << 40), w.codes"
        " FROM window_vectors w JOIN vector_indexes i ON i.number = w.key >> 40;"
        "DROP TRIGGER windows_leave_with_chunk; DROP TRIGGER windows_leave_with_index;"
        "DROP TABLE window_vectors; ALTER TABLE named RENAME TO window_vectors;"
        "DROP INDEX vector_indexes_by_number; ALTER TABLE vector_indexes DROP COLUMN number;"
    )


def test_windows_in_half_precision_become_small(opener: Opener, database: Path) -> None:
    store = opener()
    made = make_source("cable.md", "Cable.", "Plug.")
    store.save_source(*made)
    embed(store)
    asked = MODEL, vector("Plug."), 10, Filters()
    before = store.search_vectors(*asked)
    store.close()
    with closing(connect(database)) as connection:
        _enlarge_windows(connection)
        connection.execute("DELETE FROM schema_version WHERE version > 28")
        connection.execute("INSERT INTO spare_vectors VALUES (?, 'h', x'00')", (MODEL,))
        connection.execute("UPDATE window_vectors SET data = x'000000' WHERE chunk = 1")
    migrated = opener()
    assert _are_near(migrated.search_vectors(*asked), before[:1])
    (problem,) = migrated.verify()
    assert problem.code == "vectors_without_windows"
    with closing(connect(database)) as connection:
        assert connection.execute("SELECT count(*) FROM spare_vectors").get == 0


def test_the_fifth_schema_gets_its_statistics(opener: Opener, database: Path) -> None:
    store = opener()
    store.save_source(
        *make_source("cable.md", "Cable cable.", "Plug.", title="Cable", language="nl")
    )
    embed(store)
    asked = terms("cable plug"), 10, Filters()
    before = store.search_text(*asked), store.languages()
    store.close()
    _downgrade(database)
    migrated = opener()
    assert versions(database) == [*range(1, len(OWN) + 1)]
    assert (migrated.search_text(*asked), migrated.languages()) == before
    assert migrated.verify() == []
    assert migrated.extraction.list_all() == []


def _restore_fts(database: Path) -> None:
    """Make it a database of the 22nd schema again, with the text index of FTS5."""
    connection = connect(database)
    _enlarge_windows(connection)
    connection.execute(
        "DROP TRIGGER statistics_added; DROP TRIGGER statistics_removed; DROP TRIGGER levels_changed;"
        "DROP TABLE segments; DROP TABLE postings; DROP TABLE text_changes;"
        "CREATE TABLE whole_texts (source INTEGER NOT NULL, segment INTEGER NOT NULL, text TEXT NOT NULL);"
        "INSERT INTO whole_texts SELECT source, 0, group_concat(unpack(text), '') FROM source_texts GROUP BY source;"
        "DROP TABLE source_texts; ALTER TABLE whole_texts RENAME TO source_texts;"
        "DROP TRIGGER source_changed; DROP TRIGGER source_removed; DROP TABLE source_changes;"
        "DROP TABLE workers; DROP INDEX sources_with_copies; DROP TABLE project_roles;"
    )
    tables = OWN[0].sql
    connection.execute(
        tables[tables.index("CREATE VIRTUAL TABLE") : tables.index("-- One row per")]
    )
    connection.execute(
        "CREATE VIRTUAL TABLE chunks_instances USING fts5vocab(chunks_fts, instance)"
    )
    for row, title, headings, body in FTS:
        values = (row, title, headings, body)
        connection.execute(
            "INSERT INTO chunks_fts (rowid, title, headings, body) VALUES (?, ?, ?, ?)", values
        )
    connection.execute("DELETE FROM schema_version WHERE version > 22")
    connection.close()


FTS = [(1, "cabl", "", "cabl cabl"), (2, "cabl", "", "plug")]
"""What FTS5 had of the source that is saved first."""


def test_the_text_index_of_fts5_is_converted(opener: Opener, database: Path) -> None:
    store = opener()
    made = make_source("cable.md", "Cable cable.", "Plug.", title="Cable", language="nl")
    store.save_source(*made)
    before = store.search_text(terms("cable plug"), 10, Filters())
    store.close()
    _restore_fts(database)
    migrated = opener()
    assert migrated.search_text(terms("cable plug"), 10, Filters()) == before
    assert migrated.source_text(made.source.id) == made.text
    assert migrated.verify() == []


def test_a_text_of_several_pieces_survives_the_migration(opener: Opener, database: Path) -> None:
    store = opener()
    made = make_source("a.md", "Cable " + "ä" * 20_000)
    store.save_source(*made)
    store.close()
    _restore_fts(database)
    assert opener().source_text(made.source.id) == made.text


def _downgrade(database: Path) -> None:
    """Make it a database of the fifth schema again."""
    _restore_fts(database)
    connection = apsw.Connection(str(database))
    connection.execute(
        "DROP TABLE abbreviations;"
        "DROP TRIGGER abbreviations_added; DROP TRIGGER abbreviations_changed;"
        "DROP TABLE source_statistics; DROP TABLE chunks_instances; DROP INDEX sources_by_level;"
        "ALTER TABLE chunks DROP COLUMN terms; ALTER TABLE vector_indexes DROP COLUMN changes;"
        "ALTER TABLE vector_indexes DROP COLUMN name;"
        "ALTER TABLE blocks DROP COLUMN table_cells; ALTER TABLE blocks DROP COLUMN recognition; ALTER TABLE sources DROP COLUMN names;"
        "ALTER TABLE sources DROP COLUMN about; ALTER TABLE sources DROP COLUMN facts;"
        "DROP INDEX sources_by_chain; DROP TABLE source_sketches; DROP TABLE revision_links;"
        "ALTER TABLE sources DROP COLUMN copies; ALTER TABLE sources DROP COLUMN chain;"
        "ALTER TABLE sources DROP COLUMN chain_place;"
        "DROP TABLE kept_texts; DROP TABLE extraction_cells; DROP TABLE extraction_tables;"
        "DROP TABLE corrections; DROP TABLE source_readings; ALTER TABLE blocks DROP COLUMN corrections;"
        "DROP TABLE jobs; DROP TABLE model_calls; DROP TRIGGER queries_of_project; DROP INDEX sources_by_content;"
        "DROP INDEX query_log_by_conversation; DROP TABLE conversations;"
        "ALTER TABLE query_log DROP COLUMN who; ALTER TABLE query_log DROP COLUMN conversation;"
        "ALTER TABLE query_log DROP COLUMN shown;"
        "DROP TABLE tokens; DROP TABLE audit_events; ALTER TABLE feedback DROP COLUMN kind;"
        "DELETE FROM schema_version WHERE version > 5;"
    )
    connection.close()


def test_a_database_of_the_32nd_schema_reads_the_heads_of_blocks_from_an_index(
    opener: Opener, database: Path
) -> None:
    store = opener()
    store.save_source(*make_source("a.md", "Cable."))
    embed(store)
    store.close()
    table = f"vec_chunks_{make_slug(MODEL, DIMENSION)}"
    with closing(connect(database)) as connection:
        connection.execute(f"DROP INDEX {table}_heads")
        connection.execute("DELETE FROM schema_version WHERE version > 32")
    opener()
    heads = load_statements("sqlite")["vector_heads"].format(vectors=table)
    with closing(connect(database)) as connection:
        ((*_, plan),) = connection.execute(f"EXPLAIN QUERY PLAN {heads}")
    assert f"COVERING INDEX {table}_heads" in plan


def test_a_database_without_facts_gets_them(opener: Opener, database: Path) -> None:
    prepare(database, PROJECT, OWN[:17], read_only=False)
    store = opener()
    made = make_source("a.md", "Cable.")
    store.save_source(made.source.state("draft"), *made[1:])
    (source,) = store.list_sources()
    assert source.facts == (Fact("status", "draft", "person", "high"),)


def test_a_backup_can_be_restored(opener: Opener, database: Path) -> None:
    store = opener()
    store.save_source(*make_source("a.md", "Cable."))
    store.close()
    prepare(database, PROJECT, [*OWN, NEXT], read_only=False)
    shutil.copy(backups(database)[0], database)
    restored = opener()
    assert [source.path for source in restored.list_sources()] == ["a.md"]
    assert restored.verify() == []


def test_a_failed_migration_is_rolled_back(database: Path) -> None:
    prepare(database, PROJECT, OWN, read_only=False)
    with pytest.raises(FoundryError):
        prepare(database, PROJECT, [*OWN, NEXT, BROKEN], read_only=False)
    assert versions(database) == [*range(1, len(OWN) + 2)]
    connection = apsw.Connection(str(database))
    assert connection.table_exists("main", "next")
    assert not connection.table_exists("main", "after")
    connection.close()


def test_a_migration_that_fails_again_and_again_leaves_one_backup_per_version(
    database: Path,
) -> None:
    prepare(database, PROJECT, OWN, read_only=False)
    for _command in range(3):
        with pytest.raises(FoundryError):
            prepare(database, PROJECT, [*OWN, NEXT, BROKEN], read_only=False)
    (backup,) = backups(database)
    assert versions(backup) == [*range(1, len(OWN) + 1)]
    assert not list(database.parent.glob("*.backup.new"))


def test_an_older_database_opened_for_reading_is_not_migrated(database: Path) -> None:
    prepare(database, PROJECT, OWN, read_only=False)
    with pytest.raises(StoreError, match="older Foundry"):
        prepare(database, PROJECT, [*OWN, NEXT], read_only=True)
    assert versions(database) == [*range(1, len(OWN) + 1)]


def test_a_new_database_ignores_the_log_of_one_that_was_moved_away(
    opener: Opener, database: Path
) -> None:
    store = opener()
    store.save_source(*make_source("old.md", *[f"Cable {n} " + "x" * 500 for n in range(60)]))
    log = database.with_name("foundry.db-wal")
    left = log.read_bytes()  # as a killed process leaves it
    store.close()
    database.unlink()
    log.write_bytes(left)
    new = opener()
    new.save_source(*make_source("a.md", "Cable."))
    assert [source.path for source in new.list_sources()] == ["a.md"]
    assert new.verify() == []


def test_advice_on_a_damaged_database_names_its_log(opener: Opener, database: Path) -> None:
    database.parent.mkdir()
    database.write_bytes(b"not a database at all, but long enough to look at" * 100)
    with pytest.raises(StoreCorrupt) as error:
        opener()
    assert "-wal, -shm and -journal" in error.value.fix


def test_leftovers_of_a_killed_process_do_not_matter(opener: Opener, database: Path) -> None:
    database.parent.mkdir()
    for suffix in ("", "-wal", "-journal"):
        database.with_name(f"foundry.db.new{suffix}").write_bytes(b"half of a database")
    assert opener().list_sources() == []
    assert not list(database.parent.glob("*.new*"))


def test_a_vanished_database_is_an_error_and_not_recreated(opener: Opener, database: Path) -> None:
    store = opener()
    store.save_source(*make_source("a.md", "Cable."))
    for file in database.parent.iterdir():
        file.unlink()
    for use in (store.list_sources, lambda: store.save_source(*make_source("b.md", "Plug."))):
        with pytest.raises(StoreError, match="moved, removed or replaced"):
            use()
    assert not database.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_an_error(opener: Opener, database: Path) -> None:
    database.parent.mkdir(mode=0o500)
    with pytest.raises(StoreError, match="cannot be"):
        opener()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_database_in_a_read_only_folder_can_be_read(opener: Opener, database: Path) -> None:
    store = opener()
    store.save_source(*make_source("a.md", "Cable."))
    store.close()
    database.parent.chmod(0o500)
    try:
        assert len(opener(read_only=True).list_sources()) == 1
    finally:
        database.parent.chmod(0o700)
