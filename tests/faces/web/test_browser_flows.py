"""Whole tasks in a real browser, with the mouse, the keyboard alone, and on a phone."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.faces.web import test_browser as pages
from tests.faces.web.test_browser import FUSE, Open, ask

# The same browser and the same project, made anew for this module.
address, browser, faults = pages.address, pages.browser, pages.faults
open_page, pytestmark, root = pages.open_page, pages.pytestmark, pages.root

PHONE = {"width": 390, "height": 780}


def press_until(page: Page, selector: str, key: str = "Tab") -> None:
    """Press a key until the focus is on what matches."""
    for _ in range(60):
        page.keyboard.press(key)
        if page.evaluate("at => document.activeElement.matches(at)", selector):
            return
    raise AssertionError(selector)


def test_a_conversation_is_named_found_and_taken_off_the_list_with_the_keyboard(
    open_page: Open,
) -> None:
    page = open_page()
    ask(page, FUSE)
    page.goto("/conversations")
    press_until(page, ".conversations summary")
    page.keyboard.press("Enter")
    press_until(page, "[name=title]")
    page.keyboard.press("Control+A")
    page.keyboard.type("Fuses")
    page.keyboard.press("Enter")
    expect(page.locator(".conversations li > a")).to_have_text("Fuses")
    press_until(page, "[name=q]")
    page.keyboard.type("rating")
    page.keyboard.press("Enter")
    expect(page.locator(".conversations li > a")).to_have_text("Fuses")
    press_until(page, ".conversations summary")
    page.keyboard.press("Enter")
    press_until(page, ".conversations .danger")
    page.keyboard.press("Enter")
    expect(page.locator(".conversations")).to_have_count(0)


def test_a_search_is_narrowed_on_a_phone_and_its_sources_are_asked(open_page: Open) -> None:
    page = open_page("/search", viewport=PHONE, has_touch=True)
    page.get_by_label("Words").fill("fuse rated")
    page.keyboard.press("Enter")
    expect(page.locator(".passage").first).to_contain_text("3.15 A")
    page.locator(".faceted summary").tap()
    page.locator(".faceted aside").get_by_role("link", name="md", exact=True).tap()
    expect(page.locator(".chips .chip")).to_contain_text("type=md")
    page.get_by_role("link", name="Ask about these sources").tap()
    expect(page.locator("[name=filter]")).to_have_value("type=md")
    ask(page, FUSE)
    expect(page.locator(".asked")).to_contain_text("type=md")


def test_a_table_is_made_a_cell_approved_and_the_table_downloaded(open_page: Open) -> None:
    page = open_page("/tables")
    page.get_by_label("Name").fill("Fuses")
    page.get_by_label("Questions, one per line").fill(FUSE)
    page.get_by_role("button", name="Ask every row").click()
    page.wait_for_url("**/tables/Fuses")
    cell = page.locator("td", has_text="3.15 A").first
    cell.locator("a.value").click()
    expect(page.locator("#pane .body")).to_be_visible()
    page.keyboard.press("Escape")
    cell.locator("summary").click()
    cell.get_by_label("Your name").fill("Ann")
    cell.get_by_role("button", name="Approve").click()
    expect(page.locator("td.approved")).to_contain_text("Ann")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "3.15 A" in Path(download.value.path()).read_text(encoding="utf-8-sig")


def test_a_table_is_filled_although_the_connection_is_lost_for_a_while(
    open_page: Open, faults: list[str]
) -> None:
    page = open_page("/tables")
    lost = iter(range(2))
    page.route(
        "**/tables/Lost",
        lambda route: (
            route.abort()
            if route.request.resource_type == "fetch" and next(lost, None) is not None
            else route.continue_()
        ),
    )
    page.get_by_label("Name").fill("Lost")
    page.get_by_label("Questions, one per line").fill(FUSE)
    page.get_by_role("button", name="Ask every row").click()
    expect(page.locator("#work [role=status]")).to_contain_text("connection was lost")
    expect(page.locator("td", has_text="3.15 A").first).to_be_visible()
    faults.clear()


def test_who_is_invited_logs_in_with_the_link_reads_what_is_shared_and_can_be_shut_out(
    open_page: Open, faults: list[str]
) -> None:
    owner = open_page()
    ask(owner, FUSE)
    owner.get_by_text("Share", exact=True).first.click()
    owner.get_by_label("Share with the role").select_option("public")
    owner.get_by_role("button", name="Share").click()
    owner.wait_for_url(re.compile("/answers/"))
    shared = owner.url
    owner.goto("/admin/people")
    owner.get_by_label("Name").fill("Cees")
    owner.get_by_label("Role").select_option("public")
    owner.get_by_role("button", name="Invite").click()
    guest = open_page(owner.get_by_label("Login link").input_value())
    assert "#" not in guest.url
    guest.get_by_role("button", name="Log in").click()
    expect(guest.get_by_role("link", name="Admin")).to_have_count(0)
    guest.goto(shared)
    expect(guest.locator(".answer")).to_contain_text("3.15 A")
    owner.get_by_role("button", name="Revoke the token of Cees").click()
    guest.goto("/search?q=fuse&filter=type%3Dmd")
    expect(guest.locator("#token")).to_be_visible()
    assert guest.locator("[name=next]").input_value() == "/search?q=fuse&filter=type%3Dmd"
    faults.clear()
