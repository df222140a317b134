"""Drafted questions: places that hold, answers that stand there, and nothing kept without them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foundry.errors import ModelError, UsageError
from foundry.evaluation.questions import Drafts, accept_questions, draft_questions
from foundry.evaluation.questions.drafting.sentences import ask_sentence
from foundry.journeys.ingest import ingest
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


def texts(drafts: Drafts) -> list[str]:
    return [one.text for one in drafts.questions]


def words_at(workspace: Workspace, question: EvalQuestion) -> list[str]:
    """What stands at the question's spans, source by source."""
    held = []
    for one in question.expected:
        source = workspace.store.find_source(one.source)
        assert source is not None
        held += [workspace.store.source_text(source.id)[slice(*span)] for span in one.spans]
    return held


def test_tables_sentences_and_headings_become_questions_in_their_language(
    workspace: Workspace,
) -> None:
    drafted = {one.text: one.answers for one in draft_questions(workspace).questions}
    assert drafted["Wat betekent code E05?"] == ("Temperatuur te hoog",)
    assert drafted["What is the maximum break time?"] == ("176 µs",)
    assert drafted["What is the supply range?"] == ("18 V to 32 V",)
    assert drafted["How many unit loads does each output drive?"] == ("up to 32 unit loads",)
    assert "Hoe kan ik de zekering vervangen?" in drafted


def test_every_answer_stands_at_its_place_and_waits_for_review(workspace: Workspace) -> None:
    drafts = draft_questions(workspace)
    for question in drafts.questions:
        number = question.answers[0].split()[0]
        assert all(number in words for words in words_at(workspace, question))
        assert (question.reviewed, question.origin, question.answerable) == (False, "drafted", True)
    assert len(drafts.questions) >= 8


def test_what_sources_answer_alike_is_one_question_and_what_differs_names_them(
    workspace: Workspace,
) -> None:
    drafts = draft_questions(workspace)
    alike = next(one for one in drafts.questions if one.text == "What is the maximum break time?")
    assert [one.source for one in alike.expected] == [A, B]
    sheet = workspace.root / A
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("| 176 |", "| 180 |"), "utf-8")
    from_a = draft_questions(reingested(workspace), set_name="again")
    told = sorted(text for text in texts(from_a) if "maximum break time" in text)
    assert told == [
        f"What is the maximum break time according to the data sheet Rev. {revision}?"
        for revision in "AB"
    ]


def reingested(workspace: Workspace) -> Workspace:
    ingest(workspace)
    return workspace


def test_drafting_is_spread_over_the_sources_and_repeatable(workspace: Workspace) -> None:
    first = draft_questions(workspace, number=3)
    assert {one.expected[0].source for one in first.questions} == {A, HANDLEIDING}
    again = draft_questions(workspace, number=3)
    assert (again.questions, list(again.kept)) == ((), [one.key for one in first.questions])


def test_a_question_that_was_accepted_is_not_drafted_over(workspace: Workspace) -> None:
    key = draft_questions(workspace, number=1).questions[0].key
    accept_questions(workspace, [key])
    assert draft_questions(workspace, number=1).kept == (key,)
    stored = workspace.store.evaluation.list_questions("drafted")
    assert [one.reviewed for one in stored] == [True]


def test_questions_without_an_answer_ask_of_what_no_source_names(workspace: Workspace) -> None:
    drafts = draft_questions(workspace, number=0, unanswerable=3)
    corpus = " ".join(workspace.store.source_text(one.id) for one in workspace.store.list_sources())
    assert texts(drafts) == [
        "Wat betekent code E02?", "What is the DX-5?", "Wat betekent code E06?"
    ]  # fmt: skip
    assert not [name for name in ("E02", "DX-5", "E06") if name in corpus]
    assert [one.answerable for one in drafts.questions] == [False] * 3


def test_what_gave_no_question_is_told_with_the_reason(workspace: Workspace) -> None:
    drafts = draft_questions(workspace, number=50)
    spoken = next(one for one in drafts.skipped if one.source == "sources/call.vtt")
    assert "spoken" in spoken.reason
    assert [notice for notice in drafts.notices if "of the 50 questions" in notice]


def test_an_unknown_source_to_draft_from_is_an_error(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="'nope' is not in this project"):
        draft_questions(workspace, sources=["nope"])
    only = draft_questions(workspace, sources=["handleiding.md"])
    assert {one.expected[0].source for one in only.questions} == {HANDLEIDING}


@pytest.mark.parametrize(
    ("sentence", "language", "question", "answer"),
    [
        ("The input fuse is rated at 3.15 A slow.", "en",
         "What is the input fuse rated at?", "3.15 A slow"),
        ("Stored data is retained for at least 20 years.", "en",
         "How long is stored data retained?", "at least 20 years"),
        ("Een reeks van stappen is een lijst die vanzelf begint.", "nl",
         "Wat is een reeks van stappen?", "een lijst die vanzelf begint"),
        ("Onder piekstroom wordt verstaan de hoogste stroom in 2 ms.", "nl",
         "Wat wordt verstaan onder piekstroom?", "de hoogste stroom in 2 ms"),
        ("De weekklok heeft 50 schakeltijden.", "nl", None, None),
        ("De astronomische weekklok heeft 50 schakeltijden.", "nl",
         "Hoeveel schakeltijden heeft de astronomische weekklok?", "50 schakeltijden"),
        ("De gemiddelde hersteltijd bedraagt 8 werkdagen.", "nl",
         "Wat bedraagt de gemiddelde hersteltijd?", "8 werkdagen"),
        ("It is rated at 3 A.", "en", None, None),
        ("The limit is 250 m.", "en", None, None),
        ("On port A is a line of 250 m.", "en", None, None),
        ("Proefstuk P2 is zes keer gestart.", "nl", None, None),
        ("This revision is a draft that nobody has read.", "en", None, None),
    ],
)  # fmt: skip
def test_only_plain_sentences_about_something_named_are_turned_around(
    sentence: str, language: str, question: str | None, answer: str | None
) -> None:
    found = next(ask_sentence(sentence, language), None)
    assert (found and found.text, found and found.answer) == (question, answer)


def reply(*questions: tuple[str, str, str]) -> Text:
    rows = [{"question": q, "answer": a, "quote": quote} for q, a, quote in questions]
    return Json({"questions": rows})


QUOTE = "De pincode bij levering is 5120."
ASKED = ("Wat is de pincode van de DX-4?", "5120", QUOTE)


def drafted_by(project: Path, server: ModelServer, **options: Any) -> tuple[Drafts, Workspace]:
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
        (("Wat is de pincode?", "5120", "De pincode is 5120."), "does not stand"),
        (("Wat is de pincode?", "", QUOTE), "without an answer"),
        (("Wat is de pincode?", "5120", ""), "without a quote"),
        (("Wat zegt deze tekst over de pincode?", "5120", QUOTE), "speaks of the passage"),
        (("Pincode?", "5120", QUOTE), "no question"),
    ],
)
def test_a_models_question_that_cannot_be_checked_is_dropped_with_the_reason(
    project: Path, server: ModelServer, asked: tuple[str, str, str], reason: str
) -> None:
    server.default = reply(asked)
    drafts, _ = drafted_by(project, server, number=1)
    assert drafts.questions == ()
    assert [one for one in drafts.skipped if reason in one.reason]


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
