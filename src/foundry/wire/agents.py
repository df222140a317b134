"""The JSON of agents."""

from __future__ import annotations

from pydantic import Field

from foundry.config import Profile
from foundry.records import AgentOutput, SectionForm
from foundry.wire.base import ErrorMessageJson, WireModel


class AgentSectionJson(WireModel):
    title: str
    ask: list[str] = Field(description="what is searched for and written, a line for each search")
    needs: str = Field(description="sources that would fill it; may be empty")
    max_sentences: int
    form: SectionForm | None = Field(description="what it is made of; null: the writer chooses")


class AgentJson(WireModel):
    name: str
    path: str = Field(description="within the project; empty for one that Foundry brings")
    title: str = Field(description="kind of text, such as Blueprint")
    description: str = Field(description="what it is for; may be empty")
    output: AgentOutput = Field(description="answer is for ask, document for generate")
    extends: str | None = Field(description="the agent whose keys it takes where it has none")
    persona: str = Field(description="what a language model gets with its rules; may be empty")
    profile: Profile | None
    temperature: float | None = Field(description="null: generation.temperature")
    max_tokens: int | None = Field(description="null: generation.max_tokens")
    sections: list[AgentSectionJson]
    content_hash: str = Field(description="SHA-256 of all that it says")


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
