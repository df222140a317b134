"""A draft reviewed over HTTP: read, edited, remarked on, compared and built, each by whom it may be."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token, parse_period
from foundry.journeys.drafts import get_draft
from foundry.web.app import make_app
from foundry.web.site import open_site
from tests.faces.web.conftest import SECRET_PATH
from tests.journeys.draft_files import FUSE, OUTPUTS, SUPPLY, put_draft

API = "/api/v2/drafts"
FILE = "output/reviewed.md"
OWN = f"{API}/{FILE}"
HOSTILE = [
    "../foundry.yaml",
    "/etc/passwd",
    "sources/datasheet.md",
    "..%2f..%2fetc%2fpasswd",
    "nul",
]


@pytest.fixture(autouse=True)
def draft(project: Project) -> None:
    """A draft that everybody may see, but what is secret."""
    record = put_draft(project.workspace, SUPPLY, FUSE, OUTPUTS, feature=None, file=FILE)
    project.workspace.store.save_draft(replace(record, role="public", notes=()))


@contextmanager
def call_as(project: Project, name: str, role: Any) -> Iterator[TestClient]:
    token = create_token(project.workspace, name, role, parse_period("1d"))[1]
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}"}
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as client:
        yield client


def put(client: TestClient, text: str, tag: str) -> Any:
    return client.put(f"{OWN}/content", json={"markdown": text}, headers={"If-Match": tag})


def test_a_draft_is_read_as_its_page_shows_it(client: TestClient) -> None:
    reply = client.get(f"{OWN}/content")
    content = reply.json()
    assert reply.headers["ETag"] == f'"{content["content_hash"]}"'
    assert [one["text"] for one in content["sentences"]] == [SUPPLY, FUSE, OUTPUTS]
    first = content["sentences"][0]
    assert (first["numbers"], first["edited"], first["verified"]) == ([1], False, True)
    assert (first["quotes"][0]["id"], content["sources"][0]["number"]) == ("S1", 1)


def test_an_edit_gives_the_verdicts_of_what_it_changed(client: TestClient) -> None:
    read = client.get(f"{OWN}/content")
    text = read.json()["markdown"].replace("3.15 A", "4 A")
    edit = put(client, text, read.headers["ETag"]).json()
    (index,) = edit["changed"]
    assert edit["content"]["sentences"][index]["check"]["verdict"] == "contradicted"


def test_of_many_who_edit_one_sentence_the_others_get_the_newer_text(client: TestClient) -> None:
    read = client.get(f"{OWN}/content")
    texts = [read.json()["markdown"].replace("3.15 A", f"{n} A") for n in range(4, 8)]
    with ThreadPoolExecutor(4) as several:
        replies = [*several.map(lambda text: put(client, text, read.headers["ETag"]), texts)]
    (first,) = [one.json()["content"] for one in replies if one.status_code == 200]
    for params in [one.json()["problem"]["params"] for one in replies if one.status_code == 409]:
        assert (params["text"], params["hash"]) == (first["markdown"], first["content_hash"])
    assert sorted(one.status_code for one in replies) == [200, 409, 409, 409]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_path_is_neither_read_nor_written(
    client: TestClient, project: Project, path: str
) -> None:
    before = (project.root / "foundry.yaml").read_bytes()
    for suffix in ("content", "notes", "diff"):
        assert client.get(f"{API}/{path}/{suffix}").status_code in {400, 404}
    reply = client.put(f"{API}/{path}/content", json={"markdown": ""}, headers={"If-Match": "x"})
    assert reply.status_code in {400, 404}
    assert (project.root / "foundry.yaml").read_bytes() == before


def test_a_draft_outside_the_places_of_drafts_is_not_written(
    client: TestClient, project: Project
) -> None:
    record = get_draft(project.workspace, FILE)
    for path in ("sources/datasheet.md", "../outside.md", "features/dx.md"):
        project.workspace.store.save_draft(replace(record, path=path))
        address = f"{API}/{path.replace('..', '%2e%2e')}/content"
        reply = client.put(address, json={"markdown": "x"}, headers={"If-Match": "x"})
        assert reply.status_code in {403, 404}, path
    assert "controller" in (project.root / "sources" / "datasheet.md").read_text()


def test_a_reviewer_remarks_under_the_name_of_its_token(
    client: TestClient, project: Project
) -> None:
    with call_as(project, "eve", "public") as low:
        body = {"sentence": FUSE, "text": "Slow?", "by": "Ada"}
        (note,) = low.post(f"{OWN}/notes", json=body).json()["notes"]
        (done,) = low.patch(f"{OWN}/notes/{note['id']}", json={"resolved": True}).json()["notes"]
    assert (note["by"], note["sentence"], done["resolved"]) == ("eve", 1, "eve")
    assert client.get(OWN).json()["open_notes"] == 0
    assert client.delete(f"{OWN}/notes/{note['id']}").json() == {"notes": []}


def test_a_reviewer_edits_and_accepts_nothing(project: Project) -> None:
    with call_as(project, "reader", "public") as low:
        read = low.get(f"{OWN}/content")
        assert read.status_code == 200
        refused = [put(low, "x", read.headers["ETag"]), low.post(f"{OWN}/accept", json={})]
    codes = {one.json()["problem"]["code"] for one in refused}
    assert codes == {"access-role-too-low"}


def test_a_reviewer_who_may_not_see_a_cited_source_sees_no_draft(
    client: TestClient, project: Project
) -> None:
    source = project.workspace.store.find_source("sources/datasheet.md")
    assert source
    address = f"/api/v2/sources/{source.id}"
    client.patch(address, json={"confidentiality": "internal"})
    try:
        with call_as(project, "low", "public") as low:
            found = [low.get(f"{OWN}/{part}") for part in ("content", "diff", "notes")]
        assert {reply.status_code for reply in found} == {404}
    finally:
        client.patch(address, json={"confidentiality": "public"})


def test_what_changed_since_it_was_read_is_not_accepted(client: TestClient) -> None:
    read = client.get(f"{OWN}/content")
    edit = put(client, read.json()["markdown"].replace(f" {FUSE}[^1]", ""), read.headers["ETag"])
    headers = {"If-Match": read.headers["ETag"]}
    late = client.post(f"{OWN}/accept", json={"by": "Ada"}, headers=headers)
    assert (late.status_code, late.json()["problem"]["params"]["hash"]) == (
        409,
        edit.json()["content"]["content_hash"],
    )
    headers = {"If-Match": edit.headers["ETag"]}
    assert client.post(f"{OWN}/accept", json={"by": "Ada"}, headers=headers).json()["accepted"]


def test_a_statement_that_nobody_can_check_is_accepted_by_its_words_alone(
    client: TestClient,
) -> None:
    read = client.get(f"{OWN}/content")
    text = read.json()["markdown"].replace(FUSE, "The input fuse suits the controller.", 1)
    put(client, text, read.headers["ETag"])
    refused = client.post(f"{OWN}/accept", json={"by": "Ada", "unchecked": ["Another."]})
    assert refused.json()["problem"]["code"] == "draft-unchecked"
    body = {"by": "Ada", "unchecked": ["The input fuse suits the controller."]}
    review = client.post(f"{OWN}/accept", json=body).json()["review"]
    assert review["unchecked"] == body["unchecked"]


def test_a_draft_into_which_secret_words_are_written_is_hidden_from_others(
    client: TestClient, project: Project
) -> None:
    read = client.get(f"{OWN}/content")
    text = f"{read.json()['markdown']}\n[^9]: {SECRET_PATH}\n\n    > Gebruik nooit oplosmiddelen\n"
    edit = put(
        client,
        text.replace("[^1]:", "Gebruik nooit oplosmiddelen.[^9]\n\n[^1]:", 1),
        read.headers["ETag"],
    )
    with call_as(project, "outsider", "public") as low:
        found = [low.get(f"{OWN}/content"), low.get(f"{OWN}/diff"), low.get(OWN)]
    assert (edit.status_code, {reply.status_code for reply in found}) == (200, {404})


def test_two_runs_are_compared(client: TestClient, project: Project) -> None:
    assert client.get(f"{OWN}/diff").status_code == 400
    put_draft(project.workspace, SUPPLY, OUTPUTS, feature=None, file=FILE)
    found = client.get(f"{OWN}/diff").json()
    assert [(one["kind"], one["old"]["text"]) for one in found["changes"]] == [("removed", FUSE)]


def test_what_prevents_a_build_is_told_and_a_built_file_is_downloaded(
    client: TestClient, project: Project
) -> None:
    assert client.get("/api/v2/builds").json()["obstacles"]
    client.post(f"{OWN}/accept", json={"by": "Ada"})
    state = client.get("/api/v2/builds").json()
    assert (state["files"], state["obstacles"]) == ([], [])
    client.post("/api/v2/build", json={"format": "md"})
    (file,) = client.get("/api/v2/builds").json()["files"]
    assert client.get(f"/api/v2/builds/{file['format']}").content.startswith(b"# ")
    assert client.get("/api/v2/builds/pdf").status_code == 404
    with call_as(project, "builder", "public") as low:
        assert low.get("/api/v2/builds").json()["files"] == []
        assert low.get("/api/v2/builds/md").status_code == 403
