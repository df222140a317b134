"""Which cells of a table's row a question asks for, by the words and periods of their labels."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.analysis import analyse
from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.text.periods import Fit, Period, compare_periods, find_periods, judge_periods


def judge_row(candidate: QuoteCandidate, asked: frozenset[str], periods: Sequence[Period]) -> Fit:
    """Whether a row has what is asked in an asked period.

    "other" if its name or all its labels are of other periods, or a word of the question is only in
    labels of other periods: "Net profit 2022" beside "Revenue 2021" has no net profit of 2021.
    """
    (_, name), *values = candidate.columns
    named = judge_periods(periods, find_periods(name, candidate.language))
    labels = [label for label, _ in values]
    fits = [judge_periods(periods, find_periods(label, candidate.language)) for label in labels]
    dated = {term for period in periods for term in analyse(period.text, candidate.language)}
    found: set[str] = set()
    lacking: set[str] = set()
    for label, fit in zip(labels, fits, strict=True):
        said = asked & frozenset(analyse(label, candidate.language)) - dated
        (lacking if fit == "other" else found).update(said)
    if named == "other" or not lacking <= found or set(fits) == {"other"}:
        return "other"
    return "fits" if "fits" in (named, *fits) else "unknown"


def match_columns(
    candidate: QuoteCandidate, asked: frozenset[str], periods: Sequence[Period]
) -> list[int]:
    """How well the label of each column fits the question: by its words, and by its period."""
    labels = [label for label, _ in candidate.columns[1:]]
    hits = [asked & frozenset(analyse(label, candidate.language)) for label in labels]
    shared = frozenset.intersection(*hits)
    own = [len(hit - shared) for hit in hits]
    if not periods:
        return own
    return [
        count + _rate_period(periods, find_periods(label, candidate.language))
        for count, label in zip(own, labels, strict=True)
    ]


def _rate_period(asked: Sequence[Period], said: Sequence[Period]) -> int:
    """10 for the asked period, 5 for one as long, -10 for another one."""
    found = {compare_periods(one, other) for one in asked for other in said}
    if "same" in found:
        return 10
    if found == {"other"}:
        return -10
    return 5 if {_rate_length(p) for p in asked} & {_rate_length(p) for p in said} - {0} else 0


def _rate_length(period: Period) -> int:
    """The months of a period; 0 if it does not say."""
    if period.part:
        return {"q": 3, "h": 6, "m": 9}[period.part[0]]
    if period.days is None or not period.closing:
        return 0
    return round((period.days[1] - period.days[0]).days / 30.4)
