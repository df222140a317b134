"""What tokens cost: LiteLLM's price table, read from its package and never from the network."""

from __future__ import annotations

from foundry.models.litellm_import import load_litellm
from foundry.models.providers import resolve
from foundry.models.settings import ModelSettings


def estimate_cost(
    model: str, prompt_tokens: int, completion_tokens: int, settings: ModelSettings
) -> float | None:
    """US dollars for so many tokens; 0 for a model on this machine, None where nobody knows.

    Prices by volume are not taken into account. Makes no request.
    """
    target = resolve(model, settings)
    if target.local:
        return 0.0
    try:
        parts = load_litellm().cost_per_token(
            model=target.litellm_name,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
        )
    except Exception:  # noqa: BLE001  (it raises bare exceptions for models without a price)
        return None
    return float(sum(parts))
