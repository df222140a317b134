"""The server works on PostgreSQL too, as the application's user."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from foundry.api import open_project
from foundry.journeys.access import create_token, parse_period
from foundry.journeys.project import init_project
from foundry.web.app import make_app
from foundry.web.site import open_site
from tests.faces.conftest import DATASHEET
from tests.faces.web.test_uploads import send, wait_for
from tests.store.server import OWNER
from tests.support.local_servers import NO_SERVERS


def test_a_team_uploads_asks_and_leaves_its_trace(address: str, tmp_path: Path) -> None:
    init_project(tmp_path / "team", mode="offline", environment=NO_SERVERS)
    own = {"FOUNDRY_STORAGE__URL": address.replace(f"{OWNER}@", "app@")}
    own |= {"FOUNDRY_PROJECT__ID": "prj_team"}
    with open_project(tmp_path / "team", environment=own) as project:
        token = create_token(project.workspace, "ann", "secret", parse_period("1d"))[1]
        app = make_app(open_site(project.workspace, "192.0.2.1"))
        headers = {"Authorization": f"Bearer {token}"}
        with TestClient(app, base_url="http://127.0.0.1", headers=headers) as client:
            sent = send(client, "datasheet.md", DATASHEET.encode())
            assert wait_for(client, sent["jobs"][0]["id"])["status"] == "done"
            body = {"question": "What is the rating of the input fuse?"}
            assert "3.15 A" in str(client.post("/api/v2/ask", json=body).json()["passages"])
            trace = client.get("/api/v2/log/audit").json()["events"]
            assert [(e["who"], e["action"]) for e in trace] == [("ann", "source.upload")]
            assert client.get("/readyz").json()["ok"]
