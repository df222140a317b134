"""The PostgreSQL store: many projects in one database, with text index and vectors."""

from foundry.store.postgres.connections import describe_address
from foundry.store.postgres.store import PostgresStore
