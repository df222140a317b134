"""Gate and verifier scores fitted to a project's own questions and claims, and stored with it."""

from foundry.evaluation.calibration.figures import ClaimRates, GateRates
from foundry.evaluation.calibration.fits import forget_fits, save_fit
from foundry.evaluation.calibration.gate import GateFit, calibrate_gate
from foundry.evaluation.calibration.verifier import VerifierFit, calibrate_verifier, read_claim

__all__ = [
    "ClaimRates",
    "GateFit",
    "GateRates",
    "VerifierFit",
    "calibrate_gate",
    "calibrate_verifier",
    "forget_fits",
    "read_claim",
    "save_fit",
]
