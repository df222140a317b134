"""The server as a process: its address, its log, its end."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import SimpleQueue
from unittest.mock import Mock

import httpx
import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.errors import StoreUnavailable
from foundry.models import catalogue
from foundry.web import app
from foundry.web.app import make_app
from foundry.web.site import Site, open_site
from tests.journeys.answers import online
from tests.support.model_server import ModelServer

FOUNDRY = Path(sys.executable).with_name("foundry")


@pytest.fixture
def process(project: Project) -> Iterator[subprocess.Popen[str]]:
    command = [FOUNDRY, "serve", "--port", "0", "--project", project.root]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        yield process
        process.kill()


def test_a_server_logs_each_request_and_ends_on_a_signal(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    (address,) = re.findall(r"http://\S+\d", process.stdout.readline())
    asked = {"X-Request-ID": "request-one"}
    assert httpx.get(f"{address}/readyz", headers=asked, timeout=30).json()["ok"]
    process.send_signal(signal.SIGTERM)
    _, written = process.communicate(timeout=30)
    line = json.loads(written.splitlines()[0])
    assert (line["request"], line["path"], line["status"]) == ("request-one", "/readyz", 200)
    assert process.returncode == 128 + signal.SIGTERM


def test_a_server_imports_what_its_models_need_before_a_question(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: SimpleQueue[Iterable[str]] = SimpleQueue()
    monkeypatch.setattr(app, "load_clients", loaded.put)
    with (
        ModelServer() as server,
        online(project.root, server) as workspace,
        TestClient(make_app(open_site(workspace, "127.0.0.1"))),
    ):
        assert "openai/scripted" in loaded.get(timeout=10)


@pytest.mark.parametrize(("model", "times"), [("openai/scripted", 1), ("builtin/extractive", 0)])
def test_litellm_is_imported_for_remote_models_only(
    monkeypatch: pytest.MonkeyPatch, model: str, times: int
) -> None:
    loaded = list[str]()
    monkeypatch.setattr(catalogue, "load_litellm", lambda: loaded.append(model))
    catalogue.load_clients(["onnx:models/own", model])
    assert len(loaded) == times


def test_a_server_without_its_database_is_alive_and_not_ready(
    client: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreUnavailable("store-unreachable", url="x", cause="gone")

    monkeypatch.setattr(type(site.owner.store), "index_status", fail)
    assert client.get("/healthz").status_code == 200
    assert (client.get("/readyz").status_code, client.get("/readyz").json()["database"]) == (
        503,
        False,
    )


def test_a_server_whose_project_is_gone_is_not_ready(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", Mock(side_effect=FileNotFoundError))
    reply = client.get("/readyz")
    assert (reply.status_code, reply.json()["disk"]) == (503, False)
