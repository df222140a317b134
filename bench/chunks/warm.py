"""Embed what the experiments need, the dearest first: ``python -m bench.chunks.warm first|second DATA``."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from bench.chunks import embedded
from bench.chunks.corpora import load
from bench.chunks.projects import opened

FIRST = (
    ("example", "850", "windows of 60", embedded.windows_of(60)),
    ("example", "850", "windows of 100", embedded.windows_of(100)),
    ("example", "200", "windows of 45", embedded.windows_of(45)),
    ("spans", "850", "windows of 100", embedded.windows_of(100)),
    ("spans", "850", "windows of 60", embedded.windows_of(60)),
    ("spans", "400", "windows of 45", embedded.windows_of(45)),
)
SECOND = (
    ("example", "850", "windows of 30", embedded.windows_of(30)),
    ("example", "850", "prefixed", embedded.prefixed(45)),
    ("example", "850", "overlapping", embedded.overlapping(45)),
    ("example", "400", "windows of 45", embedded.windows_of(45)),
    ("spans", "850", "windows of 30", embedded.windows_of(30)),
    ("spans", "850", "whole", embedded.whole),
    ("spans", "200", "whole", embedded.whole),
)


def main(part: str, data: Path) -> None:
    for name, size, what, texts in FIRST if part == "first" else SECOND:
        corpus = load(name, data)
        if corpus is None:
            continue
        with opened(corpus, size) as project:
            started = time.perf_counter()
            for asked in corpus.questions:
                project.embedder.embed_query(asked.text)
            embedded.vectors_of(project, embedded.prefix)
            embedded.vectors_of(project, texts)
            print(name, size, what, f"{time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
