"""The gate fitted to a project's own labelled questions, and judged on questions held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foundry.craft.gate import GateCalibration, apply_calibration, get_calibration
from foundry.evaluation.calibrating.arms import Arms, Bags, arms_of, read_bags
from foundry.evaluation.calibrating.cases import Case, Failure
from foundry.evaluation.calibrating.choosing import (
    FEWEST_ANSWERABLE,
    FEWEST_UNANSWERABLE,
    Support,
    Wish,
    choose,
    deal_folds,
    support_of,
)
from foundry.evaluation.calibrating.figures import Judged, Outcome, Part, compare_parts
from foundry.evaluation.calibrating.verdict import Verdict, compare_gates
from foundry.journeys.calibration import find_project_calibration, get_calibration_model
from foundry.ports import Progress, Step
from foundry.records import SearchMode
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class GateFit:
    """New constants of the gate with what they come to, cross-validated, beside the shipped ones.

    ``entry`` has the shape of a model's entry in ``craft/gate/constants.json``. ``ridge`` is None
    where the weights stayed as they were. ``ruled`` are the answerable cases that a rule refuses,
    whatever the constants. ``parts[0]`` are all cases.
    """

    model: str
    mode: SearchMode
    min_score: float
    bound: float
    folds: int
    support: Support
    ridge: float | None
    entry: dict[str, Any]
    current: str
    judged: tuple[Judged, ...]
    parts: tuple[Part, ...]
    failures: tuple[Failure, ...]
    verdict: Verdict
    notices: tuple[str, ...]

    @property
    def ruled(self) -> tuple[Judged, ...]:
        return tuple(one for one in self.judged if one.answerable and one.after.rule)

    def rates(self) -> Part:
        """The figures of all cases."""
        return self.parts[0]


def fit_gate(
    workspace: Workspace,
    cases: Sequence[Case],
    failures: Sequence[Failure],
    *,
    bound: float,
    folds: int,
    progress: Progress,
) -> GateFit:
    """Fit the gate to cases with both labels among them; ``failures`` are told, not used.

    ``bound`` is the share of answerable questions that may be refused at the configured
    ``retrieval.min_score``. Figures come from ``folds`` parts, each seen by constants that were
    fitted to the others.
    """
    mode = workspace.config.retrieval.mode
    answerable = sum(case.answerable for case in cases)
    support = support_of(answerable, len(cases) - answerable)
    wish = Wish(workspace.config.retrieval.min_score, bound, support)
    # A project's own earlier constants saw these questions: only the shipped ones can be compared.
    model = get_calibration_model(workspace, mode)
    current = get_calibration(model)
    work = Work(cases, arms_of(model, cases), read_bags(cases), wish, model)
    folds = min(folds, len(set(work.groups)))
    held_out = cross_validate(work, folds, progress)
    whole = choose(work.bags, work.groups, np.ones(len(cases), dtype=bool), work.arms, wish)
    progress(Step("fit", folds + 1, folds + 1, "folds"))
    judged = tuple(
        _judge(case, current, after, wish.min_score)
        for case, after in zip(cases, held_out, strict=True)
    )
    parts = compare_parts(judged, wish.min_score)
    return GateFit(
        model=model,
        mode=mode,
        min_score=wish.min_score,
        bound=bound,
        folds=folds,
        support=support,
        ridge=whole.ridge,
        entry=whole.betas.as_entry(work.arms),
        current=_name(current),
        judged=judged,
        parts=parts,
        failures=tuple(failures),
        verdict=compare_gates(judged, parts[0].before, parts[0].after, bound),
        notices=(*_notices(cases, judged, wish), *_earlier(workspace, model)),
    )


@dataclass(frozen=True, slots=True)
class Work:
    """What a fit works on."""

    cases: Sequence[Case]
    arms: Arms
    bags: Bags
    wish: Wish
    model: str

    @property
    def groups(self) -> list[str]:
        return [case.group for case in self.cases]


def cross_validate(work: Work, folds: int, progress: Progress) -> list[GateCalibration]:
    """Constants for each case that never saw it, nor any of its group."""
    every = np.ones(len(work.cases), dtype=bool)
    dealt: npt.NDArray[np.int64] = deal_folds(work.groups, every, folds)
    fitted = []
    for fold in range(folds):
        choice = choose(work.bags, work.groups, dealt != fold, work.arms, work.wish)
        fitted.append(choice.betas.as_calibration(work.arms, work.model))
        progress(Step("fit", fold + 1, folds + 1, "folds"))
    return [fitted[fold] for fold in dealt]


def _judge(case: Case, current: GateCalibration, new: GateCalibration, min_score: float) -> Judged:
    before = apply_calibration(case.reading, current)
    shared = before.best is None or before.signals[before.best].shared
    return Judged(
        key=case.question.key,
        text=case.question.text,
        answerable=case.answerable,
        language=case.language,
        arm="one language" if shared else "across languages",
        before=_outcome(case, current, min_score),
        after=_outcome(case, new, min_score),
    )


def _outcome(case: Case, constants: GateCalibration, min_score: float) -> Outcome:
    scored = apply_calibration(case.reading, constants)
    score = max(scored.relevances, default=0.0)
    rule = ""
    if scored.unmentioned:
        rule = f"no source mentions: {', '.join(scored.unmentioned)}"
    elif scored.off_topic:
        rule = "it is about something else than the sources"
    elif not scored.signals:
        rule = "nothing was found"
    return Outcome(score, min_score > 0 and (score < min_score or bool(rule)), rule)


def _name(current: GateCalibration) -> str:
    return "shipped" if current.calibrated else "shipped, for words alone"


def _earlier(workspace: Workspace, model: str) -> list[str]:
    own = find_project_calibration(workspace, model)
    if own is None or own.gate is None:
        return []
    said = f"The project's own constants of {own.made:%Y-%m-%d} are not compared, the shipped are"
    return [f"{said}: figures of what was fitted to these questions would be too kind."]


def _notices(cases: Sequence[Case], judged: Sequence[Judged], wish: Wish) -> list[str]:
    answerable = sum(case.answerable for case in cases)
    told = []
    if wish.support == "milder":
        told.append(
            f"{answerable} answerable questions are too few to place a threshold "
            f"({FEWEST_ANSWERABLE} are needed): the constants were only made milder."
        )
    elif wish.support == "threshold":
        told.append(
            f"{len(cases) - answerable} unanswerable questions are too few to fit weights "
            f"({FEWEST_UNANSWERABLE} are needed): only the threshold was placed anew."
        )
    if 1 / (answerable + 1) > wish.bound and wish.support != "milder":
        told.append(
            f"{answerable} answerable questions can promise no bound below "
            f"{1 / (answerable + 1):.1%}: the threshold lets all of them pass."
        )
    if not wish.min_score:
        told.append(
            "retrieval.min_score is 0: nothing is refused, and only the scores were fitted."
        )
    ruled = sum(one.answerable and bool(one.after.rule) for one in judged)
    if answerable and ruled / answerable > wish.bound:
        told.append(
            f"The rules alone refuse {ruled} of {answerable} answerable questions "
            f"({ruled / answerable:.1%}), more than the bound of {wish.bound:.1%}: "
            "no constants can keep it. -v lists them."
        )
    return told
