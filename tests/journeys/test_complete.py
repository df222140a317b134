"""Questions that ask for all of something: what is read, listed and said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.api import open_project
from foundry.craft.question import read_question
from foundry.journeys.ask import AnswerStream, AskRequest, ask, ask_streaming
from foundry.journeys.complete import ItemList
from foundry.journeys.ingest import ingest
from foundry.mcp.tools import describe_answer
from foundry.operations import questions
from foundry.operations.table import Scope
from foundry.records import Answer, Sentence
from foundry.render.answer import render_answer
from foundry.wire.requests import QuestionRequest
from foundry.workspace import Workspace, open_workspace
from tests.journeys.answers import judged, online, quotes_are_in_their_source, said
from tests.support.model_server import ModelServer, Status

ROWS = [("P1", "Acme"), ("P2", "Borg"), ("P3", "Acme"), ("P4", "Acme")]
PARTS = "# Pump\n\n## Parts\n\n| Part | Maker |\n|---|---|\n" + "".join(
    f"| {part} | {maker} |\n" for part, maker in ROWS
)
RELEASES = (
    "# Releases\n\n## Version 1.1\n\n- The field birthday was added.\n- The mapping was changed.\n"
    "- A change of the manual came along.\n\n## Version 1.0\n\n- The first field was added.\n"
)
MODES = "# Modes\n\nThe rig needs these cables:\n\n- Blower power\n- Oxygen sensor\n\nIt has a screen.\n"
ALL_ACME = "List all parts from Acme"


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a parts list, release notes, a list with its sentence, and a broken file."""
    root = tmp_path_factory.mktemp("listed")
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_listed}\n", encoding="utf-8")
    for name, text in {"pump.md": PARTS, "releases.md": RELEASES, "modes.md": MODES}.items():
        (root / "sources" / name).write_text(text, encoding="utf-8")
    (root / "sources" / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root


@pytest.fixture
def project(listed: Path) -> Iterator[Workspace]:
    with open_workspace(listed, environment={}, cwd=listed) as opened:
        yield opened


def names(answer: Answer) -> list[str]:
    """The rows and items listed, not the nearest passages after them."""
    lists = [one for one in answer.passages if one.nearest is None]
    return [line.text.split(";")[0].split(":")[0] for one in lists for line in one.lines]


def codes(answer: Answer) -> list[str]:
    return [reason.code for reason in answer.reasons]


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        (ALL_ACME, True),
        ("give me every part", True),
        ("Noem mij alle onderdelen", True),
        ("Noem een paar onderdelen", False),
        ("How many volts does it take?", False),
        ("Hoeveel API's staan er op het portaal?", False),
        ("list price of the pump", False),
    ],
)
def test_only_the_form_list_all_asks_for_all_by_itself(question: str, asks: bool) -> None:
    assert read_question(question, "en").lists_all is asks


def test_the_noun_of_the_items_is_the_last_word_before_a_function_word() -> None:
    assert read_question("List all relevant alarms of the mode", "en").noun == "alarms"
    assert read_question("Hoeveel user stories zijn er in productie?", "nl").noun == "stories"


def test_the_number_of_rows_is_said_of_their_words_and_of_nothing_else(project: Workspace) -> None:
    matching = ask(project, ALL_ACME).reasons[0]
    assert (matching.code, matching.params["number"]) == ("complete-matching", 3)


def test_every_row_with_the_words_is_listed_and_no_other(project: Workspace) -> None:
    assert names(ask(project, ALL_ACME)) == ["P1", "P3", "P4"]


def test_an_item_that_is_called_by_the_noun_hides_no_other(project: Workspace) -> None:
    answer = ask(project, "List all changes in version 1.1")
    assert len(names(answer)) == 3


def test_items_are_found_by_the_sentence_that_introduces_them(project: Workspace) -> None:
    answer = ask(project, AskRequest("How many cables does the rig need?", complete=True))
    assert names(answer) == ["Blower power", "Oxygen sensor"]


def test_a_question_without_all_is_answered_as_before(project: Workspace) -> None:
    assert "complete-read" not in codes(ask(project, "How many cables does the rig need?"))


