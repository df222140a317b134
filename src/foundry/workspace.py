"""The workspace: configuration, store and models of one project, wired together.

Journeys get a ``Workspace``; nothing else knows which adapter implements a port. It is bound to a
principal: its store is a view of what the principal's role may see. Models are created on first
use, and their API keys are checked then, before any work starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Self

from foundry.config import (
    BUILTIN_GENERATOR,
    CONFIG_NAME,
    Config,
    find_project,
    load_config,
    load_server_config,
    parse_provider,
)
from foundry.craft.windows import WINDOWS_VERSION
from foundry.errors import ConfigError, RuleError, UsageError
from foundry.models import (
    LateInteraction,
    Meter,
    ModelSettings,
    check_models,
    get_embedder,
    get_generator,
    get_judge,
    get_reranker,
    load_token_counter,
    require_model,
)
from foundry.models.privacy import is_object_storage
from foundry.models.providers import is_loopback
from foundry.ports import Classifier, CountTokens, Embedder, Generator, Reranker
from foundry.prompts import Templates, load_templates
from foundry.records import (
    Agent,
    Confidentiality,
    FittedCalibration,
    Principal,
    is_visible,
)
from foundry.store import AccessStore, Store, StoreView, add_engine, open_store
from foundry.text.glossary import Glossary, parse_glossary


@dataclass
class Workspace:
    """An open project; use it as a context manager. Paths that a caller names count from ``cwd``.

    With an ``agent`` everything is written as it says (see ``foundry.journeys.agents.use_agent``).
    ``home`` is that of the server, if the project is one of several on it: it knows the people.
    ``exact`` has searches compare every vector, however large the index.
    """

    root: Path
    config: Config
    _whole: Store
    settings: ModelSettings
    environment: Mapping[str, str]
    cwd: Path
    agent: Agent | None = None
    home: Workspace | None = field(default=None, repr=False)
    exact: bool = False
    _closed: bool = field(default=False, repr=False)

    @property
    def principal(self) -> Principal:
        """On whose behalf all work is done."""
        return Principal(self.config.access.role, self.config.project.id)

    @cached_property
    def store(self) -> StoreView:
        """The project as the principal's role sees it."""
        return self._whole.view(self.principal.role, exact=self.exact)

    def view(self, role: Confidentiality) -> StoreView:
        """The project as a role sees that is not higher. Raises ``RuleError`` for one that is."""
        lower_role(self.config, role)
        return self._whole.view(role)

    def maintenance(self) -> Store:
        """The whole store, for work that must see or change everything.

        Raises ``RuleError`` below the highest role, whatever the project contains.
        """
        if not self.principal.sees_all:
            raise RuleError("access-role-too-low", where="access.role", role=self.principal.role)
        return self._whole

    @property
    def access(self) -> AccessStore:
        """Who may use the server, whatever the role: nothing of it is about the sources."""
        return self._whole.access

    def open_other(self, url: str, *, read_only: bool = False) -> Store:
        """The project in another database, for maintenance; the caller closes it."""
        self.maintenance()
        command = self.settings.meter.command
        project = self.config.project.id
        return open_store(url, self.root, project, read_only=read_only, command=command)

    def find_missing_files(self, paths: Iterable[str]) -> frozenset[str]:
        """Those of the sources' paths whose file is gone: one look at the disk for each."""
        return frozenset(path for path in set(paths) if not (self.root / path).exists())

    @cached_property
    def embedder(self) -> Embedder:
        """The embedding model; raises ``KeyMissing`` or ``ConfigError`` before any call."""
        self._require_usable("embedding.model", self.config.embedding.model)
        return get_embedder(self.config.embedding.model, self.settings)

    def fingerprint(self) -> str:
        """What comparable vectors share: the model's fingerprint and the windows version."""
        return f"{self.embedder.fingerprint()}-w{WINDOWS_VERSION}"

    @cached_property
    def generator(self) -> Generator | None:
        """The mode's language model; None for ``builtin/passages``, which is not a model."""
        model = self.config.generator()
        if model == BUILTIN_GENERATOR:
            return None
        self._require_usable(f"generation.{self.config.mode}.model", model)
        return get_generator(model, self.settings)

    @cached_property
    def verifier(self) -> Generator | Classifier | None:
        """The judge of what the rules cannot settle; None if there is none."""
        model = self.config.validation.verifier
        if model == "same":
            return self.generator
        if parse_provider(model) in {"none", "builtin"}:
            return None
        self._require_usable("validation.verifier", model)
        return get_judge(model, self.settings)

    @cached_property
    def hyde_model(self) -> Generator | None:
        """The model that writes hypothetical answers; None without HyDE or a language model."""
        retrieval = self.config.retrieval
        return self._model("retrieval.hyde_model", retrieval.hyde_model) if retrieval.hyde else None

    @cached_property
    def scorer(self) -> Generator | None:
        """The model that scores relevance and looks for contradictions, or None."""
        return self._model("retrieval.scorer_model", self.config.retrieval.scorer_model)

    @cached_property
    def late_interaction(self) -> LateInteraction:
        """Compares a question with passages token by token; built in, whatever is configured."""
        return LateInteraction(self.environment)

    @cached_property
    def reranker(self) -> Reranker | None:
        """The model that orders the first hits again; None if there is none."""
        model = self.config.reranker()
        if model == "none":
            return None
        self._require_usable("retrieval.reranker", model)
        return get_reranker(model, self.settings)

    @cached_property
    def context_model(self) -> Generator | None:
        """The model that writes context prefixes; None for built-in or no prefixes."""
        return self._model("embedding.context_model", self.config.embedding.context_model)

    @cached_property
    def summary_model(self) -> Generator | None:
        """The model that writes source summaries; None for built-in summaries."""
        return self._model("ingest.summary_model", self.config.ingest.summary_model)

    @cached_property
    def fitted(self) -> tuple[FittedCalibration, ...]:
        """The calibrations fitted to the project's questions, current or stale; read once."""
        return tuple(self.store.evaluation.list_fitted())

    def _model(self, key: str, model: str) -> Generator | None:
        """The language model of one step; None for ``none`` and ``builtin/…``."""
        if parse_provider(model) in {"none", "builtin"}:
            return None
        self._require_usable(key, model)
        return get_generator(model, self.settings)

    @cached_property
    def count_tokens(self) -> CountTokens:
        """The tokenizer shared by all budgets, whatever the generator."""
        return load_token_counter(self.config.generation.budget_tokenizer)

    @cached_property
    def templates(self) -> Templates:
        """The prompts, with the project's own replacements."""
        prompts = self.config.prompts.items()
        return load_templates({name: self.file_inside(path, "prompts") for name, path in prompts})

    def brief(self) -> str:
        """The whole project brief; empty if none is configured."""
        return self._read_file(self.config.project.brief, "project.brief")

    @cached_property
    def glossary(self) -> Glossary:
        """The project's synonyms; empty if no glossary is configured."""
        name = self.config.project.glossary
        return parse_glossary(self._read_file(name, "project.glossary"), str(name))

    def file_inside(self, name: str, key: str) -> Path:
        """A configured file with links resolved; ``ConfigError`` if it is outside the project."""
        path = (self.root / name).resolve()
        if not path.is_relative_to(self.root.resolve()):
            raise ConfigError("config-file-outside", where=f"{CONFIG_NAME}: {key}", path=name)
        return path

    def passwords(self) -> tuple[str, ...]:
        """The passwords to try on encrypted files, one per line of the configured file."""
        text = self._read_file(self.config.ingest.passwords_from, "ingest.passwords_from")
        return tuple(line for line in text.splitlines() if line)

    def _read_file(self, name: str | None, key: str) -> str:
        """A configured text file; empty if the key is not set."""
        if not name:
            return ""
        try:
            return self.file_inside(name, key).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                "config-file-unreadable",
                where=f"{CONFIG_NAME}: {key}",
                path=name,
                cause=str(error),
            ) from error

    def _require_usable(self, key: str, model: str) -> None:
        require_model(key, model, self.config.mode, self.settings)

    def close(self) -> None:
        """Close the database; safe to call twice."""
        if not self._closed:
            self._closed = True
            self._whole.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def open_workspace(
    project: Path | None,
    *,
    environment: Mapping[str, str],
    cwd: Path,
    role: Confidentiality | None = None,
    read_only: bool = False,
    command: str = "python",
) -> Workspace:
    """Open the project at ``project``, or the one that contains ``cwd``, on behalf of ``role``.

    ``command`` is what calls of models are entered under, and what others see that wait for this
    process. The role is by default the configured ``access.role``; raises ``RuleError`` for a
    higher one.
    """
    root = _find_root(project, cwd)
    config = load_config(root, environment)
    if role is not None:
        config = lower_role(config, role)
    return _open(root, config, environment, cwd=cwd, read_only=read_only, command=command)


