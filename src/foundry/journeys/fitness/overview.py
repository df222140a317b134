"""Which model each step uses: where it runs, whether it answers, what it reads at once and costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from foundry.config import BUILTIN_GENERATOR, Config
from foundry.doc import HIDDEN, Doc
from foundry.errors import FoundryError
from foundry.journeys.fitness.check import Fitness, check_fitness
from foundry.messages import Message
from foundry.models import ModelSettings, check_models, get_generator, get_window
from foundry.models.local_servers import LocalServer, find_model, find_servers, list_target_models
from foundry.models.providers import IN_PROCESS, OLLAMA, Target, resolve_target
from foundry.models.tokens import compute_price
from foundry.ports import ChatMessage
from foundry.workspace import Workspace

Reach = Literal["ready", "failed", "not_asked"]

_MILLION = 1_000_000
_NO_GENERATORS = ("embedding.model", "retrieval.reranker")
_GREETING = "Reply with the word OK."


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """What a model costs; None if the price is not known."""

    prompt: Annotated[float | None, Doc("US dollars for a million tokens read")]
    completion: Annotated[float | None, Doc("US dollars for a million tokens written")]


@dataclass(frozen=True, slots=True)
class ModelStep:
    """A configuration key that names a model, and what is known of that model.

    ``window`` is None for a model that has none, such as a built-in one.
    """

    key: Annotated[str, Doc("the configuration key")]
    model: str
    host: Annotated[str, Doc("host with port, or where on this machine")]
    local: Annotated[bool, Doc("no text leaves this machine")]
    reach: Annotated[Reach, Doc("not_asked: on another machine, which only --check asks")]
    window: Annotated[int | None, Doc("tokens that it reads at once")]
    price: ModelPrice
    problem: Annotated[Message | None, Doc("why it cannot be used")] = None


@dataclass(frozen=True, slots=True)
class ModelsReport:
    """The steps by key, the servers on this machine, and with a check how fit the models are."""

    steps: tuple[ModelStep, ...]
    servers: Annotated[tuple[LocalServer, ...], Doc("that answer on this machine")]
    fitness: Annotated[Fitness | None, HIDDEN] = None

    @property
    def fit(self) -> Annotated[bool | None, Doc("null without --check")]:
        """Whether the models are fit; None without a check."""
        return self.fitness.fit if self.fitness else None


def describe_models(workspace: Workspace, *, check: bool = False) -> ModelsReport:
    """The models of the current mode; with ``check`` each is asked, and writer and judge are tried.

    Without it nothing is sent to another machine, and no model is called.
    """
    config, settings = workspace.config, workspace.settings
    steps: list[ModelStep] = []
    servers: dict[tuple[str, str], LocalServer | None] = {}
    asked: dict[str, Message | None] = {}
    for key, model in list_steps(config).items():
        step = _describe_step(key, model, config, settings, servers)
        if check and step.reach != "failed" and not _is_in_process(model):
            step = _ask(step, settings, asked)
        steps.append(step)
    fitness = check_fitness(workspace) if check else None
    return ModelsReport(tuple(steps), find_servers(workspace.environment), fitness)


def list_steps(config: Config) -> Mapping[str, str]:
    """Key → model, the writer first, then those who judge, then the rest; ``none`` is left out."""
    used = config.models_in_use()
    if config.validation.verifier == "same" and config.generator() != BUILTIN_GENERATOR:
        used["validation.verifier"] = config.generator()
    order = ("generation.", "validation.")
    return dict(sorted(used.items(), key=lambda item: not item[0].startswith(order)))


def _describe_step(
    key: str,
    model: str,
    config: Config,
    settings: ModelSettings,
    servers: dict[tuple[str, str], LocalServer | None],
) -> ModelStep:
    problems = check_models({key: model}, config.mode, settings)
    try:
        target = resolve_target(model, settings)
    except FoundryError as error:
        return ModelStep(
            key, model, "", False, "failed", None, ModelPrice(None, None), error.problem
        )
    step = ModelStep(key, model, target.host, target.local, "not_asked", None, _find_price(target))
    if problems:
        return replace(step, reach="failed", problem=problems[0].problem)
    if _is_in_process(model):
        return replace(step, reach="ready")
    step = replace(step, window=get_window(model, settings))
    return _find_on_server(step, target, servers) if target.local else step


def _find_on_server(
    step: ModelStep, target: Target, servers: dict[tuple[str, str], LocalServer | None]
) -> ModelStep:
    place = (target.provider, str(target.api_base))
    if place not in servers:
        servers[place] = list_target_models(target)
    server = servers[place]
    if server is None:
        silent = Message("models-server-silent", address=str(target.api_base))
        return replace(step, reach="failed", problem=silent)
    found = find_model(server, target.name)
    if found is None and (target.provider in OLLAMA or len(server.models) != 1):
        missing = Message("models-server-lacks", server=server.name, model=target.name)
        return replace(step, reach="failed", problem=missing)
    return replace(step, reach="ready", window=(found and found.window) or step.window)


def _ask(step: ModelStep, settings: ModelSettings, asked: dict[str, Message | None]) -> ModelStep:
    """The step after a first call, which also has a server load the model."""
    if step.key in _NO_GENERATORS:
        return step
    if step.model not in asked:
        try:
            uncached = replace(settings, find_response=None, save_response=None, max_retries=0)
            generator = get_generator(step.model, uncached)
            generator.generate([ChatMessage("user", _GREETING)], max_tokens=8)
            asked[step.model] = None
        except FoundryError as error:
            asked[step.model] = error.problem
    problem = asked[step.model]
    return replace(step, reach="failed" if problem else "ready", problem=problem)


def _is_in_process(model: str) -> bool:
    return model.partition("/")[0].partition(":")[0] in IN_PROCESS


def _find_price(target: Target) -> ModelPrice:
    if target.local:
        return ModelPrice(0.0, 0.0)
    prices = (compute_price(target, _MILLION, 0), compute_price(target, 0, _MILLION))
    return ModelPrice(*prices)
