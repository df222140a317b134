"""``eval dataset``: measuring through the real journeys, its cache, undefined figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.evaluation.dataset import evaluate_dataset
from foundry.evaluation.dataset.beir import read_dataset
from foundry.evaluation.metrics.ranking import figures_by_query
from foundry.evaluation.metrics.statistics import Interval, measure_gate
from foundry.evaluation.runs.run import spread
from foundry.messages import Message
from foundry.ports import Step
from foundry.workspace import open_workspace

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
    report = evaluate_dataset(write_set(tmp_path / "tiny"), environment=environment)
    assert set(report.measured.runs) == {"bm25", "dense", "hybrid"}
    figures = report.measured.runs["hybrid"].documents.figures
    assert (figures["ndcg@10"], figures["auroc"]) == (1.0, 1.0)
    assert report.measured.threshold == 0.2
    assert (report.documents, len(report.queries)) == (3, 3)


def test_a_second_run_finds_the_project_in_the_cache(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    folder = write_set(tmp_path / "tiny")
    steps: list[str] = []
    evaluate_dataset(folder, modes=("bm25",), environment=environment)
    evaluate_dataset(
        folder, modes=("bm25",), environment=environment, progress=lambda s: steps.append(s.phase)
    )
    assert "embed" not in steps


def test_every_step_has_a_name_for_a_reader(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    folder = write_set(tmp_path / "tiny")
    steps: list[Step] = []
    evaluate_dataset(folder, modes=("bm25",), environment=environment, progress=steps.append)
    names = {str(Message(f"progress-phase-{step.phase}")) for step in steps}
    assert {"read", "ask"} <= names
    assert not any("progress-phase" in name for name in names)


def test_every_mean_has_an_interval_around_it(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    folder = write_set(tmp_path / "tiny", "q1\td1\t1\nq2\td3\t1\n")
    report = evaluate_dataset(folder, modes=("bm25",), environment=environment)
    found = report.measured.runs["bm25"].documents
    assert found.figures["recall@1"] == 0.5
    assert found.intervals["recall@1"] == Interval(0.0, 1.0)
    assert set(found.intervals) >= {"map", "mrr", "precision@5", "recall@20", "ndcg@100"}


def test_a_document_without_text_is_reported_and_cannot_be_found(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "tiny", "q1\td1\t1\nq2\tblank\t1\n")
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write('{"id": "blank", "text": " "}\n')
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(folder, modes=("bm25",), environment=environment)
    assert report.measured.runs["bm25"].documents.figures["recall@10"] == 0.5
    assert report.notices == (Message("eval-set-empty-documents", names="blank"),)


def test_an_interrupted_run_resumes(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    folder = write_set(tmp_path / "tiny")

    def stop(step: Step) -> None:
        if step.phase == "read" and step.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate_dataset(folder, modes=("bm25",), environment=environment, progress=stop)
    report = evaluate_dataset(folder, modes=("bm25",), environment=environment)
    assert report.measured.reused == 2
    assert report.measured.runs["bm25"].documents.figures["recall@10"] == 1.0


def test_a_query_without_judgement_and_label_is_counted_and_not_searched(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "tiny")
    with (folder / "queries.jsonl").open("a") as queries:
        queries.write('{"id": "q4", "text": "what is this"}\n')
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(folder, modes=("bm25",), environment=environment)
    assert [query.id for query in report.queries] == ["q1", "q2", "q3"]
    assert report.counts["not_searched"] == 1
    assert "q4" in " ".join(map(str, report.notices))


def test_a_query_that_cannot_be_asked_is_named_and_counts_in_no_figure(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "tiny", "q1\td1\t1\nlong\td2\t1\n")
    with (folder / "queries.jsonl").open("a") as queries:
        queries.write(json.dumps({"id": "long", "text": "word " * 5000}) + "\n")
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(folder, modes=("bm25",), environment=environment)
    assert report.counts["skipped_lines"] == 1
    assert report.measured.runs["bm25"].documents.figures["recall@10"] == 1.0
    assert any("The question has" in notice for notice in map(str, report.notices))


def test_a_limit_takes_queries_from_all_over_the_file(tmp_path: Path) -> None:
    queries = read_dataset(write_set(tmp_path / "s")).queries
    assert [query.id for query in spread(queries, 2)] == ["q1", "q3"]


def test_a_query_that_finds_nothing_counts_as_zero() -> None:
    figures = figures_by_query({"a": ["d"], "b": []}, {"a": {"d": 1}, "b": {"d": 1}})
    assert [figures[name]["ndcg@10"] for name in "ab"] == [1.0, 0.0]


def test_mrr_at_10_counts_the_first_ten_alone() -> None:
    ranking = [f"d{n}" for n in range(1, 12)]
    figures = figures_by_query({"a": ranking, "b": ranking}, {"a": {"d10": 1}, "b": {"d11": 1}})
    assert [figures[name]["mrr@10"] for name in "ab"] == [0.1, 0.0]
    assert figures["b"]["mrr"] == pytest.approx(1 / 11)


def test_the_queries_are_stored_questions_and_each_mode_a_run(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    folder = write_set(tmp_path / "tiny")
    for _ in range(2):
        report = evaluate_dataset(folder, modes=("bm25", "dense"), environment=environment)
    root = report.measured.folder
    with open_workspace(root, environment=environment, cwd=root) as workspace:
        store = workspace.store.evaluation
        assert {run.name for run in store.list_runs()} == {"default bm25", "default dense"}
        assert len(store.list_runs()) == 2
        assert [question.key for question in store.list_questions()] == [
            "tiny/q1",
            "tiny/q2",
            "tiny/q3",
        ]


def test_what_cannot_be_counted_is_none() -> None:
    assert figures_by_query({"a": ["d"]}, {}) == {}
    gate = measure_gate([0.9], [True], [False])
    assert (gate.auroc, gate.refusal_precision, gate.refusal_recall) == (None, None, None)
    assert gate.false_refusal_rate == 0.0


def test_equal_scores_separate_nothing() -> None:
    assert measure_gate([0.5, 0.5], [True, False], [False, False]).auroc == 0.5
