"""An ingest by workers: files become jobs in the project's database, which any process takes up.

A worker reads one file at a time, as an ingest does; its lease on the job ends soon after the
worker does, and another takes the job up again. Doing a job twice saves the same source; what a
cancelled one changed in the index is taken back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from foundry import __version__
from foundry.errors import ConfigError, FoundryError, Interrupted, StoreError, StoreUnavailable
from foundry.ids import hash_text
from foundry.journeys.chains import update_chains
from foundry.journeys.cluster import use_cluster
from foundry.journeys.enrichment import Confirm, refuse, require_models
from foundry.journeys.index import IngestOptions, compute_ingest_recipe, hold_project, open_index
from foundry.journeys.ingest import build_report, run_steps
from foundry.journeys.source_files import Tally, find_changed, open_parser_pool, start_tally
from foundry.journeys.source_files.read_queue import find_moved, keep_labels
from foundry.journeys.work.workers import WorkerWatch, list_workers, name_worker
from foundry.messages import Message
from foundry.ports import ChunkVectors, Progress, Step
from foundry.readers.discovery import FoundFile
from foundry.readers.worker_process import hash_file
from foundry.readers.workers import FileReaders
from foundry.records import (
    Block,
    Chunk,
    FileReport,
    IngestReport,
    Job,
    Reading,
    Source,
    Summary,
    UnreadFile,
    list_containers,
)
from foundry.store import MOST_ATTEMPTS, Store
from foundry.workspace import Workspace

POLL_S = 0.5
"""How often a worker without work looks for some, and a follower for results."""
LEASE_S = 120
"""How long a job stays with a worker without a sign of life. A guess: longer than any transaction."""
LONGEST_S = 3600
"""How long one attempt may take. A guess: ten times what the largest file of the test set takes."""
PAUSE_S = 10
"""How long a job waits after an attempt that failed. A guess."""
OUTAGE_S = 600
"""How long a worker waits for a database that is away. A guess: replacing a server takes minutes."""
PENDING = 1000
"""Chunks without a vector that are read at once."""
SIGN_S = 1.0
"""How often a worker gives a sign of life at least, and learns that its job was cancelled."""

T = TypeVar("T")
Broken = Callable[[Workspace, FoundryError], None]
"""Gets a project that stops, and its error."""

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
    on_queued: Callable[[int], None] = lambda _jobs: None,
) -> IngestReport:
    """As ``ingest``, but workers read, enrich and embed; waits until they are done.

    ``on_queued`` gets the number of jobs before the wait. Whoever stops waiting leaves the jobs to
    the workers.
    """
    options = options or IngestOptions()
    started = time.monotonic()
    jobs, tally = enqueue(workspace, paths, options, progress, on_file)
    on_queued(len(jobs))
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
    """Make a job of every changed file under ``paths``; returns the jobs, and what needs none.

    Without ``paths`` also of every file of the folder that lacks vectors; without labels a file
    keeps the job, with its labels, that waits or runs already.
    """
    options = options or IngestOptions()
    details = {"command": "ingest --enqueue"}
    with hold_project(workspace, details, progress, wait=options.wait) as run:
        open_index(workspace)
        tally = start_tally(workspace, options, on_file)
        changed = find_changed(tally, paths, progress)
        if not paths:
            changed += _list_unembedded(tally, changed)
        if not paths and options.tags is None and options.confidentiality is None:
            waiting = _list_waiting(workspace)
            changed = [file for file in changed if file.name not in waiting]
        jobs = [_make_job(tally, file, options) for file in changed]
        workspace.maintenance().add_jobs(jobs)
        if behind := workspace.maintenance().finish_run(run, {"enqueued": len(jobs)}):
            progress(Step("note", 1, 1, "", behind))
    return jobs, tally


def _list_waiting(workspace: Workspace) -> set[str]:
    """The files of jobs that wait or run, and whose result would be what a job of ours gives."""
    recipe, jobs = compute_job_recipe(workspace), workspace.maintenance().list_open_jobs()
    return {job.path for job in jobs if job.recipe == recipe}


def _list_unembedded(tally: Tally, changed: Sequence[FoundFile]) -> list[FoundFile]:
    """The files of sources with chunks that have no vector, beside those that are read anyway."""
    store, model = tally.workspace.maintenance(), tally.workspace.embedder.model
    ids, row = set[str](), 0
    while batch := store.pending_chunks(model, PENDING, after=row):
        row = batch[-1][0]
        ids |= {chunk.source_id for _, chunk in batch}
    sources = (source.path for source in tally.sources.values() if source.id in ids)
    names = {(list_containers(path) or [path])[-1] for path in sources}
    names -= {file.name for file in changed}
    files = (FoundFile(tally.workspace.root / name, name) for name in sorted(names))
    return [file for file in files if file.path.is_file()]


def _make_job(tally: Tally, file: FoundFile, options: IngestOptions) -> Job:
    """The job of a file; its id is the same for the same bytes, labels and settings."""
    workspace, name, content = tally.workspace, file.name, ""
    with suppress(OSError):  # the worker reports it
        content = hash_file(file.path)
    if name not in tally.sources:
        # The worker may come when what the file was before it was moved has been pruned.
        same = (old for old in tally.sources.values() if old.content_hash == content)
        options = keep_labels(options, find_moved(workspace, name, same))
    labels, recipe = (options.tags, options.confidentiality), compute_job_recipe(workspace)
    name_of_job = f"job_{hash_text(repr((name, content, labels, recipe)))[:16]}"
    return Job(name_of_job, name, *labels, recipe=recipe, version=__version__)


def compute_job_recipe(workspace: Workspace) -> str:
    """A hash of everything except the file that decides what a job saves."""
    model = (workspace.embedder.model, workspace.fingerprint())
    return hash_text(repr((compute_ingest_recipe(workspace), model)))[:16]


def follow(
    workspace: Workspace, jobs: Sequence[Job], progress: Progress = lambda _step: None
) -> Iterator[Job]:
    """Each job once it has ended: done, failed or cancelled."""
    waited, watch = {job.id for job in jobs}, WorkerWatch()
    while waited:
        now = workspace.maintenance().list_jobs(sorted(waited))
        yield from (job for job in now if job.status in _ENDED)
        # A later enqueuing removes the jobs that it replaces.
        waited = {job.id for job in now if job.status not in _ENDED}
        if waited:
            done, workers = len(jobs) - len(waited), len(list_workers(workspace, watch))
            busy = min(sum(job.status == "running" for job in now), workers)
            said = Message("work-busy", n=busy, workers=workers)
            progress(Step("wait", done, len(jobs), "files", said))
            time.sleep(POLL_S)


def _list_files(job: Job) -> tuple[FileReport, ...]:
    """What became of a job's files; of a job that was not done, why."""
    if job.status == "done":
        return job.files
    reason = Message("work-cancelled") if job.status == "cancelled" else job.reason
    return (FileReport(job.path, "failed", reason),)


