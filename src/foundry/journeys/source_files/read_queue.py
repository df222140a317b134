"""Reads changed files, and the files attached to them, in parser processes.

An attachment is read like a file of its own, within limits. A file is saved after its attachments:
a run that is interrupted between them reads it again.
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from foundry.clock import get_now
from foundry.errors import FoundryError, ReadError
from foundry.journeys.enrichment.cache import has_recipe
from foundry.journeys.file_chunks import get_cut
from foundry.journeys.index import (
    LONG_TEXT,
    IngestedFile,
    IngestOptions,
    build_cut_request,
    compute_ingest_recipe,
    relabel,
    save_cut,
)
from foundry.journeys.source_files.copies import (
    add_copy,
    find_original,
    is_on_disk,
    join_labels,
    remove_path,
    report_copy,
)
from foundry.journeys.source_files.outside import find_lost, wants_service
from foundry.journeys.source_files.tally import Tally
from foundry.messages import Message
from foundry.ports import Progress, ReadOptions, Step
from foundry.readers import SUPPORTED, shows_its_kind
from foundry.readers.discovery import FoundFile, explain_type
from foundry.readers.worker_process import hash_file
from foundry.readers.workers import FileReaders, ReadJob, ReadOutcome
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Attachment,
    FileReport,
    Source,
    UnreadFile,
    list_containers,
)
from foundry.workspace import Workspace

MAX_DEPTH = 3
"""Deepest attachment that is read: a PDF in a mail in a mail in a mail. A guess."""
MAX_ATTACHMENTS = 500
"""Most attachments of one file that are read, those of its attachments included. A guess."""


def report_unchanged(tally: Tally, file: FoundFile) -> bool:
    """Relabel and report a file and its attachments, unless something in it must be read.

    A copy of another file is one more path of that source.
    """
    if copy := report_copy(tally, file):
        tally.add(copy)
        return True
    source = tally.sources.get(file.name)
    attached, unread = tally.list_attached(file.name)
    if (
        source is None
        or not has_recipe(source, compute_ingest_recipe(tally.workspace))
        or not _has_same_bytes(file.path, source)
        or wants_service([source, *attached], tally.service)
        or any(row.status == "failed" for row in unread)
    ):
        return False
    tally.note_left_out([tally.describe_unread(row.path, row.status, row.reason) for row in unread])
    for item in (source, *attached):
        _report_as_it_was(tally, item)
    below = f"{file.name}/"
    for path, original in [*tally.copied.items()]:
        if path.startswith(below):
            tally.add(add_copy(tally, original, path))
    return True


def _report_as_it_was(tally: Tally, source: Source) -> None:
    # Most files keep their labels: then nothing is read or written, which counts in a large project.
    if source.copies or relabel(source, tally.options) != source:
        source = tally.renew(source.path) or source
        source = join_labels(tally, source, tally.options, source.path)
        tally.workspace.maintenance().update_source(source)
        tally.sources[source.path] = source
    tally.add(FileReport(source.path, "unchanged", None, source.pages, source.chunks))


def measure_size(path: Path) -> int:
    """Bytes of a file; 0 if it cannot be opened."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _has_same_bytes(path: Path, source: Source) -> bool:
    try:
        return path.stat().st_size == source.size and hash_file(path) == source.content_hash
    except OSError:
        # The worker runs into the same error and reports its reason.
        return False


@dataclass(eq=False)
class _Entry:
    """A file to read; ``open`` counts its attachments that are not saved yet."""

    file: FoundFile
    size: int
    parent: _Entry | None = None
    outcome: ReadOutcome | None = None
    attached: set[str] = field(default_factory=set)
    open: int = 0


