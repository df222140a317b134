"""The names of all measures in the order in which they are shown, and which direction is better.

Also bounds that a run must keep, so that a build can fail on them: ``recall@10=0.9``.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from foundry.errors import UsageError
from foundry.evaluation.metrics.answers import ANSWER_MEASURES, SHOWN_MEASURES
from foundry.evaluation.metrics.ranking import CUTS, SPAN_MEASURES
from foundry.messages import Message
from foundry.records import EvalRun, RunKind

RANKING = (
    *(f"{name}@{cut}" for name in ("recall", "precision", "ndcg") for cut in CUTS),
    *("mrr", "mrr@10", "map"),
)
CITATION = ("citation_precision", "citation_recall")
REFUSAL = ("refusal_precision", "refusal_recall", "false_refusal_rate")
TRUST = ("sure_precision", "low_confidence_precision")
"""Of a model's answers without and with the mark of low confidence, the share that is right."""

GATE = tuple(f"gate_{name}" for name in REFUSAL)
TIMES = (
    *("latency_p50_ms", "latency_p95_ms", "latency_max_ms"),
    *("retrieval_p50_ms", "retrieval_p95_ms"),
)
SPENT = ("tokens", "cost")

MEANS = (*RANKING, *SPAN_MEASURES, *CITATION, "coverage", *ANSWER_MEASURES, *SHOWN_MEASURES)
"""Means over the questions where they are defined; each question has them in its ``figures``."""

ANSWERING = (*REFUSAL, *CITATION, "coverage", *ANSWER_MEASURES, *TRUST, *SHOWN_MEASURES)
"""Measures that a run over search alone lacks."""

MEASURES = (
    *RANKING, *SPAN_MEASURES, *REFUSAL, *GATE, "auroc", *CITATION, "coverage", *ANSWER_MEASURES, *TRUST,
    *SHOWN_MEASURES, *TIMES, *SPENT,
)  # fmt: skip

CHIEF = (
    *("recall@1", "recall@5", "recall@10", "recall@50", "precision@1", "ndcg@10", "mrr", "map"),
    *REFUSAL, *GATE, "auroc", *CITATION, "coverage", *ANSWER_MEASURES, *TRUST, *SHOWN_MEASURES, *TIMES,
    *SPENT,
)  # fmt: skip
"""The measures shown by default; ``-v`` shows all."""

QUALITY = tuple(name for name in MEASURES if name not in (*TIMES, *SPENT))
"""Measures that do not depend on the machine, its load or prices."""

_LOWER = frozenset(
    ("false_refusal_rate", "gate_false_refusal_rate", "errors", "unknown_sources", *TIMES, *SPENT)
)

COUNTS = ("errors", "unknown_sources", "refused", "passages", "answered", "judged")
"""Counts that may be bounded like a measure."""

_EITHER = ("refused", "passages", "answered", "judged")


@dataclass(frozen=True, slots=True)
class MeasureBound:
    """``measure`` must be at least ``limit``, or with ``above`` at most ``limit``."""

    measure: str
    limit: float
    above: bool = False


@dataclass(frozen=True, slots=True)
class Breach:
    """A bound that a run broke, with its figure; None where that is undefined."""

    bound: MeasureBound
    value: float | None

    def describe(self) -> Message:
        """``recall@10 is 0.5, below 0.9``."""
        measure, limit = self.bound.measure, self.bound.limit
        if self.value is None:
            return Message("eval-breach-undefined", measure=measure, limit=limit)
        code = "eval-breach-above" if self.bound.above else "eval-breach-below"
        return Message(code, measure=measure, value=self.value, limit=limit)


def parse_bounds(texts: Iterable[str], *, above: bool) -> list[MeasureBound]:
    """Parse ``MEASURE=VALUE`` texts. Raises ``UsageError`` for an unknown measure or a bad value."""
    return [_parse(text, above=above) for text in texts]


def require_measured(bounds: Sequence[MeasureBound], kind: RunKind) -> None:
    """Raise ``UsageError`` for a bound on a measure that a run of this kind lacks."""
    for bound in bounds if kind == "retrieval" else ():
        if bound.measure in ANSWERING:
            instead = f"gate_{bound.measure}" if bound.measure in REFUSAL else "recall@10"
            raise UsageError(
                "eval-measure-of-answers",
                where=f"{bound.measure}={bound.limit:g}",
                measure=bound.measure,
                other=instead,
            )


def find_breaches(run: EvalRun, bounds: Sequence[MeasureBound]) -> list[Breach]:
    """The bounds that the run broke; an undefined figure breaks every bound."""
    figures: Mapping[str, float | None] = {**run.counts, **run.figures}
    values = [(bound, figures.get(bound.measure)) for bound in bounds]
    return [Breach(bound, value) for bound, value in values if not _is_kept(value, bound)]


def lower_is_better(measure: str) -> bool:
    """True for times, costs, errors and false refusals."""
    return measure in _LOWER


def is_better(measure: str, difference: float) -> bool:
    """Whether a measure that changed by ``difference`` got better."""
    return difference < 0 if lower_is_better(measure) else difference > 0


def _is_kept(value: float | None, bound: MeasureBound) -> bool:
    if value is None:
        return False
    return value <= bound.limit if bound.above else value >= bound.limit


def _parse(text: str, *, above: bool) -> MeasureBound:
    option = "--fail-above" if above else "--fail-below"
    measure, _, value = (part.strip() for part in text.partition("="))
    if measure not in (*MEASURES, *COUNTS):
        near = difflib.get_close_matches(measure, [*MEASURES, *COUNTS], n=1)
        raise UsageError(
            "eval-measure-unknown-near" if near else "eval-measure-unknown",
            where=f"{option} {text}",
            measure=measure,
            near=near,
            measures=(*MEASURES, *COUNTS),
        )
    if measure not in _EITHER and lower_is_better(measure) is not above:
        raise UsageError(
            "eval-measure-higher-is-better" if above else "eval-measure-lower-is-better",
            where=f"{option} {text}",
            measure=measure,
        )
    try:
        limit = float(value)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise UsageError(
            "eval-bound-not-number",
            where=f"{option} {text}",
            value=value,
            option=option,
            measure=measure,
        )
    return MeasureBound(measure, limit, above)
