"""What every request passes before a route sees it."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from foundry.web.site import Site

JSON = {"Content-Type": "application/json"}


def test_a_page_of_another_site_cannot_read_by_renaming_itself(client: TestClient) -> None:
    reply = client.get("/api/v2/sources", headers={"Host": "evil.example:8765"})
    assert (reply.status_code, reply.json()["error"]["where"]) == (400, "Host")


@pytest.mark.parametrize("host", ["[::1", "[", "]", "a@[b", ""])
def test_a_host_that_is_none_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/healthz", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize(
    "address",
    [
        "/log/audit?before=99999999999999999999999",
        "/log/stats?by=week&since=0001-01-01",
        "/log/stats?by=day&until=9999-12-31",
        "/log?since=0001-01-01",
        "/corrections?after=99999999999999999999999",
    ],
)
def test_numbers_and_days_that_no_database_keeps_are_refused(
    client: TestClient, address: str
) -> None:
    assert client.get(f"/api/v2{address}").status_code == 422


def test_half_a_character_is_refused_wherever_it_stands(client: TestClient) -> None:
    for body in (
        b'{"query": "x", "filters": ["source=\\ud800"]}',
        b'{"query": "x\\u0000"}',
    ):
        reply = client.post("/api/v2/search", content=body, headers=JSON)
        assert (reply.status_code, reply.json()["problem"]["code"]) == (422, "web-invalid")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://[::1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1"},
    ],
)
def test_a_page_of_another_site_cannot_change_anything(
    client: TestClient, headers: dict[str, str]
) -> None:
    reply = client.post("/api/v2/search", json={"query": "fuse"}, headers=headers)
    assert reply.status_code == 403


def test_our_own_pages_may_ask(client: TestClient) -> None:
    own = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
    reply = client.post("/api/v2/search", json={"query": "fuse"}, headers=own)
    assert reply.status_code == 200


def test_no_reply_allows_inline_scripts(client: TestClient) -> None:
    for path in ("/", "/api/v2/sources", "/nothing", "/healthz"):
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
    reply = client.get("/api/v2/sources")
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


def test_a_client_of_version_1_reads_that_it_ended(client: TestClient) -> None:
    reply = client.post("/api/v1/ask", json={"question": "x"})
    assert (reply.status_code, reply.json()["problem"]["code"]) == (410, "web-version-ended")
    assert "/api/v2" in reply.json()["error"]["message"]
