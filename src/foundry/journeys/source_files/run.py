"""Finds what an ingest has to read, and what is gone or left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from foundry.ids import make_source_id
from foundry.journeys.file_chunks import CutDocument, read_and_cut
from foundry.journeys.source_files.copies import is_on_disk, remove_path, settle_copies
from foundry.journeys.source_files.read_queue import (
    ReadQueue,
    measure_size,
    report_unchanged,
)
from foundry.journeys.source_files.tally import Tally
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.readers.discovery import Discovery, FoundFile, discover
from foundry.readers.workers import FileReaders, ParserPool
from foundry.records import FileReport, Source, list_containers
from foundry.workspace import Workspace

CHECK_SHOWN = 200_000_000
"""Bytes to hash above which the check for changes shows progress: under a second for less."""


def read_sources(
    tally: Tally,
    paths: Sequence[Path] = (),
    progress: Progress = lambda _step: None,
    pool: FileReaders | None = None,
) -> None:
    """Read, chunk and commit every changed file; without a ``pool`` in parser processes of its own."""
    discovery = _discover(tally.workspace, paths)
    changed = _check_files(tally, discovery, paths, progress)
    with (
        TemporaryDirectory(prefix="foundry-", ignore_cleanup_errors=True) as folder,
        nullcontext(pool) if pool else open_parser_pool(tally.workspace) as parsers,
    ):
        ReadQueue(tally, Path(folder), progress).run(parsers, changed)
    _settle_missing(tally, discovery, paths)


def find_changed(
    tally: Tally, paths: Sequence[Path] = (), progress: Progress = lambda _step: None
) -> list[FoundFile]:
    """The files that have to be read; everything else is settled and in the tally."""
    discovery = _discover(tally.workspace, paths)
    changed = _check_files(tally, discovery, paths, progress)
    _settle_missing(tally, discovery, paths)
    return changed


def list_new(workspace: Workspace) -> list[str]:
    """The files in the project's folder that no ingest has come across."""
    store, project = workspace.store, workspace.config.project.id
    sources = store.outline_sources()
    known = {source.id for source in sources}
    known |= {make_source_id(project, path) for one in sources for path in one.copies}
    known |= {make_source_id(project, file.path) for file in store.list_unread()}
    files = filter(_has_text_name, _discover(workspace, ()).files)
    return [file.name for file in files if make_source_id(project, file.name) not in known]


def _check_files(
    tally: Tally, discovery: Discovery, paths: Sequence[Path], progress: Progress
) -> list[FoundFile]:
    """Report every file that need not or cannot be read; returns the others."""
    _note_left_out(tally, discovery, paths)
    for refused in discovery.refused:
        tally.add(FileReport(refused.name, "failed", refused.reason))
    for file in discovery.files:
        if not _has_text_name(file):
            tally.add(_report_bad_name(file))
    files = [file for file in discovery.files if _has_text_name(file)]
    first = _settle_names(tally, files)
    chosen = []
    for file in files:
        if (other := first[_make_id(tally, file.name)]) == file.name:
            chosen.append(file)
        else:
            tally.add(FileReport(file.name, "failed", Message("ingest-same-name", path=other)))
    tally.names = {file.name for file in chosen}
    settle_copies(tally)
    return list(_list_changed(tally, chosen, progress))


def _make_id(tally: Tally, name: str) -> str:
    return make_source_id(tally.workspace.config.project.id, name)


def _settle_names(tally: Tally, files: Sequence[FoundFile]) -> dict[str, str]:
    """Id → the one file that has it, of files whose names differ only in how Unicode writes them.

    It is the one that is a source, while its own file is there; a file that was renamed to another
    form goes on as that source, with its labels.
    """
    known = {source.id: source for source in tally.sources.values()}
    root, first = tally.workspace.root, dict[str, str]()
    for file in files:
        key = _make_id(tally, file.name)
        source = known.get(key)
        if source is None or source.path == file.name:
            first.setdefault(key, file.name)
        elif not is_on_disk(root, source.path) or file.path.samefile(root / source.path):
            first.setdefault(key, file.name)
            tally.rename(source, first[key])
        else:
            first[key] = source.path
    return first


def _settle_missing(tally: Tally, discovery: Discovery, paths: Sequence[Path]) -> None:
    for file in _remove_missing(tally, discovery, paths):
        tally.add(file)


