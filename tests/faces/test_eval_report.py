"""``foundry eval report``: where it writes, what it refuses, and the JSON that scripts get."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.evaluation.report_runs import make_question, make_result, make_run
from tests.faces.conftest import Run


@pytest.fixture
def kept(project: Path) -> Path:
    """A project with a finished run and one that was cut short."""
    with open_workspace(project, environment={}, cwd=project) as workspace:
        store = workspace.store.evaluation
        for run, right in ((make_run(0, "base"), 1), (make_run(0, "wide", finished=None), 12)):
            identity = store.start_run(run).id
            for key in ("q1", "q2"):
                store.save_result(identity, make_result(make_question(key), right=right))
    return project


def test_the_page_goes_to_the_output_folder_named_after_its_runs(run: Run, kept: Path) -> None:
    outcome = run("eval", "report", "base", "wide")
    assert outcome.status == 0
    page = kept / "output" / "evaluation-base-wide.html"
    assert f"Wrote {page}: 2 runs" in outcome.out
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "Run 2 (wide) is not finished" in outcome.err


def test_the_json_says_where_it_was_written_and_the_chief_figures(run: Run, kept: Path) -> None:
    outcome = run("eval", "report", "base", "2", "--output", "report.html", "--json")
    assert MODELS["eval report"].model_validate(outcome.json)
    assert outcome.json["path"] == str(kept / "report.html")
    assert outcome.json["bytes"] == (kept / "report.html").stat().st_size
    assert [one["figures"]["recall@10"] for one in outcome.json["runs"]] == [1.0, 0.0]
    assert [one["wrong"] for one in outcome.json["runs"]] == [0, 2]
    assert "recall@10" in outcome.json["compared"][0]["worse"]
    assert outcome.json["runs"][0]["figures"]["refusal_recall"] is None


def test_a_folder_gets_a_page_named_after_its_runs(run: Run, kept: Path) -> None:
    run("eval", "report", "base", "--output", ".")
    assert (kept / "evaluation-base.html").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bse",), "base"),
        ((), "RUN"),
        (("base", "--output", "../../x.html"), "outside"),
        (("base", "--output", "x.pdf"), ".html"),
        (("base", "--language", "fr"), "fr"),
        (("base", "--worst", "-1"), "-1"),
    ],
    ids=str,
)
def test_a_call_that_makes_no_sense_says_what_to_do(
    run: Run, kept: Path, words: tuple[str, ...], said: str
) -> None:
    outcome = run("eval", "report", *words, "--json")
    assert outcome.status == 2
    assert said in str(outcome.json["error"])
    assert not list(kept.glob("*.html"))


def test_an_existing_file_is_replaced_only_when_agreed(run: Run, kept: Path) -> None:
    (kept / "a.html").write_text("mine", encoding="utf-8")
    outcome = run("eval", "report", "base", "--output", "a.html")
    assert outcome.status == 2
    assert "File exists: a.html" in outcome.err
    assert (kept / "a.html").read_text(encoding="utf-8") == "mine"
    assert run("eval", "report", "base", "--output", "a.html", "--yes").status == 0
    assert (kept / "a.html").read_text(encoding="utf-8") != "mine"


def test_the_language_is_the_projects_unless_another_is_asked_for(
    run: Run, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOUNDRY_GENERATION__LANGUAGE", "nl")
    run("eval", "report", "base", "--output", "a.html")
    assert (kept / "a.html").read_text(encoding="utf-8").count(
        '<h1 dir="auto">Evaluatierapport: demo'
    ) == 1
    run("eval", "report", "base", "--output", "b.html", "--language", "en")
    assert (kept / "b.html").read_text(encoding="utf-8").count(
        '<h1 dir="auto">Evaluation report: demo'
    ) == 1


def test_a_run_that_is_named_twice_is_shown_once(run: Run, kept: Path) -> None:
    outcome = run("eval", "report", "base", "1", "--output", "a.html", "--json")
    assert len(outcome.json["runs"]) == 1
    assert "shows it once" in outcome.json["notices"][0]["text"]


def test_without_runs_it_says_how_to_make_one(run: Run, project: Path) -> None:
    outcome = run("eval", "report", "base")
    assert outcome.status == 2
    assert "foundry eval run" in outcome.err
