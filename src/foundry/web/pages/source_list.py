"""The table of sources: filtered, sorted and in pages, and what is done with the selected ones.

Everything works as a plain form. What could not be done to a source is shown above the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, File, Form, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from foundry.errors import ChangedMeanwhile, FoundryError, NotFound, UsageError
from foundry.journeys.file_list import STATES, ListedFile, list_files, load_rows
from foundry.journeys.source_files import compare_files, list_new
from foundry.journeys.work import enqueue
from foundry.journeys.work.uploads import Upload, dismiss_unread, receive
from foundry.operations import sources as operations
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Confidentiality,
    DocumentStatus,
    Facets,
    FailedChange,
    FileReport,
    FileState,
    Job,
    SourceOrder,
    SourcesChange,
    is_visible,
    list_containers,
)
from foundry.web.pages.acts import act, describe, get_status, refuse
from foundry.web.pages.sources import STAGES
from foundry.web.pages.templates import render_page, render_part
from foundry.web.security.callers import Bound, Known, Owned, UsedSite, audit_request
from foundry.wire.requests import (
    ChangeSourcesRequest,
    RemoveSourcesRequest,
    SourceWishes,
    require_whole_text,
)
from foundry.workspace import Workspace

router = APIRouter(prefix="/sources")
PAGE = 100
"""Files on a page of the list."""
MOST_FOLDERS = 300
"""Folders that the filter offers, those with most sources; another can be typed."""
MOST_SCOPE = 100
"""Sources that a question can name."""
COMPARED_AT_ONCE = 2000
"""Sources up to which the page compares the folder by itself; above, on request (a guess)."""
MOST_NAMED = 20
"""Sources that a confirmation names."""
ORDERS = ("path", "title", "modified", "ingested")
"""Orders that the form offers; those of the columns are in their heads."""
COLUMNS = ("type", "revision", "date", "status", "confidentiality", "state", "size")


class Shown(SourceWishes):
    """What the address says of the list; ``done`` and ``n`` say what was just done to how many."""

    model_config = ConfigDict(extra="ignore")

    sort: SourceOrder = "path"
    page: int = Field(default=1, ge=1, le=100_000)
    done: Literal["", "changed", "removed", "waiting"] = ""
    n: int = Field(default=0, ge=0)

    def link(self, **other: object) -> str:
        """The address of another page, state or order of the same list."""
        kept = {*Shown.model_fields} - {"page", "done", "n"}
        wishes = self.model_dump(include=kept, exclude_defaults=True) | other
        plain = {("page", 1), *((key, value) for key in wishes for value in ("", False))}
        said = [one for one in wishes.items() if one not in plain]
        return f"/sources?{urlencode(said)}" if said else "/sources"

    def link_order(self, name: str) -> str:
        """The address of the list in an order, reversed if it is in that order already."""
        return self.link(sort=f"-{name}" if self.sort == name else name)

    @property
    def wishes(self) -> SourceWishes:
        """Which files the list has."""
        return SourceWishes(**self.model_dump(include={*SourceWishes.model_fields}))


class Chosen(Shown):
    """The selected rows and what to do with them; ``one`` is the row of the button that was pressed."""

    chosen: list[str] = Field(default=[], max_length=10_000)
    one: str = Field(default="", max_length=4000)
    every: bool = False
    expected: int | None = Field(default=None, ge=0)
    add_tags: str = Field(default="", max_length=2000)
    remove_tags: str = Field(default="", max_length=2000)
    level: Confidentiality | Literal[""] = ""
    said: DocumentStatus | Literal["", "as_read"] = ""
    files: bool = False

    def select(self) -> dict[str, Any]:
        """The selection as an operation takes it. Raises ``UsageError`` without one."""
        if self.every and not self.one:
            return {"matching": self.wishes, "expected": self.expected}
        if names := [self.one] if self.one else self.chosen:
            return {"sources": names}
        raise UsageError("source-none-chosen")


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the list; ``first`` and ``last`` count its rows among all."""

    rows: Sequence[ListedFile]
    total: int
    first: int
    last: int
    earlier: str | None
    later: str | None
    sources: int
    states: Mapping[FileState, int]
    facets: Facets
    known: int


