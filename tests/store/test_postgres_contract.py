"""The PostgreSQL store fulfils the contract, on a real server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from foundry.records import AuditEvent, Filters
from foundry.store import Store, add_engine
from foundry.store.postgres import PostgresStore
from tests.store.access_contract import TOKEN, WHEN, AccessContract
from tests.store.clock_contract import ClockContract
from tests.store.contract import StoreContract
from tests.store.extraction_contract import ExtractionContract
from tests.store.jobs_contract import JobsContract
from tests.store.ledger_contract import LedgerContract
from tests.store.rebuild_contract import RebuildContract
from tests.store.records import DIMENSION, MODEL, PROJECT, embed, make_source, vector
from tests.store.server import OWNER, empty


@contextmanager
def open_empty(address: str) -> Iterator[Store]:
    """An empty PostgreSQL store, opened by the application's user."""
    store = PostgresStore(address.replace(f"{OWNER}@", "app@"), PROJECT)
    yield store
    store.close()
    with psycopg.connect(address, autocommit=True) as connection:
        empty(connection)


@contextmanager
def open_beside(address: str) -> Iterator[Store]:
    """The store in connections of its own, as another process has it."""
    with closing(PostgresStore(address.replace(f"{OWNER}@", "app@"), PROJECT)) as store:
        yield store


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_empty(address) as store:
        yield store


class TestPostgres(
    StoreContract,
    JobsContract,
    ExtractionContract,
    AccessContract,
    LedgerContract,
    ClockContract,
    RebuildContract,
):
    """The fixture ``store`` is an empty PostgreSQL store."""


def test_a_search_engine_follows_a_project_of_postgresql(store: Store, tmp_path: Path) -> None:
    pytest.importorskip("lancedb")
    store.save_source(*make_source("a.md", "Cable.", "Lamp."))
    embed(store)
    add_engine(store, "lancedb:///.lancedb", "error", tmp_path, PROJECT)
    assert store.rebuild_engine() == 2
    store.remove_source(make_source("a.md", "Cable.").source.id)
    store.save_source(*make_source("b.md", "Plug.", confidentiality="secret"))
    embed(store)
    # What a public search reads of the changed sources is not what the owner's reads.
    assert store.view("public").search_vectors(MODEL, vector("plug"), 9, Filters()) == []
    assert len(store.search_vectors(MODEL, vector("plug"), 9, Filters())) == 1
    store.finish_run(store.start_run({}), {})
    assert store.verify() == []


