"""A folder in BEIR form → rows: its queries, with the documents that its judgements name as places.

``queries.jsonl``; ``qrels.tsv`` or ``qrels/*.tsv``, with or without a header, in TREC's four
columns or BEIR's three. Titles of ``corpus.jsonl``, where it is there, help to find the sources.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from foundry.errors import UsageError
from foundry.evaluation.lines import first_few
from foundry.evaluation.questions.reading import Read, Refused, json_rows, read_lines, read_text
from foundry.evaluation.questions.rows import NamedPlace, Row

_COLUMNS = (3, 4)


@dataclass(frozen=True, slots=True)
class Judged:
    """A folder as it was read. ``titles`` reads its corpus, which may be large, when it is asked."""

    read: Read
    titles: Callable[[], Mapping[str, str]]


def read_judged(directory: Path, name: str) -> Judged:
    """The questions of a folder in BEIR form. Raises ``UsageError`` without ``queries.jsonl``."""
    queries = directory / "queries.jsonl"
    if not queries.is_file():
        raise UsageError(
            "There is no queries.jsonl in this folder.",
            where=name,
            fix="Name a folder with queries.jsonl and qrels.tsv (or qrels/*.tsv), or a file.",
        )
    read = read_lines(queries, "jsonl", f"{name}/queries.jsonl")
    judgements, refused, notices = _judgements(directory, name)
    named = {row.id or "": judgements.pop(row.id or "", {}) for row in read.rows}
    rows = [_with_places(row, named[row.id or ""]) for row in read.rows]
    closed = [row.id or "" for row in rows if row.answerable is False]
    contradicted = [one for one in closed if any(grade > 0 for grade in named[one].values())]
    if contradicted:
        notices.append(
            f"{name}: judgements for queries that are marked as not answerable were left out "
            f"({len(contradicted):,}): {first_few(contradicted)}."
        )
    if judgements:
        listed = first_few(list(judgements))
        notices.append(
            f"{name}: judgements for queries that queries.jsonl does not have "
            f"({len(judgements):,}): {listed}."
        )
    whole = Read(tuple(rows), (*read.refused, *refused), (*read.notices, *notices))
    return Judged(whole, partial(_titles, directory))


def _with_places(row: Row, judged: Mapping[str, int]) -> Row:
    """The row with a place for every relevant document; one that it names itself gets the grade."""
    if row.answerable is False:
        return row
    named = {place.source for place in row.places}
    own = tuple(
        replace(place, relevance=judged.get(place.source, place.relevance) or place.relevance)
        for place in row.places
    )
    more = tuple(
        NamedPlace(document, relevance=grade)
        for document, grade in judged.items()
        if grade > 0 and document not in named
    )
    return replace(row, places=(*own, *more))


def _judgements(
    directory: Path, name: str
) -> tuple[dict[str, dict[str, int]], list[Refused], list[str]]:
    files = [directory / "qrels.tsv", *sorted((directory / "qrels").glob("*.tsv"))]
    found = [path for path in files if path.is_file()]
    if not found:
        return {}, [], [f"{name}: there is no qrels.tsv and no qrels/*.tsv; no document is named."]
    judged: dict[str, dict[str, int]] = {}
    refused: list[Refused] = []
    notices: list[str] = []
    for path in found:
        shown = f"{name}/{path.relative_to(directory).as_posix()}"
        text, told = read_text(path, shown)
        notices += told
        for one in _lines(text, shown):
            if isinstance(one, Refused):
                refused.append(one)
            else:
                query, document, grade = one
                judged.setdefault(query, {})[document] = grade
    return judged, refused, notices


def _lines(text: str, name: str) -> Iterator[tuple[str, str, int] | Refused]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, cells in enumerate(reader, start=1):
        if not any(cell.strip() for cell in cells):
            continue
        # TREC's own form has an unused column in the middle.
        fields = [cells[0], *cells[2:]] if len(cells) == _COLUMNS[1] else cells
        try:
            query, document, grade = fields
            yield query.strip(), document.strip(), int(grade)
        except ValueError:
            if number == 1:
                continue  # a header
            yield Refused(
                name, number, "It is not: query id, document id, relevance.",
                "Separate three columns by tabs; relevance is a whole number.",
            )  # fmt: skip


def _titles(directory: Path) -> dict[str, str]:
    corpus = directory / "corpus.jsonl"
    if not corpus.is_file():
        return {}
    text, _ = read_text(corpus, corpus.name)
    entries = (entry for _, entry in json_rows(text, corpus.name) if not isinstance(entry, Refused))
    return {
        str(entry.get("_id", entry.get("id"))): str(entry["title"])
        for entry in entries
        if entry.get("title")
    }
