"""The sources of the project as a tree, and what was read of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from foundry.journeys.chains import find_chain, list_doubles
from foundry.journeys.passages.corrections import list_corrections
from foundry.journeys.revisions import find_citing_span
from foundry.journeys.source_files import list_new
from foundry.journeys.sources import (
    ORDERS,
    Order,
    SourceChoice,
    find_parent,
    get_source,
    list_attached,
    select_sources,
)
from foundry.journeys.work import enqueue
from foundry.operations import sources as operations
from foundry.operations.table import LARGEST
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Block,
    DocumentStatus,
    Source,
    is_visible,
    list_containers,
)
from foundry.render.corrections import describe_change
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import Bound, Owned, UsedSite, audit_request, make_scope
from foundry.wire.requests import OlderRevisionRequest
from foundry.workspace import Workspace

router = APIRouter(prefix="/sources")
STAGES = ("read", "store", "embed", "summaries", "prefixes")
"""Phases of an ingest that the page has a word for; they are those that take time."""
MAX_CHUNKS = 50
"""Chunks shown of a source; the command line lists them all."""
MAX_TABLES = 100
"""Tables listed of a source; those beyond are found under "As read"."""
PAGE = 100
"""Files on a page of the list, each with what is attached to it."""


@dataclass(slots=True)
class Entry:
    """A source of the tree with what is attached to it."""

    source: Source
    attached: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Folder:
    """A folder of the tree with its files, and how many there are below it."""

    name: str
    folders: dict[str, Folder] = field(default_factory=dict)
    sources: list[Entry] = field(default_factory=list)
    count: int = 0


def build_tree(sources: Iterable[Source]) -> Folder:
    """The folders that the sources are in; one that holds a single folder is joined with it.

    What is attached to a source is below it.
    """
    root = Folder("")
    entries = {source.path: Entry(source) for source in sources}
    for path, entry in entries.items():
        parent = next((entries[name] for name in list_containers(path) if name in entries), None)
        if parent is not None:
            parent.attached.append(entry)
            continue
        folder = root
        folder.count += 1
        for name in path.split("/")[:-1]:
            folder = folder.folders.setdefault(name, Folder(name))
            folder.count += 1
        folder.sources.append(entry)
    return _join(root)


def _join(folder: Folder) -> Folder:
    while len(folder.folders) == 1 and not folder.sources:
        (inner,) = folder.folders.values()
        inner.name = f"{folder.name}/{inner.name}".lstrip("/")
        folder = inner
    folder.folders = {name: _join(inner) for name, inner in sorted(folder.folders.items())}
    return folder


class Shown(BaseModel):
    """What the address says of the list; an empty field of its form is no wish."""

    model_config = ConfigDict(frozen=True)

    q: str = Field(default="", max_length=200)
    type: str = Field(default="", max_length=200)
    tag: str = Field(default="", max_length=200)
    sort: Order = "path"
    page: int = Field(default=1, ge=1, le=100_000)

    @property
    def choice(self) -> SourceChoice:
        """The sources that are meant."""
        return SourceChoice(self.q, self.type, self.tag, self.sort)

    def link(self, page: int) -> str:
        """The address of another page of the same list."""
        wishes = self.model_dump(exclude={"page"}, exclude_defaults=True)
        return f"/sources?{urlencode({**wishes, 'page': page})}"


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the list: a tree by path, else rows; ``first`` and ``last`` count what is not attached."""

    tree: Folder | None
    rows: list[Source]
    total: int
    first: int
    last: int
    earlier: str | None
    later: str | None


