"""Sources as they were read, their labels, and their files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import FileResponse

from foundry.errors import ReadError
from foundry.journeys.index import IngestOptions
from foundry.journeys.passages.page_files import open_original
from foundry.journeys.sources import (
    Order,
    SourceChoice,
    find_parent,
    get_source,
    list_attached,
    list_page,
    list_tables,
)
from foundry.journeys.work import enqueue
from foundry.journeys.work.uploads import relabel_source, remove_sources
from foundry.messages import Message
from foundry.records import Source
from foundry.web.routes.page_bounds import After, Limit, cut_page
from foundry.web.security.callers import Bound, Owned, UsedSite, audit
from foundry.wire.projects import (
    RemovedSourcesJson,
    SourceDetailsJson,
    SourceTablesJson,
)
from foundry.wire.requests import LabelsRequest
from foundry.wire.server import (
    SourceBlockJson,
    SourceBlocksJson,
    SourceChunkJson,
    SourceChunksJson,
    SourcePageJson,
    UploadJson,
)
from foundry.workspace import Workspace

router = APIRouter(prefix="/sources", tags=["sources"])


Text = Annotated[str, Query(max_length=200)]


@router.get("")
def list_sources(
    *,
    workspace: Bound,
    q: Text = "",
    type: Text = "",  # noqa: A002 - the name in the address
    tag: Text = "",
    sort: Order = "path",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    limit: Limit = 500,
    after: Annotated[str, Query()] = "",
) -> SourcePageJson:
    """The sources, and the files that could not be read; those with the words ``q``, of a type or tag.

    By path, a page may also begin ``after`` a path.
    """
    wanted = SourceChoice(q, type, tag, sort)
    found = list_page(workspace, wanted, limit, page=page, after=after)
    unread = [file for file in workspace.store.list_unread() if wanted.has(file.path)]
    return SourcePageJson.copy_fields(found, unread=unread)


@router.get("/{source_id}")
def show_source(source_id: str, workspace: Bound) -> SourceDetailsJson:
    """A source with its summary, headings, names and attachments."""
    return _describe(workspace, get_source(workspace, source_id))


def _describe(workspace: Workspace, source: Source) -> SourceDetailsJson:
    return SourceDetailsJson.from_source(
        source,
        workspace.store.summaries([source.id]).get(source.id),
        workspace.store.source_blocks(source.id),
        find_parent(workspace, source),
        list_attached(workspace, source),
    )


@router.get("/{source_id}/tables")
def list_source_tables(source_id: str, workspace: Bound) -> SourceTablesJson:
    """The tables of a source with their cells."""
    source = get_source(workspace, source_id)
    return SourceTablesJson.from_tables(list_tables(workspace.store.source_blocks(source.id)))


@router.get("/{source_id}/blocks")
def list_blocks(
    source_id: str, workspace: Bound, limit: Limit = 200, after: After = 0
) -> SourceBlocksJson:
    """A source as it was read: its paragraphs, list items, tables … in order."""
    source = get_source(workspace, source_id)
    text = workspace.store.source_text(source.id)
    blocks, following = cut_page(workspace.store.source_blocks(source.id), limit, after)
    shown = [
        SourceBlockJson.copy_fields(
            block, text=text[block.start : block.end], char_start=block.start, char_end=block.end
        )
        for block in blocks
    ]
    return SourceBlocksJson(blocks=shown, next=following)


@router.get("/{source_id}/chunks")
def list_chunks(
    source_id: str, workspace: Bound, limit: Limit = 100, after: After = 0
) -> SourceChunksJson:
    """The pieces of a source that are searched."""
    source = get_source(workspace, source_id)
    chunks, following = cut_page(workspace.store.source_chunks(source.id), limit, after)
    shown = [
        SourceChunkJson.copy_fields(
            chunk,
            page=chunk.blocks[0].page if chunk.blocks else None,
            char_start=chunk.start,
            char_end=chunk.end,
        )
        for chunk in chunks
    ]
    return SourceChunksJson(chunks=shown, next=following)


@router.get(
    "/{source_id}/original",
    response_class=FileResponse,
    dependencies=[Depends(audit("source.download"))],
)
def download_original(source_id: str, workspace: Bound) -> FileResponse:
    """The file that a source was read from, as a download."""
    source = get_source(workspace, source_id)
    path = open_original(workspace, source)
    if isinstance(path, Message):
        raise ReadError(path, where=source.path)
    name = source.path.rpartition("/")[2]
    return FileResponse(path, media_type="application/octet-stream", filename=name)


@router.patch("/{source_id}", dependencies=[Depends(audit("source.label"))])
def change_labels(source_id: str, body: LabelsRequest, workspace: Owned) -> SourceDetailsJson:
    """Change tags or confidentiality of a source and its attachments; the owner's alone."""
    relabel_source(workspace, source_id, tags=body.tags, confidentiality=body.confidentiality)
    return _describe(workspace, get_source(workspace, source_id))


@router.post("/{source_id}/ingest", dependencies=[Depends(audit("source.ingest"))])
def read_again(source_id: str, workspace: Owned, site: UsedSite) -> UploadJson:
    """Read a source's file again if it changed; the owner's alone."""
    source = get_source(workspace, source_id)
    jobs, tally = enqueue(workspace, [workspace.root / source.path], IngestOptions())
    site.worker.wake()
    return UploadJson(jobs=jobs, files=tally.files)


@router.delete("/{source_id}", dependencies=[Depends(audit("source.remove"))])
def remove(
    request: Request, source_id: str, workspace: Owned, file: Annotated[bool, Query()] = False
) -> RemovedSourcesJson:
    """Remove a source and its attachments from the index, with ``?file=true`` its file too; the owner's alone."""
    request.state.subject = f"{source_id} file" if file else source_id
    return RemovedSourcesJson(removed=remove_sources(workspace, [source_id], files=file))
