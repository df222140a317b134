"""Agents: those of the project in ``agents/NAME.yaml``, and those that Foundry brings.

A file of the project comes before one of Foundry with the same name. Whoever uses an agent gets the
project with the agent's model, temperature, length and persona: the journeys are the same.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from foundry.agents import AGENT_NAME, build_agent, find_shipped_text, list_shipped_names
from foundry.analysis import UNKNOWN, analyse, detect_query_language
from foundry.config import CONFIG_NAME, Config
from foundry.config.yaml_text import parse_mapping
from foundry.doc import Doc
from foundry.errors import (
    AgentInvalid,
    ChangedMeanwhile,
    ConfigError,
    FoundryError,
    NotFound,
    RuleError,
    UsageError,
)
from foundry.ids import hash_text
from foundry.messages import Message
from foundry.records import Agent, AgentOutput
from foundry.render.files import delete_document, write_document
from foundry.text.spotlight import escape_controls
from foundry.workspace import Workspace, reconfigure

FOLDER = "agents"
_SUFFIX = ".yaml"
_LEAST_DETECTED = 3
"""Words of a topic whose language is detected whatever the sources say. A guess."""
_MAX_BYTES = 100_000
"""An agent is a page or two; a larger file is something else."""


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """An agent of the list; without ``agent``, ``error`` says what is wrong with its file.

    ``model`` writes: that of its profile, else the mode's.
    """

    name: str
    path: str
    agent: Agent | None = None
    model: str = ""
    error: FoundryError | None = None


@dataclass(frozen=True, slots=True)
class _AgentText:
    """A file before it is checked: its path (empty if Foundry brings it), its text and its values."""

    path: str
    text: str
    values: dict[str, Any]
    where: str


def list_agents(workspace: Workspace, language: str = "en") -> tuple[AgentEntry, ...]:
    """All agents by name, broken ones too; ``language`` is that of Foundry's own."""
    own, odd = _list_files(workspace)
    entries = [
        check_agent(workspace, name, language) for name in sorted({*list_shipped_names(), *own})
    ]
    for name in odd:
        error = AgentInvalid("agent-file-name", where=f"{FOLDER}/{name}", name=name)
        entries.append(AgentEntry(name, f"{FOLDER}/{name}", error=error))
    return tuple(entries)


def check_agent(workspace: Workspace, name: str, language: str = "en") -> AgentEntry:
    """The agent with what is wrong with its file or its profile, if anything is.

    Raises like ``get_agent`` for a name that is unknown or no name at all.
    """
    path = _find_path(workspace, _require_name(workspace, name, "NAME"))
    try:
        agent = get_agent(workspace, name, language)
        config = _configure(workspace.config, agent)
    except FoundryError as error:
        return AgentEntry(name, path, error=error)
    return AgentEntry(name, path, agent, config.generator())


def get_agent(
    workspace: Workspace, name: str, language: str = "en", *, where: str = "NAME"
) -> Agent:
    """The agent NAME; one that Foundry brings in ``language``, if it has that.

    ``where`` is where the name was given. Raises ``UsageError`` for what is no name, ``NotFound`` for
    an unknown one, and ``AgentInvalid`` for a file with wrong keys or a circle of ``extends``.
    """
    known = _require_name(workspace, name, where)
    return _build_agent(known, _read_chain(workspace, known, language))


def _build_agent(name: str, chain: Sequence[_AgentText]) -> Agent:
    values = {key: value for file in reversed(chain) for key, value in file.values.items()}
    own = chain[0]
    return build_agent(name, own.path, own.text, values, where=own.where)


@dataclass(frozen=True, slots=True)
class AgentFile:
    """An agent's file, valid or not; one that comes with Foundry has no path."""

    name: str
    path: Annotated[str, Doc("within the project; empty for one that Foundry brings")]
    text: Annotated[str, Doc("YAML, with its comments")]

    @property
    def content_hash(self) -> Annotated[str, Doc("SHA-256 of the text")]:
        """The hash with which a change says what was read."""
        return hash_text(self.text)


