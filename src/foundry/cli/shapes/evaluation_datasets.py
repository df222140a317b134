"""The JSON of measuring search on a data set."""

from __future__ import annotations

from collections.abc import Mapping

from foundry.cli.shape import Maybe, Shape, flag, integer, number, text
from foundry.cli.shapes.evaluation_questions import SKIPPED
from foundry.cli.shapes.parts import MODES, NOTICES

CUTS = (1, 3, 5, 10, 20, 50, 100)
_SHARE = Maybe(number("0 to 1; null where no query is judged"))
_INTERVAL: Maybe = Maybe([number("low, high: they contain the true mean in 95 % of such samples")])
_INTERVALS: Mapping[str, Shape] = {"*": _INTERVAL}
RANKING: Mapping[str, Shape] = {
    "ndcg@10": _SHARE,
    "recall@10": _SHARE,
    "recall@100": _SHARE,
    "mrr@10": _SHARE,
    "map": _SHARE,
    "mrr": _SHARE,
    **{f"{name}@{k}": _SHARE for name in ("recall", "precision", "ndcg") for k in CUTS},
    "intervals": _INTERVALS,
}
CHARACTERS: Mapping[str, Shape] = {
    **{
        f"span_{name}@{k}": Maybe(number(meaning))
        for name, meaning in (
            ("recall", "share of the expected characters inside the first k chunks"),
            ("precision", "share of the characters of the first k chunks that is expected"),
            ("iou", "expected and retrieved characters: what is both, of what is either"),
        )
        for k in (1, 3, 5, 10)
    },
    "intervals": _INTERVALS,
}
MEASURED: Mapping[str, Shape] = {
    "arms": {
        "*": {
            "run": integer("of the run in the cached project"),
            **RANKING,
            "p50_ms": Maybe(number("median time of a search")),
            "p95_ms": Maybe(number()),
            "spans": Maybe(RANKING),
            "characters": Maybe(CHARACTERS),
        }
    },
    "gate": Maybe(
        {
            "auroc": Maybe(number("0 to 1")),
            "refusal_precision": Maybe(number("0 to 1")),
            "refusal_recall": Maybe(number("0 to 1")),
            "false_refusal_rate": Maybe(number("0 to 1")),
            "threshold": number("retrieval.min_score"),
            "arm": text("the search mode whose gate this is", *MODES),
            "intervals": _INTERVALS,
        }
    ),
    "config": {
        "name": text("default, or the file's name"),
        "changes": {"*": text("the value of this key, as JSON")},
    },
    "index": {
        "folder": text("the cached project"),
        "reused": integer("documents that were there before"),
    },
}
DIFFERENCE: Mapping[str, Shape] = {
    "difference": Maybe(number("mean over the queries: this configuration minus the first")),
    "interval": _INTERVAL,
    "clear": flag("the interval excludes 0"),
}

DATASETS: dict[str, Shape] = {
    "eval dataset": {
        "dataset": text("name of the folder"),
        "documents": integer(),
        "queries": integer("number of queries searched"),
        **MEASURED,
        "notices": NOTICES,
        "counts": {"*": integer("questions of each kind, and what was left out")},
        "skipped": SKIPPED,
        "compared": [
            {**MEASURED, "differences": {"*": {"*": DIFFERENCE}}},
        ],
    },
}
