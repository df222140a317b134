"""The server on loopback, without a model.

``first_paint``: each page of the example in Chromium, with an empty cache each time. ``many``: a project
of 10,000 sources, 100,000 rows in its log and a table, each page by one client and by 50 at once. ``load``:
50 clients ask the example for 60 seconds; each waits for its answer.
"""

from __future__ import annotations

import random
import re
import secrets
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import httpx
import psutil
from playwright.sync_api import Browser, sync_playwright

from bench.example import FOUNDRY, copy_example, run
from bench.faults.commands import count_tree_bytes
from bench.generate import write_sentences
from bench.tables import write_head, write_row
from foundry.journeys.project import init_project
from foundry.workspace import open_workspace

CLIENTS, SECONDS = 50, 60
QUESTIONS = (
    "What is the supply voltage?",
    "How many fixtures may one output drive?",
    "Hoe vaak moet de behuizing worden gereinigd?",
    "Hoe lang loopt de klok door wanneer de voeding wegvalt?",
    "Which pension fund insures the staff?",
)
PAGES = {
    "Ask": "/",
    "an answer": "",
    "Conversations": "/conversations",
    "Conversations, searched": "/conversations?q=voltage",
    "Search": "/search?q=refresh+rate",
    "Sources": "/sources",
    "Sources, searched": "/sources?q=77&sort=ingested",
    "a source": "",
    "details of a source": "",
    "Documents": "/documents",
    "Agents": "/documents/agents",
    "Verify": "/verify",
    "Tables": "/tables",
    "a table": "/tables/Rates",
    "Log": "/log",
    "Evaluation": "/quality",
    "Feedback": "/quality/feedback",
    "Health": "/admin",
    "People": "/admin/people",
    "Audit": "/admin/audit",
}
"""Name → address; an empty one is found in the project."""
OWNED = {"Feedback", "Health", "People", "Audit"}
"""Pages of the owner alone."""
SOURCES, ROWS, VISITS, ALONE = 10_000, 100_000, 8, 10


def measure(quick: bool = False, keep: Path | None = None) -> Iterator[str]:
    with copy_example() as project:
        run(project, "ingest", "-q")
        with serve(project) as address:
            yield from _measure_first_paint(address)
            yield ""
            if not quick:
                yield from _measure_load(address)
                yield ""
    if not quick:
        with tempfile.TemporaryDirectory() as folder:
            yield from _measure_many(keep or Path(folder) / "project")


@contextmanager
def serve(folder: Path, option: str = "--project") -> Iterator[str]:
    """The address of a server of its own process, which is stopped at the end.

    It serves the project in ``folder``, or with ``option="--projects"`` those below it.
    """
    with _start(folder, option) as (address, _):
        yield address


