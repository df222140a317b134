"""Sources over HTTP and on their page: what to do next, reading the folder, and the list at scale."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project, open_project
from foundry.journeys.access import create_token
from foundry.journeys.project import init_project
from foundry.web.app import make_app
from foundry.web.site import open_site
from tests.support.local_servers import NO_SERVERS

PAGE = {"Accept": "text/html"}


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Project]:
    """A project whose folder has files that nobody has read."""
    root = tmp_path / "empty"
    init_project(root, mode="offline", environment=NO_SERVERS)
    for name in ("one", "two"):
        (root / f"sources/{name}.md").write_text(f"# {name}\n\nThe {name} weighs 8 kg.\n")
    with open_project(root, environment={}) as project:
        yield project


@pytest.fixture
def visitor(empty: Project) -> TestClient:
    """The owner, on a server whose worker does not run."""
    return TestClient(
        make_app(open_site(empty.workspace, "127.0.0.1")), base_url="http://127.0.0.1"
    )


def ask(client: TestClient, **headers: str) -> Any:
    return client.post("/api/v2/ask", json={"question": "What weighs 8 kg?"}, headers=headers)


def test_the_api_says_which_route_to_call(visitor: TestClient) -> None:
    problem = ask(visitor).json()["error"]
    assert "POST /api/v2/ingest" in problem["fix"]
    assert "foundry ingest" not in str(problem)


def test_a_page_says_where_to_press(visitor: TestClient) -> None:
    form = {"question": "What weighs 8 kg?"}
    shown = visitor.post("/ask", data=form, headers={**PAGE, "Accept-Language": "nl"}).text
    assert "Voer eerst “Lees” op de pagina Bronnen uit." in shown
    assert "foundry ingest" not in shown


def test_a_terminal_that_asks_a_server_is_told_the_command(visitor: TestClient) -> None:
    from foundry.client import RENDERED

    assert "`foundry ingest`" in ask(visitor, Accept=RENDERED).json()["error"]["fix"]


def test_quoted_words_of_a_request_are_never_changed(visitor: TestClient) -> None:
    reply = visitor.post("/api/v2/search", json={"query": "x", "filters": ["`foundry ingest`"]})
    assert reply.json()["error"]["message"] == "Invalid filter: '`foundry ingest`'."


def test_the_folder_is_read_over_http(empty: Project, visitor: TestClient) -> None:
    assert "Read 2 files" in visitor.get("/sources/folder").text
    jobs = visitor.post("/api/v2/ingest").json()["jobs"]
    assert [job["path"] for job in jobs] == ["sources/one.md", "sources/two.md"]
    assert empty.workspace.maintenance().count_open_jobs() == 2
    assert "Read 2 files" not in visitor.get("/sources/folder").text


def test_the_folder_is_read_by_a_browser_without_scripts(
    empty: Project, visitor: TestClient
) -> None:
    reply = visitor.post("/sources/read", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/sources")
    assert empty.workspace.maintenance().count_open_jobs() == 2


@pytest.mark.parametrize("path", ["/api/v2/ingest", "/sources/read"])
def test_a_lower_role_does_not_read_the_folder(
    empty: Project, visitor: TestClient, path: str
) -> None:
    token = create_token(empty.workspace, "eve", "confidential", timedelta(days=1))[1]
    visitor.headers["Authorization"] = f"Bearer {token}"
    assert visitor.post(path).status_code == 403
    assert "/sources/read" not in visitor.get("/sources").text
    assert empty.workspace.maintenance().count_open_jobs() == 0


def test_reading_the_folder_goes_on_where_vectors_are_missing(
    empty: Project, visitor: TestClient
) -> None:
    empty.ingest()
    store, model = empty.workspace.maintenance(), empty.workspace.embedder.model
    store.drop_index(model)
    jobs = visitor.post("/api/v2/ingest").json()["jobs"]
    assert [job["path"] for job in jobs] == ["sources/one.md", "sources/two.md"]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A project of 120 sources in two folders."""
    root = tmp_path_factory.mktemp("many") / "many"
    init_project(root, mode="offline", environment=NO_SERVERS)
    for number in range(120):
        folder = root / "sources" / ("even" if number % 2 == 0 else "odd")
        folder.mkdir(exist_ok=True)
        suffix = "txt" if number == 7 else "md"
        text = f"# Sheet x{999 - number}\n\nPart {number} weighs {number} g.\n"
        (folder / f"part-{number:03}.{suffix}").write_text(text)
    with open_project(root, environment={}) as project:
        project.ingest()
        site = open_site(project.workspace, "127.0.0.1")
        with TestClient(make_app(site), base_url="http://127.0.0.1") as client:
            yield client


