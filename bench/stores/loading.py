"""Filling stores with a generated project, by the verbs of an ingest; how long that takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from itertools import islice

from bench.stores.generated import DIMENSION, FINGERPRINT, MODEL, Document
from foundry.store import Store

BATCH = 64
"""Chunks of one ``save_vectors``, as an ingest has them for a built-in model."""

Figures = dict[str, float]


def load_store(
    store: Store, documents: Iterable[Document], count_cpu: Callable[[], float] = lambda: 0.0
) -> Figures:
    """Chunks per second that ``save_source`` and ``save_vectors`` took, and seconds of processor time.

    ``count_cpu`` says how many seconds a server has used.
    """
    store.open_index(MODEL, DIMENSION, FINGERPRINT)
    texts = vectors = spent = 0.0
    chunks, served = 0, count_cpu()
    for document in documents:
        started, used = time.perf_counter(), time.process_time()
        store.save_source(
            document.source,
            document.text,
            document.blocks,
            document.chunks,
            document.summary(),
        )
        saved = time.perf_counter()
        spent += time.process_time() - used
        rows = iter(document.list_vectors())
        used = time.process_time()
        while batch := list(islice(rows, BATCH)):
            began = time.perf_counter()
            store.save_vectors(MODEL, batch)
            vectors += time.perf_counter() - began
        spent += time.process_time() - used
        texts += saved - started
        chunks += len(document.chunks)
    return {
        "chunks": chunks,
        "texts_per_s": chunks / texts,
        "vectors_per_s": chunks / vectors,
        "both_per_s": chunks / (texts + vectors),
        "client_cpu_s": spent,
        "server_cpu_s": count_cpu() - served,
    }
