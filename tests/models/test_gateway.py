"""Concurrent calls and their limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from foundry.errors import SpendingLimitReached
from foundry.models import ModelSettings, get_generator, map_calls
from foundry.ports import ChatMessage
from tests.support.model_server import ModelServer, Request, Text

Settings = Callable[..., ModelSettings]


def test_results_come_in_the_order_of_the_items() -> None:
    def slow_first(item: int) -> int:
        time.sleep(0.05 if item == 0 else 0)
        return item * 2

    assert list(map_calls(slow_first, range(6), 3)) == [0, 2, 4, 6, 8, 10]


def test_an_error_is_raised_in_its_place_and_stops_the_rest() -> None:
    begun = []

    def fail_at_three(item: int) -> int:
        begun.append(item)
        if item == 3:
            raise ValueError("three")
        return item

    results = map_calls(fail_at_three, range(1000), 2)
    assert [next(results), next(results), next(results)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)
    assert len(begun) < 10


def test_a_limit_of_spending_waits_for_the_calls_that_are_paid_for() -> None:
    kept = []

    def write(item: int) -> int:
        if item == 0:
            raise SpendingLimitReached("spending-stopped")
        time.sleep(0.05)
        kept.append(item)
        return item

    with pytest.raises(SpendingLimitReached):
        list(map_calls(write, range(9), 3))
    assert sorted(kept) == [1, 2]


def test_items_are_taken_as_they_are_needed() -> None:
    taken = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    results = map_calls(lambda item: item, items(), 4)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(taken) < 10


@pytest.mark.parametrize("limit", [1, 4])
def test_no_items_give_no_results(limit: int) -> None:
    assert list(map_calls(str, [], limit)) == []


def test_models_with_the_same_settings_share_the_limit(
    server: ModelServer, settings: Settings
) -> None:
    running, most = 0, 0
    lock = threading.Lock()

    def watch(request: Request) -> Text:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.05)
        with lock:
            running -= 1
        return Text("yes")

    server.default = watch
    shared = settings(max_concurrency=2)
    generators = [get_generator(f"openai/m{n}", shared) for n in range(8)]
    ask = [ChatMessage("user", "?")]
    replies = list(map_calls(lambda one: one.generate(ask), generators, 8))
    assert len(replies) == 8
    assert most == 2
