"""Vectors kept in memory between searches: the same results, and never those of yesterday."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from foundry.errors import StoreCorrupt
from foundry.ports import ChunkVectors
from foundry.records import Filters, RetrieverHit
from foundry.store import Store
from foundry.store.relational import vector_blocks, vector_index, vectors
from foundry.store.sqlite import SqliteStore
from foundry.store.sqlite.connections import connect
from tests.store.conftest import Opener
from tests.store.records import DIMENSION, MODEL, embed, make_source, terms, vector

EVERYTHING = Filters()
WORDS = ("cable", "plug", "lamp", "fuse", "relay")


def search(store: Store) -> list[RetrieverHit]:
    return store.search_vectors(MODEL, vector("cable plug"), 10, EVERYTHING)


@pytest.fixture
def warm(store: Store) -> Store:
    """A store that keeps its vectors."""
    store.save_source(*make_source("a.md", *WORDS, confidentiality="public"))
    embed(store)
    search(store)
    search(store)
    return store


def test_the_third_search_reads_no_vectors_from_disk(
    warm: Store, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = search(opener())
    monkeypatch.setattr(vectors, "parse_block", None)
    assert search(warm) == fresh


def test_another_process_may_add_vectors(warm: Store, opener: Opener) -> None:
    other = opener()
    made = make_source("b.md", "cable plug")
    other.save_source(*made)
    embed(other)
    assert search(warm)[0].chunk_id == made.ids()[0]
    assert search(warm) == search(warm) == search(opener())


def test_another_process_may_remove_vectors(warm: Store, opener: Opener) -> None:
    opener().save_source(*make_source("a.md", "lamp"))
    assert len(search(warm)) == 1


def test_another_process_may_remove_all_vectors_of_a_block(warm: Store, opener: Opener) -> None:
    with opener()._database.writing() as db:
        index = vector_index.get_index(db, MODEL)
        vector_blocks.delete(db, index, [row for row, _ in vector_blocks.read(db, index)])
    with warm._database.reading() as db:
        assert warm._database.count_vectors(db, vector_index.get_index(db, MODEL)) == 0


def test_damaged_windows_are_an_error_wherever_they_are_read(warm: Store, database: Path) -> None:
    with closing(connect(database)) as connection:
        connection.execute("UPDATE window_vectors SET codes = substr(codes, 2)")
    chunks = [hit.chunk_id for hit in warm.search_text(terms("cable"), 5, EVERYTHING)]
    for read in (warm.get_vectors, warm.get_windows):
        with pytest.raises(StoreCorrupt, match="cannot be read"):
            read(MODEL, chunks)


def test_an_index_made_anew_is_another(warm: Store, opener: Opener) -> None:
    other = opener()
    other.drop_index(MODEL)
    other.open_index(MODEL, DIMENSION, "fp")
    assert search(warm) == []


def test_an_index_made_anew_with_as_many_changes_is_another(
    warm: Store, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "count_candidates", lambda _limit: 1)
    search(warm)
    other = opener()
    other.drop_index(MODEL)
    other.open_index(MODEL, DIMENSION, "fp")
    chunks = [chunk for _, chunk in other.pending_chunks(MODEL, 10)]
    turned = [vector(word) for word in reversed(WORDS)]
    other.save_vectors(
        MODEL,
        [(chunk, ChunkVectors(one, one[None])) for chunk, one in zip(chunks, turned, strict=True)],
    )
    assert search(warm) == search(opener())


def test_a_role_finds_the_same_with_and_without_the_cache(warm: Store, opener: Opener) -> None:
    view, hidden = warm.view("public"), make_source("s.md", "cable", confidentiality="secret")
    warm.save_source(*hidden)
    embed(warm)
    found = [view.search_vectors(MODEL, vector("cable"), 10, EVERYTHING) for _ in range(3)]
    assert found[0] == found[1] == found[2]
    assert len(found[2]) == len(WORDS)


def test_an_index_over_the_limit_is_read_for_every_search(
    warm: Store, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opener()
    assert isinstance(store, SqliteStore)
    store._database.vectors = vectors.VectorCache(vectors.BlockCache(most_bytes=100))
    found = [search(store) for _ in range(3)]
    assert found == [search(warm)] * 3
    monkeypatch.setattr(vectors, "parse_block", None)
    with pytest.raises(TypeError):
        search(store)
