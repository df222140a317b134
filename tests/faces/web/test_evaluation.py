"""Evaluation runs over HTTP."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from foundry.config import Config
from foundry.evaluation.runs.history import flatten_config
from foundry.evaluation.runs.run import REMOTE_KEYS

RUNS = "/api/v2/evaluation/runs/stream"


@pytest.mark.parametrize(
    "key",
    [
        "mode",
        "models.api_base.openai",
        "models.api_base",
        "embedding.model",
        "generation.online.model",
        "generation.online",
        "retrieval",
        "retrieval.reranker",
        "retrieval.hyde_model",
        "validation.verifier",
        "ingest.passwords_from",
        "prompts.answer",
        " mode",
        "mode=online #",
    ],
)
def test_a_caller_chooses_neither_model_nor_host_nor_mode(client: TestClient, key: str) -> None:
    reply = client.post(RUNS, json={"name": "r", "overrides": {key: "online"}})
    assert '"code":"eval-key-not-remote"' in reply.text
    assert "retrieval.top_k" in reply.text
    assert not client.get("/api/v2/evaluation/runs").json()["runs"]


def test_a_caller_may_change_how_is_searched(client: TestClient) -> None:
    reply = client.post(RUNS, json={"name": "r", "overrides": {"retrieval.top_k": "20"}})
    assert '"code":"eval-no-questions"' in reply.text


def test_what_a_caller_may_change_exists_and_is_no_free_text() -> None:
    values = flatten_config(Config())
    choices = {"hybrid", "zscore", "regenerate"}
    texts = {values[key] for key in REMOTE_KEYS if isinstance(values[key], str)}
    assert texts == choices
