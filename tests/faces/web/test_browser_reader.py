"""The source beside the answer in a real browser: rows of tables, late replies, text of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from fpdf import FPDF
from playwright.sync_api import Error, Page, Route, expect

from foundry.api import open_project
from foundry.journeys.project import init_project
from foundry.workspace import open_workspace
from tests.faces.conftest import DATASHEET
from tests.faces.web import test_browser as pages
from tests.faces.web.test_browser import Answered, Open, ask_server, serve, wait_for, write
from tests.journeys.answers import online
from tests.support.local_servers import NO_SERVERS
from tests.support.model_server import ModelServer

browser, faults, model = pages.browser, pages.faults, pages.model
open_page, pytestmark = pages.open_page, pages.pytestmark

PRESSURE = "What is the closing pressure of the valve?"
CLOSING = "Closing pressure: 4 bar."
READING = "Reading 3: 203 mm."
ROWS = [(f"Reading {number}", f"{number + 200} mm") for number in range(1, 25)]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a table in a PDF and one in Markdown, each with its row far below."""
    root = tmp_path_factory.mktemp("reader") / "demo"
    init_project(root, mode="offline", environment=NO_SERVERS)
    (root / "sources/datasheet.md").write_text(DATASHEET, encoding="utf-8")
    (root / "sources/valve.pdf").write_bytes(_build_table())
    rows = "".join(f"| {name} | {value} |\n" for name, value in [*ROWS, ("Lid torque", "55 Nm")])
    text = f"# Lid\n\n| Property | Value |\n|---|---|\n{rows}"
    (root / "sources/lid.md").write_text(text, encoding="utf-8")
    with open_project(root, environment={}) as project:
        project.ingest()
    return root


def _build_table() -> bytes:
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    pdf.add_page()
    pdf.cell(text="Limits of the valve", new_x="LMARGIN", new_y="NEXT")
    with pdf.table() as table:
        for cells in (("Property", "Value"), *ROWS, ("Closing pressure", "4 bar")):
            row = table.row()
            for cell in cells:
                row.cell(cell)
    return bytes(pdf.output())


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    """A server with the built-in writer."""
    with open_workspace(root, environment={}, cwd=root) as workspace, serve(workspace) as served:
        yield served.address


@pytest.fixture(scope="module")
def writing(root: Path, model: ModelServer) -> Iterator[str]:
    """A server that writes with the scripted model."""
    with online(root, model) as workspace, serve(workspace) as served:
        yield served.address


@pytest.fixture(scope="module")
def found(address: str) -> Answered:
    """The page of the passages for a question, which is asked once."""
    return cache(lambda question: ask_server(address, question))


@pytest.fixture(scope="module")
def answered(writing: str, model: ModelServer) -> str:
    """The page of an answer whose two sentences cite two rows of one table."""
    model.script(write(CLOSING, READING))
    return ask_server(writing, "What are the closing pressure and reading 3 of the valve?")


def read_marked(page: Page, name: str = "cited") -> str:
    """The words that are marked in a text."""
    words = page.evaluate(f"[...CSS.highlights.get('{name}')].map(String).join(' ')")
    return str(words)


def test_a_value_of_a_table_opens_at_its_row_with_the_header_paler(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found("What is the lid torque?"))
    page.locator(".passage .cite").first.click()
    expect(page.locator(".pane .flash")).to_contain_text("Lid torque")
    assert read_marked(page) == "Lid torque 55 Nm"
    assert read_marked(page, "head") == "Property Value"


def test_a_row_of_a_page_is_in_the_middle_and_its_header_paler(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found(PRESSURE), viewport={"width": 1300, "height": 600})
    page.locator(".passage .cite").first.click()
    wait_for(page, "document.querySelector('.pane').scrollTop > 0")
    row = page.locator(".leaf rect.here").first.bounding_box()
    head = page.locator(".leaf rect.head").first.bounding_box()
    assert row
    assert head
    assert 200 < row["y"] < 400
    assert head["y"] < row["y"] - 200


def test_the_list_of_sources_opens_all_passages_of_a_source(open_page: Open, answered: str) -> None:
    page = open_page(answered)
    page.locator(".sources .cite").first.click()
    expect(page.locator(".leaf rect.here").first).to_be_visible()
    tops = page.locator(".leaf rect:not(.head)").evaluate_all(
        "all => all.map((one) => one.y.baseVal.value)"
    )
    assert len({round(top, 2) for top in tops}) == 2


def test_the_picture_of_a_row_has_the_row_and_its_header_paler(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found("What is reading 2 of the valve?"))
    href = page.locator(".passage .cite").first.get_attribute("href") or ""
    drawn = page.request.get(href.replace("?", "/region.svg?")).text()
    assert re.findall(r'fill-opacity="([\d.]+)"', drawn) == ["0.34", "0.34", "0.15", "0.15"]


