"""``verify`` finds every kind of damage and names the command that fixes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from foundry.errors import StoreCorrupt
from foundry.records import Filters
from foundry.store import Store
from foundry.store.relational.vector_index import make_slug
from foundry.store.sqlite.connections import connect
from tests.store.conftest import Opener
from tests.store.records import DIMENSION, MODEL, embed, make_source, vector

VECTORS = f"vec_chunks_{make_slug(MODEL, DIMENSION)}"
MADE = make_source("a.md", "Cable one.", "Plug two.", title="Wiring", headings=("1 A",))


@pytest.fixture
def damage(database: Path) -> Callable[..., None]:
    """Changes the database behind the store's back."""

    def run(sql: str, values: tuple[object, ...] = ()) -> None:
        connection = connect(database)
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(sql, values)
        connection.close()

    return run


@pytest.fixture
def sound(store: Store) -> Store:
    """A store with one embedded source."""
    store.save_source(*MADE)
    embed(store)
    assert store.verify() == []
    return store


REBUILD = {
    "chunks_without_source": "UPDATE chunks SET source = 99 WHERE position = 0",
    "blocks_without_source": "UPDATE blocks SET source = 99 WHERE position = 0",
    "texts_without_source": "INSERT INTO source_texts VALUES (99, 0, pack('x'))",
    "paths_without_source": "INSERT INTO heading_paths VALUES (99, 0, '[]')",
    "summaries_without_source": "INSERT INTO source_summaries VALUES (99, 'x', 'm')",
    "text_rows_without_chunk": "INSERT INTO postings VALUES (99, 'cabl', 99, x'0000', NULL)",
    "chunks_without_text_row": "DELETE FROM segments; DELETE FROM postings",
    "chunk_terms_differ": "UPDATE chunks SET terms_hash = 'x' WHERE position = 0",
    "lengths_differ": "UPDATE chunks SET terms = 9 WHERE position = 0",
    "statistics_differ": "UPDATE source_statistics SET lengths = x''",
    "text_index_damaged": "UPDATE postings SET codes = x'0400' WHERE term = 'cabl'",
    "vectors_without_chunk": (
        f"INSERT INTO {VECTORS} VALUES (99, 2); INSERT INTO {VECTORS}_blocks "
        f"VALUES (2, 99, NULL, x'6300000000000000', x'{'01' * DIMENSION}')"
    ),
    "vectors_unregistered": "DELETE FROM vector_indexes",
}
REINGEST = {
    "chunk_text_differs": (
        "UPDATE source_texts SET text = pack(replace(unpack(text), 'one', 'two'))"
    ),
    "chunk_content_differs": "UPDATE chunks SET prefix = 'other' WHERE position = 0",
    "chunk_blocks_differ": "UPDATE chunks SET last_block = 9 WHERE position = 0",
    "source_without_summary": "DELETE FROM source_summaries",
}
REEMBED = {
    "vectors_lost": f"UPDATE {VECTORS}_blocks SET numbers = zeroblob(length(numbers))",
    "vectors_without_windows": "DELETE FROM window_vectors WHERE key % (1 << 40) = 1",
    "windows_without_vector": f"DELETE FROM {VECTORS} WHERE chunk = 1",
    "windows_wrong": "UPDATE window_vectors SET codes = x'0001' WHERE key % (1 << 40) = 1",
    "vectors_damaged": f"DROP TABLE {VECTORS}",
}


@pytest.mark.parametrize(("code", "sql"), REBUILD.items())
def test_rebuilding_fixes(sound: Store, damage: Callable[..., None], code: str, sql: str) -> None:
    damage(sql)
    assert _fix(sound, code) == "Run `foundry index rebuild`."
    sound.rebuild_text_index()
    sound.save_source(*MADE)
    assert sound.verify() == []


@pytest.mark.parametrize(("code", "sql"), REINGEST.items())
def test_ingesting_again_fixes(
    sound: Store, damage: Callable[..., None], code: str, sql: str
) -> None:
    damage(sql)
    assert _fix(sound, code) == "Run `foundry sources remove` on it, then `foundry ingest`."
    sound.remove_source(MADE.source.id)
    sound.save_source(*MADE)
    assert sound.verify() == []


@pytest.mark.parametrize(("code", "sql"), REEMBED.items())
def test_embedding_again_fixes(
    sound: Store, damage: Callable[..., None], code: str, sql: str
) -> None:
    damage(sql)
    assert _fix(sound, code) == "Run `foundry index rebuild --embeddings`."
    sound.drop_index(MODEL)
    assert embed(sound) == 2
    assert sound.verify() == []


@pytest.mark.parametrize("codes", ["x'000400'", "x'ffff'", "x'0200'"])
def test_a_search_in_a_damaged_text_index_says_so(
    sound: Store, damage: Callable[..., None], codes: str
) -> None:
    damage(f"UPDATE postings SET codes = {codes} WHERE term = 'cabl'")
    with pytest.raises(StoreCorrupt, match="text index is damaged"):
        sound.search_text(["cabl"], 10, Filters())


def test_a_damaged_source_text_is_an_error(sound: Store, damage: Callable[..., None]) -> None:
    damage("UPDATE source_texts SET text = x'789c00'")
    with pytest.raises(StoreCorrupt):
        sound.source_text(MADE.source.id)
    assert "sources_damaged" in {problem.code for problem in sound.verify()}


def test_a_damaged_file_is_reported_and_not_raised(opener: Opener, database: Path) -> None:
    store = opener()
    store.save_source(*make_source("a.md", *[f"Cable {n} " + "x" * 500 for n in range(60)]))
    store.close()
    content = bytearray(database.read_bytes())
    root = _root_page(database, "chunks")
    content[(root - 1) * 4096 : root * 4096] = b"\xee" * 4096
    database.write_bytes(content)
    found = [one for one in opener().verify() if one.code == "database_damaged"]
    assert re.search(r"Page \d+: never used; and \d+ more\.$", found[0].message)
    assert found[0].message.count("Page") <= 3


def test_a_search_does_not_rank_by_windows_that_were_changed(
    sound: Store, damage: Callable[..., None]
) -> None:
    damage(
        "UPDATE window_vectors SET codes = CAST(substr(codes, 1, 3) || x'01' || substr(codes, 5) AS BLOB)"
    )
    with pytest.raises(StoreCorrupt, match="checksum"):
        sound.search_vectors(MODEL, vector("Cable one."), 10, Filters())
    assert "windows_wrong" in {problem.code for problem in sound.verify()}


def _root_page(database: Path, table: str) -> int:
    connection = apsw.Connection(str(database))
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).get
    connection.close()
    return int(root)


def _fix(store: Store, code: str) -> str:
    """The fix of the problem with that code, whose words must fit its parameters."""
    found = {problem.code: problem for problem in store.verify()}[code]
    assert found.message.endswith(".")
    return found.fix
