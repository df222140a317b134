"""The project's database.

A journey gets a ``StoreView``: the project as one role sees it. The whole ``Store`` is for wiring and
maintenance. Nothing outside this package sees SQL, a connection or an exception of a database
library.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from foundry.config import CONFIG_NAME
from foundry.errors import ConfigError, ExtraMissing, describe_missing, require_extra
from foundry.store.relational.access import AccessStore
from foundry.store.relational.evaluation import EvaluationStore, EvaluationView
from foundry.store.relational.store import MOST_ATTEMPTS, Store
from foundry.store.relational.view import StoreView
from foundry.store.sqlite import SqliteStore

_SQLITE = "sqlite:///"
_POSTGRES = ("postgresql://", "postgres://")
_WHERE = "foundry.yaml: storage.url"
_LANCEDB = "lancedb:///"
_OBJECTS = ("lancedb+s3://", "lancedb+gs://", "lancedb+az://")
_ENGINE = "foundry.yaml: storage.engine_url"


def open_store(
    url: str, project: Path, project_id: str, *, read_only: bool = False, command: str = "python"
) -> Store:
    """Open the database at ``url``; create it if missing, migrate it if older.

    ``sqlite:///PATH`` is relative to the ``project`` folder, ``sqlite:////PATH`` absolute. A
    missing file opened with ``read_only`` is empty and is not created; an existing one is never
    overwritten. ``postgresql://USER@HOST:PORT/DATABASE`` needs the extra ``postgres``; passwords
    come from where libpq looks for them (PGPASSWORD, ~/.pgpass). Processes that wait for this one
    show its ``command``. Raises ``ConfigError`` for another address, an address with a password, a
    missing extra or a folder outside the project that does not exist, ``StoreCorrupt``,
    ``SchemaTooNew``, or ``StoreError`` if the database cannot be reached or belongs to another
    project.
    """
    if url.startswith(_POSTGRES):
        return _open_server(url, project_id, command, read_only=read_only)
    path = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not path or "\0" in path:
        raise ConfigError("store-address-invalid", where=_WHERE, address=url)
    root = project.resolve()
    folder = (root / path).parent
    # A configuration from someone else must not create folders in this user's other files.
    if not folder.is_dir() and not folder.resolve().is_relative_to(root):
        raise ConfigError("store-folder-outside", where=_WHERE, folder=str(folder))
    return SqliteStore(root / path, project_id, read_only=read_only, command=command)


def add_engine(
    store: Store, url: str, fallback: Literal["store", "error"], project: Path, project_id: str
) -> None:
    """Have the search engine at ``url`` find vectors; an empty address means none.

    ``lancedb:///PATH`` is relative to the ``project`` folder, ``lancedb:////PATH`` absolute;
    ``lancedb+s3://BUCKET/PATH``, ``+gs`` and ``+az`` are object storage, with keys from the
    environment. Raises ``ConfigError`` for another address, a folder in another project, or one
    outside the project that does not exist.
    """
    if not url:
        return
    path = url.removeprefix(_LANCEDB)
    if url.startswith(_OBJECTS) and urlsplit(url).netloc and "@" not in url:
        place = url.removeprefix("lancedb+")
    elif url.startswith(_LANCEDB) and path and "\0" not in path:
        root = project.resolve()
        folder = root / path
        if not folder.is_dir() and not folder.resolve().is_relative_to(root):
            raise ConfigError("store-folder-outside", where=_ENGINE, folder=str(folder))
        if not folder.resolve().is_relative_to(root) and _is_in_project(folder.resolve()):
            raise ConfigError("engine-foreign", where=_ENGINE)
        place = str(folder)
    else:
        raise ConfigError("engine-address-invalid", where=_ENGINE, address=url)
    require_extra("lancedb", where=_ENGINE)
    # Imported here: few projects have one.
    from foundry.store.lance import LanceEngine
    from foundry.store.relational.engine import SearchEngine

    store.use_engine(SearchEngine(LanceEngine(place, project_id), fallback))


def _is_in_project(folder: Path) -> bool:
    return any((place / CONFIG_NAME).is_file() for place in (folder, *folder.parents))


def _open_server(url: str, project_id: str, command: str, *, read_only: bool) -> Store:
    try:
        # Imported here: an extra, and SQLite needs none of it.
        from foundry.store.postgres import PostgresStore, describe_address
    except ImportError as error:
        raise ExtraMissing(describe_missing("postgres"), where=_WHERE) from error
    try:
        parts, _ = urlsplit(url), describe_address(url)
    except ValueError as error:
        raise ConfigError("store-address-invalid", where=_WHERE, address=url) from error
    if parts.password or "password=" in parts.query:
        raise ConfigError("store-address-password", where=_WHERE)
    if not parts.path.strip("/"):
        raise ConfigError("store-address-invalid", where=_WHERE, address=url)
    return PostgresStore(url, project_id, read_only=read_only, command=command)
