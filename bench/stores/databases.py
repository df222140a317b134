"""The loaded databases of a run: one SQLite file for each size, and databases of one server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any

from bench.stores.copying import copy_project
from bench.stores.generated import DIMENSION, FINGERPRINT, MODEL, PROJECT, write_documents
from bench.stores.loading import load_store
from bench.stores.server import Server, count_cpu, find_wheel, run_server
from foundry.store import Store, open_store
from tests.store.server import OWNER

USER = "foundry_app"
MOST_LOADED = 20_000
"""Chunks above which a server's project is copied: the verbs of an ingest take ten minutes or more."""

STORES = ("sqlite", "postgres", "textsearch")

_USABLE = """SELECT 1 FROM pg_available_extensions WHERE name = 'pg_textsearch'
  AND string_to_array(default_version, '.')::integer[] >= '{1,3}'"""
"""Older releases are not used (decision 38)."""

Figures = dict[str, Any]


class Databases:
    """Opens, loads and rebuilds the stores; the server runs while it is open."""

    def __init__(self, keep: Path) -> None:
        self._keep = keep
        self._stack = ExitStack()
        self._server: Server | None = None

    def __enter__(self) -> Databases:
        if find_wheel():
            self._server = self._stack.enter_context(run_server(self._keep / "server"))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def has(self, way: str) -> bool:
        """Whether the way needs no server, or there is one that has it."""
        if way == "textsearch":
            return self._server is not None and bool(self._server.run(_USABLE))
        return way != "postgres" or self._server is not None

    def describe(self, way: str, size: int) -> dict[str, Any]:
        """Address and server of a way, for a task."""
        if way in ("postgres", "textsearch") and self._server:
            return {"url": self._address(way, size, USER), "server": self._server.process}
        return {"url": "sqlite:///sqlite/foundry.db", "server": 0}

    def _address(self, way: str, size: int, user: str) -> str:
        assert self._server
        return f"{self._server.url}/{way}_{size}".replace("//postgres@", f"//{user}@")

    def _open(self, way: str, folder: Path, size: int, user: str = USER) -> Store:
        if way != "sqlite":
            return open_store(self._address(way, size, user), folder, PROJECT)
        (folder / "sqlite").mkdir(exist_ok=True)
        return open_store("sqlite:///sqlite/foundry.db", folder, PROJECT)

    def _count_cpu(self, way: str) -> float:
        return count_cpu(self._server.process) if self._server and way != "sqlite" else 0.0

    def migrate(self, folder: Path, size: int) -> None:
        """Bring what an older Foundry loaded up to date, which only its owner may."""
        for way in STORES:
            if (folder / f"loaded-{way}.json").exists() and self.has(way):
                self._open(way, folder, size, OWNER).close()

    # Loading

    def load(self, folder: Path, size: int, ways: Sequence[str]) -> Iterator[tuple[str, Figures]]:
        """The figures of loading each store; what was loaded earlier is not loaded again."""
        for way in STORES:
            if way not in ways:
                continue
            noted = folder / f"loaded-{way}.json"
            if not noted.exists():
                figures = self._load(way, folder, size)
                noted.write_text(json.dumps(figures))
            yield way, json.loads(noted.read_text()) | {"mb": self._measure(way, folder, size)}
        built = folder / "lance" / "built.json"
        if built.exists():
            lance = sum(path.stat().st_size for path in built.parent.rglob("*") if path.is_file())
            yield "lance", json.loads(built.read_text()) | {"mb": lance / 1e6}

    def _load(self, way: str, folder: Path, size: int) -> Figures:
        if way == "textsearch":
            return self._convert(folder, size)
        if way == "postgres":
            self._make_database(way, folder, size)
        file = folder / "sqlite/foundry.db"
        figures: Figures = {}
        if way == "postgres" and size > MOST_LOADED and file.exists():
            copy_project(file, folder, self._address(way, size, OWNER))
        else:
            store = self._open(way, folder, size)
            figures = load_store(store, write_documents(size), lambda: self._count_cpu(way))
            store.close()
        self._tidy(way, size)
        return figures

    def _convert(self, folder: Path, size: int) -> Figures:
        """The database with pg_textsearch: a copy, whose text index is rebuilt."""
        assert self._server
        self._server.run(f"DROP DATABASE IF EXISTS textsearch_{size}")
        self._server.run(f"CREATE DATABASE textsearch_{size} TEMPLATE postgres_{size}")
        self._server.run("CREATE EXTENSION pg_textsearch", f"textsearch_{size}")
        owner = self._open("textsearch", folder, size, OWNER)
        owner.rebuild_text_index()
        owner.close()
        self._tidy("textsearch", size)
        return {}

    def _make_database(self, way: str, folder: Path, size: int) -> None:
        assert self._server
        self._server.run(f"DROP DATABASE IF EXISTS {way}_{size}")
        self._server.run(f"CREATE DATABASE {way}_{size}")
        owner = self._open(way, folder, size, OWNER)
        found = self._server.run(f"SELECT 1 FROM pg_roles WHERE rolname = '{USER}'")
        if not found:
            self._server.run(f"CREATE ROLE {USER} LOGIN")
        setup = files("foundry.store") / "sql/postgres/setup/roles.sql"
        self._server.run(setup.read_text().replace(":app", USER), f"{way}_{size}")
        owner.open_index(MODEL, DIMENSION, FINGERPRINT)
        owner.close()

    def _tidy(self, way: str, size: int) -> None:
        """What autovacuum does some minutes later."""
        if self._server and way != "sqlite":
            self._server.run("VACUUM ANALYZE", f"{way}_{size}")

    def _measure(self, way: str, folder: Path, size: int) -> float:
        """Megabytes on disk."""
        if way == "sqlite":
            return (folder / "sqlite/foundry.db").stat().st_size / 1e6
        assert self._server
        [(found,)] = self._server.run(f"SELECT pg_database_size('{way}_{size}')")
        return int(str(found)) / 1e6

    # Rebuilding

    def rebuild(
        self, folder: Path, size: int, ways: Sequence[str]
    ) -> Iterator[tuple[str, Figures]]:
        """Seconds to rebuild the text index and the vector index, of vectors that are at hand."""
        for way in STORES:
            if way in ways and (folder / f"loaded-{way}.json").exists():
                yield way, self._rebuild(way, folder, size)
        for way in ("bm25s", "lance"):
            built = folder / way / "built.json"
            if built.exists():
                yield way, json.loads(built.read_text())

    def _rebuild(self, way: str, folder: Path, size: int) -> Figures:
        store = self._open(way, folder, size, OWNER)
        served, used = self._count_cpu(way), time.process_time()
        started = time.perf_counter()
        store.rebuild_text_index()
        text = time.perf_counter() - started
        cpu = time.process_time() - used + self._count_cpu(way) - served
        vectors = self._rebuild_vectors(way, store, size)
        store.close()
        self._tidy(way, size)
        return {"text_s": text, "text_cpu_s": cpu, "vectors_s": vectors}

    def _rebuild_vectors(self, way: str, store: Store, size: int) -> float:
        """Seconds: by the server's own command, or every vector saved again."""
        if way != "sqlite":
            assert self._server
            database = f"{way}_{size}"
            [(slug,)] = self._server.run("SELECT slug FROM foundry.vector_indexes", database)
            started = time.perf_counter()
            self._server.run(f"REINDEX TABLE foundry.vec_chunks_{slug}", database)
            return time.perf_counter() - started
        saved = 0.0
        store.drop_index(MODEL)
        store.open_index(MODEL, DIMENSION, FINGERPRINT)
        for document in write_documents(size):
            rows = document.list_vectors()
            started = time.perf_counter()
            store.save_vectors(MODEL, rows)
            saved += time.perf_counter() - started
        return saved