def hold(page: Page, part: str) -> list[Route]:
    """Keep back the requests whose address has that part; they are continued by the test."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(lambda address: part in address, keep)
    return held


def release(page: Page, held: list[Route]) -> None:
    """Let the requests that were kept back go on, unless nobody waits for them any more."""
    page.unroute_all(behavior="ignoreErrors")
    for route in held:
        with suppress(Error):
            route.continue_()
    page.wait_for_timeout(300)


def test_a_reply_that_comes_late_does_not_replace_what_was_asked_for_last(
    open_page: Open, found: Answered, faults: list[str]
) -> None:
    page = open_page(found("What is the lid torque and the closing pressure?"))
    titles = page.locator(".passage .title").all_inner_texts()
    other = next(number for number, title in enumerate(titles) if title != titles[0])
    held = hold(page, "sources/" + _find_source(page, 0))
    page.locator(".passage .cite").nth(0).click()
    expect(page.locator(".pane[aria-busy=true] .title")).to_have_text(titles[0])
    page.locator(".passage .cite").nth(other).click()
    expect(page.locator(".pane .body")).to_be_visible()
    release(page, held)
    expect(page.locator(".pane .title")).to_have_text(titles[other])


def _find_source(page: Page, number: int) -> str:
    href = page.locator(".passage .cite").nth(number).get_attribute("href") or ""
    return href.removeprefix("/sources/").partition("?")[0]


def test_a_source_that_was_closed_while_it_loaded_stays_closed(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found(PRESSURE))
    held = hold(page, "sources/" + _find_source(page, 0))
    page.locator(".passage .cite").first.click()
    page.locator(".pane .close").click()
    release(page, held)
    expect(page.locator("#pane")).to_be_hidden()


def test_places_that_load_late_do_not_join_another_source(open_page: Open, found: Answered) -> None:
    page = open_page(found("What is the lid torque and the closing pressure?"))
    page.locator(".passage .cite").first.click()
    expect(page.locator(".pane .body")).to_be_visible()
    held = hold(page, "find?words")
    page.fill(".pane [type=search]", "mm")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    page.locator(".passage .cite").nth(1).click()
    expect(page.locator(".pane:not([aria-busy]) .body")).to_be_visible()
    start = page.locator(".pane .body").get_attribute("data-start")
    release(page, held)
    expect(page.locator(".pane .body")).to_have_attribute("data-start", str(start))


COVERED = """() => {
    const active = document.activeElement;
    const { left, right, top, bottom, width } = active.getBoundingClientRect();
    if (active === document.body || !width) return null;
    const points = [[left + 2, top + 2], [right - 2, bottom - 2], [(left + right) / 2, (top + bottom) / 2]];
    const seen = points.map(([x, y]) => document.elementFromPoint(x, y));
    return seen.some((one) => one && (active.contains(one) || one.contains(active))) ? null : active.outerHTML;
}"""


@pytest.mark.parametrize("size", [(1300, 600), (390, 700)])
def test_what_has_the_focus_is_never_behind_a_bar(
    open_page: Open, found: Answered, size: tuple[int, int]
) -> None:
    width, height = size
    page = open_page(found(PRESSURE), viewport={"width": width, "height": height})
    covered = []
    for key in ["Tab"] * 30 + ["Shift+Tab"] * 30:
        page.keyboard.press(key)
        covered.append(page.evaluate(COVERED))
    assert [one for one in covered if one] == []


def test_letters_are_shortcuts_only_while_the_focus_is_in_the_source(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found(PRESSURE))
    page.locator(".passage .cite").first.click()
    expect(page.locator("#pane")).to_be_focused()
    page.locator("nav a").first.focus()
    page.keyboard.press("/")
    page.keyboard.press("n")
    expect(page.locator(".passage .cite").first).to_have_class(re.compile("current"))
    expect(page.locator("nav a").first).to_be_focused()


def test_the_question_is_the_heading_of_its_page(open_page: Open, found: Answered) -> None:
    page = open_page(found(PRESSURE))
    expect(page.locator("h1")).to_have_text(PRESSURE)


def test_one_step_leads_from_the_field_to_the_first_citation(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found(PRESSURE))
    page.focus("#question")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".passage .cite").first).to_be_focused()


def test_everything_is_in_a_landmark_and_what_scrolls_can_have_the_focus(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found(PRESSURE), viewport={"width": 1300, "height": 600})
    page.locator(".passage .cite").first.click()
    expect(page.locator(".leaf rect.here").first).to_be_visible()
    wide = Axe().run(page, options={"runOnly": ["region", "scrollable-region-focusable"]})
    page.set_viewport_size({"width": 390, "height": 700})
    page.reload()
    expect(page.locator(".leaf rect.here").first).to_be_visible()
    narrow = Axe().run(page, options={"runOnly": ["scrollable-region-focusable"]})
    assert wide.response["violations"] + narrow.response["violations"] == []


def open_page_of_pdf(page: Page) -> None:
    page.locator(".passage .cite").first.click()
    expect(page.locator(".leaf svg.words text").first).to_be_attached()


def test_the_words_of_a_page_lie_over_where_they_are_printed(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found(PRESSURE), viewport={"width": 1300, "height": 700})
    open_page_of_pdf(page)
    words = page.locator("svg.words text", has_text="Closing pressure").first.bounding_box()
    mark = page.locator(".leaf rect.here").first.bounding_box()
    assert words
    assert mark
    assert words["x"] == pytest.approx(mark["x"], abs=3)
    assert words["width"] == pytest.approx(mark["width"], abs=6)
    assert words["y"] == pytest.approx(mark["y"], abs=6)


def test_the_words_of_a_page_are_selected_found_and_read_aloud(
    open_page: Open, found: Answered
) -> None:
    page = open_page(found(PRESSURE), viewport={"width": 1300, "height": 700})
    open_page_of_pdf(page)
    page.locator("svg.words text", has_text="Closing pressure").first.dblclick()
    assert page.evaluate("getSelection().toString().trim()") in {"Closing", "pressure"}
    assert page.evaluate("getSelection().removeAllRanges() ?? window.find('Reading 24')")
    assert "Reading 24" in page.locator(".pane .body").aria_snapshot()


def test_a_search_marks_all_its_places(open_page: Open, found: Answered) -> None:
    page = open_page(found(PRESSURE))
    open_page_of_pdf(page)
    page.fill(".pane [type=search]", "reading 2")
    page.keyboard.press("Enter")
    expect(page.locator(".pane output")).to_have_text("1/6")
    wait_for(page, "(CSS.highlights.get('found')?.size ?? 0) === 6")
