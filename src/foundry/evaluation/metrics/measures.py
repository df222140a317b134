"""The names of all measures in the order in which they are shown, and which direction is better."""

from __future__ import annotations

from foundry.evaluation.metrics.answers import ANSWER_MEASURES
from foundry.evaluation.metrics.ranking import CUTS, SPAN_MEASURES

RANKING = (
    *(f"{name}@{cut}" for name in ("recall", "precision", "ndcg") for cut in CUTS),
    *("mrr", "mrr@10", "map"),
)
CITATION = ("citation_precision", "citation_recall")
REFUSAL = ("refusal_precision", "refusal_recall", "false_refusal_rate")
GATE = tuple(f"gate_{name}" for name in REFUSAL)
TIMES = (
    *("latency_p50_ms", "latency_p95_ms", "latency_max_ms"),
    *("retrieval_p50_ms", "retrieval_p95_ms"),
)
SPENT = ("tokens", "cost")

MEANS = (*RANKING, *SPAN_MEASURES, *CITATION, "coverage", *ANSWER_MEASURES)
"""Means over the questions where they are defined; each question has them in its ``figures``."""

STATISTICS = (*REFUSAL, *GATE, "auroc", *TIMES, *SPENT)
"""Figures of a run as a whole."""

ANSWERING = (*REFUSAL, *CITATION, "coverage", *ANSWER_MEASURES)
"""Measures that a run over search alone lacks."""

MEASURES = (
    *RANKING, *SPAN_MEASURES, *REFUSAL, *GATE, "auroc", *CITATION, "coverage", *ANSWER_MEASURES, *TIMES, *SPENT,
)  # fmt: skip

CHIEF = (
    *("recall@1", "recall@5", "recall@10", "recall@50", "precision@1", "ndcg@10", "mrr", "map"),
    *REFUSAL, *GATE, "auroc", *CITATION, "coverage", *ANSWER_MEASURES, *TIMES, *SPENT,
)  # fmt: skip
"""The measures shown by default; ``-v`` shows all."""

QUALITY = tuple(name for name in MEASURES if name not in (*TIMES, *SPENT))
"""Measures that do not depend on the machine, its load or prices."""

_LOWER = frozenset(
    ("false_refusal_rate", "gate_false_refusal_rate", "errors", "unknown_sources", *TIMES, *SPENT)
)


def lower_is_better(measure: str) -> bool:
    """True for times, costs, errors and false refusals."""
    return measure in _LOWER


def is_better(measure: str, difference: float) -> bool:
    """Whether a measure that changed by ``difference`` got better."""
    return difference < 0 if lower_is_better(measure) else difference > 0
