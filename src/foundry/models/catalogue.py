"""The models gateway: names in, vectors and text out; the only user of LiteLLM.

Importing it loads no model and no LiteLLM, opens no connection and reads no
environment. A name is ``builtin/…``, ``onnx:DIRECTORY`` or LiteLLM's
``provider/model``.
"""

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
    """The embedder of a name; nothing is loaded or called yet.

    Raises ``ConfigError`` for a name that is no embedder, a missing extra or
    file, and ``KeyMissing`` naming the environment variable.
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
    """The generator of a name; nothing is called yet.

    Raises ``ModelError`` for ``builtin/…`` and other names that are no language
    model (what they do is done without a model call), ``ConfigError`` for an
    unknown provider, ``KeyMissing`` naming the environment variable.
    """
    if parse_provider(model) in IN_PROCESS:
        raise ModelError(
            f"{model} is not a language model: it is not called.",
            where="generation.model",
            fix="Use a LiteLLM name such as ollama/llama3.1 or openai/gpt-4o.",
        )
    return open_generator(model, settings)
