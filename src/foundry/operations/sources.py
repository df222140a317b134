"""Sources as they were read, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from annotated_types import Ge, Le, MaxLen

from foundry.journeys.chains import (
    find_chain,
    link_revisions,
    list_chains,
    list_doubles,
    unlink_revisions,
)
from foundry.journeys.file_list import SourceChoice, list_page
from foundry.journeys.revisions import compare_sources, find_impact
from foundry.journeys.sources import (
    find_parent,
    get_source,
    list_attached,
    list_tables,
    parse_filters,
)
from foundry.journeys.work.changes import (
    ChosenSources,
    Labels,
    change_sources,
    remove_chosen,
    remove_sources,
)
from foundry.operations.source_endpoints import LIST_REVISIONS, LIST_SOURCES, SHOW_SOURCE
from foundry.operations.table import After, Limit, Scope, Text, cut_page, operation
from foundry.records import (
    Confidentiality,
    DocumentStatus,
    Facets,
    FileState,
    Impact,
    LinkedRevision,
    RevisionChain,
    RevisionComparison,
    SourceOrder,
    SourcesChange,
)
from foundry.wire.projects import RemovedSourcesJson, SourceDetailsJson, SourceTablesJson
from foundry.wire.requests import (
    ChangeSourcesRequest,
    LabelsRequest,
    OlderRevisionRequest,
    RemoveSourcesRequest,
    ScopeRequest,
    SelectionRequest,
    SourceWishes,
)
from foundry.wire.server import (
    SourceBlockJson,
    SourceBlocksJson,
    SourceChunkJson,
    SourceChunksJson,
    SourcePageJson,
)
from foundry.workspace import Workspace

Folder = Annotated[str, MaxLen(1000)]


@operation(*LIST_SOURCES)
def list_sources(
    on: Scope,
    *,
    q: Text = "",
    type: Text = "",  # noqa: A002 - the name in the address
    tag: Text = "",
    folder: Folder = "",
    confidentiality: Confidentiality | Literal[""] = "",
    status: DocumentStatus | Literal[""] = "",
    state: FileState | Literal[""] = "",
    current: bool = False,
    sort: SourceOrder = "path",
    page: Annotated[int, Ge(1), Le(100_000)] = 1,
    limit: Limit = 500,
    after: str = "",
) -> SourcePageJson:
    """The sources, and the files that could not be read; those that match all that is asked.

    ``q`` are words in path, title, revision or tags. By path, a page may also begin ``after`` a path.
    """
    wishes = SourceWishes(
        q=q,
        type=type,
        tag=tag,
        folder=folder,
        confidentiality=confidentiality,
        status=status,
        state=state,
        current=current,
    )
    wanted = choose_files(on.workspace, wishes, sort)
    found = list_page(on.workspace, wanted, limit, page=page, after=after)
    unread = [file for file in on.workspace.store.list_unread() if wanted.has_unread(file)]
    return SourcePageJson.copy_fields(found, unread=unread)


def choose_files(
    workspace: Workspace, wishes: SourceWishes, order: SourceOrder = "path"
) -> SourceChoice:
    """The choice that a request means. Raises ``UsageError``."""
    filters = parse_filters(workspace, wishes.list_filters())
    return SourceChoice(
        wishes.q, filters, wishes.status, wishes.state, current=wishes.current, order=order
    )


def _select(workspace: Workspace, asked: SelectionRequest) -> ChosenSources:
    if asked.matching is None:
        return ChosenSources(asked.sources)
    return ChosenSources(choice=choose_files(workspace, asked.matching), expected=asked.expected)


@operation("POST", "/facets", Facets)
def list_facets(on: Scope, asked: ScopeRequest) -> Facets:  # noqa: ARG001 - its filters are bound
    """How many of the sources that match have each type, tag, folder, confidentiality, year and revision."""
    return on.workspace.store.count_facets(on.filters)


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


@operation("PATCH", "/sources", SourcesChange, owner=True, audit="source.label")
def change_many(on: Scope, asked: ChangeSourcesRequest) -> SourcesChange:
    """Change tags, confidentiality or status of many sources and their attachments; the owner's alone.

    The sources are those that are named, or all that match. One that is unknown by now is among the failed.
    """
    on.note(_describe(asked))
    return change_sources(on.workspace, _select(on.workspace, asked), _read_labels(asked))


@operation("POST", "/sources/remove", SourcesChange, owner=True, audit="source.remove")
def remove_many(on: Scope, asked: RemoveSourcesRequest) -> SourcesChange:
    """Remove many sources and their attachments from the index, with ``files`` their files too; the owner's alone."""
    on.note(_describe(asked) + (" file" if asked.files else ""))
    return remove_chosen(on.workspace, _select(on.workspace, asked), files=asked.files)


def _describe(asked: SelectionRequest) -> str:
    """What the audit stream names: the first sources, or what they had to match."""
    if asked.matching is not None:
        return asked.matching.model_dump_json(exclude_defaults=True)
    return " ".join([str(len(asked.sources)), *asked.sources[:10]])


def _read_labels(asked: LabelsRequest) -> Labels:
    return Labels(
        asked.tags, asked.add_tags, asked.remove_tags, asked.confidentiality, asked.status
    )


@operation("PATCH", "/sources/{source_id}", SourceDetailsJson, owner=True, audit="source.label")
def change_labels(on: Scope, source_id: str, asked: LabelsRequest) -> SourceDetailsJson:
    """Change tags, confidentiality or status of a source and its attachments; the owner's alone."""
    source = get_source(on.workspace, source_id)
    change_sources(on.workspace, ChosenSources([source.id]), _read_labels(asked))
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
