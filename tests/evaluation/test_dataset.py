"""``eval dataset``: reading BEIR form, measuring through the real journeys, undefined figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.errors import UsageError
from foundry.evaluation.beir import read_dataset
from foundry.evaluation.dataset import evaluate_dataset, spread_queries
from foundry.evaluation.metrics import measure_gate, measure_rankings

CORPUS = [
    {"_id": "d1", "title": "Fuses", "text": "The input fuse is rated at 3.15 A slow."},
    {"_id": "d2", "title": "Cleaning", "text": "Clean the housing twice a year with a dry cloth."},
    {"_id": "d3", "title": "Storage", "text": "Store the controller between 5 and 40 degrees."},
]
QUERIES = [
    {"id": "q1", "text": "rating of the input fuse", "answerable": True},
    {"id": "q2", "text": "how to clean the housing", "answerable": True},
    {"id": "q3", "text": "who painted the Sistine Chapel", "answerable": False},
]


def write_set(folder: Path, qrels: str = "q1\td1\t1\nq2\td2\t1\n") -> Path:
    folder.mkdir()
    for name, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (folder / f"{name}.jsonl").write_text(lines + "\n")
    (folder / "qrels.tsv").write_text(qrels)
    return folder


def test_a_set_is_measured_in_every_arm_and_at_the_gate(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(write_set(tmp_path / "tiny"), environment=environment).as_dict()
    assert set(report["arms"]) == {"bm25", "dense", "hybrid"}
    assert report["arms"]["hybrid"]["ndcg@10"] == 1.0
    assert report["gate"]["auroc"] == 1.0
    assert report["gate"]["threshold"] == 0.2
    assert (report["documents"], report["queries"]) == (3, 3)


def test_a_second_run_finds_the_project_in_the_cache(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    folder = write_set(tmp_path / "tiny")
    steps: list[str] = []
    evaluate_dataset(folder, arms=("bm25",), environment=environment)
    evaluate_dataset(
        folder, arms=("bm25",), environment=environment, progress=lambda s: steps.append(s.phase)
    )
    assert "embed" not in steps


@pytest.mark.parametrize("header", ["", "query-id\tdoc-id\tscore\n"])
def test_qrels_are_read_with_and_without_a_header(tmp_path: Path, header: str) -> None:
    dataset = read_dataset(write_set(tmp_path / "s", f"{header}q1\td1\t2\n"))
    assert dataset.qrels == {"q1": {"d1": 2}}


def test_qrels_may_lie_in_a_folder(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "s")
    (folder / "qrels.tsv").unlink()
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t1\n")
    assert read_dataset(folder).qrels == {"q1": {"d1": 1}}


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "s")
    (folder / "queries.jsonl").write_text('{"id": "q1", "text": "x"}\n{"id": \n')
    with pytest.raises(UsageError, match="not JSON") as raised:
        read_dataset(folder)
    assert raised.value.where.endswith("queries.jsonl:2")


def test_a_limit_takes_queries_from_all_over_the_file(tmp_path: Path) -> None:
    queries = read_dataset(write_set(tmp_path / "s")).queries
    assert [query.id for query in spread_queries(queries, 2)] == ["q1", "q3"]


def test_a_query_that_finds_nothing_counts_as_zero() -> None:
    figures = measure_rankings({"a": ["d"], "b": []}, {"a": {"d": 1}, "b": {"d": 1}})
    assert figures.ndcg_at_10 == 0.5


def test_what_cannot_be_counted_is_none() -> None:
    assert measure_rankings({"a": ["d"]}, {}).ndcg_at_10 is None
    gate = measure_gate([0.9], [True], [False], 0.2)
    assert (gate.auroc, gate.refusal_precision, gate.refusal_recall) == (None, None, None)
    assert gate.false_refusal_rate == 0.0


def test_equal_scores_separate_nothing() -> None:
    assert measure_gate([0.5, 0.5], [True, False], [False, False], 0.2).auroc == 0.5
