"""Models by name: opening them, checking them, listing their hosts.

A name is ``builtin/…``, ``onnx:DIRECTORY`` or LiteLLM's ``provider/model``. Nothing here
contacts a host. A problem is a value that includes its fix; ``require_model`` raises it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from foundry.config import BUILTIN_EMBEDDING, BUILTIN_RERANKER, parse_provider
from foundry.errors import ConfigError, ExtraMissing, KeyMissing, ModelError, require_extra
from foundry.messages import Message, format_message
from foundry.models.builtin_model import BuiltinEmbedder, LateInteraction
from foundry.models.litellm_client import load_litellm
from foundry.models.providers import (
    IN_PROCESS,
    Target,
    describe_key_host,
    list_missing_keys,
    list_other_hosts,
    require_encryption,
    resolve_target,
)
from foundry.models.settings import ModelSettings
from foundry.ports import Classifier, Embedder, Generator, Reranker

_BUILTIN = {
    "embedding.model": (BUILTIN_EMBEDDING.partition("/")[2],),
    "retrieval.reranker": (BUILTIN_RERANKER.partition("/")[2],),
}
_BUILTIN_WRITERS = ("passages", "extractive", "headings")


@dataclass(frozen=True, slots=True)
class ModelProblem:
    """A configured model that cannot be used: its configuration key, why, and the fix.

    ``code`` is "not_local", "missing_package", "key_missing", "config" or "unknown_builtin".
    """

    key: str
    model: str
    code: str
    problem: Message

    @property
    def message(self) -> str:
        """Why it cannot be used."""
        return str(self.problem)

    @property
    def fix(self) -> str:
        """What to do next."""
        return format_message(self.problem, attribute="fix")


@dataclass(frozen=True, slots=True)
class ModelHost:
    """A host that the configuration can reach, with the model and key that name it."""

    key: str
    model: str
    host: str
    local: bool


def get_embedder(model: str, settings: ModelSettings) -> Embedder:
    """The embedder of that name; nothing is loaded or called yet.

    Raises ``ConfigError`` for a name that is not an embedder and for a missing extra or
    file, and ``KeyMissing`` for a missing API key.
    """
    if model == BUILTIN_EMBEDDING:
        return BuiltinEmbedder(settings.environment)
    # Imported here and below: the built-in models need none of the others.
    from foundry.models.onnx_models import open_onnx
    from foundry.models.remote_embedder import open_embedder

    provider = parse_provider(model)
    if provider == "onnx":
        return open_onnx(model)
    if provider in IN_PROCESS:
        raise ConfigError(
            "models-no-embedder", where="embedding.model", model=model, builtin=BUILTIN_EMBEDDING
        )
    return open_embedder(model, settings)


def get_generator(model: str, settings: ModelSettings) -> Generator:
    """The generator of that name; nothing is called yet.

    Raises ``ModelError`` for ``builtin/…`` and other names that are not language models,
    ``ConfigError`` for an unknown provider, and ``KeyMissing`` for a missing API key.
    """
    if parse_provider(model) in IN_PROCESS:
        raise ModelError("models-no-generator", where="generation.model", model=model)
    from foundry.models.remote_generator import open_generator

    return open_generator(model, settings)


def get_judge(model: str, settings: ModelSettings) -> Generator | Classifier:
    """The judge of that name: ``onnx:DIR`` or a language model; nothing is loaded or called yet.

    Raises what ``get_generator`` raises, and ``ConfigError`` for a missing package or file.
    """
    if parse_provider(model) == "onnx":
        from foundry.models.onnx_models import open_onnx_classifier

        return open_onnx_classifier(model)
    return get_generator(model, settings)


def get_reranker(model: str, settings: ModelSettings) -> Reranker:
    """The reranker of that name; nothing is loaded or called yet.

    Raises ``ConfigError`` for a name that is not a reranker and for a missing package or file,
    and ``KeyMissing`` for a missing API key.
    """
    if model == BUILTIN_RERANKER:
        return LateInteraction(settings.environment)
    from foundry.models.rerankers import open_onnx_reranker, open_reranker

    provider = parse_provider(model)
    if provider == "onnx":
        return open_onnx_reranker(model)
    if provider in IN_PROCESS:
        raise ConfigError("models-no-reranker", where="retrieval.reranker", model=model)
    return open_reranker(model, settings)


def check_models(
    models: Mapping[str, str], mode: str, settings: ModelSettings
) -> list[ModelProblem]:
    """All problems of the models (configuration key → name), in their order.

    In mode "offline" every model that is not local is a problem. LiteLLM is imported
    only for providers that are not in Foundry's own table.
    """
    problems = []
    for key, model in models.items():
        problem = _find_problem(key, model, mode, settings)
        if problem is not None:
            problems.append(problem)
    return problems


def require_model(key: str, model: str, mode: str, settings: ModelSettings) -> None:
    """Raise ``KeyMissing`` or ``ConfigError`` if the model of that key cannot be used."""
    problem = _find_problem(key, model, mode, settings)
    if problem is not None:
        kinds = {"key_missing": KeyMissing, ExtraMissing.code: ExtraMissing}
        kind = kinds.get(problem.code, ConfigError)
        raise kind(problem.problem, where=key)


def load_clients(models: Iterable[str]) -> None:
    """Import what calls of these models need, so that the first one need not wait for it.

    Takes seconds if one of them is remote; nothing is called.
    """
    if any(parse_provider(model) not in IN_PROCESS for model in models):
        load_litellm()


def list_hosts(models: Mapping[str, str], settings: ModelSettings) -> list[ModelHost]:
    """Where each model runs: "this process", a host with its port, or a provider's name.

    Skips models that cannot be resolved; ``check_models`` reports them.
    """
    hosts: list[ModelHost] = []
    for key, model in models.items():
        try:
            target = resolve_target(model, settings)
        except ConfigError:
            continue
        names = (target.host, *list_other_hosts(target))
        hosts.extend(ModelHost(key, model, host, target.local) for host in names)
    return hosts


def list_key_hosts(models: Mapping[str, str], settings: ModelSettings) -> list[Message]:
    """Which hosts get a key because foundry.yaml names them; each once.

    Skips models that cannot be resolved; ``check_models`` reports them.
    """
    notices: dict[Message, None] = {}
    for model in models.values():
        with contextlib.suppress(ConfigError):
            notice = describe_key_host(resolve_target(model, settings))
            notices |= {notice: None} if notice else {}
    return list(notices)


def _find_problem(key: str, model: str, mode: str, settings: ModelSettings) -> ModelProblem | None:
    try:
        target = resolve_target(model, settings)
        if target.provider == "builtin":
            return _check_builtin(key, target)
        if target.provider == "onnx":
            return _check_onnx(key, model)
        if mode == "offline" and not target.local:
            remote = Message("models-not-local", model=target.model, host=target.host)
            return ModelProblem(key, target.model, "not_local", remote)
        require_encryption(target, settings)
        require_extra("models", where=key)
        missing = list_missing_keys(target, settings)
    except ConfigError as error:
        return ModelProblem(key, model, error.code, error.problem)
    if not missing:
        return None
    problem = Message("models-key-missing", model=model, names=missing)
    return ModelProblem(key, model, "key_missing", problem)


def _check_onnx(key: str, model: str) -> ModelProblem | None:
    """Whether the directory has what the step needs; raises ``ConfigError`` if not."""
    from foundry.models.onnx_models import open_onnx, open_onnx_classifier
    from foundry.models.rerankers import open_onnx_reranker

    match key:
        case "embedding.model":
            open_onnx(model)
        case "retrieval.reranker":
            open_onnx_reranker(model)
        case "validation.verifier":
            open_onnx_classifier(model)
        case _:
            problem = Message("models-no-generator", model=model)
            return ModelProblem(key, model, "config", problem)
    return None


def _check_builtin(key: str, target: Target) -> ModelProblem | None:
    known = _BUILTIN.get(key, _BUILTIN_WRITERS)
    if target.name in known:
        return None
    names = [f"builtin/{name}" for name in known]
    problem = Message("models-builtin-unknown", model=target.model, key=key, names=names)
    return ModelProblem(key, target.model, "unknown_builtin", problem)
