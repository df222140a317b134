"""Make the pictures of the web application, ``docs/pictures/web-*.png``, from the example project.

    .venv/bin/python docs/screenshots.py

Serves the example from a folder of its own and looks at every page in Chromium: light, dark, and on
a phone. What a model writes is scripted. Needs Chromium and no network.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from bench.example import QUESTIONS as QUESTION_FILE  # noqa: E402
from bench.example import copy_example, run  # noqa: E402
from bench.web import serve  # noqa: E402
from tests.support.model_server import Json, ModelServer, Request  # noqa: E402

WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}
COLOURS = 160
RUNS = "De klok loopt na het wegvallen van de voeding 72 uur door."
CLOCK = "Hoe lang loopt de klok door wanneer de voeding wegvalt?"
VOLTAGE = "What isolation voltage is specified between port and supply?"
FUSE = "Which fuse must replace F1?"
PAGES = (
    ("search", "/search?q=isolation+voltage"),
    ("documents", "/documents"),
    ("table", "/tables/Electrical%20data"),
    ("people", "/admin/people"),
    ("health", "/admin"),
)
ONCE = (
    ("conversations", "/conversations"),
    ("specification", "/documents/specifications/wiring-guide"),
    ("review", "/documents/drafts/output/wiring-guide.md"),
    ("agents", "/documents/agents"),
    ("verify", "/verify"),
    ("quality", "/quality"),
    ("audit", "/admin/audit"),
)
"""Pages that have a light picture only."""
NAMES = ("DMX controller", "Fire alarm", "Lift 4", "Roof installation", "Stage lighting")
TOPIC = "Wiring the LC-512"
QUESTIONS = ("What is the supply voltage?", "What is the operating temperature?")
PENSION = "Which pension fund insures the staff?"


def main() -> None:
    """Take all pictures."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with copy_example() as project, sync_playwright() as playwright:
        run(project, "ingest", "-q")
        _make_table(project)
        _make_draft(project)
        _measure(project)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with serve(project) as address:
            _take_all(browser, address, _take_pages)
        with TemporaryDirectory() as several:
            _copy_as(project, Path(several))
            with serve(Path(several), "--projects") as address:
                _take_all(browser, address, _take_projects)
        with ModelServer() as model:
            model.default = _write
            os.environ |= {
                "FOUNDRY_MODE": "online",
                "FOUNDRY_GENERATION__MODEL": "openai/scripted",
                "FOUNDRY_VALIDATION__VERIFIER": "none",
                "OPENAI_API_KEY": "none",
                "OPENAI_API_BASE": model.openai,
            }
            with serve(project) as address:
                _take_all(browser, address, _take_written)
        browser.close()


def _copy_as(project: Path, folder: Path) -> None:
    """The project under several names, and a folder that is none."""
    for name in NAMES:
        made = folder / name.lower().replace(" ", "-")
        shutil.copytree(project, made)
        config = made / "foundry.yaml"
        text = config.read_text(encoding="utf-8")
        config.write_text(
            re.sub(r"(?m)^  name: .*$", f"  name: {name}", text, count=1), encoding="utf-8"
        )
    (folder / "notes").mkdir()


def _take_projects(page: Page, name: str) -> None:
    """The list of projects."""
    page.goto("/")
    _keep(page, f"projects-{name}")


def _make_table(project: Path) -> None:
    file = project / "questions.txt"
    file.write_text("\n".join(QUESTIONS), encoding="utf-8")
    run(project, "table", "run", str(file), "--name", "Electrical data", "-q")


def _measure(project: Path) -> None:
    """Two runs to compare: searched by words, then by words and vectors."""
    run(project, "eval", "import", str(QUESTION_FILE), "-q")
    for mode in ("bm25", "hybrid"):
        change = f"retrieval.mode={mode}"
        run(project, "eval", "run", "--limit", "24", "--name", mode, "-o", change, "-q")


def _make_draft(project: Path) -> None:
    run(project, "feature", "approve", "wiring-guide", "--by", "Ann", "-q")
    written = ["--topic", TOPIC, "--feature", "wiring-guide", "--output", "output/wiring-guide.md"]
    run(project, "generate", *written, "--yes", "-q")


def _take_all(browser: Browser, address: str, take: Callable[[Page, str], None]) -> None:
    for name, scheme, size in (
        ("light", "light", WIDE),
        ("dark", "dark", WIDE),
        ("phone", "light", PHONE),
    ):
        options: dict[str, Any] = {"color_scheme": scheme, "viewport": size}
        take(browser.new_context(base_url=address, **options).new_page(), name)


def _write(request: Request) -> Json:
    """The reply of a scripted model: one sentence of the manual, with the passages that have it."""
    cited = re.findall(rf"(S\d+)\| .*{re.escape(RUNS)}", request.prompt) or ["S1"]
    return Json({"sentences": [{"text": RUNS, "citations": cited[:1]}]})


def _take_written(page: Page, name: str) -> None:
    """What a model wrote, with a card and the source of its citation."""
    page.goto("/")
    _ask(page, CLOCK)
    if name != "phone":
        page.hover(".text .cite")
        page.wait_for_selector(".card img.region:visible")
        _keep(page, f"card-{name}")
    page.click(".text .cite")
    _wait_for_pages(page)
    _keep(page, f"source-{name}")


def _take_pages(page: Page, name: str) -> None:
    page.goto("/")
    _keep(page, f"ask-{name}")
    _ask(page, PENSION)
    _keep(page, f"no-evidence-{name}")
    page.goto("/")
    _ask(page, VOLTAGE)
    _keep(page, f"passages-{name}")
    page.goto("/")
    _ask(page, FUSE)
    page.click(".conflict a >> nth=0")
    page.wait_for_selector(".pane .prose")
    page.wait_for_timeout(1500)
    _keep(page, f"conflict-{name}")
    page.goto("/sources")
    _keep(page, f"sources-{name}")
    page.get_by_role("link", name="Details").first.click()
    _keep(page, f"details-{name}")
    page.goto("/sources")
    page.get_by_role("link", name=re.compile(r"^Details of .*rev-B")).first.click()
    page.locator("main .views").get_by_role("link", name="As read").click()
    page.get_by_role("link", name="Next").click()
    page.get_by_role("link", name="Next").click()
    page.wait_for_load_state("networkidle")
    page.locator(".blocks .prose table").first.click()
    _keep(page, f"read-{name}")
    for name_of, address in PAGES:
        page.goto(address)
        page.wait_for_timeout(300)
        _keep(page, f"{name_of}-{name}")
    for name_of, address in ONCE if name == "light" else ():
        page.goto(address)
        page.wait_for_timeout(300)
        _keep(page, f"{name_of}-{name}")
    page.goto("/login")
    _keep(page, f"login-{name}")
    page.goto("/log")
    _keep(page, f"log-{name}")


def _ask(page: Page, question: str) -> None:
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn [data-answer]")
    page.wait_for_timeout(500)


def _wait_for_pages(page: Page) -> None:
    """Until the marked pages are drawn, and the mark has flashed."""
    drawn = "() => [...document.querySelectorAll('.leaf:has(svg) img')].every((one) => one.naturalWidth)"
    page.wait_for_selector(".pane .leaf svg")
    while not page.evaluate(drawn):
        page.wait_for_timeout(100)
    page.wait_for_timeout(1500)


def _keep(page: Page, name: str) -> None:
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    # With k-means, or the red of a few letters turns brown.
    small = picture.quantize(COLOURS, kmeans=1, dither=Image.Dither.NONE)
    small.save(HERE / "pictures" / f"web-{name}.png", optimize=True)


if __name__ == "__main__":
    main()
