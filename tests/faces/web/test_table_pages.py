"""The page of an extraction table: its cells, what people decide on them, and who may."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.journeys.access import create_token
from foundry.web.app import make_app
from foundry.web.site import open_site

FUSE = "What is the rating of the input fuse?"
PENSION = "Which pension fund insures the staff?"


@pytest.fixture
def page(client: TestClient) -> Iterator[str]:
    """A table of two questions and all sources, as its page shows it."""
    form = {"name": "F1 & <more>", "questions": f"{FUSE}\n\n  {PENSION}  "}
    yield make(client, form)
    client.post("/tables/F1%20%26%20%3Cmore%3E/remove")


def make(client: TestClient, form: dict[str, str]) -> str:
    """The page of a new table, once its run has ended."""
    page = client.post("/tables", data=form)
    work = client.app.state.site.background.find(f"table {form['name']}")  # type: ignore[attr-defined]
    assert work.ended.wait(60)
    return client.get(page.url.path).text


def find_cell(page: str, words: str) -> str:
    """The first cell of the table that has these words."""
    cells: list[str] = re.findall(r"<td.*?</td>", page, re.DOTALL)
    return next(cell for cell in cells if words in cell)


def decide(client: TestClient, cell: str, verdict: str, **given: str) -> str:
    """The page after a decision on a cell."""
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', cell.partition('<p class="row"')[0]))
    hidden = {name: html.unescape(value) for name, value in fields.items()}
    form = hidden | re_value(cell) | {"verdict": verdict, "by": "Anna"} | given
    return client.post("/tables/F1%20%26%20%3Cmore%3E/review", data=form).text


def re_value(cell: str) -> dict[str, str]:
    found = re.search(r'name="value" maxlength="5000" value="([^"]*)"', cell)
    return {"value": html.unescape(found[1])} if found else {}


def test_a_cell_opens_its_source_at_the_words_and_an_empty_one_says_so(page: str) -> None:
    assert "exact=" in find_cell(page, "3.15 A")
    assert "nothing found" in find_cell(page, "nothing found")
    assert "F1 &amp; &lt;more&gt;" in page


def test_a_cell_with_a_passage_says_once_that_it_is_to_be_read(client: TestClient) -> None:
    page = make(client, {"name": "diode", "questions": "What blocks reverse polarity?"})
    assert find_cell(page, "see passage").count("see passage") == 1
    client.post("/tables/diode/remove")


def test_a_decision_names_its_person_and_holds(client: TestClient, page: str) -> None:
    after = decide(client, find_cell(page, "3.15 A"), "corrected", value="T 3.15 A")
    cell = find_cell(after, "T 3.15 A")
    assert "Anna" in cell
    assert 'class="corrected"' in cell


def test_a_decision_on_words_that_changed_since_is_refused(client: TestClient, page: str) -> None:
    after = decide(client, find_cell(page, "3.15 A"), "approved", seen="0123456789abcdef")
    assert 'role="alert"' in after
    assert 'class="approved"' not in after


def test_a_reader_sees_no_table_with_a_source_that_is_hidden(
    project: Project, client: TestClient, page: str
) -> None:
    _, token = create_token(project.workspace, "low", "public", timedelta(days=1))
    app = make_app(open_site(project.workspace, "192.0.2.1"))
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/html"}
    with TestClient(app, base_url="http://127.0.0.1", headers=headers) as low:
        assert "F1 &amp;" not in low.get("/tables").text
        assert low.get("/tables/F1%20%26%20%3Cmore%3E").status_code == 404
        assert low.post("/tables", data={"name": "x", "questions": FUSE}).status_code == 403


def test_a_table_of_sections_names_them_and_its_cells_are_decided_on(client: TestClient) -> None:
    form = {"name": "by section", "questions": FUSE, "by": "section"}
    page = make(client, form)
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", page, re.DOTALL)
    assert len(rows) > 2
    filled = [row for row in rows if "3.15 A" in row]
    assert filled
    assert " › " in filled[0]
    hidden = dict(re.findall(r'name="(row|column|seen)" value="([^"]*)"', filled[0]))
    reply = client.post(
        "/tables/by%20section/review", data={**hidden, "verdict": "approved", "by": "Eve"}
    )
    assert 'class="approved"' in reply.text
    client.post("/tables/by%20section/remove")


def test_a_table_that_was_stopped_goes_on(client: TestClient, page: str) -> None:
    reply = client.post("/tables/F1%20%26%20%3Cmore%3E/run")
    assert reply.status_code == 200
    work = client.app.state.site.background.find("table F1 & <more>")  # type: ignore[attr-defined]
    assert work.ended.wait(60)
    assert work.error is None
