"""The score of a claim without objection: a fitted logistic over a few signals.

``python -m bench.fit_verifier`` fits the weights on labelled claims and writes ``constants.json``
beside this module, with the sets and figures. A project may have its own in the same form.
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
"""The first content words say what a sentence is about; three by eye."""


@dataclass(frozen=True, slots=True)
class ClaimSignals:
    """How well the chosen passages match a claim; each 0–1, higher is better.

    - ``words``: share of its content words in the passages or their headings
    - ``best``: the same in the nearest passage alone
    - ``order``: share of its words that occur there in order
    - ``run``: share of its words in one unbroken run
    - ``opening``: share of its first content words in the nearest passage or its headings
    - ``held``: n / (n + 4) of the n words and numbers found, as two of three prove less than ten
      of fifteen
    """

    words: float
    best: float
    order: float
    run: float
    opening: float
    held: float


@dataclass(frozen=True, slots=True)
class ClaimCalibration:
    """Fitted weights, and the scores chosen with them.

    A claim is supported from ``supported`` on; between the ends of ``band`` a judge may be asked; a
    claim with an objection scores ``objected``.
    """

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
    """The probability that evidence with these signals supports the claim, 0–1."""
    exponent = constants.intercept + sum(
        weight * getattr(signals, name) for name, weight in constants.weights.items()
    )
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, exponent))))


@cache
def get_claim_calibration() -> ClaimCalibration:
    """The shipped calibration, read once."""
    text = files("foundry.craft.grounding").joinpath("constants.json").read_text(encoding="utf-8")
    return parse_claim_calibration(json.loads(text))


def parse_claim_calibration(entry: Mapping[str, Any]) -> ClaimCalibration:
    """A calibration from its form in ``constants.json``."""
    return ClaimCalibration(
        intercept=entry["intercept"],
        weights=entry["weights"],
        supported=entry["supported"],
        band=(entry["band"][0], entry["band"][1]),
        objected=entry["objected"],
    )


def _compute_share(terms: frozenset[str], known: frozenset[str]) -> float:
    return len(find_shared_terms(terms, known)) / len(terms) if terms else 1.0
