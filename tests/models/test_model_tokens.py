"""Token counts: offline, with one tokenizer for all budgets."""

from __future__ import annotations

import subprocess
import sys

import pytest

from foundry.errors import ConfigError
from foundry.models import count_tokens, load_token_counter


@pytest.mark.parametrize(
    ("name", "tokens"), [("cl100k_base", 4), ("o200k_base", 4), ("p50k_base", 4)]
)
def test_every_shipped_encoding_counts(name: str, tokens: int) -> None:
    assert load_token_counter(name)("Hello world, again") == tokens


def test_an_unknown_tokenizer_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError) as caught:
        load_token_counter("cl100k")
    assert "cl100k_base, o200k_base, p50k_base" in caught.value.fix
    assert caught.value.where == "generation.budget_tokenizer"


def test_text_that_looks_like_a_special_token_is_counted_as_text() -> None:
    assert load_token_counter()("<|endoftext|>") > 1


def test_lone_surrogates_are_counted() -> None:
    assert load_token_counter()("a \ud800 b") > 0


def test_an_empty_text_has_no_tokens() -> None:
    assert load_token_counter()("") == 0


def test_a_long_text_counts_the_same_in_pieces() -> None:
    import tiktoken

    text = "De spanning is 3,3 V.  Twee spaties\n\n en 12 345 regels, don't you think? " * 2000
    whole = len(tiktoken.get_encoding("cl100k_base").encode_ordinary(text))
    assert load_token_counter()(text) == whole


@pytest.mark.parametrize("letter", ["a", " ", "\n", "-", "漢", "\t "])
def test_a_text_without_breaks_is_counted(letter: str) -> None:
    counted = load_token_counter()(letter * 1_000_000)
    assert 1000 < counted <= 2_000_000


def test_counting_does_not_import_litellm() -> None:
    code = (
        "import sys; from foundry.models import load_token_counter; "
        "load_token_counter()('five volts'); assert 'litellm' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("model", ["gpt-4o", "meta-llama/Llama-3-8B", "ollama/llama3.1"])
def test_a_models_own_count_needs_no_download(model: str) -> None:
    assert 3 <= count_tokens(model, "Hello world, again") <= 8
