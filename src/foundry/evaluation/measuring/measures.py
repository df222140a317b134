"""The names of all measures, in the order in which they are shown, and which way is better."""

from __future__ import annotations

from foundry.evaluation.measuring.answers import ANSWER_MEASURES
from foundry.evaluation.measuring.metrics import CUTS

RANKING = (
    *(f"{name}@{cut}" for name in ("recall", "precision", "ndcg") for cut in CUTS),
    "mrr",
    "map",
)
CITATION = ("citation_precision", "citation_recall")
REFUSAL = ("refusal_precision", "refusal_recall", "false_refusal_rate")
GATE = tuple(f"gate_{name}" for name in REFUSAL)
TIMES = (
    *("latency_p50_ms", "latency_p95_ms", "latency_max_ms"),
    *("retrieval_p50_ms", "retrieval_p95_ms"),
)
SPENT = ("tokens", "cost")

MEANS = (*RANKING, *CITATION, "coverage", *ANSWER_MEASURES)
"""Means over the questions where they are defined: these stand in ``EvalResult.figures``."""

STATISTICS = (*REFUSAL, *GATE, "auroc", *TIMES, *SPENT)
"""Figures of a run as a whole."""

ANSWERING = (*REFUSAL, *CITATION, "coverage", *ANSWER_MEASURES)
"""What a run over search alone has not."""

MEASURES = (
    *RANKING, *REFUSAL, *GATE, "auroc", *CITATION, "coverage", *ANSWER_MEASURES, *TIMES, *SPENT,
)  # fmt: skip

CHIEF = (
    *("recall@1", "recall@5", "recall@10", "recall@50", "precision@1", "ndcg@10", "mrr", "map"),
    *REFUSAL, *GATE, "auroc", *CITATION, "coverage", *ANSWER_MEASURES, *TIMES, *SPENT,
)  # fmt: skip
"""Those that are shown unless all are asked for."""

QUALITY = tuple(name for name in MEASURES if name not in (*TIMES, *SPENT))
"""What does not depend on the machine, its load, or prices."""

_LOWER = frozenset(
    ("false_refusal_rate", "gate_false_refusal_rate", "errors", "unknown_sources", *TIMES, *SPENT)
)


def lower_is_better(measure: str) -> bool:
    """True for what one wants little of: time, cost, errors, wrong refusals."""
    return measure in _LOWER


def is_better(measure: str, difference: float) -> bool:
    """Whether a change of a measure by this much is for the better."""
    return difference < 0 if lower_is_better(measure) else difference > 0
