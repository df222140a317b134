"""``eval dataset``: measuring through the real journeys, its cache, undefined figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.evaluation.dataset import evaluate_dataset, question_rows, spread_queries
from foundry.evaluation.dataset.beir import read_dataset
from foundry.evaluation.measuring.metrics import measure_gate, measure_rankings
from foundry.ports import Step

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


def test_every_mean_has_an_interval_around_it(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    folder = write_set(tmp_path / "tiny", "q1\td1\t1\nq2\td3\t1\n")
    arm = evaluate_dataset(folder, arms=("bm25",), environment=environment).as_dict()["arms"][
        "bm25"
    ]
    assert arm["recall@1"] == 0.5
    assert arm["intervals"]["recall@1"] == [0.0, 1.0]
    assert set(arm["intervals"]) >= {"map", "mrr", "precision@5", "recall@20", "ndcg@100"}


def test_a_document_without_text_is_told_and_cannot_be_found(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "tiny", "q1\td1\t1\nq2\tblank\t1\n")
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write('{"id": "blank", "text": " "}\n')
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(folder, arms=("bm25",), environment=environment)
    assert report.arms["bm25"].ranking.means["recall@10"] == 0.5
    assert report.notices == ("Documents without text, which cannot be found: 1 (blank).",)


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    folder = write_set(tmp_path / "tiny")

    def stop(step: Step) -> None:
        if step.phase == "read" and step.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate_dataset(folder, arms=("bm25",), environment=environment, progress=stop)
    report = evaluate_dataset(folder, arms=("bm25",), environment=environment)
    assert report.measured.reused == 2
    assert report.arms["bm25"].ranking.means["recall@10"] == 1.0


def test_a_query_without_judgement_and_label_is_counted_and_not_searched(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "tiny")
    with (folder / "queries.jsonl").open("a") as queries:
        queries.write('{"id": "q4", "text": "what is this"}\n')
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(folder, arms=("bm25",), environment=environment)
    assert [query.id for query in report.queries] == ["q1", "q2", "q3"]
    assert report.counts["not_searched"] == 1
    assert "q4" in " ".join(report.notices)


def test_a_query_that_cannot_be_asked_is_an_error_and_counts_in_no_figure(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "tiny", "q1\td1\t1\nlong\td2\t1\n")
    with (folder / "queries.jsonl").open("a") as queries:
        queries.write(json.dumps({"id": "long", "text": "word " * 5000}) + "\n")
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(folder, arms=("bm25",), environment=environment)
    assert report.counts["errors"] == 1
    assert report.arms["bm25"].ranking.means["recall@10"] == 1.0
    assert any("long: The question has" in notice for notice in report.notices)


def test_the_table_of_questions_tells_rank_gate_and_documents(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(write_set(tmp_path / "tiny"), arms=("bm25",), environment=environment)
    first, _, off_topic = question_rows(report)
    assert (first["id"], first["arm"], first["rank"], first["recall@1"]) == ("q1", "bm25", 1, 1.0)
    assert first["documents"][0] == "d1"
    assert (off_topic["rank"], off_topic["recall@1"]) == (None, None)
    assert off_topic["verdict"] == "no_evidence"


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
