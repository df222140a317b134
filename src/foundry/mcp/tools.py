"""The tools that a language model may call: operations, with what a model reads about them and of them.

A result is a short text, with the whole JSON document for a call that asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from foundry.errors import UsageError
from foundry.journeys.delivery import DraftFile, choose_draft_path
from foundry.journeys.file_list import SourceChoice, list_page
from foundry.journeys.generate import DraftPlan, PlannedSection
from foundry.journeys.passages.texts import SourceSpan, read_around, read_span
from foundry.journeys.sources import get_source
from foundry.messages import Message
from foundry.operations import documents, questions, searches, tables, verification
from foundry.operations.table import Operation, Scope, audit, operation
from foundry.records import (
    Answer,
    Draft,
    Evidence,
    Hit,
    SearchResult,
    Source,
    Verification,
)
from foundry.render.answer import render_answer
from foundry.render.conflicts import render_conflicts
from foundry.render.places import format_location, format_revision
from foundry.render.verification import render_verification
from foundry.wire.extraction import ExtractionPagesJson, ExtractionRowJson
from foundry.wire.server import SourcePageJson
from foundry.wire.tools import (
    GenerateRequest,
    GenerationJson,
    PassageRequest,
    SourcesRequest,
    SourceTextJson,
    TablesRequest,
)


@dataclass(frozen=True, slots=True)
class Tool:
    """An operation as a tool.

    ``description`` is what a model reads about it, ``describe`` the text of a result, ``changes``
    whether it can write.
    """

    name: str
    operation: Operation[Any]
    describe: Callable[[Any], str]
    description: str
    changes: bool = False

    @property
    def takes(self) -> type[BaseModel]:
        """The model of its arguments."""
        return self.operation.takes


@operation("", "", SourceTextJson)
def read_passage(on: Scope, asked: PassageRequest) -> SourceSpan:
    """The exact words of a source."""
    if (asked.source is None) == (asked.chunk_id is None):
        raise UsageError("mcp-one-place", where="source, chunk_id")
    if asked.chunk_id is not None:
        return read_around(on.workspace, asked.chunk_id, asked.neighbours)
    source = get_source(on.workspace, str(asked.source))
    return read_span(on.workspace, source, asked.char_start, asked.char_end)


@operation("", "", SourcePageJson)
def list_sources(on: Scope, asked: SourcesRequest) -> SourcePageJson:
    """The sources by path, and the files that could not be read."""
    wanted = SourceChoice(asked.words)
    page = list_page(on.workspace, wanted, asked.limit, after=asked.after)
    unread = [file for file in on.workspace.store.list_unread() if wanted.has_unread(file)]
    return SourcePageJson.copy_fields(page, unread=unread)


@operation("", "", ExtractionPagesJson)
def read_tables(on: Scope, asked: TablesRequest) -> ExtractionPagesJson:
    """The kept tables, or the cells of one."""
    if not asked.name:
        return ExtractionPagesJson(tables=list(tables.list_tables_.perform(on)), page=None)
    page = tables.show_table.perform(on, table=asked.name, limit=asked.limit, after=asked.after)
    return ExtractionPagesJson(tables=[], page=page)


@operation("", "", GenerationJson, agent=("document", "topic"))
def generate(on: Scope, asked: GenerateRequest) -> DraftPlan | DraftFile:
    """A plan, or with ``write`` the draft."""
    if not asked.write:
        return documents.plan.perform(on, asked=asked)
    workspace = on.workspace
    usual = choose_draft_path(workspace, "", asked.feature).relative_to(workspace.root)
    with audit(on, "draft.write", lambda: asked.output or str(usual)):
        workspace.maintenance()
        return documents.write.perform(on, asked=asked)


def _describe_generated(result: DraftPlan | DraftFile) -> str:
    if isinstance(result, DraftPlan):
        return describe_plan(result)
    return describe_draft(result.draft, str(result.path), written=result.written)


_LONGEST_PASSAGE = 800
"""Characters of a found passage: some 120 words, as much as an answer's passage has."""
_MAX_PLACES = 5
"""Places of evidence of a planned section: what a reader may judge it by (a guess)."""


def describe_search(result: SearchResult) -> str:
    """The hits, best first, each with its place, its id and the words around its best sentence."""
    gate = result.gate
    parts = [_join(Message("mcp-gate", decision=gate.decision), *gate.reasons)]
    parts += [
        _join(
            Message("mcp-hit", number=str(number), place=_locate(hit), id=hit.chunk.id), _cut(hit)
        )
        for number, hit in enumerate(result.hits, 1)
    ]
    if not result.hits:
        parts.append(str(Message("answer-no-hits")))
    return "\n\n".join([*parts, *map(str, result.notices)])


