"""Fit the gate's constants on labelled questions and write ``constants.json``.

    python -m bench.fit_gate --data DIR [--write]

``DIR`` contains ``clapnq``, ``squad2_half``, ``anthropic_docs``, ``nl_algoritmekader`` and
``nl_coronamelder`` in BEIR form, and ``written`` questions, each group of documents a set; the
example project's own questions are one set more. Figures of a set are of a fit that saw all sets but
that one. ``gate_episodes`` says what is fitted on.

A question is a bag of candidates and the gate looks at the best of them, so the fit does too: it
chooses each question's best candidate again in every round (Andrews, Tsochantaridis and Hofmann,
"Support Vector Machines for Multiple-Instance Learning", NIPS 2002). Weights are at least 0,
because more of any signal must never mean less relevance, and a ridge draws them to 0.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from bench.gate_episodes import (
    Episode,
    load_collections,
    load_own,
    make_episodes,
    own_episodes,
    written_episodes,
)
from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.gate import ABSENT_CAP, CONFIDENT
from foundry.evaluation.metrics.statistics import auroc

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

SHARED_SIGNALS = ("cosine", "attribute", "named", "asked", "about", "dated")
APART_SIGNALS = ("cosine", "familiar", "asked", "dated")
LEXICAL_SIGNALS = ("passage", "saturated", "attribute", "named", "asked", "about", "dated")
"""What each arm of the shipped constants weighs."""

ROUNDS = 4
"""After so many the choice of best candidates hardly changes."""

STEEPEST = 50.0
"""Log odds beyond which a probability is 0 or 1 for every purpose."""

ANSWERABLE = 1.8
"""How much more a question with an answer counts than one without: a refused one is the worse error."""

CONSTANTS = Path(__file__).parents[1] / "src/foundry/craft/gate/constants.json"


@dataclass(frozen=True)
class Table:
    """The candidates of all questions as rows (1, signals …), question after question.

    ``starts`` is each question's first row. Every question has at least one.
    """

    rows: Array
    starts: npt.NDArray[np.int64]

    def best(self, margins: Array) -> npt.NDArray[np.int64]:
        """The row of each question's best candidate under these log odds; the first of equals."""
        ends = [*self.starts[1:], len(margins)]
        rows = [a + int(margins[a:b].argmax()) for a, b in zip(self.starts, ends, strict=True)]
        return np.array(rows, dtype=np.int64)


def make_table(bags: Sequence[Sequence[Sequence[float]]]) -> Table:
    """Rows of signals, a list per question, with the constant 1 put before each."""
    rows = [[1.0, *row] for bag in bags for row in bag]
    lengths = [len(bag) for bag in bags]
    return Table(np.array(rows, dtype=float), np.cumsum([0, *lengths[:-1]]))


def fit_best(table: Table, label: Array, weight: Array, part: Flags) -> Array:
    """Intercept and weights for the questions of ``part``; ``label`` and ``weight`` are theirs."""
    beta = np.array([0.0] + [1.0] * (table.rows.shape[1] - 1))
    for _ in range(ROUNDS):
        chosen = table.rows[table.best(table.rows @ beta)[part]]
        beta = fit_logistic(chosen, label, weight)
    return beta


