"""The JSON of agents."""

from __future__ import annotations

from pydantic import Field

from foundry.config import Profile
from foundry.records import Agent
from foundry.wire.base import ErrorMessageJson, RecordModel, WireModel


class AgentJson(RecordModel, of=Agent):
    profile: Profile | None


class AgentEntryJson(WireModel):
    name: str
    path: str = Field(description="within the project; empty for one that Foundry brings")
    agent: AgentJson | None = Field(description="null if its file is wrong")
    model: str = Field(description="the generator of its profile; empty if the file is wrong")
    error: ErrorMessageJson | None = Field(description="what is wrong with its file")


class AgentListJson(WireModel):
    agents: list[AgentEntryJson]


class AgentCheckJson(WireModel):
    ok: bool = Field(description="no file is wrong")
    agents: list[AgentEntryJson]
