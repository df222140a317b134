"""The pages in a real browser: asking, citations, the source beside the answer, keyboard, phone."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import httpx
import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from fpdf import FPDF
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from foundry.api import open_project
from foundry.journeys.project import init_project
from foundry.models import load_clients
from foundry.web.app import make_app
from foundry.web.site import open_site
from foundry.workspace import Workspace, open_workspace
from tests.faces.conftest import DATASHEET
from tests.journeys.answers import online, said
from tests.support.local_servers import NO_SERVERS
from tests.support.model_server import ModelServer, Request, Text

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

FUSE = "What is the rating of the input fuse?"
PRESSURE = "At which pressure does the pump stop?"
RATED = "The input fuse is rated at 3.15 A slow."
SENTENCE = "The pump stops at a pressure of 5 bar."
SERVICE = "# Service\n\nThe input fuse is rated at 3.15 A slow. Order it as part 4711.\n"
SERIOUS = {"serious", "critical"}

Open = Callable[..., Page]
Answered = Callable[[str], str]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two Markdown files, a PDF of two pages and one of eighteen."""
    root = tmp_path_factory.mktemp("browser") / "demo"
    init_project(root, mode="offline", environment=NO_SERVERS)
    (root / "sources/datasheet.md").write_text(DATASHEET, encoding="utf-8")
    (root / "sources/service.md").write_text(SERVICE, encoding="utf-8")
    (root / "sources/pump.pdf").write_bytes(_build_pdf())
    (root / "sources/guide.pdf").write_bytes(_build_blank_pdf(18))
    with open_project(root, environment={}) as project:
        project.ingest()
    return root


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    """A server of the project, with the built-in writer."""
    with open_workspace(root, environment={}, cwd=root) as workspace, serve(workspace) as served:
        yield served.address


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer() as model:
        yield model


@dataclass(frozen=True)
class Served:
    """A server that runs in a thread of the tests."""

    server: uvicorn.Server

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"

    def lose_connections(self) -> None:
        """Reset every connection, as a network that goes away does."""
        for connection in list(self.server.server_state.connections):
            connection.loop.call_soon_threadsafe(connection.transport.abort)  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def online_server(root: Path, model: ModelServer) -> Iterator[Served]:
    """A server of the same project that writes with the scripted model."""
    # As a server does when it starts, so that no test waits for it.
    load_clients(["openai/scripted"])
    with online(root, model) as workspace, serve(workspace) as served:
        yield served


@pytest.fixture(scope="module")
def slow(online_server: Served) -> str:
    """Its address."""
    return online_server.address


@contextmanager
def serve(workspace: Workspace) -> Iterator[Served]:
    app = make_app(open_site(workspace, "127.0.0.1"))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="on"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    yield Served(server)
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def answered(slow: str, model: ModelServer) -> Answered:
    """The page of the answer that the model wrote to a question, which is asked once."""

    @cache
    def find_page(question: str) -> str:
        model.script(write(RATED if question == FUSE else SENTENCE))
        return ask_server(slow, question)

    return find_page


@pytest.fixture(scope="module")
def found(address: str) -> Answered:
    """The page of the passages for a question, which is asked once."""
    return cache(lambda question: ask_server(address, question))


def ask_server(address: str, question: str) -> str:
    reply = httpx.post(f"{address}/api/v2/ask", json={"question": question}, timeout=60)
    return f"/answers/{reply.json()['id']}"


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
def faults() -> list[str]:
    """What browsers complained about."""
    return []


@pytest.fixture
def open_page(browser: Browser, address: str, faults: list[str]) -> Iterator[Open]:
    """Opens a page of the server; a fault of a script or a refused style fails the test."""
    contexts = []

    def open_page(path: str = "/", **options: object) -> Page:
        context = browser.new_context(**{"base_url": address, **options})  # type: ignore[arg-type]
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
    assert "3.15 A" in page.inner_text(".answer .passages")
    page.goto(re.search(r"/answers/\w+", page.url)[0])  # type: ignore[index]
    assert "3.15 A" in page.inner_text(".answer .passages")


