"""The JSON of a project's models: what each step uses, and how fit they are."""

from __future__ import annotations

from typing import Self

from pydantic import Field

from foundry.journeys.fitness import JudgeFitness, ModelsReport, WriterFitness
from foundry.wire.base import RecordModel


class ModelsJson(RecordModel, of=ModelsReport):
    """The models of the current mode, by step."""

    writer: WriterFitness | None = Field(description="null without --check or a writer")
    judge: JudgeFitness | None = Field(description="null without --check or a judge")

    @classmethod
    def from_record(cls, report: ModelsReport) -> Self:
        checked = report.fitness
        writer, judge = (checked.writer, checked.judge) if checked else (None, None)
        return cls.copy_fields(report, writer=writer, judge=judge)
