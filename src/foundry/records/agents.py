"""Agents: how something is written, and for a document which sections it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from foundry.doc import Doc
from foundry.records.kinds import SectionForm

AgentOutput = Literal["answer", "document"]


@dataclass(frozen=True, slots=True)
class AgentSection:
    """A section that an agent writes: its heading, and what to find in the sources."""

    title: str
    ask: Annotated[tuple[str, ...], Doc("what is searched for and written, a line for each search")]
    needs: Annotated[str, Doc("sources that would fill it; may be empty")] = ""
    max_sentences: int = 12
    form: Annotated[SectionForm | None, Doc("what it is made of; null: the writer chooses")] = None


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent as read from its file; None means the configured model, temperature or length."""

    name: str
    path: Annotated[str, Doc("within the project; empty for one that Foundry brings")]
    title: Annotated[str, Doc("kind of text, such as Blueprint")]
    output: Annotated[AgentOutput, Doc("answer is for ask, document for generate")]
    content_hash: Annotated[str, Doc("SHA-256 of all that it says")]
    description: Annotated[str, Doc("what it is for; may be empty")] = ""
    persona: Annotated[str, Doc("what a language model gets with its rules; may be empty")] = ""
    profile: str | None = None
    temperature: Annotated[float | None, Doc("null: generation.temperature")] = None
    max_tokens: Annotated[int | None, Doc("null: generation.max_tokens")] = None
    sections: tuple[AgentSection, ...] = ()
    extends: Annotated[str | None, Doc("the agent whose keys it takes where it has none")] = None

    @property
    def text(self) -> str:
        """What its sections say, without translations, to find their language."""
        lines = [line for part in self.sections for line in (part.title, *part.ask)]
        return "\n".join(line.partition("|")[0] for line in lines)