class ReadQueue:
    """Files to read; attachments come before the next file."""

    def __init__(self, tally: Tally, folder: Path, progress: Progress) -> None:
        self._tally = tally
        self._folder = folder
        self._progress = progress
        self._waiting: deque[_Entry] = deque()
        self._reading: dict[str, _Entry] = {}
        self._numbers: Counter[str] = Counter()
        self._done = self._total = 0
        self._left_out: list[str] = []

    def run(self, pool: FileReaders, files: Sequence[FoundFile]) -> None:
        """Read and save everything."""
        first, later = _split_copies(files)
        self._read(pool, first)
        # Their bytes are known by now, unless they could not be read.
        self._read(pool, [file for file in later if not report_unchanged(self._tally, file)])
        self._tally.note_names("ingest-attachments-left-out", self._left_out)

    def _read(self, pool: FileReaders, files: Sequence[FoundFile]) -> None:
        for file in files:
            self._push(_Entry(file, max(1, measure_size(file.path))))
        while self._waiting:
            # Attachments that come while the last files are read start another round.
            for outcome in pool.read_all(self._start_jobs(), self._show_file):
                self._take(self._reading.pop(outcome.job.options.name), outcome)
                self._show()

    def _push(self, entry: _Entry) -> None:
        self._total += entry.size
        self._tally.waiting += 1
        self._waiting.append(entry)

    def _start_jobs(self) -> Iterator[ReadJob]:
        workspace = self._tally.workspace
        corrections = workspace.maintenance().list_corrections()
        while self._waiting:
            entry = self._waiting.popleft()
            name = entry.file.name
            self._reading[name] = entry
            self._show()
            settings = workspace.config.ingest
            options = ReadOptions(
                name,
                workspace.passwords(),
                settings.ocr,
                self._folder,
                settings.parse_timeout_s,
                outside=self._tally.service,
            )
            yield ReadJob(entry.file.path, build_cut_request(workspace, options, corrections))

    def _show(self) -> None:
        # The file that has been read for longest explains a wait best.
        self._progress(
            Step("read", self._done, self._total, "bytes", next(iter(self._reading), ""))
        )

    def _show_file(self, step: Step) -> None:
        """Show the file at work; of a long one, how much of it is cut."""
        if step.phase == "cut" and step.total > LONG_TEXT:
            self._progress(step)
        else:
            self._show()

    def _take(self, entry: _Entry, outcome: ReadOutcome) -> None:
        if self._is_outdated(outcome):
            self._waiting.appendleft(entry)
            return
        self._done += entry.size
        # Before anything is saved: who follows the progress may stop here.
        self._show()
        entry.outcome = outcome
        if entry.parent:
            entry.file.path.unlink(missing_ok=True)
        cut = get_cut(outcome)
        files = cut.document.attachments if cut else ()
        self._add_attachments(entry, files)
        if not entry.open:
            self._finish(entry)

    def _is_outdated(self, outcome: ReadOutcome) -> bool:
        """Whether somebody corrected the file after it was given to a process."""
        cut, store = get_cut(outcome), self._tally.workspace.maintenance()
        if cut is None or not outcome.content_hash:
            return False
        known = store.list_corrections(outcome.content_hash, outcome.job.options.name)
        return cut.corrections != {one.id for one in known}

    def _add_attachments(self, entry: _Entry, files: Sequence[Attachment]) -> None:
        left_out: list[UnreadFile] = []
        for file in files:
            path = f"{entry.file.name}/{file.name}"
            entry.attached.add(path)
            reason = self._find_fault(path, file)
            if self._numbers[list_containers(path)[-1]] > MAX_ATTACHMENTS + 1:
                # The first one too many says so for the others.
                pass
            elif reason or file.path is None:
                left_out.append(self._tally.describe_unread(path, "left_out", reason))
            elif not report_unchanged(self._tally, FoundFile(file.path, path)):
                entry.open += 1
                self._push(_Entry(FoundFile(file.path, path), max(1, file.size), entry))
                # Before the next file.
                self._waiting.rotate(1)
                continue
            _remove_file(file.path)
        self._left_out += self._tally.note_left_out(left_out)

    def _find_fault(self, path: str, file: Attachment) -> Message | None:
        containers = list_containers(path)
        limit = self._tally.workspace.config.ingest.max_file_mb
        self._numbers[containers[-1]] += 1
        if self._numbers[containers[-1]] > MAX_ATTACHMENTS:
            return Message("ingest-attachments-limit", limit=MAX_ATTACHMENTS)
        known = Path(file.name).suffix.lower() in SUPPORTED
        if not known or (file.path and not shows_its_kind(file.path)):
            return explain_type(Path(file.name))
        if len(containers) > MAX_DEPTH:
            return Message("ingest-attachment-deep", limit=MAX_DEPTH)
        if file.size > limit * 1_000_000:
            return Message("readers-too-large", size=round(file.size / 1e6), limit=limit)
        return None

    def _finish(self, entry: _Entry) -> None:
        assert entry.outcome
        report = _save_outcome(self._tally, entry.outcome, entry.parent, self._progress)
        self._tally.add(report)
        self._tally.waiting -= 1
        if report.status != "failed":
            _remove_detached(self._tally, entry)
        if entry.parent:
            entry.parent.open -= 1
            if not entry.parent.open:
                self._finish(entry.parent)


def _split_copies(files: Sequence[FoundFile]) -> tuple[list[FoundFile], list[FoundFile]]:
    """Split files into those to read now and those with the same bytes as an earlier one."""
    sizes = Counter(measure_size(file.path) for file in files)
    seen, first, later = set[str](), list[FoundFile](), list[FoundFile]()
    for file in files:
        content = ""
        if sizes[measure_size(file.path)] > 1:
            with contextlib.suppress(OSError):
                content = hash_file(file.path)
        (later if content in seen else first).append(file)
        seen |= {content} if content else set()
    return first, later


def _remove_file(path: Path | None) -> None:
    if path:
        with contextlib.suppress(OSError):
            path.unlink()


