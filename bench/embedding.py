"""The built-in embedding model: its vectors beside the exact weights', and the speed of an ingest.

Speed is per second of processor time, all threads counted, so that other jobs hardly matter.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.generate import write_sentences
from bench.tables import read_rows, write_head, write_row
from foundry.config import BUILTIN_EMBEDDING, get_cache_folder
from foundry.craft.windows import build_embedding_texts
from foundry.journeys.index import embed_pending, open_index
from foundry.journeys.source_files import read_sources, start_tally
from foundry.models.builtin_model import embed_text
from foundry.models.e5.engines import BuiltinModel, NumpyEngine, load_model
from foundry.ports import Vectors
from foundry.workspace import Workspace, open_workspace

ROUNDS = 3
CHARACTERS = 1000
TEXTS = 25
"""Of each set."""
SETS = (
    *("nl_coronamelder", "nl_algoritmekader", "anthropic_docs", "squad2_half", "clapnq"),
    *("cosqa_dev", "scifact_train"),
)


def measure(data: Path | None) -> Iterator[str]:
    model = load_model(get_cache_folder({}))
    texts = _read_texts(data)
    exact = BuiltinModel(model.weights, model.tokenizer, NumpyEngine(model.weights))
    cosines = (_embed(exact, texts) * _embed(model, texts)).sum(axis=1)
    yield from write_head(
        f"cosine of {len(texts)} texts to the exact weights", "first percentile", "least"
    )
    yield write_row(
        *(f"{one:.5f}" for one in (cosines.mean(), np.quantile(cosines, 0.01), cosines.min()))
    )
    yield ""
    yield from _time_ingest(model)


def _embed(model: BuiltinModel, texts: Sequence[str]) -> Vectors:
    return np.stack([embed_text(model, f"passage: {text}") for text in texts])


def _read_texts(data: Path | None) -> list[str]:
    if data is None:
        return [write_sentences(random.Random(number), 8) for number in range(4 * TEXTS)]
    return [
        str(one["text"])[:CHARACTERS]
        for name in SETS
        for one in random.Random(name).sample(read_rows(data / name / "corpus.jsonl"), TEXTS)
    ]


def _time_ingest(model: BuiltinModel) -> Iterator[str]:
    yield from write_head(
        "embedding phase of an ingest", "tokens", "alone tokens/core-s", "in the ingest", "ratio"
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "foundry.yaml").write_text("{}\n")
        (root / "sources").mkdir()
        (root / "sources" / "0.txt").write_text(write_sentences(random.Random(0), 440))
        with open_workspace(root, environment={}, cwd=root) as workspace:
            read_sources(start_tally(workspace))
            for number in range(1, ROUNDS):
                yield _time_round(workspace, model, number)


def _time_round(workspace: Workspace, model: BuiltinModel, number: int) -> str:
    workspace.maintenance().drop_index(BUILTIN_EMBEDDING)
    open_index(workspace)
    pending = workspace.maintenance().pending_chunks(BUILTIN_EMBEDDING, 10_000)
    texts = [text for _, chunk in pending for text in build_embedding_texts(chunk)]
    tokens = sum(len(model.tokenizer.split_text(text)) for text in texts)
    started = time.process_time()
    _embed(model, texts)
    alone = time.process_time() - started
    started = time.process_time()
    embed_pending(workspace)
    inside = time.process_time() - started
    speeds = (f"{tokens / alone:.0f}", f"{tokens / inside:.0f}")
    return write_row(number, tokens, *speeds, f"{alone / inside:.2f}")
