"""The price of calls, without a request."""

from __future__ import annotations

import pytest

from foundry.models import ModelSettings, estimate_cost

KEYED = ModelSettings(environment={"OPENAI_API_KEY": "test"})


def test_a_priced_model_costs_what_its_table_says() -> None:
    cost = estimate_cost("openai/gpt-4o-mini", 1_000_000, 0, KEYED)
    assert cost
    assert 0.05 < cost < 1
    assert estimate_cost("openai/gpt-4o-mini", 2_000_000, 0, KEYED) == pytest.approx(2 * cost)


def test_an_unknown_model_has_no_price() -> None:
    assert estimate_cost("openai/no-such-model", 1000, 10, KEYED) is None


def test_a_local_model_costs_nothing() -> None:
    assert estimate_cost("ollama/llama3.1", 1_000_000, 1000, ModelSettings()) == 0.0
