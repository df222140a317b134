"""Drafted questions: each has a valid place that contains its answer."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foundry.errors import ModelError, UsageError
from foundry.evaluation.questions import DraftReport, accept_questions, draft_questions
from foundry.journeys.ingest import ingest
from foundry.messages import Message
from foundry.records import EvalQuestion
from foundry.workspace import Workspace, open_workspace
from tests.evaluation.question_sources import HANDLEIDING, A, B, make_project
from tests.journeys.answers import online
from tests.support.model_server import Json, ModelServer, Request, Status, Text


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("drafting") / "project")


@pytest.fixture
def project(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "project"))


@pytest.fixture
def workspace(project: Path) -> Iterator[Workspace]:
    with open_workspace(project, environment={}, cwd=project) as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def texts(drafts: DraftReport) -> list[str]:
    return [question.text for question in drafts.questions]


def words_at(workspace: Workspace, question: EvalQuestion) -> list[str]:
    """The words at the question's spans, source by source."""
    held = []
    for place in question.expected:
        source = workspace.store.find_source(place.source)
        assert source is not None
        held += [workspace.store.source_text(source.id)[slice(*span)] for span in place.spans]
    return held


def test_tables_and_headings_become_questions_in_their_language(workspace: Workspace) -> None:
    drafted = {question.text: question.answers for question in draft_questions(workspace).questions}
    assert drafted['Wat staat er onder "Betekenis" bij "E05"?'] == ("Temperatuur te hoog",)
    assert drafted['What is listed under "Min" for "Break time"?'] == ("92 µs",)
    assert drafted['Wat zegt "DX-4 - Handleiding" over "Zekering vervangen"?'] == ()


def test_every_answer_is_at_its_place_and_awaits_review(workspace: Workspace) -> None:
    drafts = draft_questions(workspace, unanswerable=0)
    for question in drafts.questions:
        number = question.answers[0].split()[0] if question.answers else ""
        assert all(number in words for words in words_at(workspace, question))
        assert (question.reviewed, question.origin, question.answerable) == (False, "drafted", True)
    assert len(drafts.questions) >= 5


def test_what_sources_answer_alike_is_one_question_and_what_differs_names_them(
    workspace: Workspace,
) -> None:
    asked = 'What is listed under "Min" for "Break time"?'
    alike = next(
        question for question in draft_questions(workspace).questions if question.text == asked
    )
    assert [place.source for place in alike.expected] == [A, B]
    sheet = workspace.root / A
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("| 92 |", "| 90 |"), "utf-8")
    from_a = draft_questions(reingested(workspace), set_name="again", unanswerable=0)
    questions = sorted(text for text in texts(from_a) if "Break time" in text)
    assert questions == [f"{asked} (DX-4 - Data sheet, Rev. {revision})" for revision in "AB"]


def reingested(workspace: Workspace) -> Workspace:
    ingest(workspace)
    return workspace


def test_drafting_is_spread_over_the_sources_and_repeatable(workspace: Workspace) -> None:
    first = draft_questions(workspace, number=3)
    assert {question.expected[0].source for question in first.questions} == {A, B, HANDLEIDING}
    again = draft_questions(workspace, number=3)
    assert (again.questions, list(again.kept)) == (
        (),
        [question.key for question in first.questions],
    )


def test_a_question_that_was_accepted_is_not_drafted_over(workspace: Workspace) -> None:
    key = draft_questions(workspace, number=1).questions[0].key
    accept_questions(workspace, [key])
    assert draft_questions(workspace, number=1).kept == (key,)
    stored = workspace.store.evaluation.list_questions("drafted")
    assert [question.reviewed for question in stored] == [True]


def test_questions_without_an_answer_ask_of_what_no_source_names(workspace: Workspace) -> None:
    drafts = draft_questions(workspace, number=0, unanswerable=3)
    corpus = " ".join(
        workspace.store.source_text(source.id) for source in workspace.store.list_sources()
    )
    assert texts(drafts)[0] == 'Wat staat er onder "Betekenis" bij "E02"?'
    assert [name for name in ("E02", "E06", "DX-5") if name in corpus] == []
    assert [question.answerable for question in drafts.questions] == [False] * 3


def test_a_quarter_more_is_unanswerable_by_default(workspace: Workspace) -> None:
    drafts = draft_questions(workspace, number=4)
    assert [question.answerable for question in drafts.questions] == [True] * 4 + [False]
    assert drafts.notices == (Message("eval-draft-no-model"),)


def test_a_passage_without_a_question_is_reported_with_the_reason(workspace: Workspace) -> None:
    drafts = draft_questions(workspace, number=50)
    spoken = next(item for item in drafts.skipped if item.source == "sources/call.vtt")
    assert "no table or section" in str(spoken.reason)
    assert [notice for notice in map(str, drafts.notices) if "of the 50 questions" in notice]


def test_an_unknown_source_to_draft_from_is_an_error(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="'nope' is not in this project"):
        draft_questions(workspace, sources=["nope"])
    only = draft_questions(workspace, sources=["handleiding.md"], unanswerable=0)
    assert {question.expected[0].source for question in only.questions} == {HANDLEIDING}


