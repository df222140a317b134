"""Data sets in BEIR form: ``corpus.jsonl``, ``queries.jsonl`` and relevance judgements.

Reads ``id`` or ``_id``, and ``qrels.tsv`` or ``qrels/*.tsv`` with or without a header. In place
of ``corpus.jsonl`` there may be a folder ``files`` of texts, and queries may name the exact
``spans`` of their ``doc`` that answer them. What cannot be used (a broken line, an id that stands
twice, a judgement of something unknown) is left out, counted and named; a set of which nothing
is left is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from foundry.errors import ReadError, UsageError
from foundry.evaluation.lines import (
    Row,
    SkippedLine,
    UnusableLine,
    read_file,
    require_label,
    require_some,
    require_text,
    tell_names,
    tell_skipped,
)
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.records import Document

TEXT_FILES = (".md", ".markdown", ".txt", ".text")
"""Kinds of files whose text is the file's own, so that spans count in it."""

UNKNOWN = "und"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_FORM = "Name a folder with corpus.jsonl (or files/), queries.jsonl and qrels.tsv (or qrels/*.tsv)."


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the set; ``title`` may be empty. ``parsed`` is set where it came as a file."""

    id: str
    title: str
    text: str
    parsed: Document | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A place that answers a query: [start, end) in code points of a document's text."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DatasetQuery:
    """A question; ``answerable`` is None where the set does not say, ``language`` then "und"."""

    id: str
    text: str
    answerable: bool | None = None
    language: str = UNKNOWN
    answers: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A whole set. ``qrels``: query id → document id → relevance (above 0 is relevant).

    ``skipped`` are the lines that were left out; ``counts`` and ``notices`` tell of everything
    that was.
    """

    name: str
    documents: tuple[CorpusDocument, ...]
    queries: tuple[DatasetQuery, ...]
    qrels: Mapping[str, Mapping[str, int]]
    skipped: tuple[SkippedLine, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @property
    def has_spans(self) -> bool:
        """True where queries name the exact places that answer them."""
        return any(query.spans for query in self.queries)


_Named = TypeVar("_Named", CorpusDocument, tuple[DatasetQuery, Row])


@dataclass
class _Left:
    """What was left out while reading: lines, and other things by what is said of them."""

    lines: list[SkippedLine] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, what: str, name: str) -> None:
        self.names.setdefault(what, []).append(name)

    def notices(self) -> tuple[str, ...]:
        told = [f"{_SAYINGS[what]}: {tell_names(names)}." for what, names in self.names.items()]
        return (*tell_skipped(self.lines), *told)

    def counts(self) -> dict[str, int]:
        found = {what: len(self.names.get(what, ())) for what in _SAYINGS}
        return {"skipped_lines": len(self.lines), **found}


_SAYINGS = {
    "skipped_files": "Files left out, for they are neither text nor Markdown that can be read",
    "duplicate_documents": "Documents left out, for their id stands before",
    "duplicate_queries": "Queries left out, for their id stands before",
    "unknown_documents": "Judgements left out, for the set does not hold their documents",
    "unknown_queries": "Judgements left out, for the set does not hold their queries",
    "repeated_judgements": "Judgements left out, for they contradict an earlier one of the pair",
    "unknown_languages": "Queries whose language is no language code, and is read as unknown",
    "wrong_spans": "Queries with spans left out, for they do not fit their document",
}


def read_dataset(directory: Path) -> Dataset:
    """Read a folder in BEIR form. Raises ``UsageError`` for what is missing or of no use at all."""
    left = _Left()
    documents = _read_documents(directory, left)
    known = {document.id: document for document in documents}
    queries = tuple(_read_queries(_require_file(directory / "queries.jsonl"), known, left))
    judged = _read_qrels(directory, needed=not any(query.spans for query in queries), left=left)
    qrels = _usable(judged, {query.id for query in queries}, known.keys(), left)
    for query in queries:
        for span in query.spans:
            qrels.setdefault(query.id, {}).setdefault(span.document, 1)
    name = directory.resolve().name
    found = tuple(documents)
    return Dataset(name, found, queries, qrels, tuple(left.lines), left.counts(), left.notices())


def _read_documents(directory: Path, left: _Left) -> list[CorpusDocument]:
    corpus, files = directory / "corpus.jsonl", directory / "files"
    if corpus.is_file() or not files.is_dir():
        found, skipped = read_file(_require_file(corpus), _document)
        require_some(found, skipped, str(corpus))
        left.lines += skipped
    else:
        found = list(_read_files(files, left))
        if not found:
            kinds = ", ".join(TEXT_FILES)
            raise UsageError("There is no text file.", where=str(files), fix=f"Add {kinds} files.")
    return _first_of_each(found, "duplicate_documents", left)


def _read_files(folder: Path, left: _Left) -> Iterator[CorpusDocument]:
    """Texts as the product reads them; a document's id is its file's name without extension."""
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        if path.suffix.lower() not in TEXT_FILES:
            left.add("skipped_files", path.name)
            continue
        try:
            parsed = read(path, ReadOptions(path.name))
        except ReadError as error:
            left.add("skipped_files", f"{path.name} ({error.message.rstrip('.')})")
            continue
        yield CorpusDocument(path.stem, parsed.title, parsed.text, parsed)


