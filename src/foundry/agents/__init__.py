"""The keys of an agent's file, the agent that it describes, and the files that Foundry brings.

The file is YAML, read like ``foundry.yaml``: an unknown key is an error with its line and the
nearest known one.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError, field_validator, model_validator

from foundry.analysis import fold
from foundry.config import Profile
from foundry.config.keys import KeySection, make_rule_error
from foundry.config.loader import MOST_PROBLEMS, describe_problem
from foundry.config.yaml_text import find_line
from foundry.errors import AgentInvalid
from foundry.messages import Message, choose_language
from foundry.records import Agent, AgentOutput, AgentSection, SectionForm

AGENT_NAME = r"[a-z0-9][a-z0-9_-]{0,59}"
_FOLDER = Path(__file__).parent
_LINE = r"^[^\r\n]*$"
_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
Line = Annotated[str, Field(min_length=1, max_length=200, pattern=_LINE)]


def _require_shown(text: str) -> str:
    """The text, if it has no control character but line feeds and tabs, and none that turns text around."""
    for character in text:
        control = unicodedata.category(character) == "Cc" and character not in "\n\t"
        if control or unicodedata.bidirectional(character) in _TURNING:
            raise make_rule_error("agent-control", character=f"U+{ord(character):04X}")
    return text


class AgentSectionKeys(KeySection):
    """A section of the document."""

    title: str = Field(max_length=120, min_length=1, pattern=_LINE, description="Its heading.")
    ask: tuple[Line, ...] = Field(
        min_length=1,
        max_length=12,
        description="What it says, in one or two words for each search, as a heading would have"
        " it, with the same in other languages after a vertical bar; {topic} is the topic.",
    )
    needs: str = Field(
        "",
        max_length=300,
        pattern=_LINE,
        description="The sources that would fill it, shown if it stays empty.",
    )
    max_sentences: int = Field(12, ge=1, le=60, description="Most sentences.")
    form: SectionForm | None = Field(
        None,
        description="What it is made of: running text, numbered steps, items, rows of a table,"
        " captions of figures, or quotations word for word; null leaves it to the writer.",
    )

    @field_validator("title", "ask", "needs")
    @classmethod
    def _is_text(cls, value: Any) -> Any:
        for text in (value,) if isinstance(value, str) else value:
            _require_shown(text)
            if text and not text.strip():
                raise make_rule_error("agent-blank")
        return value


class AgentKeys(KeySection):
    """An agent's file: ``agents/NAME.yaml``."""

    extends: str | None = Field(
        None,
        pattern=rf"^{AGENT_NAME}$",
        description="Another agent, whose keys hold where this file has none.",
    )
    title: str = Field(
        min_length=1,
        max_length=80,
        pattern=_LINE,
        description="The kind of text, such as Blueprint.",
    )
    description: str = Field("", max_length=300, description="What it is for, in one line.")
    output: AgentOutput = Field(
        "document", description="answer is for `ask`, document for `generate`."
    )
    persona: str = Field(
        "",
        max_length=4000,
        description="Who writes, for whom and how; a language model gets it with its rules.",
    )
    profile: Profile | None = Field(
        None, description="Which model writes: that of generation.MODE.profiles."
    )
    temperature: float | None = Field(
        None, ge=0, le=2, description="In place of generation.temperature."
    )
    max_tokens: int | None = Field(
        None,
        ge=16,
        le=200_000,
        description="Most tokens of an answer or section, in place of generation.max_tokens.",
    )
    sections: tuple[AgentSectionKeys, ...] = Field(
        (), max_length=40, description="The sections of the document, in order."
    )

    @field_validator("title", "description", "persona")
    @classmethod
    def _is_shown(cls, value: str) -> str:
        return _require_shown(value)

    @model_validator(mode="after")
    def _sections_fit(self) -> AgentKeys:
        if self.output == "answer" and self.sections:
            raise make_rule_error("agent-answer-sections")
        if self.output == "document" and not self.sections:
            raise make_rule_error("agent-no-sections")
        seen: dict[str, str] = {}
        for section in self.sections:
            key = fold(" ".join(section.title.split()))
            if key in seen:
                raise make_rule_error("agent-section-twice", title=section.title, first=seen[key])
            seen[key] = section.title
        return self


def build_agent(name: str, path: str, text: str, values: Mapping[str, Any], *, where: str) -> Agent:
    """The agent of ``values``: those of its ``text``, with what it inherits.

    Raises ``AgentInvalid`` that lists every wrong key with its line in the text.
    """
    try:
        keys = AgentKeys.model_validate(dict(values))
    except ValidationError as error:
        found = [dict(item) for item in error.errors()]
        lines = [find_line(text, item["loc"]) for item in error.errors()]
        problems = [
            _place(describe_problem(item, AgentKeys), line)
            for item, line in zip(found[:MOST_PROBLEMS], lines, strict=False)
        ]
        more = len(found) - MOST_PROBLEMS
        problems += [Message("config-more-problems", number=more)] if more > 0 else []
        first = next((f"{where}:{line}" for line in lines if line), where)
        raise AgentInvalid("agent-invalid", where=first, name=name, problems=problems) from error
    said = keys.model_dump(mode="json")
    digest = hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=True).encode())
    sections = tuple(AgentSection(**section.model_dump()) for section in keys.sections)
    plain = {**keys.model_dump(exclude={"sections"}), "sections": sections}
    plain["persona"] = keys.persona.strip()
    return Agent(name=name, path=path, content_hash=digest.hexdigest(), **plain)


def _place(problem: Message, line: int | None) -> Message:
    return Message("agent-on-line", line=str(line), problem=problem) if line else problem


def list_shipped_names() -> tuple[str, ...]:
    """The names of the agents that Foundry brings, in the order of the alphabet."""
    return tuple(sorted(path.stem for path in (_FOLDER / "en").glob("*.yaml")))


def find_shipped_text(name: str, language: str) -> str | None:
    """The text of such an agent's file, in English unless ``language`` is "nl"; None if unknown."""
    if name not in list_shipped_names():
        return None
    path = _FOLDER / choose_language(language) / f"{name}.yaml"
    return path.read_text(encoding="utf-8")
