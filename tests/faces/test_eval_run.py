"""``foundry eval run``, ``runs`` and ``compare``: the commands, their text and their JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.records import EvalQuestion, Expectation
from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.faces.conftest import Run

QUESTIONS = (
    EvalQuestion(
        "fuse", "manual", "What is the rating of the input fuse?", True, "en",
        (Expectation("sources/datasheet.md", section="3.1 Supply"),), ("3.15 A",),
    ),
    EvalQuestion(
        "storage", "manual", "Hoe bewaar ik de regelaar?", True, "nl",
        (Expectation("sources/onderhoud.md"),),
    ),
    EvalQuestion("football", "manual", "Who won the football world cup?", False, "en"),
)  # fmt: skip


@pytest.fixture
def asked(project: Path) -> Path:
    """The ingested project with three questions."""
    with open_workspace(project, environment={}, cwd=project) as workspace:
        workspace.maintenance().evaluation.save_questions(QUESTIONS)
    return project


def test_every_command_prints_the_documented_json(run: Run, asked: Path) -> None:
    first = run("eval", "run", "--json", "--name", "plain")
    assert first.status == 0
    assert MODELS["eval run"].model_validate(first.json)
    second = run("eval", "run", "--json", "-o", "retrieval.mode=bm25", "--baseline", "plain")
    assert MODELS["eval run"].model_validate(second.json)
    for words in [("runs",), ("runs", "plain", "--questions"), ("compare", "plain", "all")]:
        outcome = run("eval", *words, "--json")
        assert outcome.status == 0
        assert MODELS[f"eval {words[0]}"].model_validate(outcome.json)


def test_evaluation_speaks_dutch(run: Run, asked: Path) -> None:
    outcome = run("eval", "run", "--retrieval-only", "--language", "nl")
    assert outcome.status == 0
    assert "MAAT" in outcome.out
    assert "beantwoorden: 3/3 vragen" in outcome.err
    assert "SLEUTEL" in run("eval", "list", "--language", "nl").out


def test_a_run_shows_its_figures_with_intervals_and_what_is_undefined(
    run: Run, asked: Path
) -> None:
    outcome = run("eval", "run", "--retrieval-only")
    lines = {line.split()[0]: line.split()[1:] for line in outcome.out.splitlines() if line.strip()}
    assert lines["recall@10"] == ["1.000", "1.000", "1.000"]
    assert lines["f1"] == ["undefined"]
    assert "3 questions of manual" in outcome.out
    assert "ask: 3/3 questions" in outcome.err
    assert "precision@100" in run("eval", "run", "--retrieval-only", "-v").out


def test_a_question_that_failed_is_named_and_does_not_stop_the_others(
    run: Run, asked: Path
) -> None:
    with open_workspace(asked, environment={}, cwd=asked) as workspace:
        workspace.maintenance().evaluation.save_questions([EvalQuestion("empty", "manual", " ")])
    outcome = run("eval", "run", "--retrieval-only", "-q")
    assert outcome.status == 0
    assert "Error in manual/empty: usage: The question is empty." in outcome.out
    assert "1 error, 2 answerable" in outcome.out
    failing = run("eval", "run", "--retrieval-only", "--fail-above", "errors=0")
    assert failing.status == 1


def test_a_bound_that_is_broken_exits_with_1_and_says_which(run: Run, asked: Path) -> None:
    words = ("eval", "run", "--retrieval-only", "--fail-above", "latency_p95_ms=0.001")
    outcome = run(*words, "--fail-below", "recall@10=0.9")
    assert outcome.status == 1
    assert "Failed: latency_p95_ms is" in outcome.out
    assert "recall@10 is" not in outcome.out
    document = run(*words, "--json")
    assert (document.status, document.json["passed"]) == (1, False)
    assert document.json["failed"][0]["measure"] == "latency_p95_ms"


def test_a_run_that_is_clearly_worse_than_its_baseline_exits_with_1(run: Run, asked: Path) -> None:
    assert run("eval", "run", "--name", "good").status == 0
    assert run("eval", "run", "--baseline", "good").status == 0
    worse = run("eval", "run", "-o", "retrieval.min_score=1", "--baseline", "good")
    assert worse.status == 1
    assert "Failed: false_refusal_rate went from 0.000 to 1.000 (+1.000" in worse.out
    assert "than run 1 (good)." in worse.out


def test_a_baseline_over_other_questions_is_refused_before_anything_is_asked(
    run: Run, asked: Path
) -> None:
    run("eval", "run", "--retrieval-only", "--name", "old")
    with open_workspace(asked, environment={}, cwd=asked) as workspace:
        workspace.maintenance().evaluation.save_questions(
            [EvalQuestion("q", "other", "What is 44 Hz?")]
        )
    outcome = run("eval", "run", "--set", "other", "--baseline", "old", "--json")
    assert outcome.status == 2
    assert "no question in common" in outcome.json["error"]["message"]
    assert len(run("eval", "runs", "--json").json["runs"]) == 1


def test_a_comparison_names_what_differs_and_the_questions_that_changed(
    run: Run, asked: Path
) -> None:
    run("eval", "run", "--name", "a")
    run("eval", "run", "--name", "b", "-o", "retrieval.min_score=1", "--limit", "2")
    out = run("eval", "compare", "a", "b").out
    assert "2 questions in common; left out: 1 only in A" in out
    assert any(line.split() == ["retrieval.min_score", "0.2", "1.0"] for line in out.splitlines())
    changed = next(line for line in out.splitlines() if "manual/storage" in line)
    assert changed.split()[:2] == ["verdict", "worse"]


def test_runs_are_listed_shown_and_removed(run: Run, asked: Path) -> None:
    assert "eval run" in run("eval", "runs").out
    run("eval", "run", "--name", "one")
    assert "one" in run("eval", "runs").out
    table = run("eval", "runs", "one", "--questions").out
    assert "manual/football" in table
    assert "unanswerable" in table
    assert run("eval", "runs", "one", "--remove").out.startswith("Removed run 1 (one).")
    assert run("eval", "runs", "one").status == 2


def test_indexes_for_overrides_are_listed_and_cleared(run: Run, asked: Path) -> None:
    changed = ("-o", "ingest.chunk_tokens=20,40", "-o", "ingest.chunk_overlap=0,10")
    assert run("eval", "run", "--retrieval-only", *changed).status == 0
    (index,) = run("eval", "runs", "--json").json["indexes"]
    assert (asked / index["path"]).stat().st_size == index["size"]
    assert "1 side index" in run("eval", "runs").out
    assert run("eval", "runs", "--clear-indexes", "--json").json["cleared"] == [index["path"]]
    assert not (asked / index["path"]).exists()


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--set", "nowhere"),
        ("run", "-o", "retrieval.topk=3"),
        ("run", "--fail-below", "recall=3"),
        ("run", "--baseline", "none"),
        ("run", "--jobs", "0"),
        ("runs", "none"),
        ("runs", "--questions"),
        ("compare", "1", "2"),
    ],
    ids=" ".join,
)
def test_a_call_that_makes_no_sense_exits_with_2_and_the_way_out(
    run: Run, asked: Path, words: tuple[str, ...]
) -> None:
    outcome = run("eval", *words, "--json")
    assert outcome.status == 2
    assert outcome.json["error"]["fix"]


def test_questions_of_a_run_do_not_count_in_the_figures_of_the_log(run: Run, asked: Path) -> None:
    run("eval", "run")
    run("ask", "What is the rating of the input fuse?")
    stats = run("log", "stats", "--json").json
    assert stats["total"]["n"] == 1
    assert stats["kinds"]["eval"]["n"] == 3
    assert "(eval) count only in their own line." in run("log", "stats").out


def test_what_a_run_asked_is_listed_only_on_request(run: Run, asked: Path) -> None:
    run("eval", "run")
    run("ask", "What is the rating of the input fuse?")
    kinds = [row["kind"] for row in run("log", "list", "--json").json["queries"]]
    assert kinds == ["ask"]
    shown = run("log", "list", "--kind", "eval", "--json").json["queries"]
    assert {row["kind"] for row in shown} == {"eval"}
