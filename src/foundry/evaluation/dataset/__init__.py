"""Measure a data set in BEIR form through the product's own ingest and search.

No project is needed: one is made in a cache folder, keyed by the corpus and by everything that
decides its chunks and vectors, so that a second run measures at once and one that was cut short
goes on. Each document becomes one source; a ranking of chunks becomes a ranking of documents by
each document's best chunk, and of spans where the set has them.
"""

from foundry.evaluation.dataset.beir import read_dataset
from foundry.evaluation.dataset.figures import ArmFigures, Difference
from foundry.evaluation.dataset.projects import Form, open_dataset
from foundry.evaluation.dataset.report import DatasetReport, Measured
from foundry.evaluation.dataset.running import (
    ARMS,
    evaluate_dataset,
    measured_queries,
    spread_queries,
)
from foundry.evaluation.dataset.setups import DEFAULT, Setup, read_setup
from foundry.evaluation.dataset.tabling import question_rows, questions_text, require_format
from foundry.evaluation.measuring.metrics import measure_rankings

__all__ = [
    "ARMS",
    "DEFAULT",
    "ArmFigures",
    "DatasetReport",
    "Difference",
    "Form",
    "Measured",
    "Setup",
    "evaluate_dataset",
    "measure_rankings",
    "measured_queries",
    "open_dataset",
    "question_rows",
    "questions_text",
    "read_dataset",
    "read_setup",
    "require_format",
    "spread_queries",
]
