"""Data sets in BEIR form: ``corpus.jsonl``, and the questions of the same folder.

Reads ``id`` or ``_id`` of a document. A folder ``files`` of texts may replace ``corpus.jsonl``, and
queries may name the exact ``spans`` of their ``doc`` that answer them. Unusable input (a broken line,
a repeated id, a judgement of something unknown) is left out, counted and named; a set without any
usable line is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from foundry.errors import ReadError, UsageError
from foundry.evaluation.questions.files import read_corpus, read_questions
from foundry.evaluation.questions.rows import NAMED, NamedPlace, QuestionRow, RefusedLine, first_few
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.records import Document

TEXT_FILES = (".md", ".markdown", ".txt", ".text")
"""Extensions of files that are read as they are, so that spans point into their text."""

_PROBLEMS = (
    *("skipped_files", "duplicate_documents", "duplicate_queries", "unknown_documents"),
    "wrong_spans",
)


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the set; ``title`` may be empty. ``parsed`` is set for a file in ``files``."""

    id: str
    title: str
    text: str
    parsed: Document | None = None


@dataclass(frozen=True)
class Dataset:
    """A whole set. ``counts`` and ``notices`` cover everything that was left out.

    The places of a query are its relevant documents, with the spans in them where it names some.
    """

    name: str
    documents: tuple[CorpusDocument, ...]
    queries: tuple[QuestionRow, ...]
    skipped: tuple[RefusedLine, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[Message | str, ...] = ()

    @cached_property
    def qrels(self) -> Mapping[str, Mapping[str, int]]:
        """Query id → id of a relevant document → relevance."""
        return {
            query.id or "": {place.source: place.relevance for place in query.places}
            for query in self.queries
        }

    @property
    def has_spans(self) -> bool:
        """Whether queries name the exact places that answer them."""
        return any(place.spans for query in self.queries for place in query.places)

    @property
    def measurable(self) -> list[QuestionRow]:
        """The queries with a relevant document or a label."""
        return [query for query in self.queries if query.places or query.answerable is not None]


def read_dataset(directory: Path) -> Dataset:
    """Read a folder in BEIR form. Raises ``UsageError`` where a file is missing or is of no use."""
    skipped: list[RefusedLine] = []
    problems: dict[str, list[str]] = {}
    documents: dict[str, CorpusDocument] = {}
    for document in _list_documents(directory, skipped, problems):
        if document.id in documents:
            problems.setdefault("duplicate_documents", []).append(document.id)
        else:
            documents[document.id] = document
    file = read_questions(directory, "beir")
    queries: dict[str, QuestionRow] = {}
    for query in file.rows:
        if query.id is None:
            reason = Message("eval-line-no-id")
            skipped.append(RefusedLine(query.file, query.line, reason))
        elif query.id in queries:
            problems.setdefault("duplicate_queries", []).append(query.id)
        else:
            places = _check_places(query, documents, problems)
            queries[query.id] = replace(query, places=tuple(places))
    if not queries:
        raise UsageError("eval-file-no-lines", where=str(directory / "queries.jsonl"))
    skipped += file.refused
    lines = [
        Message("eval-line-left-out", file=one.file, line=str(one.line), reason=one.reason)
        for one in skipped[:NAMED]
    ]
    if len(skipped) > NAMED:
        lines.append(Message("eval-lines-left-out", n=len(skipped) - NAMED))
    named = (
        Message(f"eval-set-{what}", names=first_few(names)) for what, names in problems.items()
    )
    return Dataset(
        name=directory.resolve().name,
        documents=tuple(documents.values()),
        queries=tuple(queries.values()),
        skipped=tuple(skipped),
        counts={
            "skipped_lines": len(skipped),
            "unknown_queries": len(file.unknown),
            **{problem: len(problems.get(problem, ())) for problem in _PROBLEMS},
        },
        notices=(*lines, *file.notices, *named),
    )


def _list_documents(
    directory: Path, skipped: list[RefusedLine], problems: dict[str, list[str]]
) -> Iterator[CorpusDocument]:
    """The documents of the corpus or else of the files, and what could not be read."""
    corpus, folder = directory / "corpus.jsonl", directory / "files"
    if not corpus.is_file() and not folder.is_dir():
        raise UsageError("eval-set-file-missing", where=str(directory), name=corpus.name)
    if not corpus.is_file():
        yield from _read_files(folder, problems)
        return
    some = False
    for number, entry in read_corpus(directory):
        if isinstance(entry, RefusedLine):
            skipped.append(entry)
            continue
        identity, text = entry.get("_id", entry.get("id")), entry.get("text")
        if identity in (None, "") or not isinstance(text, str):
            code = "eval-line-no-id" if isinstance(text, str) else "eval-line-no-text"
            skipped.append(RefusedLine(corpus.name, number, Message(code)))
            continue
        some = True
        # No text can contain half of a surrogate pair.
        title, text = (
            part.encode("utf-8", "replace").decode()
            for part in (str(entry.get("title") or ""), text)
        )
        yield CorpusDocument(str(identity), title, text)
    if not some:
        raise UsageError("eval-file-no-lines", where=str(corpus))


def _read_files(folder: Path, problems: dict[str, list[str]]) -> Iterator[CorpusDocument]:
    """Texts as they are written, so that spans point into them; a document's id is its file name without extension."""
    some = False
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        if path.suffix.lower() not in TEXT_FILES:
            problems.setdefault("skipped_files", []).append(path.name)
            continue
        try:
            parsed = read(path, ReadOptions(path.name, as_written=True))
        except ReadError as error:
            name = f"{path.name} ({error.message.rstrip('.')})"
            problems.setdefault("skipped_files", []).append(name)
            continue
        some = True
        yield CorpusDocument(path.stem, parsed.title, parsed.text, parsed)
    if not some:
        raise UsageError("eval-set-no-text", where=str(folder), endings=TEXT_FILES)


def _check_places(
    query: QuestionRow, documents: Mapping[str, CorpusDocument], problems: dict[str, list[str]]
) -> Iterator[NamedPlace]:
    """The places in documents of the set, with the spans that fit them.

    Where quotes give the text of each span, it must equal the text at that place.
    """
    for place in query.places:
        document = documents.get(place.source)
        if document is None:
            problems.setdefault("unknown_documents", []).append(place.source)
            continue
        quotes = dict(enumerate(place.quotes))
        fitting = tuple(
            (start, end)
            for number, (start, end) in enumerate(place.spans)
            if end <= len(document.text)
            and quotes.get(number, document.text[start:end]) == document.text[start:end]
        )
        if len(fitting) < len(place.spans):
            problems.setdefault("wrong_spans", []).append(query.id or "")
        yield replace(place, spans=fitting, quotes=())
