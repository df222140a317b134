"""Who may call: tokens, sessions, limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.clock import set_clock
from foundry.journeys.access import create_token, revoke_token
from foundry.records import Confidentiality
from foundry.web.app import make_app
from foundry.web.security.sessions import Sessions
from foundry.web.site import open_site

MONTH = timedelta(days=30)
SOURCES = "/api/v2/sources"


@pytest.fixture(scope="module")
def guarded(project: Project) -> Iterator[TestClient]:
    """A server that others reach, too."""
    site = open_site(project.workspace, "192.0.2.1")
    with TestClient(make_app(site), base_url="http://127.0.0.1") as client:
        yield client


def make_token(project: Project, name: str, role: Confidentiality = "public") -> str:
    return create_token(project.workspace, name, role, MONTH)[1]


def bear(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_caller_from_elsewhere_needs_a_token(guarded: TestClient) -> None:
    reply = guarded.get(SOURCES)
    assert (reply.status_code, reply.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert reply.json()["error"]["code"] == "not_authenticated"


def test_a_token_shows_what_its_role_may_see(guarded: TestClient, project: Project) -> None:
    seen = {}
    for role in ("public", "secret"):
        reply = guarded.get(SOURCES, headers=bear(make_token(project, f"sees {role}", role)))
        seen[role] = [source["path"] for source in reply.json()["sources"]]
    assert seen == {
        "public": ["sources/datasheet.md"],
        "secret": ["sources/datasheet.md", "sources/secret/notes.md"],
    }


def test_a_token_limits_its_holder_on_this_machine_too(
    client: TestClient, project: Project
) -> None:
    reply = client.get(SOURCES, headers=bear(make_token(project, "local")))
    assert [source["path"] for source in reply.json()["sources"]] == ["sources/datasheet.md"]


@pytest.mark.parametrize("end", ["revoked", "expired", "changed"])
def test_a_token_that_ended_opens_nothing(guarded: TestClient, project: Project, end: str) -> None:
    text = make_token(project, end)
    token = next(t for t in project.workspace.access.list_tokens() if t.name == end)
    if end == "revoked":
        revoke_token(project.workspace, end)
    elif end == "expired":
        past = replace(token, id="feed", expires=datetime.now(UTC))
        project.workspace.access.add_token(past)
        text = text.replace(token.id, "feed")
    else:
        text = text[:-1] + ("A" if text[-1] != "A" else "B")
    assert guarded.get(SOURCES, headers=bear(text)).status_code == 401


def test_the_database_has_no_secret_of_a_token(project: Project) -> None:
    # A secret may have an underscore itself.
    secret = make_token(project, "kept").split("_", 2)[2]
    database = project.root / ".foundry" / "foundry.db"
    files = [path.read_bytes() for path in database.parent.glob("foundry.db*")]
    assert not [data for data in files if secret.encode() in data]


def test_a_session_ends_with_its_token(guarded: TestClient, project: Project) -> None:
    form = {"token": make_token(project, "browser"), "next": "/api/v2/sources"}
    reply = guarded.post("/login", data=form)
    assert reply.status_code == 200
    cookie = reply.history[0].headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    revoke_token(project.workspace, "browser")
    assert guarded.get(SOURCES).status_code == 401
    guarded.cookies.clear()


@pytest.mark.parametrize(("hours", "known"), [(0, "id"), (-3, "id"), (8, "id"), (9, None)])
def test_a_session_outlives_a_clock_that_goes_back_and_no_more(
    hours: int, known: str | None
) -> None:
    sessions, now = Sessions(b"k" * 32, 8), datetime(2026, 10, 25, 1, tzinfo=UTC)
    with set_clock(lambda: now):
        cookie = sessions.sign("id")
    with set_clock(lambda: now + timedelta(hours=hours)):
        assert sessions.read(cookie) == known
    assert sessions.read(cookie[:-1]) is None


def test_a_cookie_of_another_key_opens_nothing(guarded: TestClient, project: Project) -> None:
    site = open_site(project.workspace, "192.0.2.1")
    guarded.cookies.set(site.sessions.cookie, "abc.def.ghi")
    assert guarded.get(SOURCES).status_code == 401
    guarded.cookies.clear()


def test_a_session_elsewhere_on_this_machine_is_none_here(client: TestClient) -> None:
    other = Sessions(b"other", 8)
    client.cookies.set(other.cookie, other.sign("abc"))
    assert client.get(SOURCES).status_code == 200
    client.cookies.clear()


@pytest.mark.parametrize(
    "header", ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via"]
)
def test_nobody_is_the_owner_through_a_proxy(client: TestClient, header: str) -> None:
    reply = client.get("/api/v2/doctor", headers={header: "203.0.113.9"})
    assert (reply.status_code, reply.json()["error"]["where"]) == (401, "web.hosts")


def test_a_browser_behind_a_proxy_reads_what_is_missing(client: TestClient) -> None:
    headers = {"Via": "1.1 nginx", "Accept": "text/html"}
    reply = client.get("/", headers=headers, follow_redirects=False)
    assert reply.status_code == 401
    assert "web.hosts" in reply.text


def test_a_token_opens_through_a_proxy(client: TestClient, project: Project) -> None:
    token = bear(make_token(project, "proxied"))
    assert client.get(SOURCES, headers={"Via": "1.1 nginx", **token}).status_code == 200


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example", "/\\evil.example"])
def test_a_login_leads_to_no_other_site(guarded: TestClient, project: Project, target: str) -> None:
    form = {"token": make_token(project, target[:2].encode().hex()), "next": target}
    reply = guarded.post("/login", data=form, follow_redirects=False)
    assert reply.headers["location"] == "/"
    guarded.cookies.clear()


def test_a_browser_without_a_session_is_led_to_the_login(guarded: TestClient) -> None:
    reply = guarded.get("/", headers={"Accept": "text/html"}, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/login?next=/")


def test_after_a_form_without_a_session_the_login_leads_to_a_page(guarded: TestClient) -> None:
    html = {"Accept": "text/html"}
    reply = guarded.post("/sources/remove", headers=html, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/login?next=/")


def test_one_address_cannot_try_thousands_of_tokens(project: Project) -> None:
    site = open_site(project.workspace, "192.0.2.1")
    with TestClient(make_app(site), base_url="http://127.0.0.1") as client:
        tried = [client.get(SOURCES, headers=bear("fdy_a_b")).status_code for _ in range(21)]
    assert (set(tried[:20]), tried[20]) == ({401}, 429)


def test_a_login_is_in_the_audit_stream(guarded: TestClient, project: Project) -> None:
    guarded.post("/login", data={"token": "wrong"})
    guarded.post("/login", data={"token": make_token(project, "audited")})
    events = project.workspace.access.list_events(2)
    assert [(event.who, event.outcome) for event in events] == [
        ("audited", "done"),
        ("", "not_authenticated"),
    ]
    guarded.cookies.clear()


def test_a_wrong_secret_is_no_use_of_the_token(guarded: TestClient, project: Project) -> None:
    text = make_token(project, "quiet")
    wrong = text[:-1] + ("A" if text[-1] != "A" else "B")
    assert guarded.get(SOURCES, headers=bear(wrong)).status_code == 401
    (token,) = [one for one in project.workspace.access.list_tokens() if one.name == "quiet"]
    assert token.used is None
