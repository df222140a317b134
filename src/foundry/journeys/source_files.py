"""From files to saved sources: find what changed, read it, and remember what could not be read.

Text and BM25 of each source are committed as soon as it is read, in one transaction. A file that
cannot be read is a row of the project and of the report, never an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from foundry.errors import FoundryError, ReadError
from foundry.journeys.enrichment.cache import has_recipe
from foundry.journeys.index import (
    IngestedFile,
    IngestOptions,
    compute_ingest_recipe,
    relabel,
    save_document,
)
from foundry.messages import Message
from foundry.ports import Progress, ReadOptions, Step
from foundry.readers.discovery import Discovery, FoundFile, discover
from foundry.readers.worker_process import hash_file
from foundry.readers.workers import ParserPool, ReadJob, ReadOutcome
from foundry.records import FileReport, Source, UnreadFile, UnreadStatus
from foundry.workspace import Workspace

CHECK_SHOWN = 200_000_000
"""Bytes to hash above which the check for changes shows progress: under a second for less."""
FEW_NAMES = 5
"""Left-out files that a notice names; the list of sources names them all."""


@dataclass
class Tally:
    """What a run has done so far: what its report will say, whenever it ends."""

    workspace: Workspace
    options: IngestOptions
    on_file: Callable[[FileReport], None]
    sources: dict[str, Source]
    unread: dict[str, UnreadFile]
    files: list[FileReport] = field(default_factory=list)
    notices: list[Message] = field(default_factory=list)
    waiting: int = 0
    embedded: int = 0

    def add(self, file: FileReport) -> None:
        """Count a file and remember a failure, until a later ingest can read the file."""
        known = self.unread.get(file.path)
        if file.status == "failed":
            row = self.describe_unread(file.path, "failed", file.reason)
            if row != known:
                self.workspace.maintenance().save_unread([row])
            file = replace(file, known=known is not None and known.reason == row.reason)
        elif known:
            self.workspace.maintenance().remove_unread([file.path])
        self.files.append(file)
        self.on_file(file)

    def describe_unread(
        self, path: str, status: UnreadStatus, reason: Message | None
    ) -> UnreadFile:
        """The row of an unread file, as confidential as its source was or would have been."""
        earlier = self.sources.get(path) or self.unread.get(path)
        level = self.options.confidentiality or (earlier.confidentiality if earlier else "public")
        return UnreadFile(path, status, Message.from_dict(reason or ""), level)

    def choose_options(self, path: str) -> IngestOptions:
        """The options for a file: a new source is as confidential as a failed attempt asked for."""
        known = self.unread.get(path)
        if known is None or path in self.sources or self.options.confidentiality:
            return self.options
        return replace(self.options, confidentiality=known.confidentiality)

    def add_embedded(self, number: int) -> None:
        """Count chunks that got their vectors."""
        self.embedded += number


def start_tally(
    workspace: Workspace,
    options: IngestOptions | None = None,
    on_file: Callable[[FileReport], None] = lambda _file: None,
) -> Tally:
    """The tally of a run that has done nothing yet."""
    return Tally(
        workspace,
        options or IngestOptions(),
        on_file,
        {source.path: source for source in workspace.store.list_sources()},
        {file.path: file for file in workspace.store.list_unread()},
    )


def read_sources(
    tally: Tally, paths: Sequence[Path] = (), progress: Progress = lambda _step: None
) -> None:
    """Read, chunk and commit every changed file."""
    discovery = _discover(tally.workspace, paths)
    _note_left_out(tally, discovery, paths)
    for refused in discovery.refused:
        tally.add(FileReport(refused.name, "failed", refused.reason))
    _read_changed(tally, discovery, progress)
    for file in _remove_missing(tally.workspace, discovery, paths, prune=tally.options.prune):
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
    news = [file for file in files if tally.unread.get(file.path) != file]
    if news:
        tally.workspace.maintenance().save_unread(news)
        names = [file.path for file in news if file.path not in tally.unread]
        if names:
            tally.notices.append(_note_left_out_names(names))
    found = {file.path for file in files} | _list_names(discovery)
    roots = _list_roots(tally.workspace, paths)
    gone = [
        path
        for path in tally.unread
        if path not in found and _is_under(tally.workspace, path, roots)
    ]
    if gone:
        tally.workspace.maintenance().remove_unread(gone)


def _note_left_out_names(names: Sequence[str]) -> Message:
    more = max(0, len(names) - FEW_NAMES)
    return Message("ingest-left-out", names=names[:FEW_NAMES], more=more)


def _read_changed(tally: Tally, discovery: Discovery, progress: Progress) -> None:
    files = [file for file in discovery.files if _has_text_name(file)]
    for file in discovery.files:
        if not _has_text_name(file):
            tally.add(_report_bad_name(file))
    jobs = _list_changed_jobs(tally, files, progress)
    sizes = {job.options.name: max(1, _measure_size(job.path)) for job in jobs}
    tally.waiting, done, total = len(jobs), 0, sum(sizes.values())
    reading: dict[str, None] = {}

    def show() -> None:
        # The file that has been read for longest explains a wait best.
        progress(Step("read", done, total, "bytes", next(iter(reading), "")))

    def start_jobs() -> Iterator[ReadJob]:
        for job in jobs:
            reading[job.options.name] = None
            show()
            yield job

    with _open_parser_pool(tally.workspace) as pool:
        for outcome in pool.read_all(start_jobs()):
            tally.add(_save_outcome(tally, outcome))
            tally.waiting -= 1
            done += sizes[outcome.job.options.name]
            del reading[outcome.job.options.name]
            show()


def _list_changed_jobs(
    tally: Tally, files: Sequence[FoundFile], progress: Progress
) -> list[ReadJob]:
    """Jobs for files with other bytes or another recipe than stored; reports the unchanged ones."""
    workspace, jobs = tally.workspace, []
    passwords, recipe = workspace.passwords(), compute_ingest_recipe(workspace)
    done, total = 0, sum(_measure_size(file.path) for file in files if file.name in tally.sources)
    for file in files:
        source = tally.sources.get(file.name)
        if source and total > CHECK_SHOWN:
            progress(Step("check", done, total, "bytes", file.name))
            done += source.size
        if source and has_recipe(source, recipe) and _has_same_bytes(file.path, source):
            workspace.maintenance().update_source(relabel(source, tally.options))
            tally.add(FileReport(file.name, "unchanged", None, source.pages, source.chunks))
            continue
        options = ReadOptions(name=file.name, passwords=passwords, ocr=workspace.config.ingest.ocr)
        jobs.append(ReadJob(file.path, options))
    return jobs


def _measure_size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _has_text_name(file: FoundFile) -> bool:
    """False for a name that is not valid UTF-8: neither the database nor JSON can store it."""
    return file.name == file.name.encode("utf-8", "replace").decode("utf-8")


def _report_bad_name(file: FoundFile) -> FileReport:
    shown = file.name.encode("utf-8", "replace").decode("utf-8")
    return FileReport(shown, "failed", Message("ingest-bad-name"))


def _has_same_bytes(path: Path, source: Source) -> bool:
    try:
        return path.stat().st_size == source.size and hash_file(path) == source.content_hash
    except OSError:
        # The worker runs into the same error and reports its reason.
        return False


def _save_outcome(tally: Tally, outcome: ReadOutcome) -> FileReport:
    """Save what was read or report why not; until then the earlier revision stays."""
    name = outcome.job.options.name
    earlier = tally.sources.get(name)
    if outcome.document is None or not outcome.content_hash:
        reason = _explain(outcome.error)
        if earlier:
            reason = Message("ingest-failed-again", reason=reason)
        return FileReport(name, "failed", reason)
    try:
        file = IngestedFile(
            name, outcome.content_hash, outcome.size or 0, outcome.modified or datetime.now(UTC)
        )
        source = save_document(
            tally.workspace, file, outcome.document, earlier, tally.choose_options(name)
        )
    except ReadError as error:
        return FileReport(name, "failed", _explain(error))
    moved = _remove_moved(tally.workspace, source, tally.sources)
    return FileReport(
        name,
        "updated" if earlier else "added",
        Message("ingest-moved", path=moved) if moved else None,
        source.pages,
        source.chunks,
        source.warnings,
    )


def _remove_moved(workspace: Workspace, source: Source, known: dict[str, Source]) -> str | None:
    """Remove the old entry of a file that was moved here; its vectors were reused."""
    for old in known.values():
        same = old.content_hash == source.content_hash and old.id != source.id
        if same and not (workspace.root / old.path).exists():
            workspace.maintenance().remove_source(old.id)
            return old.path
    return None


def _remove_missing(
    workspace: Workspace, discovery: Discovery, paths: Sequence[Path], *, prune: bool
) -> list[FileReport]:
    """Sources under ``paths`` whose file is missing: removed with ``prune``, else reported."""
    roots, known = _list_roots(workspace, paths), _list_names(discovery)
    missing = [
        source
        for source in workspace.store.list_sources()
        if source.path not in known
        and _is_under(workspace, source.path, roots)
        and not (workspace.root / source.path).exists()
    ]
    if prune:
        for source in missing:
            workspace.maintenance().remove_source(source.id)
        return [FileReport(source.path, "removed", Message("ingest-gone")) for source in missing]
    reason = Message("ingest-gone-kept")
    return [
        FileReport(source.path, "unchanged", reason, source.pages, source.chunks)
        for source in missing
    ]


def list_source_ids(workspace: Workspace, paths: Sequence[Path]) -> list[str]:
    roots = _list_roots(workspace, paths)
    sources = workspace.store.list_sources()
    return [source.id for source in sources if _is_under(workspace, source.path, roots)]


def _list_roots(workspace: Workspace, paths: Sequence[Path]) -> list[Path]:
    return [(workspace.root / path).resolve() for path in paths] or [workspace.root / "sources"]


def _list_names(discovery: Discovery) -> set[str]:
    return {file.name for file in discovery.files} | {file.name for file in discovery.refused}


def _is_under(workspace: Workspace, path: str, roots: Sequence[Path]) -> bool:
    return any((workspace.root / path).is_relative_to(root) for root in roots)


def _open_parser_pool(workspace: Workspace) -> ParserPool:
    settings = workspace.config.ingest
    return ParserPool(
        settings.workers,
        timeout_s=settings.parse_timeout_s,
        memory_mb=settings.parse_memory_mb,
    )


def _explain(error: FoundryError | None) -> Message:
    if error is None:
        return Message("ingest-no-result")
    return Message("ingest-failed", problem=error.problem, advice=error.advice)
