"""The review of a draft: its sentences with citations, verdicts and remarks; editing and accepting it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field, ValidationError

from foundry.errors import ChangedMeanwhile, FoundryError, UsageError
from foundry.journeys.delivery import render_draft
from foundry.journeys.drafts.content import DraftSentence
from foundry.journeys.drafts.edits import DraftContent, PlacedNote
from foundry.journeys.drafts.verification import unescape
from foundry.operations import documents
from foundry.operations.table import Text
from foundry.render.files import make_file_name
from foundry.render.verification import PASSED
from foundry.web.pages.acts import act, describe, get_status, refuse
from foundry.web.pages.citations import CitedText, group_conflicts, list_sources, view_sentences
from foundry.web.pages.templates import render_page
from foundry.web.pages.verify import StatementView, view_statement
from foundry.web.routes.files import TYPES
from foundry.web.security.callers import Bound, Owned, make_scope
from foundry.wire.requests import (
    AcceptRequest,
    DraftTextRequest,
    NoteRequest,
    NoteStateRequest,
    RequestModel,
)
from foundry.workspace import Workspace

router = APIRouter(prefix="/documents/drafts")


class EditForm(RequestModel):
    """The text of a draft, or of a section with the text around it, and the hash that the page showed."""

    seen: str = Field(default="", max_length=200)
    before: str = Field(default="", max_length=1_000_000)
    markdown: str = Field(default="", max_length=1_000_000)
    after: str = Field(default="", max_length=1_000_000)

    def join(self) -> str:
        """The whole text, with LF line endings."""
        return f"{self.before}{self.markdown}{self.after}".replace("\r\n", "\n")


class RemarkForm(NoteRequest):
    """A remark, and the number of its sentence on the page."""

    at: int = Field(default=0, ge=0)


class RemarkStateForm(RequestModel):
    """What is done with a remark."""

    act: Literal["resolve", "reopen", "remove"]
    at: int | None = None
    by: str = Field(default="", max_length=200)


class AcceptForm(AcceptRequest):
    """Who accepts what the page showed."""

    seen: str = Field(default="", max_length=200)


@dataclass(frozen=True, slots=True)
class ReviewedSentence:
    """A sentence with its citations as in an answer, what its last check found, and its remarks."""

    index: int
    said: CitedText
    sentence: DraftSentence
    check: StatementView | None
    notes: tuple[PlacedNote, ...]

    @property
    def sign(self) -> str:
        """The CSS class of its sign, as in a verified text."""
        if self.check:
            return self.check.verdict
        verified = self.sentence.verified
        return "unclear" if verified is None else "supported" if verified else "unverified"


@dataclass(frozen=True, slots=True)
class ReviewedSection:
    """The sentences of a section, grouped by subheading; its first ``line`` counts from 0."""

    title: str
    groups: tuple[tuple[str, tuple[ReviewedSentence, ...]], ...]
    line: int


def split_parts(markdown: str) -> list[tuple[int, int]]:
    """The lines of each section of a draft, from 0; those before the first section come first."""
    lines = markdown.split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith(("# ", "## ")) and at]
    return list(zip([0, *starts], [*starts, len(lines)], strict=True))


@router.get("/{path:path}/edit")
def show_editor(
    request: Request,
    workspace: Owned,
    path: str,
    line: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> HTMLResponse:
    """The Markdown of a draft, or of the section that begins at a line."""
    content = documents.show_content.perform(make_scope(request, workspace), path=path)
    return _render_editor(workspace, content, _fill_editor(content, line))


def _fill_editor(content: DraftContent, line: int) -> EditForm:
    """The section that begins at a line, else all below the front matter, which nobody edits."""
    lines, parts = content.text.markdown.split("\n"), split_parts(content.text.markdown)
    first, last = parts[1][0] if lines[0] == "---" and len(parts) > 1 else 0, len(lines)
    if line:
        first, last = next((part for part in parts if part[0] == line), (first, last))
    return EditForm(
        seen=content.content_hash,
        before="".join(f"{one}\n" for one in lines[:first]),
        markdown="\n".join(lines[first:last]),
        after="".join(f"\n{one}" for one in lines[last:]),
    )


@router.post("/{path:path}/edit")
def edit(
    request: Request, workspace: Owned, path: str, form: Annotated[EditForm, Form()]
) -> Response:
    """Save a text, check what is new in it, and go back to the review."""
    try:
        whole = DraftTextRequest(markdown=form.join())
        act(
            request,
            workspace,
            documents.change_content,
            seen=form.seen,
            path=path,
            asked=whole,
        )
    except (FoundryError, ValidationError) as error:
        refused = refuse(error) if isinstance(error, ValidationError) else error
        content = documents.show_content.perform(make_scope(request, workspace), path=path)
        if isinstance(refused, ChangedMeanwhile):
            # The newer text is shown beside it, so saving again may replace it.
            form = EditForm(seen=content.content_hash, markdown=form.join())
        return _render_editor(workspace, content, form, refused)
    return _go_back(path)


def _render_editor(
    workspace: Workspace, content: DraftContent, form: EditForm, error: FoundryError | None = None
) -> HTMLResponse:
    return render_page(
        "draft_edit",
        workspace=workspace,
        current="/documents",
        status=get_status(error),
        record=content.status.record,
        form=form,
        newer=content.text.markdown if isinstance(error, ChangedMeanwhile) else None,
        problem=error and describe(error, workspace),
    )


@router.get("/{path:path}/diff")
def compare(
    request: Request, workspace: Bound, path: str, other: Annotated[Text, Query()] = ""
) -> HTMLResponse:
    """How a draft differs from an earlier text, by default what the run before wrote."""
    scope, compared, error = make_scope(request, workspace), None, None
    content = documents.show_content.perform(scope, path=path)
    record = content.status.record
    edited = record.content_hash != content.content_hash
    try:
        compared = documents.compare.perform(scope, path=path, other=other)
    except UsageError as refused:
        error = refused
        # Without a run before, what was edited since this one.
        if edited and not other:
            compared = documents.compare.perform(scope, path=path, other=record.content_hash)
    return render_page(
        "draft_diff",
        workspace=workspace,
        current="/documents",
        content=content,
        record=record,
        compared=compared,
        other=compared.old.content_hash if compared else other,
        missing=None if compared else error,
    )


@router.get("/{path:path}/markdown")
def download_markdown(request: Request, workspace: Bound, path: str) -> Response:
    """The file of a draft, as a download."""
    content = documents.show_content.perform(make_scope(request, workspace), path=path)
    return _download(path, "md", content.text.markdown.encode())


@router.get("/{path:path}/docx")
def download_docx(workspace: Bound, path: str) -> Response:
    """A draft as a Word file, which says so if nobody accepted it."""
    return _download(path, "docx", render_draft(workspace, path))


def _download(path: str, form: str, data: bytes) -> Response:
    name = quote(make_file_name(path.rpartition("/")[2].removesuffix(".md")))
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}.{form}"}
    return Response(data, headers=headers, media_type=TYPES[form])


@router.post("/{path:path}/check")
def check(request: Request, workspace: Bound, path: str) -> Response:
    """Check every sentence, and show the verdicts."""
    try:
        documents.verify.perform(make_scope(request, workspace), path=path)
    except FoundryError as error:
        return _render(request, workspace, path, error)
    return _go_back(path)


@router.post("/{path:path}/notes")
def remark(
    request: Request, workspace: Bound, path: str, form: Annotated[RemarkForm, Form()]
) -> Response:
    """Remark on a sentence, and go back to it."""
    try:
        act(request, workspace, documents.add_note_, path=path, asked=form)
    except FoundryError as error:
        return _render(request, workspace, path, error)
    return _go_back(path, f"sentence-{form.at}")


@router.post("/{path:path}/notes/{note_id}")
def change_remark(
    request: Request,
    workspace: Bound,
    path: str,
    note_id: str,
    form: Annotated[RemarkStateForm, Form()],
) -> Response:
    """Resolve a remark, open it again, or remove it."""
    named = {"path": path, "note_id": note_id}
    try:
        if form.act == "remove":
            act(request, workspace, documents.remove_note_, **named)
        else:
            asked = NoteStateRequest(resolved=form.act == "resolve", by=form.by)
            act(request, workspace, documents.resolve_note_, **named, asked=asked)
    except FoundryError as error:
        return _render(request, workspace, path, error)
    return _go_back(path, "remarks" if form.at is None else f"sentence-{form.at}")


@router.post("/{path:path}/accept")
def accept(
    request: Request, workspace: Owned, path: str, form: Annotated[AcceptForm, Form()]
) -> Response:
    """Accept what the page showed."""
    try:
        act(request, workspace, documents.accept, seen=form.seen, path=path, asked=form)
    except FoundryError as error:
        return _render(request, workspace, path, error)
    return _go_back(path, "acceptance")


@router.get("/{path:path}")
def show(request: Request, workspace: Bound, path: str) -> HTMLResponse:
    """The text with its citations, verdicts and remarks."""
    return _render(request, workspace, path)


def _go_back(path: str, place: str = "") -> RedirectResponse:
    address = f"/documents/drafts/{quote(path)}{f'#{place}' if place else ''}"
    return RedirectResponse(address, status_code=303)


def _render(
    request: Request, workspace: Workspace, path: str, error: FoundryError | None = None
) -> HTMLResponse:
    scope, project = make_scope(request, workspace), workspace.config.project.id
    content = documents.show_content.perform(scope, path=path)
    sentences = list(_view_sentences(content, project))
    return render_page(
        "draft",
        workspace=workspace,
        current="/documents",
        status=get_status(error),
        content=content,
        record=content.status.record,
        reviewed=list(_group_sections(content, sentences)),
        sources=list_sources(content.text.shown),
        conflicts=list(group_conflicts(content.text.shown.conflicts, workspace)),
        open_notes=[one for one in content.notes if not one.note.resolved],
        unchecked=[one.check.text for one in sentences if one.check and one.sign == "unclear"],
        doubted=sum(one.sign not in PASSED for one in sentences),
        total=len(sentences),
        person=scope.who,
        problem=error and describe(error, workspace),
    )


def _view_sentences(content: DraftContent, project: str) -> Iterator[ReviewedSentence]:
    text = content.text
    views = zip(text.sentences, view_sentences(text.shown, "draft"), strict=True)
    for index, (sentence, said) in enumerate(views):
        check = view_statement(sentence.check, project) if sentence.check else None
        notes = tuple(one for one in content.notes if one.sentence == index)
        yield ReviewedSentence(index, said, sentence, check, notes)


def _group_sections(
    content: DraftContent, sentences: list[ReviewedSentence]
) -> Iterator[ReviewedSection]:
    """The sentences by the part of the file that they are in, and by heading."""
    text = content.text.markdown
    lines, parts = text.split("\n"), split_parts(text)

    def find_first(one: ReviewedSentence) -> int:
        line = (one.sentence.claimed.line or 1) - 1
        return max(first for first, _ in parts if first <= line)

    for first, inside in groupby(sentences, key=find_first):
        title = unescape(lines[first].lstrip("#").strip()) if lines[first].startswith("#") else ""
        groups = groupby(inside, key=lambda one: one.sentence.claimed.section or "")
        named = [(heading, tuple(group)) for heading, group in groups]
        yield ReviewedSection(
            title, tuple(("" if one == title else one, group) for one, group in named), first
        )
