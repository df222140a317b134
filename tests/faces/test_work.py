"""``foundry ingest --enqueue`` and ``foundry work``, on both stores."""

from __future__ import annotations

import itertools
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from foundry.errors import ModelUnreachable, SchemaTooNew, StoreUnavailable
from foundry.journeys.search import search
from foundry.journeys.work import enqueue, follow, list_workers, name_worker, sign_in, work
from foundry.journeys.work import jobs as journey
from foundry.journeys.work.jobs import LEASE_S, JobWatch
from foundry.journeys.work.workers import FADE_S, SIGN_S, WorkerWatch
from foundry.ports import Step
from foundry.records import Job, JobWorker, Source
from foundry.store import MOST_ATTEMPTS
from foundry.store.relational.view import StoreView
from foundry.wire.commands import MODELS
from foundry.workspace import Workspace, open_workspace
from tests.faces.conftest import PROGRAM, Run
from tests.store.records import WHEN
from tests.store.server import empty

NAMES = [f"sources/{letter}.md" for letter in "abcdef"]


@pytest.fixture(params=["sqlite", "postgres"])
def files(
    request: pytest.FixtureRequest, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A new project with six files, on each store."""
    root = tmp_path / "work"
    run("init", root, "--offline")
    for name in NAMES:
        (root / name).write_text(f"# {name}\n\nCable of {name} carries 12 V.\n", encoding="utf-8")
    monkeypatch.chdir(root)
    if request.param == "sqlite":
        yield root
        return
    address = request.getfixturevalue("address")
    monkeypatch.setenv("FOUNDRY_STORAGE__URL", address)
    yield root
    with psycopg.connect(address, autocommit=True) as connection:
        empty(connection)


@pytest.fixture
def workspace(files: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    with open_workspace(files, environment=dict(os.environ), cwd=files) as opened:
        yield opened


def list_jobs(workspace: Workspace) -> list[tuple[str, str]]:
    return [(job.path, job.status) for job in workspace.maintenance().list_jobs()]


def test_two_workers_share_the_files_and_nothing_is_done_twice(files: Path, run: Run) -> None:
    follower = threading.Thread(target=lambda: run("ingest", "--enqueue", "--json"))
    follower.start()
    wait_for_jobs(run)
    workers = [
        subprocess.Popen([*PROGRAM, "work", "--drain", "--json"], stdout=subprocess.PIPE, cwd=files)
        for _ in range(2)
    ]
    ended = [MODELS["work run"].model_validate_json(w.communicate(timeout=90)[0]) for w in workers]
    follower.join(60)
    assert sum(worker.model_dump()["jobs"] for worker in ended) == len(NAMES)
    sources = run("sources", "list", "--json").json["sources"]
    assert [source["path"] for source in sources] == NAMES
    assert run("index", "status", "--json").json["pending"] == 0
    assert run("index", "verify").status == 0


def wait_for_jobs(run: Run) -> None:
    for _ in range(600):
        jobs = run("work", "list", "--json").json
        assert MODELS["work list"].model_validate(jobs)
        if len(jobs["jobs"]) == len(NAMES):
            return
    raise AssertionError("no jobs")


def work_once_there_are_jobs(workspace: Workspace) -> None:
    while len(list_jobs(workspace)) < len(NAMES):
        time.sleep(0.01)
    work(workspace, drain=True)


def test_an_enqueuing_that_does_not_wait_says_what_waits_and_for_whom(
    run: Run, files: Path
) -> None:
    said = run("ingest", "--enqueue", "--no-wait")
    assert (said.status, "start one with `foundry work`" in said.out) == (0, True)
    document = MODELS["ingest --enqueue --no-wait"].model_validate(
        run("ingest", "--enqueue", "--no-wait", "--json").json
    )
    assert document.model_dump() == {"queued": 0, "waiting": 6, "workers": 0, "sources": []}


def test_a_worker_is_listed_while_it_lives(workspace: Workspace) -> None:
    with sign_in(workspace):
        (worker,) = list_workers(workspace)
        assert worker.name == name_worker()
    assert list_workers(workspace) == []


def test_an_idle_worker_writes_once_a_minute_and_may_miss_some_signs(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[object] = []
    monkeypatch.setattr(type(workspace.maintenance()), "remove_workers", written.append)
    with sign_in(workspace):
        assert written == []
    assert (SIGN_S >= 60, FADE_S > 3 * SIGN_S) == (True, True)


def test_a_worker_that_died_is_forgotten(workspace: Workspace) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    near, far = JobWorker(f"{socket.gethostname()}:{ended.pid}", WHEN), JobWorker("far:7", WHEN)
    clock = itertools.count(0, FADE_S / 2)
    watch = WorkerWatch(lambda: next(clock))
    assert watch.find_dead([near, far]) == [near]
    assert [watch.find_dead([far]), watch.find_dead([far])] == [[], [far]]


def test_a_follower_reports_what_workers_did(workspace: Workspace) -> None:
    worker = threading.Thread(target=lambda: work_once_there_are_jobs(workspace))
    worker.start()
    report = journey.ingest_by_workers(workspace)
    worker.join()
    assert [(file.path, file.status) for file in report.files] == [(n, "added") for n in NAMES]
    assert (report.embedded, report.pending) == (len(NAMES), 0)
    assert enqueue(workspace)[0] == []


def test_a_follower_ends_when_its_jobs_were_replaced(workspace: Workspace) -> None:
    jobs, _ = enqueue(workspace)
    workspace.maintenance().add_jobs([replace(job, id=f"{job.id}x") for job in jobs])
    assert list(follow(workspace, jobs)) == []


def test_a_job_whose_file_is_gone_fails_and_the_others_are_done(
    workspace: Workspace, files: Path
) -> None:
    enqueue(workspace)
    (files / NAMES[0]).unlink()
    assert work(workspace, drain=True) == len(NAMES)
    (gone, *others) = workspace.maintenance().list_jobs()
    assert (gone.status, gone.reason and gone.reason.code) == ("failed", "work-file-gone")
    assert {job.status for job in others} == {"done"}


def test_a_job_is_repeated_while_a_model_is_unreachable_and_fails_in_the_end(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ModelUnreachable("models-unreachable", where="x", cause="down")

    enqueue(workspace, [workspace.root / NAMES[0]])
    monkeypatch.setattr(journey, "run_steps", fail)
    monkeypatch.setattr(journey, "PAUSE_S", 0)
    work(workspace, drain=True)
    (job,) = workspace.maintenance().list_jobs()
    assert (job.status, job.attempts) == ("failed", MOST_ATTEMPTS)
    assert "down" in str(job.reason)


def test_a_job_that_takes_too_long_fails(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(workspace, [workspace.root / NAMES[0]])
    monkeypatch.setattr(journey, "LONGEST_S", -1)
    work(workspace, drain=True)
    (job,) = workspace.maintenance().list_jobs()
    assert job.reason
    assert job.reason.code == "work-too-long"


def test_a_worker_drops_a_job_that_is_cancelled(
    workspace: Workspace, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(workspace, [workspace.root / NAMES[0]])
    monkeypatch.setattr(journey, "LEASE_S", 0.02)
    whole = journey.run_steps

    def cancel(*arguments: Any) -> None:
        assert run("work", "cancel", NAMES[0], "--json").json == {"cancelled": 1}
        threading.Event().wait(0.3)
        whole(*arguments)

    monkeypatch.setattr(journey, "run_steps", cancel)
    assert work(workspace, drain=True) == 0
    assert list_jobs(workspace) == [(NAMES[0], "cancelled")]
    assert workspace.store.list_sources() == []


def cancel_in(workspace: Workspace, phase: str) -> Callable[[Step], None]:
    """Cancels every job once a worker is in that phase."""
    return lambda step: step.phase == phase and workspace.maintenance().cancel_jobs() and None


def describe_index(workspace: Workspace) -> tuple[list[Source], int, int, list[Any]]:
    store = workspace.maintenance()
    status = store.index_status(workspace.embedder.model)
    return store.list_sources(), status.chunks, status.vectors, store.verify()


@pytest.mark.parametrize("phase", ["read", "embed"])
def test_a_cancelled_job_leaves_nothing_of_a_new_file(workspace: Workspace, phase: str) -> None:
    enqueue(workspace, [workspace.root / NAMES[0]])
    assert work(workspace, drain=True, progress=cancel_in(workspace, phase)) == 0
    assert list_jobs(workspace) == [(NAMES[0], "cancelled")]
    assert describe_index(workspace) == ([], 0, 0, [])


def test_a_cancelled_job_leaves_the_earlier_text_with_its_vectors(
    workspace: Workspace, files: Path
) -> None:
    enqueue(workspace, [files / NAMES[0]])
    work(workspace, drain=True)
    before = describe_index(workspace)
    (files / NAMES[0]).write_text("# Other\n\nThe pump stops at 5 bar.\n", encoding="utf-8")
    enqueue(workspace, [files / NAMES[0]])
    work(workspace, drain=True, progress=cancel_in(workspace, "embed"))
    assert describe_index(workspace) == before
    assert "12 V" in workspace.store.source_text(before[0][0].id)


def test_a_cancelled_job_leaves_a_file_that_was_moved_at_its_earlier_place(
    workspace: Workspace, files: Path
) -> None:
    enqueue(workspace, [files / NAMES[0]])
    work(workspace, drain=True)
    before = describe_index(workspace)
    enqueue(workspace, [(files / NAMES[0]).rename(files / "sources/moved.md")])
    work(workspace, drain=True, progress=cancel_in(workspace, "read"))
    assert describe_index(workspace) == before


def test_a_cancelled_job_leaves_what_could_not_be_read_before(
    workspace: Workspace, files: Path
) -> None:
    path = files / "sources/broken.pdf"
    for content in (b"%PDF-1.7 no more", b"%PDF-1.7 no more of it"):
        path.write_bytes(content)
        enqueue(workspace, [path])
        before = workspace.store.list_unread()
        work(workspace, drain=True, progress=cancel_in(workspace, "read"))
        assert workspace.store.list_unread() == before


def test_a_job_lapses_when_this_process_sees_no_change_whatever_the_clock_says() -> None:
    now, job = 0.0, Job("job_1", "a.md", status="running", attempts=1, signs=1)
    watch = JobWatch(lambda: now)
    assert watch.find_lapsed([job]) == []
    now = LEASE_S - 1
    assert watch.find_lapsed([job]) == []
    alive = replace(job, signs=2)
    now = 2 * LEASE_S - 2
    assert watch.find_lapsed([alive]) == []
    now += LEASE_S
    assert watch.find_lapsed([alive]) == [alive]


def test_clocks_that_jump_neither_lose_nor_double_nor_reorder_jobs(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(workspace)
    hours, real, order = iter([3600, -3600, 7200, 0, -7200, 3600]), time.time, list[str]()

    def jump(job: Job) -> None:
        offset = next(hours)
        order.append(job.path)
        monkeypatch.setattr(time, "time", lambda: real() + offset)

    assert work(workspace, drain=True, on_job=jump) == len(NAMES)
    assert order == NAMES
    assert {job.attempts for job in workspace.maintenance().list_jobs()} == {1}


def test_the_job_of_a_killed_worker_is_taken_up_by_another(
    workspace: Workspace, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(workspace, [files / NAMES[0]])
    worker = subprocess.Popen([*PROGRAM, "work"], cwd=files)
    while list_jobs(workspace) != [(NAMES[0], "running")]:
        time.sleep(0.005)
    worker.kill()
    worker.wait()
    monkeypatch.setattr(journey, "LEASE_S", 0.5)
    work(workspace, drain=True)
    assert list_jobs(workspace) == [(NAMES[0], "done")]
    assert [source.path for source in workspace.store.list_sources()] == NAMES[:1]
    assert workspace.maintenance().verify() == []


def test_a_worker_with_other_settings_refuses_and_leaves_the_jobs(
    workspace: Workspace, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(workspace)
    jobs = list_jobs(workspace)
    monkeypatch.setenv("FOUNDRY_INGEST__SUMMARY_MAX_TOKENS", "90")
    refused = run("work", "--drain")
    assert refused.status == 1
    assert "other settings" in refused.err
    assert list_jobs(workspace) == jobs


def test_a_worker_stops_when_a_newer_foundry_migrated_the_database(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(workspace)
    database = workspace.maintenance()._database
    monkeypatch.setattr(database, "newest", database.newest - 1)
    with pytest.raises(SchemaTooNew):
        work(workspace, drain=True)
    assert {status for _, status in list_jobs(workspace)} == {"waiting"}


@pytest.fixture
def several(run: Run, tmp_path: Path) -> Path:
    """Three projects, each with a file that waits for workers."""
    for name in "abc":
        run("init", tmp_path / name, "--offline")
        (tmp_path / name / "sources/a.md").write_text("# A\n\nA carries 12 V.\n")
        run("ingest", "--enqueue", "--no-wait", "--project", tmp_path / name)
    return tmp_path


def test_a_project_that_cannot_be_opened_is_skipped_and_the_others_are_done(
    run: Run, several: Path
) -> None:
    (several / "a/.foundry/foundry.db").write_bytes(b"no database at all " * 500)
    outcome = run("work", "--drain", "--projects", several, "--json")
    assert (outcome.status, outcome.json["jobs"], outcome.json["skipped"]) == (1, 2, ["a"])
    assert "Project a is skipped" in outcome.err


def test_a_project_that_refuses_its_jobs_is_skipped_and_the_others_are_done(
    run: Run, several: Path
) -> None:
    with (several / "b/foundry.yaml").open("a", encoding="utf-8") as config:
        config.write("\ningest: {summary_max_tokens: 90}\n")
    outcome = run("work", "--drain", "--projects", several)
    assert (outcome.status, "2 jobs" in outcome.out) == (1, True)
    assert "Project b is skipped" in outcome.err


def test_a_worker_outlasts_a_database_that_is_away(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(workspace)
    monkeypatch.setattr(journey, "POLL_S", 0)
    store, failures = workspace.maintenance(), iter([True, False, True, True] + [False] * 99)
    for name in ("take_job", "finish_job", "save_source"):
        monkeypatch.setattr(store, name, fail_now_and_then(getattr(store, name), failures))
    assert work(workspace, drain=True) == len(NAMES)
    assert {status for _, status in list_jobs(workspace)} == {"done"}


def fail_now_and_then(verb: Callable[..., Any], failures: Iterator[bool]) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        if next(failures):
            raise StoreUnavailable("store-server-unreachable", where="x", cause="down")
        return verb(*arguments, **options)

    return call


def test_a_worker_gives_up_when_the_database_stays_away(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journey, "OUTAGE_S", 0.05)
    store, away = workspace.maintenance(), itertools.repeat(True)
    monkeypatch.setattr(store, "take_job", fail_now_and_then(store.take_job, away))
    with pytest.raises(StoreUnavailable):
        work(workspace, drain=True)


def test_a_job_looks_at_no_source_but_its_own(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(workspace)
    read, listed = StoreView.list_sources, list[str | None]()

    def note(self: StoreView, under: str | None = None) -> list[Source]:
        listed.append(under)
        return read(self, under)

    monkeypatch.setattr(StoreView, "list_sources", note)
    work(workspace, drain=True)
    # Revisions are found among all of them, once.
    assert set(listed) - {None} == set(NAMES)
    assert listed.count(None) == 1


def test_ingests_a_rebuild_a_deletion_an_evaluation_and_searches_lose_and_revive_nothing(
    workspace: Workspace, files: Path, run: Run
) -> None:
    assert run("ingest", "-q").status == 0
    *kept, gone = NAMES
    assert run("eval", "add", "Which cable carries 12 V?", "--source", kept[0]).status == 0
    (files / gone).unlink()
    for name in kept:
        (files / name).write_text(f"# {name}\n\nLamp of {name} takes 24 V.\n", encoding="utf-8")
    commands = (
        ("ingest", "-q"),
        ("ingest", "-q", *kept[:3]),
        ("index", "rebuild"),
        ("eval", "run"),
    )
    processes = [subprocess.Popen([*PROGRAM, *words], cwd=files) for words in commands]
    assert run("sources", "remove", gone).status == 0
    while any(process.poll() is None for process in processes):
        hits = search(workspace, "Which lamp or cable takes how many volts?").hits
        assert gone not in {hit.source.path for hit in hits}
        # Leaves them the processor.
        time.sleep(0.02)
    assert [process.returncode for process in processes] == [0, 0, 0, 0]
    assert [source.path for source in workspace.store.list_sources()] == kept
    assert {"Lamp" in hit.chunk.text for hit in search(workspace, "lamp").hits} == {True}
    assert workspace.maintenance().verify() == []
