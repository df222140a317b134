"""The tools that a language model may call. Each is a journey with the JSON that it takes and gives.

A result is a short text, with the whole JSON document for a call that asks for it.

The docstring of a tool is what a model reads about it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from foundry.errors import FoundryError, UsageError
from foundry.journeys.access import record_event
from foundry.journeys.agents import use_agent
from foundry.journeys.ask import AskRequest, ask
from foundry.journeys.delivery import choose_draft_path, generate_file, hide_place
from foundry.journeys.generate import DraftPlan, plan_draft
from foundry.journeys.passages.texts import read_around, read_span
from foundry.journeys.search import search
from foundry.journeys.sources import SourceChoice, get_source, list_page, parse_filters
from foundry.journeys.specifications import choose_specification
from foundry.journeys.verify import verify_text
from foundry.mcp.texts import (
    describe_answer,
    describe_draft,
    describe_plan,
    describe_search,
    describe_sources,
    describe_span,
    describe_verification,
)
from foundry.wire.answers import AnswerJson, SearchJson
from foundry.wire.base import WireModel
from foundry.wire.documents import DraftJson, DraftPlanJson
from foundry.wire.requests import QuestionRequest, RequestModel, SearchRequest, TextRequest
from foundry.wire.server import SourcePageJson
from foundry.wire.tools import (
    GenerateRequest,
    GenerationJson,
    PassageRequest,
    SourcesRequest,
    SourceTextJson,
)
from foundry.wire.verification import VerificationJson
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """Who calls a tool: the project as its role sees it, and the name of its token, if it has one.

    ``slots`` are held while an answer is made.
    """

    workspace: Workspace
    name: str = ""
    address: str = ""
    slots: AbstractContextManager[object] = field(default_factory=nullcontext)


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What a call gives: the text that is sent, and ``build`` for the document with every detail."""

    text: str
    build: Callable[[], WireModel]


@dataclass(frozen=True, slots=True)
class Tool:
    """``changes`` says whether it can write, ``slow`` whether it waits for a slot."""

    name: str
    takes: type[RequestModel]
    run: Callable[[ToolCaller, Any], ToolReply]
    changes: bool = False
    slow: bool = False

    @property
    def description(self) -> str:
        """What a model reads about it."""
        return inspect.getdoc(self.run) or ""


def search_passages(caller: ToolCaller, wanted: SearchRequest) -> ToolReply:
    """Find passages of the project's sources, best first, each with its place and chunk id.

    The gate says whether they could support an answer; no_evidence means that they do not.
    """
    workspace, filters = caller.workspace, parse_filters(caller.workspace, wanted.filters)
    found = search(workspace, wanted.query, filters=filters, mode=wanted.mode, top_k=wanted.top_k)
    return ToolReply(describe_search(found), partial(SearchJson.from_record, found))


def answer_question(caller: ToolCaller, wanted: QuestionRequest) -> ToolReply:
    """Answer a question from the project's sources alone, every sentence cited.

    Verdict passages: no model wrote an answer; read the passages, best first, as evidence. The
    line after ▸ is the closest in each. Verdict no_evidence: the sources do not answer the
    question, so do not answer it as if they did. Verdict low_confidence: the answer may be incomplete
    or off the point. Tell the user of each sentence that was not verified. Set all for a question
    after every item of something (how many, which, list all); the reply says how much was read.
    """
    filters = parse_filters(caller.workspace, wanted.filters)
    workspace = use_agent(caller.workspace, wanted.agent, "answer", wanted.question)
    request = AskRequest(wanted.question, complete=wanted.all)
    answer = ask(workspace, request, filters=filters, mode=wanted.mode)
    return ToolReply(describe_answer(answer), partial(AnswerJson.from_record, answer))


def read_passage(caller: ToolCaller, wanted: PassageRequest) -> ToolReply:
    """Read the exact words of a source, from char_start to char_end, or a chunk with its neighbours.

    Give either source or chunk_id; both come from search, ask and list_sources. At most 20,000
    characters come at once: go on at char_end until it reaches the length.
    """
    if (wanted.source is None) == (wanted.chunk_id is None):
        raise UsageError("mcp-one-place", where="source, chunk_id")
    if wanted.chunk_id is not None:
        span = read_around(caller.workspace, wanted.chunk_id, wanted.neighbours)
    else:
        source = get_source(caller.workspace, str(wanted.source))
        span = read_span(caller.workspace, source, wanted.char_start, wanted.char_end)
    return ToolReply(describe_span(span), partial(SourceTextJson.from_record, span))