def get_agent_file(workspace: Workspace, name: str, language: str = "en") -> AgentFile:
    """The file of an agent. Raises like ``get_agent``, except for wrong keys."""
    known = _require_name(workspace, name, "NAME")
    path = _find_path(workspace, known)
    text = _read_own(workspace, path) if path else find_shipped_text(known, language)
    return AgentFile(known, path, text or "")


def check_agent_text(
    workspace: Workspace, name: str, text: str, language: str = "en"
) -> AgentEntry:
    """The agent that a text would make, or what is wrong with it; nothing is written."""
    path = f"{FOLDER}/{name}{_SUFFIX}"
    try:
        agent = _parse_agent(workspace, name, text, language)
        return AgentEntry(name, path, agent, _configure(workspace.config, agent).generator())
    except FoundryError as error:
        return AgentEntry(name, path, error=error)


def _parse_agent(workspace: Workspace, name: str, text: str, language: str) -> Agent:
    """The agent that a text makes. Raises ``UsageError`` for a bad name, ``AgentInvalid`` for a bad text."""
    if not re.fullmatch(AGENT_NAME, name):
        raise UsageError("agent-name-invalid", where="NAME", name=name)
    path = f"{FOLDER}/{name}{_SUFFIX}"
    if (size := len(text.encode())) > _MAX_BYTES:
        kilobytes = size // 1000
        raise AgentInvalid("agent-too-large", where=path, kilobytes=kilobytes, limit=100)
    return _build_agent(name, _read_chain(workspace, name, language, _parse_text(path, text, path)))


def change_agent(
    workspace: Workspace, name: str, text: str, reviewed: str, language: str = "en"
) -> AgentFile:
    """Change an agent's file if its hash is still ``reviewed``.

    Raises ``ChangedMeanwhile`` with the hash of what it is now, and ``AgentInvalid`` for a text that
    makes no agent.
    """
    with workspace.store.lock("agents"):
        path = _get_changeable(workspace, name, reviewed)
        _parse_agent(workspace, name, text, language)
        write_document(path, text, overwrite=True)
    return get_agent_file(workspace, name)


def delete_agent(workspace: Workspace, name: str, reviewed: str) -> AgentFile:
    """Delete the project's file of an agent; returns what it was. Foundry's own agents stay."""
    with workspace.store.lock("agents"):
        path = _get_changeable(workspace, name, reviewed)
        file = get_agent_file(workspace, name)
        delete_document(path, file.path)
    return file


def _get_changeable(workspace: Workspace, name: str, reviewed: str) -> Path:
    """The path of the project's own file of an agent, if the file is as it was read."""
    file = get_agent_file(workspace, name)
    if not file.path:
        raise RuleError("agent-is-foundrys", where=FOLDER, name=file.name)
    if not reviewed:
        raise UsageError("agent-hash-missing", where="If-Match", path=file.path)
    if file.content_hash != reviewed:
        facts = {"name": file.name, "hash": file.content_hash}
        raise ChangedMeanwhile("agent-changed-meanwhile", where=file.path, **facts)
    return _get_folder(workspace) / f"{file.name}{_SUFFIX}"


def create_agent(
    workspace: Workspace, name: str, base: str, language: str, text: str | None = None
) -> Agent:
    """Write a new agent with ``text``, by default that of ``base``; never overwrites a file.

    Raises ``RuleError`` if it exists, ``AgentInvalid`` for a text that makes no agent, and like
    ``get_agent``.
    """
    if not re.fullmatch(AGENT_NAME, name):
        raise UsageError("agent-name-invalid", where="NAME", name=name)
    path = _get_folder(workspace) / f"{name}{_SUFFIX}"
    if os.path.lexists(path):
        raise RuleError("agent-exists", where=f"{FOLDER}/{path.name}", name=name)
    if text is None:
        origin = get_agent(workspace, base, language, where="--from")
        text = _read_chain(workspace, origin.name, language)[0].text
    else:
        _parse_agent(workspace, name, text, language)
    write_document(path, text, overwrite=False)
    return get_agent(workspace, name, language)


