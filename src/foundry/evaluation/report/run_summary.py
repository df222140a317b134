"""Runs as a report shows them: labelled, summed up, compared with the first, with their facts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foundry.errors import UsageError
from foundry.evaluation.comparison import Comparison, MeasureChange, compare_results
from foundry.evaluation.metrics.statistics import Interval, intervals_of, summarise
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.runs.history import flatten, mask_user
from foundry.records import EvalResult, EvalRun

_CHIEF_VERSIONS = ("foundry", "embedding", "generator", "gate")


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run, its label in the report, and its figures with their 95 % intervals."""

    run: EvalRun
    label: str
    results: tuple[EvalResult, ...]
    figures: Mapping[str, float | None]
    counts: Mapping[str, int]
    intervals: Mapping[str, Interval | None]

    @property
    def answers(self) -> bool:
        """False for a run over search alone."""
        return self.run.kind == "ask"


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run compared with the first one; ``comparison`` is None where they share no question."""

    run: RunSummary
    comparison: Comparison | None

    @property
    def changes(self) -> Mapping[str, MeasureChange]:
        """The changes by measure, where both runs have it."""
        changes = self.comparison.measures if self.comparison else ()
        return {change.measure: change for change in changes if change.difference is not None}


def summarise_runs(runs: Sequence[tuple[EvalRun, Sequence[EvalResult]]]) -> Iterator[RunSummary]:
    """Yield the runs in their order; those with the same name get their number as well."""
    names = Counter(run.name for run, _results in runs)
    for run, results in runs:
        figures, counts = summarise(results)
        if run.finished:
            # Figures recorded at the end of the run win; measures added since are computed.
            figures, counts = {**figures, **run.figures}, {**counts, **run.counts}
        unique = bool(run.name) and names[run.name] == 1
        label = run.name if unique else f"{run.name} (#{run.id})".lstrip()
        yield RunSummary(run, label, tuple(results), figures, counts, intervals_of(results))


def compare_run(first: RunSummary, other: RunSummary) -> ComparedRun:
    """Compare two runs over the questions that both asked alike."""
    try:
        comparison = compare_results(first.run, first.results, other.run, other.results)
    except UsageError:
        return ComparedRun(other, None)
    return ComparedRun(other, comparison)


def list_facts(summary: RunSummary, t: Phrases) -> dict[str, str]:
    """What was run, by the name of the fact."""
    run = summary.run
    counts = {name: t.number(number) for name, number in summary.counts.items()}
    kinds = ("answerable", "unanswerable", "unlabelled")
    labels = ", ".join(f"{counts.get(kind, '0')} {t(f'report-kind-{kind}')}" for kind in kinds)
    known = _flatten_texts(run.versions)
    versions = [f"{name} {known[name]}" for name in _CHIEF_VERSIONS if name in known]
    return {
        "number": f"#{run.id}",
        "kind": t(f"report-run-{run.kind}"),
        "sets": ", ".join(run.sets) or t("report-none"),
        "state": t("report-state-finished" if run.finished else "report-state-unfinished"),
        "started": t.moment(run.started),
        "duration": t("report-seconds", n=t.number(run.seconds, 1)) if run.seconds else "–",
        "questions": f"{counts.get('questions', '0')}: {labels}",
        "judged": counts.get("judged", "0"),
        "answered": " / ".join(
            counts.get(name, "0") for name in ("answered", "passages", "refused")
        ),
        "errors": counts.get("errors", "0"),
        "unknown_sources": counts.get("unknown_sources", "0"),
        "questions_hash": run.questions[:16] or "–",
        "index_hash": run.index[:16] or "–",
        "versions": ", ".join(versions) or t("report-none"),
        "overrides": ", ".join(f"{k}={v}" for k, v in _flatten_texts(run.overrides).items())
        or t("report-none"),
    }


def describe_settings(run: EvalRun) -> dict[str, str]:
    """Every setting and version of a run by its dotted key."""
    versions = {f"version: {key}": value for key, value in _flatten_texts(run.versions).items()}
    return {**_flatten_texts(run.config), **versions}


def _flatten_texts(settings: Mapping[str, Any]) -> dict[str, str]:
    """Dotted keys with their values as text; user names and passwords are masked."""
    return {
        key: mask_user(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for key, value in flatten(settings).items()
    }
