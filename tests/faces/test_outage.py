"""The server of a team's database is stopped in the middle of work, and started again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient

from foundry.errors import StoreUnavailable
from foundry.journeys.ask import ask, ask_streaming
from foundry.journeys.index import rebuild_embeddings
from foundry.journeys.ingest import ingest
from foundry.journeys.project import init_project
from foundry.journeys.work import enqueue, work
from foundry.ports import Progress, Step
from foundry.store.postgres import connections
from foundry.web.app import make_app
from foundry.web.site import open_site
from foundry.workspace import Workspace, open_workspace
from tests.store.server import Server, has_server, open_server
from tests.support.local_servers import NO_SERVERS

NAMES = [f"sources/{letter}.md" for letter in "abc"]
QUESTION = "What voltage does the cable of a.md carry?"

pytestmark = pytest.mark.skipif(not has_server(), reason="no wheel with PostgreSQL")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with open_server() as server:
        yield server


@pytest.fixture
def workspace(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspace]:
    """A project in a database of its own, with three files that were not read yet."""
    monkeypatch.setattr(connections, "CONNECT_S", 1)
    with psycopg.connect(f"{server.url}/postgres", autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS team WITH (FORCE)")
        connection.execute("CREATE DATABASE team")
    init_project(tmp_path, mode="offline", environment=NO_SERVERS)
    for name in NAMES:
        (tmp_path / name).write_text(f"# {name}\n\nCable of {name} carries 12 V.\n", "utf-8")
    environment = {"FOUNDRY_STORAGE__URL": f"{server.url}/team", **NO_SERVERS}
    with open_workspace(tmp_path, environment=environment, cwd=tmp_path) as opened:
        yield opened


def act(**actions: Callable[[], object]) -> Progress:
    """A callback that acts once in each of the phases of the work."""

    def show(step: Step) -> None:
        actions.pop(step.phase, lambda: None)()

    return show


@pytest.mark.parametrize("phase", ["read", "embed"])
def test_an_ingest_fails_clearly_and_the_next_one_completes_it(
    server: Server, workspace: Workspace, phase: str
) -> None:
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        ingest(workspace, progress=act(**{phase: server.stop}))
    server.start()
    assert ingest(workspace).pending == 0
    assert [source.path for source in workspace.store.list_sources()] == NAMES
    assert workspace.maintenance().verify() == []


def test_a_rebuild_fails_clearly_and_the_next_one_completes_it(
    server: Server, workspace: Workspace
) -> None:
    ingest(workspace)
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        rebuild_embeddings(workspace, act(embed=server.stop))
    server.start()
    assert rebuild_embeddings(workspace) == len(NAMES)
    assert workspace.maintenance().verify() == []


def test_an_answer_fails_clearly_and_the_next_one_comes(
    server: Server, workspace: Workspace
) -> None:
    ingest(workspace)
    stream = ask_streaming(workspace, QUESTION)
    next(stream)
    server.stop()
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        ask(workspace, QUESTION)
    stream.close()
    server.start()
    assert "12 V" in str(ask(workspace, QUESTION).passages[0].lines)


def test_a_worker_takes_up_again_and_does_each_job_once(
    server: Server, workspace: Workspace
) -> None:
    enqueue(workspace)
    away = act(embed=server.stop, wait=server.start)
    assert work(workspace, drain=True, progress=away) == len(NAMES)
    assert {job.status for job in workspace.maintenance().list_jobs()} == {"done"}
    assert workspace.maintenance().verify() == []


def test_a_server_of_pages_answers_again_soon_after_an_outage(
    server: Server, workspace: Workspace
) -> None:
    ingest(workspace)
    with TestClient(
        make_app(open_site(workspace, "127.0.0.1")), base_url="http://127.0.0.1"
    ) as web:
        server.stop()
        failed = web.post("/api/v2/ask", json={"question": QUESTION})
        assert failed.status_code == 503
        assert failed.json()["error"]["code"] == "store_unavailable"
        # Long enough for the pool to wait ever longer between its attempts.
        time.sleep(2.5)
        server.start()
        assert web.post("/api/v2/ask", json={"question": QUESTION}).status_code == 200
