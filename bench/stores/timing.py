"""``python -m bench.stores.timing TASK``: searches one loaded store in a process of its own.

The task is JSON, and so is what is printed.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from bench.stores.generated import MODEL, PROJECT, Query, read_queries
from bench.stores.server import count_bytes, count_cpu
from foundry.craft.fusion import fuse
from foundry.records import Filters
from foundry.store import Store, open_store

Task = dict[str, Any]
Answer = dict[str, Any]

WARM_UP = 5
HITS = 100
"""What a search asks of each retriever."""
SHOWN = 10
RRF_K = 60


def search(store: Store, kind: str, query: Query, tag: str) -> list[str]:
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
    folder = Path(task["folder"])
    queries = read_queries(folder)
    store = open_store(task["url"], folder, PROJECT)
    for query in queries[:WARM_UP]:
        search(store, task["kind"], query, task["tag"])
    answer = _time(store, task, queries)
    store.close()
    print(json.dumps({**answer, "client_bytes": _read_peak()}))


def _read_peak() -> int:
    """The most memory that this process had; ``getrusage`` would count that of its parent too."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def _time(store: Store, task: Task, queries: list[Query]) -> Answer:
    """Each query once: milliseconds of each, seconds of processor time of all, what was found."""
    server = task["server"]
    before, used = count_cpu(server), time.process_time()
    times, found = [], []
    for query in queries[WARM_UP:][: task["queries"]]:
        started = time.perf_counter()
        found.append(search(store, task["kind"], query, task["tag"]))
        times.append(1e3 * (time.perf_counter() - started))
    spent = time.process_time() - used
    return {
        "ms": times,
        "found": found,
        "client_cpu_s": spent,
        "server_cpu_s": count_cpu(server) - before,
        "server_bytes": count_bytes(server),
    }


if __name__ == "__main__":
    main()