def open_configured(
    root: Path, config: Config, *, environment: Mapping[str, str], command: str = "python"
) -> Workspace:
    """Open a project for reading, with a configuration that another process has read."""
    return _open(root, config, environment, cwd=root, read_only=True, command=command)


def open_home(
    folder: Path, *, environment: Mapping[str, str], command: str = "python"
) -> Workspace:
    """What the projects in a folder share on a server: ``server.yaml``, and who may use them.

    It is a workspace without sources. Raises ``UsageError`` for a folder that is itself a project.
    """
    if not folder.is_dir():
        raise UsageError("config-no-such-folder", where="--projects", path=str(folder))
    root = folder.resolve()
    if (root / CONFIG_NAME).exists():
        raise UsageError("config-projects-is-project", where="--projects", path=str(folder))
    config = load_server_config(root, environment)
    return _open(root, config, environment, cwd=root, read_only=False, command=command)


def _open(
    root: Path,
    config: Config,
    environment: Mapping[str, str],
    *,
    cwd: Path,
    read_only: bool,
    command: str,
) -> Workspace:
    project_id, url = config.project.id, config.storage.url
    store = open_store(url, root, project_id, read_only=read_only, command=command)
    try:
        storage = config.storage
        add_engine(store, storage.engine_url, storage.engine_fallback, root, project_id)
        meter = Meter(command, config.spending, store)
        return _build_workspace(root, config, store, environment, cwd=cwd, meter=meter)
    except BaseException:
        store.close()
        raise


