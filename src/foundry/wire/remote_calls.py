"""The JSON of what requests to models cost, and of what they send where."""

from __future__ import annotations

from pydantic import Field

from foundry.wire import fields
from foundry.wire.base import MessageJson, UsageJson, WireModel


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


class DestinationJson(WireModel):
    key: str = Field(description="the configuration key")
    value: str = Field(description="the model or address; may be empty")
    host: str = Field(
        description="host with port, or where on this machine; empty if there is none"
    )
    local: bool = Field(description="no text leaves this machine")
    used: bool = Field(description="by the current mode and settings")
    sends: list[MessageJson] = Field(description="what would be sent")


class PrivacyJson(WireModel):
    """What the configuration sends where."""

    private: bool = Field(description="nothing leaves this machine")
    destinations: list[DestinationJson]
