"""The models of a project: which step uses which, and whether they are fit to write and to judge."""

from foundry.journeys.fitness.check import (
    Fitness,
    JudgeFitness,
    WriterFitness,
    check_fitness,
)
from foundry.journeys.fitness.overview import ModelsReport, ModelStep, describe_models