def get_row(client: TestClient, name: str, **wanted: str) -> str:
    """The text of a row of the table, with the values of its fields."""
    shown = client.get("/sources", params=wanted).text
    return next((row for row in shown.split("<tr")[2:] if f"{name}<" in row), "")


def list_names(client: TestClient, **wanted: object) -> list[str]:
    found = client.get("/api/v2/sources", params=wanted).json()["sources"]  # type: ignore[arg-type]
    return [one["path"].rpartition("/")[2] for one in found]


def test_sources_are_found_by_words_in_path_and_title(many: TestClient) -> None:
    assert list_names(many, q="EVEN part-01") == [f"part-01{n}.md" for n in (0, 2, 4, 6, 8)]
    assert list_names(many, q="sheet x998") == ["part-001.md"]


def test_sources_are_limited_to_a_type(many: TestClient) -> None:
    assert list_names(many, type="txt") == ["part-007.txt"]


def test_sources_are_sorted_and_come_in_pages(many: TestClient) -> None:
    assert list_names(many, sort="title", type="md", limit=2) == ["part-119.md", "part-118.md"]
    assert list_names(many, sort="title", type="md", limit=2, page=2) == [
        "part-117.md",
        "part-116.md",
    ]
    reply = many.get("/api/v2/sources", params={"q": "odd", "limit": 10}).json()
    assert (reply["total"], len(reply["sources"]), reply["next"]) == (
        60,
        10,
        "sources/odd/part-019.md",
    )


def test_a_page_of_the_list_leads_to_the_next_with_the_same_wishes(many: TestClient) -> None:
    first = many.get("/sources", params={"q": "part", "sort": "title"}).text
    assert "1–100 of 120" in first
    assert 'href="/sources?q=part&amp;sort=title&amp;page=2"' in first
    last = many.get("/sources?q=part&sort=title&page=99").text
    assert "101–120 of 120" in last
    assert last.count('class="leaf-row"') == 20


def test_the_table_is_limited_to_a_folder(many: TestClient) -> None:
    shown = many.get("/sources?q=part-00&folder=sources/odd").text
    assert [name in shown for name in ("part-007.txt", "part-010.md", "part-008.md")] == [
        *(True, False, False)
    ]


def test_a_head_of_the_table_says_and_turns_its_order(many: TestClient) -> None:
    shown = many.get("/sources?sort=-type").text
    assert 'aria-sort="descending"><a href="/sources?sort=type"' in shown
    assert list_names(many, sort="-type", limit=1) == ["part-007.txt"]


def test_a_list_without_a_match_says_so(many: TestClient) -> None:
    assert "No source matches." in many.get("/sources?q=nothing").text


def test_the_home_page_does_not_grow_with_the_sources(many: TestClient) -> None:
    assert "part-0" not in many.get("/").text


def test_what_a_role_may_not_see_is_on_no_page_of_the_list(
    client: TestClient, project: Project
) -> None:
    token = create_token(project.workspace, "low", "public", timedelta(days=1))[1]
    found = client.get(
        "/api/v2/sources?q=notes", headers={"Authorization": f"Bearer {token}"}
    ).json()
    assert (found["sources"], found["total"]) == ([], 0)


def upload_secret(visitor: TestClient) -> str:
    """The id of the job of a secret file."""
    files = [("files", ("salary.md", b"# Salary\n\nThe lid weighs 2 kg.\n"))]
    sent = visitor.post("/api/v2/uploads", files=files, data={"confidentiality": "secret"})
    return str(sent.json()["jobs"][0]["id"])


def test_reading_the_folder_leaves_a_file_that_waits_its_job_and_labels(
    empty: Project, visitor: TestClient
) -> None:
    job = upload_secret(visitor)
    visitor.post("/api/v2/ingest")
    found = {one.id: one for one in empty.workspace.maintenance().list_jobs()}
    assert (len(found), found[job].confidentiality) == (3, "secret")
    assert "Waiting" in get_row(visitor, "salary.md")


def test_a_cancelled_file_is_as_confidential_as_it_was_sent_when_the_folder_is_read(
    empty: Project, visitor: TestClient
) -> None:
    visitor.post(f"/api/v2/jobs/{upload_secret(visitor)}/cancel")
    assert "salary.md" in visitor.get("/sources").text
    empty.ingest()
    source = empty.workspace.store.find_source("sources/uploads/salary.md")
    assert source
    assert source.confidentiality == "secret"
