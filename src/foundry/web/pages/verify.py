"""The page to check a text on: each statement with its verdict, and what the sources say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from foundry.ids import make_source_id
from foundry.operations import verification
from foundry.operations.table import Scope
from foundry.records import CheckedStatement, Quote, Verification
from foundry.render.places import format_location
from foundry.render.verification import (
    PASSED,
    SIGNS,
    explain_verdict,
    list_nearest,
    name_verdict,
    render_summary,
)
from foundry.web.pages.templates import link_to_source, render_page, render_part
from foundry.web.security.callers import Bound, get_site, make_scope
from foundry.web.streams import Emit, stream, watch
from foundry.wire.requests import MOST_VERIFIED, TextRequest
from foundry.workspace import Workspace

router = APIRouter()


@dataclass(frozen=True, slots=True)
class NearestView:
    """The words of a source, where they are, and the address that opens the source at them."""

    place: str
    text: str
    href: str


@dataclass(frozen=True, slots=True)
class StatementView:
    """A statement with its verdict in words, why it has it, and what to compare it with."""

    verdict: str
    name: str
    text: str
    reasons: list[str]
    nearest: list[NearestView]
    passed: bool


@dataclass(frozen=True, slots=True)
class VerificationView:
    """The statements, the worst first, with the summary that a terminal has."""

    statements: list[StatementView]
    summary: list[str]
    notices: list[str]


@router.get("/verify")
def show_form(workspace: Bound) -> HTMLResponse:
    """The empty page."""
    return _render(workspace, TextRequest(text=""))


@router.post("/verify")
def check_text(
    request: Request, workspace: Bound, form: Annotated[TextRequest, Form()]
) -> HTMLResponse:
    """The page with its text checked, for a browser that runs no scripts."""
    return _render(workspace, form, _check(make_scope(request, workspace), form))


@router.post("/verify/stream", response_class=EventSourceResponse)
def stream_check(
    request: Request, body: TextRequest, workspace: Bound
) -> Iterable[ServerSentEvent]:
    """The steps of the check, then its result as a part of the page."""

    def work(emit: Emit) -> str:
        view = _check(watch(make_scope(request, workspace), emit), body)
        return render_part("verified", "verified", view)

    yield from stream(get_site(request), work)


def _check(scope: Scope, asked: TextRequest) -> VerificationView:
    found = verification.verify.perform(scope, asked=asked)
    return view_verification(found, scope.workspace.config.project.id)


def view_verification(found: Verification, project: str) -> VerificationView:
    """What the page shows of a verification."""
    order = list(SIGNS)
    ranked = sorted(found.statements, key=lambda item: order.index(item.check.verdict))
    notices = list(map(str, found.notices))
    statements = [view_statement(item, project) for item in ranked]
    return VerificationView(statements, render_summary(found), notices)


def view_statement(item: CheckedStatement, project: str) -> StatementView:
    """What a page shows of a statement that was checked."""
    check, passed = item.check, item.check.verdict in PASSED
    return StatementView(
        check.verdict,
        name_verdict(check.verdict),
        check.sentence,
        [] if passed else explain_verdict(item),
        [_view_nearest(path, quote, project) for path, quote in list_nearest(item)],
        passed,
    )


def _view_nearest(path: str, quote: Quote, project: str) -> NearestView:
    href = link_to_source(make_source_id(project, path), [quote])
    return NearestView(format_location(path.rpartition("/")[2], quote), quote.text, href)


def _render(
    workspace: Workspace, form: TextRequest, view: VerificationView | None = None
) -> HTMLResponse:
    verifier = workspace.config.validation.verifier
    return render_page(
        "verify",
        current="/verify",
        workspace=workspace,
        form=form,
        view=view,
        longest=MOST_VERIFIED,
        judge=verifier if verifier not in ("same", "none") else None,
    )
