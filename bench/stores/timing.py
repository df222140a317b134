"""``python -m bench.stores.timing TASK``: uses one loaded store in a process of its own.

The task is JSON, and so is the last line that is printed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from bench.stores.generated import MODEL, PROJECT, Query, read_queries, write_documents
from bench.stores.server import count_bytes, count_cpu
from foundry.craft.fusion import fuse
from foundry.records import Filters
from foundry.store import Store, StoreView, add_engine, open_store

Task = dict[str, Any]
Answer = dict[str, Any]

WARM_UP = 100
"""Queries before those that are timed: SQLite keeps in memory what they read."""
HITS = 100
"""What a search asks of each retriever."""
SHOWN = 10
RRF_K = 60


def search(store: StoreView, kind: str, query: Query, tag: str) -> list[str]:
    """The ids of the best chunks, by the verbs that a search calls.

    "hybrid" fuses both retrievers and reads the ten best chunks with their sources; "search" adds
    the statistics and windows that a whole search reads.
    """
    filters = Filters(tags=(tag,)) if tag else Filters()
    if kind == "dense":
        return [
            hit.chunk_id for hit in store.search_vectors(MODEL, query.vector, HITS, filters)[:SHOWN]
        ]
    if kind == "bm25":
        return [hit.chunk_id for hit in store.search_text(query.terms, HITS, filters)[:SHOWN]]
    if kind == "search":
        store.index_status(MODEL)
        store.languages()
        store.document_frequencies(query.terms)
        store.count_mentions(query.terms)
    dense = store.search_vectors(MODEL, query.vector, HITS, filters)
    text = store.search_text(query.terms, HITS, filters)
    best = [hit.chunk_id for hit in fuse(dense, text, RRF_K, frozenset())[:SHOWN]]
    chunks = store.get_chunks(best)
    store.get_sources({chunk.source_id for chunk in chunks})
    if kind == "search":
        store.get_windows(MODEL, best)
    return best


def main() -> None:
    task: Task = json.loads(sys.argv[1])
    print(json.dumps({**RUNS[task["run"]](task), "client_bytes": read_peak()}))


def _open(task: Task) -> Store:
    store = open_store(task["url"], Path(task["folder"]), PROJECT)
    add_engine(store, task["engine"], "error", Path(task["folder"]), PROJECT)
    return store


def read_peak() -> int:
    """The most memory that this process had; ``getrusage`` would count that of its parent too."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def _search(task: Task) -> Answer:
    """Each query once: milliseconds of each, seconds of processor time of all, what was found."""
    queries = read_queries(Path(task["folder"]))
    store, server = _open(task), task["server"]
    view = store.view("secret", exact=True) if task["exact"] else store
    for query in queries[:WARM_UP]:
        search(view, task["kind"], query, task["tag"])
    before, used = count_cpu(server), time.process_time()
    times, found = [], []
    for query in queries[WARM_UP:][: task["queries"]]:
        started = time.perf_counter()
        found.append(search(view, task["kind"], query, task["tag"]))
        times.append(1e3 * (time.perf_counter() - started))
    spent = time.process_time() - used
    answer = {
        "ms": times,
        "found": found,
        "client_cpu_s": spent,
        "server_cpu_s": count_cpu(server) - before,
        "server_bytes": count_bytes(server),
    }
    store.close()
    return answer


def _be_client(task: Task) -> Answer:
    """Hybrid searches for so many seconds, from the line on that the runner sends to all clients."""
    queries = read_queries(Path(task["folder"]))
    store = _open(task)
    for query in queries[:WARM_UP]:
        search(store, "hybrid", query, "")
    print("ready", flush=True)
    sys.stdin.readline()
    times, end = [], time.perf_counter() + task["seconds"]
    for query in islice(cycle(queries), task["client"] * WARM_UP, None):
        started = time.perf_counter()
        if started > end:
            break
        search(store, "hybrid", query, "")
        times.append(1e3 * (time.perf_counter() - started))
    store.close()
    return {"ms": times}


def _start_cold(task: Task) -> Answer:
    """Milliseconds of opening with the first hybrid search, and of the next.

    SQLite's file is first put out of the system's cache; a server keeps what it has.
    """
    file = Path(task["folder"]) / "sqlite/foundry.db"
    if task["url"].startswith("sqlite"):
        handle = os.open(file, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)
    queries = read_queries(Path(task["folder"]))
    started = time.perf_counter()
    store = _open(task)
    search(store, "hybrid", queries[0], "")
    opened = time.perf_counter()
    search(store, "hybrid", queries[1], "")
    ended = time.perf_counter()
    store.close()
    return {"first_ms": 1e3 * (opened - started), "next_ms": 1e3 * (ended - opened)}


def _write(task: Task) -> Answer:
    """Remove the first sources and save them again: chunks per second of both."""
    store, documents, chunks = _open(task), [], 0
    for document in write_documents(task["size"]):
        documents.append(document)
        chunks += len(document.chunks)
        if chunks >= task["chunks"]:
            break
    started = time.perf_counter()
    for document in documents:
        store.remove_source(document.source.id)
    removed = time.perf_counter()
    for document in documents:
        document.save(store)
    ended = time.perf_counter()
    store.close()
    return {"removed": chunks / (removed - started), "saved": chunks / (ended - removed)}


def _rebuild(task: Task) -> Answer:
    """Seconds in which the index of words is rebuilt."""
    store = _open(task)
    started = time.perf_counter()
    store.rebuild_text_index()
    seconds = time.perf_counter() - started
    store.close()
    return {"seconds": seconds}


RUNS: dict[str, Callable[[Task], Answer]] = {
    "queries": _search, "client": _be_client, "cold": _start_cold, "write": _write, "rebuild": _rebuild,
}  # fmt: skip


if __name__ == "__main__":
    main()
