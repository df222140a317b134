"""The sources of the project as a tree, and what was read of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse, RedirectResponse

from foundry.journeys.source_files import list_new
from foundry.journeys.sources import find_parent, get_source, list_attached, list_tables
from foundry.journeys.work import enqueue
from foundry.records import CONFIDENTIALITY_LEVELS, Source, is_visible, list_containers
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import Bound, Owned, UsedSite, audit

router = APIRouter(prefix="/sources")
STAGES = ("read", "store", "embed", "summaries", "prefixes")
"""Phases of an ingest that the page has a word for; they are those that take time."""
MAX_CHUNKS = 200
"""Chunks shown of a source; the command line lists them all."""


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


@router.get("")
def list_sources(workspace: Bound) -> HTMLResponse:
    """All sources as a tree, files that could not be read with the reason, and a place to add."""
    store, role = workspace.store, workspace.principal.role
    return render_page(
        "sources",
        current="/sources",
        project=workspace.config.project.name,
        tree=build_tree(store.list_sources()),
        unread=store.list_unread(),
        owner=workspace.principal.sees_all,
        new=len(list_new(workspace)) if workspace.principal.sees_all else 0,
        stages=STAGES,
        levels=[level for level in CONFIDENTIALITY_LEVELS if is_visible(level, role)],
    )


@router.post("/read", dependencies=[Depends(audit("folder.ingest"))])
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
    chunks = store.source_chunks(source.id)
    return render_page(
        "source_details",
        current="/sources",
        project=workspace.config.project.name,
        source=source,
        summary=store.summaries([source.id]).get(source.id),
        parent=find_parent(workspace, source),
        attached=list_attached(workspace, source),
        tables=list_tables(store.source_blocks(source.id)),
        chunks=chunks[:MAX_CHUNKS],
        hidden=max(0, len(chunks) - MAX_CHUNKS),
        owner=workspace.principal.sees_all,
        stages=STAGES,
        levels=CONFIDENTIALITY_LEVELS,
    )
