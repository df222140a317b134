"""What was read of a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, get_args

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from foundry.journeys.chains import find_chain, list_doubles
from foundry.journeys.passages.corrections import list_corrections
from foundry.journeys.revisions import find_citing_span
from foundry.journeys.sources import (
    find_parent,
    get_source,
    list_attached,
)
from foundry.operations import sources as operations
from foundry.operations.table import LARGEST
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Block,
    DocumentStatus,
)
from foundry.render.corrections import describe_change
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import Bound, Owned, audit_request, make_scope
from foundry.wire.requests import OlderRevisionRequest

router = APIRouter(prefix="/sources")
STAGES = ("read", "store", "embed", "summaries", "prefixes")
"""Phases of an ingest that the page has a word for; they are those that take time."""
MAX_CHUNKS = 50
"""Chunks shown of a source; the command line lists them all."""
MAX_TABLES = 100
"""Tables listed of a source; those beyond are found under "As read"."""


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
