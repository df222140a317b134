"""Runs: stored questions through the real journeys, with every outcome kept."""

from foundry.evaluation.runs.request import RunRequest
from foundry.evaluation.runs.run import run_questions
