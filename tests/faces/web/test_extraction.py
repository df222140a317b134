"""Extraction tables over HTTP: run by the owner, read and reviewed by whoever sees their sources."""

from __future__ import annotations

from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token, parse_period
from foundry.mcp.tools import TOOLS, describe_tables
from foundry.operations.table import Scope
from foundry.web.app import make_app
from foundry.web.site import open_site
from foundry.wire.tools import TablesRequest

SHEET = "sources/datasheet.md"
FUSE = "What is the rating of the input fuse?"
OPEN = {"name": "open", "questions": [FUSE], "filters": [f"source={SHEET}"]}


def reach(project: Project, name: str, role: str = "public") -> TestClient:
    """A client with a token of that role, from elsewhere."""
    token = create_token(project.workspace, name, role, parse_period("1d"))[1]
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}"}
    return TestClient(app, base_url="http://127.0.0.1", headers=headers)


def test_a_table_is_run_read_and_downloaded(client: TestClient) -> None:
    made = client.post("/api/v2/tables", json=OPEN).json()
    assert (made["asked"], made["states"]) == (1, {"quoted": 1})
    page = client.get("/api/v2/tables/open").json()
    (cell,) = page["rows"][0]["cells"]
    assert cell["value"] == cell["answer"]["quotes"][0]["text"]
    assert (page["total"], page["next"]) == (1, None)
    for form in ("csv", "xlsx", "docx", "html"):
        reply = client.get("/api/v2/tables/open/export", params={"format": form})
        assert reply.status_code == 200
        assert f"open.{form}" in reply.headers["Content-Disposition"]


def test_a_run_is_followed_cell_by_cell(client: TestClient) -> None:
    body = {**OPEN, "fresh": True}
    with client.stream("POST", "/api/v2/tables/stream", json=body) as reply:
        events = [line for line in reply.iter_lines() if line.startswith("event:")]
    assert events.count("event: step") == 2
    assert events[-1] == "event: result"


def test_whoever_sees_the_source_signs_and_nobody_else_runs(
    client: TestClient, project: Project
) -> None:
    client.post("/api/v2/tables", json={**OPEN, "name": "signed"})
    review = {"row": SHEET, "column": "1", "verdict": "approved"}
    with reach(project, "ann") as other:
        done = other.post("/api/v2/tables/signed/review", json=review)
        assert done.json()["reviews"][0]["by"] == "ann"
        again = other.post("/api/v2/tables/signed/review", json=review)
        assert again.status_code == 409
        assert "again" in again.json()["error"]["fix"]
        assert "--" not in again.json()["error"]["fix"]
        assert other.post("/api/v2/tables", json=OPEN).status_code == 403
        assert other.delete("/api/v2/tables/signed").status_code == 403
    events = client.get("/api/v2/log/audit").json()["events"]
    assert ("table.review", "done") in [(one["action"], one["outcome"]) for one in events]


def test_a_table_with_a_hidden_source_does_not_exist(client: TestClient, project: Project) -> None:
    client.post("/api/v2/tables", json={"name": "all", "questions": [FUSE]})
    review = {"row": SHEET, "column": "1", "verdict": "approved"}
    with reach(project, "bob") as other:
        assert "all" not in [one["name"] for one in other.get("/api/v2/tables").json()["tables"]]
        assert other.get("/api/v2/tables/all").status_code == 404
        assert other.get("/api/v2/tables/all/export").status_code == 404
        assert other.post("/api/v2/tables/all/review", json=review).status_code == 404
    assert client.get("/api/v2/tables/all").json()["table"]["confidentiality"] == "secret"
    assert client.delete("/api/v2/tables/all").status_code == 200
    assert client.get("/api/v2/tables/all").status_code == 404


def test_a_tool_reads_tables(client: TestClient, project: Project) -> None:
    client.post("/api/v2/tables", json={**OPEN, "name": "told"})
    tool, scope = TOOLS["read_tables"], Scope(project.workspace)
    listed = tool.operation.perform(scope, asked=TablesRequest())
    assert "told · 1 × 1" in describe_tables(listed)
    told = describe_tables(tool.operation.perform(scope, asked=TablesRequest(name="told")))
    assert told.startswith(f"1. {FUSE}")
    assert "1. exact words · The input fuse" in told
