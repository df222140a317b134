"""The keys of spending."""

from __future__ import annotations

import zoneinfo

from pydantic import Field, field_validator

from foundry.config.section import KeySection, make_rule_error


class SpendingConfig(KeySection):
    """What calls of models may cost; a call that would exceed a limit is not made."""

    cost_per_run: float | None = Field(
        None, ge=0, description="Most US dollars of one command; for serve, while it runs."
    )
    cost_per_day: float | None = Field(
        None,
        ge=0,
        description="Most US dollars of the project in a day, by all processes together.",
    )
    tokens_per_run: int | None = Field(
        None, ge=0, description="Most tokens, sent and received, of one command."
    )
    tokens_per_day: int | None = Field(
        None,
        ge=0,
        description="Most tokens of the project in a day. Set it for models without a known price,"
        " which no limit of cost stops.",
    )
    time_zone: str | None = Field(
        None,
        description="Where a day begins at midnight, such as Europe/Amsterdam; by default the"
        " machine's own zone.",
    )

    @field_validator("time_zone")
    @classmethod
    def _is_a_zone(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                zoneinfo.ZoneInfo(value)
            except (OSError, ValueError, KeyError) as error:
                raise make_rule_error("config-time-zone", zone=value) from error
        return value

    def get_zone(self) -> zoneinfo.ZoneInfo | None:
        """The zone of a day; None for the machine's own."""
        return zoneinfo.ZoneInfo(self.time_zone) if self.time_zone else None
