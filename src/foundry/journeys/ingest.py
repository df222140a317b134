"""From files to searchable sources: discover, read, chunk, save; enrich; then embed.

Text and BM25 of each source are committed as soon as it is read, in one transaction. Prefixes
and summaries by language models, if configured, and vectors follow for all sources. A killed
process loses at most the current file, and the next run resumes. A file that cannot be read is a
row in the report, never an exception.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from foundry.errors import FoundryError, ReadError
from foundry.journeys.enrichment import Confirm, enrich, refuse, require_models
from foundry.journeys.enrichment.cache import has_recipe
from foundry.journeys.index import (
    IngestedFile,
    IngestOptions,
    compute_ingest_recipe,
    embed_pending,
    open_index,
    relabel,
    save_document,
)
from foundry.ports import Progress, ReadOptions, Step
from foundry.readers.discovery import Discovery, FoundFile, discover
from foundry.readers.worker_process import hash_file
from foundry.readers.workers import ParserPool, ReadJob, ReadOutcome
from foundry.records import FileReport, IngestReport, Source
from foundry.workspace import Workspace


def ingest(
    workspace: Workspace,
    paths: Sequence[Path] = (),
    *,
    options: IngestOptions | None = None,
    progress: Progress = lambda _step: None,
    confirm: Confirm = refuse,
) -> IngestReport:
    """Bring the project's sources up to date with the files under ``paths``.

    The default is the project's ``sources`` folder. Waits while another ingest of the project
    runs. ``confirm`` is asked before language models get more than ``models.confirm_tokens`` or
    ``confirm_cost``; by default it declines, and built-in prefixes and summaries are used.
    Raises ``FoundryError`` only for what stops the whole run (the database, the embedding
    model, a missing key); whatever was saved until then stays.
    """
    options = options or IngestOptions()
    started = time.monotonic()
    store = workspace.maintenance()
    embedder = workspace.embedder
    require_models(workspace)
    waiting = Step("wait", 0, 1, "", "another ingest of this project is running")
    with store.ingest_lock(lambda: progress(waiting)):
        run = store.start_run({"paths": [str(path) for path in paths]})
        open_index(workspace)
        files, notices = read_sources(workspace, paths, options, progress)
        annotated = enrich(workspace, confirm, progress)
        embedded = embed_pending(workspace, progress)
        status = workspace.store.index_status(embedder.model)
        report = IngestReport(
            files=tuple(sorted(files, key=lambda report: report.path)),
            embedded=embedded,
            pending=status.pending,
            seconds=time.monotonic() - started,
            notices=(
                *notices,
                *(annotated.notices if annotated else ()),
                *_format_missing_notice(files),
            ),
            annotated=annotated,
        )
        store.finish_run(run, _summarise_run(report))
    return report


def read_sources(
    workspace: Workspace,
    paths: Sequence[Path],
    options: IngestOptions,
    progress: Progress = lambda _step: None,
) -> tuple[list[FileReport], tuple[str, ...]]:
    """Read, chunk and commit every changed file; returns reports and notices."""
    discovery = _discover(workspace, paths)
    files = _read_changed(workspace, discovery, options, progress)
    files += _remove_missing(workspace, discovery, paths, prune=options.prune)
    return files, discovery.notices


def _discover(workspace: Workspace, paths: Sequence[Path]) -> Discovery:
    settings = workspace.config.ingest
    return discover(
        workspace.root,
        list(paths) or [workspace.root / "sources"],
        include=settings.include,
        exclude=settings.exclude,
        max_bytes=settings.max_file_mb * 1_000_000,
    )


def _read_changed(
    workspace: Workspace, discovery: Discovery, options: IngestOptions, progress: Progress
) -> list[FileReport]:
    known = {source.path: source for source in workspace.store.list_sources()}
    refused = [FileReport(r.name, "failed", r.reason) for r in discovery.refused]
    files = [file for file in discovery.files if _has_text_name(file)]
    refused += [_report_bad_name(file) for file in discovery.files if not _has_text_name(file)]
    unchanged: list[FileReport] = []
    jobs = _list_changed_jobs(workspace, files, known, options, unchanged.append)
    read: list[FileReport] = []
    total = len(files)
    with _open_parser_pool(workspace) as pool:
        for outcome in pool.read_all(jobs):
            name = outcome.job.options.name
            read.append(_save_outcome(workspace, outcome, known, options))
            progress(Step("read", len(read) + len(unchanged), total, "files", name))
    return [*refused, *unchanged, *read]


def _list_changed_jobs(
    workspace: Workspace,
    files: Sequence[FoundFile],
    known: dict[str, Source],
    options: IngestOptions,
    unchanged: Callable[[FileReport], None],
) -> Iterator[ReadJob]:
    """Jobs for files with other bytes or another recipe than stored; reports the unchanged ones."""
    passwords, recipe = workspace.passwords(), compute_ingest_recipe(workspace)
    for file in files:
        source = known.get(file.name)
        if source and has_recipe(source, recipe) and _has_same_bytes(file.path, source):
            workspace.maintenance().update_source(relabel(source, options))
            unchanged(FileReport(file.name, "unchanged", None, source.pages, source.chunks))
            continue
        yield ReadJob(
            file.path,
            ReadOptions(name=file.name, passwords=passwords, ocr=workspace.config.ingest.ocr),
        )


def _has_text_name(file: FoundFile) -> bool:
    """False for a name that is not valid UTF-8: neither the database nor JSON can store it."""
    return file.name == file.name.encode("utf-8", "replace").decode("utf-8")


def _report_bad_name(file: FoundFile) -> FileReport:
    shown = file.name.encode("utf-8", "replace").decode("utf-8")
    return FileReport(shown, "failed", "Its name is not valid UTF-8. Rename the file.")


def _has_same_bytes(path: Path, source: Source) -> bool:
    try:
        return path.stat().st_size == source.size and hash_file(path) == source.content_hash
    except OSError:
        # The worker runs into the same error and reports its reason.
        return False


def _save_outcome(
    workspace: Workspace, outcome: ReadOutcome, known: dict[str, Source], options: IngestOptions
) -> FileReport:
    """Save what was read or report why not; until then the earlier revision stays."""
    name = outcome.job.options.name
    earlier = known.get(name)
    if outcome.document is None or not outcome.content_hash:
        reason = _format_reason(outcome.error)
        if earlier:
            reason += " The revision ingested before stays in the project."
        return FileReport(name, "failed", reason)
    try:
        file = IngestedFile(
            name, outcome.content_hash, outcome.size or 0, outcome.modified or datetime.now(UTC)
        )
        source = save_document(workspace, file, outcome.document, earlier, options)
    except ReadError as error:
        return FileReport(name, "failed", _format_reason(error))
    moved = _remove_moved(workspace, source, known)
    return FileReport(
        name,
        "updated" if earlier else "added",
        f"moved from {moved}" if moved else None,
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
    roots = [(workspace.root / path).resolve() for path in paths] or [workspace.root / "sources"]
    known = {file.name for file in discovery.files} | {file.name for file in discovery.refused}
    missing = [
        source
        for source in workspace.store.list_sources()
        if source.path not in known
        and any((workspace.root / source.path).is_relative_to(root) for root in roots)
        and not (workspace.root / source.path).exists()
    ]
    if prune:
        for source in missing:
            workspace.maintenance().remove_source(source.id)
        return [FileReport(source.path, "removed", "the file is gone") for source in missing]
    reason = "the file is gone; its text stays until `foundry ingest --prune`"
    return [
        FileReport(source.path, "unchanged", reason, source.pages, source.chunks)
        for source in missing
    ]


def _open_parser_pool(workspace: Workspace) -> ParserPool:
    settings = workspace.config.ingest
    return ParserPool(
        settings.workers,
        timeout_s=settings.parse_timeout_s,
        memory_mb=settings.parse_memory_mb,
    )


def _format_missing_notice(files: Sequence[FileReport]) -> tuple[str, ...]:
    missing = sum(1 for file in files if file.status == "unchanged" and file.reason)
    return (f"The files of {missing} source(s) are gone; --prune removes them.",) if missing else ()


def _summarise_run(report: IngestReport) -> dict[str, object]:
    counts = Counter(file.status for file in report.files)
    return {
        "counts": counts,
        "failed": {file.path: file.reason for file in report.files if file.status == "failed"},
        "embedded": report.embedded,
        "pending": report.pending,
        "annotated": dataclasses.asdict(report.annotated) if report.annotated else None,
        "seconds": report.seconds,
    }


def _format_reason(error: FoundryError | None) -> str:
    if error is None:
        return "The parser gave no result."
    return f"{error.message} {error.fix}".strip()
