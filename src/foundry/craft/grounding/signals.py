"""What alignment says about a claim: numbers that the fitted score weighs.

Each compares claim and evidence; none describes the claim alone, because how a false sentence
is worded says nothing about its source (docs/evaluation/verification.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foundry.craft.grounding.cells import CellReading, read_cells
from foundry.craft.grounding.claims import Claim, EvidenceWindow, choose_windows, rank_windows
from foundry.craft.grounding.contradiction import (
    MIN_FOLLOWING,
    RESTATED,
    RESTATED_CLOSELY,
    AlignedWindow,
    Objection,
    find_aligned_window,
    find_altered_fact,
    find_exchanged_values,
)
from foundry.craft.grounding.fact_checks import (
    find_absent_fact,
    find_cross_lingual_denial,
    find_misplaced_fact,
    find_missing_name,
    find_other_frequency,
    find_unknown_scale,
)
from foundry.lexicon import load_shared_lexicon
from foundry.ports import CompareSentences, SentenceMatch
from foundry.text.lines import ParsedEvidence, find_shared_terms
from foundry.text.names import is_mentioned_in
from foundry.text.polarity import EXCLUSIVE_WORDS, has_denial, split_words
from foundry.text.quantities import Quantity

_SIGNS = load_shared_lexicon().signs
_UNLIKE = 0.6
"""Below this cosine a token has no counterpart. A guess."""

_WEAKEST = 3
"""The tokens that match worst, of which the mean is taken; a guess: one changed word."""

_DOUBTS = {
    "claim-says-other": "altered",
    "claim-swapped": "altered",
    "claim-value-of-other": "misplaced",
    "claim-name-missing": "missing",
    "claim-scale-unknown": "missing",
}

MIN_UNBROKEN_RUN = 0.97
"""With this share of its words in one unbroken run of the source, each value is in its place. A
guess: all but a word of a long sentence."""

_REPEATED, _REPEATED_SCORE = 0.95, 0.9
"""With this share of its words in order in one place and nothing in doubt, a claim is what the source
says, shortened or with its unit converted. Guesses: 2 of 2,800 sentences as models write them."""

_WORDS_OF_ROW, _ROW_SCORE = 0.6, 0.73
"""With all its values in one row of a table and this share of its words, or in rows that it names, a
claim is mostly what the row says: 63 of 77 sentences as models write them."""

_CELL_SCORE = 0.85
"""With each number in the one cell of a table that a claim names: 42 of 46 sentences as models write
them."""

_NEAREST = 3
"""Lines of the claim's language that are compared by meaning, 15 ms each (a guess)."""

_MAX_COMPARED = 24
"""Lines in another language that are compared by meaning: a passage of average length."""


@dataclass(frozen=True, slots=True)
class ClaimSupport:
    """How evidence in the claim's language matches it, before any threshold.

    An ``objection`` is nearly always right, a ``doubt`` about two times in three.
    """

    place: AlignedWindow
    chosen: tuple[EvidenceWindow, ...]
    objection: Objection | None
    doubt: Objection | None
    signals: Mapping[str, float]
    named: bool = False

    @property
    def stated(self) -> float | None:
        """The score of what needs no weighing: words repeated in order, or values of a table."""
        if self.doubt is not None:
            return None
        if self.place.alignment.share >= _REPEATED:
            return 1.0 if self.place.alignment.same else _REPEATED_SCORE
        if self.named and not self.signals["added_causes"]:
            return _CELL_SCORE
        listed = self.signals["row_values"] and self.signals["words"] >= _WORDS_OF_ROW
        return _ROW_SCORE if listed or self.signals["in_row"] else None


def measure_support(
    claim: Claim, windows: Sequence[EvidenceWindow], similar: CompareSentences | None = None
) -> ClaimSupport:
    """The passages that match a claim in their language, the objection to it, and the signals."""
    place = find_aligned_window(claim, windows)
    chosen = [place.window]
    if not place.alignment.same:
        chosen = choose_windows(
            claim, windows, place.window if place.alignment.share >= MIN_FOLLOWING else None
        )
    objection = doubt = None
    cells = CellReading()
    if not place.alignment.same:
        materials = tuple(dict.fromkeys(window.material for window in windows))
        cells = read_cells(claim, materials)
        objection = _find_objection(claim, materials, place, cells.placed) or cells.misplaced
        doubt = objection or cells.doubt or find_unknown_scale(claim, materials)
        if doubt is None and not cells.named:
            doubt = _find_doubt(claim, place, chosen, cells.placed)
    signals = {"in_row": float(cells.in_row), **measure_words(claim, place.window, chosen, doubt)}
    if similar is not None and objection is None and not place.alignment.same:
        nearest = _list_single(claim, windows)[:_NEAREST]
        signals |= measure_meaning(_compare(claim, nearest, similar))
    return ClaimSupport(place, tuple(chosen), objection, doubt, signals, cells.named)


