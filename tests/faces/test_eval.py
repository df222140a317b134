"""``foundry eval dataset`` over a tiny data set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.cli.shapes import SHAPES
from tests.faces.conftest import Run
from tests.faces.shapes import differences

DOCUMENTS = {
    "d1": "The input fuse of the controller is rated at 3.15 A.",
    "d2": "Clean the housing every six months with a dry cloth.",
}
QUERIES = [
    {"id": "q1", "text": "What is the rating of the input fuse?", "answerable": True},
    {"id": "q2", "text": "Who won the football world cup?", "answerable": False},
]


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOUNDRY_CACHE_DIR", str(tmp_path / "cache"))
    corpus = [{"_id": key, "title": "", "text": text} for key, text in DOCUMENTS.items()]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, QUERIES)))
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    return tmp_path


def test_eval_dataset_prints_the_documented_json(run: Run, dataset: Path) -> None:
    outcome = run("eval", "dataset", ".", "--arms", "hybrid,bm25", "--json")
    assert outcome.status == 0
    assert differences(outcome.json, SHAPES["eval dataset"]) == []
    assert list(outcome.json["arms"]) == ["bm25", "hybrid"]
    assert outcome.json["arms"]["bm25"]["recall@10"] == 1


def test_eval_dataset_shows_a_table_of_arms(run: Run, dataset: Path) -> None:
    out = run("eval", "dataset", ".", "--arms", "bm25").out
    assert "2 documents" in out
    assert out.splitlines()[1].split()[:2] == ["ARM", "ndcg@10"]


@pytest.mark.parametrize(
    "words", [("nowhere",), (".", "--arms", "bm26"), (".", "--limit", "0"), ()]
)
def test_a_call_that_makes_no_sense_fails_with_a_reason(
    run: Run, dataset: Path, words: tuple[str, ...]
) -> None:
    outcome = run("eval", "dataset", *words, "--json")
    assert outcome.status in (1, 2)
    assert outcome.json["error"]["fix"]
