"""Retrieval and gate figures on real data sets, beside ``bm25s`` on the same terms, in one run."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import bm25s

from foundry.analysis import analyse, detect_language, query_terms
from foundry.evaluation.beir import Dataset, read_dataset
from foundry.evaluation.dataset import evaluate_dataset, spread_queries
from foundry.evaluation.metrics import measure_rankings


@dataclass(frozen=True)
class Run:
    name: str
    title: str = "index"
    keep_documents: bool = False
    limit: int | None = None
    documents: int | None = None


RUNS = (
    Run("nl_algoritmekader", title="ignore"),
    Run("cosqa_dev", keep_documents=True, documents=1500),
    Run("anthropic_docs"),
    Run("scifact_train", keep_documents=True, limit=300, documents=1300),
    Run("clapnq", keep_documents=True),
    Run("squad2_half", keep_documents=True, limit=1500),
)


def measure(data: Path | None, names: tuple[str, ...] = ()) -> Iterator[str]:
    if data is None:
        yield "Left out: give --data DIR."
        return
    yield "| set | arm | nDCG@10 | recall@10 | recall@100 | MRR@10 | p50 ms | p95 ms |"
    yield "|---|---|---|---|---|---|---|---|"
    gates = []
    for run in RUNS:
        if names and run.name not in names:
            continue
        folder = _sampled(data / run.name, run)
        report = evaluate_dataset(
            folder,
            keep_documents=run.keep_documents,
            title="ignore" if run.title == "ignore" else "index",
            limit=run.limit,
            environment=os.environ,
        ).as_dict()
        yield _reference(read_dataset(folder), run)
        for arm, row in report["arms"].items():
            cells = " | ".join(f"{row[k]}" for k in row)
            yield f"| {run.name} ({report['queries']} q) | {arm} | {cells} |"
        if report["gate"]:
            gates.append((run.name, report["gate"]))
    yield ""
    yield "| set | gate AUROC | refusal precision | refusal recall | false refusals | threshold |"
    yield "|---|---|---|---|---|---|"
    for name, gate in gates:
        yield f"| {name} | " + " | ".join(str(value) for value in gate.values()) + " |"


def _sampled(folder: Path, run: Run) -> Path:
    """The set itself, or ``documents`` of it: those its ``limit`` queries need, and drawn others."""
    if run.documents is None:
        return folder
    dataset = read_dataset(folder)
    queries = spread_queries(dataset.queries, run.limit)
    gold = {d for q in queries for d in dataset.qrels.get(q.id, {})}
    others = [d for d in dataset.documents if d.id not in gold]
    drawn = {d.id for d in random.Random(0).sample(others, max(0, run.documents - len(gold)))}
    kept = [asdict(d) for d in dataset.documents if d.id in gold | drawn]
    target = Path(tempfile.gettempdir()) / f"{run.name}-{run.documents}"
    target.mkdir(exist_ok=True)
    for name, rows in (("corpus", kept), ("queries", [asdict(q) for q in queries])):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (target / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    judged = [
        f"{q.id}\t{d}\t{r}\n" for q in queries for d, r in dataset.qrels.get(q.id, {}).items()
    ]
    (target / "qrels.tsv").write_text("".join(judged), encoding="utf-8")
    return target


def _reference(dataset: Dataset, run: Run) -> str:
    """``bm25s`` over whole documents with the product's terms."""
    texts = [
        f"{document.title}\n{document.text}" if run.title == "index" else document.text
        for document in dataset.documents
    ]
    languages = {detect_language(text) for text in texts}
    corpus = [analyse(text, detect_language(text)) for text in texts]
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(corpus, show_progress=False)
    rankings = {}
    for query in spread_queries(dataset.queries, run.limit):
        words = query_terms(query.text, languages)
        terms = list(dict.fromkeys(term for word in words for term in word.terms))
        depth = min(100, len(texts))
        found, scores = index.retrieve([terms], k=depth, show_progress=False)
        rankings[query.id] = [
            dataset.documents[int(place)].id
            for place, score in zip(found[0], scores[0], strict=True)
            if score > 0
        ]
    figures = measure_rankings(rankings, dataset.qrels)
    cells = " | ".join(
        f"{value:.4f}" if value is not None else "-"
        for value in (
            figures.ndcg_at_10,
            figures.recall_at_10,
            figures.recall_at_100,
            figures.mrr_at_10,
        )
    )
    return f"| {run.name} | bm25s | {cells} | - | - |"
