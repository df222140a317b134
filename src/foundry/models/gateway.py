"""Remote model calls, limited in time, concurrency and retries.

The gateway knows when to retry and when to give up; requests and replies belong to
its callers. Pauses between attempts follow the server's ``Retry-After`` or grow
exponentially with jitter, and never add up to more than 60 seconds.
"""

from __future__ import annotations

import contextlib
import math
import queue
import random
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, TypeVar

from foundry.errors import FoundryError, ModelTimeout, SpendingLimitReached
from foundry.messages import Message
from foundry.models.deadlines import Exchange, iterate_bounded, run_bounded, take
from foundry.models.failures import CallFailure, classify_error
from foundry.models.litellm_client import load_litellm
from foundry.models.providers import Target, needs_key
from foundry.models.settings import ModelSettings

MAX_WAIT_S = 60.0
"""Upper bound for the sum of all pauses of one call; a person is waiting for the answer."""

_LONGEST_PAUSE_S = 20.0
# A call waits this many time-outs for a free slot; a stream may last as long in all. A guess:
# long enough for a queue of slow local replies.
_PATIENCE = 10

T = TypeVar("T")
R = TypeVar("R")


class _CallFailed(Exception):
    def __init__(self, failure: CallFailure) -> None:
        super().__init__(str(failure.error))
        self.failure = failure


def call(target: Target, settings: ModelSettings, work: Callable[[], T], *, limit: int) -> T:
    """Run ``work`` (one HTTP request), and retry it where that can help.

    Each attempt takes a slot, at most ``timeout_s``, and reads at most ``limit`` bytes.
    Raises ``ModelError`` and its subclasses.
    """

    def attempt() -> T:
        exchange = Exchange(limit)
        try:
            with _acquire_slot(target, settings):
                return run_bounded(work, exchange, settings.timeout_s)
        except Exception as error:
            raise _CallFailed(classify_error(error, target, settings, exchange)) from error

    return _retry(attempt, settings)


def stream(
    target: Target, settings: ModelSettings, open_stream: Callable[[], Iterator[T]], *, limit: int
) -> Generator[T, None, None]:
    """Yield the items of a stream; it is retried only before the first one.

    ``timeout_s`` bounds the silence before each item, ten times that the whole stream, and
    ``limit`` its bytes. Closing the generator closes the connection and frees the slot.
    """
    pieces, first = _retry(
        lambda: _open_until_first(_iterate_stream(target, settings, open_stream, limit)), settings
    )
    with contextlib.closing(pieces):
        yield from first
        try:
            yield from pieces
        except _CallFailed as failed:
            raise failed.failure.error from failed.__cause__


def map_calls(function: Callable[[T], R], items: Iterable[T], limit: int) -> Iterator[R]:
    """Apply ``function`` to each item in at most ``limit`` threads; yield results in order.

    An error is raised in its result's place, a limit of spending once the calls under way have
    ended: they are paid for, and ``function`` may keep what they give. After an error, or once the
    iterator is closed, no further call starts. Items are taken as threads become free.
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
    wanted, failed, ended = 0, False, 0
    while wanted < started:
        number, succeeded, value = take(done, math.inf)
        ended += 1
        results[number] = (succeeded, value)
        failed = failed or not succeeded
        if not failed:
            with contextlib.suppress(StopIteration):
                _start_call(function, next(waiting), started, done)
                started += 1
        while wanted in results:
            succeeded, value = results.pop(wanted)
            if not succeeded:
                if isinstance(value, SpendingLimitReached):
                    for _ in range(started - ended):
                        take(done, math.inf)
                raise value
            wanted += 1
            yield value


def request_arguments(target: Target, settings: ModelSettings) -> dict[str, Any]:
    """The arguments of every LiteLLM call to this target: name, address, key, time-out."""
    load_litellm()
    arguments: dict[str, Any] = {
        "model": target.litellm_name,
        "api_base": target.sent_base,
        # The client insists on a key even where the server needs none.
        "api_key": target.api_key or (None if needs_key(target) else "unused"),
        "timeout": settings.timeout_s,
        "max_retries": 0,
    }
    if target.provider == "azure":
        arguments["api_version"] = settings.environment.get("AZURE_API_VERSION")
    return arguments


def _start_call(
    function: Callable[[T], R], item: T, number: int, done: queue.SimpleQueue[tuple[int, bool, Any]]
) -> None:
    def run() -> None:
        try:
            done.put((number, True, function(item)))
        except BaseException as error:  # noqa: BLE001  (map_calls raises it again)
            done.put((number, False, error))

    # Daemons, so that an interrupted run does not wait for stalled servers.
    threading.Thread(target=run, name=f"model-call-{number}", daemon=True).start()


def _open_until_first(pieces: Generator[T, None, None]) -> tuple[Generator[T, None, None], list[T]]:
    """A stream and its first item; the list is empty if there is none."""
    for piece in pieces:
        return pieces, [piece]
    return pieces, []


def _iterate_stream(
    target: Target, settings: ModelSettings, open_stream: Callable[[], Iterator[T]], limit: int
) -> Generator[T, None, None]:
    exchange = Exchange(limit)
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
            "models-no-slot",
            where=target.host,
            model=target.model,
            running=settings.max_concurrency,
        )
    try:
        yield
    finally:
        settings.slots.release()


def _retry(attempt: Callable[[], T], settings: ModelSettings) -> T:
    # Imported here: only remote calls need it.
    import tenacity

    def pause(state: tenacity.RetryCallState) -> float:
        failure = _get_failure(state)
        if failure.retry_after is not None:
            return failure.retry_after
        grown = settings.retry_wait_s * 2 ** (state.attempt_number - 1)
        return float(min(grown, _LONGEST_PAUSE_S)) * random.uniform(1.0, 1.5)  # noqa: S311  (not a secret)

    def too_long(state: tenacity.RetryCallState) -> bool:
        return bool(state.idle_for + state.upcoming_sleep > MAX_WAIT_S)

    retrying = tenacity.Retrying(
        stop=lambda state: state.attempt_number > settings.max_retries or too_long(state),
        wait=pause,
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, _CallFailed) and error.failure.retried
        ),
        reraise=True,
    )
    try:
        return retrying(attempt)
    except _CallFailed as failed:
        raise _add_tries(failed.failure, retrying) from failed.__cause__


def _get_failure(state: Any) -> CallFailure:
    error = state.outcome.exception()
    return error.failure  # type: ignore[no-any-return]


def _add_tries(failure: CallFailure, retrying: Any) -> FoundryError:
    """The failure's error, with the number of attempts and a long ``Retry-After``."""
    error = failure.error
    tries = int(retrying.statistics.get("attempt_number", 1))
    if not failure.retried:
        return error
    waits = failure.retry_after or 0.0
    added = {
        "tried": Message("models-tried", tries=tries) if tries > 1 else "",
        "wait": Message("models-wait", seconds=round(waits)) if waits > MAX_WAIT_S else "",
    }
    problem = Message(error.problem.code, **{**error.problem.params, **added})
    return type(error)(problem, where=error.where)
