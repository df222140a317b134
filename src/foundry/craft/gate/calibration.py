"""Calibrations of the gate: fitted logistic weights per embedding model.

``python -m bench.fit_gate`` fits them on labelled questions and writes ``constants.json`` beside
this module, with the sets and figures. A project may have its own in the same form.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from foundry.craft.gate.signals import SIGNAL_NAMES, CandidateSignals


@dataclass(frozen=True, slots=True)
class Logistic:
    """p = 1 / (1 + exp(-(intercept + Σ weight · signal)))."""

    intercept: float
    weights: Mapping[str, float]

    def probability(self, signals: CandidateSignals) -> float:
        """The relevance of a candidate with these signals, 0–1."""
        exponent = self.intercept + sum(
            weight * getattr(signals, name) for name, weight in self.weights.items()
        )
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, exponent))))


@dataclass(frozen=True, slots=True)
class GateCalibration:
    """The two fits of an embedding model: question and chunk in one language, and in two.

    ``apart`` (two languages) is None for a calibration that knows only words. ``own``: fitted to
    the project's own questions.
    """

    name: str
    shared: Logistic
    apart: Logistic | None
    own: bool = False

    @property
    def calibrated(self) -> bool:
        """False for the fallback that knows only words."""
        return self.own or self.apart is not None


LEXICAL = "lexical"
"""The calibration without vectors, for searches by words alone and for unknown models."""


def get_calibration(model: str | None) -> GateCalibration:
    """The shipped calibration of a model; the lexical one for an unknown model or None."""
    table = _load_calibrations()
    return table.get(model or LEXICAL, table[LEXICAL])


def parse_calibration(name: str, entry: Mapping[str, Any], *, own: bool = False) -> GateCalibration:
    """A calibration from its form in ``constants.json``."""
    apart = entry.get("apart")
    return GateCalibration(
        name, _parse_logistic(entry["shared"]), _parse_logistic(apart) if apart else None, own
    )


def knows_signals(entry: Mapping[str, Any]) -> bool:
    """Whether every signal that a stored calibration weighs still exists."""
    arms = [arm for arm in (entry["shared"], entry.get("apart")) if arm]
    return all(name in SIGNAL_NAMES for arm in arms for name in arm["weights"])


def _parse_logistic(entry: Mapping[str, Any]) -> Logistic:
    return Logistic(entry["intercept"], entry["weights"])


@cache
def _load_calibrations() -> dict[str, GateCalibration]:
    text = files("foundry.craft.gate").joinpath("constants.json").read_text(encoding="utf-8")
    models = json.loads(text)["models"]
    return {name: parse_calibration(name, entry) for name, entry in models.items()}
