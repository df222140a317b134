"""Sources as they were read, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from annotated_types import Ge, Le

from foundry.journeys.chains import (
    find_chain,
    link_revisions,
    list_chains,
    list_doubles,
    unlink_revisions,
)
from foundry.journeys.revisions import compare_sources, find_impact
from foundry.journeys.sources import (
    Order,
    SourceChoice,
    count_facets,
    find_parent,
    get_source,
    list_attached,
    list_page,
    list_tables,
)
from foundry.journeys.work.uploads import relabel_source, remove_sources
from foundry.operations.source_endpoints import LIST_REVISIONS, LIST_SOURCES, SHOW_SOURCE
from foundry.operations.table import After, Limit, Scope, Text, cut_page, operation
from foundry.records import Facets, Impact, LinkedRevision, RevisionChain, RevisionComparison
from foundry.wire.projects import RemovedSourcesJson, SourceDetailsJson, SourceTablesJson
from foundry.wire.requests import LabelsRequest, OlderRevisionRequest, ScopeRequest
from foundry.wire.server import (
    SourceBlockJson,
    SourceBlocksJson,
    SourceChunkJson,
    SourceChunksJson,
    SourcePageJson,
)


@operation(*LIST_SOURCES)
def list_sources(
    on: Scope,
    *,
    q: Text = "",
    type: Text = "",  # noqa: A002 - the name in the address
    tag: Text = "",
    sort: Order = "path",
    page: Annotated[int, Ge(1), Le(100_000)] = 1,
    limit: Limit = 500,
    after: str = "",
) -> SourcePageJson:
    """The sources, and the files that could not be read; those with the words ``q``, of a type or tag.

    By path, a page may also begin ``after`` a path.
    """
    wanted = SourceChoice(q, type, tag, sort)
    found = list_page(on.workspace, wanted, limit, page=page, after=after)
    unread = [file for file in on.workspace.store.list_unread() if wanted.has(file.path)]
    return SourcePageJson.copy_fields(found, unread=unread)


@operation("POST", "/facets", Facets)
def list_facets(on: Scope, asked: ScopeRequest) -> Facets:  # noqa: ARG001 - its filters are bound
    """How many of the sources that match have each type, tag, folder, confidentiality and year."""
    return count_facets(on.workspace, on.filters)


@operation(*SHOW_SOURCE)
def show_source(on: Scope, source_id: str) -> SourceDetailsJson:
    """A source with its summary, headings, names and attachments."""
    source, store = get_source(on.workspace, source_id), on.workspace.store
    chain = find_chain(on.workspace, source)
    return SourceDetailsJson.from_source(
        source,
        store.summaries([source.id]).get(source.id),
        store.source_blocks(source.id),
        find_parent(on.workspace, source),
        list_attached(on.workspace, source),
        revisions=chain.members if chain else (),
        doubles=list_doubles(on.workspace, source),
    )


@operation(*LIST_REVISIONS, listed="chains")
def list_revisions(on: Scope) -> Sequence[RevisionChain]:
    """The chains of sources that are revisions of one document, the current one first."""
    return list_chains(on.workspace)


@operation("POST", "/sources/{source_id}/older", LinkedRevision, owner=True, audit="revision.link")
def link_revision(on: Scope, source_id: str, asked: OlderRevisionRequest) -> LinkedRevision:
    """Say that a source revises an older one; the owner's alone."""
    who = asked.by or on.who
    return link_revisions(on.workspace, source_id, asked.older, author=who, reason=asked.reason)


@operation(
    "DELETE", "/sources/{source_id}/older", LinkedRevision, owner=True, audit="revision.unlink"
)
def unlink_revision(
    on: Scope, source_id: str, older: Text, reason: Text = "", by: Text = ""
) -> LinkedRevision:
    """Say that a source and an ``older`` one are not revisions of one document; the owner's alone."""
    return unlink_revisions(on.workspace, source_id, older, author=by or on.who, reason=reason)


@operation("GET", "/sources/{source_id}/tables", SourceTablesJson)
def list_source_tables(on: Scope, source_id: str) -> SourceTablesJson:
    """The tables of a source with their cells."""
    source = get_source(on.workspace, source_id)
    return SourceTablesJson.from_tables(list_tables(on.workspace.store.source_blocks(source.id)))


@operation("GET", "/sources/{source_id}/blocks", SourceBlocksJson)
def list_blocks(
    on: Scope, source_id: str, limit: Limit = 200, after: After = 0
) -> SourceBlocksJson:
    """A source as it was read: its paragraphs, list items, tables … in order."""
    source, store = get_source(on.workspace, source_id), on.workspace.store
    text = store.source_text(source.id)
    blocks, following = cut_page(store.source_blocks(source.id), limit, after)
    shown = [
        SourceBlockJson.copy_fields(
            block, text=text[block.start : block.end], char_start=block.start, char_end=block.end
        )
        for block in blocks
    ]
    return SourceBlocksJson(blocks=shown, next=following)


@operation("GET", "/sources/{source_id}/chunks", SourceChunksJson)
def list_chunks(
    on: Scope, source_id: str, limit: Limit = 100, after: After = 0
) -> SourceChunksJson:
    """The pieces of a source that are searched."""
    source = get_source(on.workspace, source_id)
    chunks, following = cut_page(on.workspace.store.source_chunks(source.id), limit, after)
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


@operation("GET", "/sources/{source_id}/changes", RevisionComparison)
def compare_revisions_(on: Scope, source_id: str, since: Text = "") -> RevisionComparison:
    """What a source says otherwise than another: sentences, rows, cells.

    ``since`` is the path or id of the other, by default of the revision before it.
    """
    return compare_sources(on.workspace, since, source_id)


@operation("GET", "/sources/{source_id}/impact", Impact)
def show_impact(on: Scope, source_id: str) -> Impact:
    """Which quotations of it, or of an older revision, in drafts and stored answers it still has."""
    return find_impact(on.workspace, source_id)


@operation("PATCH", "/sources/{source_id}", SourceDetailsJson, owner=True, audit="source.label")
def change_labels(on: Scope, source_id: str, asked: LabelsRequest) -> SourceDetailsJson:
    """Change tags, confidentiality or status of a source and its attachments; the owner's alone."""
    relabel_source(on.workspace, source_id, **dict(asked))
    return show_source.perform(on, source_id=source_id)


@operation(
    "DELETE",
    "/sources/{source_id}",
    RemovedSourcesJson,
    listed="removed",
    owner=True,
    audit="source.remove",
)
def remove(on: Scope, source_id: str, file: bool = False) -> Sequence[str]:
    """Remove a source and its attachments from the index, with ``?file=true`` its file too; the owner's alone."""
    if file:
        on.note(f"{source_id} file")
    return remove_sources(on.workspace, [source_id], files=file)
