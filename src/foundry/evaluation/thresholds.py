"""Bounds that a run must keep, so that a build can stop on them: ``recall@10=0.9``."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from foundry.errors import UsageError
from foundry.evaluation.measuring.measures import ANSWERING, MEASURES, REFUSAL, lower_is_better
from foundry.records import EvalRun, RunKind

COUNTS = ("errors", "unknown_sources", "refused", "answered", "judged")
"""Counts that may be bounded like a measure."""

_EITHER = ("refused", "answered", "judged")


@dataclass(frozen=True, slots=True)
class Bound:
    """``measure`` must be at least ``limit``, or at most where ``above`` is what fails."""

    measure: str
    limit: float
    above: bool = False


@dataclass(frozen=True, slots=True)
class Breach:
    """A bound that a run did not keep, with the figure; None where that is undefined."""

    bound: Bound
    value: float | None

    def __str__(self) -> str:
        kept = "above" if self.bound.above else "below"
        if self.value is None:
            return f"{self.bound.measure} is undefined; its bound is {self.bound.limit:g}"
        return f"{self.bound.measure} is {self.value:.4g}, {kept} {self.bound.limit:g}"


def parse_bounds(texts: Iterable[str], *, above: bool) -> list[Bound]:
    """``MEASURE=VALUE`` each. Raises ``UsageError`` that lists the measures, or names the value."""
    return [_parse(text, above=above) for text in texts]


def require_measured(bounds: Sequence[Bound], kind: RunKind) -> None:
    """Raise ``UsageError`` for a bound on what a run of this kind never has."""
    for bound in bounds if kind == "retrieval" else ():
        if bound.measure in ANSWERING:
            instead = f"gate_{bound.measure}" if bound.measure in REFUSAL else "recall@10"
            raise UsageError(
                f"{bound.measure} is a measure of answers, and --retrieval-only writes none.",
                where=f"{bound.measure}={bound.limit:g}",
                fix=f"Leave --retrieval-only out, or bound another measure, such as {instead}.",
            )


def breaches(run: EvalRun, bounds: Sequence[Bound]) -> list[Breach]:
    """The bounds that the run did not keep; an undefined figure keeps none."""
    figures: Mapping[str, float | None] = {**run.counts, **run.figures}
    values = [(bound, figures.get(bound.measure)) for bound in bounds]
    return [Breach(bound, value) for bound, value in values if not _keeps(value, bound)]


def _keeps(value: float | None, bound: Bound) -> bool:
    if value is None:
        return False
    return value <= bound.limit if bound.above else value >= bound.limit


def _parse(text: str, *, above: bool) -> Bound:
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
    return Bound(measure, limit, above)
