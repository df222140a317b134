"""The JSON of what requests to models cost."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from foundry.records import Spending
from foundry.wire.base import RecordModel, WireModel


class SpendingLimitsJson(WireModel):
    cost_per_run: float | None = Field(description="US dollars")
    cost_per_day: float | None = Field(description="US dollars")
    tokens_per_run: int | None
    tokens_per_day: int | None
    time_zone: str | None = Field(description="null for the machine's own")


class SpendingJson(RecordModel, of=Spending):
    """What requests to models took."""

    since: date | None = Field(description="first day, as given")
    until: date | None = Field(description="last day, as given")
    limits: SpendingLimitsJson
