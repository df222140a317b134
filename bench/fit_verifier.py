"""Fit the verifier's score on labelled sentences and write ``constants.json``.

    python -m bench.fit_verifier --data DIR [--write]

Sentences as models write them (``bench.written_claims``) against their own passages, and every
third against the passages of another document, which do not support it. Besides, the first halves
of ExpertQA and of the human-written answers of ``clapnq``. What an exact check objects to, and
what occurs word for word, has no part in the fit.

How a sentence is worded tells something about its label here, as one author wrote the true and
the false ones. So that the score learns none of it, the wording has weights of its own in the fit
(``describe_wording``), which are then dropped; the control is the same label with the passages of
another document, where nothing but wording could part true from false: .5 is right.

Every figure is of the group of documents that its fit left out.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from bench.judged_claims import read_answers, read_claims
from bench.written_claims import ScoredClaim, WrittenClaim, read_written_claims, tabulate
from foundry.craft.grounding.calibration import TABLES, ScoreTable
from foundry.craft.grounding.claims import (
    Claim,
    build_windows,
    collect_lowercase_words,
    parse_claim,
)
from foundry.craft.grounding.signals import (
    ClaimSupport,
    CrossLingualSupport,
    measure_across,
    measure_support,
)
from foundry.evaluation.metrics.gate import auroc, calibration_error, reliability
from foundry.models.late_interaction import LateInteraction
from foundry.records import Evidence
from foundry.text.lines import parse_evidence
from foundry.text.polarity import NEGATIONS, split_words

CONSTANTS = Path(__file__).parents[1] / "src/foundry/craft/grounding/constants.json"
MEANING = ("near", "ahead", "weakest", "unlike", "back", "unlike_back")
AGAINST = (
    "denial_lost", "exclusive", "altered", "misplaced", "missing", "unlike", "unlike_back", "doubted",
    "added_", "lost_",
)  # fmt: skip
"""Beginnings of the signals that can only count against a claim; all others only for it."""

RIDGE = 30.0
"""Of standardised weights; a guess: a signal must hold in dozens of sentences."""

OTHERS = 3
"""One sentence in so many is also put before another document's passages."""

WEIGHTS = {"written": 1.0, "other": 1.0, "expertqa": 0.5, "clapnq answers": 0.5}
SUPPORTED, REJECTED = 0.56, 0.25
"""Chosen on groups left out: a quarter of the false sentences pass, and of those rejected four in
five are false (between .25 and .34 only three in five); between them the verifier cannot tell."""

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Example:
    """``wording`` describes the sentence alone; ``hard`` and ``stated`` need no score."""

    origin: str
    kind: str
    group: str
    language: str
    carried: bool
    across: bool
    signals: Mapping[str, float]
    wording: tuple[float, ...]
    hard: bool
    stated: float | None
    doubted: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="replace constants.json")
    arguments = parser.parse_args()
    examples = list(read_examples(arguments.data))
    tables = {name: fit_table(examples, name) for name in TABLES}
    for name, table in tables.items():
        print(f"{name}: {report(examples, name)}")
        print("  " + " ".join(f"{key}={weight:.2f}" for key, weight in table.weights.items()))
    for line in tabulate_left_out(examples):
        print(line)
    if arguments.write:
        write(examples, tables)


def read_examples(data: Path) -> Iterator[Example]:
    """Every labelled sentence with its signals."""
    reader = SignalReader()
    claims = read_written_claims(data)
    others = _choose_others(claims)
    for number, claim in enumerate(claims):
        yield from reader.read(claim, "written", claim.evidence, claim.label)
        if number % OTHERS == 0:
            yield from reader.read(claim, "other", others[number].evidence, claim.label)
    for origin, rows in (("expertqa", read_claims(data)), ("clapnq answers", read_answers(data))):
        for row in rows:
            if not row.held_back:
                claim = WrittenClaim("", row.claim, "en", origin, row.carried, origin, "", ())
                yield from reader.read(claim, origin, row.evidence, row.carried)


def _choose_others(claims: Sequence[WrittenClaim]) -> list[WrittenClaim]:
    """For each sentence one of another document, of its group and language where there is one."""
    chance, found = random.Random(1), []
    alike: defaultdict[tuple[str, bool, str], list[WrittenClaim]] = defaultdict(list)
    for claim in claims:
        for group in (claim.group, ""):
            alike[claim.language, claim.crosses, group].append(claim)
    for claim in claims:
        near, same = (
            [one for one in alike[claim.language, claim.crosses, group] if one.path != claim.path]
            for group in ("", claim.group)
        )
        found.append(chance.choice(same or near))
    return found


