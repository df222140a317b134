"""A check of a project and its machine: what works, what does not, and how to fix it.

Changes nothing and sends no text anywhere; of a remote model only the key is checked.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from foundry.config import (
    BUILTIN_EMBEDDING,
    BUILTIN_GENERATOR,
    FORMER_GENERATOR,
    Config,
    find_project,
    load_config,
)
from foundry.errors import ConfigError, FoundryError
from foundry.installation import tell_install
from foundry.journeys.calibration import (
    choose_gate_calibration,
    describe_stale,
    find_project_calibration,
    find_stale_calibration,
    get_calibration_model,
)
from foundry.journeys.project import count_prompt_tokens, propose_local_models
from foundry.messages import Message, format_message
from foundry.models import (
    ModelSettings,
    check_models,
    get_embedder,
    get_window,
    list_key_hosts,
)
from foundry.models.local_servers import (
    SERVER_NAMES,
    LocalModel,
    LocalServer,
    find_model,
    find_servers,
    list_target_models,
)
from foundry.models.page_services import open_outside
from foundry.models.privacy import describe_privacy
from foundry.models.providers import OLLAMA, Target, resolve_target
from foundry.readers.ocr.engines import find_rapidocr
from foundry.readers.office.libreoffice import find_libreoffice
from foundry.records import Confidentiality, IndexStatus
from foundry.store import add_engine, open_store
from foundry.workspace import Workspace, build_model_settings, lower_role

Status = Literal["ok", "warn", "fail"]

LOW_DISK = 1_000_000_000
"""Bytes. With less, a larger ingest may not finish (a round figure)."""
NO_DISK = 50_000_000
"""Bytes. With less, nothing can be saved safely (a round figure)."""
OCR_LANGUAGES = ("eng", "nld", "osd")


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The result of one check, at a file or key ``where`` if it is one that failed."""

    name: str
    status: Status
    problem: Message
    where: str = ""
    advice: tuple[Message, ...] = ()

    @property
    def message(self) -> str:
        """What was found, in the current language."""
        return f"{self.problem} ({self.where})" if self.where else str(self.problem)

    @property
    def fix(self) -> str:
        """What to do next; empty if it is ok."""
        parts = (format_message(self.problem, attribute="fix"), *map(str, self.advice))
        return " ".join(filter(None, parts))


def check_setup(
    project: Path | None,
    *,
    environment: Mapping[str, str],
    cwd: Path,
    role: Confidentiality | None = None,
    quick: bool = False,
) -> tuple[HealthCheck, ...]:
    """Check configuration, database, models, keys, OCR and disk, in that order. Never raises.

    ``quick`` leaves out what takes seconds with thousands of sources: reading the whole database.
    """
    checks: list[HealthCheck] = []
    place = cwd if project is None else cwd / project
    try:
        root = find_project(place.resolve())
        config = load_config(root, environment)
        config = lower_role(config, role) if role else config
    except FoundryError as error:
        checks.append(_report_error("configuration", error))
        return (*checks, _check_ocr(environment), _check_office(environment), _check_disk(place))
    checks.append(
        HealthCheck(
            "configuration", "ok", Message("doctor-project", root=str(root), mode=config.mode)
        )
    )
    checks += _check_project(root, config, environment, quick=quick)
    return (
        *checks,
        _check_ocr(environment, config.ingest.ocr),
        _check_office(environment),
        _check_disk(root),
    )


def _check_project(
    root: Path, config: Config, environment: Mapping[str, str], *, quick: bool
) -> Iterator[HealthCheck]:
    settings = build_model_settings(config, environment, None)
    yield from _check_folders(root, config)
    yield from _check_database(root, config, settings, environment, quick=quick)
    yield _check_embedding(config, settings)
    yield _check_generator(config)
    yield from _check_models(config, settings)
    yield from _check_servers(config, settings)
    yield from _check_outside(config, environment)
    yield from _propose_models(config, environment)


def _check_folders(root: Path, config: Config) -> Iterator[HealthCheck]:
    if not (root / "sources").is_dir():
        yield HealthCheck("sources", "warn", Message("doctor-no-sources-folder"))
    if not os.access(root, os.W_OK):
        yield HealthCheck("folder", "fail", Message("doctor-folder-read-only", root=str(root)))
    for folder in config.output.allowed_dirs:
        if not (root / folder).is_dir():
            yield HealthCheck("output", "warn", Message("doctor-output-folder", folder=str(folder)))


