"""Data sets in BEIR form: ``corpus.jsonl``, ``queries.jsonl`` and relevance judgements.

Reads ``id`` or ``_id``, and ``qrels.tsv`` or ``qrels/*.tsv`` with or without a header. A folder
``files`` of texts may replace ``corpus.jsonl``, and queries may name the exact ``spans`` of their
``doc`` that answer them. Unusable input (a broken line, a repeated id, a judgement of something
unknown) is left out, counted and named; a set without any usable line is an error.
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
"""Extensions of files that are read as they are, so that spans point into their text."""

UNKNOWN = "und"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_FORM = "Give a folder with corpus.jsonl (or files/), queries.jsonl and qrels.tsv (or qrels/*.tsv)."


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the set; ``title`` may be empty. ``parsed`` is set for a file in ``files``."""

    id: str
    title: str
    text: str
    parsed: Document | None = None


@dataclass(frozen=True, slots=True)
class CharacterSpan:
    """A place that answers a query: [start, end) in code points of a document's text."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BeirQuery:
    """A query; where the set does not say, ``answerable`` is None and ``language`` is "und"."""

    id: str
    text: str
    answerable: bool | None = None
    language: str = UNKNOWN
    answers: tuple[str, ...] = ()
    spans: tuple[CharacterSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A whole set. ``qrels``: query id → document id → relevance (above 0 is relevant).

    ``skipped`` are the lines that were left out; ``counts`` and ``notices`` cover everything that
    was.
    """

    name: str
    documents: tuple[CorpusDocument, ...]
    queries: tuple[BeirQuery, ...]
    qrels: Mapping[str, Mapping[str, int]]
    skipped: tuple[SkippedLine, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @property
    def has_spans(self) -> bool:
        """True where queries name the exact places that answer them."""
        return any(query.spans for query in self.queries)


_Named = TypeVar("_Named", CorpusDocument, tuple[BeirQuery, Row])


@dataclass
class _Problems:
    """What was left out while reading: lines, and names by the kind of problem."""

    lines: list[SkippedLine] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, what: str, name: str) -> None:
        self.names.setdefault(what, []).append(name)

    def notices(self) -> tuple[str, ...]:
        named = [f"{_MESSAGES[what]}: {tell_names(names)}." for what, names in self.names.items()]
        return (*tell_skipped(self.lines), *named)

    def counts(self) -> dict[str, int]:
        counts = {what: len(self.names.get(what, ())) for what in _MESSAGES}
        return {"skipped_lines": len(self.lines), **counts}


_MESSAGES = {
    "skipped_files": "Files left out: neither text nor Markdown, or unreadable",
    "duplicate_documents": "Documents left out: their id is used before",
    "duplicate_queries": "Queries left out: their id is used before",
    "unknown_documents": "Judgements left out: the set has no such documents",
    "unknown_queries": "Judgements left out: the set has no such queries",
    "repeated_judgements": "Judgements left out: an earlier one of the pair differs",
    "unknown_languages": "Queries read without a language: theirs is not a language code",
    "wrong_spans": "Queries with spans left out: they do not fit their document",
}


def read_dataset(directory: Path) -> Dataset:
    """Read a folder in BEIR form. Raises ``UsageError`` where a file is missing or has no usable line."""
    problems = _Problems()
    documents = _read_documents(directory, problems)
    known = {document.id: document for document in documents}
    queries = tuple(_read_queries(_require_file(directory / "queries.jsonl"), known, problems))
    judged = _read_qrels(
        directory, needed=not any(query.spans for query in queries), problems=problems
    )
    qrels = _keep_known(judged, {query.id for query in queries}, known.keys(), problems)
    for query in queries:
        for span in query.spans:
            qrels.setdefault(query.id, {}).setdefault(span.document, 1)
    name = directory.resolve().name
    return Dataset(
        name,
        tuple(documents),
        queries,
        qrels,
        tuple(problems.lines),
        problems.counts(),
        problems.notices(),
    )


def _read_documents(directory: Path, problems: _Problems) -> list[CorpusDocument]:
    corpus, files = directory / "corpus.jsonl", directory / "files"
    if corpus.is_file() or not files.is_dir():
        found, skipped = read_file(_require_file(corpus), _parse_document)
        require_some(found, skipped, str(corpus))
        problems.lines += skipped
    else:
        found = list(_read_files(files, problems))
        if not found:
            kinds = ", ".join(TEXT_FILES)
            raise UsageError("No text file here.", where=str(files), fix=f"Add {kinds} files.")
    return _drop_repeated(found, "duplicate_documents", problems)


def _read_files(folder: Path, problems: _Problems) -> Iterator[CorpusDocument]:
    """Read the texts as an ingest does; a document's id is its file name without extension."""
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        if path.suffix.lower() not in TEXT_FILES:
            problems.add("skipped_files", path.name)
            continue
        try:
            parsed = read(path, ReadOptions(path.name))
        except ReadError as error:
            problems.add("skipped_files", f"{path.name} ({error.message.rstrip('.')})")
            continue
        yield CorpusDocument(path.stem, parsed.title, parsed.text, parsed)


