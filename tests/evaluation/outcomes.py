"""Outcomes and runs with only what a test is about, and a small project with questions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from foundry.evaluation.metrics.measures import MEANS
from foundry.evaluation.metrics.statistics import summarise
from foundry.journeys.ingest import ingest
from foundry.records import EvalQuestion, EvalResult, EvalRun, Expectation, Verdict
from foundry.workspace import open_workspace
from tests.journeys.conftest import write_project

WHEN = datetime(2026, 3, 1, tzinfo=UTC)
SUPPLY, OUTPUTS = "3.1 Supply", "3.2 Outputs"
QUESTIONS = (
    EvalQuestion(
        "fuse", "manual", "What is the rating of the input fuse?", True, "en",
        (Expectation("sources/datasheet.md", section=SUPPLY),), ("3,15 A",), ("number",),
    ),
    EvalQuestion(
        "refresh", "manual", "What is the refresh rate of the outputs?", True, "en",
        (Expectation("sources/datasheet.md", section=OUTPUTS),),
    ),
    EvalQuestion(
        "cleaning", "care", "Hoe vaak moet ik de behuizing reinigen?", True, "nl",
        (Expectation("sources/onderhoud.md"),), ("zes maanden",),
    ),
    EvalQuestion("football", "care", "Who won the football world cup?", False, "en"),
)  # fmt: skip


def make_result(
    key: str = "manual/q",
    *,
    answerable: bool | None = True,
    verdict: Verdict | None = "answer",
    score: float | None = 0.5,
    ms: float = 10.0,
    text: str = "?",
    **figures: float | None,
) -> EvalResult:
    """An outcome; ``figures`` are named with ``_at_`` for ``@``."""
    set_name, _, identity = key.partition("/")
    named = {name.replace("_at_", "@"): value for name, value in figures.items()}
    return EvalResult(
        EvalQuestion(identity, set_name, text, answerable),
        verdict=verdict,
        gate_verdict=verdict,
        score=score,
        figures={**dict.fromkeys(MEANS), **named},
        timings_ms={"total": ms, "retrieval": ms / 2, "question": ms},
    )


def make_run(identity: int, results: Sequence[EvalResult] = (), **fields: Any) -> EvalRun:
    """A finished run over these outcomes."""
    figures, counts = summarise(results)
    known = {"kind": "ask", "sets": ("manual",), "started": WHEN, "finished": WHEN}
    return EvalRun(identity, f"run-{identity}", figures=figures, counts=counts, **(known | fields))


def build_project(root: Path) -> Path:
    """The bilingual project of the journeys, ingested, with ``QUESTIONS``."""
    write_project(root)
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
        workspace.maintenance().evaluation.save_questions(QUESTIONS)
    return root