def _remove_detached(tally: Tally, entry: _Entry) -> None:
    """Remove what was attached to an earlier revision of a file."""
    below = f"{entry.file.name}/"

    def is_gone(path: str) -> bool:
        first = path.removeprefix(below).partition("/")[0]
        return f"{below}{first}" not in entry.attached

    maintenance = tally.workspace.maintenance()
    attached, unread = tally.list_attached(entry.file.name)
    maintenance.remove_unread([row.path for row in unread if is_gone(row.path)])
    copies = (path for path in tally.copied if path.startswith(below))
    for path in (*(source.path for source in attached), *copies):
        if is_gone(path) and remove_path(tally.workspace, path):
            tally.add(FileReport(path, "removed", Message("ingest-detached")))


def _save_outcome(
    tally: Tally, outcome: ReadOutcome, parent: _Entry | None, progress: Progress
) -> FileReport:
    """Save what was read or report why not; until then the earlier revision stays."""
    name = outcome.job.options.name
    earlier = tally.renew(name)
    cut = get_cut(outcome)
    if cut is None or not outcome.content_hash:
        reason = _explain(outcome.error)
        if earlier:
            reason = Message("ingest-failed-again", reason=reason)
        return FileReport(name, "failed", reason)
    if earlier and _is_as_saved(tally, earlier, outcome):
        # It was read again for an attachment only.
        labelled = join_labels(tally, earlier, tally.options, name)
        tally.workspace.maintenance().update_source(labelled)
        return FileReport(name, "unchanged", None, earlier.pages, earlier.chunks)
    if earlier and _has_recipe(tally, earlier, outcome):
        lost = find_lost(earlier, cut.document)
        if lost:
            return FileReport(name, "unchanged", None, earlier.pages, earlier.chunks, lost)
    if original := find_original(tally.workspace, name, outcome.content_hash):
        return add_copy(tally, original, name)
    if earlier and earlier.copies and earlier.content_hash != outcome.content_hash:
        remove_path(tally.workspace, name)
        earlier = replace(earlier, copies=())
    same = tally.workspace.maintenance().find_content(outcome.content_hash)
    old = None if earlier else find_moved(tally.workspace, name, same)
    options = keep_labels(tally.choose_options(name), old)
    if earlier:
        labelled = join_labels(tally, earlier, options, name)
        options = replace(options, tags=labelled.tags, confidentiality=labelled.confidentiality)
    try:
        file = IngestedFile(
            name, outcome.content_hash, outcome.size or 0, _find_time(outcome, parent)
        )
        source = save_cut(
            tally.workspace,
            file,
            cut,
            earlier,
            options,
            progress=progress,
        )
    except ReadError as error:
        return FileReport(name, "failed", _explain(error))
    moved = _remove_moved(tally, source, old)
    tally.remember(source)
    return FileReport(
        name,
        "updated" if earlier else "added",
        Message("ingest-moved", path=moved) if moved else None,
        source.pages,
        source.chunks,
        source.warnings,
    )


def _is_as_saved(tally: Tally, source: Source, outcome: ReadOutcome) -> bool:
    return _has_recipe(tally, source, outcome) and not wants_service([source], tally.service)


def _has_recipe(tally: Tally, source: Source, outcome: ReadOutcome) -> bool:
    recipe = compute_ingest_recipe(tally.workspace)
    return source.content_hash == outcome.content_hash and has_recipe(source, recipe)


def _find_time(outcome: ReadOutcome, parent: _Entry | None) -> datetime:
    """When a file changed; an attachment, when the file that it is attached to did."""
    while parent and parent.outcome:
        outcome, parent = parent.outcome, parent.parent
    return outcome.modified or get_now()


def find_moved(workspace: Workspace, name: str, same: Iterable[Source]) -> Source | None:
    """What a file was until it was moved: of the sources with its bytes one whose file is gone."""
    root, level = workspace.root, CONFIDENTIALITY_LEVELS.index
    gone = [old for old in same if old.path != name and not is_on_disk(root, old.path)]
    return max(gone, key=lambda old: level(old.confidentiality), default=None)


def keep_labels(options: IngestOptions, old: Source | None) -> IngestOptions:
    """The options for a file; one that was moved stays as confidential as it was."""
    if old is None:
        return options
    tags = old.tags if options.tags is None else options.tags
    return replace(
        options,
        tags=tags,
        confidentiality=options.confidentiality or old.confidentiality,
        status=old.stated,
    )


def _remove_moved(tally: Tally, source: Source, old: Source | None) -> str | None:
    """Remove the old entry of a file that was moved here; its vectors were reused."""
    if old is None or old.id == source.id:
        return None
    store = tally.workspace.maintenance()
    store.rename_revision_links(old.path, source.path)
    for item in store.list_sources(old.path):
        store.remove_source(item.id)
        tally.forget(item)
    return old.path


def _explain(error: FoundryError | None) -> Message:
    if error is None:
        return Message("ingest-no-result")
    return Message("ingest-failed", problem=error.problem, advice=error.advice)