def _check_database(
    root: Path,
    config: Config,
    settings: ModelSettings,
    environment: Mapping[str, str],
    *,
    quick: bool,
) -> Iterator[HealthCheck]:
    try:
        store = open_store(config.storage.url, root, config.project.id, read_only=True)
        storage = config.storage
        add_engine(store, storage.engine_url, storage.engine_fallback, root, config.project.id)
    except FoundryError as error:
        yield _report_closed(error)
        return
    with Workspace(root, config, store, settings, environment, root) as workspace:
        try:
            status = workspace.store.index_status(config.embedding.model)
            yield _check_contents(status)
            yield from _check_unread(workspace)
            yield from _check_index(workspace, status)
            yield from _check_calibration(workspace, status)
            if workspace.principal.sees_all and not quick:
                for problem in workspace.maintenance().verify():
                    yield HealthCheck(
                        "database",
                        "fail",
                        Message("doctor-problem", text=problem.message, fix=problem.fix),
                    )
        except FoundryError as error:
            yield _report_error("database", error)


def _report_closed(error: FoundryError) -> HealthCheck:
    """Why the database did not open; one that the next command upgrades is sound."""
    if error.problem.code != "store-schema-older":
        return _report_error("database", error)
    return HealthCheck("database", "warn", Message("doctor-schema-older"))


def _check_contents(status: IndexStatus) -> HealthCheck:
    if not status.sources:
        return HealthCheck("database", "warn", Message("doctor-no-sources"))
    sources = Message("count-sources", n=status.sources)
    chunks = Message("count-chunks", n=status.chunks)
    return HealthCheck("database", "ok", Message("doctor-contents", sources=sources, chunks=chunks))


def _check_unread(workspace: Workspace) -> Iterator[HealthCheck]:
    counts = Counter(file.status for file in workspace.store.list_unread())
    if counts["failed"]:
        yield HealthCheck("files", "warn", Message("doctor-files-failed", n=counts["failed"]))
    elif counts["left_out"]:
        yield HealthCheck("files", "ok", Message("doctor-files-left-out", n=counts["left_out"]))


def _check_index(workspace: Workspace, status: IndexStatus) -> Iterator[HealthCheck]:
    if not status.chunks:
        return
    if workspace.config.retrieval.mode == "bm25":
        yield HealthCheck("index", "ok", Message("doctor-no-vectors-needed"))
        return
    model = workspace.config.embedding.model
    stored = workspace.store.find_index(model)
    if stored is None:
        yield HealthCheck("index", "fail", Message("doctor-no-vectors", model=model))
    elif stored != (_compute_fingerprint(workspace) or stored):
        yield HealthCheck("index", "fail", Message("doctor-vectors-outdated", model=model))
    elif status.pending:
        yield HealthCheck(
            "index",
            "warn",
            Message("doctor-vectors-pending", n=status.pending, total=status.chunks),
        )
    else:
        yield HealthCheck("index", "ok", Message("doctor-vectors", n=status.vectors, model=model))


def _check_calibration(workspace: Workspace, status: IndexStatus) -> Iterator[HealthCheck]:
    """Which calibration the gate uses; nothing for a shipped one that fits."""
    mode = workspace.config.retrieval.mode
    if not status.chunks:
        return
    stale, model = find_stale_calibration(workspace, mode), get_calibration_model(workspace, mode)
    own = find_project_calibration(workspace, model)
    if stale is not None:
        yield HealthCheck("calibration", "warn", describe_stale(stale, model))
    elif own is not None:
        yield HealthCheck(
            "calibration", "ok", Message("doctor-calibration-own", day=f"{own.made:%Y-%m-%d}")
        )
    elif mode != "bm25" and not choose_gate_calibration(workspace, mode).calibrated:
        yield HealthCheck("calibration", "warn", Message("doctor-calibration-none", model=model))


def _compute_fingerprint(workspace: Workspace) -> str | None:
    """The fingerprint that the vectors should have; None for a model that cannot be asked."""
    try:
        return workspace.fingerprint() if workspace.embedder.local else None
    except FoundryError:
        return None


