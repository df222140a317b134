"""The sources in a real browser: filters, uploads, jobs, and the list at scale."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from foundry.journeys.work import jobs as journey
from foundry.ports import Step
from tests.faces.web import test_browser as pages
from tests.faces.web.test_browser import FUSE, Open, ask

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
    page.fill("[name=source]", "sources/gone.md")
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
        (
            "Add as a new revision",
            {"weight.txt": "It weighs 8 kg.", "weight (2).txt": "It weighs 9 kg."},
        ),
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


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A worker reads no file until the event is set; it is in the end."""
    event, whole = threading.Event(), journey.run_steps

    def wait(tally: Any, paths: Any, confirm: Any, show: Any, pool: Any) -> Any:
        while not event.wait(0.05):
            show(Step("embed", 1, 4, "tokens"))
        return whole(tally, paths, confirm, show, pool)

    monkeypatch.setattr(journey, "run_steps", wait)
    yield event
    event.set()


def test_jobs_have_their_lines_and_rows_after_a_reload_and_the_list_gains_their_files(
    open_page: Open, held: threading.Event
) -> None:
    page = open_page("/sources")
    add(page, "seal.txt", "The seal is made of rubber.")
    expect(page.locator("#queue .state")).to_contain_text("25%", timeout=20_000)
    page.reload()
    expect(page.locator("#queue .file")).to_have_text("sources/uploads/seal.txt")
    expect(page.locator("#queue .state")).to_contain_text("25%")
    row = page.locator(".leaf-row", has_text="seal.txt")
    expect(row).to_contain_text("Waiting")
    held.set()
    expect(row.get_by_role("link", name="Details")).to_be_visible(timeout=20_000)
    expect(page.locator("#queue .done")).to_be_visible()


def test_a_job_is_cancelled_after_a_reload(open_page: Open, held: threading.Event) -> None:
    page = open_page("/sources")
    add(page, "gasket.txt", "The gasket is made of paper.")
    expect(page.locator("#queue .state")).to_contain_text("25%", timeout=20_000)
    page.reload()
    page.locator("#queue").get_by_role("button", name="Cancel").click()
    expect(page.locator("#queue .state")).to_contain_text("Cancelled", timeout=20_000)
    held.set()
    page.reload()
    expect(page.locator("#list")).not_to_contain_text("gasket.txt")


def test_reading_again_says_that_it_waits_and_then_that_it_is_done(
    open_page: Open, root: Path, held: threading.Event
) -> None:
    (root / "sources/service.md").write_text(f"{pages.SERVICE}\nOrder two.\n", encoding="utf-8")
    page = open_page("/sources")
    page.locator(".leaf-row", has_text="service.md").get_by_role("link", name="Details").click()
    page.click("[data-again]")
    expect(page.locator("#queue .state")).to_contain_text("25%", timeout=20_000)
    expect(page.locator("#change [role=status]")).to_be_empty()
    held.set()
    expect(page.locator("#queue .done")).to_be_visible(timeout=20_000)
    expect(page.locator("#as-read")).to_contain_text("Order two.")
    page.click("[data-again]")
    expect(page.locator("#queue .state").first).to_contain_text("Unchanged")


def test_files_in_the_folder_are_read_with_a_button(open_page: Open, root: Path) -> None:
    (root / "sources/bolt.md").write_text("# Bolt\n\nThe bolt is made of steel.\n")
    page = open_page("/sources")
    page.get_by_role("button", name=re.compile("^Read (one|[0-9]+) file")).click()
    expect(page.locator("#list")).to_contain_text("bolt.md", timeout=20_000)
    page.get_by_role("button", name="Read the folder").click()
    expect(page.locator("#folder [role=status]")).to_have_text(
        "Everything in the folder has been read."
    )


def test_a_conversation_is_there_again_after_a_reload_and_after_going_back(open_page: Open) -> None:
    page = open_page("/")
    questions = [FUSE, "How many channels has an output?", "Which part number has the fuse?"]
    for question in questions:
        ask(page, question)
    page.reload()
    expect(page.locator(".turn > :first-child")).to_have_text(questions)
    page.get_by_role("link", name="Sources", exact=True).first.click()
    page.wait_for_url("**/sources")
    page.go_back()
    expect(page.locator(".turn > :first-child")).to_have_text(questions)
    ask(page, "And the supply?")
    page.reload()
    expect(page.locator(".turn > :first-child")).to_have_count(4)