class JobWatch:
    """Which jobs have lapsed, by this process's own clock.

    A running job lapses ``LEASE_S`` seconds after the last change that this process saw, and one
    that waits after a failed attempt ``PAUSE_S`` seconds after this process first saw it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[tuple[str, int, int | None], float] = {}

    def find_lapsed(self, begun: Sequence[Job]) -> list[Job]:
        """Those of the jobs that have lapsed; the others are remembered."""
        now = self._clock()
        states = {(job.id, job.attempts, job.signs): job for job in begun}
        self._seen = {state: self._seen.get(state, now) for state in states}
        limits = {"running": LEASE_S, "waiting": PAUSE_S}
        return [
            job for state, job in states.items() if now - self._seen[state] >= limits[job.status]
        ]


class _Project:
    """A project whose jobs are done; safe in threads."""

    def __init__(self, workspace: Workspace, readers: FileReaders) -> None:
        self.workspace = workspace
        self.readers = readers
        self.store = workspace.maintenance()
        self._recipe = compute_job_recipe(workspace)
        self._watch = JobWatch()
        self._lock = threading.Lock()

    def take(self) -> Job | None:
        """Return a job, now ours, if one waits or has lapsed."""
        with self._lock:
            lapsed = self._watch.find_lapsed(self.store.list_begun_jobs())
            job = self.store.take_job(name_worker(), self._recipe, lapsed)
            if job is None:
                _require_own(self.store.find_foreign_job(self._recipe))
            return job

    def settle(self, progress: Progress) -> None:
        """Once no job is left, look for revisions and index the vectors: both read the whole project."""
        with self._lock:
            if not self.store.count_open_jobs():
                update_chains(self.workspace)
                if behind := self.store.index_vectors():
                    progress(Step("note", 1, 1, "", behind))


class _Turns:
    """Projects in the order of their turns: the one that had a job last has the next one last.

    With ``on_broken``, a project that fails is reported to it and left out; without, its error is raised.
    """

    def __init__(self, on_broken: Broken | None) -> None:
        self.projects: list[_Project] = []
        self._on_broken = on_broken
        self._broken = set[int]()
        self._lock = threading.Lock()

    def take(self, progress: Progress) -> tuple[_Project, Job] | None:
        """Return the next job and its project; None if no job can be taken now."""
        for project in self._list():
            with self.guard(project.workspace):
                if job := _outlast(project.take, progress):
                    with self._lock:
                        self.projects.sort(key=lambda one: one is project)
                    return project, job
        return None

    def count_open(self, progress: Progress) -> int:
        number = 0
        for project in self._list():
            with self.guard(project.workspace):
                number += _outlast(project.store.count_open_jobs, progress)
        return number

    @contextmanager
    def guard(self, workspace: Workspace) -> Iterator[None]:
        """Do without the project if the block fails. Raises what it raises without ``on_broken``."""
        try:
            yield
        except Interrupted:
            raise
        except FoundryError as error:
            if self._on_broken is None:
                raise
            with self._lock:
                self.projects = [one for one in self.projects if one.workspace is not workspace]
                if id(workspace) not in self._broken:
                    self._broken.add(id(workspace))
                    self._on_broken(workspace, error)

    def _list(self) -> list[_Project]:
        with self._lock:
            return [*self.projects]


def work(
    *workspaces: Workspace,
    drain: bool = False,
    confirm: Confirm = refuse,
    progress: Progress = lambda _step: None,
    on_job: Callable[[Job], None] = lambda _job: None,
    on_broken: Broken | None = None,
    ray: str | None = None,
) -> int:
    """Do jobs until the process is stopped, with ``drain`` until none is left; returns how many.

    Several projects take turns; with ``on_broken``, which gets the error, one that stops leaves the
    others at work. With ``ray``, by default ``ingest.ray`` of the first one, files of
    several jobs are read at once on that cluster. Waits up to ``OUTAGE_S`` seconds for a database
    that is away. Raises ``FoundryError`` for what stops every job: the configuration, the database,
    jobs that another Foundry made.
    """
    turns, ready = _Turns(on_broken), list[Workspace]()
    for workspace in workspaces:
        with turns.guard(workspace):
            require_models(workspace)
            open_index(workspace)
            ready.append(workspace)
    if not ready:
        return 0
    with ExitStack() as resources:
        cluster = resources.enter_context(use_cluster(ready, ray))
        lanes = cluster.lanes + 1 if cluster else 1
        for workspace in ready:
            readers: FileReaders = (
                cluster.open_readers(workspace)
                if cluster
                else resources.enter_context(open_parser_pool(workspace))
            )
            with turns.guard(workspace):
                turns.projects.append(_Project(workspace, readers))
        return _run_lanes(_Lane(turns, confirm, progress, on_job, drain=drain), lanes)


def _run_lanes(lane: _Lane, number: int) -> int:
    """Do jobs in ``number`` threads, or in this one if it is 1; returns how many were done."""
    if number == 1:
        lane.run()
        return lane.done
    with ThreadPoolExecutor(number, "work") as pool:
        lanes = [pool.submit(lane.run) for _ in range(number)]
        try:
            wait(lanes, return_when=FIRST_EXCEPTION)
        finally:
            # Also for Ctrl-C, which only this thread gets: the jobs go back.
            lane.stop.set()
    for one in lanes:
        with suppress(KeyboardInterrupt):
            one.result()
    return lane.done


class _Lane:
    """One job after another; several threads may run it."""

    def __init__(
        self,
        turns: _Turns,
        confirm: Confirm,
        progress: Progress,
        on_job: Callable[[Job], None],
        *,
        drain: bool,
    ) -> None:
        self.done = 0
        self.stop = threading.Event()
        self._turns = turns
        self._confirm = confirm
        self._progress = progress
        self._on_job = on_job
        self._drain = drain
        self._lock = threading.Lock()

    def run(self) -> None:
        """Do jobs until stopped."""
        while not self.stop.is_set():
            if taken := self._turns.take(self._show):
                self._do(*taken)
            elif not self._turns.projects or (
                self._drain and not self._turns.count_open(self._show)
            ):
                return
            else:
                self.stop.wait(POLL_S)

    def _do(self, project: _Project, job: Job) -> None:
        with self._turns.guard(project.workspace):
            ended = _do_job(project.workspace, job, self._confirm, self._show, project.readers)
            if ended:
                with self._lock:
                    self.done += 1
                    self._on_job(ended)
                _outlast(partial(project.settle, self._show), self._show)

    def _show(self, step: Step) -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt
        self._progress(step)


def _require_own(foreign: Job | None) -> None:
    """Raise ``ConfigError`` for a job whose result here would differ from what was asked for."""
    if foreign:
        versions = {"theirs": foreign.version, "ours": __version__}
        raise ConfigError("work-other-recipe", where=foreign.path, **versions)


def _outlast(call: Callable[[], T], progress: Progress) -> T:
    """The result of a call, repeated for ``OUTAGE_S`` seconds while the database is away."""
    began = time.monotonic()
    while True:
        try:
            return call()
        except StoreUnavailable as error:
            if time.monotonic() - began > OUTAGE_S:
                raise
            progress(Step("wait", 0, 1, "", Message("work-outage", problem=error.problem)))
            time.sleep(POLL_S)


def _do_job(
    workspace: Workspace, job: Job, confirm: Confirm, progress: Progress, pool: FileReaders
) -> Job | None:
    """Do one job; None if it is no longer ours, or waits again.

    One that was cancelled leaves the index as it was.
    """
    store = workspace.maintenance()
    earlier = _outlast(partial(remember, workspace, job.path), progress)
    try:
        return _try_job(workspace, job, confirm, progress, pool)
    finally:
        if _outlast(partial(_is_cancelled, workspace, job), progress):
            _outlast(partial(restore, store, earlier), progress)


def _is_cancelled(workspace: Workspace, job: Job) -> bool:
    """Whether it was, and no later job reads its file."""
    return any(now.status == "cancelled" for now in workspace.maintenance().list_jobs([job.id]))


def _try_job(
    workspace: Workspace, job: Job, confirm: Confirm, progress: Progress, pool: FileReaders
) -> Job | None:
    """Do one job and save what became of it."""
    store = workspace.maintenance()
    try:
        ended = _read_file(workspace, job, confirm, progress, pool)
    except _JobLost as reason:
        if not reason.args:
            return None
        ended = replace(job, status="failed", reason=reason.args[0])
    except StoreUnavailable:
        # For whoever is back first.
        ended = replace(job, status="waiting")
    except StoreError:
        # What stops this worker may not stop another, which takes the job up when it lapses.
        raise
    except FoundryError as error:
        problem = Message("ingest-failed", problem=error.problem, advice=error.advice)
        last = job.attempts >= MOST_ATTEMPTS
        ended = replace(job, status="failed" if last else "waiting", reason=problem)
    except KeyboardInterrupt:
        store.finish_job(replace(job, status="waiting"))
        raise
    saved = _outlast(partial(store.finish_job, ended), progress)
    return ended if saved and ended.status != "waiting" else None


def _read_file(
    workspace: Workspace, job: Job, confirm: Confirm, progress: Progress, pool: FileReaders
) -> Job:
    path = workspace.root / job.path
    if not path.exists():
        return replace(job, status="failed", reason=Message("work-file-gone"))
    options = IngestOptions(tags=job.tags, confidentiality=job.confidentiality)
    tally = start_tally(workspace, options, under=job.path)
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
        while not over.wait(min(SIGN_S, LEASE_S / 8)) and time.monotonic() - started < LONGEST_S:
            # The next sign may get through, so an unreachable database does not stop the job.
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
