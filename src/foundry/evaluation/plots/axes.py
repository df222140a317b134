"""Axes whose numbers are written in the reader's language."""

from __future__ import annotations

from typing import Any

from foundry.evaluation.libraries import require
from foundry.evaluation.phrases import Phrases

_STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def unit_axis(axis: Any, phrases: Phrases) -> None:
    """Ticks from 0 to 1."""
    axis.set_ticks(_STEPS, [phrases.number(step, 1) for step in _STEPS])


def number_axis(axis: Any, phrases: Phrases, places: int | None = None) -> None:
    """Ticks where matplotlib likes them; ``places`` as few as tell them apart where None."""
    ticker = require("matplotlib.ticker")

    def write(value: float, _position: int) -> str:
        return phrases.number(value, _places(value) if places is None else places)

    axis.set_major_formatter(ticker.FuncFormatter(write))


def _places(value: float) -> int:
    """Decimals that a tick needs: 0.25 two, 300 none."""
    return next((n for n in range(4) if abs(value - round(value, n)) < 1e-9), 4)
