"""The pages in a real browser: asking, citations, the source beside the answer, keyboard, phone."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from fpdf import FPDF
from playwright.sync_api import Browser, Page, expect, sync_playwright

from foundry.api import open_project
from foundry.journeys.project import init_project
from foundry.web.app import make_app
from foundry.web.site import open_site
from tests.faces.conftest import DATASHEET

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

FUSE = "What is the rating of the input fuse?"
PRESSURE = "At which pressure does the pump stop?"
SENTENCE = "The pump stops at a pressure of 5 bar."
SERIOUS = {"serious", "critical"}

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for a project with a Markdown file and a PDF of two pages."""
    root = tmp_path_factory.mktemp("browser") / "demo"
    init_project(root, mode="offline", environment={})
    (root / "sources/datasheet.md").write_text(DATASHEET, encoding="utf-8")
    (root / "sources/pump.pdf").write_bytes(_build_pdf())
    (root / "sources/guide.pdf").write_bytes(_build_blank_pdf(18))
    with open_project(root, environment={}) as project:
        project.ingest()
        app = make_app(open_site(project.workspace, "127.0.0.1"))
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="on"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        server.should_exit = True
        thread.join()


def _build_pdf() -> bytes:
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    for text in ("Installation of the pump.", f"Safety. {SENTENCE} It starts again at 3 bar."):
        pdf.add_page()
        pdf.multi_cell(150, 8, text)
    return bytes(pdf.output())


