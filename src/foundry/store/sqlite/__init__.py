"""The SQLite store: one file per project, text index and vectors inside it.

The class holds the transactions; what happens in them stands in the modules
beside it. Every verb is one transaction, and slow work is done outside.
"""

from foundry.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
