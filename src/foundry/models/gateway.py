"""The way out: every remote model call passes here, bounded in time, number and retries.

It knows how to try again and when to give up; what is asked and what comes back
is for its callers. Waits between tries follow the server's ``Retry-After`` or
grow exponentially with jitter, and never add up to more than 60 seconds.
"""

from __future__ import annotations

import contextlib
import math
import queue
import random
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, TypeVar

from foundry.errors import FoundryError, ModelTimeout
from foundry.models.deadlines import Exchange, iterate_bounded, run_bounded, take
from foundry.models.failures import CallFailure, classify_error
from foundry.models.litellm_client import load_litellm
from foundry.models.providers import Target, needs_key
from foundry.models.settings import ModelSettings

MAX_WAIT_S = 60.0
"""All waits of one call together."""

_LONGEST_PAUSE_S = 20.0
# How many time-outs a call waits for a free slot, and a stream may last in all.
_PATIENCE = 10

T = TypeVar("T")
R = TypeVar("R")


class _CallFailed(Exception):
    def __init__(self, fault: CallFailure) -> None:
        super().__init__(str(fault.error))
        self.fault = fault


def call(target: Target, settings: ModelSettings, work: Callable[[], T]) -> T:
    """Run ``work`` (one HTTP request) until it succeeds or trying again is no use.

    Each try takes a slot and at most ``timeout_s``. Raises the ``ModelError`` tree.
    """

    def attempt() -> T:
        exchange = Exchange()
        try:
            with _acquire_slot(target, settings):
                return run_bounded(work, exchange, settings.timeout_s)
        except Exception as error:
            raise _CallFailed(classify_error(error, target, settings, exchange)) from error

    return _retry(attempt, settings)


def stream(
    target: Target, settings: ModelSettings, open_stream: Callable[[], Iterator[T]]
) -> Generator[T, None, None]:
    """Yield what the stream yields. Another try is made only before the first piece.

    ``timeout_s`` bounds the silence before each piece, and ten times it the whole.
    Closing the iterator closes the connection and frees the slot.
    """
    pieces, first = _retry(lambda: _open_until_first(target, settings, open_stream), settings)
    with contextlib.closing(pieces):
        yield from first
        try:
            yield from pieces
        except _CallFailed as failed:
            raise failed.fault.error from failed.__cause__


def map_calls(function: Callable[[T], R], items: Iterable[T], limit: int) -> Iterator[R]:
    """``function`` of every item, at most ``limit`` at a time, results in the order of items.

    An error is raised where its result would have come, and nothing new is begun
    once one has happened. Closing the iterator does the same. Items are taken
    as threads come free.
    """
    waiting = iter(items)
    if limit <= 1:
        yield from map(function, waiting)
        return
    done: queue.SimpleQueue[tuple[int, bool, Any]] = queue.SimpleQueue()
    results: dict[int, tuple[bool, Any]] = {}
    started = 0
    with contextlib.suppress(StopIteration):
        while started < limit:
            _start_call(function, next(waiting), started, done)
            started += 1
    wanted, failed = 0, False
    while wanted < started:
        place, succeeded, value = take(done, math.inf)
        results[place] = (succeeded, value)
        failed = failed or not succeeded
        if not failed:
            with contextlib.suppress(StopIteration):
                _start_call(function, next(waiting), started, done)
                started += 1
        while wanted in results:
            succeeded, value = results.pop(wanted)
            if not succeeded:
                raise value
            wanted += 1
            yield value


def request_arguments(target: Target, settings: ModelSettings) -> dict[str, Any]:
    """What every LiteLLM call of this target is given: names, address, key, time-out."""
    load_litellm()
    arguments: dict[str, Any] = {
        "model": target.litellm_name,
        "api_base": target.sent_base,
        # The client insists on a key where the server wants none.
        "api_key": target.api_key or (None if needs_key(target) else "unused"),
        "timeout": settings.timeout_s,
        "max_retries": 0,
    }
    if target.provider == "azure":
        arguments["api_version"] = settings.environment.get("AZURE_API_VERSION")
    return arguments


def _start_call(
    function: Callable[[T], R], item: T, place: int, done: queue.SimpleQueue[tuple[int, bool, Any]]
) -> None:
    def run() -> None:
        try:
            done.put((place, True, function(item)))
        except BaseException as error:  # noqa: BLE001  (it is raised again by map_calls)
            done.put((place, False, error))

    # Daemons: an interrupted run must not wait for servers that stall.
    threading.Thread(target=run, name=f"model-call-{place}", daemon=True).start()


def _open_until_first(
    target: Target, settings: ModelSettings, open_stream: Callable[[], Iterator[T]]
) -> tuple[Generator[T, None, None], list[T]]:
    """Open a stream as far as its first piece; an empty stream has none."""
    pieces = _iterate_stream(target, settings, open_stream)
    for piece in pieces:
        return pieces, [piece]
    return pieces, []


def _iterate_stream(
    target: Target, settings: ModelSettings, open_stream: Callable[[], Iterator[T]]
) -> Generator[T, None, None]:
    exchange = Exchange()
    try:
        with _acquire_slot(target, settings):
            bounded = iterate_bounded(
                open_stream, exchange, settings.timeout_s, settings.timeout_s * _PATIENCE
            )
            with contextlib.closing(bounded):
                yield from bounded
    except Exception as error:
        raise _CallFailed(classify_error(error, target, settings, exchange)) from error


@contextlib.contextmanager
def _acquire_slot(target: Target, settings: ModelSettings) -> Iterator[None]:
    if not settings.slots.acquire(timeout=settings.timeout_s * _PATIENCE):
        raise ModelTimeout(
            f"No call to {target.model} could begin: {settings.max_concurrency} others are running.",
            where=target.host,
            fix="Raise models.max_concurrency, or wait until they are done.",
        )
    try:
        yield
    finally:
        settings.slots.release()


def _retry(attempt: Callable[[], T], settings: ModelSettings) -> T:
    # Imported here with the rest of what a remote call needs.
    import tenacity

    def pause(state: tenacity.RetryCallState) -> float:
        fault = _get_failure(state)
        if fault.retry_after is not None:
            return fault.retry_after
        grown = settings.retry_wait_s * 2 ** (state.attempt_number - 1)
        return float(min(grown, _LONGEST_PAUSE_S)) * random.uniform(1.0, 1.5)  # noqa: S311  (no secret)

    def too_long(state: tenacity.RetryCallState) -> bool:
        return bool(state.idle_for + state.upcoming_sleep > MAX_WAIT_S)

    retrying = tenacity.Retrying(
        stop=lambda state: state.attempt_number > settings.max_retries or too_long(state),
        wait=pause,
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, _CallFailed) and error.fault.retried
        ),
        reraise=True,
    )
    try:
        return retrying(attempt)
    except _CallFailed as failed:
        raise _add_tries(failed.fault, retrying) from failed.__cause__


def _get_failure(state: Any) -> CallFailure:
    error = state.outcome.exception()
    return error.fault  # type: ignore[no-any-return]


def _add_tries(fault: CallFailure, retrying: Any) -> FoundryError:
    """Say how often it was tried, and when the server asked for more patience than there is."""
    error = fault.error
    tries = int(retrying.statistics.get("attempt_number", 1))
    if not fault.retried:
        return error
    message = error.message if tries == 1 else f"{error.message} Tried {tries} times."
    if fault.retry_after and fault.retry_after > MAX_WAIT_S:
        message += f" The server asks to wait {fault.retry_after:.0f} s."
    return type(error)(message, where=error.where, fix=error.fix)
