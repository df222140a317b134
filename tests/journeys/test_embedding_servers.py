"""An ingest whose vectors come from a server: many texts a request, several requests at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from foundry.errors import IndexMissing, ModelError, SpendingLimitReached
from foundry.journeys.ingest import ingest
from foundry.workspace import Workspace, open_workspace
from tests.support.model_server import ModelServer, Request, Status, Vectors

FILES = 6
Open = Callable[..., Workspace]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def open_project(server: ModelServer, tmp_path: Path) -> Open:
    """A project of six small files; keywords are keys of the configuration."""
    (tmp_path / "sources").mkdir()
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_remote}\nmode: online\n")
    for number in range(FILES):
        path = tmp_path / f"sources/{number}.md"
        path.write_text(f"# Part {number}\n\nPart {number} carries {number} V.\n")

    def open_it(**keys: str) -> Workspace:
        values = {
            "FOUNDRY_EMBEDDING__MODEL": "openai/x",
            "FOUNDRY_MODELS__API_BASE__OPENAI": server.openai,
            "FOUNDRY_MODELS__MAX_RETRIES": "0",
            "FOUNDRY_EMBEDDING__BATCH_TEXTS": "2",  # a chunk: its prefix and its text
            "OPENAI_API_KEY": "sk-test",
        }
        variables = values | {f"FOUNDRY_{key.upper()}": value for key, value in keys.items()}
        return open_workspace(tmp_path, environment=variables, cwd=tmp_path)

    return open_it


def list_texts(server: ModelServer) -> list[str]:
    """The texts of chunks that were sent, without the word that measures the dimension."""
    sent = [text for request in server.embeddings for text in request.body["input"]]
    return [text for text in sent if text != "dimension"]


def test_texts_of_several_files_go_in_one_request(server: ModelServer, open_project: Open) -> None:
    with open_project(embedding__batch_texts="64") as workspace:
        assert ingest(workspace).embedded == FILES
    assert len(server.embeddings) == 2  # the dimension, then all texts


def test_chunks_are_read_once_however_small_the_requests_are(
    open_project: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_project(embedding__batch_texts="2") as workspace:
        store, reads = workspace.maintenance(), list[int]()
        read = store.pending_chunks

        def count(*given: Any, **options: Any) -> Any:
            reads.append(options["after"])
            return read(*given, **options)

        monkeypatch.setattr(type(store), "pending_chunks", staticmethod(count))
        assert ingest(workspace).embedded == FILES
    assert len(reads) == 2  # the last finds none


def test_as_many_requests_as_configured_are_made_at_once(
    server: ModelServer, open_project: Open
) -> None:
    together = threading.Barrier(3, timeout=20)

    def answer(request: Request) -> Vectors:
        if request.body["input"] != ["dimension"]:
            together.wait()
        return Vectors()

    server.script(*[answer] * (FILES + 1))
    with open_project(models__max_concurrency="3") as workspace:
        assert ingest(workspace).pending == 0


def test_an_ingest_after_a_failure_sends_only_what_is_missing(
    server: ModelServer, open_project: Open
) -> None:
    server.script(*[Vectors()] * 4, Status(401))
    with open_project(models__max_concurrency="1") as workspace, pytest.raises(ModelError):
        ingest(workspace)
    saved = list_texts(server)[:-2]
    server.requests.clear()
    with open_project() as workspace:
        assert ingest(workspace).pending == 0
    assert len(list_texts(server)) == 2 * FILES - len(saved)
    assert not {*saved} & {*list_texts(server)}


def test_a_spending_limit_stops_the_vectors_and_keeps_those_paid_for(
    server: ModelServer, open_project: Open
) -> None:
    with open_project(spending__tokens_per_day="50") as workspace:
        with pytest.raises(SpendingLimitReached):
            ingest(workspace)
        status = workspace.store.index_status(workspace.embedder.model)
    assert 0 < 2 * status.vectors == len(list_texts(server)) < 2 * FILES


def test_a_server_whose_vectors_have_another_length_later_is_refused(
    server: ModelServer, open_project: Open
) -> None:
    with open_project() as workspace:
        ingest(workspace)
    server.dimension = 32
    with open_project() as workspace, pytest.raises(IndexMissing):
        ingest(workspace)


def test_an_ingest_asks_a_busy_server_again(server: ModelServer, open_project: Open) -> None:
    server.script(Vectors(), Status(503, retry_after=0), Status(429, retry_after=0))
    with open_project(models__max_retries="2", models__max_concurrency="1") as workspace:
        assert ingest(workspace).pending == 0
    assert len(server.embeddings) == 1 + FILES + 2
