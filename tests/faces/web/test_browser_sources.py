"""The sources in a real browser: filters, uploads, jobs, and the list at scale."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.faces.web import test_browser as pages
from tests.faces.web.test_browser import FUSE, Open

# The same browser and the same project, made anew for this module.
address, browser, faults = pages.address, pages.browser, pages.faults
open_page, pytestmark, root = pages.open_page, pages.pytestmark, pages.root


def test_dates_in_the_wrong_order_are_said_and_the_question_stays(open_page: Open) -> None:
    page = open_page("/")
    page.click("summary")
    page.fill("[name=from]", "2026-12-01")
    page.fill("[name=to]", "2026-01-01")
    page.fill("#question", FUSE)
    page.keyboard.press("Enter")
    expect(page.locator(".turn [role=alert]")).to_contain_text("Swap the dates.")
    expect(page.locator("#question")).to_have_value(FUSE)


def test_a_source_that_was_removed_meanwhile_is_named(open_page: Open) -> None:
    page = open_page("/")
    page.click("summary")
    page.evaluate(
        "document.querySelector('[name=source]').selectedOptions[0].value = 'sources/gone.md'"
    )
    page.fill("#question", FUSE)
    page.keyboard.press("Enter")
    expect(page.locator(".turn [role=alert]")).to_contain_text("sources/gone.md")
