"""The tools that a language model may call. Each is a journey with the JSON that it takes and gives.

The docstring of a tool is what a model reads about it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from foundry.errors import FoundryError, UsageError
from foundry.journeys.access import record_event
from foundry.journeys.agents import use_agent
from foundry.journeys.ask import AskRequest, ask
from foundry.journeys.delivery import choose_draft_path, generate_file
from foundry.journeys.generate import plan_draft
from foundry.journeys.passages.texts import read_around, read_span
from foundry.journeys.search import search
from foundry.journeys.sources import get_source, list_page, parse_filters
from foundry.journeys.specifications import choose_specification
from foundry.journeys.verify import verify_text
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
class Tool:
    """``changes`` says whether it can write, ``slow`` whether it waits for a slot."""

    name: str
    takes: type[RequestModel]
    gives: type[WireModel]
    run: Callable[[ToolCaller, Any], WireModel]
    changes: bool = False
    slow: bool = False

    @property
    def description(self) -> str:
        """What a model reads about it."""
        return inspect.getdoc(self.run) or ""


def search_passages(caller: ToolCaller, wanted: SearchRequest) -> SearchJson:
    """Find passages of the project's sources, best first, each with its place and a score.

    gate.decision says whether they could support an answer; no_evidence means that they do not.
    """
    filters = parse_filters(caller.workspace, wanted.filters)
    return SearchJson.from_record(
        search(
            caller.workspace, wanted.query, filters=filters, mode=wanted.mode, top_k=wanted.top_k
        )
    )


def answer_question(caller: ToolCaller, wanted: QuestionRequest) -> AnswerJson:
    """Answer a question from the project's sources alone, every sentence cited.

    Verdict passages: no model wrote an answer; read the passages, best first, as evidence. The line
    marked nearest is the closest match in each. Verdict no_evidence: the sources do not answer the
    question, so do not answer it as if they did. Verdict low_confidence: the answer may be incomplete
    or off the point. If a sentence has verified: false, tell the user that it was not checked.
    Set all for a question after every item of something (how many, which, list all): the reasons then
    say how much was read.
    """
    filters = parse_filters(caller.workspace, wanted.filters)
    workspace = use_agent(caller.workspace, wanted.agent, "answer", wanted.question)
    request = AskRequest(wanted.question, complete=wanted.all)
    return AnswerJson.from_record(ask(workspace, request, filters=filters, mode=wanted.mode))


def read_passage(caller: ToolCaller, wanted: PassageRequest) -> SourceTextJson:
    """Read the exact words of a source, from char_start to char_end, or a chunk with its neighbours.

    Give either source or chunk_id; both come from search, ask and list_sources. At most 20,000
    characters come at once: go on at char_end until it reaches length.
    """
    if (wanted.source is None) == (wanted.chunk_id is None):
        raise UsageError("mcp-one-place", where="source, chunk_id")
    if wanted.chunk_id is not None:
        span = read_around(caller.workspace, wanted.chunk_id, wanted.neighbours)
    else:
        source = get_source(caller.workspace, str(wanted.source))
        span = read_span(caller.workspace, source, wanted.char_start, wanted.char_end)
    return SourceTextJson.from_record(span)


def list_sources(caller: ToolCaller, wanted: SourcesRequest) -> SourcePageJson:
    """List the project's sources by path, and the files that could not be read."""
    sources, following = list_page(caller.workspace, wanted.after, wanted.limit)
    unread = caller.workspace.store.list_unread()
    return SourcePageJson(sources=sources, unread=unread, next=following)


def verify_statements(caller: ToolCaller, wanted: TextRequest) -> VerificationJson:
    """Check a text in Markdown, statement by statement, against the project's sources.

    Rules say exact (one sentence or row says it), contradicted (with what the source says, in
    differs) or unclear: neither, so read the nearest passages; shared and missing are what the
    first has and lacks. A judge, if there is one, says supported, partly or unsupported.
    misattributed means that another source says it than the one cited.
    """
    filters = parse_filters(caller.workspace, wanted.filters)
    return VerificationJson.from_record(
        verify_text(caller.workspace, wanted.text.encode(), filters=filters, mode=wanted.mode)
    )


def generate_draft(caller: ToolCaller, wanted: GenerateRequest) -> GenerationJson:
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
        return GenerationJson(plan=_leave_out_prompts(DraftPlanJson.from_record(plan)), draft=None)
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
    return GenerationJson(plan=None, draft=DraftJson.from_record(written))


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
        Tool("search", SearchRequest, SearchJson, search_passages),
        Tool("ask", QuestionRequest, AnswerJson, answer_question, slow=True),
        Tool("read_passage", PassageRequest, SourceTextJson, read_passage),
        Tool("list_sources", SourcesRequest, SourcePageJson, list_sources),
        Tool("verify_text", TextRequest, VerificationJson, verify_statements, slow=True),
        Tool("generate", GenerateRequest, GenerationJson, generate_draft, changes=True, slow=True),
    )
}
