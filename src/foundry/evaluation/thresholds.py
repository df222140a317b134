"""Bounds that a run must keep, so that a build can fail on them: ``recall@10=0.9``."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from foundry.errors import UsageError
from foundry.evaluation.metrics.measures import ANSWERING, MEASURES, REFUSAL, lower_is_better
from foundry.records import EvalRun, RunKind

COUNTS = ("errors", "unknown_sources", "refused", "answered", "judged")
"""Counts that may be bounded like a measure."""

_EITHER = ("refused", "answered", "judged")


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

    def __str__(self) -> str:
        kept = "above" if self.bound.above else "below"
        if self.value is None:
            return f"{self.bound.measure} is undefined; its bound is {self.bound.limit:g}"
        return f"{self.bound.measure} is {self.value:.4g}, {kept} {self.bound.limit:g}"


def parse_bounds(texts: Iterable[str], *, above: bool) -> list[MeasureBound]:
    """Parse ``MEASURE=VALUE`` texts. Raises ``UsageError`` for an unknown measure or a bad value."""
    return [_parse(text, above=above) for text in texts]


def require_measured(bounds: Sequence[MeasureBound], kind: RunKind) -> None:
    """Raise ``UsageError`` for a bound on a measure that a run of this kind lacks."""
    for bound in bounds if kind == "retrieval" else ():
        if bound.measure in ANSWERING:
            instead = f"gate_{bound.measure}" if bound.measure in REFUSAL else "recall@10"
            raise UsageError(
                f"{bound.measure} is a measure of answers, and --retrieval-only writes none.",
                where=f"{bound.measure}={bound.limit:g}",
                fix=f"Remove --retrieval-only, or bound another measure, such as {instead}.",
            )


def find_breaches(run: EvalRun, bounds: Sequence[MeasureBound]) -> list[Breach]:
    """The bounds that the run broke; an undefined figure breaks every bound."""
    figures: Mapping[str, float | None] = {**run.counts, **run.figures}
    values = [(bound, figures.get(bound.measure)) for bound in bounds]
    return [Breach(bound, value) for bound, value in values if not _is_kept(value, bound)]


def _is_kept(value: float | None, bound: MeasureBound) -> bool:
    if value is None:
        return False
    return value <= bound.limit if bound.above else value >= bound.limit


def _parse(text: str, *, above: bool) -> MeasureBound:
    option = "--fail-above" if above else "--fail-below"
    measure, _, value = (part.strip() for part in text.partition("="))
    if measure not in (*MEASURES, *COUNTS):
        near = difflib.get_close_matches(measure, [*MEASURES, *COUNTS], n=1)
        hint = f" The nearest is {near[0]}." if near else ""
        raise UsageError(
            f"There is no measure {measure!r}.{hint}",
            where=f"{option} {text}",
            fix=f"The measures are: {', '.join((*MEASURES, *COUNTS))}.",
        )
    if measure not in _EITHER and lower_is_better(measure) is not above:
        way, other = ("higher", "below") if above else ("lower", "above")
        raise UsageError(
            f"{measure} is better when {way}.",
            where=f"{option} {text}",
            fix=f"Use --fail-{other} {measure}=VALUE.",
        )
    try:
        limit = float(value)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise UsageError(
            f"{value!r} is not a number.",
            where=f"{option} {text}",
            fix=f"Write for example {option} {measure}=0.9.",
        )
    return MeasureBound(measure, limit, above)
