"""Which database address opens which adapter."""

from __future__ import annotations

from pathlib import Path

from foundry.errors import ConfigError
from foundry.ports import Store
from foundry.store.sqlite import SqliteStore

_SQLITE = "sqlite:///"


def open_store(url: str, project: Path, project_id: str, *, read_only: bool = False) -> Store:
    """Open the database at ``url``; create it if missing, migrate it if older.

    ``sqlite:///PATH`` is relative to the ``project`` folder, ``sqlite:////PATH`` absolute. A
    missing database opened with ``read_only`` is empty and is not created. Raises
    ``ConfigError`` for a folder outside the project that does not exist, ``StoreCorrupt``, ``SchemaTooNew``, or ``StoreError`` if the database cannot be
    reached or belongs to another project. It never overwrites a file.
    """
    path = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not path or "\0" in path:
        raise ConfigError(
            f"Not a valid database address: {url!r}.",
            where="foundry.yaml: storage.url",
            fix="Write sqlite:///PATH, for example sqlite:///.foundry/foundry.db.",
        )
    root = project.resolve()
    folder = (root / path).parent
    # A configuration from someone else must not create folders in this user's other files.
    if not folder.is_dir() and not folder.resolve().is_relative_to(root):
        raise ConfigError(
            f"The database is to lie in a folder outside the project that does not exist: {folder}.",
            where="foundry.yaml: storage.url",
            fix="Create the folder, or choose a place inside the project.",
        )
    return SqliteStore(root / path, project_id, read_only=read_only)
