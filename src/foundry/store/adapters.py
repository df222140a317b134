"""Which database address opens which adapter."""

from __future__ import annotations

from pathlib import Path

from foundry.errors import ConfigError
from foundry.ports import Store
from foundry.store.sqlite import SqliteStore

_SQLITE = "sqlite:///"


def open_store(url: str, project: Path, project_id: str, *, read_only: bool = False) -> Store:
    """Open the database at ``url``; create it if missing, migrate it if older.

    ``sqlite:///PATH`` is relative to the ``project`` folder, ``sqlite:////PATH`` absolute.
    Raises ``StoreCorrupt``, ``SchemaTooNew``, or ``StoreError`` if the database cannot be
    reached or belongs to another project. It never overwrites a file.
    """
    path = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not path or "\0" in path:
        raise ConfigError(
            f"Not a valid database address: {url!r}.",
            where="foundry.yaml: storage.url",
            fix="Write sqlite:///PATH, for example sqlite:///.foundry/foundry.db.",
        )
    return SqliteStore(project.resolve() / path, project_id, read_only=read_only)
