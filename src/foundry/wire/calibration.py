"""The JSON of ``foundry eval calibrate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field

from foundry.evaluation.calibration import JudgedQuestion
from foundry.evaluation.metrics.statistics import Bin
from foundry.messages import Message
from foundry.records import kinds
from foundry.wire.base import Timestamp, WireModel

if TYPE_CHECKING:
    from foundry.records import FittedCalibration

Bounds = Annotated[list[float] | None, Field(description="95 % interval: low, high")]
MinScore = Annotated[float, Field(description="retrieval.min_score")]
MaxFalseRefusal = Annotated[float, Field(description="the bound of --max-false-refusal")]


class GateRatesJson(WireModel):
    questions: int
    answerable: int
    auroc: kinds.Share = Field(description="0 to 1")
    gate_refusal_precision: kinds.Share = Field(description="unanswerable, of the refused")
    gate_refusal_recall: kinds.Share = Field(description="refused, of the unanswerable")
    gate_false_refusal_rate: kinds.Share = Field(description="refused, of the answerable")
    gate_false_refusal_interval: Bounds
    calibration_error: kinds.Share = Field(description="mean distance of score and share")


class GateReliabilityJson(GateRatesJson):
    reliability: list[Bin]


class LogisticJson(WireModel):
    intercept: float
    weights: dict[str, float] = Field(description="of a signal")


class GateConstantsJson(WireModel):
    shared: LogisticJson
    apart: LogisticJson | None


class GatePartJson(WireModel):
    before: GateReliabilityJson
    after: GateReliabilityJson


class RuledQuestionJson(WireModel):
    key: str
    text: str
    rule: Message


class FailedQuestionJson(WireModel):
    key: str = Field(description="set/id")
    error: Message


class GateFitJson(WireModel):
    model: str = Field(description="the embedding model, or lexical")
    mode: str = Field(description="retrieval.mode")
    min_score: MinScore
    max_false_refusal: MaxFalseRefusal
    folds: int
    current: Message = Field(description="the constants before the fit")
    fitted: Literal["line", "threshold", "milder"] = Field(description="what the questions support")
    constants: GateConstantsJson
    parts: dict[str, GatePartJson]
    refused_by_rule: list[RuledQuestionJson]
    questions: list[JudgedQuestion]
    failed: list[FailedQuestionJson]


class StoredGateFitJson(WireModel):
    model_config = ConfigDict(extra="ignore")

    questions: int
    answerable: int
    chunks: int = Field(description="in the index then")
    folds: int
    min_score: MinScore
    max_false_refusal: MaxFalseRefusal
    fitted: str = Field(description="what the questions support: line, threshold or milder")
    before: GateRatesJson
    after: GateRatesJson


class StoredFitJson(WireModel):
    model: str = Field(description="the embedding model, or lexical")
    fingerprint: str = Field(description="of the vectors that the fit belongs to")
    made: Timestamp
    holds: bool = Field(description="false if the vectors have changed; the fit is then unused")
    gate: StoredGateFitJson | None

    @classmethod
    def from_fit(cls, fitted: FittedCalibration, *, holds: bool) -> Self:
        """The fit; ``holds`` says whether it fits the vectors of now."""
        figures: dict[str, Any] = dict(fitted.figures)
        return cls.copy_fields(
            fitted,
            holds=holds,
            gate=figures.get("gate"),
        )


class CalibrationJson(WireModel):
    gate: GateFitJson | None
    better: bool | None = Field(description="null if nothing was fitted")
    reason: Message | None
    stored: bool
    forgotten: int | None = Field(description="fits that --reset removed")
    kept: list[StoredFitJson]
    notices: kinds.Notices
