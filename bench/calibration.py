"""Calibration on the example project's questions: what it gives, and how many questions it needs.

Twice: with the built-in embedding model as it ships, and as if the shipped table did not know it
(the same vectors under another name), as any new model is at first. *Cross-validated*: constants
that never saw the question. *Learning curve*: constants from some questions, drawn by expected
source, judged on all the others; means of many draws, and the worst tenth of the rates of answerable
questions refused.

The shipped constants were fitted to these very questions among others (those in one language), so
the figures before a fit are kinder than they would be to a project of somebody else's.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.own_questions import QUESTIONS
from bench.startup import EXAMPLE
from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.gate import GateCalibration, apply_calibration, get_calibration
from foundry.evaluation.calibration.gate import (
    GateCase,
    ScoredCases,
    ScoreLine,
    choose_target,
    cross_validate,
    move_calibration,
    read_cases,
    score_cases,
)
from foundry.evaluation.metrics.statistics import calibration_error, measure_gate, reliability
from foundry.journeys.ingest import ingest
from foundry.records import EvalQuestion, Expectation
from foundry.workspace import open_workspace

UNKNOWN = "unknown/model"
MODELS = {BUILTIN_EMBEDDING: "built-in model", UNKNOWN: "the same vectors, unknown"}
SIZES = (10, 20, 30, 45, 60, 90, 120, 150)
DRAWS = 12
FOLDS = 10
MIN_SCORE, BOUND = 0.2, 0.05
KINDS = ("one language", "cross_language", "near_miss", "off_topic")

Flags = npt.NDArray[np.bool_]


def measure(_data: Path | None) -> Iterator[str]:
    cases = _cases()
    yield from _validated(cases)
    yield ""
    yield from _curve(cases)


def _cases() -> list[GateCase]:
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        shutil.copytree(EXAMPLE, root)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            ingest(workspace)
            questions = [_question(row) for row in rows]
            return read_cases(workspace, questions, "hybrid", lambda _step: None)[0]


def _question(row: dict[str, object]) -> EvalQuestion:
    also = row.get("also") or ()
    assert isinstance(also, list | tuple)
    paths = [str(path) for path in (row.get("source"), *also) if path]
    kind = str(row["kind"])
    return EvalQuestion(
        str(row["id"]), "example", str(row["text"]), bool(row["answerable"]), str(row["language"]),
        tuple(Expectation(path) for path in paths), tags=(kind if kind in KINDS else "one language",),
    )  # fmt: skip


def _validated(cases: Sequence[GateCase]) -> Iterator[str]:
    names = " | ".join(f"refused: {kind}" for kind in KINDS)
    yield f"| constants | AUROC | refused wrongly | rightly | calibration error | {names} |"
    yield f"|---|---|---|---|---|{'---|' * len(KINDS)}"
    every = np.ones(len(cases), dtype=bool)
    for model, name in MODELS.items():
        current = get_calibration(model)
        yield f"| {name}, before | {_row(cases, [current] * len(cases), every)} |"
        yield f"| {name}, after | {_row(cases, _held_out(cases, model), every)} |"


def _held_out(cases: Sequence[GateCase], model: str) -> list[GateCalibration]:
    shipped = get_calibration(model)
    scored = score_cases(cases, shipped)
    groups = [case.group for case in cases]
    lines, _ = cross_validate(groups, FOLDS, lambda part: _fit(scored, part))
    return [move_calibration(shipped, line) for line in lines]


def _fit(scored: ScoredCases, part: Flags) -> ScoreLine:
    answerable = int(scored.label[part].sum())
    target = choose_target(answerable, int(part.sum()) - answerable)
    return scored.fit(part, target, MIN_SCORE, BOUND)


def _row(cases: Sequence[GateCase], constants: Sequence[GateCalibration], part: Flags) -> str:
    found = _figures(cases, constants, part)
    shares = [_share(found.refused, found.kinds == kind) for kind in KINDS]
    head = (found.auroc, found.wrongly, found.rightly, found.error)
    return " | ".join("-" if value is None else f"{value:.3f}" for value in (*head, *shares))


@dataclass(frozen=True)
class _Found:
    auroc: float | None
    wrongly: float | None
    rightly: float | None
    error: float | None
    refused: Flags
    kinds: npt.NDArray[np.str_]


def _figures(
    cases: Sequence[GateCase], constants: Sequence[GateCalibration], part: Flags
) -> _Found:
    chosen = [(case, one) for case, one, kept in zip(cases, constants, part, strict=True) if kept]
    weighed = [apply_calibration(case.reading, one) for case, one in chosen]
    scores = [max(scored.relevances, default=0.0) for scored in weighed]
    refused = [
        score < MIN_SCORE or scored.missing.absent is not None
        for score, scored in zip(scores, weighed, strict=True)
    ]
    labels = [case.answerable for case, _ in chosen]
    gate = measure_gate(scores, labels, refused)
    error = calibration_error(reliability(scores, labels))
    kinds = np.array([case.question.tags[0] for case, _ in chosen])
    return _Found(
        gate.auroc, gate.false_refusal_rate, gate.refusal_recall, error, np.array(refused), kinds
    )


def _share(refused: Flags, part: npt.NDArray[np.bool_]) -> float | None:
    return float(refused[part].mean()) if part.any() else None


def _curve(cases: Sequence[GateCase]) -> Iterator[str]:
    yield "| questions | | AUROC | refused wrongly (worst tenth) | rightly | calibration error |"
    yield "|---|---|---|---|---|---|"
    for model, name in MODELS.items():
        for size in SIZES:
            rows = [_draw(cases, model, size, seed) for seed in range(DRAWS)]
            found = np.array([row for row in rows if row is not None], dtype=float)
            auroc, wrongly, rightly, error = found.mean(axis=0)
            worst = np.quantile(found[:, 1], 0.9)
            yield (
                f"| {size} | {name} | {auroc:.3f} | {wrongly:.3f} ({worst:.3f}) | {rightly:.3f} "
                f"| {error:.3f} |"
            )


def _draw(
    cases: Sequence[GateCase], model: str, size: int, seed: int
) -> tuple[float | None, ...] | None:
    """Fit on about ``size`` questions, judge on the rest; None where a label is missing."""
    groups = sorted({case.group for case in cases})
    part = np.zeros(len(cases), dtype=bool)
    for at in np.random.default_rng(seed).permutation(len(groups)):
        same = np.array([case.group == groups[at] for case in cases])
        if part.sum() + same.sum() <= size:
            part |= same
    if len({case.answerable for case, kept in zip(cases, part, strict=True) if kept}) < 2:
        return None
    shipped = get_calibration(model)
    line = _fit(score_cases(cases, shipped), part)
    found = _figures(cases, [move_calibration(shipped, line)] * len(cases), ~part)
    return (found.auroc, found.wrongly, found.rightly, found.error)
