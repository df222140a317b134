"""Constants fitted to a project are used by every journey, or reported as stale."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.gate import LEXICAL
from foundry.evaluation.calibration import calibrate_gate, forget_fits, save_fit
from foundry.journeys.ask import ask
from foundry.journeys.calibration import (
    LEXICAL_FINGERPRINT,
    choose_gate_calibration,
)
from foundry.journeys.doctor import check_setup
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.records import EvalQuestion, FittedCalibration
from foundry.workspace import Workspace, open_workspace
from tests.journeys.answers import FUSE, online
from tests.journeys.conftest import write_project
from tests.support.local_servers import NO_SERVERS
from tests.support.model_server import ModelServer

SHUT = {"shared": {"intercept": -9.0, "weights": {"attribute": 0.1}}}
"""Constants under which nothing is relevant."""


@pytest.fixture
def root(built: Path, tmp_path: Path) -> Path:
    """A copy of the ingested project for fitted constants."""
    return Path(shutil.copytree(built, tmp_path / "project"))


def opened(root: Path, **environment: str) -> Workspace:
    return open_workspace(root, environment=environment, cwd=root)


def kept(root: Path, *fits: FittedCalibration) -> None:
    with opened(root) as workspace:
        for fit in fits:
            workspace.maintenance().evaluation.save_fitted(fit)


def own(root: Path, **changes: object) -> FittedCalibration:
    with opened(root) as workspace:
        fingerprint = workspace.fingerprint()
    fitted = FittedCalibration(BUILTIN_EMBEDDING, fingerprint, datetime.now(UTC), gate=SHUT)
    return replace(fitted, **changes)  # type: ignore[arg-type]


def test_search_and_ask_use_the_projects_own_constants(root: Path) -> None:
    kept(root, own(root))
    with opened(root) as workspace:
        found = search(workspace, FUSE)
        assert (found.gate.decision, found.gate.constants) == ("no_evidence", "project")
        assert found.gate.score < 0.01
        assert ask(workspace, FUSE).verdict == "no_evidence"


def test_a_closed_gate_of_the_projects_own_makes_no_model_call(
    root: Path, server: ModelServer
) -> None:
    kept(root, own(root))
    with online(root, server) as workspace:
        assert ask(workspace, FUSE).verdict == "no_evidence"
    assert server.requests == []


def test_without_own_constants_there_is_no_notice(root: Path) -> None:
    with opened(root) as workspace:
        found = search(workspace, FUSE)
    assert (found.gate.decision, found.gate.constants) == ("answer", "shipped")
    assert found.notices == ()


def test_constants_for_other_vectors_are_not_used_and_every_result_has_a_notice(root: Path) -> None:
    kept(root, own(root, fingerprint="older"))
    with opened(root) as workspace:
        found = search(workspace, FUSE)
        assert found.gate.constants == "shipped"
        assert "different version of builtin/multilingual-e5-small" in str(found.notices[0])
        assert "foundry eval calibrate" in str(found.notices[0])
        answer = ask(workspace, FUSE)
    assert answer.verdict != "no_evidence"
    assert found.notices[0] in answer.notices


def test_constants_of_another_model_are_stale_too(root: Path) -> None:
    kept(root, own(root, model="openai/earlier"))
    with opened(root) as workspace:
        found = search(workspace, FUSE)
    assert "they are for openai/earlier, not builtin/multilingual-e5-small" in str(found.notices[0])


def test_constants_of_another_model_do_not_matter_beside_current_ones(root: Path) -> None:
    kept(root, own(root), own(root, model="openai/earlier"))
    with opened(root) as workspace:
        assert search(workspace, FUSE).notices == ()


def test_a_bm25_search_has_its_own_constants(root: Path) -> None:
    kept(root, own(root), own(root, model=LEXICAL, fingerprint=LEXICAL_FINGERPRINT, gate=SHUT))
    with opened(root) as workspace:
        assert choose_gate_calibration(workspace, "bm25").own
        assert search(workspace, FUSE, mode="bm25").gate.constants == "project"
        forget_fits(workspace)
    with opened(root) as workspace:
        assert search(workspace, FUSE, mode="bm25").gate.constants == "shipped"


def test_a_changed_index_does_not_make_constants_stale(root: Path) -> None:
    kept(root, own(root))
    (root / "sources" / "more.md").write_text("# More\n\nThe lid is red.\n", encoding="utf-8")
    with opened(root) as workspace:
        ingest(workspace)
        assert search(workspace, FUSE).gate.constants == "project"


def test_a_calibration_of_the_verifier_in_an_older_database_is_ignored(root: Path) -> None:
    kept(root, own(root), own(root, model=LEXICAL))
    with sqlite3.connect(next(root.glob(".foundry/*.db"))) as database:
        database.execute(
            "UPDATE fitted_constants SET record = json_set(record, '$.verifier', json('{}'), '$.gate', "
            "CASE model WHEN ? THEN null ELSE json_extract(record, '$.gate') END)", [LEXICAL],
        )  # fmt: skip
    with opened(root) as workspace:
        assert [one.model for one in workspace.fitted] == [BUILTIN_EMBEDDING]
        assert search(workspace, FUSE).gate.constants == "project"
        assert search(workspace, FUSE, mode="bm25").notices == ()


def test_doctor_reports_used_stale_and_missing_constants(root: Path) -> None:
    def check_calibration(**environment: str) -> tuple[str, str]:
        checks = check_setup(root, environment=NO_SERVERS | environment, cwd=root)
        return next(
            ((check.status, check.message) for check in checks if check.name == "calibration"),
            ("", ""),
        )

    assert check_calibration() == ("", "")
    kept(root, own(root))
    assert check_calibration()[0] == "ok"
    kept(root, own(root, fingerprint="older"))
    assert check_calibration()[0] == "warn"
    with opened(root) as workspace:
        forget_fits(workspace)
    unknown = {"FOUNDRY_EMBEDDING__MODEL": "openai/unknown", "OPENAI_API_KEY": "test"}
    assert (
        "no constants for openai/unknown" in check_calibration(FOUNDRY_MODE="online", **unknown)[1]
    )


@pytest.fixture
def hashed(tmp_path: Path, server: ModelServer) -> tuple[Path, dict[str, str]]:
    """The project with an embedding model that has no shipped constants."""
    environment = {
        "FOUNDRY_EMBEDDING__MODEL": "openai/nobody-knows",
        "FOUNDRY_MODE": "online",
        "FOUNDRY_GENERATION__MODEL": "builtin/extractive",
        "OPENAI_API_KEY": "test",
        "OPENAI_API_BASE": server.openai,
    }
    root = write_project(tmp_path / "hashed")
    with opened(root, **environment) as workspace:
        ingest(workspace)
    return root, environment


def test_calibration_turns_an_unknown_model_into_a_calibrated_one(
    hashed: tuple[Path, dict[str, str]],
) -> None:
    root, environment = hashed
    good = ("What is the rating of the input fuse", "How many channels has each output")
    bad = ("Who won the cup final", "How do bees sleep")
    ways = ("now", "here", "again", "today", "then", "please", "exactly", "really", "still", "yet")
    questions = [
        EvalQuestion(f"{text} {way}".replace(" ", "-"), "own", f"{text} {way}?", label, "en")
        for texts, label in ((good, True), (bad, False))
        for text in texts
        for way in ways
    ]
    with opened(root, **environment) as workspace:
        before = search(workspace, FUSE).gate
        workspace.maintenance().evaluation.save_questions(questions)
        save_fit(workspace, calibrate_gate(workspace, bound=0.05, folds=2))
    with opened(root, **environment) as workspace:
        after = search(workspace, FUSE).gate
    assert not before.calibrated
    assert any(
        "not calibrated for these vectors" in str(reason) for reason in [*map(str, before.reasons)]
    )
    assert (after.calibrated, after.constants) == (True, "project")
    assert not any("no constants" in str(reason) for reason in [*map(str, after.reasons)])


def test_the_record_names_what_the_constants_were_fitted_to(root: Path) -> None:
    questions = [
        EvalQuestion("a", "own", FUSE, True, "en"),
        EvalQuestion("u", "own", "Who won the cup final?", False, "en"),
    ]
    with opened(root) as workspace:
        workspace.maintenance().evaluation.save_questions(questions)
        fitted = save_fit(workspace, calibrate_gate(workspace, bound=0.05, folds=2))
        assert fitted.fingerprint == workspace.fingerprint()
        chunks = workspace.store.index_status(BUILTIN_EMBEDDING).chunks
    assert (fitted.figures["gate"]["questions"], fitted.figures["gate"]["chunks"]) == (2, chunks)


def test_drafted_questions_that_nobody_accepted_are_left_out(root: Path) -> None:
    drafted = EvalQuestion("d", "own", "Anything?", True, "en", origin="drafted", reviewed=False)
    questions = [
        EvalQuestion("a", "own", FUSE, True, "en"),
        EvalQuestion("u", "own", "Who won the cup final?", False, "en"),
    ]
    with opened(root) as workspace:
        workspace.maintenance().evaluation.save_questions([drafted, *questions])
        fit = calibrate_gate(workspace, bound=0.05, folds=2)
    assert [one["key"] for one in fit.report["questions"]] == ["own/a", "own/u"]
