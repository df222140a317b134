"""A separate process that works on a database, for tests of concurrency and kill -9.

``python -m tests.store.writer PROJECT write NAME COUNT`` saves and embeds COUNT sources;
``… read``           searches until a file ``stop`` appears, and prints how often;
``… halt WHERE``     saves source "halted.md" and stops inside its transaction;
``… hold``           takes the ingest lock and keeps it.
Each prints a line once it has reached that point.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from foundry.records import Filters
from foundry.store import Store, open_store
from foundry.store.relational import sources
from tests.store.records import MODEL, PROJECT, URL, embed, make_source, terms, vector

EVERYTHING = Filters()
PARAGRAPHS = 12


def write(store: Store, name: str, count: str) -> None:
    for number in range(int(count)):
        texts = [f"Cable {name} {number} {n}, also a plug." for n in range(PARAGRAPHS)]
        store.save_source(*make_source(f"{name}/{number}.md", *texts))
        embed(store)
    print("done", flush=True)


def read(store: Store, project: Path) -> None:
    rounds = 0
    while not (project / "stop").exists():
        hits = store.search_text(terms("cable"), 50, EVERYTHING)
        near = store.search_vectors(MODEL, vector("cable plug"), 50, EVERYTHING)
        found = store.get_chunks([hit.chunk_id for hit in [*hits, *near]])
        if any("Cable" not in chunk.text for chunk in found):
            raise AssertionError("a chunk with another's text")
        rounds += 1
    print(rounds, flush=True)


def halt(store: Store, where: str) -> None:
    def stop(*_args: Any, **_keywords: Any) -> None:
        print("halted", flush=True)
        time.sleep(600)

    setattr(sources, where, stop)
    store.save_source(*make_source("halted.md", "New cable.", "Another.", title="Halted"))


def hold(store: Store) -> None:
    with store.lock("ingest"):
        print("held", flush=True)
        time.sleep(600)


def main() -> None:
    project, verb, *rest = sys.argv[1:]
    store = open_store(URL, Path(project), PROJECT)
    if verb == "read":
        read(store, Path(project))
    else:
        verbs: dict[str, Any] = {"write": write, "halt": halt, "hold": hold}
        verbs[verb](store, *rest)
    store.close()


if __name__ == "__main__":
    main()
