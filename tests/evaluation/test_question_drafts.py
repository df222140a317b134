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
from foundry.records import EvalQuestion
from foundry.workspace import Workspace, open_workspace
from tests.evaluation.question_sources import HANDLEIDING, RANGE, A, B, make_project
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


def test_without_a_model_cells_of_tables_are_asked_about_by_their_labels(
    workspace: Workspace,
) -> None:
    drafts = draft_questions(workspace, number=50, unanswerable=0)
    asked = {question.text: question for question in drafts.questions}
    text = "Wat is “Betekenis” van “E05” in de tabel “3.2 Foutcodes” van “DX-4 - Handleiding”?"
    assert words_at(workspace, asked[text]) == ["Temperatuur te hoog"]
    assert asked[text].answers == ("Temperatuur te hoog",)
    assert "Without a language model" in " ".join(map(str, drafts.notices))
    assert drafts.model == "builtin/table-cells"


def test_cells_with_a_picture_a_mark_or_the_labels_of_another_are_not_asked_about(
    workspace: Workspace,
) -> None:
    rows = ("![](a.png) | 1", "| **Fuse** | 3 A", "Relay | -", "Lamp | 1 W", "Lamp | 2 W")
    table = "\n".join(f"| {row.strip('| ')} |" for row in rows)
    path = workspace.root / "sources/parts.md"
    path.write_text(f"# Kit\n\n## Parts\n\n| Part | Rating |\n|---|---|\n{table}\n")
    drafts = draft_questions(reingested(workspace), sources=["parts.md"], unanswerable=0)
    assert texts(drafts) == ["What is “Rating” of “Fuse” in the table “Parts” of “Kit”?"]


def test_without_a_model_and_tables_the_error_says_what_to_do(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="needs a language model") as raised:
        draft_questions(workspace, sources=["call.vtt"])
    assert "foundry eval import" in raised.value.fix
    assert workspace.store.evaluation.list_questions() == []


def reingested(workspace: Workspace) -> Workspace:
    ingest(workspace)
    return workspace


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


CODES = (
    ("Wat betekent foutcode E05 op de DX-4?", "Temperatuur te hoog", "Temperatuur te hoog"),
    (
        "Wat betekent foutcode E01 op de DX-4?",
        "Voedingsspanning te laag",
        "Voedingsspanning te laag",
    ),
)


def test_a_question_without_an_answer_asks_of_what_no_source_names(
    project: Path, server: ModelServer
) -> None:
    server.default = reply(*CODES)
    drafts, _ = drafted_by(project, server, number=2, unanswerable=2)
    assert [question.answerable for question in drafts.questions] == [True, True, False, False]
    assert texts(drafts)[2:] == [
        "Wat betekent foutcode E06 op de DX-4?", "Wat betekent foutcode E02 op de DX-4?",
    ]  # fmt: skip


def test_a_quarter_more_is_unanswerable_by_default(project: Path, server: ModelServer) -> None:
    server.default = reply(*CODES)
    drafts, _ = drafted_by(project, server, number=4)
    assert [question.answerable for question in drafts.questions] == [True, True, False]
    assert [str(notice) for notice in drafts.notices] == ["The sources gave 2 of the 4 questions."]


def test_a_question_drafted_before_is_left_alone(project: Path, server: ModelServer) -> None:
    server.default = reply(ASKED)
    (question,) = drafted_by(project, server, number=1)[0].questions
    with open_workspace(project, environment={}, cwd=project) as workspace:
        accept_questions(workspace, [question.key])
    drafts, _ = drafted_by(project, server, number=1)
    assert (drafts.questions, drafts.kept) == ((), (question.key,))


def test_what_sources_answer_alike_is_one_question(project: Path, server: ModelServer) -> None:
    asked = "What is the supply range of the controller?"
    server.default = reply((asked, "18 V to 32 V", RANGE))
    with online(project, server) as workspace:
        drafts = draft_questions(workspace, sources=[A, B], number=2, unanswerable=0)
    assert texts(drafts) == [asked]
    assert [place.source for place in drafts.questions[0].expected] == [A, B]


def test_an_unknown_source_to_draft_from_is_an_error(project: Path, server: ModelServer) -> None:
    with online(project, server) as workspace, pytest.raises(UsageError, match="'nope' is not in"):
        draft_questions(workspace, sources=["nope"])
