"""A source as read in a real browser: blocks beside their page, a correction by keyboard, a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.faces.web import test_browser as pages
from tests.faces.web.test_browser import Open
from tests.faces.web.test_browser_reader import COVERED

# The same browser and the same project, made anew for this module.
address, browser, faults = pages.address, pages.browser, pages.faults
open_page, pytestmark, root = pages.open_page, pages.pytestmark, pages.root
PHONE = {"width": 360, "height": 740}


def open_read(page: Page, name: str) -> None:
    """Go from the list of sources to a source as it was read."""
    page.locator(".leaf-row", has_text=name).get_by_role("link").first.click()
    page.locator("main .views, .pane .bar").get_by_role("link", name="As read").click()


def test_a_block_and_its_box_on_the_page_are_marked_together(open_page: Open) -> None:
    page = open_page("/sources")
    open_read(page, "pump.pdf")
    number = page.locator(".blocks > li").last.get_attribute("id")
    assert number
    page.locator(f"#{number} .prose").click()
    expect(page.locator(f"#box-{number.removeprefix('block-')}.chosen")).to_be_visible()
    page.locator(".as-read rect").first.click()
    expect(page.locator(".blocks > li.chosen")).to_have_count(1)
    expect(page.locator(".blocks > li").first).to_be_focused()


def test_a_word_is_corrected_with_the_keyboard_and_the_correction_undone(open_page: Open) -> None:
    page = open_page("/sources")
    open_read(page, "pump.pdf")
    page.get_by_role("link", name="Next").click()
    page.get_by_role("link", name="Correct block").first.press("Enter")
    field = page.get_by_label("Text as printed")
    field.fill(field.input_value().replace("5 bar", "6 bar"))
    page.get_by_role("button", name="Preview").first.press("Enter")
    expect(page.locator("#preview-title")).to_be_focused()
    page.get_by_label("Reason").fill("The print says 6.")
    page.get_by_label("Your name").fill("Ann")
    page.keyboard.press("Enter")
    expect(page.locator("ins")).to_have_text("6")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("ins")).to_have_count(0)


@pytest.mark.parametrize("options", [{}, {"color_scheme": "dark"}, {"viewport": PHONE}])
def test_the_pages_of_a_source_have_no_serious_fault_of_accessibility(
    open_page: Open, options: dict[str, object]
) -> None:
    page = open_page("/sources", **options)
    open_read(page, "pump.pdf")
    found = pages.find_faults(page)
    page.get_by_role("link", name="Correct block").first.click()
    found += pages.find_faults(page)
    page.get_by_label("Text as printed").fill("The pump weighs 9 kg.")
    page.get_by_role("button", name="Preview").first.click()
    found += pages.find_faults(page)
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_the_focus_is_never_behind_the_bar_below(open_page: Open) -> None:
    page = open_page("/sources", viewport=PHONE)
    open_read(page, "guide.pdf")
    page.get_by_role("link", name="Facts").click()
    covered = []
    for _ in range(40):
        page.keyboard.press("Tab")
        covered.append(page.evaluate(COVERED))
    assert [one for one in covered if one] == []


def test_without_scripts_a_box_leads_to_its_block(open_page: Open) -> None:
    page = open_page("/sources", java_script_enabled=False)
    page.locator(".leaf-row", has_text="pump.pdf").get_by_role("link").first.click()
    page.get_by_role("link", name="As read").click()
    box = page.locator(".as-read svg a").first
    box.click()
    assert page.url.endswith(str(box.get_attribute("href")))
    expect(page.locator(".blocks > li:target")).to_have_count(1)
