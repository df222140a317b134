"""Fits stored with the project: used from then on, as long as their fingerprint is the vectors'."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from foundry.constants import WORDS
from foundry.craft.gate import LEXICAL
from foundry.evaluation.calibration.gate import GateFit
from foundry.evaluation.calibration.verifier import VerifierFit
from foundry.records import Fitted
from foundry.workspace import Workspace


def save_fit(workspace: Workspace, fit: GateFit | VerifierFit) -> Fitted:
    """Store a fit in place of an earlier one of its kind; the other kind stays."""
    store = workspace.store
    model = fit.model if isinstance(fit, GateFit) else LEXICAL
    fingerprint = WORDS if model == LEXICAL else (store.find_index(model) or "")
    fitted = store.evaluation.find_fitted(model)
    if fitted is None or fitted.fingerprint != fingerprint:
        fitted = Fitted(model=model, fingerprint=fingerprint, made=datetime.now(UTC))
    if isinstance(fit, GateFit):
        chunks = store.index_status(workspace.config.embedding.model).chunks
        figures = {**fitted.figures, "gate": _list_gate_figures(fit, chunks)}
        fitted = replace(fitted, gate=fit.entry, figures=figures)
    else:
        figures = {**fitted.figures, "verifier": _list_verifier_figures(fit)}
        fitted = replace(fitted, verifier=fit.entry, figures=figures)
    fitted = replace(fitted, made=datetime.now(UTC))
    store.evaluation.save_fitted(fitted)
    return fitted


def forget_fits(workspace: Workspace) -> int:
    """Remove all fits, used or stale; returns for how many models."""
    stored = workspace.store.evaluation.list_fitted()
    return sum(workspace.store.evaluation.remove_fitted(fitted.model) for fitted in stored)


def _list_gate_figures(fit: GateFit, chunks: int) -> dict[str, Any]:
    return {
        "questions": fit.whole.after.n,
        "answerable": fit.whole.after.answerable,
        "chunks": chunks,
        "folds": fit.folds,
        "min_score": fit.min_score,
        "max_false_refusal": fit.bound,
        "fitted": fit.target,
        "before": fit.whole.before.as_dict(),
        "after": fit.whole.after.as_dict(),
    }


def _list_verifier_figures(fit: VerifierFit) -> dict[str, Any]:
    return {
        "claims": fit.after.n,
        "true": fit.after.true,
        "scored": fit.scored,
        "folds": fit.folds,
        "before": fit.before.as_dict(),
        "after": fit.after.as_dict(),
    }
