"""Data sets in BEIR form, measured as stored questions of a cached project."""

from foundry.evaluation.dataset.project import (
    DEFAULT,
    MODES,
    DatasetReport,
    Measurement,
    ModeFigures,
    evaluate_dataset,
    read_config_file,
)