TABLE = """# Parts

## List of parts

| Part | Price | Note |
|---|---|---|
| U3 | 3.36 | - |
| 4 | 2.10 | spare |
| Heat sink | 1.20 | see drawing |
| Heat sink | 1.40 | see drawing |

## Introduction

Ann wrote this list.

## Storage and care

Keep the parts dry.
"""


def test_rows_without_a_name_and_headings_without_a_subject_are_passed_over(
    workspace: Workspace,
) -> None:
    """A number names nothing, two rows share a name, and an introduction may say anything."""
    (workspace.root / "sources" / "parts.md").write_text(TABLE, encoding="utf-8")
    drafts = draft_questions(reingested(workspace), sources=["parts.md"], unanswerable=0)
    assert texts(drafts) == [
        'What is listed under "Price" for "U3"?',
        'What does "Parts" say about "Storage and care"?',
    ]


def test_a_heading_of_a_template_is_not_asked_about(workspace: Workspace) -> None:
    for number in range(3):
        text = f"# Page {number}\n\n## Improve this page\n\nSend us your ideas.\n"
        (workspace.root / "sources" / f"page{number}.md").write_text(text, encoding="utf-8")
    drafts = draft_questions(reingested(workspace), number=100)
    assert not [text for text in texts(drafts) if "Improve this page" in text]


def reply(*questions: tuple[str, str, str]) -> Text:
    rows = [{"question": q, "answer": a, "quote": quote} for q, a, quote in questions]
    return Json({"questions": rows})


QUOTE = "De pincode bij levering is 5120."
ASKED = ("Wat is de pincode van de DX-4?", "5120", QUOTE)


def drafted_by(project: Path, server: ModelServer, **options: Any) -> tuple[DraftReport, Workspace]:
    with online(project, server) as workspace:
        return draft_questions(workspace, sources=[HANDLEIDING], **options), workspace


def test_a_models_question_is_kept_with_the_place_of_its_quote(
    project: Path, server: ModelServer
) -> None:
    server.default = reply(ASKED)
    drafts, _ = drafted_by(project, server, number=1)
    assert texts(drafts) == [ASKED[0]]
    with open_workspace(project, environment={}, cwd=project) as workspace:
        assert words_at(workspace, drafts.questions[0]) == [QUOTE]
    assert drafts.questions[0].expected[0].section == "3.2 Foutcodes"
    assert (drafts.model, drafts.usage.calls > 0) == ("openai/scripted", True)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (("Wat is de pincode?", "5120", "De pincode is 5120."), "not in the passage"),
        (("Wat is de pincode?", "", QUOTE), "no answer"),
        (("Wat is de pincode?", "5120", ""), "no quote"),
        (("Wat zegt deze tekst over de pincode?", "5120", QUOTE), "refers to the passage"),
        (("Pincode?", "5120", QUOTE), "too short"),
    ],
)
def test_a_models_question_that_cannot_be_checked_is_dropped_with_the_reason(
    project: Path, server: ModelServer, asked: tuple[str, str, str], reason: str
) -> None:
    server.default = reply(asked)
    drafts, _ = drafted_by(project, server, number=1)
    assert drafts.questions == ()
    assert [item for item in drafts.skipped if reason in str(item.reason)]


def test_a_quote_that_a_model_copied_escaped_is_the_sources_own(
    project: Path, server: ModelServer
) -> None:
    path = project / HANDLEIDING
    path.write_text(f"{path.read_text(encoding='utf-8')}\nDruk op <ENTER> & wacht 3 s.\n", "utf-8")
    server.default = reply(("Waarop moet ik drukken?", "<ENTER>", "Druk op &lt;ENTER&gt; & wacht"))
    with open_workspace(project, environment={}, cwd=project) as workspace:
        reingested(workspace)
    drafts, _ = drafted_by(project, server, number=1)
    with open_workspace(project, environment={}, cwd=project) as workspace:
        assert words_at(workspace, drafts.questions[0]) == ["Druk op <ENTER> & wacht"]


def test_the_passage_reaches_the_model_as_marked_data_in_its_language(
    project: Path, server: ModelServer
) -> None:
    server.default = reply(ASKED)
    drafted_by(project, server, number=1)
    prompt = server.chats[0].prompt
    assert f"D| {QUOTE}" in prompt or f" {QUOTE}" in prompt
    assert "in Dutch" in prompt
    assert [line for line in prompt.splitlines() if "pincode" in line and line[:2] != "D|"] == []


def test_a_model_that_is_down_is_an_error_and_keeps_nothing(
    project: Path, server: ModelServer
) -> None:
    server.default = Status(500)
    with pytest.raises(ModelError) as raised:
        drafted_by(project, server)
    assert raised.value.fix
    with open_workspace(project, environment={}, cwd=project) as workspace:
        assert workspace.store.evaluation.list_questions() == []


def test_calls_are_bounded_by_the_number_of_questions(project: Path, server: ModelServer) -> None:
    def answer(request: Request) -> Text:
        return reply((f"Wat is vraag nummer {len(request.prompt)}?", "5120", QUOTE))

    server.default = answer
    with online(project, server) as workspace:
        draft_questions(workspace, number=2)
    assert len(server.chats) <= 3
