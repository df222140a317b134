"""Data sets in BEIR form, measured as stored questions of a cached project."""

from foundry.evaluation.dataset.beir import read_dataset
from foundry.evaluation.dataset.configs import DEFAULT, read_config_file
from foundry.evaluation.dataset.measure import (
    MODES,
    DatasetReport,
    Measurement,
    ModeFigures,
    evaluate_dataset,
    measurable_queries,
)
from foundry.evaluation.dataset.project import DocumentForm, open_dataset
from foundry.evaluation.dataset.table import format_questions, question_rows, require_format
