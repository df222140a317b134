"""What is kept with fitted constants: on what they were fitted, and what they came to."""

from __future__ import annotations

from typing import Any

from foundry.evaluation.calibrating.claims import VerifierFit
from foundry.evaluation.calibrating.figures import ClaimRates, GateRates
from foundry.evaluation.calibrating.gate import GateFit


def gate_figures(fit: GateFit, chunks: int) -> dict[str, Any]:
    """Of the gate; ``chunks`` is how many the index held."""
    found = fit.rates()
    return {
        "questions": found.after.n,
        "answerable": found.after.answerable,
        "chunks": chunks,
        "folds": fit.folds,
        "min_score": fit.min_score,
        "max_false_refusal": fit.bound,
        "fitted": fit.support,
        "ridge": fit.ridge,
        "before": gate_rates(found.before),
        "after": gate_rates(found.after),
    }


def verifier_figures(fit: VerifierFit) -> dict[str, Any]:
    """Of the verifier."""
    return {
        "claims": fit.after.n,
        "true": fit.after.true,
        "scored": fit.scored,
        "folds": fit.folds,
        "ridge": fit.ridge,
        "before": claim_rates(fit.before),
        "after": claim_rates(fit.after),
    }


def gate_rates(rates: GateRates) -> dict[str, Any]:
    """The gate's figures as they are kept and printed."""
    return {
        "questions": rates.n,
        "answerable": rates.answerable,
        "auroc": _rounded(rates.auroc),
        "gate_refusal_precision": _rounded(rates.refusal_precision),
        "gate_refusal_recall": _rounded(rates.refusal_recall),
        "gate_false_refusal_rate": _rounded(rates.false_refusal_rate),
        "gate_false_refusal_interval": _interval(rates.interval),
        "calibration_error": _rounded(rates.calibration_error),
    }


def claim_rates(rates: ClaimRates) -> dict[str, Any]:
    """The verifier's figures as they are kept and printed."""
    return {
        "claims": rates.n,
        "true": rates.true,
        "auroc": _rounded(rates.auroc),
        "balanced_accuracy": _rounded(rates.balanced_accuracy),
        "precision": _rounded(rates.precision),
        "lost": _rounded(rates.lost),
        "lost_interval": _interval(rates.lost_interval),
        "passed": _rounded(rates.passed),
        "passed_interval": _interval(rates.passed_interval),
        "calibration_error": _rounded(rates.calibration_error),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _interval(bounds: tuple[float, float] | None) -> list[float] | None:
    return None if bounds is None else [round(bound, 4) for bound in bounds]
