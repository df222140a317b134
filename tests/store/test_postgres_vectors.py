"""Blocks of vectors in PostgreSQL: one level each, many writers, and a role's own view of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace

import numpy as np
import psycopg
import pytest

from foundry.records import Confidentiality, Filters
from foundry.store import Store
from foundry.store.postgres.store import PostgresDatabase, PostgresStore
from foundry.store.relational import vector_blocks, vectors
from foundry.store.relational.database import Transaction, VectorIndex
from foundry.store.relational.sources import delete_source
from foundry.store.relational.vector_index import get_index, make_slug, move_vectors
from foundry.store.relational.vectors import read_heads
from foundry.store.rows import HIGHEST
from tests.store.records import DIMENSION, MODEL, PROJECT, embed, make_source, terms, vector
from tests.store.server import OWNER
from tests.store.test_postgres_contract import await_waiting, open_beside, store

__all__ = ["store"]

VECTORS = f"vec_chunks_{make_slug(MODEL, DIMENSION)}"
BLOCKS = f"{VECTORS}_blocks"


@contextmanager
def as_level(address: str, level: int) -> Iterator[psycopg.Connection]:
    """A session of the application's user, bound to the project and a level."""
    with psycopg.connect(address.replace(f"{OWNER}@", "app@")) as connection:
        connection.execute(
            "SELECT set_config('search_path', 'foundry', true),"
            " set_config('foundry.project', %s, true), set_config('foundry.level', %s, true)",
            (PROJECT, str(level)),
        )
        yield connection


def list_rows(address: str, level: int) -> set[int]:
    """The chunks that a level reads in blocks, which are those that it reads in places."""
    with as_level(address, level) as connection:
        blocks = connection.execute(f"SELECT chunks FROM {BLOCKS}".encode()).fetchall()
        places = connection.execute(f"SELECT chunk FROM {VECTORS}".encode()).fetchall()
    found = {int(row) for (chunks,) in blocks for row in np.frombuffer(chunks, dtype="<i8")}
    assert found == {row for (row,) in places}
    return found


def search(store: Store, words: str, role: Confidentiality = "secret") -> list[str]:
    found = store.view(role).search_vectors(MODEL, vector(words), 10, Filters())
    return [hit.chunk_id for hit in found]


MADE = make_source("a.md", "Cable one.", "Plug two.", confidentiality="internal")


def raise_by_labels(store: Store, level: Confidentiality) -> None:
    store.change_sources([MADE.source.id], lambda source: replace(source, confidentiality=level))


def raise_by_metadata(store: Store, level: Confidentiality) -> None:
    store.update_source(replace(MADE.source, confidentiality=level))


def raise_by_saving(store: Store, level: Confidentiality) -> None:
    changed = replace(MADE.source, confidentiality=level)
    store.save_source(changed, *MADE[1:])