def _list_single(claim: Claim, windows: Sequence[EvidenceWindow]) -> list[EvidenceWindow]:
    return [window for window in rank_windows(claim, windows) if len(window.lines) == 1]


def _compare(
    claim: Claim, windows: Sequence[EvidenceWindow], similar: CompareSentences
) -> Sequence[SentenceMatch]:
    return similar(claim.line.text, [window.lines[0].text for window in windows])


def _find_objection(
    claim: Claim,
    materials: Sequence[ParsedEvidence],
    place: AlignedWindow,
    placed: Sequence[Quantity],
) -> Objection | None:
    """What certainly differs: a fact that occurs nowhere, or one changed in a restated sentence."""
    return (
        find_altered_fact(claim, place, RESTATED, placed)
        or find_exchanged_values(claim, place, RESTATED_CLOSELY, placed)
        or find_absent_fact(claim, materials)
    )


def _find_doubt(
    claim: Claim,
    place: AlignedWindow,
    chosen: Sequence[EvidenceWindow],
    placed: Sequence[Quantity],
) -> Objection | None:
    """What may differ, as far as words in a paraphrase tell; ``placed`` numbers are in their row."""
    doubt = (
        find_altered_fact(claim, place, MIN_FOLLOWING, placed)
        or find_missing_name(claim, chosen)
        or find_other_frequency(claim, chosen)
        or find_exchanged_values(claim, place, MIN_FOLLOWING, placed)
    )
    if doubt is None and place.alignment.run < MIN_UNBROKEN_RUN:
        doubt = find_misplaced_fact(claim, chosen, placed)
    return doubt


@dataclass(frozen=True, slots=True)
class CrossLingualSupport:
    """How evidence in another language matches a claim; ``signals`` is empty without vectors."""

    chosen: tuple[EvidenceWindow, ...]
    objection: Objection | None
    doubt: Objection | None
    signals: Mapping[str, float]
    in_row: bool = False

    @property
    def stated(self) -> float | None:
        """The score of what needs no weighing: values of a table."""
        return _ROW_SCORE if self.in_row and self.doubt is None else None


def measure_across(
    claim: Claim, windows: Sequence[EvidenceWindow], similar: CompareSentences | None
) -> CrossLingualSupport:
    """The passages nearest in meaning, or by numbers and names, and the signals."""
    chosen, signals = choose_windows(claim, windows), {}
    if similar is not None:
        single = _list_single(claim, windows)[:_MAX_COMPARED]
        matches = _compare(claim, single, similar)
        best = max(range(len(single)), key=lambda index: matches[index].score)
        signals = measure_meaning(matches)
        held = all(map(single[best].has_quantity, claim.line.quantities))
        if held and find_missing_name(claim, [single[best]]) is None:
            chosen = [single[best]]
        signals |= measure_facts(claim, single[best], chosen)
    materials = tuple(dict.fromkeys(window.material for window in windows))
    cells = read_cells(claim, materials)
    objection = find_absent_fact(claim, materials) or cells.misplaced
    doubt = (
        find_missing_name(claim, chosen)
        or find_other_frequency(claim, chosen)
        or find_cross_lingual_denial(claim, chosen)
        or cells.doubt
    )
    if signals:
        signals["doubted"] = float(doubt is not None)
    return CrossLingualSupport(tuple(chosen), objection, doubt, signals, cells.in_row)


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
    without a counterpart in any line; ``back`` and ``unlike_back`` look from the line to the claim.
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
        "unlike_back": float(best.backward_weights[best.backward < _UNLIKE - 0.1].sum()),
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
    """Words that widen or join and that the claim adds, words that narrow and that it loses."""
    found = {}
    for name in ("universals", "obligations", "causes"):
        words = getattr(_SIGNS, name)
        found[f"added_{name}"] = float(bool(ours & words) and not known & words)
    for name in ("permissions", "limits", "conditions"):
        words = getattr(_SIGNS, name)
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
