"""Specifications and agents written over HTTP, by several people, with names of all kinds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token, parse_period
from foundry.web.app import make_app
from foundry.web.site import open_site

API = "/api/v2"
FIELDS = {
    "title": "Setting up",
    "owner": "Ada",
    "sections": [
        {"title": "Supply", "wants": ["the voltage"]},
        {"title": "Steps", "form": "steps"},
    ],
    "source_hierarchy": ["sources/*"],
}
HOSTILE = ["..", "../x", "%2e%2e%2fx", "a/b", "/etc/passwd", "README", ".hidden", "a b", "x" * 65]


def make(client: TestClient, name: str, **fields: Any) -> dict[str, Any]:
    reply = client.post(f"{API}/features/{name}", json={**FIELDS, **fields})
    assert reply.status_code == 200, reply.text
    made: dict[str, Any] = reply.json()
    return made


def put(client: TestClient, name: str, read: str, **body: Any) -> Any:
    return client.put(f"{API}/features/{name}", json=body, headers={"If-Match": f'"{read}"'})


def test_a_specification_is_written_from_fields_and_can_be_approved(client: TestClient) -> None:
    made = make(client, "setup")
    assert (made["status"], made["forms"]) == ("draft", {"Steps": "steps"})
    assert made["wants"] == {"Supply": ["the voltage"], "Steps": []}
    approved = client.post(f"{API}/features/setup/approve", json={"by": "Ada"})
    assert approved.json()["status"] == "approved"


def test_a_change_of_one_field_leaves_the_others_and_ends_the_approval(client: TestClient) -> None:
    made = make(client, "one-field")
    client.post(f"{API}/features/one-field/approve", json={"by": "Ada"})
    changed = put(client, "one-field", made["content_hash"], title="Installing")
    assert (
        changed.json()["markdown"].replace("Installing", "Setting up", 1).count("Setting up") == 2
    )
    assert (changed.json()["status"], changed.json()["owner"]) == ("changed", "Ada")
    assert changed.headers["ETag"] == f'"{changed.json()["content_hash"]}"'


def test_a_difference_from_what_was_approved_is_told_by_line(client: TestClient) -> None:
    made = make(client, "compared")
    client.post(f"{API}/features/compared/approve", json={"by": "Ada"})
    put(client, "compared", made["content_hash"], owner="Grace")
    found = client.get(f"{API}/features/compared/diff").json()
    changed = [(one["kind"], one["text"]) for one in found["lines"] if one["kind"] != "same"]
    assert found["kept"]
    assert [kind for kind, _ in changed] == ["removed", "added"]
    assert changed[1][1] == "owner: Grace"


def test_a_text_that_is_sent_does_not_approve_itself(client: TestClient) -> None:
    made = make(client, "forged")
    client.post(f"{API}/features/forged/approve", json={"by": "Ada"})
    approved = client.get(f"{API}/features/forged").json()["markdown"]
    client.post(f"{API}/features/forged/revoke")
    sent = put(client, "forged", made["content_hash"], markdown=approved).json()
    assert (sent["status"], sent["approval"]) == ("draft", None)
    copied = client.post(f"{API}/features/forged-too", json={"markdown": approved}).json()
    assert (copied["status"], copied["approval"]) == ("draft", None)


def test_of_two_who_change_a_specification_the_second_gets_the_newer_hash(
    client: TestClient,
) -> None:
    made = make(client, "two")
    with ThreadPoolExecutor(4) as several:
        replies = [
            *several.map(
                lambda n: put(client, "two", made["content_hash"], owner=f"P{n}"), range(4)
            )
        ]
    (first,) = [reply.json() for reply in replies if reply.status_code == 200]
    (newer,) = {
        one.json()["problem"]["params"]["hash"] for one in replies if one.status_code == 409
    }
    assert newer == first["content_hash"]
    assert client.get(f"{API}/features/two").json()["owner"] == first["owner"]


def test_a_change_must_say_what_was_read(client: TestClient) -> None:
    make(client, "unread")
    reply = client.put(f"{API}/features/unread", json={"owner": "Eve"})
    assert (reply.status_code, reply.json()["problem"]["code"]) == (400, "feature-hash-missing")


def test_an_unsaved_text_is_checked_by_line_and_not_written(client: TestClient) -> None:
    text = "---\ntitle: X\nowner: Ada\nsections:\n  - A\n  - A\n---\n"
    found = client.post(f"{API}/features/unsaved/check", json={"markdown": text}).json()
    assert [one["line"] for one in found["problems"] if one["blocking"]] == [6]
    assert client.get(f"{API}/features/unsaved").status_code == 404
    assert client.post(f"{API}/features/unsaved/check", json={"markdown": "x"}).json()["problems"]


def test_a_specification_is_deleted_as_it_was_read(client: TestClient) -> None:
    made = make(client, "gone")
    address, read = f"{API}/features/gone", {"If-Match": made["content_hash"]}
    assert client.delete(address, headers={"If-Match": "abc"}).status_code == 409
    assert client.delete(address, headers=read).status_code == 200
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["features", "agents"])
def test_a_hostile_name_writes_nothing(
    client: TestClient, project: Project, kind: str, name: str
) -> None:
    before = sorted(project.root.rglob("*.md")) + sorted(project.root.rglob("*.yaml"))
    assert client.post(f"{API}/{kind}/{name}", json={}).status_code in {400, 404, 405, 422}
    headers = {"If-Match": "x"}
    reply = client.put(f"{API}/{kind}/{name}", json={"text": "title: x"}, headers=headers)
    assert reply.status_code in {400, 404, 405, 422}
    assert sorted(project.root.rglob("*.md")) + sorted(project.root.rglob("*.yaml")) == before


@pytest.mark.parametrize(
    "words", ["x\n---\nowner: Eve", "'}] #", "\u2028x", "{{ x }}", "null", "é: [1]"]
)
def test_hostile_words_stay_words(client: TestClient, words: str) -> None:
    name = f"words{abs(hash(words))}"
    sections = [{"title": words, "wants": [words]}]
    made = make(client, name, title=words, owner="Ada", sections=sections)
    assert (made["title"], made["owner"]) == (" ".join(words.split()), "Ada")
    assert made["sections"] == [" ".join(words.split())]


def test_a_text_that_could_not_be_read_again_is_not_written(client: TestClient) -> None:
    made = make(client, "huge")
    assert put(client, "huge", made["content_hash"], text="€" * 399_999).status_code == 403
    assert client.get(f"{API}/features/huge").json()["markdown"] == made["markdown"]


def test_a_link_out_of_the_folder_is_not_written_to(client: TestClient, project: Project) -> None:
    outside = project.root / "README.md"
    outside.write_text("Mine.")
    (project.root / "features" / "link.md").symlink_to(outside)
    read = client.get(f"{API}/features/link").json()["content_hash"]
    assert put(client, "link", read or "x", owner="Eve").status_code == 403
    assert outside.read_text() == "Mine."
    (project.root / "features" / "link.md").unlink()


def test_an_agent_is_copied_changed_and_deleted(client: TestClient) -> None:
    assert client.post(f"{API}/agents/mine", json={"base": "pdr"}).json()["path"]
    read = client.get(f"{API}/agents/mine/text")
    text = read.json()["text"].replace("max_tokens: 2048", "max_tokens: 500")
    headers = {"If-Match": read.headers["ETag"]}
    changed = client.put(f"{API}/agents/mine", json={"text": text}, headers=headers)
    assert client.get(f"{API}/agents/mine").json()["max_tokens"] == 500
    late = client.put(f"{API}/agents/mine", json={"text": text}, headers=headers)
    assert late.json()["problem"]["params"]["hash"] == changed.json()["content_hash"]
    client.delete(f"{API}/agents/mine", headers={"If-Match": changed.headers["ETag"]})
    assert client.get(f"{API}/agents/mine").status_code == 404


def test_a_text_that_makes_no_agent_is_not_written(client: TestClient) -> None:
    wrong = {"text": "titel: x\n"}
    found = client.post(f"{API}/agents/wrong/check", json=wrong).json()
    assert "line 1" in found["error"]["message"] + found["error"]["where"]
    assert client.post(f"{API}/agents/wrong", json=wrong).status_code == 422
    assert client.get(f"{API}/agents/wrong").status_code == 404


def test_an_agent_of_foundry_is_copied_not_changed(client: TestClient) -> None:
    read = client.get(f"{API}/agents/pdr/text")
    headers = {"If-Match": read.headers["ETag"]}
    reply = client.put(f"{API}/agents/pdr", json={"text": read.json()["text"]}, headers=headers)
    assert (reply.status_code, reply.json()["problem"]["code"]) == (403, "agent-is-foundrys")


@pytest.mark.parametrize("route", ["features/x", "features/x/check", "agents/x", "agents/x/check"])
def test_a_lower_role_writes_neither(project: Project, route: str) -> None:
    name = route.replace("/", "-")
    token = create_token(project.workspace, name, "internal", parse_period("1d"))[1]
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}"}
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as internal:
        reply = internal.post(f"{API}/{route}", json={"text": "x"})
    assert reply.json()["problem"]["code"] == "access-role-too-low"
