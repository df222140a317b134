"""What every store must do when the clock jumps: nothing is lost or changes places."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from foundry.clock import set_clock
from foundry.store import Store
from tests.store.records import make_draft, make_query

NOON = datetime(2026, 10, 25, 12, tzinfo=UTC)
JUMPS = [timedelta(), timedelta(days=400), timedelta(days=-3), timedelta(minutes=1)]


class ClockContract:
    """The tests; the fixture ``store`` is an empty store."""

    def test_the_log_keeps_its_order(self, store: Store) -> None:
        for number, jump in enumerate(JUMPS):
            store.log_query(replace(make_query(f"qry_{number}"), time=NOON + jump))
        assert [row.id for row in store.list_queries(9)] == ["qry_3", "qry_2", "qry_1", "qry_0"]
        moments = [row.moment for row in store.query_figures()]
        assert moments == [(NOON + jump).timestamp() for jump in JUMPS]

    def test_the_latest_draft_is_the_one_that_was_saved_last(self, store: Store) -> None:
        for number, jump in enumerate(JUMPS):
            store.save_draft(make_draft(f"output/{number}.md", created=NOON + jump))
        first = make_draft("output/0.md", created=NOON)
        store.save_draft(replace(first, topic="Accepted later"))
        assert [draft.path[7] for draft in store.list_drafts()] == ["3", "2", "1", "0"]
        store.save_draft(replace(first, created=NOON - timedelta(days=9)))
        assert [draft.path[7] for draft in store.list_drafts()] == ["0", "3", "2", "1"]

    def test_the_log_is_kept_for_as_many_days_whatever_the_zone(self, store: Store) -> None:
        for hours in (0, 2):
            store.log_query(replace(make_query(f"qry_{hours}"), time=NOON + timedelta(hours=hours)))
        with set_clock(lambda: NOON + timedelta(days=30, hours=1)):
            store.prune_log(30)
        assert [row.id for row in store.list_queries(9)] == ["qry_2"]
