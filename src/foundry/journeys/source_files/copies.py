"""Treats files with the same bytes as one source with several paths: read, indexed and cited once.

The path that was read first is the source's own, the others are its copies. If its own file is removed or
changes, the source continues under the path of a copy. All paths share one set of labels: the tags of
all, and the strictest confidentiality, so that no copy reveals what another protects.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from foundry.ids import make_chunk_id, make_source_id
from foundry.journeys.index import IngestOptions, relabel
from foundry.journeys.source_files.tally import Tally
from foundry.messages import Message
from foundry.readers.discovery import FoundFile
from foundry.readers.worker_process import hash_file
from foundry.records import CONFIDENTIALITY_LEVELS, FileReport, Source, list_containers
from foundry.store import Store
from foundry.workspace import Workspace


def is_on_disk(root: Path, path: str) -> bool:
    """Whether a source's file exists, or the one that it is attached to."""
    return (root / path).exists() or any((root / item).is_file() for item in list_containers(path))


def find_original(workspace: Workspace, name: str, content_hash: str) -> Source | None:
    """The source of another file with these bytes that is still there."""
    same = workspace.maintenance().find_content(content_hash)
    others = (one for one in same if one.path != name and is_on_disk(workspace.root, one.path))
    # Sources of an earlier Foundry that are copies of each other: the first by path stays.
    first = next((one.path for one in same if one.path == name), None)
    return next((one for one in others if first is None or one.path < first), None)


def report_copy(tally: Tally, file: FoundFile) -> FileReport | None:
    """Make a file a copy of the source with the same bytes and report that; None if there is none."""
    known, own = tally.copied.get(file.name), tally.sources.get(file.name)
    try:
        alike = tally.sizes[file.path.stat().st_size] - (own is not None)
        content = hash_file(file.path) if known or alike > 0 else ""
    except OSError:
        # The worker runs into the same error and reports its reason.
        return None
    if known and known.content_hash != content:
        remove_path(tally.workspace, file.name)
    if own and own.content_hash == content and tally.contents[content] == 1:
        return None
    original = find_original(tally.workspace, file.name, content) if content else None
    return add_copy(tally, original, file.name) if original else None


def add_copy(tally: Tally, original: Source, name: str) -> FileReport:
    """Add a file to a source as a further path; a source of its own is removed."""
    store, chosen = tally.workspace.maintenance(), tally.choose_options(name)
    own, copies = tally.sources.pop(name, None), {*original.copies, name}
    if own and own.content_hash == original.content_hash:
        copies |= {*own.copies}
        for item in store.list_sources(own.path):
            store.remove_source(item.id)
    elif own:
        remove_path(tally.workspace, name)
    labelled = join_labels(tally, original, chosen, name)
    joined = replace(labelled, copies=tuple(sorted(copies)))
    store.update_source(joined)
    tally.remember(joined)
    if name in original.copies:
        return FileReport(name, "unchanged")
    return FileReport(name, "added", Message("ingest-same-bytes", path=joined.path))


def join_labels(tally: Tally, source: Source, chosen: IngestOptions, name: str) -> Source:
    """Return the source with the labels ``chosen`` for one of its paths.

    Labels given to all its paths in one run replace the old ones. Otherwise tags are added, and the
    strictest confidentiality wins.
    """
    paths = {source.path, *source.copies, name}
    if tally.names.issuperset(paths) or len(paths) == 1:
        source = relabel(source, tally.options if len(paths) > 1 else chosen)
        if tally.options.confidentiality or len(paths) == 1:
            return source
    tags = tuple(dict.fromkeys((*source.tags, *(chosen.tags or ()))))
    asked = chosen.confidentiality or source.confidentiality
    level = max(source.confidentiality, asked, key=CONFIDENTIALITY_LEVELS.index)
    if (source.confidentiality, asked) != (level, level):
        other = next(path for path in sorted(paths) if path != name)
        tally.notices.append(Message("ingest-strictest", path=name, other=other, level=level))
    return replace(source, tags=tags, confidentiality=level)


def settle_copies(tally: Tally) -> None:
    """Remove the paths whose files are gone; the source continues under one that is left."""
    root = tally.workspace.root
    for source in [one for one in tally.sources.values() if one.copies]:
        paths = (source.path, *source.copies)
        gone = [path for path in paths if not is_on_disk(root, path)]
        if not gone or len(gone) == len(paths):
            continue
        stays = next(path for path in paths if path not in gone)
        tally.forget(source)
        for path in (*gone[1:], gone[0]) if gone[0] == source.path else gone:
            remove_path(tally.workspace, path)
            tally.add(FileReport(path, "removed", Message("ingest-copy-stays", path=stays)))
        for now in tally.workspace.maintenance().list_sources(stays):
            tally.remember(now)


def remove_path(workspace: Workspace, path: str) -> bool:
    """Remove a path, and with its last path the source; False if no source has it."""
    store = workspace.maintenance()
    source = store.find_source(path)
    if source is None:
        return False
    if path in source.copies:
        left = tuple(one for one in source.copies if one != path)
        store.update_source(replace(source, copies=left))
    elif source.copies:
        _hand_over(workspace, source)
    else:
        store.remove_source(source.id)
    return True


def _hand_over(workspace: Workspace, source: Source) -> None:
    """Continue a source and its attachments under the path of a copy."""
    store = workspace.maintenance()
    there = (path for path in source.copies if is_on_disk(workspace.root, path))
    new = next(there, source.copies[0])
    left = tuple(one for one in source.copies if one != new)
    for item in store.list_sources(source.path):
        path = f"{new}{item.path.removeprefix(source.path)}"
        copies = left if item.id == source.id else item.copies
        moved = replace(
            item, id=make_source_id(workspace.config.project.id, path), path=path, copies=copies
        )
        _move(store, item, moved)


def _move(store: Store, old: Source, new: Source) -> None:
    """Save a source under another path. Vectors are kept by text, so nothing is embedded again."""
    seen = Counter[str]()
    chunks = []
    for chunk in store.source_chunks(old.id):
        identity = make_chunk_id(new.id, chunk.text, seen[chunk.text])
        chunks.append(replace(chunk, id=identity, source_id=new.id))
        seen[chunk.text] += 1
    summary = replace(store.summaries([old.id])[old.id], source_id=new.id)
    text, blocks = store.source_text(old.id), store.source_blocks(old.id)
    store.save_source(new, text, blocks, chunks, summary, reading=store.find_reading(old.id))
    store.rename_revision_links(old.path, new.path)
    store.remove_source(old.id)
