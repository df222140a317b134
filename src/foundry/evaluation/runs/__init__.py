"""Runs: stored questions through the real journeys, with every outcome kept."""

from foundry.evaluation.runs.run import RunRequest, run_questions
