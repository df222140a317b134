"""Configurations of a data set: what a file changes, what it may not, and how two compare."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import FoundryError
from foundry.evaluation.dataset import DEFAULT, evaluate_dataset, read_config_file
from foundry.messages import Message
from tests.evaluation.test_dataset import write_set


def config(folder: Path, text: str, name: str = "other.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_what_only_changes_search_shares_the_index(tmp_path: Path) -> None:
    read = read_config_file(config(tmp_path, "retrieval: {rrf_k: 10}"))
    assert read.changes == {"retrieval.rrf_k": 10}
    assert read.index_key() == DEFAULT.index_key() == ""


@pytest.mark.parametrize(
    "text", ["ingest: {chunk_tokens: [200, 400]}", "embedding: {context_model: none}"]
)
def test_a_configuration_that_changes_the_index_gets_a_separate_project(
    tmp_path: Path, text: str
) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(
        write_set(tmp_path / "tiny"),
        modes=("bm25",),
        against=[read_config_file(config(tmp_path, text))],
        environment=environment,
    )
    assert report.compared[0].folder != report.measured.folder


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("retrieval: {rrf_q: 10}", "nearest known key is retrieval.rrf_k"),
        ("retrieval: {rrf_k: 0}", "retrieval.rrf_k"),
        ("ingest: {chunk_tokens: [50, 80]}", "chunk_overlap"),
        ("storage: {url: 'sqlite:///x.db'}", "storage cannot be set"),
        ("- a list", "mapping"),
        ("a: [", "not valid YAML"),
    ],
)
def test_a_wrong_configuration_names_its_file(tmp_path: Path, text: str, said: str) -> None:
    path = config(tmp_path, text)
    with pytest.raises(FoundryError, match=said) as raised:
        read_config_file(path)
    assert str(path) in raised.value.where


def test_a_named_configuration_goes_before_the_environment(tmp_path: Path) -> None:
    read = read_config_file(config(tmp_path, "retrieval: {rrf_k: 10}"))
    environment = {
        "FOUNDRY_CACHE_DIR": str(tmp_path / "cache"),
        "FOUNDRY_RETRIEVAL__RRF_K": "99",
        "FOUNDRY_RETRIEVAL__MIN_SCORE": "0.5",
    }
    folder = write_set(tmp_path / "tiny")
    report = evaluate_dataset(folder, modes=("bm25",), config=read, environment=environment)
    used = report.measured.runs["bm25"].run.config
    assert used["retrieval.rrf_k"] == 10
    assert used["retrieval.min_score"] == report.measured.threshold == 0.5
    assert used["retrieval.top_k_bm25"] == 100


def test_the_depth_of_a_configuration_is_used(tmp_path: Path) -> None:
    read = read_config_file(config(tmp_path, "retrieval: {top_k_bm25: 7}"))
    assert read.overrides()["retrieval.top_k_bm25"] == "7"


def test_two_configurations_are_compared_question_by_question(tmp_path: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(
        write_set(tmp_path / "tiny", "q1\td1\t1\nq2\td2\t1\n"),
        modes=("bm25",),
        against=[read_config_file(config(tmp_path, "retrieval: {top_k_bm25: 1}"))],
        environment=environment,
    )
    change = report.compared[0].changes["bm25"]["recall@10"]
    assert (change.difference, change.clear) == (0.0, False)
    assert report.compared[0].reused == 3


def test_keys_without_effect_on_search_are_reported(tmp_path: Path) -> None:
    read = read_config_file(config(tmp_path, "output: {dir: elsewhere}\nretrieval: {rrf_k: 5}"))
    unused = Message("eval-keys-unused", name="other.yaml", keys=["output.dir"])
    assert read.notices() == (unused,)


def test_a_whole_foundry_yaml_may_be_named(tmp_path: Path) -> None:
    text = """
mode: online
ingest: {include: ["*.md"]}
generation: {online: {model: openai/gpt-4o}}
retrieval: {rrf_k: 5}
"""
    environment = {
        "FOUNDRY_CACHE_DIR": str(tmp_path / "cache"),
        "FOUNDRY_GENERATION__MODEL": "openai/gpt-4o",
    }
    folder = write_set(tmp_path / "tiny")
    read = read_config_file(config(tmp_path, text))
    report = evaluate_dataset(folder, modes=("bm25",), config=read, environment=environment)
    assert report.measured.runs["bm25"].run.config["retrieval.rrf_k"] == 5
    assert "ingest.include, generation.online.model" in str(report.notices[0])
