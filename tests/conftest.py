"""What all tests of a process share: servers of PostgreSQL, readers, known vectors, empty databases."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import apsw

    from foundry.models.e5.engines import BuiltinModel
    from foundry.ports import Vectors
    from foundry.store.relational.database import Migration
    from tests.store.server import Wheel

# Before anything imports jsonschema, and for each process that a test starts.
LEFT_OUT = str(Path(__file__).parent / "support" / "left_out")
sys.path.insert(0, LEFT_OUT)
os.environ["PYTHONPATH"] = os.pathsep.join(
    [LEFT_OUT, *filter(None, [os.environ.get("PYTHONPATH")])]
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected lives to the end: nothing of it is searched for cycles, now or later.

    Other objects are searched less often than by default, for which a tenth of all time went.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session", autouse=True)
def _forked_parsers() -> Iterator[None]:
    """Parser processes start at once; ``tests/readers/test_workers.py`` has those of the program."""
    # Elsewhere a process with these libraries may not be forked.
    if sys.platform != "linux":
        yield
        return
    from foundry.readers import workers
    from tests.support.parser_start import ForkedParser

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "_start_process", ForkedParser)
        yield


@pytest.fixture(scope="session", autouse=True)
def _known_vectors() -> Iterator[None]:
    """The built-in model encodes a text once in a process: its vector depends on nothing else."""
    from foundry.models import builtin_model

    encode = builtin_model.embed_text
    all_known: dict[int, tuple[BuiltinModel, dict[str, Vectors]]] = {}

    def look_up(model: BuiltinModel, text: str) -> Vectors:
        # The model is kept, so that no other one gets its id.
        _, known = all_known.setdefault(id(model), (model, {}))
        if text not in known:
            known[text] = encode(model, text)
        return known[text].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtin_model, "embed_text", look_up)
        yield


@pytest.fixture(scope="session", autouse=True)
def _known_settings() -> Iterator[None]:
    """A settings file that was parsed once is not parsed again: most commands read the same."""
    from foundry.config import yaml_text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_text, "compose_yaml", lru_cache(64)(yaml_text.compose_yaml))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_flushes() -> Iterator[None]:
    """Nothing waits for the disk: what is killed loses nothing by it, and no test cuts the power."""
    from foundry.store.sqlite import connections

    settings = connections._SETTINGS
    fast = settings.replace("synchronous = FULL", "synchronous = OFF")
    assert fast != settings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "_SETTINGS", fast)
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _migrated_once() -> Iterator[None]:
    """A new SQLite database is a copy of one that was migrated; ``test_opening.py`` migrates each."""
    from foundry.store.sqlite import schema

    migrate = schema._fill
    templates: dict[tuple[Migration, ...], apsw.Connection] = {}
    alone = threading.Lock()

    def copy(connection: apsw.Connection, project: str, migrations: Sequence[Migration]) -> None:
        with alone:
            if (template := templates.get(tuple(migrations))) is None:
                template = schema.connect(Path(":memory:"), create=True)
                migrate(template, "", migrations)
                templates[tuple(migrations)] = template
            with connection.backup("main", template, "main") as pages:
                pages.step()
        connection.execute("UPDATE meta SET value = ? WHERE key = 'project_id'", (project,))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_fill", copy)
        yield
        templates.clear()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A migrated database, as its owner reaches it; the user ``app`` has what roles.sql grants."""
    # Imported here: few tests need a server.
    from tests.store.server import PLAIN

    with _serve(PLAIN) as url:
        yield url


@pytest.fixture(scope="session")
def textsearch_address() -> Iterator[str]:
    """The same on a server that has pg_textsearch."""
    from tests.store.server import TEXTSEARCH

    with _serve(TEXTSEARCH, "pg_textsearch") as url:
        yield url


@contextmanager
def _serve(wheel: Wheel, *extensions: str) -> Iterator[str]:
    import psycopg

    from foundry.store.postgres import PostgresStore
    from tests.store.records import PROJECT
    from tests.store.server import (
        grant,
        has_server,
        make_role,
        run_server,
        use_any_textsearch,
    )

    if not has_server(wheel):
        pytest.skip("no wheel with PostgreSQL for this platform")
    with run_server(wheel) as url:
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE foundry")
        make_role(url)
        with psycopg.connect(f"{url}/foundry", autocommit=True) as connection:
            for name in extensions:
                connection.execute(f"CREATE EXTENSION {name}".encode())
        store = PostgresStore(f"{url}/foundry", PROJECT)
        if extensions:
            use_any_textsearch(f"{url}/foundry")
            store.rebuild_text_index()
        store.close()
        grant(f"{url}/foundry")
        yield f"{url}/foundry"
