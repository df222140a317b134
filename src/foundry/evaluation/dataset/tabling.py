"""The table of questions: what each came to, in each way of searching and configuration."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from foundry.errors import UsageError
from foundry.evaluation.dataset.beir import DatasetQuery
from foundry.evaluation.dataset.figures import RANKING, ArmFigures, first_relevant
from foundry.evaluation.dataset.report import DatasetReport, Measured, rounded
from foundry.evaluation.dataset.spans import NAMES
from foundry.records import SearchMode

SHOWN = 10
"""Documents of a ranking that the table names."""

_NUMBER = re.compile(r"[-+][\d.]+")
FORMATS = (".jsonl", ".csv")


def require_format(path: Path) -> None:
    """Raise ``UsageError`` for a name that does not say which form the table has."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(
            f"The questions are written as {' or '.join(FORMATS)}, not as {path.suffix or 'that'}.",
            where=str(path),
            fix="Give the file one of these extensions.",
        )


def question_rows(report: DatasetReport) -> Iterator[dict[str, Any]]:
    """A row for each configuration, question and arm, in this order.

    ``rank`` is that of the first right document, None where it was not found; figures are None
    where the question has no judgement.
    """
    for measured in (report.measured, *report.compared):
        for query in report.queries:
            for arm, figures in measured.arms.items():
                yield _row(report, measured, query, arm, figures)


def _row(
    report: DatasetReport,
    measured: Measured,
    query: DatasetQuery,
    arm: SearchMode,
    figures: ArmFigures,
) -> dict[str, Any]:
    outcome = measured.outcomes[arm][query.id]
    judged = {name: worth for name, worth in report.qrels.get(query.id, {}).items() if worth > 0}
    return {
        "id": query.id,
        "text": query.text,
        "language": query.language,
        "answerable": query.answerable,
        "config": measured.setup.name,
        "arm": arm,
        "rank": first_relevant(outcome.documents, judged),
        "score": None if outcome.error else rounded(outcome.score),
        "verdict": None if outcome.error else outcome.verdict,
        "ms": None if outcome.error else rounded(outcome.milliseconds, 1),
        "error": outcome.error,
        "expected": list(judged),
        "documents": list(outcome.documents[:SHOWN]),
        **_figures(query, figures),
    }


def _figures(query: DatasetQuery, figures: ArmFigures) -> dict[str, Any]:
    ranked: Mapping[str, float] = figures.ranking.by_query.get(query.id, {})
    found = {name: rounded(ranked.get(name)) for name in RANKING}
    if figures.spans is None or figures.characters is None:
        return found
    items = figures.spans.by_query.get(query.id, {})
    fits = figures.characters.by_query.get(query.id, {})
    found |= {f"spans.{name}": rounded(items.get(name)) for name in RANKING}
    return found | {name: rounded(fits.get(name)) for name in NAMES}


def questions_text(report: DatasetReport, suffix: str) -> str:
    """The table as JSON Lines or, for ``.csv``, as comma-separated values with a head."""
    rows = list(question_rows(report))
    if suffix.lower() != ".csv":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """Lists with blanks between; a text that a spreadsheet would run as a formula is quoted."""
    if isinstance(value, list):
        value = " ".join(value)
    risky = isinstance(value, str) and value[:1] in {"=", "+", "-", "@"}
    return f"'{value}" if risky and not _NUMBER.fullmatch(str(value)) else value
