"""Context windows: how many tokens a model reads at once.

Asked of the settings first, then of LiteLLM's table, then of the short one here.
Models that LiteLLM would ask a server about (Ollama, the Hugging Face hub) are
looked up here only: finding a window makes no request.
"""

from __future__ import annotations

from foundry.models.litellm_import import load_litellm
from foundry.models.providers import OLLAMA, resolve
from foundry.models.settings import ModelSettings

UNKNOWN_WINDOW = 8192
"""Assumed for a model that nobody knows; ``models.windows`` sets the real one."""

# LiteLLM looks these up over the network.
_ASKS_A_SERVER = (*OLLAMA, "huggingface", "lemonade")

# By the start of the name, the longest match counts. As the makers publish them.
_WINDOWS = {
    "llama2": 4096,
    "llama3": 8192,
    "llama3.1": 131_072,
    "llama3.2": 131_072,
    "llama3.3": 131_072,
    "llama4": 131_072,
    "mistral": 32_768,
    "mistral-large": 131_072,
    "mistral-nemo": 131_072,
    "mistral-small": 32_768,
    "mistral-small3": 131_072,
    "ministral": 131_072,
    "mixtral": 32_768,
    "qwen": 32_768,
    "qwen2.5": 32_768,
    "qwen3": 40_960,
    "gemma": 8192,
    "gemma2": 8192,
    "gemma3": 32_768,
    "phi3": 4096,
    "phi4": 16_384,
    "phi4-mini": 131_072,
    "deepseek-r1": 131_072,
    "deepseek-chat": 131_072,
    "command-r": 131_072,
    "gpt-oss": 131_072,
    "granite3": 131_072,
    "smollm2": 8192,
    "tinyllama": 2048,
    "aya-expanse": 8192,
    "nomic-embed-text": 2048,
    "mxbai-embed-large": 512,
    "all-minilm": 256,
    "bge-m3": 8192,
    "snowflake-arctic-embed": 512,
    "snowflake-arctic-embed2": 8192,
    "gpt-3.5-turbo": 16_385,
    "gpt-4": 8192,
    "gpt-4-turbo": 128_000,
    "gpt-4o": 128_000,
    "gpt-4.1": 1_047_576,
    "gpt-5": 272_000,
    "o1": 200_000,
    "o3": 200_000,
    "o4-mini": 200_000,
    "claude-": 200_000,
    "gemini-": 1_048_576,
    "text-embedding-3": 8191,
    "text-embedding-ada": 8191,
}


def context_window(model: str, settings: ModelSettings) -> int:
    """Tokens that fit in the model's window; ``UNKNOWN_WINDOW`` where nobody knows."""
    return find_window(model, settings) or UNKNOWN_WINDOW


def find_window(model: str, settings: ModelSettings) -> int | None:
    """The window of a model, or None where it is unknown. Makes no request."""
    target = resolve(model, settings)
    for name in (model, target.name, target.name.partition(":")[0]):
        if name in settings.windows:
            return settings.windows[name]
    known = None if target.provider in _ASKS_A_SERVER else _ask_litellm(target.litellm_name)
    return known or _look_up(target.name)


def _ask_litellm(model: str) -> int | None:
    try:
        info = load_litellm().get_model_info(model)
    except Exception:  # noqa: BLE001  (it raises bare exceptions for names it does not know)
        return None
    found = info.get("max_input_tokens") or info.get("max_tokens")
    return int(found) if found else None


def _look_up(name: str) -> int | None:
    plain = name.rpartition("/")[2].lower()
    matches = [start for start in _WINDOWS if plain.startswith(start)]
    return _WINDOWS[max(matches, key=len)] if matches else None
