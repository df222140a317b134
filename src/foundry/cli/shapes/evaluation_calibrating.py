"""The JSON of fitting the gate and the verifier to a project's own questions and claims."""

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
FITTED = text("what the questions support", "line", "threshold", "milder")

CALIBRATING: dict[str, Shape] = {
    "eval calibrate": {
        "gate": Maybe(
            {
                "model": text("the embedding model, or lexical"),
                "mode": text("retrieval.mode"),
                "min_score": number("retrieval.min_score"),
                "max_false_refusal": number("the bound"),
                "folds": integer(),
                "current": text("the constants before the fit"),
                "fitted": FITTED,
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
                "constants": {
                    **LOGISTIC,
                    "supported": number("the score from which a claim counts as supported"),
                    "band": [number("scores between which a judge may be asked")],
                    "objected": number("the score of a contradicted claim"),
                },
                "before": {**CLAIM_RATES, "reliability": BINS},
                "after": {**CLAIM_RATES, "reliability": BINS},
            }
        ),
        "better": Maybe(flag("null if nothing was fitted")),
        "reason": Maybe(text()),
        "stored": flag(),
        "forgotten": Maybe(integer("fits that --reset removed")),
        "kept": [
            {
                "model": text("the embedding model, or lexical"),
                "fingerprint": text("of the vectors that the fit belongs to"),
                "made": text("when, ISO"),
                "holds": flag("false if the vectors have changed; the fit is then unused"),
                "gate": Maybe(
                    {
                        "questions": integer(),
                        "answerable": integer(),
                        "chunks": integer("in the index then"),
                        "folds": integer(),
                        "min_score": number(),
                        "max_false_refusal": number(),
                        "fitted": FITTED,
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
                        "before": CLAIM_RATES,
                        "after": CLAIM_RATES,
                    }
                ),
            }
        ],
        "notices": NOTICES,
    }
}
