"""Lists of near vectors: how they are made, and what a large index finds with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest

from foundry.errors import StoreCorrupt
from foundry.ports import Vectors
from foundry.records import Filters
from foundry.store import Store, vector_ranking
from foundry.store.postgres import PostgresStore
from foundry.store.postgres.connections import PostgresTransaction
from foundry.store.postgres.store import PostgresDatabase
from foundry.store.relational import vector_blocks, vectors
from foundry.store.relational.database import Migration
from foundry.store.relational.recall import save
from foundry.store.relational.vector_index import get_index
from foundry.store.rows import HIGHEST
from foundry.store.sqlite import SqliteStore
from foundry.store.sqlite.connections import connect
from foundry.store.vector_lists import LIST, sort_vectors
from tests.store.conftest import Opener
from tests.store.records import DIMENSION, MODEL, PROJECT, embed, make_source, vector
from tests.store.server import OWNER, empty

Run = Callable[[str], Any]
EVERYTHING = Filters()
BLOCKS = "vec_chunks_test_words_b65a6e94_blocks"


def make_vectors(number: int) -> Vectors:
    """Vectors of 100 numbers around 30 centres, of length 1."""
    rng = np.random.default_rng(5)
    made = rng.normal(size=(30, 100))[rng.integers(0, 30, number)] + rng.normal(size=(number, 100))
    scaled: Vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def test_each_vector_is_in_one_list_with_near_ones() -> None:
    made = make_vectors(6000)
    lists = sort_vectors(lambda places: made[places], len(made), LIST)
    assert np.array_equal(np.sort(np.concatenate(lists)), np.arange(6000))
    apart = [np.linalg.norm(made[own] - made[own].mean(axis=0)) ** 2 for own in lists]
    assert sum(apart) < 0.8 * np.linalg.norm(made - made.mean(axis=0)) ** 2


def test_equal_vectors_are_one_list() -> None:
    made = np.tile(make_vectors(1), (2000, 1))
    assert [len(own) for own in sort_vectors(lambda places: made[places], 2000, LIST)] == [2000]


def test_a_list_of_too_many_equal_vectors_is_cut() -> None:
    made = np.tile(make_vectors(1), (6000, 1))
    assert [len(own) for own in sort_vectors(lambda places: made[places], 6000, LIST)] == [2000] * 3


@pytest.fixture(params=["sqlite", "postgres"])
def opener(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, database: Path
) -> Iterator[Opener]:
    """Opens the project's store in connections of its own, as another process has it.

    Lists have some 16 vectors; two are read.
    """
    monkeypatch.setattr(vectors, "LARGE", 1)
    monkeypatch.setattr(vectors, "LEAST_READ", 30)
    monkeypatch.setattr(vectors, "FEW", 20)
    monkeypatch.setattr(vector_blocks, "LIST", 16)
    with ExitStack() as opened:
        if request.param == "sqlite":
            yield lambda: opened.enter_context(closing(SqliteStore(database, PROJECT)))
        else:
            address = request.getfixturevalue("address")
            app = address.replace(f"{OWNER}@", "app@")
            yield lambda: opened.enter_context(closing(PostgresStore(app, PROJECT)))
            with psycopg.connect(address, autocommit=True) as connection:
                empty(connection)


@pytest.fixture
def run_sql(request: pytest.FixtureRequest, database: Path) -> Run:
    """Runs a statement behind the store's back, with names for ``{blocks}`` and others; returns a value."""

    def run(sql: str) -> Any:
        if request.node.callspec.params["opener"] == "sqlite":
            with closing(connect(database)) as connection:
                return connection.execute(
                    sql.format(blocks=BLOCKS, bytes="BLOB", schema="main")
                ).get
        with psycopg.connect(request.getfixturevalue("address")) as server:
            names = sql.format(blocks=f"foundry.{BLOCKS}", bytes="bytea", schema="foundry")
            found = server.execute(names.encode())
            return found.fetchone() if found.description else None

    return run


@pytest.fixture
def listed(opener: Opener) -> Store:
    """A store of 61 chunks whose index has lists."""
    store = opener()
    store.save_source(*make_source("a.md", *[f"cable {n}" for n in range(60)]))
    store.save_source(*make_source("z.md", "plug lamp"))
    embed(store)
    store.index_vectors()
    return store