def test_a_passage_opens_its_source_at_the_nearest_line(open_page: Open, found: Answered) -> None:
    page = open_page(found(FUSE))
    nearest = page.locator(".passage mark.nearest").first
    assert nearest.inner_text().endswith(RATED)
    page.locator(".passage .cite").first.click()
    expect(page.locator(".pane .flash")).to_have_count(1)
    marked = page.evaluate("[...CSS.highlights.get('cited')].map(String).join(' ')")
    assert marked == RATED
    page.keyboard.press("n")
    expect(page.locator(".passage .cite").nth(1)).to_have_class(re.compile("current"))


def test_passages_fit_on_a_phone_and_can_be_judged(open_page: Open, found: Answered) -> None:
    page = open_page(found(FUSE), viewport={"width": 360, "height": 740}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.tap("[data-judge=wrong_source]")
    expect(page.locator("[aria-pressed=true]")).to_have_text("It is not here")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_passages_have_no_serious_fault_of_accessibility(
    open_page: Open, found: Answered, scheme: str
) -> None:
    page = open_page(found("What is the current of each output?"), color_scheme=scheme)
    assert page.locator(".passage").count()
    assert find_faults(page) == []


def test_the_card_of_a_citation_opens_on_focus_and_closes_with_escape(
    open_page: Open, answered: Answered
) -> None:
    page = open_page(answered(FUSE))
    page.locator(".text .cite").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    card = page.locator(".card").first
    expect(card).to_be_visible()
    assert "fuse" in card.locator("mark").all_inner_texts()[0]
    card.locator("a").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".text .cite").first).to_be_focused()
    expect(card).to_be_hidden()


def test_hovering_shows_the_card_and_leaves_the_focus_alone(
    open_page: Open, slow: str, model: ModelServer
) -> None:
    page = open_page(base_url=slow)
    ask_for_two_citations(page, model)
    page.hover(".text .cite >> nth=0")
    expect(page.locator(".card").first).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "question"


def test_a_text_is_marked_at_exactly_the_quoted_words(open_page: Open, answered: Answered) -> None:
    page = open_page(answered(FUSE))
    quote = page.locator(".card blockquote").first.text_content()
    open_pane(page)
    expect(page.locator(".pane .flash")).to_have_count(1)
    marked = page.evaluate("[...CSS.highlights.get('cited')].map(String).join(' ')")
    assert marked == quote


def test_a_page_has_its_box_over_exactly_the_quoted_words(
    open_page: Open, answered: Answered
) -> None:
    page = open_page(answered(PRESSURE))
    open_pane(page)
    box = page.locator(".leaf rect.mark").first
    assert box.evaluate("rect => rect.closest('.leaf').id") == "page-2"
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    left = (pdf.l_margin + pdf.c_margin + pdf.get_string_width("Safety. ")) / pdf.w
    width = pdf.get_string_width(SENTENCE) / pdf.w
    assert float(box.get_attribute("x") or 0) == pytest.approx(left, abs=0.005)
    assert float(box.get_attribute("width") or 0) == pytest.approx(width, abs=0.005)


def test_beside_a_source_the_answer_scrolls_by_itself(open_page: Open, answered: Answered) -> None:
    page = open_page(answered(PRESSURE), viewport={"width": 1100, "height": 330})
    number = page.locator(".sources .cite")
    number.scroll_into_view_if_needed()
    before = number.bounding_box()
    number.click()
    expect(page.locator(".pane .body")).to_be_visible()
    after = number.bounding_box()
    assert before
    assert after
    assert after["y"] == pytest.approx(before["y"], abs=2)
    assert page.evaluate("document.scrollingElement.scrollHeight") == 330


def test_the_mark_is_in_the_middle_of_the_pane(open_page: Open, answered: Answered) -> None:
    page = open_page(answered(PRESSURE), viewport={"width": 1300, "height": 700})
    open_pane(page)
    wait_for(page, "document.querySelector('.pane').scrollTop > 0")
    box = page.locator(".leaf rect.mark").first.bounding_box()
    assert box is not None
    assert 700 / 3 < box["y"] < 700 * 2 / 3
    page.click("[data-zoom='1.25']")
    zoomed = page.locator(".leaf rect.mark").first.bounding_box()
    assert zoomed is not None
    assert zoomed["width"] == pytest.approx(1.25 * box["width"], rel=0.01)
    assert 700 / 3 < zoomed["y"] < 700 * 2 / 3


