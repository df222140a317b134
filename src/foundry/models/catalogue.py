"""Models by name: ``builtin/…``, ``onnx:DIRECTORY`` or LiteLLM's ``provider/model``."""

from __future__ import annotations

from foundry.config import parse_provider
from foundry.errors import ConfigError, ModelError
from foundry.models.builtin_embedder import MODEL as BUILTIN_EMBEDDER
from foundry.models.builtin_embedder import BuiltinEmbedder
from foundry.models.onnx_embedder import open_onnx
from foundry.models.providers import IN_PROCESS
from foundry.models.remote_embedder import open_embedder
from foundry.models.remote_generator import open_generator
from foundry.models.settings import ModelSettings
from foundry.ports import Embedder, Generator


def get_embedder(model: str, settings: ModelSettings) -> Embedder:
    """The embedder of that name; nothing is loaded or called yet.

    Raises ``ConfigError`` for a name that is not an embedder and for a missing extra or
    file, and ``KeyMissing`` for a missing API key.
    """
    if model == BUILTIN_EMBEDDER:
        return BuiltinEmbedder()
    provider = parse_provider(model)
    if provider == "onnx":
        return open_onnx(model)
    if provider in IN_PROCESS:
        raise ConfigError(
            f"{model} is not an embedding model.",
            where="embedding.model",
            fix=f"Use {BUILTIN_EMBEDDER}, onnx:DIRECTORY or a LiteLLM embedding model.",
        )
    return open_embedder(model, settings)


def get_generator(model: str, settings: ModelSettings) -> Generator:
    """The generator of that name; nothing is called yet.

    Raises ``ModelError`` for ``builtin/…`` and other names that are not language models,
    ``ConfigError`` for an unknown provider, and ``KeyMissing`` for a missing API key.
    """
    if parse_provider(model) in IN_PROCESS:
        raise ModelError(
            f"{model} is not a language model.",
            where="generation.model",
            fix="Use a LiteLLM name such as ollama/llama3.1 or openai/gpt-4o.",
        )
    return open_generator(model, settings)