def search(store: Store, words: str = "plug lamp", only: Filters = EVERYTHING) -> list[str]:
    return [hit.chunk_id for hit in store.search_vectors(MODEL, vector(words), 10, only)]


def count_unsorted(run_sql: Run) -> int:
    sql = "SELECT coalesce(sum(length(chunks) / 8), 0) FROM {blocks} WHERE middle IS NULL"
    return int(*np.ravel(run_sql(sql)))


def test_lists_find_the_nearest_chunk(listed: Store, run_sql: Run) -> None:
    assert count_unsorted(run_sql) == 0
    exact = listed.view("secret", exact=True)
    assert search(listed)[0] == search(exact)[0]
    assert listed.verify() == []


def test_a_process_without_the_kernel_finds_the_same(
    listed: Store, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("plug lamp", "cable 7", "cable 31 lamp")
    found = [search(listed, one) for one in words]
    monkeypatch.setattr(vector_ranking, "KERNEL", ("numpy", np.__version__))
    assert [search(opener(), one) for one in words] == found


def test_a_removed_chunk_is_never_found(listed: Store, opener: Opener) -> None:
    gone = search(listed)[0]
    opener().save_source(*make_source("z.md", "fuse"))
    assert gone not in search(listed)
    assert listed.verify() == []


def test_another_process_adds_what_is_found(listed: Store, opener: Opener) -> None:
    search(listed)
    other, made = opener(), make_source("y.md", "relay")
    other.save_source(*made)
    embed(other)
    assert search(listed, "relay")[0] == made.ids()[0]


def get_cache(store: Store) -> vectors.VectorCache:
    database = store._database
    if isinstance(database, PostgresDatabase):
        return database._caches.vectors[HIGHEST]
    return database.vectors  # type: ignore[attr-defined,no-any-return]


def test_a_process_reads_again_only_what_another_changed(listed: Store, opener: Opener) -> None:
    search(listed)
    cache = get_cache(listed)
    before = dict(cache.blocks._kept[1])
    other = opener()
    other.save_source(*make_source("z.md", "fuse"))
    embed(other)
    search(listed, "fuse")
    after = cache.blocks._kept[1]
    kept = [key for key in before if after.get(key) is before[key]]
    assert 0 < len(kept) == len(before) - 1


def test_a_search_after_a_commit_reads_only_the_heads_that_changed(
    listed: Store, opener: Opener
) -> None:
    search(listed)
    cache, other = get_cache(listed), opener()
    before = cache._heads
    other.save_source(*make_source("z.md", "fuse"))
    embed(other)
    found = search(listed, "fuse")
    after = cache._heads
    assert before
    assert after
    kept = {id(row) for row in before.rows}
    # A list without the vector that is gone, and a new block.
    assert sum(id(row) in kept for row in after.rows) == len(after.rows) - 2
    assert search(opener(), "fuse") == found


def test_what_no_search_reads_any_more_makes_room(
    listed: Store, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "LARGE", 1000)
    search(listed)
    blocks = get_cache(listed).blocks
    blocks._most_bytes = 61 * (DIMENSION + 12)
    other = opener()
    for number in range(3):
        other.save_source(*make_source("z.md", f"fuse {number}"))
        embed(other)
        search(listed)
    assert blocks._size == sum(len(block.rows) for block in blocks._kept[1].values()) <= 61
    parsed: list[object] = []
    monkeypatch.setattr(vectors, "parse_block", lambda *given: parsed.append(given))
    search(listed)
    assert parsed == []


def test_new_vectors_are_sorted_once_they_are_many(listed: Store, run_sql: Run) -> None:
    listed.save_source(*make_source("y.md", *[f"relay {n}" for n in range(7)]))
    embed(listed)
    listed.index_vectors()
    assert count_unsorted(run_sql) == 7
    listed.save_source(*make_source("x.md", *[f"fuse {n}" for n in range(3)]))
    embed(listed)
    listed.index_vectors()
    assert count_unsorted(run_sql) == 0


def test_a_sort_in_vain_is_noted(
    listed: Store, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed.save_source(*make_source("y.md", *[f"relay {n}" for n in range(20)]))
    embed(listed)
    other, sort = opener(), vector_blocks.UnsortedVectors.sort

    def write_and_sort(found: vector_blocks.UnsortedVectors) -> vector_blocks.SortedVectors:
        other.save_source(*make_source("x.md", "fuse"))
        embed(other)
        return sort(found)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(vector_blocks.UnsortedVectors, "sort", write_and_sort)
        note = listed.index_vectors()
    assert note
    assert note.code == "index-not-sorted"
    assert listed.index_vectors() is None


def test_what_changes_during_a_sort_is_kept(listed: Store, opener: Opener) -> None:
    other = opener()
    other.save_source(*make_source("y.md", *[f"relay {n}" for n in range(20)]))
    embed(other)
    with listed._database.reading() as db:
        found = vector_blocks.read_unsorted(db, get_index(db, MODEL))
    other.save_source(*make_source("x.md", "fuse"))
    embed(other)
    assert found
    with listed._database.writing() as db:
        found.sort().write(db, get_index(db, MODEL))
    assert search(listed, "fuse")
    assert listed.verify() == []


def test_a_filter_that_leaves_few_compares_all_of_them(listed: Store) -> None:
    assert len(search(listed, "cable 1", Filters(sources=("z.md",)))) == 1


def test_a_filter_that_is_asked_again_finds_what_came_since(listed: Store, opener: Opener) -> None:
    only = Filters(sources=("z.md",))
    assert len(search(listed, "fuse", only)) == 1
    other = opener()
    other.save_source(*make_source("z.md", "plug lamp", "fuse"))
    embed(other)
    assert len(search(listed, "fuse", only)) == 2


def test_a_filter_that_leaves_nothing_finds_nothing(listed: Store) -> None:
    assert search(listed, "cable 1", Filters(sources=("none.md",))) == []


def test_a_filter_that_leaves_more_reads_lists_until_there_are_enough(listed: Store) -> None:
    found = search(listed, "plug lamp", Filters(sources=("a.md",)))
    assert len(found) == 10


@pytest.mark.parametrize("large", [1, 1000])
def test_a_filter_that_leaves_a_minority_finds_the_nearest_of_it(
    listed: Store, monkeypatch: pytest.MonkeyPatch, large: int
) -> None:
    listed.save_source(*make_source("b.md", *[f"relay {n}" for n in range(21)]))
    embed(listed)
    listed.index_vectors()
    monkeypatch.setattr(vectors, "LARGE", large)
    only = Filters(sources=("b.md",))
    exact = listed.view("secret", exact=True)
    found = search(listed, "relay 7", only)
    assert found == search(exact, "relay 7", only)
    assert len(found) == 10


def test_what_is_compared_as_a_whole_needs_no_measurement(
    listed: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "LARGE", 100)
    assert listed.measure_recall(MODEL) is None
    assert listed.find_recall(MODEL) is None


def test_an_ingest_measures_what_searches_find(listed: Store) -> None:
    found = listed.find_recall(MODEL)
    assert found
    assert (found.samples, found.hits, found.outdated) == (20, 200, False)
    assert found.found in range(1, 201)
    assert found.vectors == listed.index_status(MODEL).vectors
    assert listed.view("internal").find_recall(MODEL) is None


def test_a_measurement_is_outdated_once_an_eighth_changed(listed: Store) -> None:
    first = listed.find_recall(MODEL)
    assert first
    for name, number in (("few.md", first.vectors // 8 - 1), ("more.md", 2)):
        listed.save_source(*make_source(name, *[f"relay {n}" for n in range(number)]))
        embed(listed)
        later = listed.find_recall(MODEL)
        assert later
        assert later.outdated == (name == "more.md")
    listed.index_vectors()
    again = listed.find_recall(MODEL)
    assert again
    assert (again.outdated, again.vectors) == (False, first.vectors + first.vectors // 8 + 1)


def test_a_measurement_from_another_server_is_outdated_until_the_next(
    listed: Store, run_sql: Run
) -> None:
    """A restored database keeps the numbers of transactions that its new server has yet to begin."""
    run_sql("UPDATE {schema}.source_changes SET number = number + 1000000000")
    found = listed.find_recall(MODEL)
    assert found
    with listed._database.writing() as db:
        save(db, MODEL, replace(found, change=found.change + 2_000_000_000))
    later = listed.find_recall(MODEL)
    assert later
    assert later.outdated
    listed.index_vectors()
    again = listed.find_recall(MODEL)
    assert again
    assert not again.outdated


def test_a_new_index_has_no_measurement(listed: Store) -> None:
    listed.drop_index(MODEL)
    listed.open_index(MODEL, DIMENSION, "fp")
    embed(listed)
    assert listed.find_recall(MODEL) is None


@pytest.mark.parametrize(
    "change",
    [
        "numbers = substr(numbers, 9)",
        "chunks = substr(chunks, 2)",
        "middle = substr(middle, 2)",
        "numbers = CAST(substr(numbers, 9) || substr(numbers, 1, 8) AS {bytes})",
        "chunks = CAST(substr(chunks, 9) || substr(chunks, 1, 8) AS {bytes})",
        "middle = CAST(substr(middle, 9) || substr(middle, 1, 8) AS {bytes})",
        "middle = CAST(substr(middle, 2) || substr(middle, 1, 1) AS {bytes})",
    ],
)
def test_a_damaged_block_is_an_error_with_a_repair(
    listed: Store, opener: Opener, run_sql: Run, change: str
) -> None:
    run_sql(f"UPDATE {{blocks}} SET {change}")
    store = opener()
    with pytest.raises(StoreCorrupt, match="cannot be read") as caught:
        search(store)
    assert "index rebuild --embeddings" in caught.value.fix
    assert {problem.code for problem in store.verify()} & {"vectors_lost", "vectors_damaged"}
    assert "vectors_lost" in {problem.code for problem in store.verify()}
    store.drop_index(MODEL)
    embed(store)
    assert search(store)


@pytest.mark.parametrize("damaged", [False, True])
def test_the_codes_of_earlier_versions_are_dropped(
    listed: Store, opener: Opener, run_sql: Run, request: pytest.FixtureRequest, damaged: bool
) -> None:
    before = search(listed)
    listed.close()
    run_sql("ALTER TABLE {blocks} ADD COLUMN codes {bytes}")
    add_codes(request, damaged=damaged)
    is_sqlite = request.node.callspec.params["opener"] == "sqlite"
    version = "schema_version" if is_sqlite else "foundry.schema_version"
    run_sql(f"DELETE FROM {version} WHERE version > {33 if is_sqlite else 29}")
    if not is_sqlite:
        PostgresStore(request.getfixturevalue("address"), PROJECT).close()
    store = opener()
    if damaged:
        with pytest.raises(StoreCorrupt, match="checksum"):
            search(store)
        return
    assert search(store) == before
    assert store.verify() == []
    store.save_source(*make_source("y.md", "relay"))
    embed(store)
    assert len(search(store, "relay")) == 10


@pytest.mark.parametrize("opener", ["postgres"], indirect=True)
def test_an_earlier_version_that_still_runs_writes_no_codes_between_the_migrations(
    listed: Store,
    opener: Opener,
    run_sql: Run,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = search(listed)
    run_sql("ALTER TABLE {blocks} ADD COLUMN codes {bytes}")
    add_codes(request, damaged=False)
    run_sql("DELETE FROM foundry.schema_version WHERE version > 29")
    migrate = PostgresTransaction.run_migration

    def stop(db: PostgresTransaction, migration: Migration) -> None:
        if migration.name == "without_codes":
            raise KeyboardInterrupt
        migrate(db, migration)

    address = request.getfixturevalue("address")
    with monkeypatch.context() as patch:
        patch.setattr(PostgresTransaction, "run_migration", stop)
        with pytest.raises(KeyboardInterrupt):
            PostgresStore(address, PROJECT)
    with pytest.raises(psycopg.errors.UndefinedColumn):
        run_sql("UPDATE {blocks} SET codes = codes")
    PostgresStore(address, PROJECT).close()
    assert search(opener()) == before


def add_codes(request: pytest.FixtureRequest, *, damaged: bool) -> None:
    """Give lists codes, and checksums with them as earlier versions had."""
    if request.node.callspec.params["opener"] == "sqlite":
        connection: Any = connect(request.getfixturevalue("database"))
        table, mark = BLOCKS, "?"
    else:
        connection = psycopg.connect(request.getfixturevalue("address"), autocommit=True)
        table, mark = f"foundry.{BLOCKS}", "%s"
    with closing(connection):
        sql = (
            f"SELECT block, version, middle, chunks, numbers FROM {table} WHERE middle IS NOT NULL"
        )
        for block, version, middle, chunks, numbers in connection.execute(sql).fetchall():
            sealed = vectors.seal(version >> 32, middle, chunks, b"codes", numbers)
            values = sealed ^ damaged, b"codes", block
            sql = f"UPDATE {table} SET version = {mark}, codes = {mark} WHERE block = {mark}"
            connection.execute(sql, values)