def list_sources(caller: ToolCaller, wanted: SourcesRequest) -> ToolReply:
    """List the project's sources by path, and the files that could not be read."""
    page = list_page(caller.workspace, SourceChoice(), wanted.limit, after=wanted.after)
    unread = caller.workspace.store.list_unread()
    text = describe_sources(page.sources, unread, page.next)
    return ToolReply(text, partial(SourcePageJson.copy_fields, page, unread=unread))


def verify_statements(caller: ToolCaller, wanted: TextRequest) -> ToolReply:
    """Check a text in Markdown, statement by statement, against the project's sources.

    ✓ exact: one sentence or row says it. ✗ contradicted: with what the source says instead. ≠
    misattributed: another source says it than the one cited. ✗ unsupported: a number of it is in no
    source. ? read these: all else, so read the nearest passages. A judge, if there is one, says
    supported, partly or unsupported.
    """
    filters, text = parse_filters(caller.workspace, wanted.filters), wanted.text.encode()
    checked = verify_text(
        caller.workspace, text, filters=filters, mode=wanted.mode, judge=wanted.judge
    )
    return ToolReply(describe_verification(checked), partial(VerificationJson.from_record, checked))


def generate_draft(caller: ToolCaller, wanted: GenerateRequest) -> ToolReply:
    """Plan a document from an approved specification, or as an agent (such as blueprint) writes it.

    The plan has the evidence and conflicts of each section.

    Nothing is written unless write is true, which the project's owner alone may ask for. It never
    overwrites a file unless overwrite is true.
    """
    workspace = use_agent(caller.workspace, wanted.agent, "document", wanted.topic)
    feature = choose_specification(workspace, wanted.feature)
    filters = parse_filters(workspace, wanted.filters)
    if not wanted.write:
        plan = plan_draft(
            workspace, wanted.topic, feature=feature, filters=filters, mode=wanted.mode, fresh=True
        )
        return ToolReply(describe_plan(plan), partial(_build_plan, plan))
    usual = choose_draft_path(workspace, "", wanted.feature).relative_to(workspace.root)
    with _audit(caller, "draft.write", wanted.output or str(usual)):
        workspace.maintenance()
        path = choose_draft_path(workspace, wanted.output, wanted.feature)
        written = generate_file(
            workspace,
            wanted.topic,
            path,
            feature=wanted.feature,
            filters=filters,
            mode=wanted.mode,
            fresh=wanted.fresh,
            overwrite=wanted.overwrite,
        )
    written = hide_place(workspace, written)
    text = describe_draft(written.draft, str(written.path), written=written.written)
    return ToolReply(text, lambda: GenerationJson(plan=None, draft=DraftJson.from_record(written)))


def _build_plan(plan: DraftPlan) -> GenerationJson:
    document = _leave_out_prompts(DraftPlanJson.from_record(plan))
    return GenerationJson(plan=document, draft=None)


def _leave_out_prompts(plan: DraftPlanJson) -> DraftPlanJson:
    # They repeat the evidence, in the form of instructions to a model.
    sections = [section.model_copy(update={"prompt": []}) for section in plan.sections]
    return plan.model_copy(update={"sections": sections})


@contextmanager
def _audit(caller: ToolCaller, action: str, subject: str) -> Iterator[None]:
    """Write what is done to the audit stream, refusals too."""
    outcome = "unexpected"
    try:
        yield
        outcome = "done"
    except FoundryError as error:
        outcome = error.code
        raise
    finally:
        facts = {"who": caller.name, "address": caller.address, "outcome": outcome}
        record_event(caller.workspace, action, subject, **facts)


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("search", SearchRequest, search_passages),
        Tool("ask", QuestionRequest, answer_question, slow=True),
        Tool("read_passage", PassageRequest, read_passage),
        Tool("list_sources", SourcesRequest, list_sources),
        Tool("verify_text", TextRequest, verify_statements, slow=True),
        Tool("generate", GenerateRequest, generate_draft, changes=True, slow=True),
    )
}