def test_what_was_read_is_said_in_numbers(project: Workspace) -> None:
    answer = ask(project, ALL_ACME)
    read = next(one for one in answer.reasons if one.code == "complete-read")
    assert (answer.verdict, read.params["tables"]) == ("passages", 1)
    assert read.params["read"] == read.params["found"]
    assert read.params["unread"] == 1


def test_a_limit_that_leaves_passages_is_said(listed: Path) -> None:
    variables = {"FOUNDRY_ANSWER__MAX_READ": "1", "FOUNDRY_RETRIEVAL__MAX_CONTEXT_CHUNKS": "1"}
    with open_workspace(listed, environment=variables, cwd=listed) as workspace:
        answer = ask(workspace, "List all fields, parts and cables")
    left = next(one for one in answer.reasons if one.code == "complete-left")
    assert left.params["number"] >= 1


def test_a_model_names_items_and_the_judge_adds_the_row_that_it_forgot(
    listed: Path, server: ModelServer
) -> None:
    server.script(
        said(("Part P1 is made by Acme.", "S1"), ("Part P3 is made by Acme.", "S1")),
        judged(("supported", "P1 | Acme"), ("supported", "P3 | Acme")),
        judged(("supported", "P4 | Acme")),
    )
    with online(listed, server, FOUNDRY_VALIDATION__VERIFIER="same") as workspace:
        answer = ask(workspace, ALL_ACME)
        assert quotes_are_in_their_source(workspace, answer)
    assert ["P1" in answer.text, "P3" in answer.text, "P4" in answer.text] == [True] * 3
    assert "3 items are listed." in render_answer(answer)


def test_a_stream_has_every_item_that_the_answer_has(listed: Path, server: ModelServer) -> None:
    server.script(said(("P1: Acme.", "S1")), judged(("supported", "P1 | Acme")))
    server.default = judged(("supported", "P3 | Acme"), ("supported", "P4 | Acme"))
    with online(listed, server, FOUNDRY_VALIDATION__VERIFIER="same") as workspace:
        steps = ask_streaming(workspace, ALL_ACME, stream=False)
        shown, answer = collect(steps)
    assert len(answer.sentences) == 3
    assert shown == [one.text for one in answer.sentences]


def collect(steps: AnswerStream) -> tuple[list[str], Answer]:
    """The sentences of a stream, and its answer."""
    texts = []
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return texts, end.value
        texts += [step.text] if isinstance(step, Sentence) else []


def test_rows_that_the_model_leaves_out_are_said_where_nobody_judges(
    listed: Path, server: ModelServer
) -> None:
    server.script(said(("P1: Acme.", "S1")))
    with online(listed, server) as workspace:
        answer = ask(workspace, ALL_ACME)
    assert answer.verdict == "low_confidence"
    unlisted = next(one for one in answer.reasons if one.code == "complete-unlisted")
    assert unlisted.params["number"] == 2


def test_a_list_that_a_failing_model_ends_says_so(listed: Path, server: ModelServer) -> None:
    server.default = Status(500)
    server.script(said(("P1: Acme.", "S1")))
    with online(listed, server, FOUNDRY_GENERATION__TOKEN_BUDGET="100") as workspace:
        answer = ask(workspace, "List all parts from Acme and changes of the manual")
    assert [one.text for one in answer.sentences] == ["P1: Acme."]
    assert "complete-stopped" in codes(answer)


def test_an_item_that_two_batches_name_is_listed_once_with_both_places() -> None:
    made = ItemList()
    assert made.add(Sentence("Blower power", ("S1",)))
    assert not made.add(Sentence("blower  power", ("S2",)))
    assert [one.citations for one in made.items.values()] == [("S1", "S2")]


def test_every_face_can_ask_for_all(listed: Path) -> None:
    question = "How many cables does the rig need?"
    with open_project(listed, environment={}) as project:
        answer = project.ask(question, complete=True)
        asked = QuestionRequest(question=question, all=True)
        found = questions.ask_.perform(Scope(project.workspace), asked=asked)
    assert names(answer) == ["Blower power", "Oxygen sensor"]
    assert "2 rows and list items have these words" in describe_answer(found)
