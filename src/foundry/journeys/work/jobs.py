"""An ingest by workers: files become jobs in the project's database, which any process takes up.

A worker reads one file at a time, as an ingest does; its lease on the job ends soon after the
worker does, and another takes the job up again. Doing a job twice saves the same source.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from foundry.errors import FoundryError, StoreError
from foundry.ids import hash_text
from foundry.journeys.enrichment import Confirm, refuse, require_models
from foundry.journeys.index import IngestOptions, compute_ingest_recipe, hold_project, open_index
from foundry.journeys.ingest import build_report, run_steps
from foundry.journeys.source_files import Tally, find_changed, open_parser_pool, start_tally
from foundry.messages import Message
from foundry.ports import LEASE_S, LONGEST_S, MOST_ATTEMPTS, Progress, Step
from foundry.readers.worker_process import hash_file
from foundry.readers.workers import ParserPool
from foundry.records import FileReport, IngestReport, Job
from foundry.workspace import Workspace

POLL_S = 0.5
"""How often a worker without work looks for some, and a follower for results."""

_ENDED = ("done", "failed", "cancelled")


class _JobLost(Exception):
    """The job was cancelled, is another worker's now, or takes too long."""


def ingest_by_workers(
    workspace: Workspace,
    paths: Sequence[Path] = (),
    *,
    options: IngestOptions | None = None,
    progress: Progress = lambda _step: None,
    confirm: Confirm = refuse,  # noqa: ARG001 - each worker has its own consent
    on_file: Callable[[FileReport], None] = lambda _file: None,
) -> IngestReport:
    """As ``ingest``, but workers read, enrich and embed; waits until they are done.

    Whoever stops waiting leaves the jobs to the workers.
    """
    options = options or IngestOptions()
    started = time.monotonic()
    jobs, tally = enqueue(workspace, paths, options, progress, on_file)
    for job in follow(workspace, jobs, progress):
        tally.add_embedded(job.embedded)
        for file in _list_files(job):
            tally.files.append(file)
            on_file(file)
    return build_report(tally, None, time.monotonic() - started)


def enqueue(
    workspace: Workspace,
    paths: Sequence[Path] = (),
    options: IngestOptions | None = None,
    progress: Progress = lambda _step: None,
    on_file: Callable[[FileReport], None] = lambda _file: None,
) -> tuple[list[Job], Tally]:
    """Make a job of every changed file under ``paths``; returns the jobs, and what needs none."""
    options = options or IngestOptions()
    details = {"command": "ingest --enqueue"}
    with hold_project(workspace, details, progress, wait=options.wait) as run:
        open_index(workspace)
        tally = start_tally(workspace, options, on_file)
        changed = find_changed(tally, paths, progress)
        jobs = [_make_job(workspace, file.name, file.path, options) for file in changed]
        workspace.maintenance().add_jobs(jobs)
        workspace.maintenance().finish_run(run, {"enqueued": len(jobs)})
    return jobs, tally


def _make_job(workspace: Workspace, name: str, path: Path, options: IngestOptions) -> Job:
    """The job of a file; its id is the same for the same bytes, labels and settings."""
    content = ""
    with suppress(OSError):  # the worker reports it
        content = hash_file(path)
    labels = (options.tags, options.confidentiality)
    parts = (name, content, labels, compute_ingest_recipe(workspace))
    return Job(f"job_{hash_text(repr(parts))[:16]}", name, *labels)


def follow(
    workspace: Workspace, jobs: Sequence[Job], progress: Progress = lambda _step: None
) -> Iterator[Job]:
    """Each job once it has ended: done, failed or cancelled."""
    ids, ended = [job.id for job in jobs], set[str]()
    while ids:
        now = workspace.maintenance().list_jobs(ids)
        for job in now:
            if job.status in _ENDED and job.id not in ended:
                ended.add(job.id)
                yield job
        # A later enqueuing removes the jobs that it replaces.
        if all(job.status in _ENDED for job in now):
            return
        busy = sum(job.status == "running" for job in now)
        progress(Step("wait", len(ended), len(now), "files", Message("work-busy", n=busy)))
        time.sleep(POLL_S)


