"""Reads files and embeds texts with actors on a Ray cluster, as parser processes do here.

Jobs, the store, spending limits and requests to model servers stay in this process, so a lost node loses
nothing: other actors get what it had. Each actor has one task at a time, so a large file holds
up no other, and a file that waits takes no memory anywhere.
"""

from __future__ import annotations

import contextlib
import os
import queue
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from foundry.config import parse_provider
from foundry.errors import ClusterError, FoundryError, ReadError
from foundry.journeys.cluster.nodes import (
    ReadAnswer,
    ReadLimits,
    SentFile,
    embed_texts,
    read_files,
)
from foundry.journeys.cluster.relay import relay_models
from foundry.journeys.cluster.start import StartActor, connect, find_head, has_head
from foundry.journeys.file_chunks import CutRequest, get_cut, read_and_cut
from foundry.messages import Message
from foundry.models.providers import IN_PROCESS
from foundry.ports import Embedder, Step, Vectors
from foundry.readers.worker_process import identify
from foundry.readers.workers import ReadJob, ReadOutcome
from foundry.workspace import Workspace

MOST_SENT = 256_000_000
"""Bytes of the largest file that is sent to a node that does not see it. A guess: most are smaller."""
BATCH_FILES, BATCH_BYTES = 8, 64_000
"""Small files are read several at a time: a task takes Ray about a millisecond."""
MOST_TRIES = 3
"""A task that has lost so many actors fails: it may be the cause."""
_TICK_S = 1.0
_MOST_MISSED_S = 10.0
"""How long the head node may be away: a guess, far below the minute after which Ray gives up."""

T = TypeVar("T")


@contextmanager
def use_cluster(
    workspaces: Sequence[Workspace], address: str | None = None
) -> Iterator[Cluster | None]:
    """Let a cluster embed for these projects, and yield it; None without an address.

    The default is ``ingest.ray`` of the first one, which also sets the number of actors. A model behind
    a server is called from here as before, so its keys and the limits of spending stay here.
    """
    settings = workspaces[0].config.ingest
    if not (address or settings.ray):
        yield None
        return
    chosen = address or settings.ray
    with open_cluster(workspaces[0], chosen) as cluster, cluster.embed_for(workspaces):
        yield cluster


@contextmanager
def open_cluster(workspace: Workspace, address: str, actors: int = 0) -> Iterator[Cluster]:
    """Yield a cluster with ``actors`` actors, or else with the project's ``ingest.workers``."""
    settings = workspace.config.ingest
    with ExitStack() as resources:
        number = actors or settings.workers
        yield Cluster(*connect(address, number, settings.parse_memory_mb, resources))


class ActorLost(ClusterError):
    """An actor ended or does not answer: because of its task, its node, or a lack of memory there."""