def build_listing(workspace: Workspace, shown: Shown) -> Listing:
    """The page of the files that the address names; the last one if there are fewer."""
    files = list_files(workspace, operations.choose_files(workspace, shown.wishes, shown.sort))
    total = len(files.found)
    page = min(shown.page, max(1, -(-total // PAGE)))
    first = (page - 1) * PAGE
    rows = load_rows(workspace, files, files.found[first : first + PAGE])
    return Listing(
        rows=rows,
        total=total,
        first=first + 1,
        last=first + len(rows),
        earlier=shown.link(page=page - 1) if page > 1 else None,
        later=shown.link(page=page + 1) if page * PAGE < total else None,
        sources=len(files.sources),
        states={state: files.counts[state] for state in STATES if files.counts.get(state)},
        facets=workspace.store.count_facets(),
        known=len(files.known),
    )


@router.get("")
def list_sources(workspace: Bound, shown: Annotated[Shown, Query()]) -> HTMLResponse:
    """A page of the files with the state of each, and a place to add some."""
    try:
        return _render(workspace, shown)
    except UsageError as error:
        return _render(workspace, Shown(), error=error)


def _render(
    workspace: Workspace,
    shown: Shown,
    *,
    error: FoundryError | None = None,
    outcome: SourcesChange | None = None,
) -> HTMLResponse:
    listing = build_listing(workspace, shown)
    levels = [
        level for level in CONFIDENTIALITY_LEVELS if is_visible(level, workspace.principal.role)
    ]
    return render_page(
        "sources",
        workspace=workspace,
        current="/sources",
        status=get_status(error),
        problem=describe(error, workspace) if error else None,
        outcome=outcome,
        listing=listing,
        shown=shown,
        columns=COLUMNS,
        orders=ORDERS,
        narrowed=shown.wishes != SourceWishes(),
        folders=sorted(one.value for one in listing.facets.folder[:MOST_FOLDERS]),
        compares=listing.known <= COMPARED_AT_ONCE,
        stages=STAGES,
        levels=levels,
        statuses=get_args(DocumentStatus),
    )


@router.get("/folder")
def compare_folder(workspace: Owned) -> HTMLResponse:
    """How the folder differs from what was read: a part of the page, because it may take seconds."""
    waiting = {job.path for job in workspace.maintenance().list_open_jobs()}
    found = {"new": len({*list_new(workspace)} - waiting), "changed": 0, "gone": 0}
    for one, state in compare_files(workspace.root, workspace.store.outline_sources()):
        found[state] += one.path not in waiting
    return HTMLResponse(render_part("adding", "folder", found))


@router.post("/read", dependencies=[Depends(audit_request("folder.ingest"))])
def read_folder(workspace: Owned, site: UsedSite) -> RedirectResponse:
    """Read what is new in the folder, for a browser that runs no scripts; the owner's alone."""
    enqueue(workspace)
    site.worker.wake()
    return RedirectResponse("/sources", status_code=303)


@router.post("/upload", dependencies=[Depends(audit_request("source.upload"))])
def upload(
    *,
    request: Request,
    workspace: Owned,
    caller: Known,
    site: UsedSite,
    files: Annotated[list[UploadFile] | None, File()] = None,
    tags: Annotated[str, Form(max_length=2000), AfterValidator(require_whole_text)] = "",
    confidentiality: Annotated[Confidentiality | None, Form()] = None,
    taken: Annotated[Literal["", "replace", "keep_both", "revises"], Form()] = "",
) -> Response:
    """Keep files that a browser without scripts sends, to be read; the owner's alone."""
    sent = [Upload(file.filename, file.file) for file in files or () if file.filename]
    request.state.subject = " ".join(one.name for one in sent)

    def run() -> SourcesChange:
        if not sent:
            raise UsageError("upload-none-chosen")
        jobs, known = receive(
            workspace,
            sent,
            tags=tuple(_split(tags)) or None,
            confidentiality=confidentiality,
            replace=taken == "replace",
            keep_both=taken == "keep_both",
            revises=taken == "revises",
            author=caller.name,
        )
        site.worker.wake()
        return _sum_up(jobs, known)

    return _finish(workspace, Chosen(), run, "waiting")


@router.post("/change")
def change(request: Request, workspace: Owned, form: Annotated[Chosen, Form()]) -> Response:
    """Change the labels of the selected sources; the owner's alone."""

    def run() -> SourcesChange:
        asked = ChangeSourcesRequest(
            **form.select(),
            add_tags=_split(form.add_tags),
            remove_tags=_split(form.remove_tags),
            confidentiality=form.level or None,
            status=form.said or None,
        )
        return act(request, workspace, operations.change_many, asked=asked)

    return _finish(workspace, form, run, "changed")


@router.post("/removal")
def confirm_removal(workspace: Owned, form: Annotated[Chosen, Form()]) -> HTMLResponse:
    """Ask whether the selected sources are to be removed, and their files too; the owner's alone."""
    try:
        paths = _list_paths(workspace, form, sources=True)
    except UsageError as error:
        return _render(workspace, form, error=error)
    return render_page(
        "removal", workspace=workspace, current="/sources", paths=paths, form=form, most=MOST_NAMED
    )


@router.post("/remove")
def remove(request: Request, workspace: Owned, form: Annotated[Chosen, Form()]) -> Response:
    """Remove the selected sources, once that is confirmed; the owner's alone."""

    def run() -> SourcesChange:
        asked = RemoveSourcesRequest(**form.select(), files=form.files)
        return act(request, workspace, operations.remove_many, asked=asked)

    return _finish(workspace, form, run, "removed")


@router.post("/again", dependencies=[Depends(audit_request("source.ingest"))])
def read_again(
    request: Request, workspace: Owned, site: UsedSite, form: Annotated[Chosen, Form()]
) -> Response:
    """Read the files of the selected rows, as far as they changed or were not read; the owner's alone."""

    def run() -> SourcesChange:
        paths = _list_paths(workspace, form, sources=False)
        request.state.subject = " ".join([str(len(paths)), *paths[:10]])
        # An attachment is read with the file that it is in.
        files = {(list_containers(path) or [path])[-1]: None for path in paths}
        jobs, tally = enqueue(workspace, [workspace.root / path for path in files])
        site.worker.wake()
        return _sum_up(jobs, tally.files)

    return _finish(workspace, form, run, "waiting")


@router.post("/cancel", dependencies=[Depends(audit_request("job.cancel"))])
def cancel(request: Request, workspace: Owned, form: Annotated[Chosen, Form()]) -> RedirectResponse:
    """Cancel the reading of a file; the owner's alone."""
    request.state.subject = form.one
    workspace.maintenance().cancel_jobs([form.one])
    return RedirectResponse(form.link(page=form.page), status_code=303)


@router.post("/dismiss", dependencies=[Depends(audit_request("unread.dismiss"))])
def dismiss(
    request: Request, workspace: Owned, form: Annotated[Chosen, Form()]
) -> RedirectResponse:
    """Forget that a file could not be read; the owner's alone."""
    request.state.subject = form.one
    with suppress(NotFound):  # somebody else has
        dismiss_unread(workspace, form.one)
    return RedirectResponse(form.link(page=form.page), status_code=303)


@router.post("/ask")
def ask_about(workspace: Bound, form: Annotated[Chosen, Form()]) -> Response:
    """The page to ask on, limited to the selected sources."""
    try:
        filters = _list_scope(workspace, form)
    except UsageError as error:
        return _render(workspace, form, error=error)
    return RedirectResponse(f"/?{urlencode([('filter', one) for one in filters])}", status_code=303)


def _list_scope(workspace: Workspace, form: Chosen) -> list[str]:
    """The filters of the selected sources: those of the list, or else each source by name."""
    wishes = form.wishes
    if form.every and not (wishes.q or wishes.status or wishes.state or wishes.current):
        return wishes.list_filters()
    paths = _list_paths(workspace, form, sources=True)
    if len(paths) > MOST_SCOPE:
        raise UsageError("source-scope-long", n=len(paths), most=MOST_SCOPE)
    return [f"source={path}" for path in paths]


def _list_paths(workspace: Workspace, form: Chosen, *, sources: bool) -> list[str]:
    """The paths of the selected rows, or of those that are sources. Raises ``UsageError`` for none."""
    chosen = form.select()
    if "sources" in chosen:
        return list(chosen["sources"])
    files = list_files(workspace, operations.choose_files(workspace, form.wishes, form.sort))
    return [one.path for one in (files.sources if sources else files.found)]


def _finish(
    workspace: Workspace, form: Chosen, run: Callable[[], SourcesChange], done: str
) -> Response:
    """Do it, and show the list again: with what went wrong, or at its own address."""
    try:
        outcome = run()
    except (UsageError, ChangedMeanwhile) as error:
        return _render(workspace, form, error=error)
    except ValidationError as error:
        return _render(workspace, form, error=refuse(error))
    if outcome.failed:
        return _render(workspace, form, outcome=outcome)
    address = form.link(page=form.page, done=done, n=len(outcome.changed))
    return RedirectResponse(address, status_code=303)


def _sum_up(jobs: Sequence[Job], files: Sequence[FileReport]) -> SourcesChange:
    """What waits to be read, and what was refused."""
    failed = [
        FailedChange(one.path, one.reason) for one in files if one.status == "failed" and one.reason
    ]
    return SourcesChange(tuple(job.path for job in jobs), (), tuple(failed))


def _split(text: str) -> list[str]:
    return [tag for tag in map(str.strip, text.split(",")) if tag]
