"""The page to check a text on: each statement with its verdict, and what the sources say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field

from foundry.ids import make_source_id
from foundry.journeys.verify import verify_text
from foundry.ports import Progress
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
from foundry.web.pages.addresses import link_to_source
from foundry.web.pages.templates import render_page, render_part
from foundry.web.security.callers import Bound, get_site
from foundry.web.streams import Emit, stream
from foundry.wire.requests import MOST_VERIFIED, RequestModel, StepJson
from foundry.workspace import Workspace

router = APIRouter()


class VerifyForm(RequestModel):
    """The fields of the page."""

    text: str = Field(max_length=MOST_VERIFIED)
    judge: Literal["configured", "none"] = "configured"


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
    return _render(workspace, VerifyForm(text=""))


@router.post("/verify")
def check_text(
    request: Request, workspace: Bound, form: Annotated[VerifyForm, Form()]
) -> HTMLResponse:
    """The page with its text checked, for a browser that runs no scripts."""
    with get_site(request).slots:
        view = _check(workspace, form, lambda _step: None)
    return _render(workspace, form, view)


@router.post("/verify/stream", response_class=EventSourceResponse)
def stream_check(request: Request, body: VerifyForm, workspace: Bound) -> Iterable[ServerSentEvent]:
    """The steps of the check, then its result as a part of the page."""

    def work(emit: Emit) -> str:
        view = _check(workspace, body, lambda step: emit("step", StepJson.from_record(step)))
        return render_part("verified", "verified", view)

    yield from stream(get_site(request), work)


def _check(workspace: Workspace, form: VerifyForm, progress: Progress) -> VerificationView:
    found = verify_text(workspace, form.text.encode(), judge=form.judge, progress=progress)
    return view_verification(found, workspace.config.project.id)


def view_verification(found: Verification, project: str) -> VerificationView:
    """What the page shows of a verification."""
    order = list(SIGNS)
    ranked = sorted(found.statements, key=lambda item: order.index(item.check.verdict))
    notices = list(map(str, found.notices))
    return VerificationView(list(_view_all(ranked, project)), render_summary(found), notices)


def _view_all(ranked: Iterable[CheckedStatement], project: str) -> Iterator[StatementView]:
    for item in ranked:
        check, passed = item.check, item.check.verdict in PASSED
        yield StatementView(
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
    workspace: Workspace, form: VerifyForm, view: VerificationView | None = None
) -> HTMLResponse:
    verifier = workspace.config.validation.verifier
    return render_page(
        "verify",
        current="/verify",
        project=workspace.config.project.name,
        form=form,
        view=view,
        longest=MOST_VERIFIED,
        judge=verifier if verifier not in ("same", "none") else None,
    )
