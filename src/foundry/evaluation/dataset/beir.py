"""Data sets in BEIR form: ``corpus.jsonl``, ``queries.jsonl`` and relevance judgements.

Reads ``id`` or ``_id``, and ``qrels.tsv`` or ``qrels/*.tsv`` with or without a header. A folder
``files`` of texts may replace ``corpus.jsonl``, and queries may name the exact ``spans`` of their
``doc`` that answer them. Unusable input (a broken line, a repeated id, a judgement of something
unknown) is left out, counted and named; a set without any usable line is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from foundry.errors import ReadError, UsageError
from foundry.evaluation.lines import (
    RefusedLine,
    Row,
    UnusableLine,
    abbreviate_names,
    list_judgement_files,
    parse_judgements,
    read_file,
    report_skipped,
    require_label,
    require_some,
    require_text,
)
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.records import Document

TEXT_FILES = (".md", ".markdown", ".txt", ".text")
"""Extensions of files that are read as they are, so that spans point into their text."""

UNKNOWN = "und"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_PROBLEMS = (
    *("skipped_files", "duplicate_documents", "duplicate_queries", "unknown_documents"),
    *("unknown_queries", "repeated_judgements", "unknown_languages", "wrong_spans"),
)

Qrels = Mapping[str, Mapping[str, int]]
"""Query id → document id → relevance; above 0 is relevant."""


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
    """A whole set. ``counts`` and ``notices`` cover everything that was left out."""

    name: str
    documents: tuple[CorpusDocument, ...]
    queries: tuple[BeirQuery, ...]
    qrels: Qrels
    skipped: tuple[RefusedLine, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[Message, ...] = ()

    @property
    def has_spans(self) -> bool:
        """Whether queries name the exact places that answer them."""
        return any(query.spans for query in self.queries)

    def is_judged(self, query: BeirQuery) -> bool:
        """Whether the query has a relevant document."""
        return any(relevance > 0 for relevance in self.qrels.get(query.id, {}).values())


def read_dataset(directory: Path) -> Dataset:
    """Read a folder in BEIR form. Raises ``UsageError`` where a file is missing or is of no use."""
    reader = _Reader(directory)
    documents = reader.read_documents()
    queries = reader.read_queries(documents)
    qrels = reader.read_qrels(queries, documents.keys())
    return Dataset(
        name=directory.resolve().name,
        documents=tuple(documents.values()),
        queries=tuple(queries.values()),
        qrels=qrels,
        skipped=tuple(reader.lines),
        counts={
            "skipped_lines": len(reader.lines),
            **{problem: len(reader.names.get(problem, ())) for problem in _PROBLEMS},
        },
        notices=(
            *report_skipped(reader.lines),
            *(
                Message(f"eval-set-{what}", names=abbreviate_names(names))
                for what, names in reader.names.items()
            ),
        ),
    )


@dataclass
class _Reader:
    """Reads one folder; ``lines`` and ``names`` (by problem) are what it left out."""

    directory: Path
    lines: list[RefusedLine] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)

    def leave_out(self, problem: str, name: str) -> None:
        """Note that something of this name was left out."""
        self.names.setdefault(problem, []).append(name)

    def read_documents(self) -> dict[str, CorpusDocument]:
        """The documents by id, from the corpus or else from the files."""
        corpus, folder = self.directory / "corpus.jsonl", self.directory / "files"
        if corpus.is_file() or not folder.is_dir():
            read_rows, skipped = read_file(_require_file(corpus), _parse_document)
            require_some(read_rows, skipped, str(corpus))
            self.lines += skipped
        else:
            read_rows = list(self._read_files(folder))
            if not read_rows:
                raise UsageError("eval-set-no-text", where=str(folder), endings=TEXT_FILES)
        documents: dict[str, CorpusDocument] = {}
        for document in read_rows:
            if document.id in documents:
                self.leave_out("duplicate_documents", document.id)
            else:
                documents[document.id] = document
        return documents

    def _read_files(self, folder: Path) -> Iterator[CorpusDocument]:
        """Read the texts as an ingest does; a document's id is its file name without extension."""
        for path in sorted(path for path in folder.iterdir() if path.is_file()):
            if path.suffix.lower() not in TEXT_FILES:
                self.leave_out("skipped_files", path.name)
                continue
            try:
                parsed = read(path, ReadOptions(path.name))
            except ReadError as error:
                self.leave_out("skipped_files", f"{path.name} ({error.message.rstrip('.')})")
                continue
            yield CorpusDocument(path.stem, parsed.title, parsed.text, parsed)

    def read_queries(self, documents: Mapping[str, CorpusDocument]) -> dict[str, BeirQuery]:
        """The queries by id, with the spans that fit their document."""
        path = _require_file(self.directory / "queries.jsonl")
        rows, skipped = read_file(path, _parse_query)
        require_some(rows, skipped, str(path))
        self.lines += skipped
        queries: dict[str, BeirQuery] = {}
        for query, row in rows:
            if query.id in queries:
                self.leave_out("duplicate_queries", query.id)
                continue
            language = str(row.get("language", row.get("lang")) or UNKNOWN)
            if language != UNKNOWN and not _LANGUAGE.fullmatch(language):
                self.leave_out("unknown_languages", f"{query.id} ({language})")
                language = UNKNOWN
            spans = tuple(_parse_spans(row, documents.get(str(row.get("doc")))))
            if None in spans:
                self.leave_out("wrong_spans", query.id)
            fitting = tuple(span for span in spans if span)
            queries[query.id] = replace(query, language=language, spans=fitting)
        return queries

    def read_qrels(
        self, queries: Mapping[str, BeirQuery], documents: Set[str]
    ) -> dict[str, dict[str, int]]:
        """The judgements of known queries and documents; the first of a pair counts.

        The document of a span is relevant even where no judgement says so.
        """
        spans = {query.id: [span.document for span in query.spans] for query in queries.values()}
        qrels: dict[str, dict[str, int]] = {}
        for query, document, relevance in self._read_judgements(needed=not any(spans.values())):
            if query not in queries:
                self.leave_out("unknown_queries", query)
            elif document not in documents:
                self.leave_out("unknown_documents", document)
            elif qrels.setdefault(query, {}).setdefault(document, relevance) != relevance:
                self.leave_out("repeated_judgements", f"{query} and {document}")
        for query, names in spans.items():
            for document in names:
                qrels.setdefault(query, {}).setdefault(document, 1)
        return qrels

    def _read_judgements(self, *, needed: bool) -> Iterator[tuple[str, str, int]]:
        files = list_judgement_files(self.directory)
        if not files and needed:
            raise UsageError("eval-set-no-qrels", where=str(self.directory))
        for path in files:
            with path.open(encoding="utf-8-sig", errors="replace") as lines:
                for number, judgement in parse_judgements(lines):
                    if judgement is not None:
                        yield judgement
                    else:
                        reason = Message("eval-line-not-judgement")
                        self.lines.append(RefusedLine(path.name, number, reason))