def _parse_document(row: Row) -> CorpusDocument:
    if not isinstance(row.get("text"), str):
        raise UnusableLine('it has no "text"')
    return CorpusDocument(_parse_id(row), str(row.get("title") or ""), row["text"])


def _read_queries(
    path: Path, known: Mapping[str, CorpusDocument], problems: _Problems
) -> Iterator[BeirQuery]:
    rows, skipped = read_file(path, _parse_query)
    require_some(rows, skipped, str(path))
    problems.lines += skipped
    for query, row in _drop_repeated(rows, "duplicate_queries", problems):
        language = row.get("language", row.get("lang")) or UNKNOWN
        if language != UNKNOWN and not _LANGUAGE.fullmatch(str(language)):
            problems.add("unknown_languages", f"{query.id} ({language})")
            language = UNKNOWN
        spans = tuple(_parse_spans(row, known))
        if any(span is None for span in spans):
            problems.add("wrong_spans", query.id)
        fitting = tuple(span for span in spans if span)
        yield replace(query, language=str(language), spans=fitting)


def _parse_query(row: Row) -> tuple[BeirQuery, Row]:
    answers = row.get("answers") or row.get("answer") or ()
    wordings = [answers] if isinstance(answers, str) else answers
    if not isinstance(wordings, list | tuple):
        raise UnusableLine('"answers" is not a list of texts')
    label = row.get("answerable")
    answerable = None if label is None else require_label(row, "answerable")
    found = tuple(str(wording) for wording in wordings)
    return BeirQuery(_parse_id(row), require_text(row, "text"), answerable, answers=found), row


def _parse_spans(row: Row, known: Mapping[str, CorpusDocument]) -> Iterator[CharacterSpan | None]:
    """The row's spans in its ``doc``; None for one that does not fit.

    Where ``references`` give the text of each span, it must equal the text at that place.
    """
    places = row.get("spans")
    if not isinstance(places, list):
        return
    words = row.get("references")
    references = words if isinstance(words, list) else []
    document = known.get(str(row.get("doc")))
    for number, place in enumerate(places):
        reference = references[number] if number < len(references) else None
        yield _parse_span(document, place, reference) if document else None


def _parse_span(document: CorpusDocument, place: object, reference: object) -> CharacterSpan | None:
    match place:
        case [int(start), int(end)] if 0 <= start < end <= len(document.text):
            right = reference is None or document.text[start:end] == reference
            return CharacterSpan(document.id, start, end) if right else None
    return None


def _parse_id(row: Row) -> str:
    found = row.get("_id", row.get("id"))
    if not isinstance(found, str | int) or found == "":
        raise UnusableLine("it has neither id nor _id")
    return str(found)


def _drop_repeated(entries: Sequence[_Named], what: str, problems: _Problems) -> list[_Named]:
    kept: dict[str, _Named] = {}
    for entry in entries:
        identity = entry[0].id if isinstance(entry, tuple) else entry.id
        if identity in kept:
            problems.add(what, identity)
        else:
            kept[identity] = entry
    return list(kept.values())


def _require_file(path: Path) -> Path:
    if not path.is_file():
        raise UsageError(f"There is no {path.name}.", where=str(path.parent), fix=_FORM)
    return path


def _read_qrels(
    directory: Path, *, needed: bool, problems: _Problems
) -> list[tuple[str, str, int]]:
    files = [directory / "qrels.tsv", *sorted((directory / "qrels").glob("*.tsv"))]
    found = [path for path in files if path.is_file()]
    if not found and needed:
        raise UsageError(
            "There is no qrels.tsv and no qrels/*.tsv.",
            where=str(directory),
            fix="Add lines of query id, document id and relevance, separated by tabs.",
        )
    return [judgement for path in found for judgement in _parse_judgements(path, problems)]


def _parse_judgements(path: Path, problems: _Problems) -> Iterator[tuple[str, str, int]]:
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            row = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
            if row == [""]:
                continue
            # TREC's own form has an unused column in the middle.
            fields = [row[0], row[2], row[3]] if len(row) == 4 else row
            relevance = _parse_relevance(fields[2]) if len(fields) == 3 else None
            if relevance is not None:
                yield fields[0], fields[1], relevance
            elif number > 1 or len(fields) != 3:
                reason = "it is not query id, document id and a whole number, separated by tabs"
                problems.lines.append(SkippedLine(path.name, number, reason))


def _parse_relevance(cell: str) -> int | None:
    try:
        found = float(cell)
    except ValueError:
        return None
    return int(found) if found.is_integer() else None


def _keep_known(
    judged: Sequence[tuple[str, str, int]],
    queries: Set[str],
    documents: Set[str],
    problems: _Problems,
) -> dict[str, dict[str, int]]:
    """The judgements of known queries and documents; the first of a pair counts."""
    qrels: dict[str, dict[str, int]] = {}
    for query, document, relevance in judged:
        if query not in queries:
            problems.add("unknown_queries", query)
        elif document not in documents:
            problems.add("unknown_documents", document)
        elif qrels.setdefault(query, {}).setdefault(document, relevance) != relevance:
            problems.add("repeated_judgements", f"{query} and {document}")
    return qrels
