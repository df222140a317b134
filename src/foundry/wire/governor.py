"""The JSON of ``foundry governor``."""

from __future__ import annotations

from pydantic import Field

from foundry.governor.hooks import InstalledHook
from foundry.governor.repository import Ruling
from foundry.wire.base import RecordModel, WireModel


class GovernorCheckJson(RecordModel, of=Ruling):
    """Whether a command may run."""


class GovernorInstallJson(WireModel):
    """The hooks that were written."""

    hooks: list[InstalledHook]
    agent_files: dict[str, str] = Field(description="agent → its file")
