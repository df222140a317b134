"""``foundry access`` and ``foundry token`` for a folder of projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.journeys.project import init_project
from tests.faces.conftest import Run
from tests.support.local_servers import NO_SERVERS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    init_project(tmp_path / "lift", mode="offline", environment=NO_SERVERS)
    return tmp_path


def test_a_role_is_given_listed_and_withdrawn(run: Run, folder: Path) -> None:
    place = ("--projects", folder, "--project", "lift")
    assert "internal" in run("access", "give", "Ada", "--role", "internal", *place).out
    run("access", "give", "Ada", "--role", "secret", "--projects", folder)
    listed = run("access", "list", "--json", "--projects", folder).json["roles"]
    assert [(one["folder"], one["role"]) for one in listed] == [
        ("", "secret"),
        ("lift", "internal"),
    ]
    assert "lift" in run("access", "withdraw", "Ada", *place).out
    assert "lift" not in run("access", "list", "--projects", folder).out
    assert run("access", "withdraw", "Ada", *place).status == 2


def test_the_list_of_a_project_shows_who_has_a_role_in_all_of_them(run: Run, folder: Path) -> None:
    place = ("--projects", folder, "--project", "lift")
    run("access", "give", "Ada", "--role", "public", *place)
    run("access", "give", "Bob", "--role", "secret", "--projects", folder)
    rows = run("access", "list", *place).out.splitlines()[1:]
    assert [row.split() for row in rows] == [
        ["Ada", "lift", "public"],
        ["Bob", "all", "projects", "secret"],
    ]


@pytest.mark.parametrize("name", ["crane", "..", "lift/../lift", "."])
def test_a_role_in_what_is_no_project_is_refused(run: Run, folder: Path, name: str) -> None:
    given = ("access", "give", "Ada", "--role", "public", "--projects", folder)
    outcome = run(*given, "--project", name)
    assert (outcome.status, "There is no project" in outcome.err) == (2, True)


def test_a_token_for_several_projects_is_no_projects_own(run: Run, folder: Path) -> None:
    made = run("token", "new", "Ada", "--json", "--projects", folder).json
    assert made["role"] == "secret"
    assert "with --projects secret" in run("token", "new", "--help").out
    assert "Ada" in run("token", "list", "--projects", folder).out
    assert "Ada" not in run("token", "list", "--project", folder / "lift").out
    assert run("token", "revoke", "Ada", "--projects", folder).status == 0


def test_a_project_cannot_be_the_folder_of_several(run: Run, folder: Path) -> None:
    outcome = run("access", "list", "--projects", folder / "lift")
    assert (outcome.status, "itself a project" in outcome.err) == (2, True)


def test_one_project_and_all_of_them_cannot_be_meant_at_once(run: Run, folder: Path) -> None:
    words = ("--projects", folder, "--project", "lift")
    for command in (("token", "new", "Anna"), ("token", "list"), ("work", "--drain")):
        assert "--project or --projects" in run(*command, *words).err


@pytest.mark.parametrize(
    "words", [("token", "list"), ("token", "revoke", "Ada"), ("access", "list")]
)
def test_a_role_is_refused_where_the_owner_of_the_server_acts(
    run: Run, folder: Path, words: tuple[str, ...]
) -> None:
    outcome = run(*words, "--projects", folder, "--role", "public")
    assert (outcome.status, "Leave out --role" in outcome.err) == (2, True)
