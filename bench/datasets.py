"""The product's search on every data set beside ``bm25s`` and plain vectors, in one run.

Means over the same questions with 95 % intervals, and paired differences. ``--full`` takes whole
the sets that are sampled otherwise. What has been measured is kept in ``results/datasets.json``
set by set.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.own_questions import own_sets
from bench.references import Rankings, Unit, rank_by_stems, rank_by_terms, rank_by_vectors
from foundry.evaluation.dataset import (
    DocumentForm,
    ModeFigures,
    evaluate_dataset,
    measurable_queries,
    open_dataset,
    read_dataset,
)
from foundry.evaluation.dataset.beir import CharacterSpan, Dataset
from foundry.evaluation.metrics.measures import RANKING
from foundry.evaluation.metrics.outcomes import ranking_figures
from foundry.evaluation.metrics.places import SourceRange, find_covered_items, items_of
from foundry.evaluation.metrics.ranking import figures_by_query
from foundry.evaluation.metrics.statistics import Interval, intervals_of_means
from foundry.evaluation.runs.request import spread
from foundry.records import Expectation

RESULTS = Path(__file__).parent / "results" / "datasets.json"
SHOWN = ("ndcg@10", "recall@10", "recall@100", "mrr")
STEMS, TERMS, PLAIN = "bm25s, stemmed", "bm25s, our terms", "plain dense"
"""The methods that are not the product's."""


@dataclass(frozen=True)
class Run:
    name: str
    title: str = "index"
    keep_documents: bool = False
    limit: int | None = None
    documents: int | None = None
    language: str = "english"
    """The stemmer's language for bm25s; empty for none."""

    @property
    def form(self) -> DocumentForm:
        return DocumentForm(self.keep_documents, "ignore" if self.title == "ignore" else "index")


RUNS = (
    Run("nl_coronamelder", keep_documents=True, language=""),
    Run("nl_algoritmekader", title="ignore", language="dutch"),
    Run("anthropic_docs"),
    Run("clapnq", keep_documents=True),
    Run("squad2_half", keep_documents=True, limit=1500),
    Run("conflict_nq_val", keep_documents=True),
    Run("cosqa_dev", keep_documents=True, documents=1500),
    Run("scifact_train", keep_documents=True, limit=300, documents=1300),
    Run("chunking_eval"),
)


@dataclass(frozen=True)
class Figures:
    """Means by measure with their intervals, and the figures of each question behind them."""

    means: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    by_query: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Compared:
    """A set with the figures of each way over the same questions."""

    name: str
    ways: Mapping[str, Figures]
    times: Mapping[str, tuple[float | None, float | None]]
    gate: Mapping[str, Any] | None = None


def _summarise(by_query: Mapping[str, Mapping[str, float]]) -> Figures:
    columns = [[figures[name] for figures in by_query.values()] for name in RANKING]
    means = [fmean(column) if column else None for column in columns]
    intervals = intervals_of_means(columns)
    return Figures(
        dict(zip(RANKING, means, strict=True)), dict(zip(RANKING, intervals, strict=True)), by_query
    )


def _of_mode(mode: ModeFigures) -> Figures:
    by_query = {
        result.question.id: {name: result.figures[name] or 0.0 for name in RANKING}
        for result in mode.results
        if result.figures["mrr"] is not None
    }
    return Figures(mode.figures, mode.intervals, by_query)


def measure(data: Path | None, names: tuple[str, ...] = (), *, full: bool = False) -> Iterator[str]:
    yield "Means with 95 % intervals over the questions; times are milliseconds a question."
    yield ""
    yield "| set | way | nDCG@10 | recall@10 | recall@100 | MRR | p50 ms | p95 ms |"
    yield "|---|---|---|---|---|---|---|---|"
    done: list[Compared] = []
    for found in _all(data, names, full=full):
        done.append(found)
        _keep(done)
        yield from _rows(found)
    yield ""
    yield from _differences(done)
    yield ""
    yield from _gates(done)
    if data is None:
        yield "The other sets are left out: give --data DIR."


def _all(data: Path | None, names: tuple[str, ...], *, full: bool) -> Iterator[Compared]:
    if not names or "own" in names:
        yield from _own()
    for run in RUNS if data else ():
        if not names or run.name in names:
            whole = replace(run, limit=None, documents=None) if full else run
            yield _compare(sample_set(data / run.name, whole), whole)  # type: ignore[operator]


