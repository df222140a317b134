"""Which questions went worst, by a rule that the report states.

Errors come first, then refusals of answerable questions (lowest gate score first), answers to
unanswerable ones (highest first), expected places that are not all among the first ten hits, shown
passages without the gold, and last answers that share few words with the expected ones. An answer
that contains every word of an expected one is no fault: a whole sentence around a short answer has a
low F1 by nature. Passages are no answer, so showing them is no fault of an unanswerable question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from foundry.evaluation.metrics.statistics import final_verdict, is_right
from foundry.records import EvalResult

Fault = Literal["error", "wrong_refusal", "wrong_answer", "missing", "not_shown", "low_f1"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
DEPTH = 10
"""Hits in which an expected place must be: as many as ``retrieval.top_k`` gives by default."""


@dataclass(frozen=True, slots=True)
class FaultyResult:
    """An outcome with its faults, the most serious first."""

    result: EvalResult
    faults: tuple[Fault, ...]


def find_faulty(results: Sequence[EvalResult]) -> list[FaultyResult]:
    """All outcomes with a fault, the worst first."""
    bad = [FaultyResult(result, faults) for result in results if (faults := find_faults(result))]
    return sorted(bad, key=_severity)


def find_faults(result: EvalResult) -> tuple[Fault, ...]:
    """The faults of an outcome; a failed one has only its error."""
    if result.error is not None:
        return ("error",)
    label, figures = result.question.answerable, result.figures
    recall, f1, gold = (figures.get(name) for name in (f"recall@{DEPTH}", "f1", "shown_gold"))
    verdict = final_verdict(result)
    refused = verdict == "no_evidence"
    faults: dict[Fault, bool] = {
        "wrong_refusal": label is True and refused,
        "wrong_answer": label is False and verdict in ("answer", "low_confidence"),
        "missing": recall is not None and recall < 1,
        "not_shown": gold == 0 and not refused,
        "low_f1": f1 is not None and is_right(result) is False,
    }
    return tuple(fault for fault in FAULTS if faults.get(fault))


def find_first_right(result: EvalResult, place: int | None = None) -> int | None:
    """The rank, from 1, of the first hit that covers an expected place, or the given one."""
    ranks = (
        rank
        for rank, hit in enumerate(result.ranking, start=1)
        if (hit.covers if place is None else place in hit.covers)
    )
    return next(ranks, None)


def _severity(bad: FaultyResult) -> tuple[int, tuple[float, ...], str]:
    result, worst = bad.result, bad.faults[0]
    score, figures = result.score or 0.0, result.figures
    by_answer = (figures.get("answer_recall") or 0.0, figures.get("f1") or 0.0)
    order: dict[Fault, tuple[float, ...]] = {
        "error": (),
        "wrong_refusal": (score,),
        "wrong_answer": (-score,),
        "missing": (figures.get(f"recall@{DEPTH}") or 0.0, figures.get("mrr") or 0.0, *by_answer),
        "not_shown": (score,),
        "low_f1": by_answer,
    }
    return FAULTS.index(worst), order[worst], result.question.key