def _check_embedding(config: Config, settings: ModelSettings) -> HealthCheck:
    """Whether a local model embeds; a remote one is not called."""
    model = config.embedding.model
    try:
        embedder = get_embedder(model, settings)
        if not embedder.local:
            return HealthCheck("embedding", "ok", Message("doctor-embedding-remote", model=model))
        dimension = len(embedder.embed_query("check"))
    except FoundryError as error:
        return _report_error("embedding", error)
    if model == BUILTIN_EMBEDDING and importlib.util.find_spec("onnxruntime") is None:
        return HealthCheck("embedding", "warn", Message("doctor-embedding-slow", model=model))
    return HealthCheck(
        "embedding", "ok", Message("doctor-embedding", model=model, dimension=dimension)
    )


def _check_generator(config: Config) -> HealthCheck:
    model = config.generator()
    if config.names_former_generator():
        replaced = Message("doctor-generator-replaced", old=FORMER_GENERATOR, new=model)
        return HealthCheck("generator", "warn", replaced)
    if model == BUILTIN_GENERATOR:
        return HealthCheck("generator", "ok", Message("doctor-generator-builtin", model=model))
    return HealthCheck("generator", "ok", Message("doctor-generator", model=model))


def _check_models(config: Config, settings: ModelSettings) -> Iterator[HealthCheck]:
    problems = check_models(config.models_in_use(), config.mode, settings)
    for problem in problems:
        yield HealthCheck(
            "models", "fail", Message("doctor-model", key=problem.key, problem=problem.problem)
        )
    for notice in list_key_hosts(config.models_in_use(), settings):
        yield HealthCheck("keys", "warn", notice)
    if not problems:
        yield HealthCheck("models", "ok", Message("doctor-models"))
        yield from _check_hosts(config, settings)


def _check_hosts(config: Config, settings: ModelSettings) -> Iterator[HealthCheck]:
    """Where text goes, by host."""
    keys: dict[str, list[str]] = {}
    for entry in describe_privacy(config, settings).destinations:
        if entry.used and not entry.local:
            keys.setdefault(entry.host, []).append(entry.key)
    if not keys:
        yield HealthCheck("hosts", "ok", Message("doctor-hosts-none"))
    for host, used_by in keys.items():
        yield HealthCheck("hosts", "ok", Message("doctor-host", host=host, keys=used_by))


def _check_servers(config: Config, settings: ModelSettings) -> Iterator[HealthCheck]:
    """Whether the servers of local models answer, have them, and read a whole prompt."""
    servers: dict[tuple[str, str], dict[str, Target]] = {}
    for model in config.models_in_use().values():
        with contextlib.suppress(ConfigError):
            target = resolve_target(model, settings)
            if target.provider in OLLAMA or (target.local and target.api_base):
                place = (target.provider, str(target.api_base))
                servers.setdefault(place, {})[target.name] = target
    for (provider, address), targets in servers.items():
        name = SERVER_NAMES.get(provider, provider)
        server = list_target_models(next(iter(targets.values())), timeout_s=2)
        if server is None:
            problem = Message(
                "doctor-server-silent", server=name, address=address, provider=provider
            )
            if provider in OLLAMA:
                problem = Message("doctor-ollama-silent", address=address)
            yield HealthCheck("server", "fail", problem)
        else:
            yield from _check_server(config, settings, server, targets.values())


def _check_server(
    config: Config, settings: ModelSettings, server: LocalServer, targets: Iterable[Target]
) -> Iterator[HealthCheck]:
    problems: list[HealthCheck] = []
    for target in targets:
        found = find_model(server, target.name)
        if found is not None:
            problems += _check_window(config, settings, target, found)
        else:
            is_ollama = server.provider == "ollama"
            problem = Message("doctor-server-model", server=server.name, model=target.name)
            if is_ollama:
                problem = Message("doctor-ollama-model", model=target.name)
            # A server of one model takes any name.
            status: Status = "fail" if is_ollama or len(server.models) > 1 else "warn"
            problems.append(HealthCheck("server", status, problem))
    if not problems:
        answers = Message("doctor-server", server=server.name, address=server.address)
        problems.append(HealthCheck("server", "ok", answers))
    yield from problems


