"""The SQLite store fulfils the contract."""

from __future__ import annotations

from tests.store.contract import StoreContract
from tests.store.jobs_contract import JobsContract
from tests.store.ledger_contract import LedgerContract


class TestSqlite(StoreContract, JobsContract, LedgerContract):
    """The fixture ``store`` is an empty SQLite store."""