class SignalReader:
    """Reads the signals of sentences; the evidence of each passage once."""

    def __init__(self) -> None:
        self._compare = LateInteraction().compare_sentences

    def read(
        self, written: WrittenClaim, origin: str, evidence: Sequence[Evidence], carried: bool
    ) -> Iterator[Example]:
        materials = [parse_evidence(item) for item in evidence]
        common = collect_lowercase_words(materials, "")
        claim = parse_claim(written.text, written.language, common)
        windows = [window for material in materials for window in build_windows(material)]
        if not windows:
            return
        across = all(item.language not in (written.language, "und") for item in materials)
        reading: ClaimSupport | CrossLingualSupport
        if across:
            reading = measure_across(claim, windows, self._compare)
        else:
            reading = measure_support(claim, windows, self._compare)
        yield Example(
            origin, written.kind, written.group, written.language, carried, across, reading.signals,
            describe_wording(claim), reading.objection is not None, reading.stated,
            reading.doubt is not None,
        )  # fmt: skip


def describe_wording(claim: Claim) -> tuple[float, ...]:
    """What can be said of a sentence without reading its source: which sizes it reaches."""
    negations = sum(word in NEGATIONS for word in split_words(claim.line.text))
    sizes = (
        (len(claim.line.terms), (5, 7, 9, 11, 14)),
        (len(claim.line.clauses), (2, 3)),
        (len(claim.line.quantities), (1, 2, 3)),
        (len(claim.names), (1, 2, 3)),
        (negations, (1, 2)),
    )
    return tuple(float(size >= step) for size, steps in sizes for step in steps)


def _choose(examples: Sequence[Example], name: str) -> list[Example]:
    return [
        one
        for one in examples
        if one.across == (name == "across")
        and not one.hard
        and one.stated is None
        and (one.across or "near" in one.signals)
    ]


def fit_table(examples: Sequence[Example], name: str) -> ScoreTable:
    """The weights of one table, and the line that makes its score a probability."""
    chosen = _choose(examples, name)
    _, margins = cross_fit(chosen, name)
    own = np.array([one.origin == "written" for one in chosen])
    labels = np.array([one.carried for one in chosen])
    slope, shift = fit_line(margins[own], labels[own])
    table = _fit(chosen, name)
    return ScoreTable(
        round(slope * table.intercept + shift, 4),
        {key: round(slope * weight, 4) for key, weight in table.weights.items()},
    )


def cross_fit(examples: Sequence[Example], name: str) -> tuple[Array, Array]:
    """Probability and log odds of each example by a fit without its group of documents."""
    groups = np.array([one.group for one in examples])
    own = np.array([one.origin == "written" for one in examples])
    labels = np.array([one.carried for one in examples])
    margins, scores = np.zeros(len(examples)), np.zeros(len(examples))
    for group in sorted(set(groups)):
        rest = [one for one, other in zip(examples, groups, strict=True) if other != group]
        table = _fit(rest, name)
        inside = groups == group
        margins[inside] = [compute_margin(one, table) for one in examples if one.group == group]
    for group in sorted(set(groups)):
        inside = groups == group
        slope, shift = fit_line(margins[own & ~inside], labels[own & ~inside])
        scores[inside] = 1 / (1 + np.exp(-(slope * margins[inside] + shift)))
    return scores, margins


def compute_margin(example: Example, table: ScoreTable) -> float:
    """The log odds of an example."""
    weighted = (weight * example.signals[key] for key, weight in table.weights.items())
    return table.intercept + sum(weighted)


def _fit(examples: Sequence[Example], name: str) -> ScoreTable:
    """Ridge logistic regression; a signal's weight has the sign of its meaning."""
    names = [key for key in examples[0].signals if name != "words" or key not in MEANING]
    rows = np.array([[*(one.signals[n] for n in names), *one.wording] for one in examples])
    labels = np.array([one.carried and one.origin != "other" for one in examples], dtype=float)
    weight = np.array([WEIGHTS[one.origin] for one in examples])
    scale = np.maximum(rows.std(axis=0), 1e-6)
    centre = rows.mean(axis=0)
    rows = np.c_[np.ones(len(rows)), (rows - centre) / scale]

    def loss(beta: Array) -> tuple[float, Array]:
        z = rows @ beta
        error = weight * (1 / (1 + np.exp(-z)) - labels)
        value = float((weight * (np.logaddexp(0, z) - labels * z)).sum())
        penalty = np.r_[0.0, beta[1:]]
        return value + RIDGE * float(penalty @ penalty) / 2, rows.T @ error + RIDGE * penalty

    signs = {key: (None, 0.0) if key.startswith(AGAINST) else (0.0, None) for key in names}
    bounds = [(None, None), *(signs[key] if key != "row" else (None, None) for key in names)]
    bounds += [(None, None)] * len(examples[0].wording)
    beta = minimize(loss, np.zeros(len(bounds)), jac=True, bounds=bounds, method="L-BFGS-B").x
    weights = beta[1 : len(names) + 1] / scale[: len(names)]
    intercept = float(beta[0] - weights @ centre[: len(names)])
    return ScoreTable(intercept, dict(zip(names, weights.tolist(), strict=True)))


