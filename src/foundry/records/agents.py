"""Agents: how something is written, and for a document which sections it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from foundry.records.kinds import SectionForm

AgentOutput = Literal["answer", "document"]


@dataclass(frozen=True, slots=True)
class AgentSection:
    """A section that an agent writes: its heading, and what to find in the sources.

    ``needs`` are the sources that would fill it, for a reader who finds it empty. Without a ``form``
    the writer chooses.
    """

    title: str
    ask: tuple[str, ...]
    needs: str = ""
    max_sentences: int = 12
    form: SectionForm | None = None


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent as read from its file.

    ``title`` is the kind of document, such as "Blueprint". ``path`` is within the project, empty for
    an agent that Foundry brings. ``content_hash`` is the SHA-256 of all that it says. None means the
    configured model, temperature or length.
    """

    name: str
    path: str
    title: str
    output: AgentOutput
    content_hash: str
    description: str = ""
    persona: str = ""
    profile: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    sections: tuple[AgentSection, ...] = ()
    extends: str | None = None

    @property
    def text(self) -> str:
        """What its sections say, without translations, to find their language."""
        lines = [line for part in self.sections for line in (part.title, *part.ask)]
        return "\n".join(line.partition("|")[0] for line in lines)
