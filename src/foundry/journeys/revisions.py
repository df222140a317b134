"""Which drafts and answers rest on the words of a source, and what a revision of it changed.

All is as the caller sees the project: visible sources, log rows and drafts of its role and lower ones. No model is asked: words are the same or they are not, and the reader sees both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from itertools import islice

from foundry.craft.conflicts.resolution import is_later, is_revision_of
from foundry.craft.footnotes import split_draft
from foundry.craft.revisions import QuoteTracer, compare_revisions
from foundry.errors import NotFound
from foundry.journeys.drafts.content import list_statements
from foundry.journeys.drafts.state import get_draft_path, read_draft_bytes
from foundry.journeys.drafts.verification import find_noted_source, unescape
from foundry.journeys.passages.texts import TextSelector, find_selector, find_words
from foundry.journeys.sources import get_source
from foundry.messages import Message
from foundry.records import (
    Chunk,
    DraftRecord,
    Impact,
    IngestReport,
    QueryRecord,
    Quote,
    RevisedText,
    RevisionChange,
    RevisionComparison,
    Source,
    TracedQuote,
)
from foundry.text.passages import Passage, find_passages
from foundry.workspace import Workspace

_MOST_ANSWERS = 10_000
"""Rows of the log that are looked through, the latest first."""
_MOST_CITING = 500
"""The same where somebody waits for a page."""
_MOST_SHOWN = 20
"""Answers and drafts listed that cite the same words."""


def compare_sources(workspace: Workspace, old: str, new: str) -> RevisionComparison:
    """What ``new`` says otherwise than ``old``, by default the revision before it; paths or ids.

    Raises ``NotFound``, also if there is no revision before it.
    """
    after = get_source(workspace, new)
    before = get_source(workspace, old) if old else _get_previous(workspace, after)
    changes, same = compare_revisions(
        _list_passages(workspace, before)[1], _list_passages(workspace, after)[1]
    )
    return RevisionComparison(
        before.path,
        after.path,
        same,
        tuple(
            RevisionChange(one.kind, _show(one.old), _show(one.new), one.cells) for one in changes
        ),
    )


def find_impact(workspace: Workspace, name: str) -> Impact:
    """Every quotation of a source, or of an older revision of it, looked up in the source as it is now.

    ``name`` is its path or id. Raises ``NotFound``.
    """
    source = get_source(workspace, name)
    sources = {one.path: one for one in workspace.store.list_sources()}
    drafts = workspace.store.list_drafts()
    unread = (
        one.path for one in drafts if read_draft_bytes(get_draft_path(workspace, one)) is None
    )
    found = [
        *_read_drafts(workspace, drafts, sources),
        *(one for row in workspace.store.list_queries(_MOST_ANSWERS) for one in _read_answer(row)),
    ]
    older = _list_older(source, sources)
    traced = _trace_all(workspace, source, older, found)
    return Impact(source.path, older, traced, tuple(sorted(unread)))


def note_impact(workspace: Workspace, report: IngestReport) -> IngestReport:
    """The report, with a notice for each source that lost words which accepted drafts quote."""
    changed = {file.path for file in report.files if file.status in {"added", "updated"}}
    accepted = [one for one in workspace.store.list_drafts() if one.review] if changed else []
    if not accepted:
        return report
    sources = {one.path: one for one in workspace.store.list_sources()}
    found = list(_read_drafts(workspace, accepted, sources))
    notices = []
    for source in (sources[path] for path in sorted(changed) if path in sources):
        traced = _trace_all(workspace, source, _list_older(source, sources), found)
        if gone := sum(one.kind != "kept" for one in traced):
            notices.append(Message("ingest-impact", path=source.path, n=gone))
    return replace(report, notices=(*report.notices, *notices))


def _get_previous(workspace: Workspace, source: Source) -> Source:
    """The newest of the older revisions of a source."""
    sources = {one.path: one for one in workspace.store.list_sources()}
    older = [sources[path] for path in _list_older(source, sources)]
    if not older:
        raise NotFound("source-no-older-revision", where=source.path)
    # Dates and marks may contradict each other: then none is later than all the others.
    return max(older, key=lambda one: sum(is_later(one, other) is True for other in older))


def _list_older(source: Source, sources: Mapping[str, Source]) -> tuple[str, ...]:
    """The older revisions of a source, by path."""
    return tuple(
        sorted(
            one.path
            for one in sources.values()
            if is_revision_of(one, source) and is_later(source, one)
        )
    )


def _trace_all(
    workspace: Workspace, source: Source, older: Collection[str], found: Iterable[TracedQuote]
) -> tuple[TracedQuote, ...]:
    """The quotations of a source and its older revisions, looked up in it."""
    cited = {source.path, *older}
    concerned = [one for one in found if one.cited in cited]
    if not concerned:
        return ()
    tracer = QuoteTracer(*_list_passages(workspace, source))
    return tuple(_trace(one, tracer) for one in concerned)


def _list_passages(workspace: Workspace, source: Source) -> tuple[str, tuple[Passage, ...]]:
    """The text of a source, and its passages in order."""
    text = workspace.store.source_text(source.id)
    whole = Chunk(
        id="", source_id=source.id, position=0, start=0, end=len(text), text=text, content=text,
        tokens=0, language=source.language, blocks=tuple(workspace.store.source_blocks(source.id)),
    )  # fmt: skip
    return text, find_passages(whole)


def _show(passage: Passage | None) -> RevisedText | None:
    if passage is None:
        return None
    place = passage.place
    section = place.heading_path[-1] if place.heading_path else None
    return RevisedText(passage.text, section, place.page, place.page_label)


def _trace(found: TracedQuote, tracer: QuoteTracer) -> TracedQuote:
    trace = tracer.trace(found.quote)
    return TracedQuote(
        trace.kind, found.where, found.line, found.statement, found.quote, found.cited,
        found.accepted, _show(trace.now),
    )  # fmt: skip


def _read_drafts(
    workspace: Workspace, records: Iterable[DraftRecord], sources: Mapping[str, Source]
) -> Iterator[TracedQuote]:
    for record in records:
        yield from _read_draft(workspace, record, sources)


def _read_draft(
    workspace: Workspace, record: DraftRecord, sources: Mapping[str, Source]
) -> Iterator[TracedQuote]:
    """The quotations in the notes of a draft's file, each with the sentence that it supports."""
    data = read_draft_bytes(get_draft_path(workspace, record))
    text = data.decode("utf-8-sig", "replace") if data else ""
    cited: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in list_statements(record, text) if text else ():
        for reference in one.references:
            cited[reference.mark.casefold()].append((one.line or 1, one.text))
    for note in split_draft(text).definitions:
        path = find_noted_source(note, record, sources)
        if path is None:
            continue
        statements = cited[f"[^{note.label}]".casefold()]
        for quote in map(unescape, note.quotes):
            line, statement = _choose_statement(statements, quote, note.line)
            yield TracedQuote(
                "kept", record.path, line, statement, quote, path, record.review is not None
            )


