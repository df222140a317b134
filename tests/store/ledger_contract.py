"""What every store must do with requests to models."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from foundry.records import CallSum, ModelCall, Usage
from foundry.store import Store

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MOST = ModelCall(NOON, "ask", "openai/a", "api.openai.com", Usage(1, 100, 2000, 0.5), True)


class LedgerContract:
    """The tests; the fixture ``store`` is an empty store."""

    def test_a_request_is_entered_and_then_settled(self, store: Store) -> None:
        number = store.save_call(MOST)
        assert store.sum_calls()[0].usage == MOST.usage
        store.settle_call(number, replace(MOST, usage=Usage(1, 90, 10, 0.01), estimated=False))
        assert store.sum_calls()[0].usage == Usage(1, 90, 10, 0.01)

    def test_requests_are_summed_by_command_and_model(self, store: Store) -> None:
        unknown = replace(MOST, model="openai/b", usage=Usage(1, 1, 1, None))
        for call in (MOST, unknown, unknown, replace(MOST, command="ingest")):
            store.save_call(call)
        assert [
            (one.command, one.model, one.usage.calls, one.usage.cost, one.unpriced)
            for one in store.sum_calls()
        ] == [
            ("ask", "openai/a", 1, 0.5, 0),
            ("ask", "openai/b", 2, 0.0, 2),
            ("ingest", "openai/a", 1, 0.5, 0),
        ]

    def test_only_requests_of_the_period_are_summed(self, store: Store) -> None:
        for hours in (0, 1, 2):
            store.save_call(replace(MOST, time=NOON + timedelta(hours=hours)))
        found = store.sum_calls(since=NOON + timedelta(hours=1), until=NOON + timedelta(hours=2))
        assert [one.time for one in found] == [NOON + timedelta(hours=1)]

    def test_nothing_was_spent_at_first(self, store: Store) -> None:
        found: list[CallSum] = store.sum_calls(since=NOON)
        assert found == []
