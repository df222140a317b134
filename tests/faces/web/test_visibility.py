"""What a caller may not see is as if it did not exist, on every route of the OpenAPI document.

A route with another kind of id fails here until ``hidden`` knows one, so a new route is tested by
existing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project, open_project
from foundry.journeys.access import create_token
from foundry.journeys.passages.correction_requests import CorrectionRequest
from foundry.journeys.passages.corrections import add_correction
from foundry.journeys.project import init_project
from foundry.records import EvalRun, Job
from foundry.web.app import PAGES, make_app
from foundry.web.site import open_site
from tests.faces.web.conftest import SECRET_PATH
from tests.store.records import make_draft
from tests.support.local_servers import NO_SERVERS

BODIES = {
    "FeedbackRequest": {"judgement": "correct"},
    "RoleRequest": {"role": "public"},
    "LabelsRequest": {"confidentiality": "public"},
    "ChangeSourcesRequest": {"sources": [SECRET_PATH], "confidentiality": "public"},
    "RemoveSourcesRequest": {"sources": [SECRET_PATH]},
    "ConversationRequest": {"title": "Mine"},
    "ShareRequest": {"role": "public"},
    "PersonRequest": {"by": "Eve"},
    "AcceptRequest": {"by": "Eve"},
    "NoteRequest": {"sentence": "a", "text": "b", "by": "Eve"},
    "NoteStateRequest": {"resolved": True, "by": "Eve"},
    "DraftTextRequest": {"markdown": "x"},
    "SpecificationRequest": {"title": "x"},
    "AgentRequest": {"text": "x"},
    "AgentTextRequest": {"text": "x"},
    "CellReviewRequest": {"row": SECRET_PATH, "column": "1", "verdict": "rejected"},
    "OlderRevisionRequest": {"older": SECRET_PATH},
    "NewCorrectionRequest": {"words": "a", "read": "b", "reason": "c", "by": "Eve"},
}
Ids = dict[str, str]


def hide(project: Project, name: str = "hidden") -> Ids:
    """Something of the owner's for every kind of id: no lower role may see it."""
    workspace, now = project.workspace, datetime.now(UTC)
    source = workspace.store.find_source(SECRET_PATH)
    asked = project.ask("Waarmee wordt de behuizing gereinigd?")
    run = workspace.store.evaluation.start_run(EvalRun(0, f"{name} run", "ask", (), now))
    workspace.store.save_draft(replace(make_draft(f"output/{name}.md"), role="secret"))
    workspace.maintenance().add_jobs([Job(f"job_{name}", SECRET_PATH, status="done")])
    project.table(f"{name} table", ["Waarmee wordt de behuizing gereinigd?"])
    wrong = CorrectionRequest("Reinig de", read="Poets de", reason="Gedrukt.")
    assert source
    assert asked.id
    return {
        "source_id": source.id,
        "correction_id": add_correction(workspace, SECRET_PATH, wrong, "Ann").id,
        "query_id": asked.id,
        "run": run.name,
        "path": f"output/{name}.md",
        "job_id": f"job_{name}",
        "table": f"{name} table",
        "name": "no-such-feature",
        "note_id": "note_hidden",
        "format": "no-such-format",
    }


@pytest.fixture(scope="module")
def hidden(project: Project) -> Ids:
    return hide(project)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ids]:
    """The same things of another project."""
    root = tmp_path_factory.mktemp("other") / "other"
    init_project(root, mode="offline", environment=NO_SERVERS)
    path = root / SECRET_PATH
    path.parent.mkdir()
    path.write_text("# Andere\n\nReinig de behuizing met zeep.\n", encoding="utf-8")
    with open_project(root, environment={}) as other:
        other.ingest()
        yield {**hide(other), "name": "other"}


@pytest.fixture(scope="module")
def low(project: Project) -> Iterator[TestClient]:
    """A caller with the lowest role."""
    _, token = create_token(project.workspace, "low", "public", timedelta(days=1))
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}"}
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as client:
        yield client


def list_routes(client: TestClient) -> Iterator[tuple[str, str, dict[str, Any]]]:
    document = client.get("/api/v2/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield method, path, operation


def list_pages() -> list[str]:
    """The addresses of pages that name something; the OpenAPI document does not have them."""
    routes: Any = [route for page in PAGES for route in page.router.routes]
    paths = [route.path for route in routes if "GET" in route.methods]
    named = [path.replace("{path:path}", "{path}") for path in paths]
    return [path.replace("{number}", "1") for path in named if re.search(r"_id}|{path}", path)]


def build_body(operation: dict[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return None
    return BODIES[content["schema"]["$ref"].rpartition("/")[2]]


def call(client: TestClient, method: str, path: str, ids: Ids, body: Any) -> tuple[object, ...]:
    """What the caller gets, with the ids taken out."""
    address = path.format(**ids)
    reply = client.request(method, address, json=body)
    text = reply.text
    for value in ids.values():
        text = text.replace(value, "ID")
    own = {"x-request-id", "content-length", "date"}
    headers = {name: value for name, value in reply.headers.items() if name not in own}
    return reply.status_code, text, headers


def make_unknown(ids: Ids) -> Ids:
    return {name: f"{value[:-2]}zz" for name, value in ids.items()}


def test_what_is_hidden_is_as_what_does_not_exist(
    low: TestClient, hidden: Ids, foreign: Ids
) -> None:
    routes = [route for route in list_routes(low) if "{" in route[1]]
    assert len(routes) > 15
    for method, path, operation in routes:
        body = build_body(operation)
        unknown = call(low, method, path, make_unknown(hidden), body)
        assert unknown[0] in {403, 404}, path
        for ids in (hidden, foreign):
            assert call(low, method, path, ids, body) == unknown, path


def test_a_page_of_what_is_hidden_is_as_one_of_what_does_not_exist(
    low: TestClient, hidden: Ids, foreign: Ids
) -> None:
    paths = list_pages()
    assert len(paths) > 6
    for path in paths:
        unknown = call(low, "get", path, make_unknown(hidden), None)
        assert unknown[0] in {403, 404, 422}, path
        for ids in (hidden, foreign):
            assert call(low, "get", path, ids, None) == unknown, path


def test_no_list_names_what_is_hidden(low: TestClient, hidden: Ids) -> None:
    routes = [path for method, path, _ in list_routes(low) if method == "get" and "{" not in path]
    words = [*hidden.values(), "notes.md", "Onderhoud", "oplosmiddelen"]
    found = {path: [word for word in words if word in low.get(path).text] for path in routes}
    assert {path: seen for path, seen in found.items() if seen} == {}


@pytest.mark.parametrize("path", [SECRET_PATH, "sources/secret/other.md"])
def test_a_filter_on_what_is_hidden_finds_as_little_as_on_nothing(
    low: TestClient, path: str
) -> None:
    body = {"question": "Waarmee reinig ik de behuizing?", "filters": [f"source={path}"]}
    reply = low.post("/api/v2/ask", json=body)
    assert (reply.status_code, reply.json()["error"]["where"]) == (404, "/api/v2/ask")


def test_every_route_but_health_asks_who_calls(project: Project) -> None:
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    with TestClient(app, base_url="http://127.0.0.1") as nobody:
        for method, path, _ in list_routes(nobody):
            status = nobody.request(method, path.replace("{", "").replace("}", "")).status_code
            assert status == (200 if path in {"/healthz", "/readyz"} else 401), path