def _choose_statement(
    statements: Sequence[tuple[int, str]], quote: str, line: int
) -> tuple[int, str]:
    """The sentence that has most words in common with a quotation of its note."""
    return max(
        statements,
        key=lambda one: SequenceMatcher(None, one[1].split(), quote.split()).ratio(),
        default=(line, ""),
    )


def _read_answer(row: QueryRecord) -> Iterator[TracedQuote]:
    """The quotations of a stored answer, each with its sentence or the line that was shown."""
    if row.shown is None:
        return
    paths = {one.id: one.path for one in row.shown.sources}
    said: list[tuple[str, Sequence[Quote]]] = [
        *((sentence.text, sentence.quotes) for sentence in row.shown.sentences),
        *((line.text, line.quotes) for part in row.shown.passages for line in part.lines),
    ]
    for statement, quotes in said:
        for quote in quotes:
            path = paths.get(quote.evidence_id)
            if path is not None:
                yield TracedQuote("kept", row.id, None, statement, quote.text, path)


@dataclass(frozen=True, slots=True)
class CitingStatement:
    """A sentence of an answer or a draft that cites the source's text from ``start`` to ``end``.

    Of shown passages it is the line nearest to the question.

    ``id`` is that of the log row, or the draft's path; ``title`` is the question or the topic.
    """

    id: str
    time: datetime
    title: str
    sentence: str
    start: int
    end: int
    is_draft: bool = False


def find_citing(workspace: Workspace, source: Source) -> tuple[CitingStatement, ...]:
    """What cites a source among the latest answers and all drafts, the latest first.

    A quote whose words are no longer in the source, or there several times, is left out.
    """
    text = workspace.store.source_text(source.id)
    found = [
        *_find_in_answers(workspace.store.list_queries(_MOST_CITING), source, text),
        *_find_in_drafts(workspace, source, text),
    ]
    return tuple(sorted(found, key=lambda item: item.time, reverse=True))


def find_citing_span(
    workspace: Workspace, source: Source, start: int, end: int
) -> tuple[CitingStatement, ...]:
    """The latest sentences that cite words between two offsets, each answer or draft once."""
    found: dict[str, CitingStatement] = {}
    for one in find_citing(workspace, source):
        if one.start < end and start < one.end:
            found.setdefault(one.id, one)
    return tuple(islice(found.values(), _MOST_SHOWN))


def _find_in_answers(
    records: Sequence[QueryRecord], source: Source, text: str
) -> Iterator[CitingStatement]:
    for record in records:
        if record.shown is None or record.kind == "eval":
            continue
        cited = {item.id: item for item in record.shown.sources if item.source_id == source.id}
        shown = [(one.text, one.quotes) for one in record.shown.sentences]
        lines = (line for one in record.shown.passages for line in one.lines if line.nearest)
        shown += [(line.text, line.quotes) for line in lines]
        for words, quotes in shown:
            for quote in quotes:
                if quote.evidence_id in cited:
                    same = cited[quote.evidence_id].content_hash == source.content_hash
                    span = (quote.start, quote.end) if same else _find_quote(text, quote)
                    if span:
                        title = record.rewritten or record.query
                        yield CitingStatement(record.id, record.time, title, words, *span)


def _find_quote(text: str, quote: Quote) -> tuple[int, int] | None:
    span = find_selector(text, TextSelector(quote.text))
    return None if isinstance(span, Message) else span


def _find_in_drafts(workspace: Workspace, source: Source, text: str) -> Iterator[CitingStatement]:
    drafts = workspace.store.list_drafts()
    citing = [one for one in drafts if any(used.path == source.path for used in one.sources)]
    sources = {one.path: one for one in workspace.store.list_sources()} if citing else {}
    for record in citing:
        for one in _read_draft(workspace, record, sources):
            if one.cited != source.path or not one.statement:
                continue
            spans = find_words(text, one.quote, exact=True, limit=2)
            if len(spans) == 1:
                yield CitingStatement(
                    record.path, record.created, record.topic, one.statement, *spans[0], True
                )
