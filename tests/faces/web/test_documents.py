"""Specifications and drafts over HTTP, and who signs for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.errors import RuleError
from foundry.journeys.access import create_token, parse_period
from foundry.web.app import make_app
from foundry.web.routes import files
from foundry.web.site import open_site
from tests.faces.web.test_questions import read_events

SPECIFICATION = """---
title: The DX-4
owner: Ada
sections:
  - Supply
---

What an installer needs to know.
"""
OWN = "/api/v2/features/dx4"


@pytest.fixture(scope="module", autouse=True)
def feature(project: Project) -> None:
    (project.root / "features" / "dx4.md").write_text(SPECIFICATION, encoding="utf-8")


def test_a_second_approver_learns_who_was_first(client: TestClient) -> None:
    read = client.get(OWN)
    reviewed = {"If-Match": read.headers["ETag"]}
    first = client.post(f"{OWN}/approve", json={"by": "Ada"}, headers=reviewed)
    second = client.post(f"{OWN}/approve", json={"by": "Grace"}, headers=reviewed)
    assert first.json()["approval"]["by"] == "Ada"
    assert (second.status_code, second.json()["problem"]["params"]["by"]) == (409, "Ada")
    client.post(f"{OWN}/revoke")


def test_an_approval_of_other_words_than_were_read_is_refused(client: TestClient) -> None:
    reply = client.post(f"{OWN}/approve", json={"by": "Ada"}, headers={"If-Match": '"abc"'})
    assert (reply.status_code, reply.json()["error"]["code"]) == (409, "conflict")


def test_a_draft_is_written_step_by_step_accepted_and_built(client: TestClient) -> None:
    client.post(f"{OWN}/approve", json={"by": "Ada"})
    reply = client.post("/api/v2/drafts/stream", json={"topic": "The DX-4"})
    events = read_events(reply.text)
    assert {name for name, _ in events} == {"step", "result"}
    path = client.get("/api/v2/drafts").json()["drafts"][0]["path"]
    accepted = client.post(f"/api/v2/drafts/{path}/accept", json={"by": "Ada"})
    assert accepted.json()["accepted"]
    built = client.post("/api/v2/build", json={"format": "html", "allow_stale": True})
    assert built.headers["Content-Disposition"].startswith("attachment")
    assert b"Nothing here was written" in built.content


def test_of_two_who_accept_a_draft_the_second_learns_who_was_first(client: TestClient) -> None:
    client.post(f"{OWN}/approve", json={"by": "Ada"})
    written = client.post("/api/v2/drafts", json={"topic": "The DX-4", "overwrite": True})
    path = f"/api/v2/drafts/{written.json()['path']}/accept"
    with ThreadPoolExecutor(4) as several:
        replies = list(several.map(lambda n: client.post(path, json={"by": f"P{n}"}), range(4)))
    (first,) = [reply.json()["review"]["by"] for reply in replies if reply.status_code == 200]
    others = [reply for reply in replies if reply.status_code == 409]
    others.append(client.post(path, json={"by": "Late"}))
    assert [reply.json()["problem"]["params"]["by"] for reply in others] == [first] * 4


def test_no_reply_says_where_on_this_machine_the_project_is(
    client: TestClient, project: Project
) -> None:
    client.post(f"{OWN}/approve", json={"by": "Ada"})
    body = {"topic": "The DX-4", "overwrite": True}
    written = client.post("/api/v2/drafts", json=body)
    assert written.json()["path"] == "output/dx4.md"
    refused = client.post("/api/v2/drafts", json={**body, "output": "x" * 300 + ".md"})
    examined = client.get("/api/v2/doctor")
    for reply in (written, refused, examined):
        assert str(project.root) not in reply.text
        assert reply.status_code < 500


def test_a_draft_cannot_be_written_outside_the_project(client: TestClient) -> None:
    client.post(f"{OWN}/approve", json={"by": "Ada"})
    body = {"topic": "The DX-4", "output": "../../outside.md"}
    assert client.post("/api/v2/drafts", json=body).status_code == 403


@pytest.mark.parametrize(
    "output",
    ["sources/datasheet.md", "features/new.md", "x/../agents/pdr.md", "notes.txt", "README.md"],
)
def test_a_server_replaces_nothing_but_drafts(
    client: TestClient, project: Project, output: str
) -> None:
    (project.root / "README.md").touch()
    body = {"topic": "The DX-4", "agent": "workflow", "output": output, "overwrite": True}
    reply = client.post("/api/v2/drafts", json=body)
    assert (reply.status_code, reply.json()["problem"]["code"]) == (403, "output-not-draft")


@pytest.mark.parametrize("route", ["drafts", "drafts/stream"])
def test_a_lower_role_writes_no_draft(project: Project, route: str) -> None:
    token = create_token(project.workspace, route[-6:], "internal", parse_period("1d"))[1]
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}"}
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as internal:
        reply = internal.post(f"/api/v2/{route}", json={"topic": "The DX-4", "agent": "pdr"})
    assert reply.json()["problem"]["code"] == "access-role-too-low"


def test_only_the_owners_document_is_kept(
    client: TestClient, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = list[bool]()

    def stop(*_: object, keep: bool, **_others: object) -> None:
        kept.append(keep)
        raise RuleError("build-running")

    monkeypatch.setattr(files, "build", stop)
    token = create_token(project.workspace, "builder", "internal", parse_period("1d"))[1]
    for headers in ({}, {"Authorization": f"Bearer {token}"}):
        client.post("/api/v2/build", json={"format": "md"}, headers=headers)
    assert kept == [True, False]


def test_every_approval_is_in_the_audit_stream(client: TestClient) -> None:
    client.post(f"{OWN}/revoke")
    client.post(f"{OWN}/approve", json={"by": ""})
    events = client.get("/api/v2/log/audit").json()["events"][:2]
    assert [(e["action"], e["subject"], e["outcome"]) for e in events] == [
        ("feature.approve", "dx4", "usage"),
        ("feature.revoke", "dx4", "done"),
    ]


def test_an_agent_is_listed_plans_a_document_and_answers(client: TestClient) -> None:
    names = [one["name"] for one in client.get("/api/v2/agents").json()["agents"]]
    assert {"answer", "blueprint"} <= {*names}
    assert client.get("/api/v2/agents/pdr").json()["sections"][0]["title"] == "Scope"
    plan = client.post("/api/v2/drafts/plan", json={"topic": "The DX-4", "agent": "pdr"}).json()
    assert plan["sections"][1]["title"] == "Requirements"
    asked = {"question": "Which fuse protects the input?", "agent": "pdr"}
    assert client.post("/api/v2/ask", json=asked).status_code == 400


def test_a_broken_file_of_an_agent_is_no_fault_of_the_server(
    client: TestClient, project: Project
) -> None:
    folder = project.workspace.root / "agents"
    folder.mkdir(exist_ok=True)
    broken = folder / "broken.yaml"
    for text in ("titel: x\n", "- [", "extends: broken\n"):
        broken.write_text(text, encoding="utf-8")
        for reply in (
            client.get("/api/v2/agents/broken"),
            client.post("/api/v2/drafts/plan", json={"topic": "The DX-4", "agent": "broken"}),
        ):
            assert (reply.status_code, reply.json()["error"]["code"]) == (422, "agent_invalid")
            assert reply.json()["error"]["where"].startswith("agents/broken.yaml")
    broken.unlink()
