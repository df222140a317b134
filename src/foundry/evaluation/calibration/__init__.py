"""The gate's scores fitted to a project's own questions, and stored with it."""

from foundry.evaluation.calibration.fits import CalibrationFit, forget_fits, save_fit
from foundry.evaluation.calibration.gate import calibrate_gate
