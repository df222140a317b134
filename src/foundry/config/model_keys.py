"""The keys of language models: which one writes, how servers are called, what it may cost."""

from __future__ import annotations

import zoneinfo
from typing import Annotated, Literal

from pydantic import Field, field_validator

from foundry.config.sections import ConfigSection, make_rule_error


class ModeModels(ConfigSection):
    """The generator of one mode."""

    model: str | None = Field(None, description="The generator in this mode.")


class GenerationConfig(ConfigSection):
    """Which model writes, and how much it reads."""

    model: str | None = Field(None, description="The generator of modes that set none.")
    offline: ModeModels = Field(ModeModels(), description="Used with mode: offline.")
    online: ModeModels = Field(ModeModels(), description="Used with mode: online.")
    budget_tokenizer: str = Field(
        "cl100k_base", description="The tokenizer that counts all budgets, in both modes."
    )
    token_budget: int = Field(
        8192, ge=0, le=2_000_000, description="Maximum tokens of evidence in a prompt."
    )
    max_source_summaries: int = Field(
        10, ge=0, le=1000, description="Maximum summaries in a prompt."
    )
    max_tokens: int = Field(
        2048, ge=16, le=200_000, description="Maximum tokens of a model's reply."
    )
    temperature: float = Field(0.2, ge=0, le=2, description="0 gives the most repeatable replies.")
    language: Literal["question", "nl", "en"] = Field(
        "question", description="Language of answers: that of the question, or always nl or en."
    )


class ModelsConfig(ConfigSection):
    """How model servers are called."""

    timeout_s: float = Field(60, gt=0, le=3600, description="Time limit for one reply, in seconds.")
    max_retries: int = Field(
        3, ge=0, le=10, description="Retries after a failure, within 60 seconds."
    )
    max_concurrency: int = Field(4, ge=1, le=256, description="Maximum calls at the same time.")
    cache: bool = Field(True, description="Cache replies, so that a repeated call costs nothing.")
    confirm_tokens: int = Field(
        500_000,
        ge=0,
        description="An ingest that would send more tokens to models asks for confirmation.",
    )
    confirm_cost: float = Field(
        1.0,
        ge=0,
        description="An ingest that would cost more (in US dollars) also asks, if prices are known.",
    )
    api_base: dict[str, str] = Field(
        {}, description="Address per provider, such as ollama: http://…"
    )
    windows: dict[str, Annotated[int, Field(ge=256)]] = Field(
        {}, description="Context windows, in tokens, of models that LiteLLM does not know."
    )


class SpendingConfig(ConfigSection):
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
            except (OSError, ValueError) as error:
                raise make_rule_error("config-time-zone", zone=value) from error
        return value

    def get_zone(self) -> zoneinfo.ZoneInfo | None:
        """The zone of a day; None for the machine's own."""
        return zoneinfo.ZoneInfo(self.time_zone) if self.time_zone else None