def _build_blank_pdf(pages: int) -> bytes:
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    for number in range(1, pages + 1):
        pdf.add_page()
        pdf.cell(text=f"Leaf {number}.")
    return bytes(pdf.output())


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        options = ["--no-sandbox"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Opens a page of the server; a fault of a script or a refused style fails the test."""
    faults: list[str] = []
    contexts = []

    def open_page(path: str = "/", **options: object) -> Page:
        context = browser.new_context(base_url=address, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda entry: entry.type == "error" and faults.append(entry.text))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def ask(page: Page, question: str) -> None:
    turns = page.locator(".turn [data-answer]").count()
    page.fill("#question", question)
    page.keyboard.press("Enter")
    expect(page.locator(".turn [data-answer]")).to_have_count(turns + 1, timeout=20_000)


def wait_for(page: Page, expression: str) -> None:
    """Wait until it holds; the policy of the pages forbids a browser to wait for a text itself."""
    for _ in range(200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(expression)


def open_pane(page: Page) -> None:
    page.click(".text .cite")
    page.wait_for_selector(".pane .body")


def test_an_answer_has_its_own_address(open_page: Open) -> None:
    page = open_page()
    ask(page, FUSE)
    assert "3.15 A" in page.inner_text(".answer .text")
    page.goto(re.search(r"/answers/\w+", page.url)[0])  # type: ignore[index]
    assert "3.15 A" in page.inner_text(".answer .text")


def test_the_card_of_a_citation_opens_on_focus_and_closes_with_escape(open_page: Open) -> None:
    page = open_page()
    ask(page, FUSE)
    page.keyboard.press("Shift+Tab")
    page.locator(".text .cite").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    card = page.locator(".card")
    expect(card).to_be_visible()
    assert "fuse" in card.locator("mark").all_inner_texts()[0]
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_hovering_shows_the_card_and_leaves_the_focus_alone(open_page: Open) -> None:
    page = open_page()
    ask(page, FUSE)
    page.hover(".text .cite")
    expect(page.locator(".card")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "question"


def test_a_text_is_marked_at_exactly_the_quoted_words(open_page: Open) -> None:
    page = open_page()
    ask(page, FUSE)
    quote = page.locator(".card blockquote").first.text_content()
    open_pane(page)
    expect(page.locator(".pane .flash")).to_have_count(1)
    marked = page.evaluate("[...CSS.highlights.get('cited')].map(String).join(' ')")
    assert marked == quote


def test_a_page_has_its_box_over_exactly_the_quoted_words(open_page: Open) -> None:
    page = open_page()
    ask(page, PRESSURE)
    open_pane(page)
    box = page.locator(".leaf rect.mark").first
    assert box.evaluate("rect => rect.closest('.leaf').id") == "page-2"
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    left = (pdf.l_margin + pdf.c_margin + pdf.get_string_width("Safety. ")) / pdf.w
    width = pdf.get_string_width(SENTENCE) / pdf.w
    assert float(box.get_attribute("x") or 0) == pytest.approx(left, abs=0.005)
    assert float(box.get_attribute("width") or 0) == pytest.approx(width, abs=0.005)


def test_the_mark_is_in_the_middle_of_the_pane(open_page: Open) -> None:
    page = open_page(viewport={"width": 1300, "height": 700})
    ask(page, PRESSURE)
    open_pane(page)
    wait_for(page, "document.querySelector('.pane').scrollTop > 0")
    box = page.locator(".leaf rect.mark").first.bounding_box()
    assert box is not None
    assert 700 / 3 < box["y"] < 700 * 2 / 3


def test_back_closes_the_source_and_a_link_opens_it_again(open_page: Open) -> None:
    page = open_page()
    ask(page, PRESSURE)
    open_pane(page)
    link = page.url
    page.go_back()
    expect(page.locator("#pane")).to_be_hidden()
    page.goto(link)
    expect(page.locator(".pane .leaf rect.mark").first).to_be_visible()


def test_a_search_in_a_source_walks_through_its_places(open_page: Open) -> None:
    page = open_page()
    ask(page, FUSE)
    open_pane(page)
    page.keyboard.press("/")
    page.keyboard.type("supply")
    page.keyboard.press("Enter")
    expect(page.locator(".pane output")).to_have_text(re.compile(r"1/\d"))
    wait_for(page, "String([...CSS.highlights.get('cited')][0]).toLowerCase() === 'supply'")


def test_what_no_source_has_is_shown_as_words(open_page: Open) -> None:
    page = open_page()
    ask(page, "Which pension fund insures the staff?")
    assert "pension" in page.locator(".chip").all_inner_texts()


def test_a_follow_up_is_understood_in_its_conversation(open_page: Open) -> None:
    page = open_page()
    ask(page, "How many channels does each of the outputs deliver?")
    ask(page, "And at which refresh rate?")
    assert "44 Hz" in page.locator(".turn").last.inner_text()


def test_a_browser_without_scripts_gets_the_answer_too(open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    page.fill("#question", FUSE)
    page.click("button.main")
    assert "3.15 A" in page.inner_text(".answer .text")


def test_the_interface_speaks_the_language_of_the_browser(open_page: Open) -> None:
    page = open_page(locale="nl-NL")
    assert page.get_by_role("link", name="Bronnen").is_visible()


def test_a_phone_needs_no_sideways_scrolling(open_page: Open) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True)
    ask(page, FUSE)
    open_pane(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_fault_of_accessibility(open_page: Open, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    found = _find_faults(page)
    ask(page, PRESSURE)
    found += _find_faults(page)
    open_pane(page)
    found += _find_faults(page)
    for path in ("/log", "/sources"):
        page.goto(path)
        found += _find_faults(page)
    assert found == []


def _find_faults(page: Page) -> list[str]:
    violations = Axe().run(page).response["violations"]
    return [
        f"{page.url}: {fault['id']} {[node['html'] for node in fault['nodes']][:3]}"
        for fault in violations
        if fault["impact"] in SERIOUS
    ]


def test_a_judgement_of_an_answer_is_saved(open_page: Open) -> None:
    page = open_page()
    ask(page, FUSE)
    page.click("[data-judge=wrong_fact]")
    expect(page.locator("[data-judge=wrong_fact]")).to_have_attribute("aria-pressed", "true")


def test_a_file_is_added_read_and_removed(open_page: Open) -> None:
    page = open_page("/sources")
    text = b"# Valve\n\nThe valve closes within 40 ms when the power fails.\n"
    file = {"name": "valve.md", "mimeType": "text/markdown", "buffer": text}
    page.set_input_files("#files", file)  # type: ignore[arg-type]
    page.click("#upload button.main")
    expect(page.locator("#queue .done")).to_be_visible(timeout=20_000)
    page.reload()
    page.locator(".leaf-row", has_text="valve.md").get_by_role("link", name="Details").click()
    page.click("[data-ask-removal]")
    page.click("#removal button[value=remove]")
    page.wait_for_url("**/sources")
    expect(page.locator(".tree")).not_to_contain_text("valve.md")


def test_a_refused_file_says_why(open_page: Open) -> None:
    page = open_page("/sources")
    file = {"name": "setup.exe", "mimeType": "application/pdf", "buffer": b"MZ\0\0"}
    page.set_input_files("#files", file)  # type: ignore[arg-type]
    page.click("#upload button.main")
    expect(page.locator("#queue .failed")).to_contain_text("exe")


def test_the_pages_beyond_the_first_window_of_a_long_pdf_join_it_in_order(open_page: Open) -> None:
    page = open_page("/sources")
    link = page.get_by_role("link", name="guide.pdf").get_attribute("href")
    page.goto(f"{link}?page=1")
    page.click("[data-load=after]")
    expect(page.locator(".leaf")).to_have_count(18)
    labels = page.locator(".leaf").evaluate_all("leaves => leaves.map((leaf) => leaf.id)")
    assert labels == [f"page-{number}" for number in range(1, 19)]
    expect(page.locator("[data-load]")).to_have_count(0)
