"""The gate's constants: logistic weights per embedding model, fitted, not chosen.

``bench/fit_gate.py`` fits them on labelled questions and writes
``constants.json`` beside this module; its header names the sets and figures.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from foundry.craft.gate.signals import Signals


@dataclass(frozen=True, slots=True)
class Logistic:
    """p = 1 / (1 + exp(-(intercept + Σ weight · signal)))."""

    intercept: float
    weights: Mapping[str, float]

    def probability(self, signals: Signals) -> float:
        """The relevance of a candidate with these signals, 0–1."""
        exponent = self.intercept + sum(
            weight * getattr(signals, name) for name, weight in self.weights.items()
        )
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, exponent))))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The two fits of one embedding model: languages shared, and languages apart."""

    name: str
    shared: Logistic
    apart: Logistic | None

    @property
    def calibrated(self) -> bool:
        """False for the stand-in that knows only words."""
        return self.apart is not None


LEXICAL = "lexical"


def find_calibration(model: str | None) -> Calibration:
    """The constants of an embedding model; the lexical stand-in for an unknown one or None."""
    table = _table()
    return table.get(model or LEXICAL, table[LEXICAL])


@cache
def _table() -> dict[str, Calibration]:
    text = files("foundry.craft.gate").joinpath("constants.json").read_text(encoding="utf-8")
    return {
        name: Calibration(
            name,
            Logistic(entry["shared"]["intercept"], entry["shared"]["weights"]),
            Logistic(entry["apart"]["intercept"], entry["apart"]["weights"])
            if entry.get("apart")
            else None,
        )
        for name, entry in json.loads(text)["models"].items()
    }
