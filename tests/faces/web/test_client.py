"""The Python client and ``--server``, against a server on loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from foundry.api import Project, build_json
from foundry.client import Client
from foundry.errors import NotFound, ServerUnreachable, UsageError
from foundry.web.app import make_app
from foundry.web.site import Site
from tests.faces.conftest import Run

FUSE = "What is the rating of the input fuse?"


@pytest.fixture(scope="module")
def server(site: Site) -> Iterator[str]:
    """The address of a server in a thread of this process."""
    running = uvicorn.Server(uvicorn.Config(make_app(site), port=0, log_config=None))
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{running.servers[0].sockets[0].getsockname()[1]}"
    running.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def remote(server: str) -> Iterator[Client]:
    with Client(server) as client:
        yield client


def test_a_client_gets_the_documents_of_the_commands(remote: Client, project: Project) -> None:
    answer = remote.ask(FUSE)
    own = build_json(project.ask(FUSE))
    assert answer.model_dump(mode="json")["sources"] == own["sources"]
    assert remote.search(FUSE).hits[0].source == "sources/datasheet.md"
    assert len(remote.list_sources().sources) == 2


def test_a_client_sees_an_answer_being_made(remote: Client) -> None:
    seen: list[str] = []
    answer = remote.ask(FUSE, on_event=lambda name, _data: seen.append(name))
    assert seen[:3] == ["stage", "search", "stage"]
    assert seen[3:] == ["passage"] * len(answer.passages)
    assert "3.15 A" in str(answer.passages[0].lines)


def test_a_client_keeps_the_turns_of_a_conversation(remote: Client) -> None:
    first = remote.chat(FUSE)
    second = remote.chat("And its supply?", [first])
    assert (first.turn, second.turn) == (1, 2)


def test_an_error_of_the_server_is_raised_as_its_own_kind(remote: Client) -> None:
    with pytest.raises(NotFound):
        remote.get_source("src_none")
    with pytest.raises(UsageError, match="colour"):
        remote.search(FUSE, filters=["colour=red"])


def test_a_wrong_name_of_an_agent_is_corrected(run: Run, server: str) -> None:
    said = run("ask", FUSE, "--agent", "blueprnt", "--server", server).err
    assert "no agent 'blueprnt'" in said
    assert "Did you mean blueprint?" in said


def test_nobody_at_the_address_is_said_clearly() -> None:
    with Client("http://127.0.0.1:9") as client, pytest.raises(ServerUnreachable):
        client.search("fuse")


@pytest.mark.parametrize(
    "words", [("search", FUSE), ("ask", FUSE), ("sources", "list"), ("ask", "Who won?")]
)
def test_a_command_prints_the_same_through_a_server(
    run: Run, server: str, project: Project, words: tuple[str, ...]
) -> None:
    local = run(*words, "--project", project.root)
    through = run(*words, "--server", server)
    assert (through.status, through.out, through.err) == (local.status, local.out, local.err)


def test_a_role_is_that_of_the_token_and_never_ignored(run: Run, server: str) -> None:
    outcome = run("ask", FUSE, "--server", server, "--role", "public")
    assert outcome.status == 2
    assert "from the token" in outcome.err


@pytest.mark.parametrize("words", ["ingest", "doctor", "privacy", "init new"])
def test_a_command_that_needs_the_project_refuses_a_server(
    run: Run, server: str, words: str
) -> None:
    done = run(*words.split(), "--server", server)
    assert done.status == 2
    assert "cannot be done through a server" in done.err


def test_the_example_of_the_documentation_runs(
    server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[3] / "docs" / "http.md").read_text(encoding="utf-8")
    example = page.split("```python\n")[1].split("```")[0]
    exec(example, {"server": server, "token": None})
    assert "3.15 A" in capsys.readouterr().out


def test_a_server_that_names_a_page_twice_does_not_keep_a_client(
    remote: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = httpx.Response(
        200,
        json={
            "sources": [],
            "unread": [],
            "next": "sources/a.md",
            "total": 0,
            "chains": [],
        },
    )
    asked: list[object] = []
    monkeypatch.setattr(remote, "_call", lambda *_args, **given: asked.append(given) or page)
    assert remote.list_sources().sources == []
    # Two pages, and the chains of revisions.
    assert len(asked) == 3