class Cluster:
    """Warm actors on a Ray cluster; thread-safe."""

    def __init__(self, ray: Any, starts: Sequence[StartActor]) -> None:
        self.lanes = len(starts)
        self._ray = ray
        self._idle: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._starts: dict[Any, StartActor] = {}
        self._head = find_head(ray)
        self._missed: float | None = None
        self.is_gone = False
        for start in starts:
            self._start(start)

    @contextmanager
    def embed_for(self, workspaces: Sequence[Workspace]) -> Iterator[None]:
        """Let the actors embed for these projects, unless a server runs the model."""
        with ExitStack() as restored:
            for workspace in workspaces:
                own = workspace.embedder
                if parse_provider(own.model) in IN_PROCESS:
                    workspace.embedder = ClusterEmbedder(self, own, own.fingerprint())
                    restored.callback(setattr, workspace, "embedder", own)
            yield

    def open_readers(self, workspace: Workspace) -> ClusterReaders:
        """Return readers for a project's files, with its limits for each file."""
        settings, function = workspace.config.ingest, read_and_cut
        reader = f"{function.__module__}:{function.__name__}"
        limits = ReadLimits(reader, settings.parse_timeout_s, settings.parse_memory_mb)
        return ClusterReaders(self, limits)

    def relay(self, models: Mapping[str, Any]) -> AbstractContextManager[dict[str, Any]]:
        """Call models on behalf of nodes; see ``relay_models``."""
        return relay_models(self._ray, models)

    def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Return what a function of a module returns on the next free actor; raises its errors."""
        lost = Message("cluster-task-lost", cause="")
        for _ in range(MOST_TRIES):
            actor = self._idle.get()
            try:
                result = self.fetch(actor.run.remote(function, *arguments))
            except ActorLost as error:
                self.replace(actor)
                lost = error.problem
            except BaseException:
                self._idle.put(actor)
                raise
            else:
                self._idle.put(actor)
                return cast("T", result)
        raise ClusterError(lost)

    def fetch(self, task: Any) -> Any:
        """Return the result of a task.

        Raises ``ClusterError``, and ``ActorLost`` for one whose actor has to be replaced.
        """
        errors = self._ray.exceptions
        try:
            while not self.wait_any([task]):
                pass
            return self._ray.get(task)
        except errors.RayTaskError as error:
            if isinstance(error.cause, FoundryError):
                raise error.cause from None
            raise ClusterError("cluster-task-failed", cause=repr(error.cause)[:300]) from error
        except (errors.RayActorError, errors.OutOfMemoryError, errors.WorkerCrashedError) as error:
            raise ActorLost("cluster-task-lost", cause=type(error).__name__) from error
        except errors.RayError as error:
            raise ClusterError("cluster-task-lost", cause=type(error).__name__) from error

    # For the readers

    def take(self, *, wait: bool) -> Any:
        """Return an idle actor; None if there is none, with ``wait`` after a second."""
        with contextlib.suppress(queue.Empty):
            return self._idle.get(block=wait, timeout=_TICK_S if wait else None)
        return None

    def release(self, actor: Any) -> None:
        """Make an actor idle."""
        self._idle.put(actor)

    def replace(self, actor: Any) -> None:
        """Kill an actor with its task, and start another in its place, or on another node.

        Raises ``ClusterError`` as ``wait_any`` does; once it did, does nothing.
        """
        if self.is_gone:
            return
        # Without a head Ray waits in these calls, and then ends this process.
        while not self._has_head():
            time.sleep(_TICK_S)
        self._ray.kill(actor)
        self._start(self._starts.pop(actor))

    def _start(self, start: StartActor) -> None:
        actor = start()
        self._starts[actor] = start
        self._idle.put(actor)

    def wait_any(self, tasks: Sequence[Any]) -> list[Any]:
        """Return the tasks that have ended, after a second at most.

        Raises ``ClusterError`` if the head node has been gone for a while: Ray would wait for a minute
        and then end this process.
        """
        ended, _ = self._ray.wait(list(tasks), num_returns=1, timeout=_TICK_S)
        if not ended:
            self._has_head()
        return list(ended)

    def _has_head(self) -> bool:
        """Return whether the head node answers. Raises ``ClusterError`` once it has been gone for a while."""
        if has_head(self._head):
            self._missed = None
            return True
        now = time.monotonic()
        self._missed = self._missed or now
        if now - self._missed > _MOST_MISSED_S:
            self.is_gone = True
            raise ClusterError("cluster-gone", where=f"--ray {self._head}")
        return False


@dataclass(frozen=True, slots=True)
class ClusterEmbedder:
    """An embedding model that each actor has; queries are embedded here."""

    cluster: Cluster
    own: Embedder
    known: str

    @property
    def model(self) -> str:
        return self.own.model

    @property
    def local(self) -> bool:
        return self.own.local

    @property
    def lanes(self) -> int:
        return self.cluster.lanes

    def dimension(self) -> int:
        return self.own.dimension()

    def embed_query(self, text: str) -> Vectors:
        return self.own.embed_query(text)

    def fingerprint(self) -> str:
        return self.known

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.cluster.run(embed_texts, self.model, self.known, list(texts))


@dataclass(frozen=True, slots=True)
class _Batch:
    """Files of one task; ``sent`` once their bytes go with it; ``tries`` counts the actors it lost."""

    jobs: tuple[ReadJob, ...]
    sent: bool = False
    tries: int = 0

    def split(self) -> Iterator[_Batch]:
        """Yield a batch for each file."""
        return (replace(self, jobs=(job,)) for job in self.jobs)


class ClusterReaders:
    """Reads files on the actors of a cluster, as a ``ParserPool`` does in processes."""

    def __init__(self, cluster: Cluster, limits: ReadLimits) -> None:
        self._cluster = cluster
        self._limits = limits

    def read_all(
        self, jobs: Iterable[ReadJob], show: Callable[[Step], None] = lambda _step: None
    ) -> Iterator[ReadOutcome]:
        """Yield outcomes as they complete; files are taken only when an actor is free."""
        waiting, again = _cut_batches(jobs), deque[_Batch]()
        running: dict[Any, tuple[Any, _Batch]] = {}
        try:
            while self._fill(running, again, waiting, show):
                for task in self._cluster.wait_any([*running]):
                    yield from self._settle(task, *running.pop(task), again)
        finally:
            # If the consumer stopped early, nobody wants the remaining outcomes.
            for actor, _ in running.values():
                self._cluster.replace(actor)

    def _fill(
        self,
        running: dict[Any, tuple[Any, _Batch]],
        again: deque[_Batch],
        waiting: Iterator[_Batch],
        show: Callable[[Step], None],
    ) -> bool:
        """Give batches to idle actors; returns whether any batch runs."""
        while True:
            names = [job.options.name for _, batch in running.values() for job in batch.jobs]
            show(Step("read", 0, 0, "bytes", names[0] if names else ""))
            if running and self._must_wait(running, again):
                return True
            actor = self._cluster.take(wait=not running)
            if actor is None and running:
                return True
            if actor is None:
                continue
            batch = again.popleft() if again else next(waiting, None)
            if batch is None:
                self._cluster.release(actor)
                return bool(running)
            running[self._start(actor, batch)] = (actor, batch)

    def _must_wait(self, running: dict[Any, tuple[Any, _Batch]], again: deque[_Batch]) -> bool:
        """Return whether a file is at its last try or has it next: nothing of ours runs beside it.

        Otherwise a file could fail for the memory that another one takes on its node.
        """
        batches = [*(batch for _, batch in running.values()), *list(again)[:1]]
        return any(batch.tries == MOST_TRIES - 1 for batch in batches)

    def _start(self, actor: Any, batch: _Batch) -> Any:
        files = [_describe_file(job, with_content=batch.sent) for job in batch.jobs]
        return actor.run.remote(read_files, self._limits, files)

    def _settle(
        self, task: Any, actor: Any, batch: _Batch, again: deque[_Batch]
    ) -> Iterator[ReadOutcome]:
        """Yield the outcomes of a task; batches without an outcome go to ``again``."""
        try:
            answers = self._cluster.fetch(task)
        except ActorLost as error:
            self._cluster.replace(actor)
            yield from self._repeat(replace(batch, tries=batch.tries + 1), error, again)
            return
        except ClusterError as error:
            self._cluster.release(actor)
            yield from self._repeat(replace(batch, tries=MOST_TRIES), error, again)
            return
        self._cluster.release(actor)
        for job, answer in zip(batch.jobs, answers, strict=True):
            if answer is not None:
                yield _build_outcome(job, answer)
            elif batch.sent or _measure(job.path) > MOST_SENT:
                yield _fail_unseen(job)
            else:
                again.append(_Batch((job,), sent=True))

    def _repeat(
        self, batch: _Batch, error: ClusterError, again: deque[_Batch]
    ) -> Iterator[ReadOutcome]:
        """Queue files to be read again, each on its own; yield failures once tries are used up."""
        if len(batch.jobs) > 1:
            again.extend(replace(batch, tries=0).split())
        elif batch.tries < MOST_TRIES:
            again.append(batch)
        else:
            yield _fail(batch.jobs[0], error.problem)


def _cut_batches(jobs: Iterable[ReadJob]) -> Iterator[_Batch]:
    batch: list[ReadJob] = []
    size = 0
    for job in jobs:
        weight = _measure(job.path)
        if batch and (size + weight > BATCH_BYTES or len(batch) == BATCH_FILES):
            yield _Batch(tuple(batch))
            batch, size = [], 0
        batch.append(job)
        size += weight
    if batch:
        yield _Batch(tuple(batch))


def _measure(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0


def _describe_file(job: ReadJob, *, with_content: bool) -> SentFile:
    options = cast("CutRequest", job.options)
    try:
        status = job.path.stat()
        content = job.path.read_bytes() if with_content else None
    except OSError:  # the actor does not see it either
        return SentFile(job.path, -1, -1, options)
    return SentFile(job.path, *_see_as(status), options, content)


def _see_as(status: os.stat_result) -> tuple[int, int]:
    """Return size and modification time, by which a node recognises the file."""
    return status.st_size, status.st_mtime_ns


def _build_outcome(job: ReadJob, answer: ReadAnswer) -> ReadOutcome:
    """Build the outcome as a parser process here gives it, with the attachments in our folder."""
    outcome = replace(answer.outcome, job=job)
    cut = get_cut(outcome)
    if cut is None or not answer.attached:
        return outcome
    files = list(cut.document.attachments)
    folder = Path(tempfile.mkdtemp(dir=job.options.temporary))
    for place, content in answer.attached.items():
        # Readers see the name that it has on the node.
        path = folder / cast("Path", files[place].path).name
        path.write_bytes(content)
        files[place] = replace(files[place], path=path)
    document = replace(cut.document, attachments=tuple(files))
    return replace(outcome, document=cast("Any", replace(cut, document=document)))


def _fail_unseen(job: ReadJob) -> ReadOutcome:
    """Build the outcome of a file that no actor saw: it cannot be read here either, or is too large."""
    try:
        identify(job.path, job.options.name)
    except ReadError as error:
        return ReadOutcome(job, None, error)
    return _fail(job, Message("cluster-file-unseen", limit=MOST_SENT // 1_000_000))


def _fail(job: ReadJob, problem: Message) -> ReadOutcome:
    return ReadOutcome(job, None, ReadError(problem, where=job.options.name))
