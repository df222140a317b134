"""A public caller cannot tell whether a project has sources that the caller may not see.

Every command runs in two projects that differ in what is hidden; what it prints and returns must be
the same, byte for byte, but for times and random ids.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.store.server import make_databases
from tests.support.guarded_projects import (
    JSON_PROBES,
    NORMAL,
    PROBES,
    SECRET,
    RoleProject,
    attempt,
    build_projects,
)
from tests.support.local_servers import NO_SERVERS
from tests.support.model_server import ModelServer, Text

Projects = tuple[RoleProject, RoleProject]


@pytest.fixture(scope="session")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Projects:
    """Without and with hidden sources, built once."""
    with pytest.MonkeyPatch.context() as patch:
        for name, place in NO_SERVERS.items():
            patch.setenv(name, place)
        return build_projects(tmp_path_factory.mktemp("roles"))


@pytest.fixture(scope="session")
def databases(address: str, tmp_path_factory: pytest.TempPathFactory) -> Projects:
    """The same in PostgreSQL, used by the application's user, with another project beside them."""
    places = make_databases(address, "roles_plain", "roles_guarded")
    with pytest.MonkeyPatch.context() as patch:
        for name, place in NO_SERVERS.items():
            patch.setenv(name, place)
        return build_projects(tmp_path_factory.mktemp("databases"), places)


@pytest.fixture(autouse=True)
def keep_free_space(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other work writes to the same disk, and the doctor says what is free."""
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)


@pytest.mark.parametrize("words", PROBES, ids=" ".join)
def test_a_public_caller_of_a_team_database_sees_no_difference(
    databases: Projects, tmp_path: Path, words: tuple[str, ...]
) -> None:
    plain, guarded = databases
    place, words = tmp_path / "demo", (*words, "--json")
    assert attempt(guarded, place, words) == attempt(plain, place, words)


@pytest.mark.parametrize("words", PROBES, ids=" ".join)
def test_a_public_caller_sees_no_difference(
    projects: Projects, tmp_path: Path, words: tuple[str, ...]
) -> None:
    plain, guarded = projects
    place = tmp_path / "demo"
    assert attempt(guarded, place, words) == attempt(plain, place, words)


@pytest.mark.parametrize("words", [*PROBES, *JSON_PROBES], ids=" ".join)
def test_a_public_caller_sees_no_difference_in_json(
    projects: Projects, tmp_path: Path, words: tuple[str, ...]
) -> None:
    plain, guarded = projects
    place, words = tmp_path / "demo", (*words, "--json")
    assert attempt(guarded, place, words) == attempt(plain, place, words)


def test_a_public_chat_with_a_follow_up_sees_no_difference(
    projects: Projects, tmp_path: Path
) -> None:
    text = f"{NORMAL}\nAnd its supply?\n{SECRET}\nAnd in euro?\n"
    plain, guarded = projects
    place = tmp_path / "demo"
    assert attempt(guarded, place, ["chat"], text) == attempt(plain, place, ["chat"], text)


def test_a_public_caller_sees_no_difference_with_z_scores(
    projects: Projects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOUNDRY_RETRIEVAL__FUSION", "zscore")
    (plain, guarded), place = projects, tmp_path / "demo"
    words = ("search", NORMAL, "--json")
    assert attempt(guarded, place, words) == attempt(plain, place, words)


@pytest.mark.parametrize("question", [NORMAL, SECRET])
def test_a_model_is_sent_the_same_prompts(
    projects: Projects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    monkeypatch.setenv("FOUNDRY_MODE", "online")
    monkeypatch.setenv("FOUNDRY_GENERATION__MODEL", "openai/scripted")
    monkeypatch.setenv("FOUNDRY_RETRIEVAL__SCORER_MODEL", "openai/scripted")
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    sent = []
    for project in projects:
        with ModelServer(default=Text("The fuse is rated at 3.15 A [S1].")) as server:
            monkeypatch.setenv("OPENAI_API_BASE", server.openai)
            answer = attempt(project, tmp_path / "demo", ("ask", question, "--json"))
            sent.append((answer, [request.body for request in server.chats]))
    assert sent[0] == sent[1]