@pytest.mark.parametrize("move", [raise_by_labels, raise_by_metadata, raise_by_saving])
@pytest.mark.parametrize("sorts", [False, True])
def test_vectors_follow_their_source_to_another_level(
    store: Store, address: str, move, sorts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.store.relational.vectors.LARGE", 1 if sorts else 100)
    store.save_source(*MADE)
    store.save_source(*make_source("b.md", "Fuse three.", confidentiality="internal"))
    embed(store)
    store.index_vectors()
    move(store, "secret")
    assert (len(list_rows(address, 1)), len(list_rows(address, 3))) == (1, 3)
    assert len(search(store, "cable", "internal")) == 1
    move(store, "public")
    assert (len(list_rows(address, 0)), len(search(store, "cable", "public"))) == (2, 2)
    assert store.verify() == []


def test_words_follow_their_source_in_the_same_transaction(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.store.postgres.store.tidy_crowded", lambda _db: None)
    store.save_source(*MADE)
    raise_by_labels(store, "public")
    assert len(store.view("public").search_text(terms("cable"), 5, Filters())) == 1


def test_levels_share_the_blocks_in_memory(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.save_source(*MADE)
    store.save_source(*make_source("b.md", "Fuse three.", confidentiality="secret"))
    embed(store)
    assert len(search(store, "fuse")) == 3
    monkeypatch.setattr(vectors, "parse_block", None)
    assert len(search(store, "fuse", "internal")) == 2


def test_the_check_finds_a_vector_at_the_wrong_level(store: Store, address: str) -> None:
    store.save_source(*make_source("b.md", "Fuse three.", confidentiality="secret"))
    embed(store)
    with psycopg.connect(address) as connection:
        connection.execute(f"UPDATE foundry.{BLOCKS} SET level = 0".encode())
        connection.execute(f"UPDATE foundry.{VECTORS} SET level = 0".encode())
    assert "vectors_lost" in {problem.code for problem in store.verify()}


def test_writers_that_change_the_same_blocks_lose_nothing(store: Store, address: str) -> None:
    names = [f"{letter}.md" for letter in "abcdefgh"]
    for name in names:
        store.save_source(*make_source(name, f"Cable {name}.", f"Plug {name}."))
    embed(store)  # one block

    def write(name: str) -> None:
        with open_beside(address) as other:
            for number in range(4):
                other.save_source(*make_source(name, f"Lamp {name} {number}.", f"Plug {name}."))
                embed(other)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, names))
    assert (store.verify(), store.index_status(MODEL).pending) == ([], 0)


def test_who_removes_vectors_waits_for_who_changes_their_block(store: Store, address: str) -> None:
    first, second, third = (make_source(f"{name}.md", f"Cable {name}.") for name in "abc")
    for made in (first, second, third):
        store.save_source(*made)
    embed(store)  # one block
    with ThreadPoolExecutor(1) as pool:
        with store._database.writing(sources=[first.source.id]) as db:
            delete_source(db, first.source.id)
            other = pool.submit(store.remove_source, second.source.id)
            await_waiting(address, 1)
        assert other.result()
    assert len(list_rows(address, HIGHEST)) == 1
    assert store.verify() == []


def test_a_writer_adds_to_another_block_than_one_that_is_not_done(
    store: Store, address: str
) -> None:
    store.save_source(*MADE)
    embed(store)
    store.save_source(*make_source("b.md", "Fuse three."))
    with as_level(address, HIGHEST) as first:
        first.execute(f"SELECT FROM {BLOCKS} FOR UPDATE".encode())
        embed(store)
    assert len(search(store, "fuse")) == 3


def test_a_search_that_began_before_a_change_reads_what_it_saw(store: Store) -> None:
    store.save_source(*MADE)
    embed(store)
    database = store._database
    with database.reading() as db:
        index = get_index(db, MODEL)

        def find() -> list[int]:
            values = {"filters": Filters(), "level": HIGHEST, "exact": False}
            return database.find_nearest(db, index, vector("cable"), 9, **values).tolist()

        before = find()
        store.save_source(*make_source("b.md", "Fuse three."))
        embed(store)
        assert len(search(store, "cable")) == 3
        assert find() == before
    assert len(before) == 2


def test_a_server_without_extensions_is_enough(store: Store, address: str) -> None:
    with psycopg.connect(address) as connection:
        found = connection.execute("SELECT extname FROM pg_extension").fetchall()
    assert found == [("plpgsql",)]
    assert store.list_sources() == []


def test_a_database_restored_on_another_server_is_read_once(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save_source(*MADE)
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE foundry.source_changes SET number = number + 1000000")
    found = search_words(store)
    monkeypatch.setattr("foundry.store.postgres.indexes.read_state", None)
    assert search_words(store) == found != []


def search_words(store: Store) -> list[str]:
    return [hit.chunk_id for hit in store.search_text(terms("cable"), 5, Filters())]


def test_an_interrupted_rebuild_is_noticed(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save_source(*MADE)
    embed(store)
    with psycopg.connect(address) as connection:
        connection.execute(
            "DELETE FROM foundry.chunks WHERE rowid IN (SELECT max(rowid) FROM foundry.chunks)"
        )
    with open_beside(address) as other:
        with other._database.reading() as db:
            assert other._database.count_vectors(db, get_index(db, MODEL)) == 2
        monkeypatch.setattr(PostgresDatabase, "_rebuild_source", None)
        with pytest.raises(TypeError):
            store.rebuild_text_index()
        assert len(search(other, "cable")) == 1


def drop_own(store: Store, _address: str) -> None:
    store.drop_index(MODEL)


def open_another(_store: Store, address: str) -> None:
    with closing(PostgresStore(address, "prj_other")) as other:
        other.open_index(MODEL, DIMENSION, "fp")


@pytest.mark.parametrize("change", [drop_own, open_another])
def test_whoever_changes_the_tables_of_an_index_waits_for_searches(
    store: Store, address: str, change: Callable[[Store, str], None]
) -> None:
    store.save_source(*MADE)
    embed(store)
    PostgresStore(address, "prj_other").close()
    with ThreadPoolExecutor(1) as pool:
        with store._database.reading() as db:
            index = get_index(db, MODEL)
            read_heads(db, index)
            waiting = pool.submit(change, store, address)
            await_waiting(address, 1)
            assert db.run("blocks_of", ("[1]",), vectors=index.table).fetchall() == []
        waiting.result()


def test_who_moves_a_source_and_who_removes_the_same_text_take_turns(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save_source(*MADE)
    store.save_source(*make_source("b.md", "Cable one.", confidentiality="internal"))
    embed(store)
    store.start_run({})
    with open_beside(address) as other, ThreadPoolExecutor(1) as pool:
        others: list[Future[None]] = []
        lamp = make_source("b.md", "Lamp.", confidentiality="internal")

        def move(db: Transaction, source: int) -> None:
            move_vectors(db, source)
            if threading.current_thread() is threading.main_thread():
                others.append(pool.submit(other.save_source, *lamp))
                await_waiting(address, 1)

        monkeypatch.setattr("foundry.store.relational.vector_index.move_vectors", move)
        monkeypatch.setattr("foundry.store.relational.sources.move_vectors", move)
        store.save_source(*make_source("a.md", "Fuse.", confidentiality="secret"))
        others[0].result()
    assert store.verify() == []


@pytest.mark.parametrize("moment", ["list_donors", "read_wholes"])
def test_a_vector_is_not_reused_if_its_text_changes_meanwhile(
    store: Store, address: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lamp = make_source("lamp.md", "Cable one.", prefix="Lamp.")
    for made in (MADE, lamp):
        store.save_source(*made)
    embed(store)

    def change(db: Transaction, index: VectorIndex, rows: list[int]) -> Iterator[tuple[int, bytes]]:
        found = list(read(db, index, rows)) if moment == "read_wholes" else []
        monkeypatch.undo()
        with open_beside(address) as other:
            other.save_annotations(MADE.summary, [replace(MADE.chunk(0), prefix="Lamp.")])
        yield from found or read(db, index, rows)

    read = vector_blocks.read
    monkeypatch.setattr(vector_blocks, "read", change)
    copy = make_source("copy.md", "Cable one.")
    store.save_source(*copy)
    embed(store)
    found = store.get_vectors(MODEL, copy.ids())[copy.ids()[0]]
    assert found.whole @ vector("Cable one.") > 0.99
    assert found.windows[0] @ vector("Cable one.") > 0.99
