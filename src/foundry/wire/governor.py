"""The JSON of ``foundry governor``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from foundry.wire.base import MessageJson, WireModel


class GovernorCheckJson(WireModel):
    """Whether a command may run."""

    allowed: bool
    problems: list[MessageJson] = Field(description="what blocks it")
    warnings: list[MessageJson] = Field(
        description="what does not block it, or could not be checked"
    )


class GitHookJson(WireModel):
    name: str
    path: str
    status: Literal["new", "updated", "chained"]
    kept: str | None = Field(description="where the hook that was there is now; it runs first")


class GovernorInstallJson(WireModel):
    """The hooks that were written."""

    hooks: list[GitHookJson]
    agent_files: dict[str, str] = Field(description="agent → its file")
