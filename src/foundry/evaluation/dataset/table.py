"""The table of questions that ``--output`` writes: each query's outcome by configuration and mode."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from foundry.errors import UsageError
from foundry.evaluation.dataset.measure import DatasetReport, ModeFigures
from foundry.evaluation.metrics.measures import RANKING
from foundry.evaluation.metrics.ranking import SPAN_MEASURES
from foundry.records import EvalResult
from foundry.render.csv_text import write_csv

FORMATS = (".jsonl", ".csv")
_SHOWN = 10
"""Documents of a ranking that a row names."""


def require_format(path: Path) -> None:
    """Raise ``UsageError`` for a file name whose extension is not one of ``FORMATS``."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(
            "eval-table-format", where=str(path), formats=FORMATS, ending=path.suffix or path.name
        )


def question_rows(report: DatasetReport) -> Iterator[dict[str, Any]]:
    """A row for each configuration, query and mode, in this order.

    ``rank`` is that of the first relevant document, None where none was found; figures are None
    where the query has no judgement.
    """
    documents = {path: document for document, path in report.paths.items()}
    for measured in (report.measured, *report.compared):
        outcomes = {mode: _index_by_query(run.documents) for mode, run in measured.runs.items()}
        spans = {
            mode: _index_by_query(run.spans) for mode, run in measured.runs.items() if run.spans
        }
        for query in report.queries:
            for mode in measured.runs:
                yield {
                    "id": query.id,
                    "text": query.text,
                    "language": query.language,
                    "answerable": query.answerable,
                    "config": measured.config.name,
                    "arm": mode,
                    **_outcome(outcomes[mode][query.id], documents),
                    "expected": [
                        document
                        for document, relevance in report.qrels.get(query.id, {}).items()
                        if relevance > 0
                    ],
                    **(_span_figures(spans[mode].get(query.id)) if mode in spans else {}),
                }


def _index_by_query(figures: ModeFigures) -> dict[str, EvalResult]:
    return {result.question.id: result for result in figures.results}


def _outcome(result: EvalResult, documents: Mapping[str, str]) -> dict[str, Any]:
    mrr, total = result.figures.get("mrr"), result.timings_ms.get("total")
    ranked = dict.fromkeys(documents[hit.source] for hit in result.ranking)
    return {
        "rank": round(1 / mrr) if mrr else None,
        "score": _round(result.score),
        "verdict": result.gate_verdict,
        "ms": None if total is None else round(total, 1),
        "error": result.error,
        "documents": list(ranked)[:_SHOWN],
        **{name: _round(result.figures.get(name)) for name in RANKING},
    }


def _span_figures(result: EvalResult | None) -> dict[str, Any]:
    figures = result.figures if result else {}
    ranked = {f"spans.{name}": _round(figures.get(name)) for name in RANKING}
    return ranked | {name: _round(figures.get(name)) for name in SPAN_MEASURES}


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def format_questions(report: DatasetReport, suffix: str) -> str:
    """The table as JSON Lines or, for ``.csv``, as comma-separated values with a header."""
    rows = list(question_rows(report))
    if suffix.lower() != ".csv":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    names = list(rows[0])
    return write_csv(names, ([row.get(name) for name in names] for row in rows))
