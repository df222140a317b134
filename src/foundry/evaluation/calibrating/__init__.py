"""Constants fitted to a project's own labelled questions or claims, and kept with it.

``calibrate_gate`` and ``calibrate_verifier`` fit and cross-validate; ``keep`` stores what was
fitted, and from then on every search, answer, draft and verification uses it, as long as its
fingerprint is that of the vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from foundry.craft.gate import LEXICAL
from foundry.errors import UsageError
from foundry.evaluation.calibrating.cases import read_cases
from foundry.evaluation.calibrating.claims import VerifierFit, fit_verifier
from foundry.evaluation.calibrating.gate import GateFit, fit_gate
from foundry.evaluation.calibrating.kept import gate_figures, verifier_figures
from foundry.evaluation.labelled.claims import Claim
from foundry.evaluation.questions import select_questions
from foundry.journeys.calibration import LEXICAL_FINGERPRINT
from foundry.journeys.search import require_index
from foundry.ports import Progress
from foundry.records import EvalQuestion, FittedCalibration
from foundry.workspace import Workspace

__all__ = ["GateFit", "VerifierFit", "calibrate_gate", "calibrate_verifier", "forget", "keep"]

MORE = (
    "Add some: `foundry eval add`, `foundry eval import FILE`, or draft some with "
    "`foundry eval draft` and accept them."
)


def calibrate_gate(
    workspace: Workspace,
    sets: Sequence[str] = (),
    *,
    bound: float,
    folds: int,
    progress: Progress = lambda _step: None,
) -> GateFit:
    """Fit the gate to the stored, reviewed questions that say whether they are answerable.

    Raises ``UsageError`` where one of both labels is missing, ``IndexMissing`` for the hard stop.
    """
    require_index(workspace, workspace.config.retrieval.mode)
    chosen = select_questions(workspace, sets)
    labelled = [one for one in chosen if one.answerable is not None]
    _require_both(labelled, len(chosen))
    mode = workspace.config.retrieval.mode
    cases, failures = read_cases(workspace, labelled, mode, progress)
    _require_both([case.question for case in cases], len(chosen))
    return fit_gate(workspace, cases, failures, bound=bound, folds=folds, progress=progress)


def calibrate_verifier(
    claims: Sequence[Claim],
    workspace: Workspace,
    *,
    bound: float,
    folds: int,
    progress: Progress = lambda _step: None,
) -> VerifierFit:
    """Fit the score of a claim to labelled claims. Raises ``UsageError`` where a label is missing."""
    labels = {claim.label for claim in claims}
    if len(labels) < 2:
        missing = "true" if True not in labels else "false"
        raise UsageError(
            f"No claim is labelled {missing}: there is nothing to tell apart.",
            where="--claims",
            fix='Give claims of both kinds: {"claim": …, "evidence": …, "label": true or false}.',
        )
    return fit_verifier(workspace, claims, bound=bound, folds=folds, progress=progress)


def keep(workspace: Workspace, fit: GateFit | VerifierFit) -> FittedCalibration:
    """Store fitted constants in place of earlier ones of their kind; the rest stays."""
    store = workspace.store
    model = fit.model if isinstance(fit, GateFit) else LEXICAL
    fingerprint = LEXICAL_FINGERPRINT if model == LEXICAL else (store.find_index(model) or "")
    known = store.evaluation.find_fitted(model)
    same = known if known and known.fingerprint == fingerprint else None
    status = store.index_status(workspace.config.embedding.model)
    figures = dict(same.figures) if same else {}
    if isinstance(fit, GateFit):
        figures["gate"] = gate_figures(fit, status.chunks)
    else:
        figures["verifier"] = verifier_figures(fit)
    fitted = FittedCalibration(
        model=model,
        fingerprint=fingerprint,
        made=datetime.now(UTC),
        gate=same.gate if same else None,
        verifier=same.verifier if same else None,
        figures=figures,
    )
    if isinstance(fit, GateFit):
        fitted = replace(fitted, gate=fit.entry)
    else:
        fitted = replace(fitted, verifier=fit.entry)
    store.evaluation.save_fitted(fitted)
    return fitted


def forget(workspace: Workspace) -> int:
    """Remove all fitted constants, used or stale; returns how many models had some."""
    kept = workspace.store.evaluation.list_fitted()
    return sum(workspace.store.evaluation.remove_fitted(one.model) for one in kept)


def _require_both(labelled: Sequence[EvalQuestion], chosen: int) -> None:
    if not chosen:
        raise UsageError("There are no reviewed questions.", where="foundry eval", fix=MORE)
    labels = {one.answerable for one in labelled}
    if len(labels) == 2:
        return
    missing = "answerable" if True not in labels else "unanswerable"
    if not labels:
        missing = "answerable or unanswerable"
    raise UsageError(
        f"None of the {chosen:,} questions is labelled {missing}: the gate cannot learn from one "
        "kind alone.",
        where="foundry eval",
        fix=f"Label questions as answerable or not, or add others. {MORE}",
    )
