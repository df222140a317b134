"""``foundry eval dataset`` over a tiny data set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import Run

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
    assert MODELS["eval dataset"].model_validate(outcome.json)
    assert list(outcome.json["arms"]) == ["bm25", "hybrid"]
    assert outcome.json["arms"]["bm25"]["recall@10"] == 1


def test_eval_dataset_shows_a_column_for_each_mode(run: Run, dataset: Path) -> None:
    out = run("eval", "dataset", ".", "--arms", "bm25,hybrid").out
    assert "2 documents" in out
    assert out.splitlines()[1].split() == ["MEASURE", "bm25", "hybrid"]
    (auroc,) = [line for line in out.splitlines() if line.startswith("auroc")]
    assert auroc.split()[1] == "1.0000"


def test_each_figure_has_its_interval_beside_it(run: Run, dataset: Path) -> None:
    (dataset / "qrels.tsv").write_text("q1\td1\t1\nq2\td2\t1\n")
    name, figure, interval = (
        run("eval", "dataset", ".", "--arms", "bm25").out.splitlines()[2].split()
    )
    assert (name, float(figure) > 0) == ("ndcg@10", True)
    assert interval.count("–") == 1


def test_undefined_figures_are_called_so(run: Run, dataset: Path) -> None:
    (dataset / "qrels.tsv").write_text("")
    assert "undefined" in run("eval", "dataset", ".", "--arms", "bm25").out


def test_every_measure_is_shown_on_request(run: Run, dataset: Path) -> None:
    out = run("eval", "dataset", ".", "--arms", "bm25", "-v").out
    assert "precision@5" in out
    assert "precision@5" not in run("eval", "dataset", ".", "--arms", "bm25").out


def test_two_configurations_are_shown_side_by_side(run: Run, dataset: Path) -> None:
    (dataset / "short.yaml").write_text("retrieval: {top_k_bm25: 1}")
    words = ("eval", "dataset", ".", "--arms", "bm25", "--compare", "short.yaml")
    outcome = run(*words, "--json")
    assert MODELS["eval dataset"].model_validate(outcome.json)
    (compared,) = outcome.json["compared"]
    assert compared["config"]["changes"] == {"retrieval.top_k_bm25": "1"}
    assert "short.yaml against default" in run(*words).out


def test_one_configuration_may_take_the_place_of_the_default(run: Run, dataset: Path) -> None:
    (dataset / "strict.yaml").write_text("retrieval: {min_score: 0.9}")
    outcome = run("eval", "dataset", ".", "--arms", "bm25", "--config", "strict.yaml", "--json")
    assert outcome.json["gate"]["threshold"] == 0.9
    assert outcome.json["config"]["name"] == "strict.yaml"


def test_broken_lines_are_reported_and_strict_exits_with_1(run: Run, dataset: Path) -> None:
    with (dataset / "queries.jsonl").open("a") as queries:
        queries.write("\nbroken\n")
    outcome = run("eval", "dataset", ".", "--arms", "bm25")
    assert outcome.status == 0
    assert "queries.jsonl, line 3 was left out" in outcome.err
    assert run("eval", "dataset", ".", "--arms", "bm25", "--strict").status == 1


def test_a_set_of_which_nothing_can_be_measured_is_an_error(run: Run, dataset: Path) -> None:
    (dataset / "queries.jsonl").write_text('{"id": "q9", "text": "unjudged"}')
    outcome = run("eval", "dataset", ".", "--json")
    assert outcome.status == 2
    assert "No query has a judgement" in outcome.json["error"]["message"]


@pytest.mark.parametrize(
    "words", [("nowhere",), (".", "--arms", "bm26"), (".", "--limit", "0"), ()]
)
def test_a_call_that_makes_no_sense_fails_with_a_reason(
    run: Run, dataset: Path, words: tuple[str, ...]
) -> None:
    outcome = run("eval", "dataset", *words, "--json")
    assert outcome.status in (1, 2)
    assert outcome.json["error"]["fix"]
