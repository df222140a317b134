"""The sources in a real browser: filters, uploads, jobs, and the list at scale."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

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


def add(page: Page, name: str, text: str) -> None:
    """Send a text of that name as a file."""
    file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    page.set_input_files("#files", file)  # type: ignore[arg-type]
    page.click("#upload button.main")


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        ("Replace", {"weight.txt": "It weighs 9 kg."}),
        ("Keep both", {"weight.txt": "It weighs 8 kg.", "weight (2).txt": "It weighs 9 kg."}),
        ("Cancel", {"weight.txt": "It weighs 8 kg."}),
    ],
)
def test_a_file_whose_name_is_taken_is_replaced_kept_beside_it_or_left(
    open_page: Open, root: Path, choice: str, kept: dict[str, str]
) -> None:
    folder = root / "sources/uploads"
    shutil.rmtree(folder, ignore_errors=True)
    page = open_page("/sources")
    add(page, "weight.txt", "It weighs 8 kg.")
    expect(page.locator("#queue .done")).to_be_visible(timeout=20_000)
    add(page, "weight.txt", "It weighs 9 kg.")
    page.get_by_role("button", name=choice, exact=True).click()
    if choice != "Cancel":
        expect(page.locator("#queue .done")).to_have_count(2, timeout=20_000)
    assert {path.name: path.read_text() for path in folder.iterdir()} == kept


def test_a_source_is_removed_with_its_file_when_that_is_chosen(open_page: Open, root: Path) -> None:
    page = open_page("/sources")
    add(page, "lid.txt", "The lid weighs 2 kg.")
    expect(page.locator("#queue .done")).to_be_visible(timeout=20_000)
    page.reload()
    page.locator(".leaf-row", has_text="lid.txt").get_by_role("link", name="Details").click()
    page.click("[data-ask-removal]")
    page.get_by_label("Delete the file sources/uploads/lid.txt too").check()
    page.click("#removal button[value=remove]")
    page.wait_for_url("**/sources")
    assert not (root / "sources/uploads/lid.txt").exists()