def describe_answer(answer: Answer) -> str:
    """The answer or the passages to read, its verdict first, and the ids of what it rests on."""
    unverified = [one.text for one in answer.sentences if not one.verified]
    evidence = [one.evidence for one in answer.passages] or [one.evidence for one in answer.sources]
    return "\n\n".join(
        [
            str(Message("mcp-verdict", verdict=answer.verdict)),
            render_answer(answer),
            *(str(Message("mcp-unverified", sentence=text)) for text in unverified),
            *_list_ids(evidence),
            *map(str, answer.notices),
        ]
    )


def describe_span(span: SourceSpan) -> str:
    """The words of a source, after the line that says which, and where they go on."""
    place = span.source.path
    if span.block and span.block.heading_path:
        place = f"{place}, {span.block.heading_path[-1]}"
    shown = {"start": str(span.start), "end": str(span.end), "length": str(span.length)}
    code = "mcp-span" if span.end >= span.length else "mcp-span-goes-on"
    return _join(Message(code, place=place, **shown), span.text)


def describe_sources(page: SourcePageJson) -> str:
    """One line for each source, then what could not be read."""
    lines = [_describe_source(source) for source in page.sources]
    lines += [
        str(Message("mcp-unread", path=one.path, reason=str(one.reason))) for one in page.unread
    ]
    if page.next:
        lines.append(str(Message("mcp-next", after=page.next)))
    return "\n".join(lines) or str(Message("mcp-no-sources"))


def describe_tables(found: ExtractionPagesJson) -> str:
    """The tables by name; or a table's questions, then its cells with their quotations, row by row."""
    page = found.page
    if page is None:
        lines = [f"{one.name} · {one.rows} × {len(one.questions)}" for one in found.tables]
        return "\n".join(lines) or str(Message("mcp-no-tables"))
    asked = [f"{number}. {text}" for number, text in enumerate(page.table.questions, 1)]
    rows = [
        "\n".join([" › ".join((row.source, *row.section)), *_describe_cells(row)])
        for row in page.rows
    ]
    more = [str(Message("mcp-next", after=str(page.next)))] if page.next else []
    return "\n\n".join(["\n".join(asked), *rows, *more])


def _describe_cells(row: ExtractionRowJson) -> Iterator[str]:
    for number, cell in enumerate(row.cells, 1):
        if cell is None:
            continue
        quotes = " … ".join(" ".join(quote.text.split()) for quote in cell.answer.quotes)
        state = Message("table-state", state=cell.answer.state)
        if cell.reviews:
            last = cell.reviews[-1]
            state = Message("table-verdict", verdict=last.verdict, by=last.by)
        yield " · ".join(
            filter(None, (f"{number}. {state}", cell.value, f"“{quotes}”" if quotes else ""))
        )


def describe_verification(verification: Verification) -> str:
    """What the sources contradict and what is to be read, each with its nearest words."""
    more = Message("mcp-see-more")
    report = render_verification(verification, see_more=more)
    return "\n\n".join([report, *map(str, verification.notices)])


def describe_plan(plan: DraftPlan) -> str:
    """The sections of a plan, each with the places of its evidence, and the conflicts."""
    parts = [_describe_section(planned) for planned in plan.sections]
    if plan.conflicts:
        parts.append(render_conflicts(plan.conflicts, specified=plan.feature is not None))
    return "\n\n".join(
        [str(Message("mcp-plan", topic=plan.topic)), *parts, *map(str, plan.notices)]
    )


def describe_draft(draft: Draft, path: str, *, written: bool) -> str:
    """Where a draft was written, with what its reviewer has to look at."""
    head = Message("mcp-draft" if written else "mcp-draft-empty", path=path, verdict=draft.verdict)
    empty = [
        str(Message("mcp-section-empty", title=section.title, reason=section.reason))
        for section in draft.sections
        if section.reason
    ]
    cited = Message("mcp-cited", paths=draft.cited_paths)
    conflicts = [render_conflicts(draft.conflicts)] if draft.conflicts else []
    return "\n".join([str(head), str(cited), *empty, *conflicts, *map(str, draft.notices)])


