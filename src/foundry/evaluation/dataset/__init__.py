"""Data sets in BEIR form, measured as stored questions of a cached project."""

from foundry.evaluation.dataset.measure import (
    MODES,
    DatasetReport,
    Measurement,
    ModeFigures,
    evaluate_dataset,
)
from foundry.evaluation.dataset.project import DEFAULT, read_config_file
