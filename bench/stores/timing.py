"""Times the queries of one way in a process of its own: ``run_process`` is what such a process does.

It gets its task as JSON in its only argument and prints JSON. Nothing of Foundry is imported here:
another interpreter may run it.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from bench.stores.kept import Query, read_queries

Task = dict[str, Any]
Answer = dict[str, Any]

WARM_UP = 5
FIRST = 10


class Way(Protocol):
    """Something that searches a generated project."""

    def search(self, kind: str, query: Query, tag: str) -> list[str]:
        """The ids of the best chunks, at least ten if there are so many; ``tag`` may be empty."""

    def close(self) -> None: ...


def run_process(open_way: Callable[[Task], Way]) -> None:
    """Do the task in the argument; ``open_way`` opens what it names."""
    task: Task = json.loads(sys.argv[1])
    queries = read_queries(Path(task["folder"]))
    began = time.perf_counter()
    way = open_way(task)
    opened = time.perf_counter() - began
    for query in queries[:WARM_UP]:
        way.search(task["kind"], query, task["tag"])
    answer = _count(way, task, queries) if task["seconds"] else _time(way, task, queries)
    way.close()
    print(json.dumps({**answer, "opened_s": opened, "client_bytes": _read_peak()}))


def _read_peak() -> int:
    """The most memory that this process had; ``getrusage`` would count that of its parent too."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def _time(way: Way, task: Task, queries: list[Query]) -> Answer:
    """Each query once: milliseconds of each, seconds of processor time of all, what was found."""
    server = _Server(task["server"])
    before, used = server.count_cpu(), time.process_time()
    times, found = [], []
    for query in queries[WARM_UP:][: task["queries"]]:
        started = time.perf_counter()
        hits = way.search(task["kind"], query, task["tag"])
        times.append(1e3 * (time.perf_counter() - started))
        found.append(hits[:FIRST])
    spent = time.process_time() - used
    return {
        "ms": times,
        "found": found,
        "client_cpu_s": spent,
        "server_cpu_s": server.count_cpu() - before,
        "server_bytes": server.count_bytes(),
    }


def _count(way: Way, task: Task, queries: list[Query]) -> Answer:
    """As many queries as go into so many seconds, in ``threads`` threads; each one's milliseconds."""
    print("ready", flush=True)
    sys.stdin.readline()
    end = time.perf_counter() + task["seconds"]
    times: list[float] = []

    def ask(place: int) -> None:
        while (started := time.perf_counter()) < end:
            place += 1
            way.search(task["kind"], queries[place % len(queries)], task["tag"])
            times.append(1e3 * (time.perf_counter() - started))

    threads = [
        threading.Thread(target=ask, args=(17 * (task["number"] + n),))
        for n in range(task["threads"])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"ms": times}


class _Server:
    """The processes of a database server, if the way has one."""

    def __init__(self, process: int) -> None:
        self._process = process

    def count_cpu(self) -> float:
        if not self._process:
            return 0.0
        from bench.stores.server import count_cpu

        return count_cpu(self._process)

    def count_bytes(self) -> int:
        if not self._process:
            return 0
        from bench.stores.server import count_bytes

        return count_bytes(self._process)