def fit_line(margins: Array, labels: Flags) -> tuple[float, float]:
    """Slope and shift of log odds that fit the labels best."""

    def loss(values: Array) -> float:
        z = values[0] * margins + values[1]
        return float((np.logaddexp(0, z) - labels * z).sum())

    slope, shift = minimize(loss, np.array([1.0, 0.0]), method="L-BFGS-B").x
    return float(slope), float(shift)


def report(examples: Sequence[Example], name: str) -> str:
    """AUROC on groups left out, of the control, and of own passages against another document's."""
    chosen = _choose(examples, name)
    scores, _ = cross_fit(chosen, name)
    labels = np.array([one.carried for one in chosen])
    own, other = (
        np.array([one.origin == origin for one in chosen]) for origin in ("written", "other")
    )
    found = _auroc(scores[own], labels[own]), _auroc(scores[other], labels[other])
    true = labels & (own | other)
    error = calibration_error(reliability(list(scores[own]), list(labels[own])))
    return (
        f"{own.sum()} sentences, AUROC {found[0]:.3f}, control {found[1]:.3f}, own passages or "
        f"another document's {_auroc(scores[true], own[true]):.3f}, calibration error {error:.3f}"
    )


def measure_left_out(data: Path) -> Iterator[str]:
    """Tables of the written sentences, each scored by a fit without its group of documents."""
    began = time.process_time()
    examples = list(read_examples(data))
    each = 1000 * (time.process_time() - began) / len(examples)
    yield from tabulate_left_out(examples)
    yield ""
    for name in TABLES:
        yield f"- {name}: {report(examples, name)}"
    yield f"- {each:.0f} ms of CPU a sentence, with the reading of its passages"


def tabulate_left_out(examples: Sequence[Example]) -> Iterator[str]:
    """The table by group and kind."""
    scored = [_decide(one, score) for one, score in score_left_out(examples)]
    yield from tabulate(scored)


def score_left_out(examples: Sequence[Example]) -> Iterator[tuple[Example, float]]:
    """Each written sentence with the score that it has where its group was left out."""
    written = [one for one in examples if one.origin == "written"]
    objected = float(np.mean([one.carried for one in written if one.hard]))
    for one in written:
        if one.hard or one.stated is not None:
            yield one, objected if one.hard else one.stated or 0.0
    for name in ("meaning", "across"):
        chosen = _choose(examples, name)
        scores, _ = cross_fit(chosen, name)
        for one, score in zip(chosen, scores.tolist(), strict=True):
            if one.origin == "written":
                yield one, score


def _decide(example: Example, score: float) -> ScoredClaim:
    verdict = "partly"
    if score < REJECTED:
        verdict = "unsupported"
    elif score >= SUPPORTED and not example.doubted:
        verdict = "supported"
    return ScoredClaim(
        example.kind, example.group, example.language, example.carried, example.across, score,
        verdict,
    )  # fmt: skip


def _auroc(scores: Array, labels: Flags) -> float:
    found = auroc(list(scores), list(labels))
    return float("nan") if found is None else found


def write(examples: Sequence[Example], tables: Mapping[str, ScoreTable]) -> None:
    """Replace the shipped constants, with the figures of groups left out."""
    counts: defaultdict[str, int] = defaultdict(int)
    for one in examples:
        counts[one.origin] += 1
    objected = [one.carried for one in examples if one.hard and one.origin == "written"]
    entry = {
        "made_by": "bench/fit_verifier.py",
        "sentences": dict(counts),
        "figures": {name: report(examples, name) for name in tables},
        **{
            name: {"intercept": table.intercept, "weights": dict(table.weights)}
            for name, table in tables.items()
        },
        "supported": SUPPORTED,
        "rejected": REJECTED,
        "objected": round(sum(objected) / max(1, len(objected)), 3),
    }
    CONSTANTS.write_text(json.dumps(entry, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
