"""The project's memory behind ``ports.Store``: which address opens which adapter.

Nothing outside this package sees SQL, a connection or an exception of a
database library.
"""

from foundry.store.adapters import open_store

__all__ = ["open_store"]
