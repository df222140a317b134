"""An ingest: read what changed, enrich it with language models if configured, then embed it.

Text can be searched as soon as it is read; prefixes and summaries by language models, and
vectors, follow for all sources. A killed process loses at most the current file, and the next
run resumes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from functools import reduce
from pathlib import Path

from foundry.errors import Interrupted
from foundry.journeys.chains import update_chains
from foundry.journeys.cluster import Cluster, use_cluster
from foundry.journeys.enrichment import Confirm, enrich, refuse, require_models
from foundry.journeys.index import IngestOptions, embed_pending, hold_project, open_index
from foundry.journeys.source_files import Tally, list_source_ids, read_sources, start_tally
from foundry.messages import Message
from foundry.models import list_key_hosts
from foundry.ports import Progress, Step
from foundry.readers.workers import FileReaders
from foundry.records import EnrichmentReport, FileReport, IngestReport
from foundry.workspace import Workspace


def ingest(
    workspace: Workspace,
    paths: Sequence[Path] = (),
    *,
    options: IngestOptions | None = None,
    progress: Progress = lambda _step: None,
    confirm: Confirm = refuse,
    on_file: Callable[[FileReport], None] = lambda _file: None,
    cluster: Cluster | None = None,
) -> IngestReport:
    """Bring the project's sources up to date with the files under ``paths``.

    The default is the project's ``sources`` folder; with ``paths``, only what is under them gets
    prefixes, summaries and vectors. Waits while another ingest of the project runs. ``on_file``
    gets each file's report as soon as it is known. ``confirm`` is asked before language models get
    more than ``models.confirm_tokens`` or ``confirm_cost``; by default it declines, and built-in
    prefixes and summaries are used. Files are read on the ``cluster``, by default that of
    ``ingest.ray``, or in processes of this machine. Raises ``FoundryError`` only for what stops the
    whole run (the database, the embedding model, a missing key, another ingest) and ``Interrupted``
    for Ctrl-C; whatever was saved until then stays, and the next ingest resumes.
    """
    options = options or IngestOptions()
    started = time.monotonic()
    _ = workspace.embedder
    require_models(workspace)
    details = {"paths": [str(path) for path in paths]}
    with (
        nullcontext(cluster) if cluster else use_cluster([workspace]) as chosen,
        hold_project(workspace, details, progress, wait=options.wait) as run,
    ):
        readers = chosen.open_readers(workspace) if chosen else None
        open_index(workspace)
        tally = start_tally(workspace, options, on_file)
        try:
            annotated = run_steps(tally, paths, confirm, progress, readers)
            if any(file.status not in ("unchanged", "failed") for file in tally.files):
                tally.notices += update_chains(workspace)
        except KeyboardInterrupt:
            progress(Step("stop", 0, 1, "", Message("ingest-work-kept")))
            raise _build_interruption(tally) from None
        report = build_report(tally, annotated, time.monotonic() - started)
        if paths and report.pending:
            others = Message("ingest-others-pending", n=report.pending)
            report = replace(report, notices=(*report.notices, others))
        behind = workspace.maintenance().finish_run(run, _summarise_run(report))
    return replace(report, notices=(*report.notices, behind)) if behind else report


def run_steps(
    tally: Tally,
    paths: Sequence[Path],
    confirm: Confirm,
    progress: Progress,
    pool: FileReaders | None = None,
) -> EnrichmentReport | None:
    """Read, enrich and embed what is under ``paths``; what is done so far is in the tally."""
    workspace = tally.workspace
    read_sources(tally, paths, progress, pool)
    chosen = list_source_ids(workspace, paths) if paths else None
    annotated = enrich(workspace, confirm, progress, chosen)
    if embed_pending(workspace, progress, chosen, tally.add_embedded):
        models = {"embedding.model": workspace.config.embedding.model}
        tally.notices += list_key_hosts(models, workspace.settings)
    return annotated


def build_report(tally: Tally, annotated: EnrichmentReport | None, seconds: float) -> IngestReport:
    """What a run did, from its tally."""
    status = tally.workspace.store.index_status(tally.workspace.embedder.model)
    return IngestReport(
        files=tuple(sorted(tally.files, key=lambda report: report.path)),
        embedded=tally.embedded,
        pending=status.pending,
        seconds=seconds,
        notices=(
            *tally.notices,
            *(annotated.notices if annotated else ()),
            *_note_missing(tally.files),
        ),
        annotated=annotated,
    )


def _build_interruption(tally: Tally) -> Interrupted:
    """What an interrupted run did, and how to go on."""
    report = build_report(tally, None, 0.0)
    counts = Counter[str](file.status for file in report.files)
    counts.update({"waiting": tally.waiting} if tally.waiting else {})
    done = [Message(f"ingest-count-{status}", n=number) for status, number in counts.items()]
    return Interrupted(
        "ingest-interrupted",
        where=str(tally.workspace.root),
        files=_join(done) if done else Message("ingest-none-read"),
        embedded=report.embedded,
        pending=report.pending,
    )


def _join(parts: Sequence[Message]) -> Message:
    """The parts as one list with commas."""
    return reduce(lambda listed, part: Message("ingest-list", listed=listed, part=part), parts)


def _note_missing(files: Sequence[FileReport]) -> tuple[Message, ...]:
    missing = sum(1 for file in files if file.status == "unchanged" and file.reason)
    return (Message("ingest-files-gone", n=missing),) if missing else ()


def _summarise_run(report: IngestReport) -> dict[str, object]:
    counts = Counter(file.status for file in report.files)
    return {
        "counts": counts,
        "failed": {
            file.path: Message.from_dict(file.reason or "").to_dict()
            for file in report.files
            if file.status == "failed"
        },
        "embedded": report.embedded,
        "pending": report.pending,
        "annotated": _summarise_enrichment(report.annotated) if report.annotated else None,
        "seconds": report.seconds,
    }


def _summarise_enrichment(report: EnrichmentReport) -> dict[str, object]:
    notices = [Message.from_dict(notice).to_dict() for notice in report.notices]
    return asdict(report) | {"notices": notices}
