"""What alignment says about a claim: numbers that the fitted score weighs.

Each compares claim and evidence; none describes the claim alone, because how a false sentence
is worded says nothing about its source (docs/evaluation/verification.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foundry.craft.grounding.claims import Claim, EvidenceWindow
from foundry.craft.grounding.contradiction import Objection
from foundry.lexicon import load_shared_lexicon
from foundry.ports import SentenceMatch
from foundry.text.lines import find_shared_terms
from foundry.text.names import is_mentioned_in
from foundry.text.polarity import EXCLUSIVE_WORDS, has_denial, split_words

_SIGNS = load_shared_lexicon().signs
_UNLIKE = 0.6
"""Below this cosine a token has no counterpart. Of .5, .6 and .7 the one that parted best."""

_WEAKEST = 3
"""The tokens that match worst, of which the mean is taken; a guess: one changed word."""

_DOUBTS = {
    "claim-says-other": "altered",
    "claim-value-of-other": "misplaced",
    "claim-value-missing": "missing",
    "claim-name-missing": "missing",
}


def measure_words(
    claim: Claim,
    near: EvidenceWindow,
    chosen: Sequence[EvidenceWindow],
    doubt: Objection | None,
) -> dict[str, float]:
    """Signals from words, numbers and names in the claim's language.

    Shares are 0–1; ``altered``, ``misplaced`` and ``missing`` say what the exact checks doubt, and
    ``added_…`` and ``lost_…`` that a kind of word is on one side only.
    """
    terms = claim.line.terms
    known = frozenset().union(*(w.terms | w.material.context.terms for w in chosen))
    ours = frozenset(split_words(claim.line.text))
    theirs = _collect_words([near])
    facts = measure_facts(claim, near, chosen)
    code = _DOUBTS.get(doubt.reason.code, "") if doubt else ""
    return {
        "words": compute_share(terms, known),
        "retold": compute_share(near.terms, terms),
        **facts,
        **_measure_row(claim, near),
        "denial_lost": float(has_denial(_join(near)) and not has_denial(claim.line.text)),
        "exclusive": float(
            any(EXCLUSIVE_WORDS.get(w, frozenset()) & (theirs - ours) for w in ours - theirs)
        ),
        **{name: float(code == name) for name in ("altered", "misplaced", "missing")},
        **_compare_signs(ours, theirs, _collect_words(chosen)),
    }


def measure_meaning(matches: Sequence[SentenceMatch]) -> dict[str, float]:
    """Signals from token vectors; ``matches`` are of the nearest lines, at least one.

    ``near`` is the weighted mean cosine in the best line, ``ahead`` how far that is before the
    second best, ``weakest`` the mean of the tokens that match worst there, ``unlike`` the share
    without a counterpart in any line; ``back`` and ``untold`` look from the line to the claim.
    """
    scores = [match.score for match in matches]
    best = matches[int(np.argmax(scores))]
    anywhere = np.max([match.forward for match in matches], axis=0)
    second = sorted(scores)[-2] if len(scores) > 1 else 0.0
    return {
        "near": best.score,
        "ahead": best.score - second,
        "weakest": float(np.sort(best.forward)[:_WEAKEST].mean()) if len(anywhere) else 0.0,
        "unlike": float(best.weights[anywhere < _UNLIKE].sum()),
        "back": float(best.backward @ best.backward_weights),
        "untold": float(best.backward_weights[best.backward < _UNLIKE - 0.1].sum()),
    }


def measure_facts(
    claim: Claim, near: EvidenceWindow, chosen: Sequence[EvidenceWindow]
) -> dict[str, float]:
    """Shares of the claim's numbers and names in the nearest line, and in the chosen ones."""
    quantities, names = claim.line.quantities, claim.names
    held = [near.has_quantity(quantity) for quantity in quantities]
    found = [any(w.has_quantity(quantity) for w in chosen) for quantity in quantities]
    known = [any(is_mentioned_in(name, w.material.folded) for w in chosen) for name in names]
    return {
        "values_near": _average(held),
        "values_found": _average(found),
        "names_found": _average(known),
    }


def _measure_row(claim: Claim, near: EvidenceWindow) -> dict[str, float]:
    """Whether the nearest line is a row, which no sentence follows word by word; and its values."""
    is_row = any(line.passage is not None and line.passage.cells for line in near.lines)
    values = [near.has_quantity(quantity) for quantity in claim.line.quantities]
    return {"row": float(is_row), "row_values": float(is_row and any(values) and all(values))}


def _compare_signs(
    ours: frozenset[str], near: frozenset[str], known: frozenset[str]
) -> dict[str, float]:
    """Words that widen, narrow or join: the claim alone has one, or its nearest line alone."""
    found = {}
    for name in ("universals", "obligations", "permissions", "limits", "conditions", "causes"):
        words = getattr(_SIGNS, name)
        found[f"added_{name}"] = float(bool(ours & words) and not known & words)
        found[f"lost_{name}"] = float(bool(near & words) and not ours & words)
    return found


def _collect_words(windows: Sequence[EvidenceWindow]) -> frozenset[str]:
    return frozenset(word for window in windows for word in split_words(_join(window)))


def _join(window: EvidenceWindow) -> str:
    return " ".join(line.text for line in window.lines)


def _average(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 1.0


def compute_share(terms: frozenset[str], known: frozenset[str]) -> float:
    """The share of terms that are known, 1 if there are none."""
    return len(find_shared_terms(terms, known)) / len(terms) if terms else 1.0
