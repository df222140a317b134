"""Measuring a set: once, or under several configurations, question by question the same.

A query counts where it has a judgement or a label; others are not searched, but counted. A query
that cannot be asked is an error that is counted, and stops nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from foundry.errors import UsageError
from foundry.evaluation.dataset.beir import Dataset, DatasetQuery, read_dataset
from foundry.evaluation.dataset.figures import (
    ArmFigures,
    Difference,
    compare,
    measure_arm,
    measure_labels,
)
from foundry.evaluation.dataset.projects import Form, Titles, fill, open_project
from foundry.evaluation.dataset.report import DatasetReport, Measured
from foundry.evaluation.dataset.searching import search_all
from foundry.evaluation.dataset.setups import DEFAULT, Setup
from foundry.evaluation.lines import tell_names
from foundry.ports import Progress
from foundry.records import SearchMode

ARMS: tuple[SearchMode, ...] = ("bm25", "dense", "hybrid")
"""The ways of searching, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What is measured, whatever the configuration."""

    dataset: Dataset
    queries: Sequence[DatasetQuery]
    form: Form
    arms: Sequence[SearchMode]
    environment: Mapping[str, str]


def evaluate_dataset(
    directory: Path,
    *,
    keep_documents: bool = False,
    title: Titles = "index",
    arms: Sequence[SearchMode] = ARMS,
    limit: int | None = None,
    setup: Setup = DEFAULT,
    against: Sequence[Setup] = (),
    environment: Mapping[str, str],
    progress: Progress = lambda _step: None,
) -> DatasetReport:
    """Ingest the set once (cached) and search every query in every arm.

    ``keep_documents`` makes each document one chunk; ``limit`` takes that many
    queries, evenly spread over the file. Gate figures come from the hybrid arm,
    or the last arm where hybrid is not asked for. The configurations ``against`` are
    measured in the same run and compared with ``setup``, query by query. Raises
    ``UsageError`` for a set of which no query can be measured.
    """
    dataset = read_dataset(directory)
    queries = spread_queries(_require_measured(dataset, directory), limit)
    form = Form(keep_documents, title)
    task = _Task(dataset, queries, form, tuple(dict.fromkeys(arms)), environment)
    first, notices = _measure(task, setup, progress)
    compared = []
    for other in against:
        found, told = _measure(task, other, _named(progress, other))
        compared.append(replace(found, differences=_differences(first, found)))
        notices += [notice for notice in told if notice not in notices]
    return DatasetReport(
        dataset=dataset.name,
        documents=len(dataset.documents),
        queries=tuple(queries),
        qrels=dataset.qrels,
        measured=first,
        compared=tuple(compared),
        counts=_counts(task, first),
        skipped=dataset.skipped,
        notices=(*dataset.notices, *_left_out(dataset), *notices),
    )


def spread_queries(queries: Sequence[DatasetQuery], limit: int | None) -> list[DatasetQuery]:
    """``limit`` queries at even distances: sets are often sorted by kind."""
    if limit is None or limit >= len(queries):
        return list(queries)
    return [queries[int(place)] for place in np.linspace(0, len(queries) - 1, limit)]


def measured_queries(dataset: Dataset) -> list[DatasetQuery]:
    """The queries with a judgement or a label: of the others nothing can be said."""
    return [
        query
        for query in dataset.queries
        if query.answerable is not None or _is_judged(query, dataset)
    ]


def _is_judged(query: DatasetQuery, dataset: Dataset) -> bool:
    return any(relevance > 0 for relevance in dataset.qrels.get(query.id, {}).values())


def _require_measured(dataset: Dataset, directory: Path) -> list[DatasetQuery]:
    found = measured_queries(dataset)
    if not found:
        raise UsageError(
            "No query has a judgement of a document that is there, or says whether it is answerable.",
            where=str(directory),
            fix="Add lines of query id, document id and relevance to qrels.tsv, with the ids that "
            "stand in queries.jsonl and corpus.jsonl.",
        )
    return found


def _measure(task: _Task, setup: Setup, progress: Progress) -> tuple[Measured, list[str]]:
    """The set under one configuration, with notices."""
    with open_project(task.dataset, task.form, setup, task.environment) as workspace:
        filled = fill(workspace, task.dataset, task.form, progress)
        outcomes = {
            arm: search_all(workspace, task.queries, filled.homes, arm, progress)
            for arm in task.arms
        }
        threshold = workspace.config.retrieval.min_score
        folder = workspace.root
    judged = "hybrid" if "hybrid" in outcomes else task.arms[-1]
    dataset = _without_spans(task.dataset, filled.altered)
    found = Measured(
        setup=setup,
        arms={arm: measure_arm(asked, dataset) for arm, asked in outcomes.items()},
        gate=measure_labels(judged, outcomes[judged], task.queries, threshold),
        outcomes=outcomes,
        folder=folder,
        reused=filled.reused,
    )
    return found, [*setup.notices(), *filled.notices, *_errors(found)]


def _without_spans(dataset: Dataset, altered: frozenset[str]) -> Dataset:
    if not altered:
        return dataset
    queries = tuple(
        replace(query, spans=tuple(s for s in query.spans if s.document not in altered))
        for query in dataset.queries
    )
    return replace(dataset, queries=queries)


def _differences(first: Measured, other: Measured) -> dict[str, dict[str, Difference]]:
    return {arm: _arm_differences(first.arms[arm], other.arms[arm]) for arm in first.arms}


def _arm_differences(before: ArmFigures, after: ArmFigures) -> dict[str, Difference]:
    """By measure; those of spans carry ``spans.`` before their name where a ranking has it too."""
    found = compare(before.ranking, after.ranking)
    if before.spans and after.spans:
        ranked = compare(before.spans, after.spans)
        found |= {f"spans.{name}": difference for name, difference in ranked.items()}
    if before.characters and after.characters:
        found |= compare(before.characters, after.characters)
    return found


def _counts(task: _Task, measured: Measured) -> dict[str, int]:
    labels = [query.answerable for query in task.queries]
    asked = next(iter(measured.outcomes.values()))
    return {
        "questions": len(task.dataset.queries),
        "judged": sum(_is_judged(query, task.dataset) for query in task.queries),
        "answerable": labels.count(True),
        "unanswerable": labels.count(False),
        "unlabelled": labels.count(None),
        "not_searched": len(task.dataset.queries) - len(measured_queries(task.dataset)),
        "errors": sum(one.error is not None for one in asked.values()),
        **task.dataset.counts,
    }


def _left_out(dataset: Dataset) -> tuple[str, ...]:
    measured = {query.id for query in measured_queries(dataset)}
    others = [query.id for query in dataset.queries if query.id not in measured]
    if not others:
        return ()
    said = "Queries not searched, for they have neither a judgement nor a label"
    return (f"{said}: {tell_names(others)}.",)


def _errors(measured: Measured) -> list[str]:
    failed = [
        (query, one.error)
        for query, one in next(iter(measured.outcomes.values())).items()
        if one.error is not None
    ]
    if not failed:
        return []
    named = tell_names([f"{query}: {str(error).rstrip('.')}" for query, error in failed])
    return [f"Queries that could not be asked, and count in no figure: {named}."]


def _named(progress: Progress, setup: Setup) -> Progress:
    return lambda step: progress(replace(step, phase=f"{setup.name}: {step.phase}"))