@contextmanager
def _start(folder: Path, option: str = "--project") -> Iterator[tuple[str, psutil.Process]]:
    command = [str(FOUNDRY), "serve", option, str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        found = re.search(rb"http://\S+\d", process.stdout.readline())
        assert found, "the server did not start"
        # Its log must not fill the pipe.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        try:
            yield found[0].decode(), psutil.Process(process.pid)
        finally:
            process.terminate()
            process.wait(30)


def _measure_first_paint(address: str) -> Iterator[str]:
    paths = _find_paths(address)
    paths.pop("a table")
    yield f"The example, {VISITS} visits of each page with an empty cache. kB are compressed, with scripts and styles."
    yield ""
    yield from write_head("page", "first paint p75, ms", "kB")
    every: list[float] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, path in paths.items():
            visits = [_visit(chromium, address + path) for _ in range(VISITS)]
            times = [first for first, _ in visits]
            every += times
            yield write_row(name, f"{_find_p75(times):.0f}", f"{visits[-1][1] / 1e3:.0f}")
        chromium.close()
    yield write_row("all", f"{_find_p75(every):.0f}", "")


def _find_p75(times: list[float]) -> float:
    return statistics.quantiles(times, n=4)[2]


PAINTED = """() => new Promise((done) => {
    const sum = () => performance.getEntriesByType("paint").find((one) => one.name === "first-contentful-paint")?.startTime;
    const size = () => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((all, one) => all + one.transferSize, 0);
    const look = () => sum() ? done([sum(), size()]) : setTimeout(look, 20);
    look();
})"""


def _visit(browser: Browser, address: str) -> tuple[float, int]:
    """Milliseconds to the first paint, and bytes that were sent."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    first, size = page.evaluate(PAINTED)
    context.close()
    return first, size


def _find_paths(address: str) -> dict[str, str]:
    """The address of each page; an answer is asked for."""
    with httpx.Client(base_url=address, follow_redirects=True, timeout=120) as client:
        answer = client.post("/ask", data={"question": QUESTIONS[0]}).url.path
        source = client.get("/api/v2/sources", params={"limit": 1}).json()["sources"][0]["id"]
    named = {
        "an answer": answer,
        "a source": f"/sources/{source}",
        "details of a source": f"/sources/{source}/details",
    }
    return PAGES | named


def _measure_many(project: Path) -> Iterator[str]:
    if not project.exists():
        _make_project(project)
    with _start(project) as (address, process):
        with httpx.Client(base_url=address, timeout=600) as client:
            table = {
                "name": "Rates",
                "questions": [QUESTIONS[0]],
                "filters": ["folder=sources/hall-00"],
            }
            client.post("/api/v2/tables", json=table).raise_for_status()
        yield f"{SOURCES:,} sources, {ROWS:,} rows in the log; {ALONE} requests by one client, one by each of {CLIENTS}."
        yield ""
        clients = f"{CLIENTS} clients"
        yield from write_head(
            "page", "CPU ms", "p50 ms", "p95", f"{clients}: p50 ms", "p95", "kB", "errors"
        )
        measure = partial(_measure_request, process, address)
        for name, path in _find_paths(address).items():
            yield measure(name, partial(_get, path), alone=name in OWNED)
        for name in ("search", "ask"):
            yield measure(f"`POST /api/v2/{name}`", partial(_query, name))
        yield ""
        yield f"Memory of the server and its children: {count_tree_bytes(process) / 1e6:.0f} MB."


def _get(path: str, client: httpx.Client) -> httpx.Response:
    return client.get(path)


def _query(name: str, client: httpx.Client) -> httpx.Response:
    """Ask or search something else each time, so that nothing is remembered."""
    words = write_sentences(random.Random(secrets.randbits(32)), 1)
    body = {"question" if name == "ask" else "query": words}
    return client.post(f"/api/v2/{name}", json=body)


def _measure_request(
    process: psutil.Process,
    address: str,
    name: str,
    send: Callable[[httpx.Client], httpx.Response],
    *,
    alone: bool = False,
) -> str:
    faults: list[int] = []
    sizes: list[int] = []

    def take(times: int) -> list[float]:
        with httpx.Client(base_url=address, timeout=300) as client:
            found = []
            for _ in range(times):
                before = time.perf_counter()
                reply = send(client)
                found.append(1e3 * (time.perf_counter() - before))
                sizes.append(reply.num_bytes_downloaded)
                if reply.is_error:
                    faults.append(reply.status_code)
            return found

    take(1)
    before = _count_cpu(process)
    cuts = _cut(take(ALONE))
    cpu = f"{1e3 * (_count_cpu(process) - before) / ALONE:.0f}"
    together = ("–", "–")
    if not alone:
        with ThreadPoolExecutor(CLIENTS) as pool:
            together = _cut([one for found in pool.map(take, [1] * CLIENTS) for one in found])
    return write_row(name, cpu, *cuts, *together, f"{max(sizes) / 1e3:.0f}", len(faults))


def _count_cpu(process: psutil.Process) -> float:
    """Seconds of processor time of the server itself, however busy the machine is."""
    times = process.cpu_times()
    return float(times.user + times.system)


def _cut(times: list[float]) -> tuple[str, str]:
    """The median and the 95th percentile, in whole numbers."""
    cuts = statistics.quantiles(times, n=20)
    return f"{cuts[9]:.0f}", f"{cuts[18]:.0f}"


def _make_project(root: Path) -> None:
    """A project of small files in a hundred folders."""
    init_project(root, mode="offline", environment={})
    rng = random.Random(3)
    for number in range(SOURCES):
        folder = root / f"sources/hall-{number // 100:02d}"
        folder.mkdir(exist_ok=True)
        text = f"# Note {number}\n\n{write_sentences(rng, 3)}\n"
        (folder / f"note-{number:05d}.md").write_text(text)
    run(root, "ingest", "-q")
    _fill_log(root)


def _fill_log(root: Path) -> None:
    """Questions as if they had been asked, one a minute; four make a conversation."""
    run(root, "ask", QUESTIONS[0])
    with open_workspace(root, environment={}, cwd=root) as workspace:
        row = workspace.store.list_queries(1)[0]
        for number in range(ROWS):
            key, at = f"qry_{number:016x}", row.time - timedelta(minutes=number)
            first = f"qry_{number + 3 - number % 4:016x}"
            workspace.store.log_query(
                replace(row, id=key, time=at, query=f"{row.query} {number}", conversation=first)
            )


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
                    reply = client.post("/api/v2/ask", json={"question": question})
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
    rate = f"{len(times) / SECONDS:.1f}"
    yield write_row("", len(times), rate, f"{cuts[9]:.2f} s", f"{cuts[18]:.2f} s", len(faults))
    yield from (f"{fault}" for fault in sorted(set(faults))[:5])
