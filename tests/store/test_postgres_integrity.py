"""``verify`` names what was changed by hand in a PostgreSQL database, and a rebuild fixes it."""

from __future__ import annotations

from dataclasses import replace

import psycopg
import pytest

from foundry.records import Filters
from foundry.store import Store
from foundry.store.relational.vector_index import make_slug
from tests.store.records import DIMENSION, MODEL, embed, make_source, terms
from tests.store.test_postgres_contract import store

__all__ = ["store"]

VECTORS = f"foundry.vec_chunks_{make_slug(MODEL, DIMENSION)}"
MADE = make_source("a.md", "Cable one.", "Plug two.", title="Wiring", headings=("1 A",))
ONE = "(SELECT min(rowid) FROM foundry.chunks)"

REBUILD = {
    "text_index_damaged": "UPDATE foundry.segments SET whole = overlay(whole PLACING 'x' FROM 40)",
    "statistics_differ": "DELETE FROM foundry.source_statistics",
    "chunks_without_text_row": f"DELETE FROM foundry.chunk_terms WHERE chunk = {ONE}",
    "lengths_differ": f"UPDATE foundry.chunks SET terms = 9 WHERE rowid = {ONE}",
    "chunk_terms_differ": f"UPDATE foundry.chunks SET terms_hash = 'x' WHERE rowid = {ONE}",
}
REEMBED = {
    "vectors_lost": f"UPDATE {VECTORS}_blocks SET numbers = substr(numbers, 2)",
    "windows_without_vector": f"DELETE FROM {VECTORS} WHERE chunk = {ONE}",
    "vectors_without_windows": f"DELETE FROM foundry.window_vectors WHERE chunk = {ONE}",
    "windows_wrong": f"UPDATE foundry.window_vectors SET codes = '\\x0001' WHERE chunk = {ONE}",
}


def damage(address: str, sql: str, store: Store) -> set[str]:
    """The codes of the problems after a statement behind the store's back."""
    store.save_source(*MADE)
    embed(store)
    assert store.verify() == []
    with psycopg.connect(address) as connection:
        connection.execute(sql.encode())
    return {problem.code for problem in store.verify()}


@pytest.mark.parametrize(("code", "sql"), REBUILD.items())
def test_rebuilding_fixes(store: Store, address: str, code: str, sql: str) -> None:
    assert code in damage(address, sql, store)
    store.rebuild_text_index()
    assert store.verify() == []


def test_rows_that_a_restore_without_triggers_left_are_named_and_removed(
    store: Store, address: str
) -> None:
    """Foreign keys are triggers: ``pg_restore --disable-triggers`` turns them off."""
    sql = "SET session_replication_role = replica; DELETE FROM foundry.sources"
    kinds = ("chunks", "blocks", "texts", "paths", "summaries")
    assert {f"{kind}_without_source" for kind in kinds} <= damage(address, sql, store)
    store.rebuild_text_index()
    assert store.verify() == []


@pytest.mark.parametrize(("code", "sql"), REEMBED.items())
def test_embedding_again_fixes(store: Store, address: str, code: str, sql: str) -> None:
    assert code in damage(address, sql, store)
    store.drop_index(MODEL)
    assert embed(store) == 2
    assert store.verify() == []


def test_a_raised_source_leaves_the_segments_of_its_earlier_level(
    store: Store, address: str
) -> None:
    store.save_source(*MADE)
    store.save_source(*make_source("b.md", "Fuse three."))
    store.update_source(replace(MADE[0], confidentiality="secret"))
    with psycopg.connect(address) as connection:
        found = connection.execute("SELECT level, whole FROM foundry.segments").fetchall()
    below = b"".join(whole for level, whole in found if level < 3)
    assert b"fuse" in below
    assert b"cabl" not in below
    assert len(store.search_text(terms("cable"), 5, Filters())) == 1
    assert store.verify() == []


def test_segments_are_merged_and_closed_by_what_is_written(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.store.relational.segments.MOST_CHUNKS", 8)
    monkeypatch.setattr("foundry.store.relational.segments.MOST_SMALL", 2)
    monkeypatch.setattr("foundry.store.postgres.upkeep.MOST_CHUNKS", 8)
    monkeypatch.setattr("foundry.store.postgres.upkeep.MOST_SMALL", 2)
    found = []
    for number in range(12):
        store.save_source(*make_source(f"{number}.md", f"Cable {number}.", f"Plug {number}."))
        found.append(len(store.search_text(terms("cable"), 50, Filters())))
    with psycopg.connect(address) as connection:
        closed = connection.execute("SELECT count(*) FROM foundry.segments WHERE closed = 1")
        assert closed.fetchone() == (2,)
    assert found == list(range(1, 13))
    assert store.verify() == []
