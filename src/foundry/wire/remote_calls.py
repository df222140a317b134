"""The JSON of what requests to models cost, and of what they send where."""

from __future__ import annotations

from pydantic import Field

from foundry.wire import fields
from foundry.wire.base import UsageJson, WireModel


class SpendingRowJson(WireModel):
    day: fields.Day
    command: str = Field(description="ask, ingest, …; python for the Python API")
    model: str
    usage: UsageJson = Field(description="its cost is of the calls with a known price")
    unpriced: int = Field(description="calls whose price is not known")


class SpendingLimitsJson(WireModel):
    cost_per_run: float | None = Field(description="US dollars")
    cost_per_day: float | None = Field(description="US dollars")
    tokens_per_run: int | None
    tokens_per_day: int | None
    time_zone: str | None = Field(description="null for the machine's own")


class SpendingJson(WireModel):
    """What requests to models took."""

    since: fields.Day | None = Field(description="first day, as given")
    until: fields.Day | None = Field(description="last day, as given")
    rows: list[SpendingRowJson]
    total: UsageJson
    unpriced: int = Field(description="calls whose price is not known")
    day: fields.Day = Field(description="today, in the time zone of the limits")
    today: UsageJson
    limits: SpendingLimitsJson
