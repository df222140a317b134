"""The JSON of fitting constants to a project's own questions and claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
from foundry.cli.shapes.parts import NOTICES

BINS: Sequence[Shape] = [
    {
        "low": number("scores from here"),
        "high": number("to here"),
        "n": integer(),
        "mean": number("of their scores"),
        "true": number("share that is answerable, or true"),
    }
]
GATE_RATES: Mapping[str, Shape] = {
    "questions": integer(),
    "answerable": integer(),
    "auroc": Maybe(number("0 to 1")),
    "gate_refusal_precision": Maybe(number("of the refused, the share that is unanswerable")),
    "gate_refusal_recall": Maybe(number("of the unanswerable, the share refused")),
    "gate_false_refusal_rate": Maybe(number("of the answerable, the share refused")),
    "gate_false_refusal_interval": Maybe([number("95 % interval: low, high")]),
    "calibration_error": Maybe(number("mean distance of score and share")),
}
CLAIM_RATES: Mapping[str, Shape] = {
    "claims": integer(),
    "true": integer(),
    "auroc": Maybe(number("0 to 1")),
    "balanced_accuracy": Maybe(number("0 to 1")),
    "precision": Maybe(number("of the claims called supported, the share that is")),
    "lost": Maybe(number("of the true claims, the share not supported")),
    "lost_interval": Maybe([number("95 % interval: low, high")]),
    "passed": Maybe(number("of the false claims, the share supported")),
    "passed_interval": Maybe([number("95 % interval: low, high")]),
    "calibration_error": Maybe(number("of the claims that the score decides")),
}
LOGISTIC: Mapping[str, Shape] = {"intercept": number(), "weights": {"*": number("of a signal")}}
OUTCOME: Mapping[str, Shape] = {
    "score": number("0 to 1"),
    "refused": flag(),
    "rule": Maybe(text("why it is refused whatever its score")),
}
FITTED = text("what the questions could support", "weights", "threshold", "milder")
RIDGE = Maybe(number("how strongly weights were drawn to the shipped; null where they stayed"))

CALIBRATING: dict[str, Shape] = {
    "eval calibrate": {
        "gate": Maybe(
            {
                "model": text("the embedding model, or lexical"),
                "mode": text("retrieval.mode"),
                "min_score": number("retrieval.min_score"),
                "max_false_refusal": number("the bound"),
                "folds": integer(),
                "current": text("which constants were used before"),
                "fitted": FITTED,
                "ridge": RIDGE,
                "constants": {"shared": LOGISTIC, "apart": Maybe(LOGISTIC)},
                "parts": {
                    "*": {
                        "before": {**GATE_RATES, "reliability": BINS},
                        "after": {**GATE_RATES, "reliability": BINS},
                    }
                },
                "refused_by_rule": [{"key": text(), "text": text(), "rule": text()}],
                "questions": [
                    {
                        "key": text("set/id"),
                        "text": text(),
                        "answerable": flag(),
                        "language": text(),
                        "arm": text("", "one language", "across languages"),
                        "before": OUTCOME,
                        "after": OUTCOME,
                    }
                ],
                "failed": [{"key": text("set/id"), "error": text()}],
            }
        ),
        "verifier": Maybe(
            {
                "folds": integer(),
                "scored": integer("claims that the score decides"),
                "ridge": RIDGE,
                "constants": {
                    **LOGISTIC,
                    "supported": number("the score from which a claim counts as supported"),
                    "band": [number("scores between which a judge may be asked")],
                    "objected": number("the score of what is objected to"),
                },
                "before": {**CLAIM_RATES, "reliability": BINS},
                "after": {**CLAIM_RATES, "reliability": BINS},
            }
        ),
        "better": Maybe(flag("null where nothing was fitted")),
        "reason": Maybe(text()),
        "stored": flag(),
        "forgotten": Maybe(integer("fits that --reset removed")),
        "kept": [
            {
                "model": text("the embedding model; lexical for what weighs words alone"),
                "fingerprint": text("of the vectors that they hold for"),
                "made": text("when, ISO"),
                "holds": flag("false where the vectors are others now: they are not used"),
                "gate": Maybe(
                    {
                        "questions": integer(),
                        "answerable": integer(),
                        "chunks": integer("in the index then"),
                        "folds": integer(),
                        "min_score": number(),
                        "max_false_refusal": number(),
                        "fitted": FITTED,
                        "ridge": RIDGE,
                        "before": GATE_RATES,
                        "after": GATE_RATES,
                    }
                ),
                "verifier": Maybe(
                    {
                        "claims": integer(),
                        "true": integer(),
                        "scored": integer("claims that the score decides"),
                        "folds": integer(),
                        "ridge": RIDGE,
                        "before": CLAIM_RATES,
                        "after": CLAIM_RATES,
                    }
                ),
            }
        ],
        "notices": NOTICES,
    }
}
