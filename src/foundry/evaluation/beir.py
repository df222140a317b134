"""Data sets in BEIR form: ``corpus.jsonl``, ``queries.jsonl`` and relevance judgements.

Reads ``id`` or ``_id``, and ``qrels.tsv`` or ``qrels/*.tsv`` with or without a header. A line
that cannot be used is an error that names file and line, never skipped.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foundry.errors import UsageError


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the set; ``title`` may be empty."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class DatasetQuery:
    """A question; ``answerable`` is None where the set does not say."""

    id: str
    text: str
    answerable: bool | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A whole set. ``qrels``: query id → document id → relevance (above 0 is relevant)."""

    name: str
    documents: tuple[CorpusDocument, ...]
    queries: tuple[DatasetQuery, ...]
    qrels: Mapping[str, Mapping[str, int]]


def read_dataset(directory: Path) -> Dataset:
    """Read a folder in BEIR form. Raises ``UsageError`` for what is missing or malformed."""
    documents = tuple(
        CorpusDocument(_identity(row, where), str(row.get("title") or ""), _text(row, where))
        for row, where in _rows(directory / "corpus.jsonl")
    )
    queries = tuple(
        DatasetQuery(_identity(row, where), _text(row, where), row.get("answerable"))
        for row, where in _rows(directory / "queries.jsonl")
    )
    _require_unique(directory / "corpus.jsonl", [document.id for document in documents])
    _require_unique(directory / "queries.jsonl", [query.id for query in queries])
    return Dataset(directory.resolve().name, documents, queries, _read_qrels(directory))


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    if not path.is_file():
        raise UsageError(
            f"There is no {path.name}.",
            where=str(path.parent),
            fix="Name a folder with corpus.jsonl, queries.jsonl and qrels.tsv (or qrels/*.tsv).",
        )
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise UsageError(
                    f"This line is not JSON: {error.msg}.", where=where, fix="Mend that line."
                ) from error
            if not isinstance(row, dict):
                raise UsageError("This line is no JSON object.", where=where, fix="Mend that line.")
            yield row, where


def _identity(row: Mapping[str, Any], where: str) -> str:
    found = row.get("_id", row.get("id"))
    if found is None:
        raise UsageError("This line has neither id nor _id.", where=where, fix="Add an id.")
    return str(found)


def _text(row: Mapping[str, Any], where: str) -> str:
    text = row.get("text")
    if not isinstance(text, str):
        raise UsageError("This line has no text.", where=where, fix='Add "text": a string.')
    return text


def _require_unique(path: Path, identities: list[str]) -> None:
    if len(set(identities)) == len(identities):
        return
    seen: set[str] = set()
    twice = next(i for i in identities if i in seen or seen.add(i))  # type: ignore[func-returns-value]
    raise UsageError(f"The id {twice} stands twice.", where=str(path), fix="Make ids unique.")


def _read_qrels(directory: Path) -> dict[str, dict[str, int]]:
    files = [directory / "qrels.tsv", *sorted((directory / "qrels").glob("*.tsv"))]
    found = [path for path in files if path.is_file()]
    if not found:
        raise UsageError(
            "There is no qrels.tsv and no qrels/*.tsv.",
            where=str(directory),
            fix="Add lines of query id, document id and relevance, separated by tabs.",
        )
    qrels: dict[str, dict[str, int]] = {}
    for path in found:
        for query, document, relevance in _judgements(path):
            qrels.setdefault(query, {})[document] = relevance
    return qrels


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t"), start=1):
            if not row:
                continue
            # TREC's own form has an unused column in the middle.
            fields = [row[0], row[2], row[3]] if len(row) == 4 else row
            try:
                query, document, relevance = fields[0], fields[1], int(fields[2])
            except (IndexError, ValueError) as error:
                if number == 1:
                    continue  # a header
                raise UsageError(
                    "This line is not: query id, document id, relevance.",
                    where=f"{path}:{number}",
                    fix="Separate three columns by tabs; relevance is a whole number.",
                ) from error
            yield query, document, relevance
