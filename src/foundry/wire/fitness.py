"""The JSON of a project's models: what each step uses, and how fit they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field

from foundry.wire import fields
from foundry.wire.base import MessageJson, WireModel

if TYPE_CHECKING:
    from foundry.journeys.fitness import JudgeFitness, ModelsReport, WriterFitness


class ModelPriceJson(WireModel):
    prompt: float | None = Field(description="US dollars for a million tokens read")
    completion: float | None = Field(description="US dollars for a million tokens written")


class ModelStepJson(WireModel):
    key: str = Field(description="the configuration key")
    model: str
    host: str = Field(description="host with port, or where on this machine")
    local: bool = Field(description="no text leaves this machine")
    reach: Literal["ready", "failed", "not_asked"] = Field(
        description="not_asked: on another machine, which only --check asks"
    )
    problem: MessageJson | None = Field(description="why it cannot be used")
    window: int | None = Field(description="tokens that it reads at once")
    price: ModelPriceJson


class LocalModelJson(WireModel):
    name: str
    window: int | None = Field(description="null where the server does not say")
    writes: bool = Field(description="false for embedding and reranking models")


class LocalServerJson(WireModel):
    name: str = Field(description="Ollama, LM Studio, llama.cpp or vLLM")
    address: str
    models: list[LocalModelJson]


class WriterCaseJson(WireModel):
    question: str
    language: fields.Language
    answerable: bool = Field(description="false if the passages have no answer")
    said: str = Field(description="what the model wrote, as far as it could be read")
    flaws: list[MessageJson]


class WriterFitnessJson(WireModel):
    model: str
    fit: bool
    verdict: MessageJson
    questions: int = Field(description="to ask; cases has those that were answered in time")
    cases: list[WriterCaseJson]
    problem: MessageJson | None = Field(description="why it ended early")


class PlantedStatementJson(WireModel):
    text: str
    language: fields.Language
    error: Literal["number", "unit", "negation", "subject", "condition"] | None = Field(
        description="what is wrong with it; null if it is true"
    )


class JudgeFitnessJson(WireModel):
    model: str
    fit: bool
    verdict: MessageJson
    errors: int = Field(description="statements with a planted error that it read")
    missed: list[PlantedStatementJson] = Field(description="those that it took for true")
    truths: int = Field(description="true statements that it read")
    rejected: list[PlantedStatementJson] = Field(description="those that it did not support")
    problem: MessageJson | None = Field(description="why it ended early")


class ModelsJson(WireModel):
    """The models of the current mode, by step."""

    steps: list[ModelStepJson]
    servers: list[LocalServerJson] = Field(description="that answer on this machine")
    fit: bool | None = Field(description="null without --check")
    writer: WriterFitnessJson | None = Field(description="null without --check or a writer")
    judge: JudgeFitnessJson | None = Field(description="null without --check or a judge")

    @classmethod
    def from_record(cls, report: ModelsReport) -> Self:
        checked = report.fitness
        writer: WriterFitness | None = checked.writer if checked else None
        judge: JudgeFitness | None = checked.judge if checked else None
        return cls.copy_fields(report, writer=writer, judge=judge)