def test_a_document_is_found_while_it_is_typed_and_limits_the_question(open_page: Open) -> None:
    page = open_page("/")
    page.click("summary")
    page.locator("[name=source]").press_sequentially("serv")
    offered = page.locator("#documents option")
    expect(offered).to_have_count(1)
    expect(offered).to_have_attribute("value", "sources/service.md")
    page.fill("[name=source]", "sources/service.md")
    ask(page, FUSE)
    expect(page.locator(".turn .title")).to_have_text("Service")


def test_many_are_selected_and_changed_at_once(open_page: Open) -> None:
    page = open_page("/sources")
    expect(page.locator(".selecting")).to_be_hidden()
    boxes = page.locator("[name=chosen]")
    boxes.nth(0).check()
    boxes.nth(2).click(modifiers=["Shift"])
    expect(page.locator(".selecting output")).to_have_text("3 selected")
    page.fill("[name=add_tags]", "reviewed")
    page.get_by_role("button", name="Change", exact=True).click()
    expect(page.get_by_role("status").first).to_have_text("3 sources were changed.")
    page.select_option("[name=tag]", "reviewed")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#list .leaf-row")).to_have_count(3)


def test_a_changed_file_is_read_again_from_its_row(open_page: Open, root: Path) -> None:
    (root / "sources/service.md").write_text(f"{pages.SERVICE}\nOrder three.\n", encoding="utf-8")
    page = open_page("/sources?state=changed")
    page.get_by_role("button", name="Read again sources/service.md").click()
    expect(page.locator("#list")).to_contain_text("No source matches.")
    # The job may have ended before the page asks for it: the list must say so either way.
    expect(page.get_by_role("link", name="Waiting")).to_have_count(0, timeout=20_000)
    expect(page.locator("#queue .failed")).to_have_count(0)


def test_a_question_is_limited_to_the_selected_sources(open_page: Open) -> None:
    page = open_page("/sources?q=service.md")
    page.locator("[name=chosen]").check()
    page.get_by_role("button", name="Ask about these sources").click()
    ask(page, FUSE)
    expect(page.locator(".turn .title")).to_have_text("Service")


def test_the_list_is_searched_and_sorted(open_page: Open) -> None:
    page = open_page("/sources")
    page.fill("[name=q]", "guide pdf")
    page.keyboard.press("Enter")
    expect(page.locator("#list .leaf-row")).to_have_count(1)
    page.select_option("[name=sort]", "ingested")
    page.fill("[name=q]", "")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#list .leaf-row").first).to_contain_text(re.compile(r"20\d\d-"))
    page.get_by_role("link", name="Type", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text(re.compile("Type"))


def test_a_question_that_failed_is_asked_again_with_the_filters_as_they_are_now(
    open_page: Open,
) -> None:
    page = open_page("/")
    page.click("summary")
    page.fill("[name=source]", "sources/gone.md")
    page.fill("#question", FUSE)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Try again").wait_for()
    page.fill("[name=source]", "")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".turn [data-answer]")).to_contain_text("3.15 A", timeout=20_000)
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator("#question")).to_have_value("")


def test_a_question_that_is_too_long_is_kept_whole_and_not_sent(open_page: Open) -> None:
    page = open_page("/")
    page.fill("#question", "fuse " * 2001)
    page.keyboard.press("Enter")
    field = page.locator("#question")
    assert "at most 10,000" in field.evaluate("field => field.validationMessage")
    assert field.evaluate("field => field.value.length") == 10_005
    expect(page.locator(".turn")).to_have_count(0)


def test_who_says_that_something_is_wrong_may_say_what_is_right(open_page: Open) -> None:
    page = open_page("/")
    ask(page, FUSE)
    page.click("[data-judge=wrong_source]")
    page.get_by_label("What is right, or missing?").fill("See service.md.")
    with page.expect_request("**/feedback") as sent:
        page.keyboard.press("Enter")
    assert sent.value.post_data_json == {"judgement": "wrong_source", "note": "See service.md."}
    expect(page.locator(".note")).to_have_count(0)
