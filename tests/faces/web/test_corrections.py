"""Corrections over HTTP: made, listed and undone, with a trace of who did it."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token, parse_period
from foundry.web.app import make_app
from foundry.web.site import open_site

SHEET = "sources/datasheet.md"
WRONG = {"words": "3.15 A", "read": "3.75 A", "reason": "Printed so."}


def test_the_holder_of_a_token_corrects_under_its_name(project: Project) -> None:
    source = project.workspace.store.find_source(SHEET)
    assert source
    path = f"/api/v2/sources/{source.id}/corrections"
    token = create_token(project.workspace, "ann", "secret", parse_period("1d"))[1]
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}"}
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as client:
        made = client.post(path, json=WRONG).json()
        assert (made["author"], made["applied"]) == ("ann", True)
        again = client.post(path, json=WRONG)
        assert again.json()["problem"]["code"] == "correction-known"
        listed = client.get("/api/v2/corrections", params={"source": SHEET}).json()
        assert listed["corrections"] == [made]
        undone = client.delete(f"/api/v2/corrections/{made['id']}").json()
        assert (undone["id"], undone["applied"]) == (made["id"], False)
        assert client.get(f"/api/v2/corrections/{made['id']}").status_code == 404
        trace = client.get("/api/v2/log/audit").json()["events"]
    done = [(one["action"], one["outcome"]) for one in trace if one["who"] == "ann"]
    assert done == [
        ("correction.remove", "done"),
        ("correction.add", "refused"),
        ("correction.add", "done"),
    ]
    assert trace[0]["subject"] == trace[2]["subject"] == made["id"]


def test_corrections_come_in_pages(client: TestClient, project: Project) -> None:
    source = project.workspace.store.find_source(SHEET)
    assert source
    for read in ("3.75 A", "2.75 A"):
        words = {"3.75 A": "3.15 A", "2.75 A": "2.5 A"}[read]
        body = {"words": words, "read": read, "reason": "Printed so.", "by": "Ann"}
        reply = client.post(f"/api/v2/sources/{source.id}/corrections", json=body)
        assert reply.status_code == 200, reply.text
    first = client.get("/api/v2/corrections", params={"limit": 1}).json()
    assert (len(first["corrections"]), first["next"]) == (1, 1)
    last = client.get("/api/v2/corrections", params={"limit": 1, "after": 1}).json()
    assert (len(last["corrections"]), last["next"]) == (1, None)
    for one in (*first["corrections"], *last["corrections"]):
        client.delete(f"/api/v2/corrections/{one['id']}")


def test_an_error_names_fields_of_the_request_and_no_options(
    client: TestClient, project: Project
) -> None:
    source = project.workspace.store.find_source(SHEET)
    assert source
    body = {"words": "3.15 A", "reason": "Printed so.", "by": "Ann"}
    reply = client.post(f"/api/v2/sources/{source.id}/corrections", json=body).json()
    assert reply["problem"]["code"] == "correction-kind"
    assert (
        reply["error"]["fix"]
        == "Give one of read, drop, heading, header_rows, header_columns, span, split and merge."
    )
    assert "--" not in str(reply["error"])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"header_columns": 1}, "correction-not-table"),
        ({"row": "2", "split": True}, "correction-not-table"),
        ({"merge": True, "drop": True}, "correction-kind"),
    ],
)
def test_what_is_said_of_a_table_over_http_is_checked(
    client: TestClient, project: Project, body: dict[str, object], code: str
) -> None:
    source = project.workspace.store.find_source(SHEET)
    assert source
    asked = {"block": 1, "reason": "Printed so.", "by": "Ann", **body}
    reply = client.post(f"/api/v2/sources/{source.id}/corrections", json=asked).json()
    assert reply["problem"]["code"] == code