def _describe_source(source: Source) -> str:
    facts = [source.path, source.title, format_revision(source), source.language]
    pages = str(Message("mcp-pages", number=source.pages)) if source.pages else ""
    labels = [*source.tags, source.confidentiality]
    return " · ".join([*filter(None, (*facts, pages)), ", ".join(labels)])


def _describe_section(planned: PlannedSection) -> str:
    gathered = planned.gathered
    lines = [f"## {planned.outline.title}", *map(str, planned.outline.wants)]
    shown = gathered.evidence[:_MAX_PLACES]
    lines += [f"- {item.id} {_locate(item.hit)} ({item.hit.chunk.id})" for item in shown]
    if left := len(gathered.evidence) - len(shown):
        lines.append(str(Message("mcp-more-evidence", number=left)))
    if not gathered.evidence:
        lines += map(str, gathered.reasons or gathered.result.gate.reasons)
    return "\n".join([*lines, *map(str, gathered.notices)])


def _list_ids(evidence: Iterable[Evidence]) -> list[str]:
    ids = dict.fromkeys(f"{item.id} {item.hit.chunk.id}" for item in evidence)
    return [str(Message("mcp-ids", ids=list(ids)))] if ids else []


def _locate(hit: Hit) -> str:
    place = format_location(hit.source.path, hit.focus)
    return ", ".join(filter(None, (place, format_revision(hit.source))))


def _cut(hit: Hit) -> str:
    """A passage, or what of a long one is around its best sentence."""
    chunk = hit.chunk
    if len(chunk.content) <= _LONGEST_PASSAGE:
        return chunk.content
    middle = (hit.focus.start + hit.focus.end) // 2 - chunk.start
    start = max(0, min(middle - _LONGEST_PASSAGE // 2, len(chunk.text) - _LONGEST_PASSAGE))
    part = chunk.text[start : start + _LONGEST_PASSAGE]
    before, after = start > 0, start + _LONGEST_PASSAGE < len(chunk.text)
    # Whole words: what is cut off may change a number.
    part = part.partition(" ")[2] if before else part
    part = part.rpartition(" ")[0] if after else part
    return f"{'… ' if before else ''}{part.strip()}{' …' if after else ''}"


def _join(*lines: Message | str) -> str:
    return "\n".join(map(str, lines))


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "search",
            searches.search_,
            describe_search,
            """Find passages of the project's sources, best first, each with its place and chunk id.

The gate says whether they could support an answer; no_evidence means that they do not.""",
        ),
        Tool(
            "ask",
            questions.ask_,
            describe_answer,
            """Answer a question from the project's sources alone, every sentence cited.

Verdict passages: no model wrote an answer; read the passages, best first, as evidence. The
line after ▸ is the closest in each. Verdict no_evidence: the sources do not answer the
question, so do not answer it as if they did. Verdict low_confidence: the answer may be incomplete
or off the point. Tell the user of each sentence that was not verified. Set all for a question
after every item of something (how many, which, list all); the reply says how much was read.""",
        ),
        Tool(
            "read_passage",
            read_passage,
            describe_span,
            """Read the exact words of a source, from char_start to char_end, or a chunk with its neighbours.

Give either source or chunk_id; both come from search, ask and list_sources. At most 20,000
characters come at once: go on at char_end until it reaches the length.""",
        ),
        Tool(
            "list_sources",
            list_sources,
            describe_sources,
            "List the project's sources by path, and the files that could not be read.",
        ),
        Tool(
            "read_tables",
            read_tables,
            describe_tables,
            """Read the project's extraction tables: what each source says to the same questions.

Without name the tables are listed; with one its cells come row by row. "nothing found" means that
the source does not answer it; "see passage" that its words may, so read them. A decision by a person
counts more than the answer.""",
        ),
        Tool(
            "verify_text",
            verification.verify,
            describe_verification,
            """Check a text in Markdown, statement by statement, against the project's sources.

✓ exact: one sentence or row says it. ✗ contradicted: with what the source says instead. ≠
misattributed: another source says it than the one cited. ? read these: neither, so read the
nearest passages. A judge, if there is one, says supported, partly or unsupported.""",
        ),
        Tool(
            "generate",
            generate,
            _describe_generated,
            """Plan a document from an approved specification, or as an agent (such as blueprint) writes it.

The plan has the evidence and conflicts of each section.

Nothing is written unless write is true, which the project's owner alone may ask for. It never
overwrites a file unless overwrite is true.""",
            changes=True,
        ),
    )
}
