"""``foundry models``: the table, the exit status, and the same from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.api import build_json, open_project
from tests.faces.conftest import Run
from tests.journeys.test_fitness import answer_well
from tests.support.local_servers import NO_SERVERS, make_lm_studio, serve
from tests.support.model_server import ModelServer, Status

ONLINE = {"FOUNDRY_MODE": "online", "FOUNDRY_GENERATION__MODEL": "openai/scripted",
          "FOUNDRY_MODELS__MAX_RETRIES": "0", "OPENAI_API_KEY": "test"}  # fmt: skip


def call(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    for name, value in {**ONLINE, "OPENAI_API_BASE": server.openai}.items():
        monkeypatch.setenv(name, value)


def test_the_built_in_models_are_listed(run: Run, ingested: Path) -> None:
    outcome = run("models", "--project", str(ingested))
    assert outcome.status == 0
    assert "builtin/multilingual-e5-small" in outcome.out
    assert "free: local" in outcome.out


def test_a_server_on_this_machine_is_listed_with_its_models(
    run: Run, ingested: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(make_lm_studio({"id": "q-7b", "max_context_length": 4096})) as address:
        monkeypatch.setenv("LM_STUDIO_API_BASE", f"{address}/v1")
        outcome = run("models", "--project", str(ingested))
    assert f"LM Studio at {address}/v1: q-7b (4,096 tokens)" in outcome.out


def test_a_check_of_fit_models_ends_with_0(
    run: Run, ingested: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(default=answer_well) as server:
        call(monkeypatch, server)
        outcome = run("models", "--check", "--json", "--project", str(ingested))
    assert outcome.status == 0, outcome.out
    assert (outcome.json["fit"], outcome.json["writer"]["fit"]) == (True, True)


def test_a_check_of_unfit_models_ends_with_1_and_says_why(
    run: Run, ingested: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(default=Status(500)) as server:
        call(monkeypatch, server)
        outcome = run("models", "--check", "--language", "nl", "--project", str(ingested))
    assert outcome.status == 1
    assert "is niet geschikt om te schrijven" in outcome.out


def test_the_report_is_also_a_method_of_the_project(ingested: Path) -> None:
    with open_project(ingested, environment=NO_SERVERS) as project:
        document = build_json(project.models())
    assert document["steps"][0]["key"] == "generation.offline.model"
    assert document["fit"] is None