def _require_file(path: Path) -> Path:
    if not path.is_file():
        raise UsageError("eval-set-file-missing", where=str(path.parent), name=path.name)
    return path


def _parse_document(row: Row) -> CorpusDocument:
    if not isinstance(row.get("text"), str):
        raise UnusableLine("eval-line-lacks", key="text")
    return CorpusDocument(_parse_id(row), str(row.get("title") or ""), row["text"])


def _parse_query(row: Row) -> tuple[BeirQuery, Row]:
    answers = row.get("answers") or row.get("answer") or ()
    wordings = [answers] if isinstance(answers, str) else answers
    if not isinstance(wordings, list | tuple):
        raise UnusableLine("eval-line-answers-invalid")
    answerable = None if row.get("answerable") is None else require_label(row, "answerable")
    text, accepted = require_text(row, "text"), tuple(str(wording) for wording in wordings)
    return BeirQuery(_parse_id(row), text, answerable, answers=accepted), row


def _parse_id(row: Row) -> str:
    value = row.get("_id", row.get("id"))
    if not isinstance(value, str | int) or value == "":
        raise UnusableLine("eval-line-no-id")
    return str(value)


def _parse_spans(row: Row, document: CorpusDocument | None) -> Iterator[CharacterSpan | None]:
    """The row's spans in its document; None for one that does not fit.

    Where ``references`` give the text of each span, it must equal the text at that place.
    """
    places, texts = row.get("spans"), row.get("references")
    references = texts if isinstance(texts, list) else []
    for number, place in enumerate(places if isinstance(places, list) else ()):
        match place:
            case [int(start), int(end)] if document and 0 <= start < end <= len(document.text):
                text = document.text[start:end]
                fits = number >= len(references) or references[number] in (None, text)
                yield CharacterSpan(document.id, start, end) if fits else None
            case _:
                yield None
