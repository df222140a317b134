"""The project's memory behind ``ports.Store``: which address opens which adapter.

Nothing outside this package sees SQL, a connection or an exception of a
database library.
"""

from __future__ import annotations

from pathlib import Path

from foundry.errors import ConfigError
from foundry.ports import Store
from foundry.store.sqlite import SqliteStore

_SQLITE = "sqlite:///"


def open_store(url: str, project: Path, project_id: str, *, read_only: bool = False) -> Store:
    """Open the database at ``url``, made if it is missing, brought up to date if it is older.

    ``sqlite:///PATH`` is relative to the ``project`` folder, ``sqlite:////PATH`` absolute.
    Raises ``StoreCorrupt``, ``SchemaTooNew``, or ``StoreError`` where the database
    cannot be reached or belongs to another project; nothing is overwritten.
    """
    path = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not path or "\0" in path:
        raise ConfigError(
            f"This is no database address that Foundry knows: {url!r}.",
            where="foundry.yaml: storage.url",
            fix="Write sqlite:///PATH, for example sqlite:///.foundry/foundry.db.",
        )
    return SqliteStore(project.resolve() / path, project_id, read_only=read_only)
