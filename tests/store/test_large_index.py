"""Which terms the SQLite store ignores in a large text index."""

from __future__ import annotations

import pytest

from foundry.records import Filters
from foundry.store import Store, text_ranking
from tests.store.records import make_source, terms

MADE = make_source("a.md", "Cable cable plug.", "Cable plug.", "Cable lamp.", "Lamp.")


@pytest.fixture
def large(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setattr(text_ranking, "LARGE_INDEX", 4)
    store.save_source(*MADE)
    return store


def test_a_term_in_more_than_half_of_the_chunks_is_ignored_beside_a_rarer_one(
    large: Store,
) -> None:
    both = large.search_text(terms("cable lamp"), 10, Filters())
    assert both == large.search_text(terms("lamp"), 10, Filters())


def test_a_term_in_exactly_half_of_the_chunks_counts(large: Store) -> None:
    assert len(large.search_text(terms("plug lamp"), 10, Filters())) == 4


def test_frequent_terms_count_if_there_are_no_others(large: Store) -> None:
    assert len(large.search_text(terms("cable"), 10, Filters())) == 3


def test_a_small_index_ignores_no_terms(store: Store) -> None:
    store.save_source(*MADE)
    assert len(store.search_text(terms("cable lamp"), 10, Filters())) == 4