def _document(row: Row) -> CorpusDocument:
    if not isinstance(row.get("text"), str):
        raise UnusableLine('it has no "text"')
    return CorpusDocument(_identity(row), str(row.get("title") or ""), row["text"])


def _read_queries(
    path: Path, known: Mapping[str, CorpusDocument], left: _Left
) -> Iterator[DatasetQuery]:
    rows, skipped = read_file(path, _query)
    require_some(rows, skipped, str(path))
    left.lines += skipped
    for query, row in _first_of_each(rows, "duplicate_queries", left):
        language = row.get("language", row.get("lang")) or UNKNOWN
        if language != UNKNOWN and not _LANGUAGE.fullmatch(str(language)):
            left.add("unknown_languages", f"{query.id} ({language})")
            language = UNKNOWN
        spans = tuple(_spans(row, known))
        if any(span is None for span in spans):
            left.add("wrong_spans", query.id)
        fitting = tuple(span for span in spans if span)
        yield replace(query, language=str(language), spans=fitting)


def _query(row: Row) -> tuple[DatasetQuery, Row]:
    answers = row.get("answers") or row.get("answer") or ()
    wordings = [answers] if isinstance(answers, str) else answers
    if not isinstance(wordings, list | tuple):
        raise UnusableLine('"answers" is no list of texts')
    label = row.get("answerable")
    answerable = None if label is None else require_label(row, "answerable")
    found = tuple(str(wording) for wording in wordings)
    return DatasetQuery(_identity(row), require_text(row, "text"), answerable, answers=found), row


def _spans(row: Row, known: Mapping[str, CorpusDocument]) -> Iterator[Span | None]:
    """The row's spans in its ``doc``; None for one that does not fit there.

    Where ``references`` give the words of each span, they must stand at that very place.
    """
    places = row.get("spans")
    if not isinstance(places, list):
        return
    words = row.get("references")
    references = words if isinstance(words, list) else []
    document = known.get(str(row.get("doc")))
    for number, place in enumerate(places):
        reference = references[number] if number < len(references) else None
        yield _span(document, place, reference) if document else None


def _span(document: CorpusDocument, place: object, reference: object) -> Span | None:
    match place:
        case [int(start), int(end)] if 0 <= start < end <= len(document.text):
            right = reference is None or document.text[start:end] == reference
            return Span(document.id, start, end) if right else None
    return None


def _identity(row: Row) -> str:
    found = row.get("_id", row.get("id"))
    if not isinstance(found, str | int) or found == "":
        raise UnusableLine("it has neither id nor _id")
    return str(found)


def _first_of_each(found: Sequence[_Named], what: str, left: _Left) -> list[_Named]:
    kept: dict[str, _Named] = {}
    for one in found:
        identity = one[0].id if isinstance(one, tuple) else one.id
        if identity in kept:
            left.add(what, identity)
        else:
            kept[identity] = one
    return list(kept.values())


def _require_file(path: Path) -> Path:
    if not path.is_file():
        raise UsageError(f"There is no {path.name}.", where=str(path.parent), fix=_FORM)
    return path


def _read_qrels(directory: Path, *, needed: bool, left: _Left) -> list[tuple[str, str, int]]:
    files = [directory / "qrels.tsv", *sorted((directory / "qrels").glob("*.tsv"))]
    found = [path for path in files if path.is_file()]
    if not found and needed:
        raise UsageError(
            "There is no qrels.tsv and no qrels/*.tsv.",
            where=str(directory),
            fix="Add lines of query id, document id and relevance, separated by tabs.",
        )
    return [judgement for path in found for judgement in _judgements(path, left)]


def _judgements(path: Path, left: _Left) -> Iterator[tuple[str, str, int]]:
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            row = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
            if row == [""]:
                continue
            # TREC's own form has an unused column in the middle.
            fields = [row[0], row[2], row[3]] if len(row) == 4 else row
            relevance = _relevance(fields[2]) if len(fields) == 3 else None
            if relevance is not None:
                yield fields[0], fields[1], relevance
            elif number > 1 or len(fields) != 3:
                reason = "it is not query id, document id and a whole number, apart by tabs"
                left.lines.append(SkippedLine(path.name, number, reason))


def _relevance(cell: str) -> int | None:
    try:
        found = float(cell)
    except ValueError:
        return None
    return int(found) if found.is_integer() else None


def _usable(
    judged: Sequence[tuple[str, str, int]], queries: Set[str], documents: Set[str], left: _Left
) -> dict[str, dict[str, int]]:
    """The judgements of queries and documents that are there; the first of a pair holds."""
    qrels: dict[str, dict[str, int]] = {}
    for query, document, relevance in judged:
        if query not in queries:
            left.add("unknown_queries", query)
        elif document not in documents:
            left.add("unknown_documents", document)
        elif qrels.setdefault(query, {}).setdefault(document, relevance) != relevance:
            left.add("repeated_judgements", f"{query} and {document}")
    return qrels
