"""Which questions went worst, by a rule that the report states.

Errors first, then refusals of what has an answer (the lowest gate score first), answers to what
has none (the highest first), expected places that are not all among the first ten hits, and last
answers that share little with the expected ones. An answer that says a whole expected one among
other things is not at fault: whole sentences around a short answer have a low F1 by nature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from foundry.evaluation.metrics.statistics import final_verdict
from foundry.evaluation.report.examined import refused
from foundry.records import EvalResult

Fault = Literal["error", "wrong_refusal", "wrong_answer", "missing", "low_f1"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
DEPTH = 10
LOW_F1 = 0.5


@dataclass(frozen=True, slots=True)
class Bad:
    """An outcome with what is wrong with it, the gravest first."""

    result: EvalResult
    faults: tuple[Fault, ...]


def find_bad(results: Sequence[EvalResult]) -> list[Bad]:
    """Every outcome with a fault, the worst first."""
    bad = [Bad(one, faults) for one in results if (faults := faults_of(one))]
    return sorted(bad, key=_gravity)


def faults_of(result: EvalResult) -> tuple[Fault, ...]:
    """What is wrong with an outcome; of one that failed nothing else is known."""
    if result.error is not None:
        return ("error",)
    label, figures = result.question.answerable, result.figures
    recall, f1, held = (figures.get(name) for name in (f"recall@{DEPTH}", "f1", "answer_recall"))
    found: dict[Fault, bool] = {
        "wrong_refusal": label is True and refused(result),
        "wrong_answer": label is False
        and final_verdict(result) is not None
        and not refused(result),
        "missing": recall is not None and recall < 1,
        "low_f1": f1 is not None and f1 < LOW_F1 and held != 1 and not refused(result),
    }
    return tuple(fault for fault in FAULTS if found.get(fault))


def first_right(result: EvalResult, place: int | None = None) -> int | None:
    """The rank of the first hit that covers an expected place, or that one; from 1."""
    ranks = (
        rank
        for rank, hit in enumerate(result.ranking, start=1)
        if (hit.covers if place is None else place in hit.covers)
    )
    return next(ranks, None)


def _gravity(bad: Bad) -> tuple[int, tuple[float, ...], str]:
    result, worst = bad.result, bad.faults[0]
    score, figures = result.score or 0.0, result.figures
    by_answer = (figures.get("answer_recall") or 0.0, figures.get("f1") or 0.0)
    order: dict[Fault, tuple[float, ...]] = {
        "error": (),
        "wrong_refusal": (score,),
        "wrong_answer": (-score,),
        "missing": (figures.get(f"recall@{DEPTH}") or 0.0, figures.get("mrr") or 0.0, *by_answer),
        "low_f1": by_answer,
    }
    return FAULTS.index(worst), order[worst], result.question.key
