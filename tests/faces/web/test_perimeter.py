"""What every request passes before a route sees it."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from foundry.web.site import Site


def test_a_page_of_another_site_cannot_read_by_renaming_itself(client: TestClient) -> None:
    reply = client.get("/api/v1/sources", headers={"Host": "evil.example:8765"})
    assert (reply.status_code, reply.json()["error"]["where"]) == (400, "Host")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1"},
    ],
)
def test_a_page_of_another_site_cannot_change_anything(
    client: TestClient, headers: dict[str, str]
) -> None:
    reply = client.post("/api/v1/search", json={"query": "fuse"}, headers=headers)
    assert reply.status_code == 403


def test_our_own_pages_may_ask(client: TestClient) -> None:
    own = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
    reply = client.post("/api/v1/search", json={"query": "fuse"}, headers=own)
    assert reply.status_code == 200


def test_no_reply_allows_inline_scripts(client: TestClient) -> None:
    for path in ("/", "/api/v1/sources", "/nothing", "/healthz"):
        policy = client.get(path).headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


def test_a_reply_names_its_request(client: TestClient) -> None:
    given = client.get("/healthz", headers={"X-Request-ID": "abc-12345"})
    assert given.headers["X-Request-ID"] == "abc-12345"
    forged = client.get("/healthz", headers={"X-Request-ID": "a b\n"})
    assert len(forged.headers["X-Request-ID"]) == 16


def test_a_fault_shows_its_id_and_no_traceback(
    client: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_role: str) -> None:
        raise RuntimeError("/private/path")

    monkeypatch.setattr(site, "get_workspace", fail)
    reply = client.get("/api/v1/sources")
    assert reply.status_code == 500
    assert reply.headers["X-Request-ID"] in reply.json()["error"]["message"]
    assert "private" not in reply.text


def test_messages_come_in_the_language_that_the_browser_asks_for(client: TestClient) -> None:
    dutch = client.get("/nothing", headers={"Accept-Language": "nl,en;q=0.5"})
    assert dutch.json()["error"]["message"].startswith("Hier is niets")


def test_a_static_file_may_be_kept(client: TestClient) -> None:
    page = client.get("/").text
    address = page.split('href="')[1].split('"')[0]
    assert "immutable" in client.get(address).headers["Cache-Control"]
