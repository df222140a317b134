"""The SQLite store: one file per project, with its text index and vectors."""

from foundry.store.sqlite.store import SqliteStore
