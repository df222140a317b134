"""The score of a claim that nothing speaks against: a small logistic mix of signals, fitted.

``bench/fit_verifier.py`` fits the weights on labelled claims and writes ``constants.json``
beside this module, with the sets and figures. A project may have its own, in the same form.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from foundry.craft.grounding.claims import Claim, EvidenceWindow
from foundry.craft.grounding.contradiction import AlignedWindow
from foundry.text.lines import find_shared_terms

_OPENING_WORDS = 3
"""Content words that tell what a sentence is about."""


@dataclass(frozen=True, slots=True)
class ClaimSignals:
    """How a claim lies in the passages chosen for it; each 0–1, more is better.

    ``split_words``: share of its content words in them or in their headings; ``best``: in the
    nearest passage alone; ``order``: share of its words that stand there in order;
    ``run``: in one unbroken run; ``opening``: of its first content words in the nearest
    passage or its headings; ``held``: content words and numbers that stand
    there, n / (n + 4): two words of three say less than ten of fifteen.
    """

    words: float
    best: float
    order: float
    run: float
    opening: float
    held: float


@dataclass(frozen=True, slots=True)
class ClaimCalibration:
    """Weights, and what was read off the fit: ``supported`` from here, ``band`` for a judge."""

    intercept: float
    weights: Mapping[str, float]
    supported: float
    band: tuple[float, float]
    objected: float


def compute_claim_signals(
    claim: Claim, place: AlignedWindow, chosen: Sequence[EvidenceWindow]
) -> ClaimSignals:
    known = frozenset().union(*(w.terms | w.material.context.terms for w in chosen))
    near = place.window.terms
    about = near | place.window.material.context.terms
    held = len(find_shared_terms(claim.line.terms, known)) + len(claim.line.quantities)
    return ClaimSignals(
        words=_compute_share(claim.line.terms, known),
        best=_compute_share(claim.line.terms, near),
        order=place.alignment.share,
        run=place.alignment.run,
        opening=_compute_share(frozenset(claim.line.order[:_OPENING_WORDS]), about),
        held=held / (held + 4),
    )


def score_claim(signals: ClaimSignals, constants: ClaimCalibration) -> float:
    """The probability that evidence with these signals carries the claim, 0–1."""
    exponent = constants.intercept + sum(
        weight * getattr(signals, name) for name, weight in constants.weights.items()
    )
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, exponent))))


@cache
def get_claim_calibration() -> ClaimCalibration:
    """The shipped constants, read once."""
    text = files("foundry.craft.grounding").joinpath("constants.json").read_text(encoding="utf-8")
    return parse_claim_calibration(json.loads(text))


def parse_claim_calibration(entry: Mapping[str, Any]) -> ClaimCalibration:
    """Constants from their form in ``constants.json``."""
    return ClaimCalibration(
        intercept=entry["intercept"],
        weights=entry["weights"],
        supported=entry["supported"],
        band=(entry["band"][0], entry["band"][1]),
        objected=entry["objected"],
    )


def _compute_share(terms: frozenset[str], known: frozenset[str]) -> float:
    return len(find_shared_terms(terms, known)) / len(terms) if terms else 1.0
