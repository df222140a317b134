"""What a monitoring system reads of a server."""

from __future__ import annotations

from datetime import timedelta

from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token
from foundry.web.app import make_app
from foundry.web.site import open_site


def read_metrics(client: TestClient) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    pairs = (line.rpartition(" ") for line in lines if line and not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


def test_requests_are_counted_by_route_and_not_by_id(client: TestClient) -> None:
    for name in ("src_one", "src_two"):
        client.get(f"/api/v2/sources/{name}")
    found = read_metrics(client)
    labels = 'method="GET",route="/api/v2/sources/{source_id}",status="404"'
    assert found[f"foundry_requests_total{{{labels}}}"] == 2
    assert not any("src_one" in name for name in found)


def test_a_route_that_does_not_exist_makes_no_series_of_its_own(client: TestClient) -> None:
    client.get("/wp-login.php")
    assert not any("wp-login" in name for name in read_metrics(client))


def test_the_projects_own_figures_are_there(client: TestClient) -> None:
    client.post("/api/v2/ask", json={"question": "What is the rating of the input fuse?"})
    found = read_metrics(client)
    assert found["foundry_sources"] == 2
    assert found['foundry_log_rows_today{outcome="passages"}'] >= 1


def test_the_metrics_are_the_owners_alone(project: Project) -> None:
    _, token = create_token(project.workspace, "probe", "internal", timedelta(days=1))
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.get("/metrics").status_code == 401
        headers = {"Authorization": f"Bearer {token}"}
        assert client.get("/metrics", headers=headers).status_code == 403
