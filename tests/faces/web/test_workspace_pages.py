"""The pages of search, quality and administration, as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token, find_bearer
from foundry.records import EvalRun, StoreProblem
from foundry.store.relational.store import Store
from foundry.web.app import make_app
from foundry.web.site import open_site
from tests.store.records import WHEN

FUSE = "What is the rating of the input fuse?"


@pytest.fixture(scope="module")
def reader(project: Project) -> Iterator[TestClient]:
    """A colleague who may see what is public."""
    _, token = create_token(project.workspace, "reader", "public", timedelta(days=1))
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/html"}
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as client:
        yield client


def list_links(page: str, begins: str) -> list[str]:
    return [
        html.unescape(one) for one in re.findall(r'href="([^"]+)"', page) if one.startswith(begins)
    ]


# Search


def test_a_search_shows_passages_that_open_at_their_words(client: TestClient) -> None:
    page = client.get("/search", params={"q": "input fuse"}).text
    assert "The input fuse is rated at 3.15 A slow." in page
    assert any("exact=" in link for link in list_links(page, "/sources/src_"))


def test_a_folder_narrows_a_search_and_can_be_dropped_again(client: TestClient) -> None:
    page = client.get("/search", params={"q": "fuse"}).text
    narrow = next(one for one in list_links(page, "/search") if "folder%3Dsources%2Fsecret" in one)
    narrowed = client.get(narrow).text
    assert "3.15 A slow" not in narrowed
    assert "/search?q=fuse" in list_links(narrowed, "/search")


def test_a_year_is_searched_from_its_first_day_to_its_last(client: TestClient) -> None:
    page = client.get("/search").text
    years = [one for one in list_links(page, "/search") if "from%3D" in one]
    assert all("-01-01" in one and "-12-31" in one for one in years)


def test_a_wrong_filter_is_said_on_the_page_of_the_search(client: TestClient) -> None:
    page = client.get("/search", params={"q": "fuse", "filter": "colour=red"}).text
    assert "colour=red" in page
    assert 'role="alert"' in page


def test_a_search_counts_no_source_that_its_reader_may_not_see(reader: TestClient) -> None:
    assert "secret" not in reader.get("/search").text


def test_a_question_keeps_the_filters_of_the_search_it_comes_from(client: TestClient) -> None:
    page = client.get("/", params={"filter": "folder=sources/secret"}).text
    assert 'name="filter" value="folder=sources/secret" checked' in page
    form = {"question": FUSE, "filter": ["folder=sources/secret"]}
    assert "folder=sources/secret" in client.post("/ask", data=form).text


def test_the_facets_count_each_source_once_for_every_folder_above_it(client: TestClient) -> None:
    found = client.post("/api/v2/facets", json={}).json()
    assert {one["value"]: one["count"] for one in found["folder"]} == {
        "sources": 2,
        "sources/secret": 1,
    }


# Navigation


def test_only_the_owner_is_shown_the_owners_pages(client: TestClient, reader: TestClient) -> None:
    assert "/admin" in list_links(client.get("/search").text, "/admin")
    page = reader.get("/quality").text
    assert not list_links(page, "/admin") + list_links(page, "/quality/feedback")


@pytest.mark.parametrize("path", ["/admin", "/admin/people", "/admin/audit", "/quality/feedback"])
def test_the_owners_pages_are_closed_to_others(reader: TestClient, path: str) -> None:
    assert reader.get(path).status_code == 403


# People


def test_an_invitation_is_a_link_with_a_token_that_is_shown_once(
    client: TestClient, project: Project
) -> None:
    form = {"name": "Anna", "role": "internal", "expires": "7d"}
    page = client.post("/admin/people", data=form).text
    link = re.search(r'value="http://127.0.0.1/login#(fdy_[^"]+)"', page)
    assert link
    token = find_bearer(project.workspace, link[1])
    assert (token and token.name, token and token.role) == ("Anna", "internal")
    assert link[1] not in client.get("/admin/people").text


def test_the_page_of_health_reads_the_whole_database_only_when_asked(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def verify(store: Store) -> list[StoreProblem]:
        read.append(store)
        return []

    monkeypatch.setattr(Store, "verify", verify)
    client.get("/admin")
    assert not read
    client.get("/admin?whole=true")
    assert len(read) == 1


def test_a_person_cannot_be_invited_twice_under_one_name(client: TestClient) -> None:
    form = {"name": "Bob", "role": "public", "expires": "7d"}
    assert client.post("/admin/people", data=form).status_code == 200
    again = client.post("/admin/people", data=form)
    assert (again.status_code, 'role="alert"' in again.text) == (400, True)


def test_a_revoked_person_is_out(client: TestClient, project: Project) -> None:
    token, text = create_token(project.workspace, "Eve", "public", timedelta(days=1))
    client.post(f"/admin/people/{token.id}/revoke")
    assert find_bearer(project.workspace, text) is None


def test_who_was_invited_is_in_the_audit_stream(client: TestClient) -> None:
    client.post("/admin/people", data={"name": "Cees", "role": "public", "expires": "7d"})
    page = client.get("/admin/audit").text
    assert re.search(r"token\.new</td><td>Cees", page)


# Revisions


def test_a_person_links_two_revisions_and_takes_it_back(
    client: TestClient, project: Project
) -> None:
    old, new = (project.root / f"sources/pump {year}.md" for year in (2024, 2026))
    old.write_text("# Pump\n\nThe pump stops at 4 bar.\n", encoding="utf-8")
    new.write_text("# Pumps and valves\n\nEverything is new here.\n", encoding="utf-8")
    project.ingest()
    found = client.get("/api/v2/sources", params={"q": "pump 2026"}).json()["sources"][0]
    details = f"/sources/{found['id']}/details"
    older = {"older": "sources/pump 2024.md", "by": "Anna"}
    linked = client.post(f"/sources/{found['id']}/link", data=older).text
    assert "sources/pump 2024.md is not the same document" in linked
    client.post(f"/sources/{found['id']}/unlink", data=older)
    assert "is not the same document" not in client.get(details).text


# Quality


def test_what_readers_said_becomes_questions(client: TestClient) -> None:
    answer = client.post("/ask", data={"question": FUSE}).url.path
    said = {"judgement": "correct", "note": "<b>Just so</b>"}
    client.post(f"/api/v2/log/{answer.rpartition('/')[2]}/feedback", json=said)
    assert "&lt;b&gt;Just so" in client.get("/quality/feedback").text
    made = client.post("/quality/feedback").text
    assert re.search(r"1 questions? added", made)


def test_runs_without_a_common_question_are_refused_on_the_page_itself(
    client: TestClient, project: Project
) -> None:
    runs = project.workspace.store.evaluation
    ids = [
        runs.start_run(EvalRun(0, name, "ask", ("own",), WHEN, WHEN)).id
        for name in ("apart", "alone")
    ]
    reply = client.get(f"/quality?run={ids[0]}&against={ids[1]}")
    assert (reply.status_code, "no question in common" in reply.text) == (400, True)
    assert re.findall(r'<option value="(\d+)" selected>', reply.text) == [str(one) for one in ids]


def test_the_last_run_is_shown_with_its_figures(client: TestClient, project: Project) -> None:
    run = EvalRun(0, "nightly", "ask", ("own",), WHEN, WHEN, figures={"recall@5": 0.9125})
    project.workspace.store.evaluation.save_run(project.workspace.store.evaluation.start_run(run))
    page = client.get("/quality").text
    assert "nightly" in page
    assert "0.912" in page
