"""The SQLite store fulfils the contract."""

from __future__ import annotations

from tests.store.contract import StoreContract


class TestSqlite(StoreContract):
    """The fixture ``store`` is an empty SQLite store."""