def test_a_search_engine_serves_a_database_that_another_server_had(
    store: Store, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lancedb")
    monkeypatch.setattr("foundry.store.relational.engine.MOST_BEHIND", 1)
    store.save_source(*make_source("a.md", "Cable.", "Lamp."))
    embed(store)
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE foundry.source_changes SET number = number + 1000000000")
    add_engine(store, "lancedb:///.lancedb", "error", tmp_path, PROJECT)
    store.rebuild_engine()
    assert len(store.search_vectors(MODEL, vector("lamp"), 9, Filters())) == 2


def test_a_writer_does_not_wait_for_one_of_another_source(store: Store, address: str) -> None:
    embed(store)
    made = make_source("a.md", "Cable.")
    with open_beside(address) as other, store._database.writing(sources=["src_other"]):
        other.save_source(*made)
        embed(other)
    assert store.index_status(MODEL).pending == 0


def test_writers_of_the_same_and_of_other_sources_leave_one_consistent_project(
    store: Store, address: str
) -> None:
    names = [f"{letter}.md" for letter in "abcdefgh"]

    def write(number: int) -> None:
        with open_beside(address) as other:
            for name in names[number % 2 :: 2] + names[::3]:
                other.save_source(*make_source(name, f"Cable {number}.", "Plug.", "Lamp."))
                embed(other)

    run = store.start_run({})
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    store.finish_run(run, {})
    assert [source.path for source in store.list_sources()] == names
    assert (store.verify(), store.index_status(MODEL).pending) == ([], 0)


def test_a_statement_without_conditions_sees_one_project_up_to_its_level(
    store: Store, address: str
) -> None:
    store.save_source(*make_source("open.md", "Cable."))
    store.save_source(*make_source("closed.md", "Fuse.", confidentiality="secret"))
    assert isinstance(store, PostgresStore)
    for project, level, seen in ((PROJECT, 3, 2), (PROJECT, 0, 1), ("prj_other", 3, 0)):
        assert _count_rows(address, project, level) == [seen] * 4


def _count_rows(address: str, project: str, level: int) -> list[int]:
    """The rows of four tables, asked for by the application's user without any condition."""
    with psycopg.connect(address.replace(f"{OWNER}@", "app@")) as connection:
        connection.execute(
            "SELECT set_config('foundry.project', %s, true), set_config('foundry.level', %s, true)",
            (project, str(level)),
        )
        tables = ("sources", "chunks", "source_texts", "source_statistics")
        counts = [
            connection.execute(f"SELECT count(*) FROM foundry.{t}").fetchone() for t in tables
        ]
    return [row[0] for row in counts if row]


def test_the_application_cannot_change_the_schema(address: str) -> None:
    with (
        psycopg.connect(address.replace(f"{OWNER}@", "app@")) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("DROP TABLE foundry.sources")


@pytest.mark.parametrize("user", [OWNER, "app"])
@pytest.mark.parametrize("change", ["DELETE FROM {0}", "UPDATE {0} SET who = 'eve'"])
def test_nobody_can_change_or_remove_an_audit_event(
    store: Store, address: str, user: str, change: str
) -> None:
    store.access.add_event(AuditEvent(datetime.now(UTC), "ci", "public", "login", "", "", "done"))
    refusals = (psycopg.errors.RaiseException, psycopg.errors.InsufficientPrivilege)
    with (
        psycopg.connect(address.replace(f"{OWNER}@", f"{user}@")) as connection,
        pytest.raises(refusals),
    ):
        connection.execute(change.format("foundry.audit_events"))


@pytest.mark.parametrize("first", ["revoke", "use"])
def test_a_token_is_revoked_whoever_waited_longer_for_its_row(
    store: Store, address: str, first: str
) -> None:
    store.access.add_token(TOKEN)
    assert store.access.find_token("abc") == TOKEN
    calls = {
        "revoke": lambda: store.access.revoke_token("abc", WHEN),
        "use": lambda: store.access.note_token_use("abc", WHEN),
    }
    with ThreadPoolExecutor(2) as pool, psycopg.connect(address) as holder:
        holder.execute("SELECT 1 FROM foundry.tokens WHERE id = 'abc' FOR UPDATE")
        done = []
        for name in sorted(calls, key=lambda name: name != first):
            done.append(pool.submit(calls[name]))
            await_waiting(address, len(done))
        holder.commit()
        for call in done:
            call.result()
    found = store.access.find_token("abc")
    assert found
    assert found.revoked == WHEN


def await_waiting(address: str, number: int) -> None:
    """Until so many sessions wait for a lock."""
    statement = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with psycopg.connect(address, autocommit=True) as connection:
        while (connection.execute(statement).fetchone() or (0,))[0] < number:
            time.sleep(0.01)


def test_a_lower_level_sees_no_tokens(store: Store, address: str) -> None:
    store.access.add_token(TOKEN)
    assert isinstance(store, PostgresStore)
    for level, seen in ((3, 1), (0, 0)):
        with psycopg.connect(address.replace(f"{OWNER}@", "app@")) as connection:
            connection.execute(
                "SELECT set_config('foundry.project', %s, true),"
                " set_config('foundry.level', %s, true)",
                (PROJECT, str(level)),
            )
            assert connection.execute("SELECT count(*) FROM foundry.tokens").fetchone() == (seen,)


def test_projects_may_have_one_model_with_two_dimensions(store: Store, address: str) -> None:
    store.open_index(MODEL, 2 * DIMENSION, "fp")
    with closing(PostgresStore(address, "prj_other")) as other:
        other.save_source(*make_source("a.md", "cable"))
        assert embed(other) == 1
        other.drop_index(MODEL)


def test_two_long_names_of_models_have_tables_of_their_own(store: Store) -> None:
    store.save_source(*make_source("a.md", "cable"))
    name = "company/embedding-model-with-a-long-name"
    assert [embed(store, f"{name}-{size}") for size in ("small", "large")] == [1, 1]
    store.drop_index(f"{name}-small")
    assert store.index_status(f"{name}-large").vectors == 1


def test_another_process_counts_a_new_source_without_chunks(store: Store, address: str) -> None:
    store.save_source(*make_source("a.md", "Cable."))
    with open_beside(address) as server:
        assert server.index_status(MODEL).sources == 1
        store.save_source(*make_source("empty.md"))
        assert server.index_status(MODEL).sources == 2
