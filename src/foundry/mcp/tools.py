"""The tools that a language model may call: operations, with what a model reads about them and of them.

A result is a short text, with the whole JSON document for a call that asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from foundry.errors import UsageError
from foundry.journeys.delivery import DraftFile, choose_draft_path
from foundry.journeys.generate import DraftPlan
from foundry.journeys.passages.texts import SourceSpan, read_around, read_span
from foundry.journeys.sources import SourceChoice, get_source, list_page
from foundry.mcp.texts import (
    describe_answer,
    describe_draft,
    describe_plan,
    describe_search,
    describe_sources,
    describe_span,
    describe_verification,
)
from foundry.operations import documents, questions, searches, verification
from foundry.operations.table import Operation, Scope, audit, operation
from foundry.wire.server import SourcePageJson
from foundry.wire.tools import (
    GenerateRequest,
    GenerationJson,
    PassageRequest,
    SourcesRequest,
    SourceTextJson,
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
    page = list_page(on.workspace, SourceChoice(), asked.limit, after=asked.after)
    return SourcePageJson.copy_fields(page, unread=on.workspace.store.list_unread())


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