def probabilities(margins: Array) -> Array:
    """Log odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(margins, -STEEPEST, STEEPEST))))


def fit_logistic(rows: Array, label: Array, weight: Array) -> Array:
    """Ridge logistic regression of ``label`` (0 or 1) on ``rows``, whose first column is 1.

    The ridge is 1 in units of each signal's spread; weights are at least 0.
    """
    mean = np.r_[0.0, rows[:, 1:].mean(0)]
    spread = np.r_[1.0, rows[:, 1:].std(0) + 1e-9]
    scaled = (rows - mean) / spread
    ridge = np.r_[0.0, np.ones(rows.shape[1] - 1)]

    def loss(beta: Array) -> tuple[float, Array]:
        p = probabilities(scaled @ beta)
        value = -(weight * (label * np.log(p + 1e-12) + (1 - label) * np.log(1 - p + 1e-12))).sum()
        gradient = scaled.T @ (weight * (p - label)) + ridge * beta
        return float(value + 0.5 * (ridge * beta * beta).sum()), gradient

    bounds = [(None, None)] + [(0.0, None)] * (rows.shape[1] - 1)
    start = np.zeros(rows.shape[1])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    beta = best / spread
    beta[0] = best[0] - float((best[1:] * mean[1:] / spread[1:]).sum())
    return np.asarray(beta)


def main() -> None:
    arguments = _arguments()
    collections = load_collections(arguments.data, arguments.cache)
    episodes = [
        *make_episodes(collections, random.Random(7)),
        *own_episodes(load_own(arguments.cache)),
        *written_episodes(arguments.data),
    ]
    shared = [e for e in episodes if e.signals and e.signals[0].shared]
    apart = [e for e in episodes if e.signals and not e.signals[0].shared]
    fits = {
        "shared": _fit_arm(shared, SHARED_SIGNALS),
        "apart": _fit_arm(apart, APART_SIGNALS),
        "lexical": _fit_arm(shared, LEXICAL_SIGNALS),
    }
    for arm, (row, figures) in fits.items():
        print(arm, row)
        for kind, found in sorted(figures.items()):
            print("  ", kind, " ".join(f"{k}={v:.3f}" for k, v in found.items()))
    if arguments.write:
        _write(fits)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path("bench/results/vectors"))
    parser.add_argument("--write", action="store_true", help="replace constants.json")
    return parser.parse_args()


Fit = tuple[dict[str, object], dict[str, dict[str, float]]]


def _fit_arm(episodes: Sequence[Episode], names: Sequence[str]) -> Fit:
    """Weights on all episodes, and figures per set from a fit on all other sets."""
    families = np.array([_family(episode.kind) for episode in episodes])
    table = _table(episodes, names)
    scores = np.zeros(len(episodes))
    for held in sorted(set(families)):
        found = _scores(episodes, table, _fit(episodes, table, families != held))
        scores[families == held] = found[families == held]
    beta = _fit(episodes, table, families != "")
    row = {
        "intercept": round(float(beta[0]), 4),
        "weights": {
            name: round(float(b), 4)
            for name, b in zip(names, beta[1:], strict=True)
            if round(float(b), 4)
        },
    }
    return row, _figures(episodes, scores)


def _family(kind: str) -> str:
    """The set that an episode is of, whatever was drawn from it or joined."""
    return kind.partition(" ")[0].partition("-")[0]


def _fit(episodes: Sequence[Episode], table: Table, part: npt.NDArray[np.bool_]) -> Array:
    """The fit on the episodes of ``part``.

    Where the gate refuses for an identifier that no source has there is nothing to weigh.
    """
    part = part & np.array([e.absent is None for e in episodes])
    label = np.array([float(e.answerable) for e in episodes])[part]
    weight = _weights([e for e, kept in zip(episodes, part, strict=True) if kept])
    return fit_best(table, label, weight, part)


def _scores(episodes: Sequence[Episode], table: Table, beta: Array) -> Array:
    margins = table.rows @ beta
    limits = np.array([1.0 if e.absent is None else ABSENT_CAP for e in episodes])
    return np.asarray(np.minimum(probabilities(margins[table.best(margins)]), limits))


def _table(episodes: Sequence[Episode], names: Sequence[str]) -> Table:
    return make_table(
        [[[float(getattr(s, n)) for n in names] for s in e.signals] for e in episodes]
    )


def _weights(episodes: Sequence[Episode]) -> Array:
    """Every set counts alike, and within it every kind of episode, and both labels.

    A set's own labels and the small collections drawn from it are two sets.
    """
    counts: dict[tuple[str, bool], int] = defaultdict(int)
    for episode in episodes:
        counts[episode.kind, episode.answerable] += 1
    kinds: dict[tuple[str, bool], int] = defaultdict(int)
    for kind, answerable in counts:
        kinds[_set(kind), answerable] += 1
    raw = np.array(
        [
            _importance(e) / counts[e.kind, e.answerable] / kinds[_set(e.kind), e.answerable]
            for e in episodes
        ]
    )
    return np.asarray(raw / raw.sum() * len(episodes))


def _set(kind: str) -> str:
    name, _, rest = kind.partition(" ")
    return f"{name} {'labelled' if rest == 'labelled' else 'small'}"


def _importance(episode: Episode) -> float:
    """The weight of an episode in the fit: how much it resembles a real question.

    SQuAD's unanswerable questions are written to mislead, and removing a passage leaves others
    that say the same: both count less.
    """
    worth = ANSWERABLE if episode.answerable else 1.0
    if "squad" in episode.kind and "labelled" in episode.kind:
        return 0.5 * worth
    return 0.4 if "gold out" in episode.kind else worth


def _figures(episodes: Sequence[Episode], scores: Array) -> dict[str, dict[str, float]]:
    """Per set: AUROC, and at the shipped threshold .20 false refusals and refusals."""
    sets: dict[str, list[int]] = defaultdict(list)
    for i, episode in enumerate(episodes):
        sets[_set(episode.kind)].append(i)
        sets["all"].append(i)
    return {name: _row_of_figures(episodes, scores, where) for name, where in sets.items()}


def _row_of_figures(
    episodes: Sequence[Episode], scores: Array, where: Sequence[int]
) -> dict[str, float]:
    label = np.array([episodes[i].answerable for i in where])
    found = scores[list(where)]
    good, bad = int(label.sum()), int((~label).sum())
    separated = auroc(list(found), list(label))
    far = np.array(["off topic" in episodes[i].kind for i in where])
    return {
        "n": float(len(where)),
        "auroc": np.nan if separated is None else separated,
        "false_refusals": float((found[label] < 0.2).mean()) if good else np.nan,
        "refused": float((found[~label] < 0.2).mean()) if bad else np.nan,
        "marked": float((found[~label] < CONFIDENT).mean()) if bad else np.nan,
        "marked_answerable": float((found[label] < CONFIDENT).mean()) if good else np.nan,
        "refused_off_topic": float((found[far] < 0.2).mean()) if far.any() else np.nan,
    }


def _write(fits: dict[str, Fit]) -> None:
    figures = {
        arm: {
            kind: {k: round(v, 3) for k, v in row.items() if not np.isnan(v)}
            for kind, row in rows.items()
        }
        for arm, (_, rows) in fits.items()
    }
    content = {
        "made_by": "bench/fit_gate.py",
        "figures": figures,
        "models": {
            BUILTIN_EMBEDDING: {"shared": fits["shared"][0], "apart": fits["apart"][0]},
            "lexical": {"shared": fits["lexical"][0]},
        },
    }
    CONSTANTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
