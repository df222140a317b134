"""The score of a claim without objection: a fitted logistic over the signals of ``signals``.

``python -m bench.fit_verifier`` fits the weights on labelled claims and writes ``constants.json``
beside this module, with the sets and figures. A project may have its own in the same form.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

TABLES = ("words", "meaning", "across")
"""The tables of a calibration, by name."""


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A logistic: the log odds are ``intercept`` plus each weight times its signal."""

    intercept: float
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ClaimCalibration:
    """Fitted weights, and the scores chosen with them.

    ``words`` is for a claim in its source's language, ``meaning`` for the same with token vectors,
    ``across`` for two languages. A claim is supported from ``supported`` on and unsupported below
    ``rejected``; between them nobody can tell. One with an objection scores ``objected``.
    """

    words: ScoreTable
    meaning: ScoreTable
    across: ScoreTable
    supported: float
    rejected: float
    objected: float


def score_claim(signals: Mapping[str, float], table: ScoreTable) -> float:
    """The probability that evidence with these signals supports the claim, 0–1."""
    exponent = table.intercept + sum(
        weight * signals[name] for name, weight in table.weights.items()
    )
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, exponent))))


@cache
def get_claim_calibration() -> ClaimCalibration:
    """The shipped calibration, read once."""
    text = files("foundry.craft.grounding").joinpath("constants.json").read_text(encoding="utf-8")
    return parse_claim_calibration(json.loads(text))


def parse_claim_calibration(entry: Mapping[str, Any]) -> ClaimCalibration:
    """A calibration from its form in ``constants.json``."""
    words, meaning, across = (ScoreTable(**entry[name]) for name in TABLES)
    supported, rejected, objected = (entry[n] for n in ("supported", "rejected", "objected"))
    return ClaimCalibration(words, meaning, across, supported, rejected, objected)


def knows_claim_signals(entry: Mapping[str, Any]) -> bool:
    """Whether stored constants have the tables of today, with no other signals."""
    shipped = asdict(get_claim_calibration())
    return all(
        name in entry and entry[name]["weights"].keys() <= shipped[name]["weights"].keys()
        for name in TABLES
    )
