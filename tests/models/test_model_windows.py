"""Context windows: from the settings, LiteLLM's table or ours, without a request."""

from __future__ import annotations

import pytest

from foundry.models import ModelSettings, get_window


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("openai/gpt-4o", 128_000),
        ("ollama/llama3.1:8b", 131_072),
        ("ollama/llama3:8b-instruct-q4", 8192),
        ("ollama/library/mistral", 32_768),
        ("ollama/nomic-embed-text", 2048),
    ],
)
def test_common_models_are_known(model: str, window: int) -> None:
    assert get_window(model, ModelSettings()) == window


def test_the_settings_come_first() -> None:
    named = ModelSettings(windows={"openai/gpt-4o": 1000, "mine": 2000})
    assert get_window("openai/gpt-4o", named) == 1000
    assert get_window("ollama/mine:latest", named) == 2000


def test_an_unknown_model_is_assumed_small() -> None:
    assert get_window("ollama/home-made", ModelSettings()) == 8192