def _compare(folder: Path, run: Run) -> Compared:
    report = evaluate_dataset(
        folder,
        keep_documents=run.keep_documents,
        title=run.form.title,
        limit=run.limit,
        environment=os.environ,
    )
    dataset = read_dataset(folder)
    queries = {query.id: query.text for query in report.queries if _judged(dataset, query.id)}
    spans = _spans(folder, run) if dataset.has_spans else {}
    units = (
        [Unit(name, text) for name, (_, text) in spans.items()] if spans else _units(dataset, run)
    )
    ways = {
        STEMS: rank_by_stems(units, queries, run.language),
        TERMS: rank_by_terms(units, queries),
        PLAIN: rank_by_vectors(units, queries),
    }
    places = {name: place for name, (place, _) in spans.items()}
    figures = {name: _measure_ranking(dataset, ranking, places) for name, ranking in ways.items()}
    runs = report.measured.runs
    return Compared(
        f"{dataset.name} ({len(queries)} questions, {len(units)} {'chunks' if spans else 'texts'})",
        figures | {mode: _of_mode(run.spans or run.documents) for mode, run in runs.items()},
        {mode: _times(run.documents) for mode, run in runs.items()},
        _gate(runs[report.measured.gate_mode].documents, report.measured.threshold),
    )


def _times(mode: ModeFigures) -> tuple[float | None, float | None]:
    return mode.figures["latency_p50_ms"], mode.figures["latency_p95_ms"]


def _gate(mode: ModeFigures, threshold: float) -> Mapping[str, Any] | None:
    """The figures of the gate; None for a set without labels."""
    if all(result.question.answerable is None for result in mode.results):
        return None
    names = ("refusal_precision", "refusal_recall", "false_refusal_rate")
    shares = {name: mode.figures[f"gate_{name}"] for name in names}
    return {"auroc": mode.figures["auroc"], **shares, "threshold": threshold}


def _judged(dataset: Dataset, query: str) -> bool:
    return any(relevance > 0 for relevance in dataset.qrels.get(query, {}).values())


def _units(dataset: Dataset, run: Run) -> list[Unit]:
    """Whole documents, with their titles where the product indexes those."""
    return [
        Unit(
            document.id,
            f"{document.title}\n{document.text}" if run.title == "index" else document.text,
        )
        for document in dataset.documents
    ]


def _spans(folder: Path, run: Run) -> dict[str, tuple[CharacterSpan, str]]:
    """The product's own chunks by id: where spans are expected, all ways rank these."""
    _, workspace, homes = open_dataset(
        folder, keep_documents=run.keep_documents, title=run.form.title, environment=os.environ
    )
    with workspace:
        return {
            chunk.id: (CharacterSpan(homes[source], chunk.start, chunk.end), chunk.content)
            for source in homes
            for chunk in workspace.store.source_chunks(source)
        }


def _measure_ranking(
    dataset: Dataset, rankings: Rankings, places: Mapping[str, CharacterSpan]
) -> Figures:
    if not places:
        return _summarise(figures_by_query(rankings, dataset.qrels))
    spans = {query.id: query.spans for query in dataset.queries}
    ranges = {
        unit: SourceRange(unit, place.document, place.start, place.end, ())
        for unit, place in places.items()
    }
    by_query = {}
    for query, ranking in rankings.items():
        expected = [Expectation(span.document, ((span.start, span.end),)) for span in spans[query]]
        ranked = [ranges[unit] for unit in ranking]
        covers = [find_covered_items(hit, expected) for hit in ranked]
        figures = ranking_figures(ranked, covers, items_of(expected), whole_sources=False)
        by_query[query] = {name: value or 0.0 for name, value in figures.items()}
    return _summarise(by_query)


def _own() -> Iterator[Compared]:
    """The example project's questions, its sources as documents; bm25s stems as Dutch or English."""
    for own in own_sets():
        ways = {
            STEMS: rank_by_stems(own.units, own.queries, "english"),
            f"{STEMS} as Dutch": rank_by_stems(own.units, own.queries, "dutch"),
            TERMS: rank_by_terms(own.units, own.queries),
            PLAIN: rank_by_vectors(own.units, own.queries),
            **own.arms,
        }
        yield Compared(
            f"{own.name} ({len(own.queries)} questions, {len(own.units)} texts)",
            {
                name: _summarise(figures_by_query(ranking, own.qrels))
                for name, ranking in ways.items()
            },
            {},
        )


