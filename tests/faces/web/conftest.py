"""One small project with its application, shared by the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project, open_project
from foundry.journeys.project import init_project
from foundry.web import app
from foundry.web.app import make_app
from foundry.web.site import Site, open_site
from tests.faces.conftest import DATASHEET, NOTES
from tests.support.local_servers import NO_SERVERS

SECRET_PATH = "sources/secret/notes.md"


@pytest.fixture(scope="session", autouse=True)
def import_on_use() -> Iterator[None]:
    """No server imports LiteLLM beside a test: whose end would make errors of its warnings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "load_clients", list)
        yield


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("web") / "demo"
    init_project(root, mode="offline", environment=NO_SERVERS)
    (root / "sources" / "datasheet.md").write_text(DATASHEET, encoding="utf-8")
    (root / "sources" / "secret").mkdir()
    (root / SECRET_PATH).write_text(NOTES, encoding="utf-8")
    with open_project(root, environment={}) as project:
        project.ingest("sources/secret", confidentiality="secret")
        project.ingest()
        yield project


@pytest.fixture(scope="module")
def site(project: Project) -> Site:
    return open_site(project.workspace, "127.0.0.1")


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[TestClient]:
    """The owner on this machine."""
    with TestClient(make_app(site), base_url="http://127.0.0.1") as client:
        yield client