def build_listing(found: list[Source], shown: Shown) -> Listing:
    """The page of the sources that the address names; the last one if there are fewer."""
    attached, roots = _part(found) if shown.sort == "path" else ({}, found)
    page = min(shown.page, max(1, -(-len(roots) // PAGE)))
    part = roots[(page - 1) * PAGE : page * PAGE]
    family = [one for root in part for one in (root, *attached.get(root.path, ()))]
    return Listing(
        tree=build_tree(family) if shown.sort == "path" else None,
        rows=part,
        total=len(roots),
        first=(page - 1) * PAGE + 1,
        last=(page - 1) * PAGE + len(part),
        earlier=shown.link(page - 1) if page > 1 else None,
        later=shown.link(page + 1) if page * PAGE < len(roots) else None,
    )


def _part(found: list[Source]) -> tuple[dict[str, list[Source]], list[Source]]:
    """What is attached to each of the sources, and those that are attached to none of them."""
    attached: dict[str, list[Source]] = {source.path: [] for source in found}
    roots = []
    for source in found:
        outer = [path for path in list_containers(source.path) if path in attached]
        if outer:
            attached[outer[-1]].append(source)
        else:
            roots.append(source)
    return attached, roots


@router.get("")
def list_sources(workspace: Bound, shown: Annotated[Shown, Query()]) -> HTMLResponse:
    """A page of the sources, files that could not be read with the reason, and a place to add."""
    store, role = workspace.store, workspace.principal.role
    known, owner = store.list_sources(), workspace.principal.sees_all
    read = _list_open(workspace) if owner else set()
    wanted = shown.choice
    return render_page(
        "sources",
        current="/sources",
        workspace=workspace,
        listing=build_listing(select_sources(workspace, wanted), shown),
        shown=shown,
        known=len(known),
        orders=ORDERS,
        types=sorted({source.type for source in known}),
        tags=sorted({tag for source in known for tag in source.tags}),
        unread=[
            file for file in store.list_unread() if wanted.has(file.path) and file.path not in read
        ],
        new=len({*list_new(workspace)} - read) if owner else 0,
        stages=STAGES,
        levels=[level for level in CONFIDENTIALITY_LEVELS if is_visible(level, role)],
    )


def _list_open(workspace: Workspace) -> set[str]:
    """The files for which a job waits or runs."""
    jobs = workspace.maintenance().list_jobs()
    return {job.path for job in jobs if job.status in {"waiting", "running"}}


@router.post("/read", dependencies=[Depends(audit_request("folder.ingest"))])
def read_folder(workspace: Owned, site: UsedSite) -> RedirectResponse:
    """Read what is new in the folder, for a browser that runs no scripts; the owner's alone."""
    enqueue(workspace)
    site.worker.wake()
    return RedirectResponse("/sources", status_code=303)


@router.get("/{source_id}/details")
def show_details(source_id: str, workspace: Bound) -> HTMLResponse:
    """A source as it was read: its facts, summary, names, tables and chunks."""
    source = get_source(workspace, source_id)
    store = workspace.store
    chunks, chain = store.source_chunks(source.id), find_chain(workspace, source)
    tables = list(_list_tables(store.source_blocks(source.id)))
    return render_page(
        "source_details",
        current="/sources",
        workspace=workspace,
        source=source,
        summary=store.summaries([source.id]).get(source.id),
        parent=find_parent(workspace, source),
        attached=list_attached(workspace, source),
        chain=chain,
        ids={one.path: get_source(workspace, one.path).id for one in chain.members}
        if chain
        else {},
        doubles=list_doubles(workspace, source),
        tables=tables[:MAX_TABLES],
        more_tables=max(0, len(tables) - MAX_TABLES),
        citing=find_citing_span(workspace, source, 0, LARGEST),
        corrections=[
            (one, describe_change(one.correction)) for one in list_corrections(workspace, source)
        ],
        chunks=chunks[:MAX_CHUNKS],
        hidden=max(0, len(chunks) - MAX_CHUNKS),
        stages=STAGES,
        levels=CONFIDENTIALITY_LEVELS,
        statuses=get_args(DocumentStatus),
    )


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A table of a source, and where its text begins; not ``certain`` if labels in it are in doubt."""

    title: str | None
    page: str
    start: int
    certain: bool


def _list_tables(blocks: Iterable[Block]) -> Iterator[TablePlace]:
    """The tables of a source; what continues one is part of it."""
    for block in blocks:
        if block.table and not block.table.continued:
            page = block.page_label or str(block.page or "")
            yield TablePlace(block.table.title, page, block.start, block.table.certain)


@router.post("/{source_id}/link", dependencies=[Depends(audit_request("revision.link"))])
def link(
    request: Request,
    source_id: str,
    workspace: Owned,
    form: Annotated[OlderRevisionRequest, Form()],
) -> RedirectResponse:
    """Say that a source revises an older one; the owner's alone."""
    scope = make_scope(request, workspace)
    operations.link_revision.perform(scope, source_id=source_id, asked=form)
    return RedirectResponse(f"/sources/{source_id}/details", status_code=303)


@router.post("/{source_id}/unlink", dependencies=[Depends(audit_request("revision.unlink"))])
def unlink(
    request: Request,
    source_id: str,
    workspace: Owned,
    form: Annotated[OlderRevisionRequest, Form()],
) -> RedirectResponse:
    """Say that two sources are not revisions of one document; the owner's alone."""
    scope = make_scope(request, workspace)
    operations.unlink_revision.perform(scope, source_id=source_id, older=form.older)
    return RedirectResponse(f"/sources/{source_id}/details", status_code=303)
