"""Context prefixes and summaries by a language model: asked for once, cached, never lost."""

from __future__ import annotations

import shutil
import threading
import zlib
from pathlib import Path

import numpy as np
import pytest

from foundry.errors import KeyMissing
from foundry.journeys.enrichment.writers import (
    BudgetedModel,
    cut_parts,
    estimate_summaries,
    find_limits,
)
from foundry.journeys.ingest import ingest
from foundry.records import Estimate
from foundry.workspace import open_workspace
from tests.journeys.enrichment_runs import (
    MODEL,
    SMALL,
    annotated,
    asked_chunk,
    asked_marks,
    chunks_of,
    every_chunk,
    prefix_requests,
    summary_requests,
    write,
)
from tests.support.model_server import Json, ModelServer, Stall, Status, Text


@pytest.fixture(autouse=True)
def scripted(server: ModelServer) -> None:
    server.default = write


@pytest.fixture
def unembedded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ingests without vectors, which take the most time."""
    monkeypatch.setattr("foundry.journeys.ingest.embed_pending", lambda *_: 0)


def test_every_chunk_gets_a_prefix_and_every_source_a_summary(
    project: Path, server: ModelServer
) -> None:
    with annotated(project, server) as workspace:
        report = ingest(workspace)
        chunks, sources = every_chunk(workspace), workspace.store.list_sources()
        summaries = workspace.store.summaries([source.id for source in sources])
    assert all(chunk.prefix.startswith("About: ") for chunk in chunks)
    assert {(s.model, s.text) for s in summaries.values()} == {
        (MODEL, "A short summary of the document.")
    }
    assert report.annotated
    assert (report.annotated.prefixes, report.annotated.summaries) == (len(chunks), len(sources))
    assert report.notices == ()


def test_prefix_and_text_are_embedded_and_the_text_is_unchanged(
    project: Path, server: ModelServer
) -> None:
    with annotated(project, server) as workspace:
        ingest(workspace)
        chunk = chunks_of(workspace, "sources/code.txt")[0]
        store, model = workspace.maintenance(), workspace.embedder.model
        kept = store.get_vectors(model, [chunk.id])[chunk.id]
        texts = workspace.embedder.embed_passages([chunk.prefix, chunk.content])
        mean = texts.mean(axis=0)
    assert chunk.text == "The service code of the display is 7781."
    assert np.allclose(kept.whole, mean / np.linalg.norm(mean), atol=1e-3)


def test_a_second_ingest_asks_nothing(project: Path, server: ModelServer) -> None:
    with annotated(project, server) as workspace:
        ingest(workspace)
        asked = len(server.chats)
        report = ingest(workspace)
    assert len(server.chats) == asked > 0
    assert report.embedded == 0
    assert report.annotated
    assert report.annotated.estimate == Estimate()


def test_an_ingest_into_an_empty_database_reuses_cached_replies(
    project: Path, server: ModelServer
) -> None:
    with annotated(project, server) as workspace:
        ingest(workspace)
        asked = len(server.chats)
        for source in workspace.store.list_sources():
            workspace.maintenance().remove_source(source.id)
        ingest(workspace)
        chunks = every_chunk(workspace)
    assert len(server.chats) == asked
    assert all(chunk.prefix.startswith("About: ") for chunk in chunks)


def test_only_the_changed_chunks_of_a_changed_source_are_asked_about(
    project: Path, server: ModelServer
) -> None:
    with annotated(project, server, **SMALL) as workspace:
        ingest(workspace)
        before, asked = every_chunk(workspace), len(prefix_requests(server))
        path = project / "sources/datasheet.md"
        path.write_text(path.read_text().replace("44 Hz", "45 Hz"))
        report = ingest(workspace)
        new = [c for c in every_chunk(workspace) if c.id not in {b.id for b in before}]
    [request] = prefix_requests(server)[asked:]
    assert asked_marks(request) == ["C1"]
    assert asked_chunk(request, "C1").split() == new[0].content.split()
    assert (len(before) > 3, report.embedded) == (True, 1)


def test_a_moved_file_asks_nothing(project: Path, server: ModelServer) -> None:
    with annotated(project, server) as workspace:
        ingest(workspace)
        asked = len(server.chats)
        (project / "sources/code.txt").rename(project / "sources/other.txt")
        report = ingest(workspace)
        chunk = chunks_of(workspace, "sources/other.txt")[0]
    assert len(server.chats) == asked
    assert chunk.prefix.startswith("About: ")
    assert report.embedded == 0


def test_an_interrupted_run_resumes_and_asks_nothing_twice(
    project: Path, server: ModelServer
) -> None:
    one = {"FOUNDRY_MODELS__MAX_CONCURRENCY": "1"}
    server.script(write, write, Status(500))
    with annotated(project, server, **one) as workspace:
        ingest(workspace)
        first = [request.prompt for request in server.chats[:2]]
        report = ingest(workspace)
    later = [request.prompt for request in server.chats[3:]]
    assert not set(first) & set(later)
    assert report.annotated
    assert report.annotated.complete


def test_a_killed_run_keeps_what_it_was_given(project: Path, server: ModelServer) -> None:
    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    with annotated(project, server) as workspace, pytest.MonkeyPatch.context() as patch:
        patch.setattr("foundry.journeys.enrichment.run._apply_known", kill)
        with pytest.raises(Killed):
            ingest(workspace)
    asked = len(server.chats)
    with annotated(project, server) as workspace:
        report = ingest(workspace)
        chunks = every_chunk(workspace)
    assert len(server.chats) == asked
    assert report.pending == 0
    assert all(chunk.prefix.startswith("About: ") for chunk in chunks)


def test_a_server_that_is_down_costs_no_text_and_is_asked_in_the_next_run(
    project: Path, server: ModelServer
) -> None:
    server.default = Status(503)
    with annotated(project, server) as workspace:
        report = ingest(workspace)
        assert report.annotated
        assert (report.pending, report.annotated.prefixes_missing) == (0, 3)
        assert any("built-in" in str(notice) for notice in [*map(str, report.notices)])
        assert {c.prefix for c in chunks_of(workspace, "sources/code.txt")} == {"code"}
        server.default = write
        again = ingest(workspace)
        assert again.annotated
        assert again.annotated.complete
        assert again.embedded == 3


def test_a_server_that_is_down_is_not_asked_for_every_batch(
    project: Path, server: ModelServer
) -> None:
    for number in range(20):
        (project / f"sources/more{number}.txt").write_text(f"The code of unit {number} is 77.\n")
    server.default = Status(503)
    with annotated(project, server, FOUNDRY_MODELS__MAX_CONCURRENCY="1") as workspace:
        ingest(workspace)
    assert len(prefix_requests(server)) == 1
    assert len(summary_requests(server)) == 1


def test_nonsense_leaves_the_built_in_prefix_and_a_notice(
    project: Path, server: ModelServer
) -> None:
    server.default = lambda request: Text("no idea") if asked_marks(request) else write(request)
    with annotated(project, server) as workspace:
        report = ingest(workspace)
    assert report.annotated
    assert report.annotated.prefixes_missing == 3
    assert any("3 chunks have no prefix" in str(notice) for notice in [*map(str, report.notices)])
    assert len(prefix_requests(server)) == 6  # the gateway asks once more


def test_chunks_that_a_reply_leaves_out_keep_their_built_in_prefix(
    project: Path, server: ModelServer
) -> None:
    server.default = lambda request: Json(
        {"prefixes": [{"id": "C1", "text": "First."}, {"id": "C99", "text": "Unknown."}]}
    )
    with annotated(project, server, **SMALL) as workspace:
        report = ingest(workspace)
        chunks = chunks_of(workspace, "sources/datasheet.md")
    assert chunks[0].prefix == "First."
    assert chunks[1].prefix.startswith("DX-4 datasheet")
    assert any("had 1 of" in str(notice) for notice in [*map(str, report.notices)])


def test_a_prefix_is_one_clean_line_of_some_100_tokens(project: Path, server: ModelServer) -> None:
    text = "Supply\x1b[31m\n\u202eof the\u200b DX-4. " + "word " * 400
    server.default = lambda request: Json({"prefixes": [{"id": "C1", "text": text}]})
    with annotated(project, server) as workspace:
        ingest(workspace)
        prefix = chunks_of(workspace, "sources/code.txt")[0].prefix
        assert workspace.count_tokens(prefix) <= 100
    assert prefix.startswith("Supply[31m of the DX-4. word")
    assert prefix.isprintable()


def test_several_chunks_of_a_source_share_a_request(project: Path, server: ModelServer) -> None:
    with annotated(project, server, **SMALL) as workspace:
        ingest(workspace)
        chunks = every_chunk(workspace)
    marks = [asked_marks(request) for request in prefix_requests(server)]
    assert sum(map(len, marks)) == len(chunks)
    assert len(marks) == 3


def test_switching_the_model_back_and_forth_asks_nothing_again(
    project: Path, server: ModelServer
) -> None:
    builtin = {"FOUNDRY_EMBEDDING__CONTEXT_MODEL": "builtin/headings"}
    with annotated(project, server) as workspace:
        ingest(workspace)
    asked = len(server.chats)
    with annotated(project, server, **builtin) as workspace:
        ingest(workspace)
        assert chunks_of(workspace, "sources/code.txt")[0].prefix == "code"
    with annotated(project, server) as workspace:
        ingest(workspace)
        assert chunks_of(workspace, "sources/code.txt")[0].prefix.startswith("About: ")
    assert len(server.chats) == asked


def test_another_context_model_reads_no_file_again(project: Path, server: ModelServer) -> None:
    with open_workspace(project, environment={}, cwd=project) as workspace:
        ingest(workspace)
    with annotated(project, server) as workspace:
        report = ingest(workspace)
    assert {file.status for file in report.files} == {"unchanged"}
    assert report.embedded == 3


def test_no_prefix_is_embedded_if_none_is_configured(project: Path, server: ModelServer) -> None:
    with annotated(project, server, FOUNDRY_EMBEDDING__CONTEXT_MODEL="none") as workspace:
        ingest(workspace)
        assert {chunk.prefix for chunk in every_chunk(workspace)} == {""}
    assert prefix_requests(server) == []


def test_another_template_writes_new_prefixes(project: Path, server: ModelServer) -> None:
    with annotated(project, server) as workspace:
        ingest(workspace)
    asked = len(prefix_requests(server))
    (project / "own.md").write_text("In {language}:\n\n{document}\n\n{chunks}\n")
    with (project / "foundry.yaml").open("a") as config:
        config.write("prompts: {prefixes: own.md}\n")
    with annotated(project, server) as workspace:
        ingest(workspace)
    assert len(prefix_requests(server)) == 2 * asked
    assert prefix_requests(server)[-1].prompt.startswith("In ")


@pytest.mark.usefixtures("unembedded")
def test_a_document_longer_than_the_window_is_summarised_in_parts(
    project: Path, server: ModelServer
) -> None:
    lines = "".join(f"Unit {n} draws {n} mA from the supply.\n\n" for n in range(400))
    (project / "sources/long.txt").write_text(lines)
    window = {"FOUNDRY_MODELS__WINDOWS": '{"openai/scripted": 4096}'}
    with annotated(project, server, **window) as workspace:
        ingest(workspace)
        source = workspace.store.find_source("sources/long.txt")
        assert source
        assert workspace.store.summaries([source.id])[source.id].model == MODEL
        longest = max(workspace.count_tokens(r.prompt) for r in server.chats)
    held = "\n".join(request.prompt for request in summary_requests(server))
    assert all(f"Unit {n} draws" in held for n in range(400))
    assert longest < 4096 / 1.25


def test_a_summary_keeps_within_its_tokens(project: Path, server: ModelServer) -> None:
    server.default = lambda request: Text("<think>Hm.</think>" + "One plain sentence. " * 300)
    with annotated(project, server, FOUNDRY_INGEST__SUMMARY_MAX_TOKENS="50") as workspace:
        ingest(workspace)
        [source, *_] = workspace.store.list_sources()
        summary = workspace.store.summaries([source.id])[source.id].text
        assert workspace.count_tokens(summary) <= 50
    assert summary.startswith("One plain sentence.")
    assert summary.endswith("sentence.")


def test_an_empty_summary_leaves_the_extractive_one(project: Path, server: ModelServer) -> None:
    server.default = lambda request: write(request) if asked_marks(request) else Text(" \x00 ")
    with annotated(project, server) as workspace:
        report = ingest(workspace)
        [source, *_] = workspace.store.list_sources()
        summary = workspace.store.summaries([source.id])[source.id]
    assert summary.model == "builtin/extractive"
    assert any("3 sources have no summary" in str(notice) for notice in [*map(str, report.notices)])


def test_above_the_limit_the_caller_is_asked(project: Path, server: ModelServer) -> None:
    seen: list[Estimate] = []

    def confirm(estimate: Estimate) -> bool:
        seen.append(estimate)
        return True

    with annotated(project, server, FOUNDRY_MODELS__CONFIRM_TOKENS="10") as workspace:
        report = ingest(workspace, confirm=confirm)
    [estimate] = seen
    assert (estimate.calls, estimate.models) == (6, (MODEL,))
    assert estimate.tokens > 10
    assert report.annotated
    assert report.annotated.complete


def test_without_consent_nothing_is_asked_and_nothing_is_lost(
    project: Path, server: ModelServer
) -> None:
    with annotated(project, server, FOUNDRY_MODELS__CONFIRM_TOKENS="10") as workspace:
        report = ingest(workspace)
    assert server.chats == []
    assert report.pending == 0
    assert report.annotated
    assert not report.annotated.allowed
    assert any("--yes" in str(notice) for notice in [*map(str, report.notices)])


def test_above_the_cost_limit_the_caller_is_asked_too(
    project: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.journeys.enrichment.run.estimate_cost", lambda *_: 0.6)
    seen: list[float | None] = []

    def confirm(estimate: Estimate) -> bool:
        seen.append(estimate.cost)
        return False

    with annotated(project, server) as workspace:
        ingest(workspace, confirm=confirm)
    assert seen == [1.2]
    assert server.chats == []


@pytest.mark.usefixtures("unembedded")
def test_the_estimate_is_near_what_is_sent(project: Path, server: ModelServer) -> None:
    for name in ("a", "b"):
        text = "".join(f"## {n} Part\n\nUnit {n} of {name} draws {n} mA.\n\n" for n in range(300))
        (project / f"sources/{name}.md").write_text(text)
    # Equal summaries of parts would be one text, which is asked about once.
    server.default = lambda request: (
        write(request)
        if asked_marks(request)
        else Text(f"Summary {zlib.crc32(request.prompt.encode())}.")
    )
    with annotated(project, server) as workspace:
        report = ingest(workspace)
        sent = sum(workspace.count_tokens(request.prompt) for request in server.chats)
    assert report.annotated
    assert report.annotated.estimate.calls == len(server.chats)
    assert 0.8 * sent < report.annotated.estimate.prompt_tokens < 1.6 * sent


def test_the_report_counts_calls_and_tokens(project: Path, server: ModelServer) -> None:
    with annotated(project, server) as workspace:
        report = ingest(workspace)
    assert report.annotated
    usage = report.annotated.usage
    assert (usage.calls, usage.prompt_tokens) == (len(server.chats), 11 * len(server.chats))


def test_a_refused_request_costs_that_request_only(project: Path, server: ModelServer) -> None:
    server.script(Status(400, "content policy"))
    with annotated(project, server, FOUNDRY_MODELS__MAX_CONCURRENCY="1") as workspace:
        report = ingest(workspace)
    assert report.annotated
    assert (report.annotated.prefixes, report.annotated.prefixes_missing) == (2, 1)


def test_a_missing_key_is_reported_before_any_work(project: Path, server: ModelServer) -> None:
    with annotated(project, server, OPENAI_API_KEY="", OPENAI_API_BASE="") as workspace:
        with pytest.raises(KeyMissing):
            ingest(workspace)
        assert workspace.store.list_sources() == []


def test_a_window_too_small_for_anything_is_reported(project: Path, server: ModelServer) -> None:
    window = {"FOUNDRY_MODELS__WINDOWS": '{"openai/scripted": 256}'}
    with annotated(project, server, **window) as workspace:
        report = ingest(workspace)
    assert server.chats == []
    assert sum("window of 256 tokens" in str(notice) for notice in [*map(str, report.notices)]) == 2


def test_a_stalling_server_is_abandoned_and_the_text_is_saved(
    project: Path, server: ModelServer
) -> None:
    server.default = Stall()
    with annotated(project, server, FOUNDRY_MODELS__TIMEOUT_S="0.2") as workspace:
        report = ingest(workspace)
    assert report.pending == 0
    assert any("No further requests" in str(notice) for notice in [*map(str, report.notices)])


def test_calls_run_at_the_same_time_and_no_more_than_allowed(
    project: Path, server: ModelServer
) -> None:
    for number in range(6):
        (project / f"sources/more{number}.txt").write_text(f"The code of unit {number} is 77.\n")
    running, most, lock = 0, 0, threading.Lock()
    both = threading.Barrier(2, timeout=10)

    def slow(request: object) -> object:
        nonlocal running, most
        with lock:
            running, most = running + 1, max(most, running + 1)
        if len(server.requests) <= 2:
            both.wait()
        with lock:
            running -= 1
        return write(request)  # type: ignore[arg-type]

    server.default = slow  # type: ignore[assignment]
    with annotated(project, server, FOUNDRY_MODELS__MAX_CONCURRENCY="2") as workspace:
        ingest(workspace)
    assert most == 2


def test_a_copy_of_a_project_resumes_without_asking(
    project: Path, server: ModelServer, tmp_path: Path
) -> None:
    with annotated(project, server) as workspace:
        ingest(workspace)
    asked = len(server.chats)
    shutil.copytree(project, tmp_path / "copy")
    with annotated(tmp_path / "copy", server) as workspace:
        ingest(workspace)
    assert len(server.chats) == asked


def test_two_summaries_fit_into_a_request_of_every_model_that_is_asked(
    project: Path, server: ModelServer
) -> None:
    found = []
    for window in range(1000, 6000, 40):
        windows = {"FOUNDRY_MODELS__WINDOWS": f'{{"openai/scripted": {window}}}'}
        with annotated(project, server, **windows) as workspace:
            assert workspace.summary_model
            found.append(find_limits(workspace, BudgetedModel(workspace.summary_model)))
    limits = [one for one in found if one]
    assert limits
    assert all(int(2 * one.summary * 1.1) <= one.text for one in limits)
    assert estimate_summaries([10_000], limits[0]).calls < 100


def test_a_line_longer_than_a_request_is_counted_in_pieces() -> None:
    counted: list[int] = []

    def count(text: str) -> int:
        counted.append(len(text))
        return len(text) // 4 + 1

    line = "word " * 20_000
    parts = cut_parts(line, 100, count)
    assert "".join(parts).replace("\n", "") == line
    assert max(counted) < 2000
