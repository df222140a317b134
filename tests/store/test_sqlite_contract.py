"""The SQLite store fulfils the contract."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from foundry.records import AuditEvent
from foundry.store import Store
from tests.store.access_contract import AccessContract
from tests.store.clock_contract import ClockContract
from tests.store.contract import StoreContract
from tests.store.extraction_contract import ExtractionContract
from tests.store.jobs_contract import JobsContract
from tests.store.ledger_contract import LedgerContract
from tests.store.rebuild_contract import RebuildContract
from tests.store.records import embed, make_source


class TestSqlite(
    StoreContract,
    JobsContract,
    ExtractionContract,
    AccessContract,
    LedgerContract,
    ClockContract,
    RebuildContract,
):
    """The fixture ``store`` is an empty SQLite store."""


def test_an_audit_event_can_be_neither_changed_nor_removed(store: Store, database: Path) -> None:
    store.access.add_event(AuditEvent(datetime.now(UTC), "ci", "public", "login", "", "", "done"))
    connection = apsw.Connection(str(database))
    for statement in ("DELETE FROM audit_events", "UPDATE audit_events SET who = 'eve'"):
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_windows_go_with_their_chunk_and_no_other_row_is_read(store: Store, database: Path) -> None:
    store.save_source(*make_source("a.md", "One.", "Two."))
    embed(store)
    connection = apsw.Connection(str(database))
    plan = list(connection.execute("EXPLAIN QUERY PLAN DELETE FROM chunks WHERE rowid = 1"))
    assert [detail.split()[0] for *_, detail in plan] == ["SEARCH"]
    counted = "SELECT count(*) FROM window_vectors"
    for statement, left in (("chunks WHERE rowid = 1", 1), ("vector_indexes", 0)):
        connection.execute(f"DELETE FROM {statement}")
        assert connection.execute(counted).get == left
    connection.close()
