"""A rebuild of the vectors, beside those that searches use."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from foundry.errors import IndexMissing
from foundry.records import Filters
from foundry.store import Store
from tests.store.records import DIMENSION, MODEL, embed, make_source, vector, vectors

EVERYTHING = Filters()


def fill(store: Store, name: str, text: str, limit: int = 1000) -> int:
    """Save the same vector for every pending chunk; returns how many."""
    pending = store.pending_chunks(name, limit)
    return store.save_vectors(name, [(chunk, vectors(text)) for _, chunk in pending])


def count_found(store: Store, text: str) -> int:
    """How many chunks have this vector."""
    hits = store.search_vectors(MODEL, vector(text), 10, EVERYTHING)
    return sum(hit.score > 0.99 for hit in hits)


class RebuildContract:
    def test_searches_use_the_earlier_vectors_until_the_end(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two."))
        embed(store)
        name = store.open_rebuild(MODEL, DIMENSION, "other")
        fill(store, name, "new")
        assert (count_found(store, "One."), count_found(store, "new")) == (1, 0)
        assert store.find_index(MODEL) == "fp"
        assert store.finish_rebuild(MODEL)
        assert (count_found(store, "One."), count_found(store, "new")) == (0, 2)
        assert store.find_index(MODEL) == "other"
        assert (store.verify(), len(store.list_indexes())) == ([], 1)

    def test_an_index_can_be_rebuilt_again_and_again(self, store: Store) -> None:
        made = make_source("a.md", "One.")
        store.save_source(*made)
        embed(store)
        for text in ("first", "second", "third"):
            fill(store, store.open_rebuild(MODEL, DIMENSION, "fp"), text)
            assert store.finish_rebuild(MODEL)
            assert count_found(store, text) == 1
        assert list(store.get_windows(MODEL, made.ids())) == made.ids()
        assert list(store.get_vectors(MODEL, made.ids())) == made.ids()

    def test_an_interrupted_rebuild_goes_on(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two.", "Three."))
        embed(store)
        fill(store, store.open_rebuild(MODEL, DIMENSION, "fp"), "new", limit=2)
        assert fill(store, store.open_rebuild(MODEL, DIMENSION, "fp"), "new") == 1
        assert store.finish_rebuild(MODEL)
        assert count_found(store, "new") == 3

    @pytest.mark.parametrize("change", [(DIMENSION, "other"), (2 * DIMENSION, "fp")])
    def test_an_interrupted_rebuild_of_other_vectors_begins_again(
        self, store: Store, change: tuple[int, str]
    ) -> None:
        store.save_source(*make_source("a.md", "One."))
        embed(store)
        fill(store, store.open_rebuild(MODEL, DIMENSION, "fp"), "new")
        assert len(store.pending_chunks(store.open_rebuild(MODEL, *change), 9)) == 1

    def test_a_rebuild_without_a_vector_that_is_in_use_is_not_finished(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two."))
        embed(store)
        fill(store, store.open_rebuild(MODEL, DIMENSION, "fp"), "new", limit=1)
        assert not store.finish_rebuild(MODEL)
        assert count_found(store, "One.") == 1
        assert store.finish_rebuild(MODEL, anyway=True)
        assert store.index_status(MODEL).pending == 1

    def test_text_that_changes_during_a_rebuild_loses_both_vectors(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two."))
        embed(store)
        fill(store, store.open_rebuild(MODEL, DIMENSION, "fp"), "new")
        store.save_source(*make_source("a.md", "One."))
        assert store.finish_rebuild(MODEL)
        assert count_found(store, "new") == 1
        assert store.verify() == []

    def test_another_fingerprint_is_still_refused_during_a_rebuild(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One."))
        embed(store)
        store.open_rebuild(MODEL, DIMENSION, "other")
        with pytest.raises(IndexMissing):
            store.open_index(MODEL, DIMENSION, "other")

    def test_dropping_an_index_drops_its_rebuild(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One."))
        embed(store)
        store.open_rebuild(MODEL, DIMENSION, "fp")
        store.drop_index(MODEL)
        assert (store.list_indexes(), store.verify()) == ([], [])
        with pytest.raises(IndexMissing):
            store.finish_rebuild(MODEL)

    def test_a_search_always_finds_vectors_during_rebuilds(self, store: Store) -> None:
        store.save_source(*make_source("a.md", "One.", "Two."))
        embed(store)
        counts: list[int] = []
        ended = Event()

        def search() -> None:
            while not ended.is_set():
                hits = store.search_vectors(MODEL, vector("One."), 10, EVERYTHING)
                counts.append(len(hits))

        searches = [Thread(target=search) for _ in range(2)]
        for thread in searches:
            thread.start()
        try:
            for _ in range(5):
                fill(store, store.open_rebuild(MODEL, DIMENSION, "fp"), "new")
                assert store.finish_rebuild(MODEL)
        finally:
            ended.set()
            for thread in searches:
                thread.join()
        assert set(counts) == {2}, set(counts)
