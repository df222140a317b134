"""Fit the verifier's score on labelled claims and write ``constants.json``.

    python -m bench.fit_verifier --data DIR [--write]

Only the first halves of the sets are read (see ``bench.evidence.Passage.held_back``). True: the
expert-judged claims called "Complete", the human-written answers of ``clapnq`` over their own
passage, and shortened sentences over their own. False: claims judged "Partial" or "Incomplete",
and sentences, whole and shortened, over the next passage and three
others of their set. Claims to which something is objected have no part in the fit.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from bench.claims import read_answers, read_claims
from bench.evidence import Passage, detokenise, make_evidence, read_rows, sentences
from foundry.craft.grounding.calibration import ClaimSignals
from foundry.craft.grounding.claims import build_windows, collect_lowercase_words, parse_claim
from foundry.craft.grounding.verification import ClaimSupport, measure_support
from foundry.evaluation.metrics.gate import auroc
from foundry.records import Evidence
from foundry.text.lines import parse_evidence

NAMES = ("words", "best", "order", "run", "opening", "held")
CONSTANTS = Path(__file__).parents[1] / "src/foundry/craft/grounding/constants.json"
MOST = 250
OTHERS = 3
SUPPORTED = 0.55
"""Chosen on the first halves: no human-written answer is lost, 4 % of strange sentences pass,
and expert-judged claims are parted best."""

BAND = (0.25, 0.75)
"""Scores in which both labels are common: a judge can be of use."""

WEIGHTS = {"expertqa": 2.0, "clapnq answers": 1.0, "sentences": 1.0, "shortened": 0.5}
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    kind: str
    group: str
    carried: bool
    reading: ClaimSupport
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="replace constants.json")
    arguments = parser.parse_args()
    examples = [*read_examples(arguments.data, held_back=False)]
    free = [example for example in examples if example.reading.objection is None]
    free = [one for one in free if not one.reading.place.alignment.same]
    beta = fit(free)
    for line in report(examples, free, beta):
        print(line)
    if arguments.write:
        write(examples, free, beta)


def read_examples(data: Path, *, held_back: bool) -> Iterator[Example]:
    for judged in read_claims(data):
        if judged.held_back == held_back:
            reading = _reading(judged.claim, judged.evidence, "en")
            yield Example("expertqa", judged.group, judged.carried, reading, judged.claim)
    for judged in read_answers(data):
        if judged.held_back == held_back:
            reading = _reading(judged.claim, judged.evidence, "en")
            yield Example("clapnq answers", judged.group, True, reading, judged.claim)
    for name, language in (("squad2_half", "en"), ("nl_algoritmekader", "nl"), ("clapnq", "en")):
        yield from _sentences(data, name, language, held_back)


def _reading(text: str, evidence: Sequence[Evidence], language: str) -> ClaimSupport:
    materials = [parse_evidence(item) for item in evidence]
    claim = parse_claim(text, language, collect_lowercase_words(materials, ""))
    windows = [window for material in materials for window in build_windows(material)]
    return measure_support(claim, windows)


def _sentences(data: Path, name: str, language: str, held_back: bool) -> Iterator[Example]:
    """Sentences over the next passage and three others: similar words about something else."""
    rows = read_rows(data / name / "corpus.jsonl")[:300]
    passages = [
        Passage(detokenise(r["text"][:4000]), language, f"{name}:{r['title']}", r["title"])
        for r in rows
    ]
    passages = [passage for passage in passages if passage.held_back == held_back]
    rng = random.Random(3)
    for _ in range(MOST):
        at = rng.randrange(len(passages) - 1)
        found = sentences(passages[at].text)
        others = [passages[at + 1], *rng.sample(passages, OTHERS)]
        others = [other for other in others if other.text != passages[at].text]
        if found:
            sentence = rng.choice(found)
            if any(sentence in other.text for other in others):
                continue
            evidence = [make_evidence(one, f"S{n}") for n, one in enumerate(others)]
            reading = _reading(sentence, evidence, language)
            yield Example("sentences", passages[at].group, False, reading, sentence)
            short = shortened(sentence, rng)
            reading = _reading(short, evidence, language)
            yield Example("shortened", passages[at].group, False, reading, short)
            reading = _reading(short, [make_evidence(passages[at]), *evidence], language)
            yield Example("shortened", passages[at].group, True, reading, short)


def shortened(sentence: str, rng: random.Random) -> str:
    """The first five to ten words without one, every other time with the halves swapped.

    As true as the sentence, but shorter and in another order, as people write.
    """
    words = sentence.split()[: rng.randint(5, 10)]
    plain = [at for at, word in enumerate(words) if at and word.islower()]
    if plain:
        del words[rng.choice(plain)]
    if rng.random() < 0.5:
        middle = len(words) // 2
        words = words[middle:] + words[:middle]
    return " ".join(words).rstrip(",;:") + "."


def fit(examples: Sequence[Example], ridge: float = 1.0) -> Array:
    """Ridge logistic regression with weights of at least 0: more support never lowers a score."""
    rows = np.array([row_of(example.reading.signals) for example in examples])
    label = np.array([example.carried for example in examples], dtype=float)
    weight = np.array([WEIGHTS[example.kind] for example in examples])

    def loss(beta: Array) -> tuple[float, Array]:
        z = rows @ beta
        error = weight * (1 / (1 + np.exp(-z)) - label)
        value = float((weight * (np.logaddexp(0, z) - label * z)).sum())
        penalty = np.r_[0.0, beta[1:]]
        return value + ridge * float(penalty @ penalty) / 2, rows.T @ error + ridge * penalty

    bounds = [(None, None)] + [(0.0, None)] * len(NAMES)
    found = minimize(loss, np.zeros(len(NAMES) + 1), jac=True, bounds=bounds, method="L-BFGS-B")
    return np.asarray(found.x)


def row_of(signals: ClaimSignals) -> list[float]:
    return [1.0, *(getattr(signals, name) for name in NAMES)]


def scores_of(examples: Sequence[Example], beta: Array) -> Array:
    rows = np.array([row_of(example.reading.signals) for example in examples])
    return np.asarray(1 / (1 + np.exp(-(rows @ beta))))


def report(examples: Sequence[Example], free: Sequence[Example], beta: Array) -> Iterator[str]:
    yield f"{len(examples)} claims, {len(free)} without objection and not word for word"
    yield " ".join(f"{n}={b:.2f}" for n, b in zip(("intercept", *NAMES), beta, strict=True))
    scores = scores_of(free, beta)
    labels = np.array([one.carried for one in free])
    kinds = np.array([one.kind for one in free])
    yield f"AUROC expertqa {_auroc(scores, labels, kinds == 'expertqa'):.3f}"
    yield f"AUROC all {_auroc(scores, labels, np.ones(len(labels), dtype=bool)):.3f}"
    for threshold in np.arange(0.2, 0.85, 0.05):
        over = scores >= threshold
        parts = []
        for kind in sorted(set(kinds)):
            for label in (True, False):
                part = (kinds == kind) & (labels == label)
                if part.any():
                    parts.append(f"{kind} {label} {over[part].mean():.2f} (n={part.sum()})")
        yield f"{threshold:.2f} " + "; ".join(parts)


def _auroc(scores: Array, labels: npt.NDArray[np.bool_], part: npt.NDArray[np.bool_]) -> float:
    found = auroc(list(scores[part]), list(labels[part]))
    return float("nan") if found is None else found


def write(examples: Sequence[Example], free: Sequence[Example], beta: Array) -> None:
    scores = scores_of(free, beta)
    figures = {}
    for kind in WEIGHTS:
        for label in (True, False):
            part = [
                s for s, e in zip(scores, free, strict=True) if (e.kind, e.carried) == (kind, label)
            ]
            if part:
                supported = round(float(np.mean(np.array(part) >= SUPPORTED)), 3)
                figures[f"{kind}, {'carried' if label else 'not carried'}"] = {
                    "n": len(part),
                    "supported": supported,
                }
    # The experts judged whole pages; for the other sets the passage is all there is.
    objected = [e.carried for e in examples if e.reading.objection and e.kind != "expertqa"]
    table = {
        "made_by": "bench/fit_verifier.py",
        "figures": figures,
        "intercept": round(float(beta[0]), 4),
        "weights": {
            n: round(float(b), 4) for n, b in zip(NAMES, beta[1:], strict=True) if b > 0.005
        },
        "supported": SUPPORTED,
        "band": BAND,
        "objected": round(sum(objected) / max(1, len(objected)), 3),
    }
    CONSTANTS.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