def _list_files(job: Job) -> tuple[FileReport, ...]:
    """What became of a job's files; of a job that was not done, why."""
    if job.status == "done":
        return job.files
    reason = Message("work-cancelled") if job.status == "cancelled" else job.reason
    return (FileReport(job.path, "failed", reason),)


def name_worker() -> str:
    """The name of this process among the workers of all machines: HOST:PROCESS."""
    return f"{socket.gethostname()}:{os.getpid()}"


def work(
    workspace: Workspace,
    *,
    drain: bool = False,
    confirm: Confirm = refuse,
    progress: Progress = lambda _step: None,
    on_job: Callable[[Job], None] = lambda _job: None,
) -> int:
    """Do jobs until the process is stopped, with ``drain`` until none is left; returns how many.

    Raises ``FoundryError`` for what stops every job: the configuration, the database.
    """
    _ = workspace.embedder
    require_models(workspace)
    open_index(workspace)
    name, done = name_worker(), 0
    with open_parser_pool(workspace) as pool:
        while True:
            job = workspace.maintenance().take_job(name)
            if job:
                ended = _do_job(workspace, job, confirm, progress, pool)
                if ended:
                    done += 1
                    on_job(ended)
            elif drain and not _is_any_open(workspace):
                return done
            else:
                time.sleep(POLL_S)


def _is_any_open(workspace: Workspace) -> bool:
    """Whether a job may still come free: another worker's, or one after a failed attempt."""
    return any(job.status not in _ENDED for job in workspace.maintenance().list_jobs())


def _do_job(
    workspace: Workspace, job: Job, confirm: Confirm, progress: Progress, pool: ParserPool
) -> Job | None:
    """Do one job and save what became of it; None if it is no longer ours, or waits again."""
    store = workspace.maintenance()
    try:
        ended = _read_file(workspace, job, confirm, progress, pool)
    except _JobLost as reason:
        if not reason.args:
            return None
        ended = replace(job, status="failed", reason=reason.args[0])
    except StoreError:
        # Another worker, or this one when the database is back, takes it up when the lease ends.
        raise
    except FoundryError as error:
        problem = Message("ingest-failed", problem=error.problem, advice=error.advice)
        last = job.attempts >= MOST_ATTEMPTS
        ended = replace(job, status="failed" if last else "waiting", reason=problem)
    except KeyboardInterrupt:
        store.finish_job(replace(job, status="waiting"))
        raise
    saved = store.finish_job(ended)
    return ended if saved and ended.status != "waiting" else None


def _read_file(
    workspace: Workspace, job: Job, confirm: Confirm, progress: Progress, pool: ParserPool
) -> Job:
    path = workspace.root / job.path
    if not path.exists():
        return replace(job, status="failed", reason=Message("work-file-gone"))
    options = IngestOptions(tags=job.tags, confidentiality=job.confidentiality)
    tally = start_tally(workspace, options)
    with _keep_lease(workspace, job) as check:

        def show(step: Step) -> None:
            check()
            progress(step)

        run_steps(tally, [path], confirm, show, pool)
        check()
    return replace(
        job, status="done", files=tuple(tally.files), embedded=tally.embedded, reason=None
    )


@contextmanager
def _keep_lease(workspace: Workspace, job: Job) -> Iterator[Callable[[], None]]:
    """Give signs of life while the block runs; yields what raises ``_JobLost`` if the job is lost."""
    over, lost = threading.Event(), threading.Event()
    started = time.monotonic()

    def beat() -> None:
        while not over.wait(LEASE_S / 8):
            # A database that is away for a moment is no reason to stop.
            with suppress(FoundryError):
                if not workspace.maintenance().extend_job(job):
                    lost.set()

    def check() -> None:
        if time.monotonic() - started > LONGEST_S:
            raise _JobLost(Message("work-too-long", minutes=LONGEST_S // 60))
        if lost.is_set():
            raise _JobLost

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield check
    finally:
        over.set()
        thread.join()
