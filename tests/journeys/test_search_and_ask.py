"""Questions over a small bilingual project: what is found, refused, answered and logged."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.craft.question import read_question
from foundry.errors import ConfigError, KeyMissing, ModelError, RuleError, UsageError
from foundry.journeys.ask import ask, explain_gaps
from foundry.journeys.generate import generate
from foundry.journeys.search import search
from foundry.messages import Message, use_language
from foundry.records import Filters
from foundry.render.answer import render_answer
from foundry.wire.answers import AnswerJson
from foundry.workspace import Workspace, open_workspace
from tests.journeys.answers import FUSE, online, quotes_are_in_their_source
from tests.journeys.draft_runs import feature
from tests.support.model_server import Json, ModelServer, Status, Text


def test_a_hit_names_its_deepest_section_and_both_retrievers(asked: Workspace) -> None:
    best = search(asked, FUSE).hits[0]
    assert best.source.path == "sources/datasheet.md"
    assert best.focus.section == "3.1 Supply"
    assert best.dense
    assert best.bm25
    assert 0 <= best.relevance <= 1


def test_a_search_says_which_host_gets_the_key_of_the_embedding_model(
    asked: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = Message("models-key-sent", variable="OPENAI_API_KEY", host="gateway", key="models.bases")
    monkeypatch.setattr("foundry.journeys.search.list_key_hosts", lambda _models, _settings: [sent])
    assert sent in search(asked, FUSE).notices


@pytest.mark.parametrize(
    ("question", "source"),
    [
        (FUSE, "datasheet.md"),
        ("Hoe vaak moet ik de behuizing reinigen?", "onderhoud.md"),
        ("How often must the housing be cleaned?", "onderhoud.md"),
        ("Wat is de servicecode van het display?", "code.txt"),
        ("What is the service code of the display?", "code.txt"),
    ],
)
def test_questions_in_both_languages_and_across_them_are_answered(
    asked: Workspace, question: str, source: str
) -> None:
    answer = ask(asked, question)
    assert (answer.verdict, answer.sentences) == ("passages", ()), answer.reasons
    assert answer.passages[0].evidence.hit.source.path.endswith(source)
    assert quotes_are_in_their_source(asked, answer)


@pytest.mark.parametrize(
    "question",
    [
        "Who painted the ceiling of the Sistine Chapel?",
        "Hoe lang moet ik een ei koken voor een zachte dooier?",
        "What is the boiling point of ethanol?",
    ],
)
def test_what_no_source_covers_is_refused_with_what_to_add(asked: Workspace, question: str) -> None:
    answer = ask(asked, question)
    assert (answer.verdict, answer.sources, answer.text) == ("no_evidence", (), "")
    assert answer.search.gate.uncovered
    assert answer.attribution_coverage is None


def test_without_a_model_nothing_shown_is_called_supported(asked: Workspace) -> None:
    answer = ask(asked, FUSE)
    assert (answer.checks, answer.attribution_coverage, answer.text) == ((), None, "")
    shown = {source.evidence.id for source in answer.sources}
    assert shown == {passage.evidence.id for passage in answer.passages}


def test_as_many_passages_are_shown_as_are_configured(built: Path) -> None:
    environment = {"FOUNDRY_ANSWER__PASSAGES": "1"}
    with open_workspace(built, environment=environment, cwd=built) as workspace:
        assert len(ask(workspace, FUSE).passages) == 1


def test_what_no_source_mentions_is_said_beside_the_passages(asked: Workspace) -> None:
    answer = ask(asked, FUSE)
    gate = replace(answer.search.gate, decision="answer", unmentioned=("MTBF",))
    reasons = explain_gaps(replace(answer.search, gate=gate), ())
    assert [str(reason) for reason in reasons] == ["No source mentions: MTBF."]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Not in these passages: DX-9, 2019."),
        ("nl", "Niet in deze passages: DX-9, 2019."),
    ],
)
def test_names_and_periods_that_no_passage_shown_has_are_said(
    asked: Workspace, language: str, said: str
) -> None:
    answer = ask(asked, FUSE)
    question = read_question("What fuse had the DX-9 in 2019 as its input?", "en")
    gate = replace(answer.search.gate, decision="answer", unmentioned=(), reasons=())
    result = replace(answer.search, question=question, gate=gate)
    with use_language(language):
        assert [*map(str, explain_gaps(result, answer.passages))] == [said]


def test_a_configuration_with_the_former_writer_works_and_says_what_replaced_it(
    built: Path,
) -> None:
    environment = {"FOUNDRY_GENERATION__MODEL": "builtin/extractive"}
    with open_workspace(built, environment=environment, cwd=built) as workspace:
        answer = ask(workspace, FUSE)
    assert (answer.verdict, answer.model) == ("passages", "builtin/passages")
    assert "ask-generator-replaced" in {notice.code for notice in answer.notices}


def test_a_closed_gate_sends_no_request_to_any_model(built: Path, server: ModelServer) -> None:
    with online(built, server) as workspace:
        answer = ask(workspace, "Who painted the ceiling of the Sistine Chapel?")
    assert answer.verdict == "no_evidence"
    assert server.requests == []


def test_a_model_answer_is_cited_and_verified(built: Path, server: ModelServer) -> None:
    said = "The input fuse is rated at 3.15 A slow."
    server.script(Json({"sentences": [{"text": said, "citations": ["S1"]}]}))
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
        assert quotes_are_in_their_source(workspace, answer)
    assert (answer.verdict, answer.text) == (
        "answer",
        "The input fuse is rated at 3.15 A slow. [S1]",
    )
    assert answer.attribution_coverage == 1.0
    assert answer.usage.calls == 1


def test_a_wrong_number_is_removed_and_leaves_the_passages(
    built: Path, server: ModelServer
) -> None:
    said = "The input fuse is rated at 5 A slow."
    server.script(Json({"sentences": [{"text": said, "citations": ["S1"]}]}))
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
    assert (answer.verdict, answer.sentences) == ("passages", ())
    assert answer.reasons[0].code == "ask-model-failed"
    assert "3.15 A slow" in " ".join(quote.text for quote in answer.passages[0].quotes)
    assert "removed" in {change.action for change in answer.changes}
    assert answer.attribution_coverage == 0.0


def test_an_unknown_citation_is_never_shown(built: Path, server: ModelServer) -> None:
    said = "The input fuse is rated at 3.15 A slow."
    server.script(Json({"sentences": [{"text": said, "citations": ["S99"]}]}))
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
    assert "S99" not in answer.text
    assert all(citation != "S99" for s in answer.sentences for citation in s.citations)


def test_a_half_supported_answer_has_low_confidence(built: Path, server: ModelServer) -> None:
    good = {"text": "The input fuse is rated at 3.15 A slow.", "citations": ["S1"]}
    bad = {"text": "It was designed by Marie Dubois in 1987.", "citations": ["S1"]}
    server.script(Json({"sentences": [good, bad]}))
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
    assert answer.verdict == "low_confidence"
    assert answer.attribution_coverage == 0.5
    assert answer.shown_coverage == 1.0
    assert len(answer.sentences) == 1


def test_a_model_refusal_is_no_evidence_without_sources(built: Path, server: ModelServer) -> None:
    server.default = Text("The indexed documentation does not contain this information.")
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
    assert (answer.verdict, answer.sources) == ("no_evidence", ())


def test_a_failing_model_is_an_error_that_is_logged(built: Path, server: ModelServer) -> None:
    server.script(Status(401))
    with online(built, server) as workspace, pytest.raises(ModelError):
        ask(workspace, FUSE)
    with online(built, server) as workspace:
        assert "model_rejected" in (workspace.store.list_queries(1)[0].error or "")


def test_a_missing_key_is_named_before_anything_is_done(built: Path, server: ModelServer) -> None:
    with (
        online(built, server, OPENAI_API_KEY="", OPENAI_API_BASE="") as workspace,
        pytest.raises(KeyMissing, match="OPENAI_API_KEY"),
    ):
        ask(workspace, FUSE)
    assert server.requests == []


def test_both_modes_send_the_same_prompt_for_the_same_hits(
    built: Path, server: ModelServer
) -> None:
    said = {"sentences": [{"text": "The input fuse is rated at 3.15 A slow.", "citations": ["S1"]}]}
    server.script(Json(said), Json(said))
    answers = []
    for mode in ("online", "offline"):
        with online(built, server, FOUNDRY_MODE=mode) as workspace:
            answers.append(ask(workspace, FUSE))
    first, second = (request.body["messages"] for request in server.chats)
    assert first == second
    assert [hit.chunk.id for hit in answers[0].search.hits] == [
        hit.chunk.id for hit in answers[1].search.hits
    ]


def test_a_window_too_small_for_one_passage_is_an_error_before_any_call(
    built: Path, server: ModelServer
) -> None:
    windows = '{"openai/scripted": 2100}'
    with (
        online(built, server, FOUNDRY_MODELS__WINDOWS=windows) as workspace,
        pytest.raises(ConfigError, match="even with one passage"),
    ):
        ask(workspace, FUSE)
    assert server.requests == []


def test_a_brief_that_was_cut_gets_a_notice(built: Path, server: ModelServer) -> None:
    (built / "brief.md").write_text("A lighting controller for theatres. " * 40)
    variables = {"FOUNDRY_PROJECT__BRIEF": "brief.md", "FOUNDRY_PROJECT__BRIEF_MAX_TOKENS": "20"}
    with online(built, server, **variables) as workspace:
        answer = ask(workspace, FUSE)
    assert any("was cut to 20" in str(notice) for notice in [*map(str, answer.notices)])


@pytest.mark.parametrize("question", ["", "   \n", "x" * 100_000])
def test_an_empty_or_endless_question_is_a_usage_error(asked: Workspace, question: str) -> None:
    with pytest.raises(UsageError):
        ask(asked, question)


def test_filters_work_inside_both_retrievers(asked: Workspace) -> None:
    only = Filters(sources=("sources/onderhoud.md",))
    found = search(asked, FUSE, filters=only).hits
    assert {hit.source.path for hit in found} == {"sources/onderhoud.md"}


def test_a_role_above_the_owners_is_refused(built: Path) -> None:
    environment = {"FOUNDRY_ACCESS__ROLE": "internal"}
    with pytest.raises(RuleError, match="above"):
        open_workspace(built, environment=environment, cwd=built, role="secret")


def test_an_answer_is_logged_with_its_chunks_and_verdict(asked: Workspace) -> None:
    answer = ask(asked, FUSE)
    logged = asked.store.list_queries(1)[0]
    assert (logged.query, logged.verdict) == (FUSE, answer.verdict)
    assert logged.chunks[0][0] == answer.search.hits[0].chunk.id


def test_a_redacted_log_has_no_words_of_the_user(built: Path) -> None:
    environment = {"FOUNDRY_LOG__REDACT": "true"}
    with open_workspace(built, environment=environment, cwd=built) as workspace:
        ask(workspace, FUSE)
        logged = workspace.store.list_queries(1)[0]
    assert "fuse" not in f"{logged.query} {logged.answer}"


def test_a_draft_cites_every_sentence(asked: Workspace) -> None:
    draft = generate(asked, "Supply and outputs of the controller")
    sentences = [s for section in draft.sections for s in section.sentences]
    assert sentences
    assert all(sentence.citations and sentence.quotes for sentence in sentences)
    assert draft.attribution_coverage == 1.0


def test_a_draft_on_an_unknown_topic_is_empty(asked: Workspace) -> None:
    draft = generate(asked, "The plot of the Odyssey")
    (section,) = draft.sections
    assert (draft.verdict, section.sentences) == ("no_evidence", ())
    assert section.reason


def test_filters_that_leave_no_source_are_the_reason(asked: Workspace) -> None:
    answer = ask(asked, FUSE, filters=Filters(types=("xlsx",)))
    assert answer.verdict == "no_evidence"
    assert tuple(map(str, answer.reasons)) == ("No source matches the filters.",)


@pytest.fixture
def without_datasheet(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    """The ingested project after its datasheet was deleted."""
    root = shutil.copytree(built, tmp_path / "project")
    (root / "sources" / "datasheet.md").unlink()
    with open_workspace(root, environment={}, cwd=root) as workspace:
        yield workspace


def test_an_answer_says_that_a_sources_file_is_gone(without_datasheet: Workspace) -> None:
    answer = ask(without_datasheet, FUSE)
    source, *_ = AnswerJson.from_record(answer).sources
    assert [notice.code for notice in source.notices] == ["source-file-gone"]
    assert "– file is gone since it was ingested\n" in render_answer(answer)


def test_a_hit_whose_file_is_there_has_no_notice(without_datasheet: Workspace) -> None:
    hits = search(without_datasheet, FUSE).hits
    assert {hit.source.path for hit in hits if hit.notices} == {"sources/datasheet.md"}
    assert any(not hit.notices for hit in hits)


def test_a_draft_names_the_cited_sources_without_a_file(without_datasheet: Workspace) -> None:
    draft = generate(without_datasheet, "The DX-4", feature=feature("Supply"))
    gone = Message("generate-source-gone", path="sources/datasheet.md")
    assert gone in draft.notices