def use_agent(workspace: Workspace, name: str | None, output: AgentOutput, about: str) -> Workspace:
    """The project as the agent writes for it; as it is without a name.

    ``about`` is the question or topic, whose language an agent of Foundry takes. Raises like
    ``get_agent``, ``UsageError`` for an agent with another output, and ``ConfigError`` for a profile
    without a model. Close only the original workspace.
    """
    if name is None:
        return workspace
    spoken = _choose_language(workspace, about)
    agent = get_agent(workspace, name, spoken, where="--agent")
    if agent.output != output:
        fitting = [
            entry.name
            for entry in list_agents(workspace)
            if entry.agent and entry.agent.output == output
        ]
        raise UsageError(
            f"agent-writes-{agent.output}", where="--agent", name=agent.name, names=fitting
        )
    if agent.persona and "{persona}" not in workspace.templates.system:
        raise ConfigError("agent-no-persona", where=f"{CONFIG_NAME}: prompts.system", name=name)
    return reconfigure(workspace, _configure(workspace.config, agent), agent=agent)


def _configure(config: Config, agent: Agent) -> Config:
    """The configuration with what the agent sets."""
    generation, models = config.generation, getattr(config.generation, config.mode)
    profiles = config.profiles().list_models()
    changes: dict[str, Any] = {}
    # Without any profile the mode's model writes for all agents.
    if agent.profile and profiles:
        if agent.profile not in profiles:
            raise ConfigError(
                "agent-profile-missing",
                where=f"{CONFIG_NAME}: generation.{config.mode}.profiles.{agent.profile}",
                name=agent.name,
                profile=agent.profile,
                known=list(profiles),
            )
        model = profiles[agent.profile]
        changes[config.mode] = models.model_copy(update={"model": model})
    for key in ("temperature", "max_tokens"):
        if (value := getattr(agent, key)) is not None:
            changes[key] = value
    return config.model_copy(update={"generation": generation.model_copy(update=changes)})


def _choose_language(workspace: Workspace, about: str) -> str:
    """The configured language, else that of the topic; a word or two may look like any language.

    Such a topic has that of the sources with its words, if that is not what it looks like.
    """
    configured = workspace.config.generation.language
    if configured != "question":
        return configured
    found = detect_query_language(about)
    if found != UNKNOWN and len(about.split()) >= _LEAST_DETECTED:
        return found
    spoken = {source.id: source.language for source in workspace.store.list_sources()}
    terms = {each: analyse(about, each) for each in set(spoken.values()) - {UNKNOWN}}
    mentions = workspace.store.count_mentions([term for each in terms.values() for term in each])
    counts = Counter(
        each
        for term, spread in mentions.spread.items()
        for source in mentions.select(spread.chunks > 0)
        if term in terms.get(each := spoken.get(source, UNKNOWN), ())
    )
    if found in counts or not counts:
        return workspace.config.language if found == UNKNOWN else found
    return max(counts, key=lambda each: counts[each])


# Files


def _require_name(workspace: Workspace, name: str, where: str) -> str:
    bare = name.removeprefix(f"{FOLDER}/").removesuffix(_SUFFIX)
    names = sorted({*list_shipped_names(), *_list_own_names(workspace)})
    if bare in names:
        return bare
    if not re.fullmatch(AGENT_NAME, bare):
        raise UsageError("agent-name-invalid", where=where, name=name)
    near = difflib.get_close_matches(bare, names, n=1, cutoff=0.5)
    error = NotFound("agent-unknown", where=FOLDER, name=bare)
    known = Message("agent-advice-known", names=names)
    error.advice = (Message("agent-advice-near", name=near[0]) if near else known,)
    raise error


def _list_own_names(workspace: Workspace) -> list[str]:
    return _list_files(workspace)[0]


