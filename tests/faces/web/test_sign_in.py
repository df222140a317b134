"""Signing in through an identity provider: a real one, on this machine."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient

from foundry.api import Project, open_project
from foundry.errors import ConfigError, RuleError
from foundry.journeys.project import init_project
from foundry.web.app import make_app
from foundry.web.pages import login
from foundry.web.server import serve
from foundry.web.site import open_site
from tests.faces.conftest import DATASHEET, NOTES
from tests.faces.web.conftest import SECRET_PATH
from tests.support.local_servers import NO_SERVERS

if importlib.util.find_spec("oidc_provider_mock") is None:
    pytest.skip("no identity provider for tests", allow_module_level=True)

OIDC = """web:
  tokens: required
  oidc:
    issuer: {issuer}
    client_id: foundry
    roles: {{engineers: internal, board: secret}}
"""


PEOPLE: dict[str, list[str]] = {
    "anna": ["board", "engineers"],
    "bob": ["engineers"],
    "eve": [],
    "dora": ["engineers", *(f"group-{n:040}" for n in range(200))],
}


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    """The address of a provider in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    claims = [
        json.dumps({"sub": name, "email": f"{name}@example.com", "groups": groups})
        for name, groups in PEOPLE.items()
    ]
    users = [part for one in claims for part in ("--user-claims", one)]
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port)]
    process = subprocess.Popen([*command, *users], stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        while not _answers(f"{address}/.well-known/openid-configuration"):
            assert process.poll() is None
            time.sleep(0.05)
        yield address
    finally:
        process.terminate()
        process.wait()


def _answers(address: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(address).is_success
    return False


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, issuer: str) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("oidc") / "demo"
    init_project(root, mode="offline", environment=NO_SERVERS)
    (root / "sources/datasheet.md").write_text(DATASHEET, encoding="utf-8")
    (root / "sources/secret").mkdir()
    (root / SECRET_PATH).write_text(NOTES, encoding="utf-8")
    _configure(root, OIDC.format(issuer=issuer))
    with open_project(root, environment={"FOUNDRY_OIDC_SECRET": "shared"}) as project:
        project.ingest("sources/secret", confidentiality="secret")
        project.ingest()
        yield project


def _configure(root: Path, text: str) -> None:
    path = root / "foundry.yaml"
    settings = re.sub(r"(?m)^web:.*\n", text, path.read_text(encoding="utf-8"))
    path.write_text(settings, encoding="utf-8")


@pytest.fixture
def browser(project: Project) -> Iterator[TestClient]:
    app = make_app(open_site(project.workspace, "127.0.0.1"))
    with TestClient(app, base_url="http://127.0.0.1", headers={"Accept": "text/html"}) as client:
        yield client


def sign_in(browser: TestClient, name: str, following: str = "/") -> httpx.Response:
    """What the browser gets when it returns from the provider."""
    return browser.get(visit_provider(browser, name, following))


def visit_provider(browser: TestClient, name: str, following: str = "/") -> str:
    """Where the provider sends the browser after somebody has logged in there."""
    begun = browser.get("/login/oidc", params={"next": following}, follow_redirects=False)
    form = httpx.post(begun.headers["location"], data={"sub": name}, follow_redirects=False)
    back = urlsplit(form.headers["location"])
    return f"{back.path}?{back.query}"


def test_who_is_in_a_group_gets_the_highest_role_of_their_groups(browser: TestClient) -> None:
    sign_in(browser, "anna")
    assert SECRET_PATH in browser.get("/api/v2/sources").text
    sign_in(browser, "bob")
    reply = browser.get("/api/v2/sources")
    assert (reply.status_code, SECRET_PATH in reply.text) == (200, False)


def test_who_is_in_no_group_is_told_what_is_missing(browser: TestClient) -> None:
    reply = sign_in(browser, "eve")
    assert reply.status_code == 401
    assert "eve@example.com has no role" in reply.text
    assert browser.get("/api/v2/sources").status_code == 401


def test_somebody_who_signed_in_goes_to_the_page_that_was_asked_for(browser: TestClient) -> None:
    page = sign_in(browser, "anna", "/search?q=fuse").text
    assert 'content="0; url=/search?q=fuse"' in page


def test_nobody_is_sent_to_another_site(browser: TestClient) -> None:
    assert "evil" not in sign_in(browser, "anna", "//evil.example.com/").text


def test_a_person_is_named_in_the_audit_stream(browser: TestClient) -> None:
    sign_in(browser, "anna")
    assert "anna@example.com" in browser.get("/admin/audit").text


def test_a_reply_that_this_browser_did_not_ask_for_is_refused(
    browser: TestClient, project: Project
) -> None:
    stolen = visit_provider(browser, "anna")
    app = make_app(open_site(project.workspace, "127.0.0.1"))
    with TestClient(app, base_url="http://127.0.0.1") as victim:
        assert victim.get(stolen, headers={"Accept": "text/html"}).status_code == 401
        victim.get("/login/oidc", follow_redirects=False)
        assert victim.get(stolen).status_code == 401
        assert victim.get("/api/v2/sources").status_code == 401


def test_a_code_is_worth_nothing_without_the_verifier_of_its_attempt(browser: TestClient) -> None:
    first = parse_qs(urlsplit(visit_provider(browser, "anna")).query)["code"][0]
    second = parse_qs(urlsplit(visit_provider(browser, "bob")).query)["state"][0]
    reply = browser.get("/login/oidc/done", params={"code": first, "state": second})
    assert reply.status_code == 401


def test_a_refusal_of_the_provider_is_said(browser: TestClient) -> None:
    address = visit_provider(browser, "anna")
    state = parse_qs(urlsplit(address).query)["state"][0]
    asked = {"state": state, "error": "access_denied", "error_description": "<i>Not today</i>"}
    assert "&lt;i&gt;Not today" in browser.get("/login/oidc/done", params=asked).text


def test_the_cookie_of_an_attempt_is_no_session(browser: TestClient) -> None:
    visit_provider(browser, "anna")
    attempt = browser.cookies["foundry_sign_in"]
    session = open_site_cookie(browser)
    browser.cookies.set(session, attempt)
    assert browser.get("/api/v2/sources").status_code == 401


def open_site_cookie(browser: TestClient) -> str:
    return str(browser.app.state.site.sessions.cookie)  # type: ignore[attr-defined]


def test_a_provider_that_cannot_be_reached_is_named(project: Project) -> None:
    environment = {"FOUNDRY_WEB__OIDC__ISSUER": "http://localhost:9"}
    with open_project(project.workspace.root, environment=environment) as other:
        app = make_app(open_site(other.workspace, "127.0.0.1"))
        with TestClient(app, base_url="http://127.0.0.1") as client:
            reply = client.get("/login/oidc")
    assert (reply.status_code, "localhost:9" in reply.text) == (401, True)


def test_a_server_with_a_provider_needs_no_token_to_start(project: Project) -> None:
    # An address of nobody: what stops it is that it cannot be listened on.
    with pytest.raises(ConfigError, match=r"192\.0\.2\.1"):
        serve(project.workspace, "192.0.2.1", 0, lambda _address: None)


def test_a_server_without_tokens_and_provider_does_not_start(tmp_path: Path) -> None:
    init_project(tmp_path, mode="offline", environment=NO_SERVERS)
    with (
        open_project(tmp_path, environment={}) as other,
        pytest.raises(RuleError, match="needs tokens"),
    ):
        serve(other.workspace, "192.0.2.1", 0, lambda _address: None)


def test_groups_without_a_role_are_not_kept(browser: TestClient) -> None:
    sign_in(browser, "dora")
    assert browser.get("/api/v2/sources").status_code == 200
    assert all(len(value) < 1000 for value in browser.cookies.values())


def test_an_attempt_that_took_too_long_is_refused(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = visit_provider(browser, "anna")
    monkeypatch.setattr(login, "ATTEMPT_S", -1)
    assert "has expired" in browser.get(address).text
