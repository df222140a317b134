"""What a reader must know beside the figures of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from foundry.evaluation.lines import first_few
from foundry.evaluation.running.facts import IndexState
from foundry.records import EvalResult, EvalRun

_NAMED = 3
"""So many sources or changes are named, the rest counted."""


def notices_of(
    run: EvalRun, results: Sequence[EvalResult], before: IndexState, after: IndexState
) -> Iterator[str]:
    """Sentences, the gravest first."""
    if before.hash != after.hash:
        changes = after.changes_since(before) or ["its vectors were completed or made anew"]
        yield f"The index changed while the run was going on: {first_few(changes, _NAMED)}."
    yield from _unknown(results)
    cached = sum(result.usage.cached for result in results)
    if cached:
        yield f"{cached} model replies came from the cache: their time is not the model's."
    if run.counts.get("jobs", 1) > 1:
        yield f"{run.counts['jobs']} questions were asked at a time: each took longer for it."
    yield from _common(results)


def _unknown(results: Sequence[EvalResult]) -> Iterator[str]:
    names = list(dict.fromkeys(name for result in results for name in result.unknown))
    if names:
        touched = sum(bool(result.unknown) for result in results)
        unjudged = sum(
            bool(one.unknown) and one.figures.get("mrr") is None for one in results if not one.error
        )
        yield (
            f"The index does not hold what {touched} questions expect ({first_few(names, _NAMED)}); "
            f"{unjudged} of them have no ranking figure for it."
        )


def _common(results: Sequence[EvalResult]) -> Iterator[str]:
    """What was said of at least half of the questions."""
    said = Counter(notice for result in results for notice in dict.fromkeys(result.notices))
    for notice, count in said.items():
        if count * 2 >= len(results):
            yield f"Said of {count} of {len(results)} questions: {notice}"
