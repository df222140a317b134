"""What the gate would refuse and let through at other thresholds, from the scores of one run.

Nothing is asked again: a run keeps the gate's score of each question. Below the threshold of the
run, an answerable question that it refused has no answer to judge, so only the questions without an
answer count as wrong there, besides the answers that the run has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from foundry.doc import Doc
from foundry.evaluation.metrics.statistics import is_apt
from foundry.messages import Message
from foundry.records import EvalResult, EvalRun

_STEPS = 20
"""Thresholds from 0 to 1: as many as a reader can tell apart in a plot."""


@dataclass(frozen=True, slots=True)
class GatePoint:
    """The questions by what becomes of them at a threshold."""

    threshold: Annotated[float, Doc("0 to 1", digits=4)]
    refused_wrongly: Annotated[int, Doc("refused although the sources have the answer")]
    refused_rightly: Annotated[int, Doc("refused, and the sources have no answer")]
    passed_wrongly: Annotated[
        int, Doc("let through without an answer in the sources, or answered wrongly")
    ]
    passed: Annotated[int, Doc("let through in all")]


@dataclass(frozen=True, slots=True)
class GateCurve:
    """A run's questions at each threshold, that of the run among them."""

    run: Annotated[int, Doc("id")]
    chosen: Annotated[float, Doc("the run's retrieval.min_score", digits=4)]
    answerable: int
    unanswerable: int
    by_rule: Annotated[int, Doc("refused by a rule, whatever the threshold")]
    points: tuple[GatePoint, ...]
    notices: Annotated[tuple[Message, ...], Doc("what the curve does not show")]

    @property
    def at_chosen(self) -> Annotated[GatePoint, Doc("the point at the threshold of the run")]:
        """The point at the threshold of the run."""
        return next(point for point in self.points if point.threshold == self.chosen)


def draw_gate_curve(run: EvalRun, results: Sequence[EvalResult]) -> GateCurve | None:
    """Return the curve of a run; None unless it has questions with and without an answer."""
    scored = [
        one for one in results if one.score is not None and one.question.answerable is not None
    ]
    answerable = sum(one.question.answerable is True for one in scored)
    if not 0 < answerable < len(scored):
        return None
    chosen = round(float(run.config.get("retrieval.min_score", 0.0)), 4)
    thresholds = sorted({chosen, *(number / _STEPS for number in range(_STEPS + 1))})
    return GateCurve(
        run.id,
        chosen,
        answerable,
        len(scored) - answerable,
        sum(_is_ruled_out(one, chosen) for one in scored),
        tuple(_count(scored, threshold, chosen) for threshold in thresholds),
        tuple(_list_limits(run, chosen)),
    )


def _count(results: Sequence[EvalResult], threshold: float, chosen: float) -> GatePoint:
    shut = [_is_ruled_out(one, chosen) or (one.score or 0.0) < threshold for one in results]
    pairs = list(zip(results, shut, strict=True))
    passed = [one for one, refused in pairs if not refused]
    return GatePoint(
        threshold,
        sum(refused and one.question.answerable is True for one, refused in pairs),
        sum(refused and one.question.answerable is False for one, refused in pairs),
        sum(_is_wrong(one) for one in passed),
        len(passed),
    )


def _is_ruled_out(result: EvalResult, chosen: float) -> bool:
    """Whether the gate refused it for another reason than its score."""
    return result.gate_verdict == "no_evidence" and (result.score or 0.0) >= chosen


def _is_wrong(result: EvalResult) -> bool:
    if result.question.answerable is False:
        return True
    return result.verdict != "no_evidence" and is_apt(result) is False


def _list_limits(run: EvalRun, chosen: float) -> list[Message]:
    fitted = str(run.versions.get("gate", "shipped")).startswith("fitted")
    held_out = Message("eval-curve-fitted" if fitted else "eval-curve-shipped")
    below = [Message("eval-curve-below", threshold=chosen)] if chosen else []
    return [held_out, *below]
