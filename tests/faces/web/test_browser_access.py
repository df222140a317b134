"""Every page in a real browser, for what WCAG 2.2 AA asks and axe alone does not see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from foundry.api import open_project
from foundry.evaluation.questions import add_question
from foundry.journeys.project import init_project
from foundry.records import EvalResult, EvalRun
from foundry.workspace import Workspace, open_workspace
from tests.faces.web import test_browser as pages
from tests.faces.web.test_browser import FUSE, serve
from tests.support.local_servers import NO_SERVERS

# The same browser and the same project, made anew for this module.
browser, pytestmark = pages.browser, pages.pytestmark
filled = pages.root

WHEN = datetime(2026, 3, 1, tzinfo=UTC)
SPEC = "/documents/specifications/wiring"
FORM = {
    "title": "Wiring",
    "owner": "Ann",
    "section": ["Fuse"],
    "form": [""],
    "wants": ["rating of the input fuse"],
}
PATHS = {
    "ask": "/",
    "answer": "",
    "conversations": "/conversations",
    "search": "/search?q=fuse",
    "sources": "/sources",
    "source": "",
    "pages of a source": "",
    "details of a source": "",
    "source as read": "",
    "page as read": "",
    "block": "",
    "block of a table": "",
    "cell of a table": "",
    "found sources": "/sources?q=fuse&type=md&sort=-date",
    "selected sources": "/sources?done=changed&n=2",
    "documents": "/documents",
    "specification": SPEC,
    "specification as Markdown": f"{SPEC}?view=markdown",
    "plan": "/documents/plan?feature=wiring",
    "draft": "",
    "edit a draft": "",
    "compare a draft": "",
    "agents": "/documents/agents",
    "agent": "/documents/agents/answer",
    "verify": "/verify",
    "tables": "/tables",
    "table": "/tables/Fuses",
    "table of sections": "/tables/Sections",
    "log": "/log",
    "runs": "/quality",
    "runs that do not compare": "",
    "questions": "/quality/questions",
    "feedback": "/quality/feedback",
    "health": "/admin",
    "people": "/admin/people",
    "audit": "/admin/audit",
    "login": "/login",
    "nothing": "/nothing",
}
"""Name → address; an empty one is known once the project is filled."""


@pytest.fixture(scope="module")
def root(filled: Path) -> Path:
    """The project, with a table of many rows too."""
    rows = "".join(f"Bolt {n},{n}\n" for n in range(2, 131))
    (filled / "sources/parts.csv").write_text(f"Part,Mass kg\n{rows}")
    with open_project(filled, environment={}) as project:
        project.ingest()
    return filled


@pytest.fixture(scope="module")
def paths(root: Path) -> Iterator[dict[str, str]]:
    """The address of each page of a project that has something of everything."""
    with open_workspace(root, environment={}, cwd=root) as workspace, serve(workspace) as served:
        runs = evaluate(workspace)
        with httpx.Client(base_url=served.address, follow_redirects=True, timeout=60) as client:
            found = PATHS | fill(client) | {"runs that do not compare": runs}
        yield {name: served.address + path for name, path in found.items()}


def evaluate(workspace: Workspace) -> str:
    """Keep a run without questions and two with the same; the address that compares the first."""
    asked = [
        add_question(workspace, FUSE, answerable=True),
        add_question(workspace, "Who sells the pump?", answerable=False),
    ]
    runs, ids = workspace.store.evaluation, list[int]()
    for name, verdict in (("first", None), ("second", "no_evidence"), ("third", "answer")):
        figures, config = {"recall@5": 0.9}, {"retrieval.min_score": 0.3}
        run = EvalRun(0, name, "ask", ("own",), WHEN, WHEN, config, figures=figures)
        ids.append(runs.start_run(run).id)
        for question, score in zip(asked, (0.8, 0.1), strict=True):
            if verdict:
                runs.save_result(ids[-1], EvalResult(question, verdict=verdict, score=score))
    return f"/quality?run={ids[1]}&against={ids[0]}"


def fill(client: httpx.Client) -> dict[str, str]:
    """Use everything once; the addresses that came of it."""
    answer = client.post("/ask", data={"question": FUSE}).url.path
    said = {"judgement": "wrong_source", "note": "See the service manual."}
    client.post(f"/api/v2/log/{answer.rpartition('/')[2]}/feedback", json=said)
    client.post("/documents/specifications", data={"title": "Wiring"})
    seen = client.get("/api/v2/features/wiring").json()["content_hash"]
    client.post(f"{SPEC}/save", data=FORM | {"seen": seen})
    seen = client.get("/api/v2/features/wiring").json()["content_hash"]
    client.post(f"{SPEC}/approve", data={"seen": seen, "by": "Ann"})
    topic = {"topic": "Wiring", "feature": "wiring"}
    draft = client.post("/documents/write", data=topic).url.path
    client.post(f"{draft}/notes", data={"sentence": "x", "text": "Is this so?", "by": "Ben"})
    for name, by in (("Fuses", "source"), ("Sections", "section")):
        client.post("/tables", data={"name": name, "questions": FUSE, "by": by})
    client.post("/admin/people", data={"name": "Cees", "role": "public", "expires": "7d"})
    sources = {one["path"]: one["id"] for one in client.get("/api/v2/sources").json()["sources"]}
    names = ("datasheet.md", "pump.pdf", "parts.csv")
    text, pdf, table = (f"/sources/{sources[f'sources/{name}']}" for name in names)
    return {
        "answer": answer,
        "source": text,
        "pages of a source": pdf,
        "details of a source": f"{text}/details",
        "source as read": f"{text}/read",
        "page as read": f"{pdf}/read",
        "block": f"{text}/read/2",
        "block of a table": f"{table}/read/1?first=101",
        "cell of a table": f"{table}/read/1?cell=B120&first=101#correct-cell",
        "draft": draft,
        "edit a draft": f"{draft}/edit",
        "compare a draft": f"{draft}/diff",
    }


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page of a browser, which goes from address to address."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield page
    context.close()


WIDE: ViewportSize = {"width": 1280, "height": 600}
PHONE: ViewportSize = {"width": 390, "height": 700}
# 400 % of a window of 1280 px.
NARROW: ViewportSize = {"width": 320, "height": 256}

OUTLINE = """() => {
    const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((one) => !one.closest(".prose")).map((one) => Number(one.tagName[1]));
    const faults = levels.filter((one) => one === 1).length === 1 ? [] : [`levels ${levels}`];
    levels.forEach((level, n) => { if (n && level > levels[n - 1] + 1) faults.push(`h${levels[n - 1]}, then h${level}`); });
    if (!document.documentElement.lang) faults.push("no language");
    return faults;
}"""

FOCUS = """() => {
    const faults = [];
    const all = "a[href], button, summary, input:not([type=hidden]), select, textarea, [tabindex='0']";
    for (const one of document.querySelectorAll(all)) {
        if (one.disabled || one.tabIndex < 0 || !one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
        one.focus();
        if (document.activeElement !== one) continue;
        const box = one.getBoundingClientRect();
        const [left, right, width] = [Math.max(box.left, 0), Math.min(box.right, innerWidth), box.width];
        const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
        const points = [[left + 2, top + 2], [right - 2, bottom - 2], [(left + right) / 2, (top + bottom) / 2], [right - 2, top + 2], [left + 2, bottom - 2]];
        const seen = points.map(([x, y]) => document.elementFromPoint(x, y)).some((at) => at && (one.contains(at) || at.contains(one)));
        if (width > 2 && !seen) faults.push(`hidden while it has the focus: ${one.outerHTML.slice(0, 200)}`);
        const { outlineStyle, outlineWidth } = getComputedStyle(one);
        if ((outlineStyle === "none" || parseFloat(outlineWidth) < 2) && !one.closest(".composer, .chooser")) faults.push(`no outline: ${one.outerHTML.slice(0, 200)}`);
    }
    return faults;
}"""

SPACED = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }");
    document.adoptedStyleSheets = [sheet];
}"""

CLIPPED = """() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const faults = [];
    for (const one of document.querySelectorAll("body *")) {
        if (wide > 0 && one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".scroll")) faults.push(`too wide: ${one.outerHTML.slice(0, 200)}`);
        if (!one.checkVisibility() || one.closest(".unseen, .scroll, .tree, svg, .top, textarea, .leaves") || !one.textContent.trim()) continue;
        const { overflowX, overflowY, clipPath } = getComputedStyle(one);
        if (clipPath !== "none") continue;
        if ((overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1) || (overflowY === "hidden" && one.scrollHeight > one.clientHeight + 2))
            faults.push(`cut off: ${one.outerHTML.slice(0, 200)}`);
    }
    return faults;
}"""

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.mark.parametrize("name", PATHS)
def test_a_page_can_be_used_by_all(page: Page, paths: dict[str, str], name: str) -> None:
    page.goto(paths[name])
    faults = find_faults(page)
    assert not faults, "\n".join(faults)


def find_faults(page: Page) -> list[str]:
    """What is wrong on a page: on a wide screen, on a phone, enlarged, and with wide spaces."""
    page.set_viewport_size(WIDE)
    faults: list[str] = page.evaluate(OUTLINE) + page.evaluate(FOCUS)
    # Axe takes what is below the bar at the top for small targets.
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    faults += list_violations(page)
    page.set_viewport_size(PHONE)
    faults += page.evaluate(FOCUS)
    page.set_viewport_size(NARROW)
    faults += page.evaluate(CLIPPED)
    page.evaluate(SPACED)
    return faults + page.evaluate(CLIPPED)


def test_what_is_done_with_selected_sources_can_be_used_by_all(
    page: Page, paths: dict[str, str]
) -> None:
    page.set_viewport_size(WIDE)
    page.goto(paths["sources"])
    page.get_by_label("Select sources/pump.pdf").press("Space")
    faults = find_faults(page)
    page.get_by_role("button", name="Remove …").press("Enter")
    page.wait_for_url("**/removal")
    faults += find_faults(page)
    assert not faults, "\n".join(faults)


def test_a_preview_of_a_correction_can_be_used_by_all(page: Page, paths: dict[str, str]) -> None:
    page.set_viewport_size(WIDE)
    page.goto(paths["cell of a table"])
    page.locator("#correct-cell [name=read]").fill("12")
    page.keyboard.press("Enter")
    page.wait_for_selector("#preview")
    faults = find_faults(page)
    assert not faults, "\n".join(faults)


def test_the_first_page_of_a_project_can_be_used_by_all(page: Page, tmp_path: Path) -> None:
    root = tmp_path / "new"
    init_project(root, mode="offline", environment=NO_SERVERS)
    with open_workspace(root, environment={}, cwd=root) as workspace, serve(workspace) as served:
        page.set_viewport_size(WIDE)
        page.goto(served.address)
        expect(page.locator("#upload")).to_be_visible()
        faults = find_faults(page)
    assert not faults, "\n".join(faults)


def list_violations(page: Page) -> list[str]:
    """What axe finds, of the rules for the size of targets too."""
    violations = Axe().run(page, options={"runOnly": RULES}).response["violations"]
    return [f"{one['id']}: {[node['html'] for node in one['nodes']][:3]}" for one in violations]


def test_no_two_pages_have_one_title(paths: dict[str, str]) -> None:
    # Another view of a page is the same page.
    different = {path.partition("?")[0]: path for path in paths.values()}.values()
    with httpx.Client(headers={"Accept": "text/html"}, timeout=60) as client:
        found = [re.search("<title>(.*?)</title>", client.get(path).text) for path in different]
    titles = [title[1] for title in found if title]
    assert len(set(titles)) == len(different), sorted(titles)


def test_quoted_words_are_read_aloud_in_the_language_of_their_source(
    browser: Browser, paths: dict[str, str]
) -> None:
    page = browser.new_page(locale="nl-NL")
    page.goto(paths["answer"])
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    expect(page.locator(".passage .words").first).to_have_attribute("lang", "en")
    page.close()


def test_colours_of_the_readers_own_show_what_is_chosen_and_hide_the_words_over_a_page(
    page: Page, paths: dict[str, str]
) -> None:
    page.emulate_media(forced_colors="active")
    page.goto(paths["answer"])
    chosen = page.locator("[aria-pressed=true]")
    assert chosen.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    page.goto(paths["pages of a source"])
    words = page.locator(".leaf svg.words text").first
    assert words.evaluate("one => getComputedStyle(one).fill") == "rgba(0, 0, 0, 0)"
    page.emulate_media(forced_colors="none")


def test_nothing_moves_for_who_wants_that(page: Page, paths: dict[str, str]) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{paths['pages of a source']}?start=30&end=60")
    page.wait_for_selector(".leaf rect.mark")
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_source_is_made_wider_without_dragging(page: Page, paths: dict[str, str]) -> None:
    page.set_viewport_size(WIDE)
    page.goto(paths["answer"])
    page.locator(".passage .cite").first.click()
    divider = page.locator("#divider")
    widths = []
    for _ in range(4):
        divider.click()
        widths.append(divider.get_attribute("aria-valuenow"))
    assert widths == ["65", "35", "50", "65"]


def test_a_time_is_said_in_the_zone_of_its_reader_too(
    browser: Browser, paths: dict[str, str]
) -> None:
    page = browser.new_page(timezone_id="Asia/Tokyo")
    page.goto(paths["conversations"])
    expect(page.locator("time").first).to_have_attribute("title", re.compile(r"GMT\+9"))
    page.close()
