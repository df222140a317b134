"""What ``foundry eval calibrate --json`` prints, with its declared form beside it in ``shapes``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foundry.constants import holds, stale_notice
from foundry.evaluation.calibrating import GateFit, VerifierFit
from foundry.evaluation.calibrating.figures import ClaimRates, GateRates, Judged, Outcome
from foundry.evaluation.calibrating.kept import claim_rates, gate_rates
from foundry.evaluation.metrics.gate import Bin
from foundry.records import Fitted
from foundry.workspace import Workspace


def calibration_as_dict(
    workspace: Workspace,
    *,
    fit: GateFit | VerifierFit | None = None,
    stored: bool = False,
    forgotten: int | None = None,
    notices: Sequence[str] = (),
) -> dict[str, Any]:
    """One document for every form of the command; ``kept`` is what is stored now."""
    kept = workspace.store.evaluation.list_fitted()
    stale = (
        None if stored or forgotten else stale_notice(workspace, workspace.config.retrieval.mode)
    )
    return {
        "gate": _gate(fit) if isinstance(fit, GateFit) else None,
        "verifier": _verifier(fit) if isinstance(fit, VerifierFit) else None,
        "better": fit.verdict.better if fit else None,
        "reason": fit.verdict.reason if fit else None,
        "stored": stored,
        "forgotten": forgotten,
        "kept": [_kept(workspace, one) for one in kept],
        "notices": [*notices, *([stale] if stale else [])],
    }


def _gate(fit: GateFit) -> dict[str, Any]:
    return {
        "model": fit.model,
        "mode": fit.mode,
        "min_score": fit.min_score,
        "max_false_refusal": fit.bound,
        "folds": fit.folds,
        "current": fit.current,
        "fitted": fit.support,
        "ridge": fit.ridge,
        "constants": {"shared": fit.entry["shared"], "apart": fit.entry.get("apart")},
        "parts": {
            part.name: {"before": _gate_rates(part.before), "after": _gate_rates(part.after)}
            for part in fit.parts
        },
        "refused_by_rule": [
            {"key": one.key, "text": one.text, "rule": one.after.rule} for one in fit.ruled
        ],
        "questions": [_question(one) for one in fit.judged],
        "failed": [{"key": one.key, "error": one.error} for one in fit.failures],
    }


def _verifier(fit: VerifierFit) -> dict[str, Any]:
    return {
        "folds": fit.folds,
        "scored": fit.scored,
        "ridge": fit.ridge,
        "constants": fit.entry,
        "before": _claim_rates(fit.before),
        "after": _claim_rates(fit.after),
    }


def _gate_rates(rates: GateRates) -> dict[str, Any]:
    return {**gate_rates(rates), "reliability": _bins(rates.reliability)}


def _claim_rates(rates: ClaimRates) -> dict[str, Any]:
    return {**claim_rates(rates), "reliability": _bins(rates.reliability)}


def _bins(bins: Sequence[Bin]) -> list[dict[str, float]]:
    return [
        {"low": one.low, "high": one.high, "n": one.n, "mean": round(one.mean, 4),
         "true": round(one.true, 4)}
        for one in bins
    ]  # fmt: skip


def _question(one: Judged) -> dict[str, Any]:
    return {
        "key": one.key,
        "text": one.text,
        "answerable": one.answerable,
        "language": one.language,
        "arm": one.arm,
        "before": _outcome(one.before),
        "after": _outcome(one.after),
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "score": round(outcome.score, 4),
        "refused": outcome.refused,
        "rule": outcome.rule or None,
    }


def _kept(workspace: Workspace, fitted: Fitted) -> dict[str, Any]:
    return {
        "model": fitted.model,
        "fingerprint": fitted.fingerprint,
        "made": fitted.made.isoformat(),
        "holds": holds(workspace, fitted),
        "gate": fitted.figures.get("gate") if fitted.gate is not None else None,
        "verifier": fitted.figures.get("verifier") if fitted.verifier is not None else None,
    }
