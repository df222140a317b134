"""``foundry eval add / import / list / show / draft / accept / remove / export``, and feedback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import Run
from tests.support.model_server import Json, ModelServer

FUSE = "What is the rating of the input fuse?"
RATED = "The input fuse is rated at 3.15 A slow."


@pytest.fixture
def questions(project: Path) -> Path:
    """A file beside the project's sources: two good lines, a broken one, an unknown source."""
    rows = [
        {"id": "fuse", "text": FUSE, "source": "datasheet.md", "quote": RATED, "answer": "3.15 A"},
        {"id": "moon", "text": "Who walked on the moon?", "answerable": False, "tags": ["far"]},
        {"id": "lost", "text": "Where is it?", "source": "lost.pdf", "page": 3},
    ]
    lines = [json.dumps(row) for row in rows]
    path = project / "q.jsonl"
    path.write_text("\n".join([lines[0], "{broken", *lines[1:]]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A language model that drafts two questions, each of which one of the sources answers."""
    rate = "Each of the four outputs delivers 512 channels at a refresh rate of 44 Hz."
    rows = [
        {"question": "What is the fuse rated at?", "answer": "3.15 A", "quote": RATED},
        {"question": "What is the refresh rate?", "answer": "44 Hz", "quote": rate},
    ]
    with ModelServer() as server:
        server.default = Json({"questions": rows})
        monkeypatch.setenv("FOUNDRY_GENERATION__MODEL", "openai/scripted")
        monkeypatch.setenv("FOUNDRY_MODE", "online")
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        monkeypatch.setenv("OPENAI_API_BASE", server.openai)
        yield


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    "words",
    [
        ("add", "How heavy is it?", "--unanswerable"),
        ("import", "q.jsonl"),
        ("draft", "--number", "2", "--unanswerable", "1"),
        ("list",),
        ("show", "fuse"),
        ("accept", "--all"),
        ("remove", "fuse"),
        ("export", "--output", "out.jsonl"),
    ],
    ids=lambda words: words[0],
)
def test_every_command_prints_the_documented_json(
    run: Run, questions: Path, words: tuple[str, ...]
) -> None:
    run("eval", "import", "q.jsonl")
    run("eval", "draft", "--number", "1")
    outcome = run("eval", *words, "--json")
    assert outcome.status == 0
    assert MODELS[f"eval {words[0]}"].model_validate(outcome.json)


def test_an_import_reports_refused_lines_and_missing_sources(run: Run, questions: Path) -> None:
    outcome = run("eval", "import", "q.jsonl")
    assert outcome.out == "4 questions: 3 added, 1 refused.\n"
    for words in ("Refused q.jsonl:2: It is not JSON", "Next:", "lost.pdf"):
        assert words in outcome.err
    assert outcome.status == 0
    assert run("eval", "import", "q.jsonl", "--strict").status == 1


def test_nothing_usable_in_a_file_exits_with_1_and_an_empty_one_with_2(
    run: Run, project: Path
) -> None:
    (project / "bad.jsonl").write_text("{\n[]\n", encoding="utf-8")
    (project / "none.csv").write_text("", encoding="utf-8")
    assert run("eval", "import", "bad.jsonl").status == 1
    outcome = run("eval", "import", "none.csv", "--json")
    assert (outcome.status, outcome.json["error"]["where"]) == (2, "none.csv")
    assert run("eval", "import").status == 2
    assert run("eval", "import", "bad.jsonl", "--feedback").status == 2


@pytest.mark.usefixtures("model")
def test_the_list_counts_each_set_and_shows_what_waits(run: Run, questions: Path) -> None:
    run("eval", "import", "q.jsonl")
    run("eval", "draft", "--number", "1")
    listed = run("eval", "list").out
    for words in (
        "questions/fuse",
        "datasheet.md",
        "unreviewed",
        "far",
        "3 questions: 2 answerable",
    ):
        assert words in listed
    assert "questions/moon" in run("eval", "list", "--unanswerable").out
    assert "questions/" not in run("eval", "list", "--unreviewed").out
    assert run("eval", "list", "--tag", "none").out == "No questions match.\n"


def test_a_question_is_shown_with_the_words_at_its_place(run: Run, questions: Path) -> None:
    run("eval", "import", "q.jsonl")
    shown = run("eval", "show", "questions/fuse").out
    assert f"> {RATED}" in shown
    assert "lost.pdf, p. 3  (not in the project)" in run("eval", "show", "lost").out
    assert run("eval", "show", "nothing").status == 2


def test_a_question_added_twice_is_the_same_and_another_under_its_id_is_refused(
    run: Run, project: Path
) -> None:
    words = ("eval", "add", FUSE, "--source", "datasheet.md", "--quote", RATED, "--id", "f")
    assert run(*words).out.startswith(f"questions/f: {FUSE}\n  sources/datasheet.md, ")
    assert run(*words).status == 0
    outcome = run("eval", "add", "Something else?", "--id", "f")
    assert (outcome.status, "foundry eval remove questions/f" in outcome.err) == (2, True)


def test_a_whole_set_goes_only_when_somebody_agrees(run: Run, questions: Path) -> None:
    run("eval", "import", "q.jsonl")
    refused = run("eval", "remove", "--set", "questions")
    assert (refused.status, "--yes" in refused.err) == (2, True)
    assert run("eval", "remove", "moon", "questions/lost").out == "2 questions removed.\n"
    assert run("eval", "remove", "--set", "questions", "--yes").out == "1 question removed.\n"
    assert run("eval", "list").out.startswith("There are no questions yet")


def test_drafting_without_a_model_says_what_to_do(run: Run, project: Path) -> None:
    outcome = run("eval", "draft")
    assert outcome.status == 2
    for words in ("needs a language model", "foundry eval import", "generation.model"):
        assert words in outcome.err


@pytest.mark.usefixtures("model")
def test_drafts_are_accepted_or_rejected(run: Run, project: Path) -> None:
    first, second = run("eval", "draft", "--number", "2", "--json").json["questions"]
    assert run("eval", "accept", first["key"]).out == "1 question accepted.\n"
    assert run("eval", "accept", "--set", "drafted", "--reject").out == "1 question rejected.\n"
    keys = [one["key"] for one in run("eval", "list", "--json").json["questions"]]
    assert keys == [first["key"]] != [second["key"]]
    assert run("eval", "accept").status == 2


def test_an_export_is_written_as_documents_are_and_taken_back(run: Run, questions: Path) -> None:
    run("eval", "import", "q.jsonl")
    assert run("eval", "export", "--output", "out.jsonl").status == 0
    assert run("eval", "import", "out.jsonl").out == "3 questions: 3 unchanged.\n"
    again = run("eval", "export", "--output", "out.jsonl")
    assert (again.status, "File exists: out.jsonl" in again.err) == (2, True)
    assert run("eval", "export", "--output", "out.jsonl", "--yes").status == 0
    assert run("eval", "export", "--output", "/elsewhere.jsonl").status == 2


def test_feedback_becomes_a_question_once(run: Run, project: Path) -> None:
    run("ask", FUSE)
    query = run("log", "list", "--json").json["queries"][0]["id"]
    said = run("log", "feedback", query, "--correct", "--note", "good", "--json")
    assert MODELS["log feedback"].model_validate(said.json)
    imported = run("eval", "import", "--feedback", "--json")
    assert MODELS["eval import"].model_validate(imported.json)
    assert imported.json["added"] == [f"feedback/{query}"]
    assert "sources/datasheet.md" in run("eval", "show", query).out
    assert run("eval", "import", "--feedback").out == "1 question: 1 unchanged.\n"


def test_feedback_needs_a_known_answer_and_a_verdict(run: Run, project: Path) -> None:
    unknown = run("log", "feedback", "qry_0", "--correct")
    assert (unknown.status, "foundry log list" in unknown.err) == (2, True)
    assert run("log", "feedback", "qry_0").status == 2
    none = run("eval", "import", "--feedback")
    assert (none.status, "foundry log feedback" in none.err) == (2, True)
