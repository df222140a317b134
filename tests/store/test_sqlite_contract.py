"""The SQLite store fulfils the contract."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from foundry.ports import Store
from tests.store.contract import StoreContract
from tests.store.jobs_contract import Expire, JobsContract
from tests.store.ledger_contract import LedgerContract


@pytest.fixture
def expire(store: Store, database: Path) -> Expire:
    def move(lease: float, started: float = 0) -> None:
        connection = apsw.Connection(str(database))
        connection.execute(
            "UPDATE jobs SET lease = unixepoch('subsec') + ?, started = unixepoch('subsec') + ?",
            (lease, started),
        )
        connection.close()

    return move


class TestSqlite(StoreContract, JobsContract, LedgerContract):
    """The fixture ``store`` is an empty SQLite store."""
