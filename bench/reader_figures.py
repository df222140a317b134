"""The figures of a reader on groups left out, beside the gate's own score and the cosine.

*Wording* is the AUROC of the same labels after each question got another passage, and *about* that
of own passages against those. The logistic models are fitted on the other groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bench.reader_pairs import Pair

_ANSWER, _SUPPORT = 0, 1


@dataclass(frozen=True)
class QuestionScores:
    """A question's best answer score over what was found, and that of another passage."""

    group: str
    language: str
    truth: int
    own: float
    swapped: float
    gate: float
    cosine: float


def report(
    pairs: Sequence[Pair], scores: np.ndarray, untrained: Mapping[str, tuple[float, float]]
) -> Iterator[str]:
    """The tables; questions across languages are left out, published sets are in no sum."""
    found = list(collect(pairs, scores, untrained))
    both = {**predict(found, ("gate", "cosine"), "without"),
            **predict(found, ("gate", "cosine", "own"), "with")}  # fmt: skip
    names = ("own", "gate", "cosine")
    yield f"| left out | questions | {' | '.join(names)} | without | with | wording | about |"
    yield "|---" * 9 + "|"
    places = sorted({(one.group, one.language) for one in found})
    for group, language in [*places, ("", "en"), ("", "nl")]:
        rows = [n for n, one in enumerate(found)
                if one.language == language and (one.group == group or (not group and one.gate))]  # fmt: skip
        truth = [found[n].truth for n in rows]
        cells = [area(truth, [getattr(found[n], name) for n in rows]) for name in names]
        cells += [area(truth, both[name][rows]) for name in ("without", "with")]
        far = [found[n] for n in rows if not np.isnan(found[n].swapped)]
        cells.append(area([one.truth for one in far], [one.swapped for one in far]))
        values = [one.own for one in far] + [one.swapped for one in far]
        cells.append(area([1] * len(far) + [0] * len(far), values))
        yield f"| {group} {language} | {len(rows)} | {' | '.join(cells)} |"
    yield from report_claims(pairs, scores)


def report_claims(pairs: Sequence[Pair], scores: np.ndarray) -> Iterator[str]:
    """AUROC of the support score by language."""
    for language in ("en", "nl"):
        rows = [n for n, one in enumerate(pairs)
                if one.use == "claim" and one.language == language]  # fmt: skip
        truth = [pairs[n].support for n in rows]
        yield f"statements {language} ({len(rows)}): {area(truth, scores[rows, _SUPPORT])}"


def collect(
    pairs: Sequence[Pair], scores: np.ndarray, untrained: Mapping[str, tuple[float, float]]
) -> Iterator[QuestionScores]:
    """The scores of every question that was asked in its documents' language."""
    own: dict[str, float] = {}
    swapped: dict[str, float] = {}
    last: dict[str, Pair] = {}
    for pair, value in zip(pairs, scores[:, _ANSWER].tolist(), strict=True):
        if pair.use == "hit":
            own[pair.item] = max(own.get(pair.item, -np.inf), value)
            last[pair.item] = pair
        elif pair.use == "swapped":
            swapped[pair.item] = value
    for item, pair in last.items():
        gate, cosine = untrained.get(item, (0.0, 0.0))
        if pair.kind != "cross_language":
            yield QuestionScores(
                pair.group, pair.language, pair.truth, own[item],
                swapped.get(item, np.nan), gate, cosine,
            )  # fmt: skip


def predict(
    found: Sequence[QuestionScores], names: Sequence[str], key: str
) -> dict[str, np.ndarray]:
    """A logistic of some scores for each question, fitted on the written ones of other groups."""
    values = np.array([[getattr(one, name) for name in names] for one in found])
    truth = np.array([one.truth for one in found])
    groups = np.array([one.group for one in found])
    known, out = values[:, 0] > 0, np.zeros(len(found))
    for group in set(groups):
        rest = known & (groups != group)
        if len(set(truth[rest])) == 2:
            model = make_pipeline(StandardScaler(), LogisticRegression())
            model.fit(values[rest], truth[rest])
            out[groups == group] = model.decision_function(values[groups == group])
    return {key: out}


def area(truth: Sequence[int], values: Sequence[float] | np.ndarray) -> str:
    """AUROC, or a dash where there is only one class or no score."""
    return f"{roc_auc_score(truth, values):.3f}" if len(set(truth)) == 2 and any(values) else "-"
