"""The server under load, on loopback without a model, and how soon a reader sees something.

The example project is served by one process. Then 50 clients ask at the same time for 60 seconds;
each waits for its answer. The first paint of a page and the first verified sentence are those of
Chromium, where there is one, with nothing else running.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from bench.example import FOUNDRY, copy_example, run
from bench.tables import write_head, write_row

CLIENTS, SECONDS = 50, 60
QUESTIONS = (
    "What is the supply voltage?",
    "How many fixtures may one output drive?",
    "Hoe vaak moet de behuizing worden gereinigd?",
    "Hoe lang loopt de klok door wanneer de voeding wegvalt?",
    "Which pension fund insures the staff?",
)
VISITS = 7


def measure() -> Iterator[str]:
    with copy_example() as project:
        run(project, "ingest", "-q")
        with serve(project) as address:
            yield from _measure_browser(address)
            yield from _measure_load(address)


@contextmanager
def serve(project: Path) -> Iterator[str]:
    """The address of a server of its own process, which is stopped at the end."""
    command = [str(FOUNDRY), "serve", "--project", str(project), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        found = re.search(rb"http://\S+\d", process.stdout.readline())
        assert found, "the server did not start"
        # Its log must not fill the pipe.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        try:
            yield found[0].decode()
        finally:
            process.terminate()
            process.wait(30)


def _measure_load(address: str) -> Iterator[str]:
    times: list[float] = []
    faults: list[str] = []
    end = time.monotonic() + SECONDS
    started = threading.Barrier(CLIENTS)

    def ask(number: int) -> None:
        with httpx.Client(base_url=address, timeout=120) as client:
            started.wait()
            while time.monotonic() < end:
                question = QUESTIONS[number % len(QUESTIONS)]
                before = time.perf_counter()
                try:
                    reply = client.post("/api/v1/ask", json={"question": question})
                    reply.raise_for_status()
                except httpx.HTTPError as error:
                    faults.append(repr(error))
                times.append(time.perf_counter() - before)
                number += 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cuts = statistics.quantiles(times, n=20)
    yield from write_head(
        f"{CLIENTS} clients, {SECONDS} s", "answers", "a second", "p50", "p95", "errors"
    )
    rate, halves = f"{len(times) / SECONDS:.1f}", (f"{cuts[9]:.2f} s", f"{cuts[18]:.2f} s")
    yield write_row("", len(times), rate, *halves, len(faults))
    yield from (f"{fault}" for fault in sorted(set(faults))[:5])


def _measure_browser(address: str) -> Iterator[str]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        yield "No Chromium on this machine: nothing is measured in a browser."
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        paints, sentences = [], []
        for number in range(VISITS):
            page = browser.new_page()
            page.goto(address)
            page.wait_for_timeout(300)
            entry = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            paints.append(page.evaluate(entry))
            page.fill("#question", QUESTIONS[number % 4])
            before = time.perf_counter()
            page.keyboard.press("Enter")
            page.wait_for_selector(".text .sentence")
            sentences.append((time.perf_counter() - before) * 1000)
            page.close()
        browser.close()
    yield from write_head(f"milliseconds in Chromium, median of {VISITS} (most)", "")
    for name, found in (("first paint", paints), ("first verified sentence", sentences)):
        yield write_row(name, f"{statistics.median(found):.0f} ({max(found):.0f})")
    yield ""
