"""What every store must do with jobs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from foundry.messages import Message
from foundry.records import FileReport, Job, JobWorker
from foundry.store import MOST_ATTEMPTS, Store

RECIPE = "recipe"
FIRST = Job("job_1", "sources/a.md", ("new",), recipe=RECIPE)
SECOND = Job("job_2", "sources/b.md", recipe=RECIPE)
WORKER = JobWorker("host:7", datetime(2026, 5, 1, tzinfo=UTC))


def take(store: Store, worker: str = "one", *lapsed: Job) -> Job:
    job = store.take_job(worker, RECIPE, lapsed)
    assert job
    return job


class JobsContract:
    """The tests; the fixture ``store`` is an empty store."""

    def test_jobs_are_taken_in_order_and_once(self, store: Store) -> None:
        store.add_jobs([FIRST, SECOND])
        taken = [store.take_job(worker, RECIPE) for worker in ("one", "two", "three")]
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
        done = replace(done, signs=None)
        assert store.list_jobs() == store.list_jobs(["job_1"]) == [done]
        assert store.list_open_jobs() == []
        assert store.list_jobs(["job_9"]) == []

    def test_a_job_that_waits_or_runs_is_not_added_twice(self, store: Store) -> None:
        store.add_jobs([FIRST, SECOND])
        running = take(store)
        store.add_jobs([FIRST, SECOND])
        assert store.list_jobs() == store.list_open_jobs() == [running, SECOND]

    def test_an_ended_job_can_be_added_again(self, store: Store) -> None:
        store.add_jobs([FIRST])
        store.finish_job(replace(take(store), status="failed", reason=Message("work-file-gone")))
        store.add_jobs([FIRST])
        assert [(job.status, job.attempts) for job in store.list_jobs()] == [("waiting", 0)]

    def test_a_newer_job_of_a_file_replaces_one_that_waits(self, store: Store) -> None:
        store.add_jobs([FIRST])
        store.add_jobs([Job("job_3", FIRST.path)])
        assert [job.id for job in store.list_jobs()] == ["job_3"]

    def test_a_lapsed_job_is_taken_up_again(self, store: Store) -> None:
        store.add_jobs([FIRST, SECOND])
        lost = take(store)
        again = take(store, "two", lost)
        assert (again.id, again.worker, again.attempts) == (lost.id, "two", 2)
        assert not store.extend_job(lost)
        assert not store.finish_job(replace(lost, status="done"))
        assert store.finish_job(replace(again, status="done"))

    def test_a_worker_that_gives_signs_of_life_keeps_its_job(self, store: Store) -> None:
        store.add_jobs([FIRST])
        job = take(store)
        (seen,) = store.list_begun_jobs()
        assert store.extend_job(job)
        assert store.take_job("two", RECIPE, [seen]) is None
        assert store.list_begun_jobs() != [seen]

    def test_two_who_see_a_job_lapse_do_not_both_take_it(self, store: Store) -> None:
        store.add_jobs([FIRST])
        lost = take(store)
        assert take(store, "two", lost)
        assert store.take_job("three", RECIPE, [lost]) is None

    def test_a_job_that_no_worker_survives_fails_with_its_reason(self, store: Store) -> None:
        store.add_jobs([FIRST])
        lost: tuple[Job, ...] = ()
        for _ in range(MOST_ATTEMPTS):
            lost = (take(store, "one", *lost),)
        assert store.take_job("one", RECIPE, lost) is None
        (job,) = store.list_jobs()
        assert (job.status, job.reason) == ("failed", Message("work-lost", n=MOST_ATTEMPTS))

    def test_an_attempt_that_failed_is_repeated_when_its_pause_is_over(self, store: Store) -> None:
        store.add_jobs([FIRST])
        store.finish_job(replace(take(store), status="waiting", reason=Message("work-busy", n=1)))
        assert store.take_job("two", RECIPE) is None
        assert take(store, "two", *store.list_begun_jobs()).attempts == 2

    def test_a_job_that_was_handed_back_is_free_at_once(self, store: Store) -> None:
        store.add_jobs([FIRST])
        store.finish_job(replace(take(store), status="waiting"))
        assert take(store, "two").attempts == 2

    def test_a_worker_with_another_recipe_gets_no_job(self, store: Store) -> None:
        store.add_jobs([FIRST])
        assert store.take_job("two", "other") is None
        assert store.find_foreign_job("other") == FIRST
        assert store.find_foreign_job(RECIPE) is None

    def test_jobs_are_open_until_they_end(self, store: Store) -> None:
        store.add_jobs([FIRST, SECOND])
        job = take(store)
        assert store.count_open_jobs() == 2
        store.finish_job(replace(job, status="done"))
        assert store.count_open_jobs() == 1

    @pytest.mark.parametrize(("paths", "cancelled"), [(None, 2), (["sources/b.md"], 1)])
    def test_jobs_can_be_cancelled(
        self, store: Store, paths: list[str] | None, cancelled: int
    ) -> None:
        store.add_jobs([FIRST, SECOND])
        running = take(store)
        assert store.cancel_jobs(paths) == cancelled
        assert store.extend_job(running) is (paths is not None)
        assert store.take_job("two", RECIPE) is None

    def test_a_worker_that_gave_a_sign_since_is_not_removed(self, store: Store) -> None:
        store.sign_worker(WORKER)
        (seen,) = store.list_workers()
        store.sign_worker(WORKER)
        store.remove_workers([seen])
        assert store.list_workers() == [replace(WORKER, signs=2)]
        store.remove_workers(store.list_workers())
        assert store.list_workers() == []