def test_back_closes_the_source_and_a_link_opens_it_again(
    open_page: Open, answered: Answered
) -> None:
    page = open_page(answered(PRESSURE))
    open_pane(page)
    link = page.url
    page.go_back()
    expect(page.locator("#pane")).to_be_hidden()
    page.goto(link)
    expect(page.locator(".pane .leaf rect.mark").first).to_be_visible()


def test_a_search_in_a_source_walks_through_its_places(open_page: Open, answered: Answered) -> None:
    page = open_page(answered(FUSE))
    open_pane(page)
    page.keyboard.press("/")
    page.keyboard.type("rated")
    page.keyboard.press("Enter")
    expect(page.locator(".pane output")).to_have_text(re.compile(r"1/\d"))
    wait_for(page, "String([...CSS.highlights.get('cited')][0]).toLowerCase() === 'rated'")


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
    assert "3.15 A" in page.inner_text(".answer .passages")


def test_the_interface_speaks_the_language_of_the_browser(open_page: Open) -> None:
    page = open_page(locale="nl-NL")
    assert page.get_by_role("link", name="Bronnen").is_visible()


def test_a_phone_needs_no_sideways_scrolling(open_page: Open, answered: Answered) -> None:
    page = open_page(answered(FUSE), viewport={"width": 360, "height": 740}, has_touch=True)
    open_pane(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_no_page_has_a_serious_fault_of_accessibility_in_the_dark(
    open_page: Open, answered: Answered, faults: list[str]
) -> None:
    page = open_page(answered(PRESSURE), color_scheme="dark")
    open_pane(page)
    page.click(".pane .citing summary")
    found = find_faults(page)
    source = page.locator(".text .cite").get_attribute("href")
    details = f"{source.partition('?')[0]}/details"
    for path in (
        "/",
        source,
        details,
        "/sources",
        "/documents/agents",
        "/verify",
        "/log",
        "/login",
        "/nothing",
    ):
        page.goto(path)
        found += find_faults(page)
    assert found == []
    faults.clear()


def find_faults(page: Page) -> list[str]:
    violations = Axe().run(page).response["violations"]
    return [
        f"{page.url}: {fault['id']} {[node['html'] for node in fault['nodes']][:3]}"
        for fault in violations
        if fault["impact"] in SERIOUS
    ]


def test_a_judgement_is_shown_again_and_can_be_changed(open_page: Open, answered: Answered) -> None:
    page = open_page(answered(FUSE))
    pressed = page.locator("[aria-pressed=true]")
    for judgement in ("wrong_fact", "correct"):
        page.click(f"[data-judge={judgement}]")
        expect(pressed).to_have_attribute("data-judge", judgement)
        page.reload()
        expect(pressed).to_have_attribute("data-judge", judgement)


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
    expect(page.locator("#list")).not_to_contain_text("valve.md")


DROP = """files => {
    const carried = new DataTransfer();
    for (const [name, text] of files) carried.items.add(new File([text], name));
    const form = document.getElementById("upload");
    for (const kind of ["dragenter", "dragover", "drop"]) {
        form.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
    }
}"""


def test_several_files_are_dropped_with_the_mouse(open_page: Open) -> None:
    page = open_page("/sources")
    names = [f"dropped-{number}.md" for number in range(3)]
    page.evaluate(DROP, [(name, f"# {name}\n\nThe lid weighs 2 kg.\n") for name in names])
    expect(page.locator("#queue .file")).to_have_text([*reversed(names)])
    expect(page.locator("#queue .done")).to_have_count(3, timeout=20_000)


def test_files_that_are_not_read_are_shown_with_the_reason_until_dismissed(open_page: Open) -> None:
    page = open_page("/sources")
    program = {"name": "setup.exe", "mimeType": "application/pdf", "buffer": b"MZ\0\0"}
    broken = {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 no more"}
    page.set_input_files("#files", [program, broken])  # type: ignore[list-item]
    assert page.inner_text("#upload output") == "setup.exe, broken.pdf"
    page.click("#upload button.main")
    expect(page.locator("#queue .failed")).to_have_count(2, timeout=20_000)
    assert ".exe" in page.inner_text("#queue")
    assert "PDF" in page.inner_text("#queue")
    page.reload()
    page.get_by_role("button", name="Dismiss sources/uploads/setup.exe").press("Enter")
    expect(page.get_by_role("button", name="Dismiss sources/uploads/broken.pdf")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#list")).not_to_contain_text("Not read")
    page.reload()
    expect(page.locator("#list")).not_to_contain_text("Not read")


def test_the_pages_beyond_the_first_window_of_a_long_pdf_join_it_in_order(open_page: Open) -> None:
    page = open_page("/sources")
    link = page.get_by_role("link", name="guide.pdf", exact=True).get_attribute("href")
    page.goto(f"{link}?page=1")
    page.click("[data-load=after]")
    expect(page.locator(".leaf")).to_have_count(18)
    labels = page.locator(".leaf").evaluate_all("leaves => leaves.map((leaf) => leaf.id)")
    assert labels == [f"page-{number}" for number in range(1, 19)]
    expect(page.locator("[data-load]")).to_have_count(0)


def test_a_finger_opens_the_card_first_and_then_the_source(
    open_page: Open, answered: Answered
) -> None:
    page = open_page(answered(FUSE), has_touch=True)
    page.tap(".text .cite")
    expect(page.locator(".card").first).to_be_visible()
    expect(page.locator("#pane")).to_be_hidden()
    page.tap(".text .cite")
    expect(page.locator(".pane .body")).to_be_visible()


def test_everything_can_be_done_with_the_keyboard(
    open_page: Open, slow: str, model: ModelServer
) -> None:
    model.script(write(SENTENCE))
    page = open_page(base_url=slow)
    page.keyboard.type(PRESSURE)
    page.keyboard.press("Enter")
    expect(page.locator(".turn [data-answer]")).to_have_count(1)
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('.text .cite')"):
            break
    expect(page.locator(".card").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#pane")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".text .cite")).to_be_focused()


def write(
    *sentences: str, hold: int | None = None, freed: threading.Event | None = None
) -> Callable[[Request], Text]:
    """The reply of a model that cites all evidence with these words.

    ``hold`` pieces are kept back, until ``freed``.
    """

    def reply(request: Request) -> Text:
        cited = [re.findall(rf"(S\d+)\| .*{re.escape(text)}", request.prompt) for text in sentences]
        pairs = zip(sentences, (" ".join(ids) or "S1" for ids in cited), strict=True)
        text = said(*pairs).text
        pieces = len(text.split()) - hold if hold else None
        return Text(text, hold=pieces, freed=freed or threading.Event())

    return reply


def ask_for_two_citations(page: Page, model: ModelServer) -> list[Locator]:
    model.script(write(RATED))
    ask(page, FUSE)
    return page.locator(".text .cite").all()


def test_the_arrows_lead_through_the_sources_of_a_sentence(
    open_page: Open, slow: str, model: ModelServer
) -> None:
    page = open_page(base_url=slow)
    first, second = ask_for_two_citations(page, model)
    first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(second).to_be_focused()
    expect(page.locator(".card:popover-open .title")).to_have_text(re.compile("Service|DX-4"))


def test_what_checking_removed_is_folded_below_the_answer(
    open_page: Open, slow: str, model: ModelServer
) -> None:
    model.default = write(RATED, "The input fuse is rated at 6 A slow.")
    page = open_page(base_url=slow)
    ask(page, FUSE)
    assert "6 A" not in page.inner_text(".answer .text")
    page.click(".aside summary")
    said = page.inner_text(".aside")
    assert "6 A" in said
    assert re.search("DX-4 datasheet|Service", said)
    assert not re.search(r"\bS\d", said)


def test_what_nobody_checked_is_marked_in_words(
    open_page: Open, slow: str, model: ModelServer
) -> None:
    model.default = write(RATED, "The fuse protects the whole controller.")
    page = open_page(base_url=slow)
    ask(page, FUSE)
    expect(page.locator(".sentence", has_text="whole controller")).to_contain_text("not verified")


def test_a_sentence_has_its_card_while_the_next_one_is_written(
    open_page: Open, slow: str, model: ModelServer
) -> None:
    freed = threading.Event()
    model.script(write(RATED, "Order it as part 4711.", hold=1, freed=freed))
    page = open_page(base_url=slow)
    page.fill("#question", FUSE)
    page.keyboard.press("Enter")
    page.locator(".sentence .cite").first.hover()
    expect(page.locator(".working")).to_be_visible()
    expect(page.locator(".card:popover-open mark").first).to_contain_text("fuse")
    page.locator(".sentence .cite").first.click()
    expect(page.locator(".pane .body")).to_be_visible()
    freed.set()
    expect(page.locator(".turn [data-answer]")).to_be_visible()
    expect(page.locator(".text .cite.current")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".text .cite").first).to_be_focused()
    assert "/answers/" in page.url


def test_stop_keeps_the_sentences_that_were_shown(
    open_page: Open, slow: str, model: ModelServer
) -> None:
    model.script(write(RATED, "Order it as part 4711.", hold=1))
    page = open_page(base_url=slow)
    page.fill("#question", FUSE)
    page.keyboard.press("Enter")
    expect(page.locator(".sentence")).to_contain_text("3.15 A", timeout=20_000)
    expect(page.locator(".working")).to_contain_text("Checking")
    page.click(".working button")
    expect(page.locator(".turn .notice")).to_contain_text("Stopped")
    expect(page.locator(".sentence")).to_contain_text("3.15 A")


def test_a_connection_that_is_lost_while_streaming_leaves_what_was_shown(
    open_page: Open, online_server: Served, model: ModelServer, faults: list[str]
) -> None:
    model.script(write(RATED, "Order it as part 4711.", hold=1))
    page = open_page(base_url=online_server.address)
    page.fill("#question", FUSE)
    page.keyboard.press("Enter")
    expect(page.locator(".sentence")).to_contain_text("3.15 A", timeout=20_000)
    online_server.lose_connections()
    expect(page.locator(".turn [role=alert]")).to_contain_text("connection was lost")
    expect(page.locator(".sentence")).to_contain_text("3.15 A")
    model.script(write(RATED))
    page.keyboard.press("Enter")
    expect(page.locator(".turn [data-answer]")).to_contain_text("3.15 A")
    faults.clear()


def test_the_keys_n_and_p_lead_from_one_citation_to_the_next(
    open_page: Open, slow: str, model: ModelServer
) -> None:
    page = open_page(base_url=slow)
    first, second = ask_for_two_citations(page, model)
    first.click()
    expect(page.locator("#pane")).to_be_focused()
    for key, current in (("n", second), ("n", first), ("p", second)):
        page.keyboard.press(key)
        expect(current).to_have_class(re.compile("current"))
        expect(page.locator("#pane")).to_be_focused()


def test_a_source_that_was_removed_while_open_is_named(
    open_page: Open, answered: Answered, faults: list[str]
) -> None:
    page = open_page(answered(PRESSURE))
    page.route("**/sources/src_*", lambda route: route.fulfill(status=404, json={}))
    page.click(".text .cite")
    expect(page.locator("#pane [role=alert]")).to_contain_text("pump")
    faults.clear()


OLD = """delete HTMLElement.prototype.showPopover; delete CSS.highlights; CSS.supports = () => false;
HTMLElement.prototype.showPopover = undefined;"""


def test_a_browser_without_the_newest_features_opens_the_source_at_the_words(
    open_page: Open, answered: Answered
) -> None:
    page = open_page("/login")
    page.add_init_script(OLD)
    page.goto(answered(FUSE))
    page.hover(".text .cite")
    open_pane(page)
    expect(page.locator(".pane .cited")).to_contain_text("3.15 A")


def test_a_text_is_checked_on_its_page_and_leads_to_the_words(open_page: Open) -> None:
    page = open_page("/verify")
    page.fill("#text", f"{RATED}\n\nThe input fuse is rated at 6 A slow.")
    page.get_by_role("button", name="Check").click()
    found = page.locator(".verified li")
    found.first.wait_for()
    assert [one.get_attribute("class") for one in found.all()] == ["contradicted", "exact"]
    page.locator(".verified blockquote a").first.click()
    expect(page.locator(".pane .flash")).to_have_count(1)
    assert page.evaluate("[...CSS.highlights.get('cited')].map(String).join(' ')") == RATED