def _check_window(
    config: Config, settings: ModelSettings, target: Target, found: LocalModel
) -> Iterator[HealthCheck]:
    """Whether a prompt would be cut by the server, or evidence left out for its window."""
    assumed, needed = get_window(target.model, settings), count_prompt_tokens(config)
    window = found.window
    if not found.loaded:
        later = Message("doctor-not-loaded", model=target.model, assumed=assumed)
        yield HealthCheck("window", "warn", later)
    elif window is not None and window < assumed:
        less = Message("doctor-window-less", model=target.model, window=window, assumed=assumed)
        yield HealthCheck("window", "warn", less)
    elif target.model == config.generator() and assumed < needed:
        small = Message("doctor-window-small", model=target.model, window=assumed, needed=needed)
        yield HealthCheck("window", "warn", small)


def _check_outside(config: Config, environment: Mapping[str, str]) -> Iterator[HealthCheck]:
    """Whether the service that reads pages answers."""
    try:
        service = open_outside(config.ingest.outside, environment)
        if service is not None:
            name = replace(service, version=service.find_version()).name
            found = Message("doctor-outside", reader=name, address=service.address)
            yield HealthCheck("outside", "ok", found)
    except FoundryError as error:
        yield _report_error("outside", error)


def _propose_models(config: Config, environment: Mapping[str, str]) -> Iterator[HealthCheck]:
    """What to set where no model writes, but a server on this machine has one."""
    if config.mode != "offline" or config.generator() != BUILTIN_GENERATOR:
        return
    proposal = propose_local_models(find_servers(environment), config)
    if proposal is not None:
        values = [f"{key}: {value}" for key, value in proposal.values.items()]
        found = Message("doctor-server-found", found=proposal.reasons[0], values=values)
        yield HealthCheck("server", "ok", found)


def _check_ocr(environment: Mapping[str, str], wanted: str = "auto") -> HealthCheck:
    if wanted == "off":
        return HealthCheck("ocr", "ok", Message("doctor-ocr-off"))
    rapidocr = find_rapidocr() is not None
    program = shutil.which("tesseract", path=environment.get("PATH"))
    if not rapidocr and wanted in {"rapidocr", "both"}:
        return HealthCheck(
            "ocr", "warn", Message("doctor-ocr-no-rapidocr", install=tell_install("ocr"))
        )
    if wanted == "rapidocr" or (rapidocr and program is None and wanted == "auto"):
        return HealthCheck("ocr", "ok", Message("doctor-ocr-rapidocr"))
    if program is None:
        return HealthCheck(
            "ocr", "warn", Message("doctor-ocr-missing", install=tell_install("ocr"))
        )
    return _check_tesseract(program, rapidocr=rapidocr and wanted != "tesseract")


def _check_tesseract(program: str, *, rapidocr: bool) -> HealthCheck:
    languages = _list_ocr_languages(program)
    missing = [language for language in OCR_LANGUAGES if language not in languages]
    if missing:
        packages = " ".join(f"tesseract-ocr-{language}" for language in missing)
        return HealthCheck(
            "ocr", "warn", Message("doctor-ocr-languages", missing=missing, packages=packages)
        )
    shown = Message("doctor-ocr-both", program=program, languages=languages)
    if not rapidocr:
        install = tell_install("ocr")
        shown = Message("doctor-ocr", program=program, languages=languages, install=install)
    return HealthCheck("ocr", "ok", shown)


def _check_office(environment: Mapping[str, str]) -> HealthCheck:
    """Whether old Office files can be read; most projects have none, so it is no warning."""
    program = find_libreoffice(environment.get("PATH"))
    found = Message("doctor-office", program=program) if program else None
    return HealthCheck("office", "ok", found or Message("doctor-office-missing"))


def _list_ocr_languages(program: str) -> list[str]:
    try:
        output = subprocess.run(
            [program, "--list-langs"], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [line.strip() for line in output.splitlines()[1:] if line.strip()]


def _check_disk(place: Path) -> HealthCheck:
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        return HealthCheck(
            "disk", "warn", Message("doctor-disk-unknown", cause=str(error.strerror))
        )
    gigabytes = round(free / 1e9, 1)
    if free >= LOW_DISK:
        return HealthCheck(
            "disk", "ok", Message("doctor-disk", gigabytes=gigabytes, place=str(place))
        )
    status: Status = "fail" if free < NO_DISK else "warn"
    low = Message("doctor-disk-low", gigabytes=gigabytes, place=str(place))
    return HealthCheck("disk", status, low)


def _report_error(name: str, error: FoundryError) -> HealthCheck:
    return HealthCheck(name, "fail", error.problem, error.where, error.advice)
