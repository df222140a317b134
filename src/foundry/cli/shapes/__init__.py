"""The JSON that every command prints with ``--json``: each field with its type and meaning.

``docs/json/`` is generated from this table, and the tests compare it with what the
commands print. Fields may be added in a later version; none is
renamed or changes its meaning.
"""

from __future__ import annotations

from foundry.cli.shape import Shape
from foundry.cli.shapes.build import BUILD
from foundry.cli.shapes.care import CARE
from foundry.cli.shapes.documents import DOCUMENTS
from foundry.cli.shapes.drafts import DRAFTS
from foundry.cli.shapes.evaluation_calibrating import CALIBRATING
from foundry.cli.shapes.evaluation_datasets import DATASETS
from foundry.cli.shapes.evaluation_questions import EVALUATION_QUESTIONS
from foundry.cli.shapes.evaluation_report import EVALUATION_REPORT
from foundry.cli.shapes.evaluation_runs import EVALUATION_RUNS
from foundry.cli.shapes.features import FEATURES
from foundry.cli.shapes.parts import ERROR
from foundry.cli.shapes.projects import PROJECTS
from foundry.cli.shapes.questions import QUESTIONS

__all__ = ["ERROR", "SHAPES"]

SHAPES: dict[str, Shape] = {
    **PROJECTS,
    **QUESTIONS,
    **FEATURES,
    **DOCUMENTS,
    **DRAFTS,
    **BUILD,
    **CARE,
    **CALIBRATING,
    **DATASETS,
    **EVALUATION_RUNS,
    **EVALUATION_REPORT,
    **EVALUATION_QUESTIONS,
}
