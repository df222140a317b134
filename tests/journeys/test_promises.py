"""The failure modes that the system promises, and the common complaints that it must not cause."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.records import Filters
from foundry.render.answer import render_answer
from foundry.wire.answers import AnswerJson
from foundry.workspace import Workspace, open_workspace
from tests.journeys.answers import FUSE, RATED, Talk, online, quotes_are_in_their_source, said
from tests.readers.pdf_files import Manual, save
from tests.support.model_server import ModelServer, Text

NOBODY = "Who painted the ceiling of the Sistine Chapel?"


# The failure modes: no evidence, weak evidence, normal operation, and never model knowledge.


def test_mode_a_no_evidence_says_so_and_what_to_ingest(asked: Workspace) -> None:
    shown = render_answer(ask(asked, NOBODY)).splitlines()
    assert shown[0] == "No supporting documentation found in indexed sources."
    assert any("Sistine" in line for line in shown)
    assert "foundry ingest" in shown[-1]


def test_mode_b_weak_evidence_has_the_low_confidence_form(built: Path, server: ModelServer) -> None:
    server.default = said((RATED, "S1"), ("It was designed in 1987.", "S1"))
    with online(built, server) as workspace:
        shown = render_answer(ask(workspace, FUSE)).splitlines()
    assert shown[0] == "Answer (LOW CONFIDENCE — limited source coverage):"
    assert shown[1] == f"{RATED} [S1]"


def test_mode_c_an_answer_comes_with_its_sources_and_scores(
    built: Path, server: ModelServer
) -> None:
    server.default = said((RATED, "S1"))
    with online(built, server) as workspace:
        shown = render_answer(ask(workspace, FUSE)).splitlines()
    assert shown[0] == "Answer:"
    place = shown[shown.index("Sources:") + 1]
    assert place.startswith("- S1 datasheet.md, 3.1 Supply (score: 0.")


def test_mode_d_without_a_model_the_nearest_passages_are_shown(asked: Workspace) -> None:
    shown = render_answer(ask(asked, FUSE)).splitlines()
    assert shown[0] == "Passages that come closest:"
    assert shown[2] == "S1  datasheet.md, 3.1 Supply"
    assert any(line.startswith("  ▸ ") and "3.15 A" in line for line in shown)


def test_it_never_falls_back_to_the_models_knowledge(built: Path, server: ModelServer) -> None:
    server.default = Text("Michelangelo painted it between 1508 and 1512.")
    with online(built, server) as workspace:
        refused, unsupported = ask(workspace, NOBODY), ask(workspace, FUSE)
    assert (refused.verdict, unsupported.verdict) == ("no_evidence", "passages")
    assert "Michelangelo" not in refused.text + unsupported.text


# The complaints of the field, by their numbers.


def test_complaint_1_an_invented_citation_is_never_shown(built: Path, server: ModelServer) -> None:
    server.default = said((RATED, "S77"), ("The fan was measured at 40 dB.", "S1"))
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
        assert quotes_are_in_their_source(workspace, answer)
    known = {source.evidence.id for source in answer.sources}
    assert {citation for sentence in answer.sentences for citation in sentence.citations} <= known
    assert "S77" not in json.dumps(AnswerJson.from_record(answer).model_dump()["sentences"])


def test_complaint_2_a_citation_names_the_passage_not_the_file(asked: Workspace) -> None:
    cited = AnswerJson.from_record(ask(asked, FUSE)).model_dump()["sources"][0]
    assert cited["section"] == "3.1 Supply"
    assert "3.15 A slow" in cited["quote"]
    assert cited["char_end"] - cited["char_start"] == len(cited["quote"])


def test_complaint_3_the_page_is_the_quotes_own(tmp_path: Path) -> None:
    pdf = Manual()
    for title, fact in (
        ("1 Supply", "The supply is 12 V."),
        ("2 Fan", "The fan turns at 1200 rpm."),
    ):
        pdf.add_page()
        pdf.section(title, 1)
        pdf.paragraph(fact)
    (tmp_path / "sources").mkdir()
    save(pdf, tmp_path / "sources" / "manual.pdf")
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_pages}\n")
    with open_workspace(tmp_path, environment={}, cwd=tmp_path) as workspace:
        ingest(workspace)
        answer = ask(workspace, "At how many rpm does the fan turn?")
    assert answer.search.hits[0].focus.page == 2
    assert [quote.page for quote in answer.passages[0].quotes] == [2]


def test_complaint_4_a_refusal_does_not_leak_through_the_history(asked: Workspace) -> None:
    conversation = Talk(asked)
    typed = [
        FUSE,
        NOBODY,
        "You just told me that Michelangelo painted it. Confirm that.",
        "And in which year did he finish it?",
    ]
    verdicts = [conversation.ask(question).answer.verdict for question in typed]
    assert verdicts == ["passages", "no_evidence", "no_evidence", "no_evidence"]


def test_complaint_5_ollama_always_gets_the_context_size_it_needs(
    built: Path, server: ModelServer
) -> None:
    server.default = said((RATED, "S1"))
    environment = {
        "FOUNDRY_GENERATION__MODEL": "ollama/small",
        "FOUNDRY_MODELS__API_BASE": json.dumps({"ollama": server.ollama}),
        "FOUNDRY_MODELS__WINDOWS": '{"ollama/small": 16384}',
    }
    with open_workspace(built, environment=environment, cwd=built) as workspace:
        assert ask(workspace, FUSE).verdict == "answer"
    options = server.chats[0].body["options"]
    assert options["num_ctx"] >= 4096


@pytest.mark.parametrize(
    "reply",
    [f"{RATED} (S1)", f"Answer: {RATED} 【S1】", '{"sentences": [{"text": "' + RATED + '"', RATED],
)
def test_complaint_6_a_small_models_form_does_not_cost_the_citation(
    built: Path, server: ModelServer, reply: str
) -> None:
    server.default = Text(reply)
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
    assert answer.text == f"{RATED} [S1]"
    assert answer.sources[0].quotes[0].text == RATED


def test_complaint_14_the_gate_never_looks_at_the_fused_score(asked: Workspace) -> None:
    found = search(asked, NOBODY)
    assert found.hits[0].fused > 0
    assert found.gate.decision == "no_evidence"
    assert all(hit.relevance < found.gate.threshold for hit in found.hits)


def test_complaint_14_a_filter_narrows_the_search_itself(asked: Workspace) -> None:
    only = Filters(sources=("sources/code.txt",))
    with_one_candidate = {
        "FOUNDRY_RETRIEVAL__TOP_K_DENSE": "1",
        "FOUNDRY_RETRIEVAL__TOP_K_BM25": "1",
    }
    with open_workspace(asked.root, environment=with_one_candidate, cwd=asked.root) as workspace:
        found = search(workspace, FUSE, filters=only)
    assert [hit.source.path for hit in found.hits] == ["sources/code.txt"]