def lower_role(config: Config, role: Confidentiality) -> Config:
    """The configuration for a lower role; raises ``RuleError`` for a higher one."""
    owner = config.access.role
    if not is_visible(role, owner):
        raise RuleError("access-role-too-high", where="--role", role=role, owner=owner)
    return config.model_copy(update={"access": config.access.model_copy(update={"role": role})})


def reconfigure(
    workspace: Workspace, config: Config, store: Store | None = None, agent: Agent | None = None
) -> Workspace:
    """The same project with another configuration and, if given, another store and agent.

    The result shares everything else: close only the original workspace. Raises ``ConfigError``
    for models that ``mode: offline`` does not allow, and ``RuleError`` for a higher role.
    """
    lower_role(workspace.config, config.access.role)
    whole = store or workspace._whole  # noqa: SLF001 - the same project
    # The same run: what is spent on its behalf counts where it was started.
    meter = workspace.settings.meter
    made = _build_workspace(
        workspace.root, config, whole, workspace.environment, cwd=workspace.cwd, meter=meter
    )
    made.agent, made.home = agent or workspace.agent, workspace.home
    return made


def _build_workspace(
    root: Path,
    config: Config,
    store: Store,
    environment: Mapping[str, str],
    *,
    cwd: Path,
    meter: Meter,
) -> Workspace:
    view = store.view(config.access.role)
    settings = replace(build_model_settings(config, environment, view), meter=meter)
    _require_offline(config, settings)
    return Workspace(root, config, store, settings, environment, cwd)


def build_model_settings(
    config: Config, environment: Mapping[str, str], store: StoreView | None
) -> ModelSettings:
    """The settings for model calls; without a store nothing is cached."""
    keep = store is not None and config.models.cache
    return ModelSettings(
        timeout_s=config.models.timeout_s,
        max_retries=config.models.max_retries,
        max_concurrency=config.models.max_concurrency,
        batch_texts=config.embedding.batch_texts,
        temperature=config.generation.temperature,
        max_tokens=config.generation.max_tokens,
        api_base=config.models.api_base,
        windows=config.models.windows,
        environment=environment,
        find_response=store.find_response if store and keep else None,
        save_response=store.save_response if store and keep else None,
    )


def _find_root(project: Path | None, cwd: Path) -> Path:
    if project is None:
        return find_project(cwd.resolve())
    folder = (cwd / project).resolve()
    if not folder.is_dir():
        raise UsageError("config-no-such-folder", where="--project", path=str(project))
    return find_project(folder)


def _require_offline(config: Config, settings: ModelSettings) -> None:
    """In ``mode: offline``, raise an error that lists all that is not local."""
    if config.mode != "offline":
        return
    outside = config.ingest.outside
    if outside.pages != "never" and outside.address and not is_loopback(outside.address):
        raise ConfigError("outside-not-local", where=CONFIG_NAME, address=outside.address)
    if is_object_storage(config.storage.engine_url):
        raise ConfigError("engine-not-local", where=CONFIG_NAME, address=config.storage.engine_url)
    remote = [
        problem
        for problem in check_models(config.models_in_use(), config.mode, settings)
        if problem.code == "not_local"
    ]
    if remote:
        names = [f"{problem.key}: {problem.model}" for problem in remote]
        raise ConfigError("config-models-not-local", where=CONFIG_NAME, models=names)
