"""``foundry ingest`` with language models for prefixes and summaries: report, limits, consent."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import PROGRAM, Run
from tests.journeys.enrichment_runs import MODEL, write
from tests.support.model_server import ModelServer, Stall, Status


@pytest.fixture
def server(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A scripted model for both steps of the ingested project."""
    with ModelServer(default=write) as running:
        monkeypatch.setenv("FOUNDRY_EMBEDDING__CONTEXT_MODEL", MODEL)
        monkeypatch.setenv("FOUNDRY_INGEST__SUMMARY_MODEL", MODEL)
        monkeypatch.setenv("FOUNDRY_MODE", "online")
        monkeypatch.setenv("FOUNDRY_MODELS__MAX_RETRIES", "0")
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        monkeypatch.setenv("OPENAI_API_BASE", running.openai)
        monkeypatch.setattr("foundry.journeys.ingest.embed_pending", lambda *_: 0)
        yield running


def test_the_report_says_what_the_models_wrote(run: Run, server: ModelServer) -> None:
    outcome = run("ingest")
    assert outcome.status == 0
    assert "2 prefixes and 2 summaries written: 4 model calls, 72 tokens, $0.00." in outcome.out
    assert "prefixes" not in run("ingest").out


def test_json_contains_estimate_and_usage(run: Run, server: ModelServer) -> None:
    document = run("ingest", "--json").json
    assert MODELS["ingest"].model_validate(document)
    found = document["annotated"]
    assert (found["estimate"]["calls"], found["usage"]["calls"]) == (4, 4)
    assert found["estimate"]["models"] == [MODEL]


def test_without_models_there_is_nothing_to_report(run: Run, project: Path) -> None:
    assert run("ingest", "--json").json["annotated"] is None


def test_above_the_limit_no_model_is_called_without_a_terminal(
    run: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOUNDRY_MODELS__CONFIRM_TOKENS", "10")
    outcome = run("ingest")
    assert (outcome.status, server.chats) == (0, [])
    assert "Note: 2 chunks have no prefix by openai/scripted" in outcome.out
    assert "`foundry ingest --yes`" in outcome.out
    assert run("ingest", "--strict").status == 1


def test_yes_calls_the_models_without_confirmation(
    run: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOUNDRY_MODELS__CONFIRM_TOKENS", "10")
    document = run("ingest", "--yes", "--strict", "--json").json
    assert document["annotated"]["allowed"] is True
    assert document["annotated"]["prefixes"] == 2


@pytest.mark.parametrize(("answer", "calls"), [("y\n", 4), ("n\n", 0), ("\n", 0)])
def test_on_a_terminal_it_asks(
    run: Run,
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    calls: int,
) -> None:
    monkeypatch.setenv("FOUNDRY_MODELS__CONFIRM_TOKENS", "10")
    monkeypatch.setattr("foundry.cli.ingest.is_interactive", lambda: True)
    outcome = run("ingest", text=answer)
    assert len(server.chats) == calls
    assert "would take 4 calls of openai/scripted: about" in outcome.err
    assert "The limits are 10 tokens and $1.00." in outcome.err
    assert "Call the models? [y/N]" in outcome.err


def test_an_unreachable_server_is_a_note_rather_than_an_error(
    run: Run, server: ModelServer
) -> None:
    server.default = Status(503)
    outcome = run("ingest")
    assert outcome.status == 0
    assert "an earlier or built-in one is used" in outcome.out


def test_sources_show_says_who_wrote_the_summary(run: Run, server: ModelServer) -> None:
    run("ingest", "-q")
    document = json.loads(run("sources", "show", "sources/datasheet.md", "--json").out)
    assert document["summary_model"] == MODEL
    assert document["summary"] == "A short summary of the document."


def test_a_killed_ingest_resumes_and_repeats_no_call(
    run: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOUNDRY_MODELS__MAX_CONCURRENCY", "1")
    monkeypatch.setenv("FOUNDRY_MODELS__CACHE", "false")
    server.script(write, Stall())
    with subprocess.Popen([*PROGRAM, "ingest", "-q"], env=dict(os.environ)) as killed:
        until = time.monotonic() + 60
        while len(server.chats) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        killed.kill()
    first, cut_off = [request.prompt for request in server.chats]
    again = run("ingest", "--json")
    later = [request.prompt for request in server.chats[2:]]
    assert first not in later
    assert cut_off in later
    assert again.json["annotated"]["prefixes"] == 1
