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
