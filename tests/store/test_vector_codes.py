"""Codes: what a large index compares first, in memory and as the store uses them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from foundry.errors import StoreCorrupt
from foundry.ports import Vectors
from foundry.records import Filters, RetrieverHit
from foundry.store import Store
from foundry.store.sqlite import indexes, vectors
from foundry.store.sqlite.connections import connect
from foundry.store.sqlite.store import SqliteDatabase
from foundry.store.sqlite.vectors import Kept
from foundry.store.vector_codes import choose_best, encode, estimate, make_frame
from tests.store.conftest import Opener
from tests.store.records import MODEL, embed, make_source, vector

EVERYTHING = Filters()


def make_vectors(number: int) -> Vectors:
    """Vectors of 100 numbers around 30 centres, of length 1."""
    rng = np.random.default_rng(5)
    made = rng.normal(size=(30, 100))[rng.integers(0, 30, number)] + rng.normal(size=(number, 100))
    scaled: Vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def test_the_ten_nearest_are_among_a_tenth_of_the_estimates() -> None:
    made = make_vectors(4000)
    small = np.rint(made * 300).astype(np.int8)
    lengths = np.linalg.norm(small.astype(np.float32), axis=1)
    frame = make_frame(made)
    codes = encode(frame, small, lengths)
    found = 0
    for query in made[:50]:
        best = np.argsort(-(small @ query) / lengths)[:10]
        found += len(np.intersect1d(best, choose_best(estimate(frame, codes, query), 400)))
    assert found >= 0.98 * 500


def test_hidden_places_are_never_chosen() -> None:
    estimates = np.array([-np.inf, 1, -np.inf, 2], dtype=np.float32)
    assert choose_best(estimates, 4).tolist() == [1, 3]


@pytest.fixture
def coded(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store whose index has codes, with two segments."""
    monkeypatch.setattr(vectors, "LARGE", 1)
    monkeypatch.setattr(vectors, "SEGMENT", 1)
    monkeypatch.setattr(vectors, "count_compared", lambda _number, _wanted: 16)
    store.save_source(*make_source("a.md", *[f"cable {n}" for n in range(1100)]))
    store.save_source(*make_source("z.md", "plug lamp"))
    while embed(store):
        pass
    search(store)
    search(store)
    return store


def get_kept(store: Store) -> Kept:
    database = store._database
    assert isinstance(database, SqliteDatabase)
    kept = database.vectors._kept
    assert kept is not None
    return kept


def search(store: Store, words: str = "plug lamp") -> list[RetrieverHit]:
    return store.search_vectors(MODEL, vector(words), 10, EVERYTHING)


def test_codes_find_the_nearest_chunk(coded: Store) -> None:
    assert len(get_kept(coded).codes) == 2
    exact = coded.view("secret", exact=True)
    nearest = exact.search_vectors(MODEL, vector("plug lamp"), 10, EVERYTHING)
    assert search(coded)[0] == nearest[0]


def test_a_removed_chunk_is_never_found(coded: Store, opener: Opener) -> None:
    gone = search(coded)[0].chunk_id
    opener().save_source(*make_source("z.md", "fuse"))
    assert gone not in {hit.chunk_id for hit in search(coded)}


def test_another_process_adds_what_is_found(coded: Store, opener: Opener) -> None:
    other, made = opener(), make_source("y.md", "relay")
    other.save_source(*made)
    embed(other)
    assert search(coded, "relay")[0].chunk_id == made.ids()[0]


def test_only_what_changed_is_read_again(coded: Store, opener: Opener) -> None:
    before = get_kept(coded).segments
    other = opener()
    other.save_source(*make_source("y.md", "relay"))
    embed(other)
    search(coded)
    after = get_kept(coded).segments
    assert (after[0] is before[0], after[1] is before[1]) == (True, False)
    assert search(coded, "relay") == search(opener(), "relay")


def test_a_filter_that_leaves_few_compares_all_of_them(coded: Store) -> None:
    only = Filters(sources=("z.md",))
    found = coded.search_vectors(MODEL, vector("cable 1"), 10, only)
    assert len(found) == 1


def test_the_index_says_how_much_it_finds(coded: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert coded.measure_overlap(MODEL, 2) is None
    monkeypatch.setattr(indexes, "LARGE", 1)
    assert coded.measure_overlap(MODEL, 2) in range(21)


def test_a_truncated_block_is_an_error_with_a_repair(store: Store, database: Path) -> None:
    store.save_source(*make_source("a.md", "cable"))
    embed(store)
    index = "vec_chunks_test_words_b65a6e94_vector_chunks00"
    connection = connect(database)
    connection.execute(f"UPDATE {index} SET vectors = substr(vectors, 9)")
    connection.close()
    with pytest.raises(StoreCorrupt, match="cannot be read"):
        search(store)
    assert "vectors_lost" in {problem.code for problem in store.verify()}
    store.drop_index(MODEL)
    embed(store)
    assert search(store)
