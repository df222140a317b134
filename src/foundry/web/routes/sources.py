"""Sources as they were read."""

from __future__ import annotations

from fastapi import APIRouter

from foundry.journeys.sources import find_parent, get_source, list_attached, list_tables
from foundry.web.security.callers import Bound
from foundry.wire.projects import SourceDetailsJson, SourceListJson, SourceTablesJson

router = APIRouter(prefix="/sources", tags=["sources"])


@router.get("")
def list_sources(workspace: Bound) -> SourceListJson:
    """The sources by path, and the files that could not be read."""
    store = workspace.store
    return SourceListJson(sources=store.list_sources(), unread=store.list_unread())


@router.get("/{source_id}")
def show_source(source_id: str, workspace: Bound) -> SourceDetailsJson:
    """A source with its summary, headings, names and attachments."""
    source = get_source(workspace, source_id)
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
