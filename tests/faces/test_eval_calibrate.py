"""``foundry eval calibrate``: fitted to a project's own questions, shown, kept, forgotten."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from foundry.journeys.ingest import ingest
from foundry.records import EvalQuestion, Expectation
from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.faces.conftest import Run

PARTS = (
    "inlet valve", "outlet valve", "feed pump", "drain pump", "cooling fan", "oil filter",
    "air filter", "drive belt", "timing belt", "main bearing", "guide rail", "lifting chain",
    "safety latch", "door hinge", "floor sensor", "wind sensor", "rain sensor", "speed governor",
    "brake disc", "brake pad", "clutch plate", "hoist motor",
)  # fmt: skip
STRANGE = (
    "Who won the cycling race of last summer?", "How do bees find their way home?",
    "Which spices belong in a lentil soup?", "When was the cathedral painted?",
    "How long does a whale hold its breath?", "Why do leaves turn red in autumn?",
    "What does a violin teacher earn?", "How is goat cheese made on a farm?",
    "Which river runs through Vienna?", "What rhymes with silver in a poem?",
    "How many moons does Saturn have?", "Where do penguins lay their eggs?",
)  # fmt: skip


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two manuals, with 22 questions that they answer and 12 that they do not."""
    root = tmp_path_factory.mktemp("calibrated") / "demo"
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_test}\n", encoding="utf-8")
    lines = [
        f"## {at} {part}\n\nReplace the {part} after {at * 7 + 3} months.\n"
        for at, part in enumerate(PARTS, start=1)
    ]
    for name, some in (("one", lines[:11]), ("two", lines[11:])):
        text = f"# Manual {name}\n\n" + "\n".join(some)
        (root / "sources" / f"{name}.md").write_text(text, encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    good = [
        EvalQuestion(
            f"a{at}", "own", f"After how many months is the {part} replaced?", True, "en",
            (Expectation(f"sources/{'one' if at < 11 else 'two'}.md"),),
        )
        for at, part in enumerate(PARTS)
    ]  # fmt: skip
    bad = [EvalQuestion(f"u{at}", "own", text, False, "en") for at, text in enumerate(STRANGE)]
    save(root, [*good, *bad])
    return root


@pytest.fixture
def labelled(asked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, and the folder that commands run in."""
    root = tmp_path / "demo"
    shutil.copytree(asked, root)
    monkeypatch.chdir(root)
    return root


def save(root: Path, questions: Sequence[EvalQuestion]) -> None:
    with open_workspace(root, environment={}, cwd=root) as workspace:
        workspace.maintenance().evaluation.save_questions(questions)


def remove(root: Path, keys: Sequence[str]) -> None:
    with open_workspace(root, environment={}, cwd=root) as workspace:
        workspace.maintenance().evaluation.remove_questions(keys)


def test_the_document_has_the_declared_shape(run: Run, labelled: Path) -> None:
    document = run("eval", "calibrate", "--folds", 3, "--yes", "--json").json
    assert MODELS["eval calibrate"].model_validate(document)
    assert document["gate"]["parts"]["all"]["after"]["questions"] == 34
    assert document["stored"]
    assert document["kept"][0]["holds"]


def test_the_bound_is_kept_and_figures_have_an_interval(run: Run, labelled: Path) -> None:
    done = run("eval", "calibrate", "--folds", 3, "--dry-run")
    assert "34 questions (22 answerable), held out in 3 folds" in done.out
    assert "REFUSED WRONGLY (95 %)" in done.out
    assert "0.000 (0.000–0.154)" in done.out


def test_a_dry_run_stores_nothing(run: Run, labelled: Path) -> None:
    assert "this was a dry run" in run("eval", "calibrate", "--folds", 3, "--dry-run").out
    assert "No fit is stored" in run("eval", "calibrate", "--show").out


def test_what_is_no_better_is_stored_only_with_yes(run: Run, labelled: Path) -> None:
    """Of four answerable questions that all pass already, nothing can be learnt."""
    remove(labelled, [f"own/a{at}" for at in range(4, 22)])
    done = run("eval", "calibrate", "--folds", 3)
    assert "Not better." in done.out
    assert "Nothing was stored; use --yes to store it anyway." in done.out
    assert "Stored" in run("eval", "calibrate", "--folds", 3, "--yes").out


def test_a_second_fit_is_compared_with_the_shipped_constants(run: Run, labelled: Path) -> None:
    """Constants that saw these questions would look better on them than they are."""
    first = run("eval", "calibrate", "--folds", 3, "--yes", "--json").json
    second = run("eval", "calibrate", "--folds", 3, "--yes", "--json").json
    assert second["gate"]["parts"] == first["gate"]["parts"]
    assert "are not compared" in second["notices"][-1]["text"]


def test_stored_constants_are_shown_and_forgotten(run: Run, labelled: Path) -> None:
    run("eval", "calibrate", "--folds", 3, "--yes", "-q")
    shown = run("eval", "calibrate", "--show").out
    assert "34 questions (22 answerable)" in shown
    assert "used" in shown
    assert "Removed 1 fit" in run("eval", "calibrate", "--reset").out
    assert "No fit is stored" in run("eval", "calibrate", "--reset").out
    document = run("eval", "calibrate", "--show", "--json").json
    assert document["kept"] == []


def test_a_search_says_whose_constants_it_used(run: Run, labelled: Path) -> None:
    asked = ("search", "After how many months is the feed pump replaced?", "--json")
    assert run(*asked).json["gate"]["constants"] == "shipped"
    run("eval", "calibrate", "--folds", 3, "--yes", "-q")
    gate = run(*asked).json["gate"]
    assert (gate["constants"], gate["calibrated"]) == ("project", True)
    assert "calibrated on this project's questions" in run("index", "status").out
    assert run("index", "status", "--json").json["constants"] == "project"


def test_one_label_alone_is_refused_with_what_to_do(run: Run, labelled: Path) -> None:
    remove(labelled, [f"own/u{at}" for at in range(len(STRANGE))])
    done = run("eval", "calibrate")
    assert done.status == 2
    assert "22 are labelled answerable and 0 unanswerable" in done.err
    assert "foundry eval add" in done.err


def test_a_project_without_questions_gets_a_hint_how_to_add_some(run: Run, project: Path) -> None:
    done = run("eval", "calibrate")
    assert done.status == 2
    assert "0 are labelled answerable and 0 unanswerable" in done.err
    assert "foundry eval draft" in done.err


def test_few_questions_fit_no_more_than_they_support(run: Run, labelled: Path) -> None:
    remove(labelled, [f"own/a{at}" for at in range(6, 22)])
    done = run("eval", "calibrate", "--folds", 3, "--dry-run")
    assert "6 answerable questions are too few to place a threshold (20 are needed)" in done.err
    assert "threshold lowered only" in done.out


def test_rules_that_break_the_bound_alone_are_reported(run: Run, labelled: Path) -> None:
    """Three answerable questions misname their part, so a rule refuses them."""
    save(
        labelled,
        [
            EvalQuestion(
                f"r{at}", "own", f"When is the pump of type QX-{at}77 replaced?", True, "en"
            )
            for at in range(3)
        ],
    )
    done = run("eval", "calibrate", "--folds", 3, "--dry-run")
    assert "The rules alone refuse 3 of 25 answerable questions (12.0%)" in done.err
    assert "own/r1: no source mentions QX-177" in done.out


def test_a_question_that_cannot_be_searched_is_reported_and_the_rest_is_used(
    run: Run, labelled: Path
) -> None:
    save(labelled, [EvalQuestion("long", "own", "word " * 5_000, True, "en")])
    document = run("eval", "calibrate", "--folds", 3, "--dry-run", "--json").json
    assert [one["key"] for one in document["gate"]["failed"]] == ["own/long"]
    assert "own/long was left out" in document["notices"][0]["text"]
    assert len(document["gate"]["questions"]) == 34


def test_the_plot_is_a_picture(run: Run, labelled: Path) -> None:
    run("eval", "calibrate", "--folds", 3, "--dry-run", "-q", "--output", "plot.svg")
    assert "<svg" in (labelled / "plot.svg").read_text(encoding="utf-8")


def test_the_output_is_refused_before_any_work(run: Run, labelled: Path) -> None:
    (labelled / "there.svg").write_text("mine", encoding="utf-8")
    assert "File exists" in run("eval", "calibrate", "--output", "there.svg").err
    assert "is an .svg file" in run("eval", "calibrate", "--output", "plot.pdf").err
    assert "outside" in run("eval", "calibrate", "--output", "/plot.svg").err
    assert (labelled / "there.svg").read_text(encoding="utf-8") == "mine"


def test_a_set_that_is_not_there_is_named(run: Run, labelled: Path) -> None:
    done = run("eval", "calibrate", "--set", "nothere")
    assert done.status == 2
    assert "nothere" in done.err
