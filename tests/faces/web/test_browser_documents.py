"""Documents in a real browser: from a new specification to the Word file, and a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.faces.web import test_browser as pages
from tests.faces.web.test_browser import Open

# The same browser and the same project, made anew for this module.
address, browser, faults = pages.address, pages.browser, pages.faults
open_page, pytestmark, root = pages.open_page, pages.pytestmark, pages.root

SPEC = "/documents/specifications/controller"


@pytest.fixture(scope="module")
def written(browser: pages.Browser, address: str) -> str:
    """The address of a draft that somebody made who sees the pages for the first time."""
    page = browser.new_page(base_url=address)
    page.set_default_timeout(20_000)
    page.goto("/documents")
    specify(page)
    page.get_by_role("link", name="Plan", exact=True).click()
    page.get_by_role("button", name="Write the draft").click()
    page.wait_for_url("**/documents/drafts/**", timeout=60_000)
    return page.url


def specify(page: Page) -> None:
    """Make a specification and approve it."""
    page.get_by_label("Title").fill("Controller")
    page.get_by_label("Owner").fill("Ann")
    page.get_by_role("button", name="Create", exact=True).click()
    page.get_by_label("Title of the section").first.fill("Input fuse")
    page.get_by_label("Contents").first.fill("rating of the input fuse")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Approve").click()


def test_a_draft_is_reviewed_at_its_sources_accepted_and_built(
    open_page: Open, written: str
) -> None:
    page = open_page(written)
    page.locator(".reviewed .cite").first.click()
    expect(page.locator("#pane .body")).to_be_visible()
    page.goto(written)
    page.get_by_label("Your name").last.fill("Ann")
    page.get_by_role("button", name="Accept").click()
    expect(page.locator("#acceptance")).to_contain_text("Accepted by Ann")
    page.goto("/documents")
    with page.expect_download() as download:
        page.get_by_role("button", name="Build").click()
    assert download.value.suggested_filename.endswith(".docx")


def test_what_is_wrong_is_said_while_one_types(open_page: Open, written: str) -> None:
    page = open_page(SPEC)
    page.get_by_label("Most trusted sources").fill("nothing/*")
    expect(page.locator("[data-found]")).to_contain_text("nothing/*")


def test_a_sentence_is_edited_and_checked_when_it_is_saved(open_page: Open, written: str) -> None:
    page = open_page(written, viewport={"width": 390, "height": 780}, has_touch=True)
    page.get_by_role("link", name="Edit Input fuse").tap()
    text = page.get_by_label("Markdown")
    words = text.input_value()
    text.fill(words.replace("3.15 A", "6 A"))
    page.get_by_role("button", name="Save and check").tap()
    expect(page.locator(".reviewed li.contradicted")).to_contain_text("Edited")
    page.get_by_role("link", name="What changed").tap()
    expect(page.locator(".diff ins")).to_contain_text("6 A")
    page.goto(written)
    page.get_by_role("link", name="Edit Input fuse").tap()
    text.fill(words)
    page.get_by_role("button", name="Save and check").tap()
    expect(page.locator(".reviewed li.contradicted")).to_have_count(0)


def test_a_remark_is_made_and_resolved_with_the_keyboard(open_page: Open, written: str) -> None:
    page = open_page(written)
    page.locator(".remarking summary").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Which fuse?")
    page.keyboard.press("Tab")
    page.keyboard.type("Ben")
    page.keyboard.press("Enter")
    expect(page.locator(".remark")).to_contain_text("Which fuse?")
    page.get_by_role("button", name="Resolve").press("Enter")
    expect(page.locator(".remark.resolved")).to_have_count(1)
