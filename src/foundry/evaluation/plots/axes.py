"""Axes whose numbers are written in the reader's language."""

from __future__ import annotations

from typing import Any

from foundry.evaluation.libraries import require
from foundry.evaluation.phrases import Phrases

_STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def unit_axis(axis: Any, phrases: Phrases) -> None:
    """Ticks from 0 to 1."""
    axis.set_ticks(_STEPS, [phrases.number(step, 1) for step in _STEPS])


def percent_axis(axis: Any, phrases: Phrases) -> None:
    """A few ticks of shares, as whole percentages."""
    ticker = require("matplotlib.ticker")
    axis.set_major_locator(ticker.MaxNLocator(nbins=3, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(
        ticker.FuncFormatter(lambda share, _position: f"{phrases.number(share * 100)}%")
    )


def number_axis(axis: Any, phrases: Phrases) -> None:
    """Ticks where matplotlib likes them, all with as many decimals as tell them apart."""
    ticker = require("matplotlib.ticker")

    def write(value: float, _position: int) -> str:
        return phrases.number(value, max(_places(float(tick)) for tick in axis.get_majorticklocs()))

    axis.set_major_formatter(ticker.FuncFormatter(write))


def log_axis(axis: Any, phrases: Phrases) -> None:
    """Ticks at 1, 2 and 5 of every power of ten."""
    ticker = require("matplotlib.ticker")
    axis.set_major_locator(ticker.LogLocator(base=10, subs=(1.0, 2.0, 5.0)))
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(
        ticker.FuncFormatter(lambda value, _position: phrases.number(value, _places(value)))
    )


def _places(value: float) -> int:
    """Decimals that a tick needs: 0.25 two, 300 none."""
    return next((n for n in range(4) if abs(value - round(value, n)) < 1e-9), 4)
