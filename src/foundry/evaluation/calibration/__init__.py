"""Gate and verifier scores fitted to a project's own questions and claims, and stored with it."""

from foundry.evaluation.calibration.fits import CalibrationFit, forget_fits, save_fit
from foundry.evaluation.calibration.gate import calibrate_gate
from foundry.evaluation.calibration.verifier import calibrate_verifier, read_claim