def _discover(workspace: Workspace, paths: Sequence[Path]) -> Discovery:
    settings = workspace.config.ingest
    return discover(
        workspace.root,
        list(paths) or [workspace.root / "sources"],
        include=settings.include,
        exclude=settings.exclude,
        max_bytes=settings.max_file_mb * 1_000_000,
    )


def _note_left_out(tally: Tally, discovery: Discovery, paths: Sequence[Path]) -> None:
    """Remember files of types that no reader knows; forget unread files that are gone."""
    files = [
        tally.describe_unread(file.name, "left_out", file.reason) for file in discovery.left_out
    ]
    names = tally.note_left_out(files)
    tally.note_names("ingest-left-out", names)
    found = {file.path for file in files} | _list_names(discovery)
    roots = _list_roots(tally.workspace, paths)
    gone = [
        path
        for path in tally.unread
        if found.isdisjoint((path, *list_containers(path)))
        and _is_under(tally.workspace, path, roots)
    ]
    if gone:
        tally.workspace.maintenance().remove_unread(gone)


def open_parser_pool(
    workspace: Workspace, function: Callable[..., CutDocument] = read_and_cut
) -> ParserPool:
    """Processes that read and cut files within the configured limits; a context manager."""
    settings = workspace.config.ingest
    return ParserPool(
        settings.workers,
        timeout_s=settings.parse_timeout_s,
        memory_mb=settings.parse_memory_mb,
        reader=f"{function.__module__}:{function.__name__}",
    )


def _list_changed(
    tally: Tally, files: Sequence[FoundFile], progress: Progress
) -> Iterator[FoundFile]:
    """Files with other bytes or another recipe than stored; reports the unchanged ones."""
    done, total = 0, sum(measure_size(file.path) for file in files if file.name in tally.sources)
    for file in files:
        source = tally.sources.get(file.name)
        if source and total > CHECK_SHOWN:
            progress(Step("check", done, total, "bytes", file.name))
            done += source.size
        if not report_unchanged(tally, file):
            yield file


def _has_text_name(file: FoundFile) -> bool:
    """False for a name that is not valid UTF-8: neither the database nor JSON can store it."""
    return file.name == file.name.encode("utf-8", "replace").decode("utf-8")


def _report_bad_name(file: FoundFile) -> FileReport:
    shown = file.name.encode("utf-8", "replace").decode("utf-8")
    return FileReport(shown, "failed", Message("ingest-bad-name"))


def _remove_missing(tally: Tally, discovery: Discovery, paths: Sequence[Path]) -> list[FileReport]:
    """Sources under ``paths`` whose file is missing: removed with ``prune``, else reported."""
    workspace = tally.workspace
    roots, known = _list_roots(workspace, paths), _list_names(discovery)
    missing = [
        source
        for source in tally.sources.values()
        if source.path not in known
        and _is_under(workspace, source.path, roots)
        and not is_on_disk(workspace.root, source.path)
        and _is_stored(workspace, source)
    ]
    if tally.options.prune:
        for source in missing:
            remove_path(workspace, source.path)
        return [FileReport(source.path, "removed", Message("ingest-gone")) for source in missing]
    reason = Message("ingest-gone-kept")
    return [
        FileReport(source.path, "unchanged", reason, source.pages, source.chunks)
        for source in missing
    ]


def _is_stored(workspace: Workspace, source: Source) -> bool:
    """Whether the id is still this path's: a file of another form of the name may have taken it."""
    now = workspace.store.find_source(source.id)
    return now is not None and now.path == source.path


def list_source_ids(workspace: Workspace, paths: Sequence[Path]) -> list[str]:
    """The ids of the sources under the paths."""
    ids: dict[str, None] = {}
    for root in _list_roots(workspace, paths):
        inside = root.is_relative_to(workspace.root) and root != workspace.root
        below = root.relative_to(workspace.root).as_posix() if inside else None
        sources = workspace.store.list_sources(below)
        ids |= {s.id: None for s in sources if _is_under(workspace, s.path, [root])}
    return list(ids)


def _list_roots(workspace: Workspace, paths: Sequence[Path]) -> list[Path]:
    return [(workspace.root / path).resolve() for path in paths] or [workspace.root / "sources"]


def _list_names(discovery: Discovery) -> set[str]:
    return {file.name for file in discovery.files} | {file.name for file in discovery.refused}


def _is_under(workspace: Workspace, path: str, roots: Sequence[Path]) -> bool:
    return any((workspace.root / path).is_relative_to(root) for root in roots)
