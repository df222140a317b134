"""What every store must do with jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import pytest

from foundry.messages import Message
from foundry.ports import MOST_ATTEMPTS, Store
from foundry.records import FileReport, Job


class Expire(Protocol):
    """Sets ``lease`` and ``started`` of every job to so many seconds from now."""

    def __call__(self, lease: float, started: float = 0) -> None: ...


FIRST, SECOND = Job("job_1", "sources/a.md", ("new",)), Job("job_2", "sources/b.md")


def take(store: Store, worker: str = "one") -> Job:
    job = store.take_job(worker)
    assert job
    return job


class JobsContract:
    """The tests; the fixture ``store`` is an empty store, ``expire`` ends or moves all leases."""

    def test_jobs_are_taken_in_order_and_once(self, store: Store) -> None:
        store.add_jobs([FIRST, SECOND])
        taken = [store.take_job(worker) for worker in ("one", "two", "three")]
        assert [job and (job.path, job.worker) for job in taken] == [
            ("sources/a.md", "one"),
            ("sources/b.md", "two"),
            None,
        ]

    def test_a_finished_job_keeps_its_result(self, store: Store) -> None:
        store.add_jobs([FIRST])
        done = replace(
            take(store), status="done", files=(FileReport("sources/a.md", "added"),), embedded=3
        )
        assert store.finish_job(done)
        assert store.list_jobs() == store.list_jobs(["job_1"]) == [done]
        assert store.list_jobs(["job_9"]) == []

    def test_a_job_that_waits_or_runs_is_not_added_twice(self, store: Store) -> None:
        store.add_jobs([FIRST, SECOND])
        running = take(store)
        store.add_jobs([FIRST, SECOND])
        assert store.list_jobs() == [running, SECOND]

    def test_an_ended_job_can_be_added_again(self, store: Store) -> None:
        store.add_jobs([FIRST])
        store.finish_job(replace(take(store), status="failed", reason=Message("work-file-gone")))
        store.add_jobs([FIRST])
        assert [(job.status, job.attempts) for job in store.list_jobs()] == [("waiting", 0)]

    def test_a_newer_job_of_a_file_replaces_one_that_waits(self, store: Store) -> None:
        store.add_jobs([FIRST])
        store.add_jobs([Job("job_3", FIRST.path)])
        assert [job.id for job in store.list_jobs()] == ["job_3"]

    def test_a_job_whose_lease_ended_is_taken_up_again(self, store: Store, expire: Expire) -> None:
        store.add_jobs([FIRST])
        lost = take(store)
        expire(-1)
        again = take(store, "two")
        assert (again.worker, again.attempts) == ("two", 2)
        assert not store.extend_job(lost)
        assert not store.finish_job(replace(lost, status="done"))
        assert store.finish_job(replace(again, status="done"))

    def test_a_worker_that_gives_signs_of_life_keeps_its_job(
        self, store: Store, expire: Expire
    ) -> None:
        store.add_jobs([FIRST])
        job = take(store)
        expire(-1)
        assert store.extend_job(job)
        assert store.take_job("two") is None

    def test_a_clock_that_was_set_back_does_not_keep_a_job(
        self, store: Store, expire: Expire
    ) -> None:
        store.add_jobs([FIRST])
        take(store)
        expire(3600)
        assert take(store, "two").attempts == 2

    def test_a_job_that_no_worker_survives_fails_with_its_reason(
        self, store: Store, expire: Expire
    ) -> None:
        store.add_jobs([FIRST])
        for _ in range(MOST_ATTEMPTS):
            take(store)
            expire(-1)
        assert store.take_job("one") is None
        (job,) = store.list_jobs()
        assert (job.status, job.reason) == ("failed", Message("work-lost", n=MOST_ATTEMPTS))

    def test_an_attempt_that_failed_is_repeated_after_a_pause(
        self, store: Store, expire: Expire
    ) -> None:
        store.add_jobs([FIRST])
        store.finish_job(replace(take(store), status="waiting", reason=Message("work-busy", n=1)))
        assert store.take_job("two") is None
        expire(-1)
        assert take(store, "two").attempts == 2

    def test_an_attempt_has_a_time_limit(self, store: Store, expire: Expire) -> None:
        store.add_jobs([FIRST])
        job = take(store)
        expire(60, started=-4000)
        assert not store.extend_job(job)

    @pytest.mark.parametrize(("paths", "cancelled"), [(None, 2), (["sources/b.md"], 1)])
    def test_jobs_can_be_cancelled(
        self, store: Store, paths: list[str] | None, cancelled: int
    ) -> None:
        store.add_jobs([FIRST, SECOND])
        running = take(store)
        assert store.cancel_jobs(paths) == cancelled
        assert store.extend_job(running) is (paths is not None)
        assert store.take_job("two") is None
