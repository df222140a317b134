"""Sources as they were read, and their labels."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.journeys.sources import (
    SourceChoice,
    find_parent,
    get_source,
    list_attached,
    list_page,
    list_tables,
)
from foundry.journeys.work.uploads import relabel_source, remove_sources
from foundry.operations.endpoints import LIST_SOURCES, SHOW_SOURCE
from foundry.operations.table import Scope, operation
from foundry.wire.projects import RemovedSourcesJson, SourceDetailsJson, SourceTablesJson
from foundry.wire.requests import (
    BlocksQuery,
    LabelsRequest,
    PageQuery,
    RemovalQuery,
    SourceListQuery,
)
from foundry.wire.server import (
    SourceBlockJson,
    SourceBlocksJson,
    SourceChunkJson,
    SourceChunksJson,
    SourcePageJson,
)


@operation(LIST_SOURCES)
def list_sources(on: Scope, asked: SourceListQuery) -> SourcePageJson:
    """The sources, and the files that could not be read; those with the words ``q``, of a type or tag.

    By path, a page may also begin ``after`` a path.
    """
    wanted = SourceChoice(asked.q, asked.type, asked.tag, asked.sort)
    found = list_page(on.workspace, wanted, asked.limit, page=asked.page, after=asked.after)
    unread = [file for file in on.workspace.store.list_unread() if wanted.has(file.path)]
    return SourcePageJson.copy_fields(found, unread=unread)


@operation(SHOW_SOURCE)
def show_source(on: Scope, name: str) -> SourceDetailsJson:
    """A source with its summary, headings, names and attachments."""
    source, store = get_source(on.workspace, name), on.workspace.store
    return SourceDetailsJson.from_source(
        source,
        store.summaries([source.id]).get(source.id),
        store.source_blocks(source.id),
        find_parent(on.workspace, source),
        list_attached(on.workspace, source),
    )


@operation("GET /sources/{source_id}/tables", SourceTablesJson)
def list_source_tables(on: Scope, name: str) -> SourceTablesJson:
    """The tables of a source with their cells."""
    source = get_source(on.workspace, name)
    return SourceTablesJson.from_tables(list_tables(on.workspace.store.source_blocks(source.id)))


@operation("GET /sources/{source_id}/blocks", SourceBlocksJson)
def list_blocks(on: Scope, name: str, asked: BlocksQuery) -> SourceBlocksJson:
    """A source as it was read: its paragraphs, list items, tables … in order."""
    source, store = get_source(on.workspace, name), on.workspace.store
    text = store.source_text(source.id)
    blocks, following = asked.cut(store.source_blocks(source.id))
    shown = [
        SourceBlockJson.copy_fields(
            block, text=text[block.start : block.end], char_start=block.start, char_end=block.end
        )
        for block in blocks
    ]
    return SourceBlocksJson(blocks=shown, next=following)


@operation("GET /sources/{source_id}/chunks", SourceChunksJson)
def list_chunks(on: Scope, name: str, asked: PageQuery) -> SourceChunksJson:
    """The pieces of a source that are searched."""
    source = get_source(on.workspace, name)
    chunks, following = asked.cut(on.workspace.store.source_chunks(source.id))
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


@operation("PATCH /sources/{source_id}", SourceDetailsJson, owner=True, audit="source.label")
def change_labels(on: Scope, name: str, asked: LabelsRequest) -> SourceDetailsJson:
    """Change tags or confidentiality of a source and its attachments; the owner's alone."""
    relabel_source(on.workspace, name, tags=asked.tags, confidentiality=asked.confidentiality)
    return show_source.perform(on, name)


@operation(
    "DELETE /sources/{source_id}",
    RemovedSourcesJson,
    listed="removed",
    owner=True,
    audit="source.remove",
)
def remove(on: Scope, name: str, asked: RemovalQuery) -> Sequence[str]:
    """Remove a source and its attachments from the index, with ``?file=true`` its file too; the owner's alone."""
    if asked.file:
        on.note(f"{name} file")
    return remove_sources(on.workspace, [name], files=asked.file)
