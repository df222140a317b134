"""Which database address opens which adapter."""

from __future__ import annotations

from pathlib import Path

from foundry.errors import ConfigError
from foundry.ports import Store
from foundry.store.sqlite import SqliteStore

_SQLITE = "sqlite:///"
_WHERE = "foundry.yaml: storage.url"


def open_store(url: str, project: Path, project_id: str, *, read_only: bool = False) -> Store:
    """Open the database at ``url``; create it if missing, migrate it if older.

    ``sqlite:///PATH`` is relative to the ``project`` folder, ``sqlite:////PATH`` absolute. A
    missing database opened with ``read_only`` is empty and is not created. Raises
    ``ConfigError`` for a folder outside the project that does not exist, ``StoreCorrupt``,
    ``SchemaTooNew``, or ``StoreError`` if the database cannot be reached or belongs to another
    project. It never overwrites a file.
    """
    path = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not path or "\0" in path:
        raise ConfigError("store-address-invalid", where=_WHERE, address=url)
    root = project.resolve()
    folder = (root / path).parent
    # A configuration from someone else must not create folders in this user's other files.
    if not folder.is_dir() and not folder.resolve().is_relative_to(root):
        raise ConfigError("store-folder-outside", where=_WHERE, folder=str(folder))
    return SqliteStore(root / path, project_id, read_only=read_only)
