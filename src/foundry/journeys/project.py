"""A new project, and the move of one to another database.

A new project gets folders and a commented ``foundry.yaml`` with models that work on this machine.
Never overwrites anything. The models are found, not guessed: by a key in the environment, by a
model server that answers on this machine, else the built-in ones. Sends no text anywhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from foundry.config import BUILTIN_GENERATOR, CONFIG_NAME, Config, find_project
from foundry.errors import (
    ProjectBusy,
    ProjectNotFound,
    RuleError,
    StoreError,
    UsageError,
)
from foundry.installation import is_installed, tell_install
from foundry.messages import Message
from foundry.models.local_servers import (
    LocalChoice,
    LocalServer,
    choose_judge,
    choose_writer,
    find_place,
    find_servers,
)
from foundry.ports import Progress, Step
from foundry.records import CopyReport, Source, StoreProblem
from foundry.records.kinds import Mode
from foundry.store import Store
from foundry.workspace import Workspace

FOLDERS = ("sources", "features", "output")

LEAST_WINDOW = 256
"""The smallest that ``models.windows`` takes."""


@dataclass(frozen=True, slots=True)
class ProviderDefaults:
    """A provider's key in the environment, a large model to write and a small one for the rest."""

    key: str
    writer: str
    small: str


PROVIDERS = (
    ProviderDefaults("OPENAI_API_KEY", "openai/gpt-4o", "openai/gpt-4o-mini"),
    ProviderDefaults(
        "ANTHROPIC_API_KEY", "anthropic/claude-sonnet-4-5", "anthropic/claude-haiku-4-5"
    ),
    ProviderDefaults("GEMINI_API_KEY", "gemini/gemini-2.5-pro", "gemini/gemini-2.5-flash"),
    ProviderDefaults(
        "MISTRAL_API_KEY", "mistral/mistral-large-latest", "mistral/mistral-small-latest"
    ),
)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The models of a new project: configuration values by dotted key, and the reasons."""

    mode: Mode
    values: Mapping[str, Any]
    reasons: tuple[Message, ...]

    @property
    def needs_extra(self) -> bool:
        """Whether a model is called, which takes the extra ``models``."""
        writer = self.values.get(f"generation.{self.mode}.model")
        return writer != BUILTIN_GENERATOR


@dataclass(frozen=True, slots=True)
class InitReport:
    """What ``init_project`` created; ``kept`` lists the folders that existed already."""

    root: Path
    created: tuple[str, ...]
    kept: tuple[str, ...]
    mode: Mode
    models: Mapping[str, str]
    reasons: tuple[Message, ...]
    notices: tuple[Message, ...] = ()


def init_project(
    folder: Path, *, environment: Mapping[str, str], mode: Mode | None = None
) -> InitReport:
    """Create a project in ``folder``, and the folder if it is missing.

    ``mode`` None picks what works on this machine. Raises ``RuleError`` if ``folder`` is a
    project already, or a file.
    """
    root = folder.resolve()
    _require_free(root)
    notices = _find_enclosing(root)
    choice = choose_models(environment, mode)
    if choice.needs_extra and not is_installed("models"):
        notices += (Message("init-models-missing", command=tell_install("models")),)
    values = {
        "project.name": root.name or "Untitled project",
        "project.id": f"prj_{secrets.token_hex(8)}",
        "mode": choice.mode,
        **choice.values,
    }
    root.mkdir(parents=True, exist_ok=True)
    kept = [name for name in FOLDERS if (root / name).is_dir()]
    for name in FOLDERS:
        (root / name).mkdir(exist_ok=True)
    _create_file(root / CONFIG_NAME, render_config(values))
    return InitReport(
        root=root,
        created=(CONFIG_NAME, *(f"{name}/" for name in FOLDERS if name not in kept)),
        kept=tuple(f"{name}/" for name in kept),
        mode=choice.mode,
        models={key: str(value) for key, value in choice.values.items() if "model" in key},
        reasons=choice.reasons,
        notices=notices,
    )


def _require_free(root: Path) -> None:
    taken = (root / CONFIG_NAME).exists()
    if taken or (root.exists() and not root.is_dir()):
        code = "init-has-project" if taken else "init-is-file"
        raise RuleError(code, where=str(root), path=str(root), name=CONFIG_NAME)


def _find_enclosing(root: Path) -> tuple[Message, ...]:
    """A notice if ``root`` is inside another project."""
    try:
        outer = find_project(root)
    except ProjectNotFound:
        return ()
    return (Message("init-inside", path=str(outer)),)


def _create_file(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise RuleError("init-created-meanwhile", where=str(path), path=str(path)) from error


def choose_models(environment: Mapping[str, str], mode: Mode | None = None) -> ModelChoice:
    """The models of a new project: by a key in the environment, by a server here, else built-in."""
    provider = next((known for known in PROVIDERS if environment.get(known.key)), None)
    if mode == "online" or (mode is None and provider):
        return _choose_online(provider)
    return _choose_offline(environment)


def _choose_online(provider: ProviderDefaults | None) -> ModelChoice:
    chosen = provider or PROVIDERS[0]
    small = (
        "retrieval.hyde_model",
        "retrieval.scorer_model",
        "embedding.context_model",
        "ingest.summary_model",
    )
    values = {"generation.online.model": chosen.writer, **dict.fromkeys(small, chosen.small)}
    host = chosen.writer.split("/", 1)[0]
    code = "init-key-set" if provider else "init-key-missing"
    key = Message(code, key=chosen.key, model=chosen.writer)
    return ModelChoice("online", values, (key, Message("init-sends", host=host)))


def _choose_offline(environment: Mapping[str, str]) -> ModelChoice:
    servers = find_servers(environment)
    return propose_local_models(servers, Config()) or _choose_builtin(environment, servers)


def propose_local_models(servers: Sequence[LocalServer], config: Config) -> ModelChoice | None:
    """Values that make a model of these servers write and judge; None if none of them writes.

    The largest model that fits writes, and one that was trained to judge judges, if there is one;
    else the writer does. Prompts are as large as ``config`` allows.
    """
    needed = count_prompt_tokens(config)
    writer, judge = choose_writer(servers, needed), choose_judge(servers)
    if writer is None:
        return None
    server, model = writer.server, writer.configured_name
    keys = ("generation.offline.model", "retrieval.hyde_model", "retrieval.scorer_model")
    values: dict[str, Any] = dict.fromkeys(keys, model)
    reasons = [
        Message("init-server", server=server.name, address=server.address, model=writer.model.name)
    ]
    if judge is not None:
        values["validation.verifier"] = judge.configured_name
        reasons.append(Message("init-judge", model=judge.model.name))
    window = writer.model.window
    if window is not None and window < needed:
        reasons.append(Message("init-window", model=model, window=window, needed=needed))
    if not writer.model.loaded:
        reasons.append(Message("init-not-loaded", server=server.name, model=model, needed=needed))
    reasons.append(Message("init-prefixes-builtin"))
    chosen = [one for one in (writer, judge) if one is not None]
    return ModelChoice("offline", values | _describe_servers(chosen), tuple(reasons))


def count_prompt_tokens(config: Config) -> int:
    """What a window must hold: the evidence of a prompt at its limit, and the reply."""
    return config.generation.token_budget + config.generation.max_tokens


def _describe_servers(chosen: Sequence[LocalChoice]) -> dict[str, Any]:
    """Where the servers of these models are, if not at their usual address, and the windows."""
    places = {one.server.provider: one.server.address for one in chosen if not one.server.is_usual}
    windows = {
        one.configured_name: one.model.window
        for one in chosen
        if one.model.window and one.model.window >= LEAST_WINDOW
    }
    found: dict[str, Any] = {"models.api_base": places, "models.windows": windows}
    return {key: value for key, value in found.items() if value}


def _choose_builtin(environment: Mapping[str, str], servers: Sequence[LocalServer]) -> ModelChoice:
    names = [server.name for server in servers]
    cause = Message("init-no-server", model=BUILTIN_GENERATOR)
    if servers:
        cause = Message("init-server-empty", servers=names, model=BUILTIN_GENERATOR)
    elif find_place("ollama", environment) is None:
        cause = Message("init-ollama-elsewhere", model=BUILTIN_GENERATOR)
    reasons = (cause, Message("init-stays-here"))
    # HyDE needs a language model; without one every answer would report that it was skipped.
    values = {"generation.offline.model": BUILTIN_GENERATOR, "retrieval.hyde": False}
    return ModelChoice("offline", values, reasons)


_HEADER = f"""\
# {CONFIG_NAME}: the settings of this Foundry project.
#
# A key that begins with "#" shows its default; remove the "#" to change it.
# Environment variables override: FOUNDRY_RETRIEVAL__TOP_K=20.
# Keys and passwords do not belong here; they stay in the environment.
"""


def render_config(values: Mapping[str, Any]) -> str:
    """A ``foundry.yaml`` with ``values`` (by dotted key) set and all other keys as comments."""
    fields = Config.model_fields.items()
    parts = ("\n".join(_render_key(name, info, name, values)) + "\n" for name, info in fields)
    return "\n".join([_HEADER, *parts])


def _render_key(name: str, info: FieldInfo, path: str, values: Mapping[str, Any]) -> list[str]:
    depth = path.count(".")
    inner = info.annotation
    if isinstance(inner, type) and issubclass(inner, BaseModel):
        # YAML reads a section of comments as null, which a nested section may not be.
        used = depth == 0 or any(key.startswith(f"{path}.") for key in values)
        lines = [_render_line(depth, f"{name}:", info, used=used)]
        for below, field_info in inner.model_fields.items():
            lines += _render_key(below, field_info, f"{path}.{below}", values)
        return lines
    used = path in values
    shown = values[path] if used else _get_default(info)
    return [_render_line(depth, f"{name}: {_format_yaml(shown)}", info, used=used)]


def _render_line(depth: int, entry: str, info: FieldInfo, *, used: bool) -> str:
    head = "  " * depth + ("" if used else "# ") + entry
    return f"{head:<44}  # {info.description}{_format_options(info)}"


def _format_options(info: FieldInfo) -> str:
    if get_origin(info.annotation) is not Literal or len(get_args(info.annotation)) < 2:
        return ""
    return f" One of {', '.join(str(option) for option in get_args(info.annotation))}."


def _get_default(info: FieldInfo) -> Any:
    default = info.get_default(call_default_factory=True)
    return list(default) if isinstance(default, tuple) else default


def _format_yaml(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000)
    return text.removesuffix("\n").removesuffix("\n...").strip()


# Another database

COPY_BATCH = 200
"""Vectors copied in one transaction."""


def copy_project(
    workspace: Workspace, origin: str, target: str, progress: Progress = lambda _step: None
) -> CopyReport:
    """Copy the project from the database at ``origin`` to the one at ``target``, and verify it.

    Both are addresses as in ``storage.url``; ``origin`` does not change. A copy that was
    interrupted resumes. Raises ``UsageError`` for one address twice, ``StoreError`` for an origin
    without content and a target with other content, and ``ProjectBusy`` while an ingest runs on
    either.
    """
    if origin == target:
        raise UsageError("copy-same", where="TO")
    with (
        closing(workspace.open_other(origin, read_only=True)) as source,
        closing(workspace.open_other(target)) as copy,
    ):
        if not source.list_sources() and not any(source.count_rows().values()):
            raise StoreError("copy-empty", where=origin)
        with (
            source.lock("ingest", partial(_refuse_waiting, origin)),
            copy.lock("ingest", partial(_refuse_waiting, target)),
        ):
            _require_same_content(source, copy, target)
            return _copy_all(source, copy, progress)


def _refuse_waiting(where: str, holder: Message) -> None:
    raise ProjectBusy(holder, where=where) from None


def _require_same_content(source: Store, copy: Store, where: str) -> None:
    """Raise ``StoreError`` if the target has anything that an unfinished copy would not have."""
    counts, known = source.count_rows(), {item.id for item in source.list_sources()}
    taken = any(number not in (0, counts[table]) for table, number in copy.count_rows().items())
    strangers = [item.path for item in copy.list_sources() if item.id not in known]
    if taken or strangers or not {*copy.list_indexes()} <= {*source.list_indexes()}:
        raise StoreError("copy-target-taken", where=where)


def _copy_all(source: Store, copy: Store, progress: Progress) -> CopyReport:
    indexes, sources = source.list_indexes(), source.list_sources()
    for index in indexes:
        copy.open_index(*index)
    known = {item.id: item for item in copy.list_sources()}
    vectors = 0
    for done, item in enumerate(sources):
        progress(Step("copy", done, len(sources), "sources", item.path))
        if known.get(item.id) != item:
            _copy_source(source, copy, item)
        vectors += sum(_copy_vectors(source, copy, item, model) for model, _, _ in indexes)
    already, counts = copy.count_rows(), source.count_rows()
    for table in counts:
        if not already[table]:
            copy.add_rows(table, source.read_rows(table))
    progress(Step("verify", 0, 1, ""))
    return CopyReport(
        sources=len(sources),
        copied=sum(known.get(item.id) != item for item in sources),
        chunks=sum(item.chunks for item in sources),
        vectors=vectors,
        rows=counts,
        problems=(*copy.verify(), *_compare(source, copy)),
    )


def _copy_source(source: Store, copy: Store, item: Source) -> None:
    copy.save_source(
        item,
        source.source_text(item.id),
        source.source_blocks(item.id),
        source.source_chunks(item.id),
        source.summaries([item.id])[item.id],
        reading=source.find_reading(item.id),
    )


def _copy_vectors(source: Store, copy: Store, item: Source, model: str) -> int:
    """Copy the vectors of a source that the target lacks; returns how many."""
    row = number = 0
    while pending := copy.pending_chunks(model, COPY_BATCH, after=row, sources=[item.id]):
        row = pending[-1][0]
        vectors = source.get_vectors(model, [chunk.id for _, chunk in pending])
        found = [(chunk, vectors[chunk.id]) for _, chunk in pending if chunk.id in vectors]
        number += copy.save_vectors(model, found)
    return number


def _compare(source: Store, copy: Store) -> Iterator[StoreProblem]:
    """What the copy has less or more of."""
    for (name, expected), (_, found) in zip(_count_all(source), _count_all(copy), strict=True):
        if expected != found:
            yield StoreProblem(Message("copy-differs", name=name, expected=expected, found=found))


def _count_all(store: Store) -> Iterator[tuple[str, int]]:
    for model, _, _ in store.list_indexes():
        status = store.index_status(model)
        yield from ((f"chunks: {model}", status.chunks), (f"vectors: {model}", status.vectors))
    yield "sources", len(store.list_sources())
    yield from store.count_rows().items()
