"""LanceDB over a generated project, run by an interpreter that has it: one vector a chunk, own indexes.

``python -m bench.stores.lance TASK`` times it; the first task builds the table.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.rerankers import RRFReranker

from bench.stores.kept import Query, read_kept
from bench.stores.timing import Task, run_process

HITS = 100
SHOWN = 10
REFINED = 4
"""Times as many candidates of the compressed index have their whole vectors compared."""


class LanceWay:
    """Dense by IVF-HNSW with scalar quantization, words by its own full-text index, both fused by rank."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._reranker = RRFReranker()

    def search(self, kind: str, query: Query, tag: str) -> list[str]:
        words = " ".join(query.terms)
        if kind == "dense":
            asked = self._table.search(query.vector, vector_column_name="vector")
            asked = asked.distance_type("cosine").ef(HITS * REFINED).refine_factor(REFINED)
        elif kind == "bm25":
            asked = self._table.search(words, query_type="fts", fts_columns="terms")
        else:
            asked = self._table.search(
                query_type="hybrid", vector_column_name="vector", fts_columns="terms"
            )
            asked = asked.vector(query.vector).text(words).distance_type("cosine")
            asked = asked.rerank(self._reranker)
        if tag:
            asked = asked.where(f"tag = '{tag}'", prefilter=True)
        columns = ["id"] if kind in ("dense", "bm25") else ["id", "terms"]
        rows = asked.select(columns).limit(HITS).to_arrow()
        return [str(chunk) for chunk in rows["id"].to_pylist()]

    def close(self) -> None:
        pass


def open_way(task: Task) -> LanceWay:
    """The table in the task's folder; built first if it is missing."""
    folder = Path(task["folder"])
    database = lancedb.connect(folder / "lance")
    if not (folder / "lance" / "built.json").exists():
        figures = _build(database, folder)
        (folder / "lance" / "built.json").write_text(json.dumps(figures))
    return LanceWay(database.open_table("chunks"))


def _build(database: Any, folder: Path) -> dict[str, float]:
    kept = read_kept(folder)
    started = time.perf_counter()
    size = kept.wholes.shape[1]
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(kept.wholes.reshape(-1)), size)
    columns = {"id": kept.ids, "tag": kept.tags, "terms": kept.terms, "vector": vectors}
    table = database.create_table("chunks", pa.table(columns), mode="overwrite")
    added = time.perf_counter()
    table.create_index(metric="cosine", index_type="IVF_HNSW_SQ", vector_column_name="vector")
    compared = time.perf_counter()
    table.create_fts_index(
        "terms", base_tokenizer="whitespace", stem=False, remove_stop_words=False,
        lower_case=False, ascii_folding=False, with_position=False,
    )  # fmt: skip
    table.create_scalar_index("tag", index_type="BITMAP")
    ended = time.perf_counter()
    return {
        "rows_per_s": len(kept.ids) / (added - started),
        "vectors_s": compared - added,
        "text_s": ended - compared,
    }


if __name__ == "__main__":
    run_process(open_way)
