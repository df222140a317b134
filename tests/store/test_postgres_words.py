"""Text search where the server has pg_textsearch: the contract, and hits equal to those of the postings."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from foundry.records import Filters
from foundry.store import Store
from foundry.store.postgres import PostgresStore
from tests.store.contract import (
    FilterContract,
    RoleContract,
    TextSearchContract,
    UpkeepContract,
)
from tests.store.records import PROJECT, embed, make_source, terms
from tests.store.server import TEXTSEARCH, open_server, use_any_textsearch
from tests.store.test_postgres_contract import open_empty

QUESTIONS = ("cable 7", "cable cable lamp", "lamp 3 plug", "plug", "\u00e9t\u00e9 10.5", "wire")
VISIBLE = ("public", "secret")


@pytest.fixture(params=["few", "many"])
def store(
    request: pytest.FixtureRequest, textsearch_address: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """An empty store; with \"many\" its chunks are found by pg_textsearch, however few there are."""
    if request.param == "many":
        monkeypatch.setattr("foundry.store.postgres.indexes.FEW_ROWS", 0)
    with open_empty(textsearch_address) as store:
        yield store


class TestWords(TextSearchContract, FilterContract, RoleContract, UpkeepContract):
    """The fixture ``store`` is an empty PostgreSQL store that uses pg_textsearch."""


@pytest.fixture
def filled(store: Store) -> Store:
    """70 chunks of two levels."""
    texts = [f"cable {n} \u00e9t\u00e9 {n}.5" for n in range(40)]
    store.save_source(*make_source("near.md", *texts, title="Cable plug"))
    lamps = [f"lamp {n} plug" for n in range(30)]
    store.save_source(*make_source("far.txt", *lamps, confidentiality="secret"))
    return store


@pytest.mark.parametrize("role", VISIBLE)
def test_hits_and_scores_equal_those_of_the_postings(
    filled: Store, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = filled.view(role)  # type: ignore[arg-type]
    found = [view.search_text(terms(question), 20, Filters()) for question in QUESTIONS]
    monkeypatch.setattr("foundry.store.postgres.indexes._find_candidates", lambda *_: [])
    assert found == [view.search_text(terms(question), 20, Filters()) for question in QUESTIONS]


def test_a_source_that_is_found_by_words_follows_its_level(filled: Store) -> None:
    source = filled.find_source("near.md")
    assert source
    filled.save_source(*make_source("near.md", "cable 1", confidentiality="secret"))
    assert filled.view("public").search_text(terms("cable"), 5, Filters()) == []
    assert len(filled.search_text(terms("cable"), 5, Filters())) == 1
    assert filled.verify() == []


def test_verify_finds_missing_words_and_a_rebuild_writes_them(
    filled: Store, textsearch_address: str
) -> None:
    with psycopg.connect(textsearch_address) as connection:
        connection.execute("DELETE FROM foundry.chunk_words WHERE chunk % 2 = 0")
    assert [problem.code for problem in filled.verify()] == ["words_differ"]
    filled.rebuild_text_index()
    assert filled.verify() == []


def test_the_status_names_the_way_of_search(filled: Store, textsearch_address: str) -> None:
    embed(filled)
    ways = filled.index_status("test/words").ways
    assert ways.text.code == "index-words-textsearch"
    assert str(ways.text.params["version"]).count(".") == 2


@pytest.fixture
def later(textsearch_address: str) -> Iterator[str]:
    """A database whose project was made before pg_textsearch was installed."""
    with psycopg.connect(textsearch_address, autocommit=True) as connection:
        connection.execute("CREATE DATABASE later")
    url = textsearch_address.replace("/foundry", "/later")
    store = PostgresStore(url, PROJECT)
    store.save_source(*make_source("a.md", "cable", "lamp"))
    store.close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION pg_textsearch")
    yield url
    with psycopg.connect(textsearch_address, autocommit=True) as connection:
        connection.execute("DROP DATABASE later WITH (FORCE)")


def test_an_extension_that_is_installed_later_is_used_after_a_rebuild(later: str) -> None:
    use_any_textsearch(later)
    store = PostgresStore(later, PROJECT)
    assert store.index_status("none").ways.text.code == "index-words-not-built"
    store.rebuild_text_index()
    assert store.index_status("none").ways.text.code == "index-words-textsearch"
    assert store.verify() == []
    store.close()


def test_a_release_that_loses_its_index_at_a_restart_is_not_used(later: str) -> None:
    store = PostgresStore(later, PROJECT)
    store.rebuild_text_index()
    text = store.index_status("none").ways.text
    assert (text.code, text.params["oldest"]) == ("index-words-not-used", "1.3")
    assert len(store.search_text(terms("cable"), 5, Filters())) == 1
    store.close()


@pytest.mark.parametrize(("version", "used"), [("1.2.9", False), ("1.3.0-dev", True), ("2", True)])
def test_releases_are_compared_by_their_numbers(later: str, version: str, used: bool) -> None:
    with psycopg.connect(later, options="-csearch_path=foundry,public") as connection:
        compared = "SELECT version_numbers(%s) >= version_numbers(oldest_textsearch())"
        assert connection.execute(compared, (version,)).fetchone() == (used,)


def test_words_are_found_after_a_restart_that_emptied_their_index(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The release of the wheel comes back with an empty index; the postings answer then."""
    monkeypatch.setattr("foundry.store.postgres.indexes.FEW_ROWS", 0)
    with open_server(TEXTSEARCH) as server:
        with psycopg.connect(f"{server.url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE EXTENSION pg_textsearch")
        store = PostgresStore(f"{server.url}/postgres", PROJECT)
        store.save_source(*make_source("a.md", "cable", "lamp"))
        use_any_textsearch(f"{server.url}/postgres")
        store.rebuild_text_index()
        server.stop()
        server.start()
        assert len(store.search_text(terms("cable"), 5, Filters())) == 1
        store.close()
