"""``python -m bench.stores.peers TASK``: another engine over the same chunks, in a process of its own.

These engines are installed only to be measured, wherever ``PYTHONPATH`` finds them. Each has one vector a chunk and the analysed words of
its text, everything in one index: no filters by role, no windows, no second process that writes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bench.stores.generated import DIMENSION, Query, read_queries, write_documents
from bench.stores.timing import SHOWN, WARM_UP, read_peak
from foundry.store.text_ranking import describe_source, make_terms

Ask = Callable[[Query], Sequence[int]]
"""The places of the best chunks for a query."""

PEERS = (
    ("numpy", "dense"), ("usearch", "dense"), ("LanceDB", "dense"),
    ("bm25s", "bm25"), ("tantivy", "bm25"), ("LanceDB", "bm25"),
)  # fmt: skip
ASKED = 60


def keep_peer_data(folder: Path, size: int) -> None:
    """Write a vector and a line of analysed words for each chunk into a folder, unless they are there."""
    if (folder / "wholes.npy").exists():
        return
    wholes = np.empty((size, DIMENSION), dtype=np.float16)
    place = 0
    with (folder / "words.txt").open("w", encoding="utf-8") as lines:
        for document in write_documents(size):
            about = describe_source(document.source)
            for chunk, vectors in document.list_vectors():
                wholes[place] = vectors.whole
                place += 1
                terms = make_terms(about, chunk)
                lines.write(f"{terms.title} {terms.body}\n")
    np.save(folder / "wholes.npy", wholes)


def _read_words(folder: Path) -> Iterator[str]:
    with (folder / "words.txt").open(encoding="utf-8") as lines:
        yield from (line.rstrip() for line in lines)


def _read_vectors(folder: Path) -> Any:
    return np.load(folder / "wholes.npy").astype(np.float32)


def _choose(scores: Any) -> Sequence[int]:
    best = np.argpartition(-scores, SHOWN)[:SHOWN]
    chosen: Sequence[int] = best[np.argsort(-scores[best])].tolist()
    return chosen


def _open_numpy(folder: Path, _kind: str, _scratch: Path) -> Ask:
    vectors = _read_vectors(folder)
    return lambda query: _choose(vectors @ query.vector)


def _open_usearch(folder: Path, _kind: str, scratch: Path) -> Ask:
    index = import_module("usearch.index").Index(ndim=DIMENSION, metric="ip", dtype="f16")
    vectors = _read_vectors(folder)
    index.add(np.arange(len(vectors)), vectors)
    index.save(str(scratch / "index"))
    return lambda query: index.search(query.vector, SHOWN).keys.tolist()


def _open_bm25s(folder: Path, _kind: str, scratch: Path) -> Ask:
    index = import_module("bm25s").BM25(k1=1.2, b=0.75)
    index.index([line.split() for line in _read_words(folder)], show_progress=False)
    index.save(str(scratch))

    def ask(query: Query) -> Sequence[int]:
        found, _ = index.retrieve([list(query.terms)], k=SHOWN, show_progress=False)
        places: Sequence[int] = found[0].tolist()
        return places

    return ask


def _open_tantivy(folder: Path, _kind: str, scratch: Path) -> Ask:
    tantivy = import_module("tantivy")
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("place", stored=True)
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="freq")
    index = tantivy.Index(builder.build(), path=str(scratch))
    writer = index.writer(heap_size=512 << 20)
    for place, line in enumerate(_read_words(folder)):
        writer.add_document(tantivy.Document(place=place, words=line))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(query: Query) -> Sequence[int]:
        parts = [
            (tantivy.Occur.Should, tantivy.Query.term_query(index.schema, "words", term))
            for term in query.terms
        ]
        hits = searcher.search(tantivy.Query.boolean_query(parts), SHOWN).hits
        return [searcher.doc(address)["place"][0] for _, address in hits]

    return ask


def _open_lancedb(folder: Path, kind: str, scratch: Path) -> Ask:
    lancedb, arrow = import_module("lancedb"), import_module("pyarrow")
    vectors = np.load(folder / "wholes.npy")
    lists = arrow.FixedSizeListArray.from_arrays(arrow.array(vectors.reshape(-1)), DIMENSION)
    columns = {"place": arrow.array(np.arange(len(vectors))), "vector": lists}
    if kind == "bm25":
        columns["words"] = arrow.array(list(_read_words(folder)))
    table = lancedb.connect(str(scratch)).create_table("chunks", arrow.table(columns))
    if kind == "bm25":
        table.create_fts_index("words", base_tokenizer="whitespace", stem=False)

        def ask(query: Query) -> Sequence[int]:
            found = table.search(" ".join(query.terms), query_type="fts").select(
                ["place", "_score"]
            )
            return [row["place"] for row in found.limit(SHOWN).to_list()]

        return ask
    table.create_index(metric="dot", index_type="IVF_PQ")

    def near(query: Query) -> Sequence[int]:
        found = table.search(query.vector).metric("dot").nprobes(20).refine_factor(10)
        return [row["place"] for row in found.select(["place", "_distance"]).limit(SHOWN).to_list()]

    return near


OPENERS = {
    "numpy": _open_numpy, "usearch": _open_usearch, "bm25s": _open_bm25s,
    "tantivy": _open_tantivy, "LanceDB": _open_lancedb,
}  # fmt: skip


def main() -> None:
    task = json.loads(sys.argv[1])
    folder = Path(task["folder"])
    scratch = folder / f"peer-{task['peer']}-{task['kind']}"
    scratch.mkdir(exist_ok=True)
    started = time.perf_counter()
    try:
        ask = OPENERS[task["peer"]](folder, task["kind"], scratch)
    except ModuleNotFoundError as error:
        print(json.dumps({"missing": error.name}))
        return
    built = time.perf_counter() - started
    answer = _ask(ask, folder, task["kind"])
    disk = sum(file.stat().st_size for file in scratch.rglob("*") if file.is_file())
    print(json.dumps({**answer, "built_s": built, "disk": disk, "bytes": read_peak()}))


def _ask(ask: Ask, folder: Path, kind: str) -> dict[str, Any]:
    queries = read_queries(folder)
    for query in queries[:WARM_UP]:
        ask(query)
    times, found, used = [], [], time.process_time()
    for query in queries[WARM_UP:][:ASKED]:
        started = time.perf_counter()
        found.append(set(ask(query)))
        times.append(1e3 * (time.perf_counter() - started))
    cpu = 1e3 * (time.process_time() - used) / len(times)
    recall = 0.0
    if kind == "dense":
        exact = _open_numpy(folder, kind, folder)
        best = [set(exact(query)) for query in queries[WARM_UP:][:ASKED]]
        recall = sum(len(one & other) for one, other in zip(found, best, strict=True))
        recall /= SHOWN * len(best)
    return {"ms": times, "cpu_ms": cpu, "recall": recall}


if __name__ == "__main__":
    main()
