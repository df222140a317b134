"""Embed what the experiments need, the dearest first: ``python -m bench.chunks.warm DATA``."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from bench.chunks import embedded
from bench.chunks.corpora import load
from bench.chunks.projects import opened

PLAN = (
    ("spans", "850", "windows", embedded.windows_of(45)),
    ("spans", "200", "windows", embedded.windows_of(45)),
    ("example", "850", "windows", embedded.windows_of(45)),
    ("example", "400", "windows", embedded.windows_of(45)),
    ("example", "200", "windows", embedded.windows_of(45)),
    ("example", "850", "whole", embedded.whole),
    ("example", "850", "prefixed", embedded.prefixed(45)),
    ("example", "850", "w30", embedded.windows_of(30)),
    ("example", "850", "w60", embedded.windows_of(60)),
    ("example", "850", "w100", embedded.windows_of(100)),
    ("example", "850", "overlap 45", embedded.overlapping(45)),
    ("spans", "400", "windows", embedded.windows_of(45)),
    ("spans", "850", "w100", embedded.windows_of(100)),
    ("dutch", "850", "windows", embedded.windows_of(45)),
    ("spans", "850", "whole", embedded.whole),
    ("dutch", "850", "prefixed", embedded.prefixed(45)),
    ("spans", "200", "whole", embedded.whole),
    ("spans", "850", "w60", embedded.windows_of(60)),
    ("dutch", "200", "windows", embedded.windows_of(45)),
    ("spans", "850", "w30", embedded.windows_of(30)),
    ("dutch", "850", "whole", embedded.whole),
    ("example", "200", "whole", embedded.whole),
)


def main(data: Path) -> None:
    for name in ("example", "spans", "dutch"):
        corpus = load(name, data)
        if corpus is None:
            continue
        with opened(corpus) as project:
            vectors = [project.embedder.embed_query(q.text) for q in corpus.questions]
            tokens = sum(chunk.tokens for chunk in project.chunks)
            print(name, len(vectors), "questions", len(project.chunks), "chunks", tokens, flush=True)
    for name, size, what, texts in PLAN:
        corpus = load(name, data)
        if corpus is None:
            continue
        with opened(corpus, size) as project:
            started = time.perf_counter()
            embedded.vectors_of(project, texts)
            embedded.vectors_of(project, embedded.prefix)
            print(name, size, what, f"{time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
