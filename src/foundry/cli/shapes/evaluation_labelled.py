"""The JSON of measuring on lines of labelled claims, pairs and attack texts."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.cli.shape import Maybe, Shape, integer, number, text
from foundry.cli.shapes.parts import NOTICES

SKIPPED: Sequence[Shape] = [
    {"file": text(), "line": integer("from 1"), "reason": text("why it was left out")}
]

LABELLED: dict[str, Shape] = {
    "eval claims": {
        "n": integer("claims"),
        "balanced_accuracy": Maybe(
            number("mean of recall and the share of false claims refused; null without either kind")
        ),
        "precision": Maybe(number("of the claims called supported, the share that is")),
        "recall": Maybe(number("of the true claims, the share called supported")),
        "auroc": Maybe(number("the chance that a true claim scores above a false one")),
        "true": integer("claims whose label is true"),
        "threshold": number("the score from which a claim counts as supported"),
        "hard_objections": integer("claims to which a differing fact is objected"),
        "hard_objections_to_true": integer("of them, those whose label is true"),
        "calibration_error": Maybe(number("mean distance of score and share of true claims")),
        "reliability": [
            {
                "low": number("scores from here"),
                "high": number("to here"),
                "n": integer("claims"),
                "mean": number("of their scores"),
                "true": number("share of them that is true"),
            }
        ],
        "skipped": SKIPPED,
        "notices": NOTICES,
    },
    "eval conflicts": {
        "n": integer("pairs"),
        "precision": Maybe(number("of the reported pairs, the share that contradicts")),
        "recall": Maybe(number("of the contradicting pairs, the share that was reported")),
        "false_alarm_rate": Maybe(number("of the agreeing pairs, the share that was reported")),
        "conflicts": integer("pairs whose label is true"),
        "agreeing": integer("pairs whose label is false"),
        "skipped": SKIPPED,
        "notices": NOTICES,
    },
    "eval injection": {
        "n": integer("texts"),
        "escaped": integer("texts that do not stay inside the marked context"),
        "escapes": [
            {
                "number": integer("of the text among those that were used, from 1"),
                "text": text(),
                "problems": [{"prompt": text(), "problem": text(), "line": text()}],
            }
        ],
        "skipped": SKIPPED,
        "notices": NOTICES,
    },
}
