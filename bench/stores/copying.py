"""A project of a SQLite file copied into an empty PostgreSQL project, table by table.

Loading by the verbs of an ingest is what a user waits for; this takes a fraction of the time, for the
sizes at which only searches are measured. Rows, postings and statistics are those that the verbs write; the
index of vectors is built after them instead of row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import apsw
import psycopg
from pgvector import Vector
from pgvector.psycopg import register_vector

from bench.stores.generated import DIMENSION, MODEL, PROJECT
from bench.stores.kept import read_kept
from foundry.analysis import analyse
from foundry.store import open_store
from foundry.store.relational.text_index import update_statistics
from foundry.store.relational.vector_index import make_slug

TABLES = ("sources", "source_texts", "heading_paths", "blocks", "source_summaries", "chunks")
SOURCES = 20
"""In one transaction of statistics."""

VECTORS = f"vec_chunks_{make_slug(MODEL, DIMENSION)}"


def copy_project(file: Path, folder: Path, url: str) -> None:
    """Copy from the SQLite ``file``; ``url`` is the address of a database as its owner, with the index open."""
    origin = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    with psycopg.connect(url) as target:
        register_vector(target)
        target.execute("SET search_path = foundry, public")
        enter = "SELECT set_config('foundry.project', %s, false), set_config('foundry.level', '3', false)"
        target.execute(enter, (PROJECT,))
        for table in TABLES:
            _copy_table(origin, target, table)
        _copy_terms(origin, target, folder)
        definition = _drop_nearest(target)
        _copy_vectors(origin, target, folder)
        target.execute(definition.encode())
        target.execute("SELECT setval('row_numbers', (SELECT max(rowid) FROM chunks))")
    _add_statistics(url, folder)


def _copy_table(origin: apsw.Connection, target: psycopg.Connection[Any], table: str) -> None:
    known = [name for _, name, *_ in origin.execute(f"PRAGMA table_info({table})")]
    query = "SELECT column_name FROM information_schema.columns WHERE table_name = %s"
    there = {name for (name,) in target.execute(query, (table,))}
    columns = [name for name in known if name in there]
    rows = origin.execute(f"SELECT {', '.join(columns)} FROM {table}")
    _write(target, table, columns, rows)


def _write(
    target: psycopg.Connection[Any], table: str, columns: Sequence[str], rows: Iterable[Any]
) -> None:
    statement = f"COPY {table} (project, {', '.join(columns)}) FROM STDIN"
    with target.cursor().copy(statement.encode()) as copy:
        for row in rows:
            copy.write_row((PROJECT, *row))


def _copy_terms(origin: apsw.Connection, target: psycopg.Connection[Any], folder: Path) -> None:
    """The terms of each chunk, which SQLite keeps in its index alone."""
    kept = read_kept(folder)
    terms = dict(zip(kept.ids, kept.terms, strict=True))
    titles = {
        source: " ".join(analyse(about, language))
        for source, about, language in origin.execute("SELECT rowid, about, language FROM sources")
    }
    _write(
        target,
        "chunk_terms",
        ("chunk", "title", "headings", "body"),
        (
            (row, titles[source], "", terms[chunk][len(titles[source]) + 1 :])
            for row, chunk, source in origin.execute("SELECT rowid, id, source FROM chunks")
        ),
    )


def _drop_nearest(target: psycopg.Connection[Any]) -> str:
    """Drop the index of vectors; returns the statement that makes it."""
    query = "SELECT indexdef, indexname FROM pg_indexes WHERE tablename = %s AND indexdef ~ 'hnsw'"
    rows = target.execute(query, (VECTORS,)).fetchall()
    [(definition, name)] = rows
    target.execute(f'DROP INDEX "{name}"'.encode())
    return str(definition).replace(" ON ONLY ", " ON ")


def _copy_vectors(origin: apsw.Connection, target: psycopg.Connection[Any], folder: Path) -> None:
    kept = read_kept(folder)
    places = {chunk: place for place, chunk in enumerate(kept.ids)}
    rows = list(origin.execute("SELECT rowid, id, source FROM chunks ORDER BY rowid"))
    statement = f"COPY {VECTORS} (project, chunk, source, embedding) FROM STDIN (FORMAT BINARY)"
    with target.cursor().copy(statement.encode()) as copy:
        copy.set_types(["text", "int8", "int8", "vector"])
        for row, chunk, source in rows:
            copy.write_row((PROJECT, row, source, Vector(kept.wholes[places[chunk]])))
    with target.cursor().copy(
        b"COPY window_vectors (project, model, chunk, data) FROM STDIN (FORMAT BINARY)"
    ) as copy:
        copy.set_types(["text", "text", "int8", "bytea"])
        for row, chunk, _ in rows:
            copy.write_row((PROJECT, MODEL, row, kept.windows[places[chunk]].tobytes()))


def _add_statistics(url: str, folder: Path) -> None:
    """The postings of each source, by the store's own statement."""
    store: Any = open_store(url, folder, PROJECT)
    database = store._database  # noqa: SLF001
    with database.reading() as db:
        sources = [row["rowid"] for row in db.rows("source_keys")]
    for first in range(0, len(sources), SOURCES):
        with database.writing() as db:
            for source in sources[first : first + SOURCES]:
                update_statistics(db, source)
    store.close()