def _rows(found: Compared) -> Iterator[str]:
    for way, figures in found.ways.items():
        cells = [_with_interval(figures, name) for name in SHOWN[:2]]
        cells += [_cell(figures.means[name]) for name in SHOWN[2:]]
        cells += [_cell(time, 1) for time in found.times.get(way, (None, None))]
        yield f"| {found.name} | {way} | {' | '.join(cells)} |"


def _differences(done: Sequence[Compared]) -> Iterator[str]:
    """Hybrid minus each method it should beat, and minus the best of all others."""
    yield "nDCG@10 of hybrid less that of the others, question by question; * is clear."
    yield ""
    yield f"| set | less {STEMS} | less {PLAIN} | less the best other |"
    yield "|---|---|---|---|"
    for found in done:
        others = {name: one for name, one in found.ways.items() if name != "hybrid"}
        best = max(others, key=lambda name: others[name].means["ndcg@10"] or 0.0)
        cells = [_less(found, name) for name in (STEMS, PLAIN, best)]
        yield f"| {found.name} | {' | '.join(cells)} ({best}) |"


def _less(found: Compared, way: str) -> str:
    before, after = found.ways[way].by_query, found.ways["hybrid"].by_query
    differences = [after[q]["ndcg@10"] - before[q]["ndcg@10"] for q in before if q in after]
    interval = intervals_of_means([differences])[0]
    if interval is None:
        return "undefined"
    star = "*" if interval.excludes_zero else ""
    return f"{fmean(differences):+.3f}{star} ({interval.low:+.3f} to {interval.high:+.3f})"


def _gates(done: Sequence[Compared]) -> Iterator[str]:
    names = ("auroc", "refusal_precision", "refusal_recall", "false_refusal_rate", "threshold")
    yield "| set | gate AUROC | refusal precision | refusal recall | false refusals | threshold |"
    yield "|---|---|---|---|---|---|"
    for found in done:
        if found.gate:
            cells = " | ".join(_cell(found.gate[name]) for name in names)
            yield f"| {found.name} | {cells} |"


def _with_interval(figures: Figures, name: str) -> str:
    interval = figures.intervals[name]
    if interval is None:
        return _cell(figures.means[name])
    return f"{_cell(figures.means[name])} ({interval.low:.3f}–{interval.high:.3f})"


def _cell(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _keep(done: Sequence[Compared]) -> None:
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    kept = {
        found.name: {
            way: {
                name: [_rounded(figures.means[name]), _bounds(figures.intervals[name])]
                for name in SHOWN
            }
            for way, figures in found.ways.items()
        }
        for found in done
    }
    RESULTS.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [round(interval.low, 4), round(interval.high, 4)]


def sample_set(folder: Path, run: Run) -> Path:
    """The set, or ``documents`` of it: those that its ``limit`` queries need, and random others."""
    if run.documents is None:
        return folder
    dataset = read_dataset(folder)
    queries = spread(measurable_queries(dataset), run.limit)
    gold = {d for q in queries for d in dataset.qrels.get(q.id, {})}
    others = [d for d in dataset.documents if d.id not in gold]
    drawn = {d.id for d in random.Random(0).sample(others, max(0, run.documents - len(gold)))}
    kept = [
        {"id": d.id, "title": d.title, "text": d.text}
        for d in dataset.documents
        if d.id in gold | drawn
    ]
    asked = [{"id": q.id, "text": q.text, "answerable": q.answerable} for q in queries]
    target = Path(tempfile.gettempdir()) / f"{run.name}-{run.documents}"
    target.mkdir(exist_ok=True)
    for name, rows in (("corpus", kept), ("queries", asked)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (target / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    judged = [
        f"{q.id}\t{d}\t{r}\n" for q in queries for d, r in dataset.qrels.get(q.id, {}).items()
    ]
    (target / "qrels.tsv").write_text("".join(judged), encoding="utf-8")
    return target
