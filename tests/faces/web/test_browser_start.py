"""A new project and an evaluation in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from foundry.evaluation.questions import add_question
from foundry.journeys.project import init_project
from foundry.workspace import Workspace, open_workspace
from tests.faces.web import test_browser as pages
from tests.faces.web.test_browser import Open, find_faults, serve
from tests.support.local_servers import NO_SERVERS

browser, faults = pages.browser, pages.faults
open_page, pytestmark = pages.open_page, pages.pytestmark
LEASE = "# Lease\n\n## Payment\n\nThe monthly rent is EUR 1,240, payable in advance.\n"
REPORT = (
    "# House rules\n\n## How do I report damage?\n\nSend photos to the landlord within 48 hours.\n"
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("start") / "new"
    init_project(root, mode="offline", environment=NO_SERVERS)
    with open_workspace(root, environment={}, cwd=root) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def address(empty: Workspace) -> Iterator[str]:
    with serve(empty) as served:
        yield served.address


def send(name: str, text: str) -> dict[str, object]:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def test_a_new_project_goes_from_files_to_a_cited_passage(
    open_page: Open, empty: Workspace
) -> None:
    page = open_page("/")
    files = [send("lease.md", LEASE), send("rules.md", REPORT)]
    page.set_input_files("#files", files)  # type: ignore[arg-type]
    page.click("#upload button.main")
    starters = page.locator(".starters [data-ask]")
    expect(starters.first).to_be_visible(timeout=60_000)
    assert set(starters.all_inner_texts()) <= {
        "What is the monthly rent?",
        "How do I report damage?",
    }
    assert find_faults(page) == []
    expect(page.get_by_role("link", name="Invite a colleague")).to_be_visible()
    starters.first.click()
    expect(page.locator(".turn .cite").first).to_be_visible(timeout=30_000)


def test_files_in_the_folder_are_read_with_a_button(open_page: Open, empty: Workspace) -> None:
    (empty.root / "sources/late.md").write_text(LEASE.replace("monthly", "weekly"), "utf-8")
    page = open_page("/sources")
    page.get_by_role("button", name="Read one file").click()
    expect(page.locator("#queue .done")).to_be_visible(timeout=60_000)


def test_an_evaluation_begun_in_one_browser_is_seen_in_another(
    open_page: Open, empty: Workspace
) -> None:
    for text in ("What is the monthly rent?", "Who is the landlord's sister?"):
        add_question(empty, text, answerable="rent" in text)
    page = open_page("/quality")
    page.get_by_role("button", name="Run the evaluation").click()
    other = open_page("/quality")
    expect(other.locator(".curve svg")).to_be_visible(timeout=60_000)
    expect(page.locator(".curve svg")).to_be_visible(timeout=60_000)
    other.get_by_text("The figures").click()
    expect(other.locator(".curve tr.chosen")).to_be_visible()
    assert find_faults(other) == []
    other.goto("/quality/questions")
    assert find_faults(other) == []