def _list_files(workspace: Workspace) -> tuple[list[str], list[str]]:
    """The names of the project's agents, and its other files, which are none; hidden ones aside."""
    try:
        with os.scandir(_get_folder(workspace)) as entries:
            files = [entry.name for entry in entries]
    except FileNotFoundError:
        return [], []
    except OSError as error:
        raise FoundryError(
            "agent-folder-unreadable", where=FOLDER, cause=str(error.strerror or error)
        ) from error
    shown = sorted(name for name in files if not name.startswith(".") and name != "README.md")
    own = [name for name in shown if re.fullmatch(AGENT_NAME + re.escape(_SUFFIX), name)]
    odd = [escape_controls(name) for name in shown if name not in own]
    return [name.removesuffix(_SUFFIX) for name in own], odd


def _get_folder(workspace: Workspace) -> Path:
    """The folder, links resolved. Raises ``RuleError`` if it is outside the project."""
    root = workspace.root.resolve()
    folder = (root / FOLDER).resolve()
    if not folder.is_relative_to(root):
        raise RuleError("agent-folder-outside", where=FOLDER, folder=FOLDER)
    return folder


def _find_path(workspace: Workspace, name: str) -> str:
    return f"{FOLDER}/{name}{_SUFFIX}" if name in _list_own_names(workspace) else ""


def _read_chain(
    workspace: Workspace, name: str, language: str, own: _AgentText | None = None
) -> list[_AgentText]:
    """The agent's file and those that it extends, its ``own`` first."""
    chain = [own or _read_agent(workspace, name, language)]
    names = [name]
    while base := chain[-1].values.get("extends"):
        last = chain[-1]
        if not isinstance(base, str) or not re.fullmatch(AGENT_NAME, base):
            # What is wrong with the value is said where all keys are checked.
            break
        # A project's own "blueprint" may extend the one that Foundry brings.
        shipped = base == names[-1] and bool(last.path)
        if base in names and not shipped:
            raise AgentInvalid("agent-circle", where=last.where, names=[*names, base])
        chain.append(_read_base(workspace, base, language, last, shipped=shipped))
        names.append(base)
    return chain


def _read_base(
    workspace: Workspace, base: str, language: str, file: _AgentText, *, shipped: bool
) -> _AgentText:
    if shipped and base not in list_shipped_names():
        raise AgentInvalid("agent-extends-itself", where=file.where, name=base)
    known = [*list_shipped_names(), *([] if shipped else _list_own_names(workspace))]
    if base not in known:
        near = difflib.get_close_matches(base, known, n=1, cutoff=0.0)
        raise AgentInvalid("agent-base-unknown", where=file.where, name=base, near=near[0])
    return _read_agent(workspace, base, language, shipped=shipped)


def _read_agent(
    workspace: Workspace, name: str, language: str, *, shipped: bool = False
) -> _AgentText:
    path = "" if shipped else _find_path(workspace, name)
    text = find_shipped_text(name, language) if not path else _read_own(workspace, path)
    assert text is not None
    return _parse_text(path, text, path or f"{name} (Foundry's own)")


def _parse_text(path: str, text: str, where: str) -> _AgentText:
    try:
        return _AgentText(path, text, parse_mapping(text, where, other="agent-not-mapping"), where)
    except ConfigError as error:
        raise AgentInvalid(error.problem, where=error.where) from error


def _read_own(workspace: Workspace, name: str) -> str:
    """The text of a file of the project. Raises ``AgentInvalid`` for what cannot be one."""
    try:
        path = (workspace.root / name).resolve()
        if not path.is_relative_to(_get_folder(workspace)):
            raise AgentInvalid("agent-link-outside", where=name)
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise AgentInvalid("agent-not-regular", where=name)
        if facts.st_size > _MAX_BYTES:
            raise AgentInvalid(
                "agent-too-large", where=name, kilobytes=facts.st_size // 1000, limit=100
            )
        return path.read_text(encoding="utf-8")
    except (OSError, RuntimeError, UnicodeDecodeError) as error:
        # Path.resolve raises RuntimeError for circular links.
        cause = str(getattr(error, "strerror", None) or error)
        raise AgentInvalid("agent-unreadable", where=name, cause=cause) from error
