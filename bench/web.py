"""The server under load, on loopback without a model.

The example project is served by one process. Then 50 clients ask at the same time for 60 seconds;
each waits for its answer.
"""

from __future__ import annotations

import re
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


def measure() -> Iterator[str]:
    with copy_example() as project:
        run(project, "ingest", "-q")
        with serve(project) as address:
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
    rate, halves = f"{len(times) / SECONDS:.1f}", (f"{cuts[9]:.2f} s", f"{cuts[18]:.2f} s")
    yield write_row("", len(times), rate, *halves, len(faults))
    yield from (f"{fault}" for fault in sorted(set(faults))[:5])
