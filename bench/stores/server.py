"""A PostgreSQL server whose databases stay in a folder, and what its processes use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import psutil
import psycopg

from bench.stores.generated import DIMENSION, FINGERPRINT, MODEL, PROJECT
from foundry.store import open_store
from tests.store.server import OWNER, PLAIN, TEXTSEARCH, Wheel, has_server, open_server

USER = "foundry_app"
SETTINGS = (
    "shared_buffers=1GB",
    "maintenance_work_mem=512MB",
    "effective_cache_size=4GB",
    "max_wal_size=4GB",
)
"""What a server of a few gigabytes is usually given; everything else is PostgreSQL's default."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its address without a database, and its first process."""

    url: str
    process: int

    def run(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run one statement by itself; its rows."""
        with psycopg.connect(f"{self.url}/{database}", autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def address(self, database: str, user: str = USER) -> str:
        return f"{self.url}/{database}".replace("//postgres@", f"//{user}@")

    def make_project(self, database: str, folder: Path) -> None:
        """A database with an empty project, for a user who is neither owner nor superuser."""
        self.run(f"DROP DATABASE IF EXISTS {database}")
        self.run(f"CREATE DATABASE {database}")
        owner = open_store(self.address(database, OWNER), folder, PROJECT)
        if not self.run(f"SELECT 1 FROM pg_roles WHERE rolname = '{USER}'"):
            self.run(f"CREATE ROLE {USER} LOGIN")
        setup = files("foundry.store") / "sql/postgres/setup/roles.sql"
        self.run(setup.read_text().replace(":app", USER), database)
        owner.open_index(MODEL, DIMENSION, FINGERPRINT)
        owner.close()


def count_cpu(process: int) -> float:
    """Seconds of processor time of a server's processes so far; ``process`` is the first, or 0."""
    if not process:
        return 0.0
    first = psutil.Process(process)
    ended = first.cpu_times()
    spent = ended.children_user + ended.children_system
    return float(spent + sum(map(_count_own, [first, *first.children()])))


def _count_own(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def count_bytes(process: int) -> int:
    """Memory of all its processes; what they share counts once."""
    total = 0
    first = psutil.Process(process) if process else None
    for one in [first, *first.children()] if first else ():
        try:
            total += one.memory_full_info().pss
        except psutil.Error:
            continue
    return total


def find_wheel() -> Wheel | None:
    """The installed wheel with a server, that with pg_textsearch first."""
    return next(filter(has_server, (TEXTSEARCH, PLAIN)), None)


@contextmanager
def run_server(folder: Path) -> Iterator[Server | None]:
    """The server of a folder, made if it is new; None without a wheel."""
    wheel = find_wheel()
    if wheel is None:
        yield None
        return
    with open_server(wheel, durable=True, keep=folder, settings=SETTINGS) as server:
        yield Server(server.url, server.process)
