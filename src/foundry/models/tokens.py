"""Token counts that need no network: every budget of a project uses one tokenizer.

The encodings are read from the files that LiteLLM ships inside its package,
without importing it. Nothing is downloaded: an encoding whose file is missing is
an error here, where tiktoken itself would fetch it.
"""

from __future__ import annotations

import difflib
import importlib.util
import os
import threading
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from foundry.errors import ConfigError
from foundry.models.litellm_import import load_litellm
from foundry.ports import CountTokens

DEFAULT_TOKENIZER = "cl100k_base"

# The files are named by the SHA-1 of the address tiktoken knows them by.
_FILES = {
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
    "p50k_base": "ec7223a39ce59f226a68acc30dc1af2788490e15",
}

# tiktoken is quadratic on long runs without a break in its older releases.
_PIECE = 16_384
_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
_loading = threading.Lock()


def load_token_counter(name: str = DEFAULT_TOKENIZER) -> CountTokens:
    """The counter of a tiktoken encoding: ``cl100k_base``, ``o200k_base`` or ``p50k_base``.

    The name is checked now, the encoding read (about 0.2 s) at the first count.
    Text that looks like a special token counts as plain text. Texts of more than
    16,384 characters are counted in pieces cut before a word, which changes
    nothing; only a longer run without any space may count a token or two more.

    Raises ``ConfigError`` for an unknown name or a missing file.
    """
    if name not in _FILES:
        near = difflib.get_close_matches(name, _FILES, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise ConfigError(
            f"There is no tokenizer named {name!r}.",
            where="generation.budget_tokenizer",
            fix=f"Choose one of {', '.join(_FILES)}.{hint}",
        )
    _encoding_file(name)

    def count(text: str) -> int:
        encoding = _load_encoding(name)
        if len(text) <= _PIECE:
            return len(encoding.encode_ordinary(text))
        return sum(len(encoding.encode_ordinary(piece)) for piece in _pieces(text))

    return count


def count_tokens(model: str, text: str) -> int:
    """Tokens of ``text`` in the model's own tokenizer, as ``litellm.token_counter`` counts.

    For models whose tokenizer would have to be downloaded LiteLLM's default
    (cl100k_base) counts instead. Imports LiteLLM.
    """
    litellm = load_litellm()
    return sum(int(litellm.token_counter(model=model, text=piece)) for piece in _pieces(text))


def _encoding_file(name: str) -> Path:
    spec = importlib.util.find_spec("litellm")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    path = folder / "litellm_core_utils" / "tokenizers" / _FILES[name]
    if not path.is_file():
        raise ConfigError(
            f"The file of the tokenizer {name} is missing from the installed LiteLLM.",
            where=str(path),
            fix="Install the dependencies again from the lock file.",
        )
    return path


@lru_cache(maxsize=len(_FILES))
def _load_encoding(name: str) -> Any:
    # Imported here: it costs 50 ms that `foundry --help` need not pay.
    import tiktoken

    path = _encoding_file(name)
    with _loading:
        before = os.environ.get(_CACHE_VARIABLE)
        os.environ[_CACHE_VARIABLE] = str(path.parent)
        try:
            return tiktoken.get_encoding(name)
        finally:
            if before is None:
                del os.environ[_CACHE_VARIABLE]
            else:
                os.environ[_CACHE_VARIABLE] = before


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _PIECE:
        cut = _find_break(text, start + _PIECE // 2, start + _PIECE)
        yield text[start:cut]
        start = cut
    yield text[start:]


def _find_break(text: str, low: int, high: int) -> int:
    """A place before a single space between two words: no token reaches across it."""
    place = text.rfind(" ", low, high)
    while place > low:
        if not text[place - 1].isspace() and not text[place + 1].isspace():
            return place
        place = text.rfind(" ", low, place)
    return high
