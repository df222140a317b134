"""What a job changed in the index, taken back if the job is cancelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from foundry.journeys.source_files.read_queue import find_moved
from foundry.ports import ChunkVectors
from foundry.readers.worker_process import hash_file
from foundry.records import Block, Chunk, Reading, Source, Summary, UnreadFile
from foundry.store import Store
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class WholeSource:
    """All that the index has of a source; ``vectors`` by model and chunk."""

    source: Source
    text: str
    blocks: Sequence[Block]
    chunks: Sequence[Chunk]
    summary: Summary
    reading: Reading | None
    vectors: Mapping[str, Mapping[str, ChunkVectors]]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What the index had of a file and its attachments, and of the file that it was until it moved."""

    paths: Sequence[str]
    sources: Mapping[str, WholeSource]
    unread: Mapping[str, UnreadFile]


def remember(workspace: Workspace, path: str) -> Earlier:
    """What the index has now of all that a job for that file changes."""
    store, paths = workspace.maintenance(), [path]
    with suppress(OSError):  # the job reports it
        same = store.find_content(hash_file(workspace.root / path))
        moved = find_moved(workspace, path, same)
        paths += [moved.path] if moved else []
    sources = _list_sources(store, paths).values()
    whole = {source.id: _read_whole(store, source) for source in sources}
    return Earlier(paths, whole, _list_unread(store, paths))


def _list_sources(store: Store, paths: Sequence[str]) -> dict[str, Source]:
    return {source.id: source for path in paths for source in store.list_sources(path)}


def _list_unread(store: Store, paths: Sequence[str]) -> dict[str, UnreadFile]:
    return {file.path: file for path in paths for file in store.list_unread(path)}


def _read_whole(store: Store, source: Source) -> WholeSource:
    chunks = store.source_chunks(source.id)
    ids = [chunk.id for chunk in chunks]
    return WholeSource(
        source,
        store.source_text(source.id),
        store.source_blocks(source.id),
        chunks,
        store.summaries([source.id])[source.id],
        store.find_reading(source.id),
        {model: store.get_vectors(model, ids) for model, _, _ in store.list_indexes()},
    )


def restore(store: Store, earlier: Earlier) -> None:
    """Make the index what it was."""
    now = _list_sources(store, earlier.paths)
    for source_id in now.keys() - earlier.sources.keys():
        store.remove_source(source_id)
    for source_id, whole in earlier.sources.items():
        if now.get(source_id) != whole.source:
            _save_whole(store, whole)
    unread = _list_unread(store, earlier.paths)
    store.remove_unread([*(unread.keys() - earlier.unread.keys())])
    store.save_unread([file for path, file in earlier.unread.items() if unread.get(path) != file])


def _save_whole(store: Store, whole: WholeSource) -> None:
    store.save_source(
        whole.source, whole.text, whole.blocks, whole.chunks, whole.summary, reading=whole.reading
    )
    for model, vectors in whole.vectors.items():
        rows = [(chunk, vectors[chunk.id]) for chunk in whole.chunks if chunk.id in vectors]
        store.save_vectors(model, rows)
