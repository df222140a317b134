"""Fusion and reranking as the product does them, on a sample of each set's questions.

nDCG@10 and the processor time of a search. ``always`` is ``builtin/late-interaction``, whatever
the languages of the hits.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from bench.datasets import sample_set
from bench.rankings import DEPTH, OWN, SETS, Kept, load, load_own, own_project
from foundry.config import BUILTIN_RERANKER
from foundry.evaluation.dataset import open_dataset
from foundry.journeys.search import search
from foundry.workspace import Workspace, reconfigure

QUESTIONS = 60
WAYS: Mapping[str, Mapping[str, str]] = {
    "BM25": {"mode": "bm25", "reranker": "none"},
    "dense": {"mode": "dense", "reranker": "none"},
    "rrf": {"fusion": "rrf", "reranker": "none"},
    "zscore": {"reranker": "none"},
    "auto": {},
    "always": {"reranker": BUILTIN_RERANKER},
}


def measure(data: Path | None, names: tuple[str, ...] = ()) -> Iterator[str]:
    yield "nDCG@10 and, in brackets, milliseconds of processor time for a search."
    yield ""
    yield "| set | " + " | ".join(WAYS) + " |"
    yield "|---" * (len(WAYS) + 1) + "|"
    if not names or "own" in names:
        with own_project() as workspace:
            yield _compare(load_own(), workspace)
    for run in SETS if data else ():
        if not names or run.name in names:
            assert data is not None
            title = "ignore" if run.title == "ignore" else "index"
            _, workspace, _ = open_dataset(
                sample_set(data / run.name, run),
                keep_documents=run.keep_documents,
                title=title,
                environment=os.environ,
            )
            with workspace:
                yield _compare(load(data, run), workspace)


def _compare(kept: Kept, workspace: Workspace) -> str:
    whole = kept.name == OWN
    asked = kept.questions if whole else random.Random(1).sample(kept.questions, QUESTIONS)
    cells = []
    for keys in WAYS.values():
        retrieval = workspace.config.retrieval.model_copy(
            update={"top_k_dense": DEPTH, "top_k_bm25": DEPTH, **keys}
        )
        changed = reconfigure(
            workspace, workspace.config.model_copy(update={"retrieval": retrieval})
        )
        search(changed, "warm up")
        start = time.process_time()
        found = {q.id: search(changed, q.text).ranking for q in asked}
        spent = (time.process_time() - start) / len(asked) * 1000
        mean = np.mean([one["ndcg@10"] for one in kept.measure(found).values()])
        cells.append(f"{mean:.3f} ({spent:.0f})")
    return f"| {kept.name} ({len(asked)}) | " + " | ".join(cells) + " |"
