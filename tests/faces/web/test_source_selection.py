"""The table of sources: the state of each file, and what is done with many at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project, open_project
from foundry.journeys.access import create_token, list_events
from foundry.journeys.project import init_project
from foundry.journeys.source_files import disk, read_sources, start_tally
from foundry.journeys.work.changes import ChosenSources, Labels, change_sources
from foundry.records import Source
from foundry.web.app import make_app
from foundry.web.site import open_site
from tests.faces.web.test_source_pages import get_row
from tests.support.local_servers import NO_SERVERS

NAMES = ("one", "two", "three")


def name(one: str) -> str:
    return f"sources/{one}.md"


@pytest.fixture
def read(tmp_path: Path) -> Iterator[Project]:
    """A project whose files have been read."""
    root = tmp_path / "read"
    init_project(root, mode="offline", environment=NO_SERVERS)
    for one in NAMES:
        (root / name(one)).write_text(f"# Sheet {one}\n\nThe {one} weighs 8 kg.\n")
    with open_project(root, environment={}) as project:
        project.ingest()
        yield project


@pytest.fixture
def client(read: Project) -> TestClient:
    """The owner, on a server whose worker does not run."""
    return TestClient(make_app(open_site(read.workspace, "127.0.0.1")), base_url="http://127.0.0.1")


def find(project: Project, one: str) -> Source:
    source = project.workspace.store.find_source(name(one))
    assert source
    return source


def change(client: TestClient, **asked: Any) -> Any:
    return client.patch("/api/v2/sources", json=asked)


def send(client: TestClient, act: str, *chosen: str, **fields: str) -> Any:
    """Send the form of the table."""
    data = {"chosen": [name(one) for one in chosen], **fields}
    return client.post(f"/sources/{act}", data=data, follow_redirects=False)


# What the state of a file is


def test_a_file_that_changed_on_disk_says_so_and_can_be_read_again(
    read: Project, client: TestClient
) -> None:
    (read.root / name("one")).write_text("# Sheet one\n\nThe one weighs 9 kg.\n")
    assert "Changed on disk" in get_row(client, "one.md")
    assert "Changed on disk" not in get_row(client, "two.md")
    reply = client.post("/sources/again", data={"one": name("one")}, follow_redirects=False)
    assert reply.headers["location"] == "/sources?done=waiting&n=1"
    assert "Waiting" in get_row(client, "one.md")


def test_a_file_that_was_only_touched_has_not_changed(read: Project, client: TestClient) -> None:
    (read.root / name("one")).touch()
    assert "Changed on disk" not in get_row(client, "one.md")


def test_a_file_that_cannot_be_read_has_changed_so_that_reading_it_says_why(
    read: Project, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(disk, "hash_file", refuse)
    (read.root / name("one")).touch()
    assert "Changed on disk" in get_row(client, "one.md")


def test_new_changed_and_gone_files_are_counted_and_listed(
    read: Project, client: TestClient
) -> None:
    (read.root / name("four")).write_text("# Four\n\nNew.\n")
    (read.root / name("one")).write_text("# Other\n")
    (read.root / name("two")).unlink()
    counted = client.get("/sources/folder").text
    assert all(f"state={state}" in counted for state in ("new", "changed", "gone"))
    assert [
        [one for one in (*NAMES, "four") if get_row(client, f"{one}.md", state=state)]
        for state in ("new", "changed", "gone")
    ] == [["four"], ["one"], ["two"]]


def test_a_file_that_could_not_be_read_has_its_reason_until_it_is_dismissed(
    read: Project, client: TestClient
) -> None:
    (read.root / "sources/empty.md").write_text("")
    read.ingest()
    assert "empty" in get_row(client, "empty.md", state="failed").split('class="state"')[1]
    client.post("/sources/dismiss", data={"one": "sources/empty.md"})
    assert not get_row(client, "empty.md")


def test_cancelling_leaves_the_index_as_it_was(read: Project, client: TestClient) -> None:
    (read.root / name("one")).write_text("# Sheet one\n\nThe one weighs 9 kg.\n")
    before = find(read, "one")
    client.post("/sources/again", data={"one": name("one")})
    client.post("/sources/cancel", data={"one": name("one")})
    assert read.workspace.maintenance().count_open_jobs() == 0
    assert find(read, "one") == before


def test_the_api_lists_the_files_in_a_state(read: Project, client: TestClient) -> None:
    (read.root / name("one")).write_text("# Other\n")
    reply = client.get("/api/v2/sources", params={"state": "changed"}).json()
    assert [one["path"] for one in reply["sources"]] == [name("one")]


# Many at once


def test_tags_are_added_to_many_and_removed_from_many(read: Project, client: TestClient) -> None:
    change(client, sources=[name("one"), name("two")], add_tags=["a", "b"])
    reply = change(client, sources=[name("two")], add_tags=["c"], remove_tags=["a"]).json()
    assert reply == {"changed": [name("two")], "unchanged": [], "failed": []}
    assert [find(read, one).tags for one in NAMES] == [("a", "b"), ("b", "c"), ()]


def test_what_cannot_be_changed_has_its_reason_and_stops_nothing(
    read: Project, client: TestClient
) -> None:
    reply = change(client, sources=["gone.md", name("one")], status="draft").json()
    assert [one["reason"]["code"] for one in reply["failed"]] == ["source-unknown"]
    assert find(read, "one").status == "draft"


def test_all_that_match_are_changed(read: Project, client: TestClient) -> None:
    change(client, sources=[name("two"), name("three")], add_tags=["heavy"])
    matching = {"tag": "heavy", "q": "sheet"}
    reply = change(client, matching=matching, expected=2, confidentiality="secret").json()
    assert sorted(reply["changed"]) == [name("three"), name("two")]
    assert find(read, "one").confidentiality == "public"


def test_another_number_than_was_seen_is_refused(read: Project, client: TestClient) -> None:
    reply = change(client, matching={}, expected=2, confidentiality="secret")
    assert (reply.status_code, reply.json()["error"]["code"]) == (409, "conflict")
    assert find(read, "one").confidentiality == "public"


def test_two_people_who_add_tags_at_once_lose_none(read: Project) -> None:
    store, whole = read.workspace.maintenance(), type(read.workspace.maintenance()).change_sources

    def interrupt(self: Any, ids: Any, labels: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(store), "change_sources", whole)
            change_sources(read.workspace, ChosenSources([name("one")]), Labels(add_tags=("late",)))
        return whole(self, ids, labels)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(store), "change_sources", interrupt)
        change_sources(read.workspace, ChosenSources([name("one")]), Labels(add_tags=("early",)))
    assert find(read, "one").tags == ("late", "early")


@pytest.mark.parametrize("text", ["", "Changed.\n"])
def test_what_is_set_while_the_folder_is_read_stays(read: Project, text: str) -> None:
    workspace, path = read.workspace, read.root / name("one")
    path.write_text(path.read_text() + text)
    tally = start_tally(workspace)
    labels = Labels(add_tags=("late",), confidentiality="secret", status="draft")
    change_sources(workspace, ChosenSources([name("one")]), labels)
    read_sources(tally)
    now = find(read, "one")
    assert (now.tags, now.confidentiality, now.status) == (("late",), "secret", "draft")


def test_sources_are_removed_with_their_files(read: Project, client: TestClient) -> None:
    asked = {"sources": [name("one"), name("two")], "files": True}
    reply = client.post("/api/v2/sources/remove", json=asked).json()
    assert reply["changed"] == asked["sources"]
    assert [path.name for path in (read.root / "sources").glob("*.md")] == ["three.md"]
    assert [one.path for one in read.workspace.store.list_sources()] == [name("three")]


def test_a_file_that_cannot_be_deleted_keeps_its_source(
    read: Project, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.name == "one.md":
            raise PermissionError(13, "Permission denied")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    asked = {"sources": [name("one"), name("two")], "files": True}
    reply = client.post("/api/v2/sources/remove", json=asked).json()
    assert [one["reason"]["code"] for one in reply["failed"]] == ["upload-file-stays"]
    assert reply["changed"] == [name("two")]
    assert find(read, "one")


def test_only_the_owner_changes_many(read: Project, client: TestClient) -> None:
    token = create_token(read.workspace, "eve", "confidential", timedelta(days=1))[1]
    client.headers["Authorization"] = f"Bearer {token}"
    assert change(client, sources=[name("one")], status="draft").status_code == 403
    assert send(client, "change", "one", said="draft").status_code == 403
    assert find(read, "one").status is None
    assert 'formaction="/sources/removal"' not in client.get("/sources").text


def test_the_audit_stream_names_what_was_changed(read: Project, client: TestClient) -> None:
    change(client, matching={"q": "sheet"}, status="draft")
    event, *_ = list_events(read.workspace, 5).events
    assert (event.action, event.subject, event.outcome) == ("source.label", '{"q":"sheet"}', "done")


# The same as forms, without scripts


def test_a_form_changes_the_selected_and_goes_back_to_its_list(
    read: Project, client: TestClient
) -> None:
    reply = send(client, "change", "one", "two", add_tags="a, b", level="internal", q="sheet")
    assert reply.headers["location"] == "/sources?q=sheet&done=changed&n=2"
    assert (find(read, "two").tags, find(read, "two").confidentiality) == (("a", "b"), "internal")
    assert "2 sources were changed." in client.get(reply.headers["location"]).text


def test_a_form_without_a_selection_says_so(client: TestClient) -> None:
    reply = send(client, "change", add_tags="a")
    assert (reply.status_code, "No source is selected." in reply.text) == (400, True)


def test_removal_is_confirmed_first(read: Project, client: TestClient) -> None:
    asked = send(client, "removal", "one", "two")
    assert "Remove 2 sources?" in asked.text
    assert find(read, "one")
    send(client, "remove", "one", "two", files="true")
    assert [one.path for one in read.workspace.store.list_sources()] == [name("three")]


def test_a_question_is_asked_about_the_selected(client: TestClient) -> None:
    reply = send(client, "ask", "one", "two")
    address = reply.headers["location"]
    assert address == "/?filter=source%3Dsources%2Fone.md&filter=source%3Dsources%2Ftwo.md"
    assert f'value="source={name("two")}" checked' in client.get(address).text


def test_a_question_about_all_that_match_has_the_filters_of_the_list(client: TestClient) -> None:
    reply = send(client, "ask", every="true", folder="sources", expected="3")
    assert reply.headers["location"] == "/?filter=folder%3Dsources"
