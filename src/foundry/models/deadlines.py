"""Hard deadlines for HTTP calls.

An HTTP time-out bounds a single read, so a server that sends a byte now and then
never runs into it. Here each attempt runs in a thread, and the caller waits no
longer than the deadline before shutting the connection down, which ends the
thread. This module knows threads and connections, but not models or LiteLLM.
"""

from __future__ import annotations

import contextlib
import math
import queue
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

_current = threading.local()

_POLL_S = 0.2
"""Longest delay before an interrupt is noticed."""


class DeadlineExceeded(Exception):
    """The server did not answer within the deadline."""


class Exchange:
    """The HTTP side of one attempt: its latest response, and a way to abort it."""

    def __init__(self) -> None:
        self.response: Any = None
        self.aborted = threading.Event()

    @property
    def status(self) -> int | None:
        """The HTTP status received, or None if there was no response."""
        return int(self.response.status_code) if self.response is not None else None

    @property
    def complete(self) -> bool:
        """True if a response arrived and its body was read to the end."""
        if self.response is None:
            return False
        try:
            return self.response.content is not None
        except Exception:  # noqa: BLE001  (httpx raises several types for an unread body)
            return False

    def abort(self) -> None:
        """Shut the connection down; the server notices at once and a blocked read ends."""
        self.aborted.set()
        stream = self.response.extensions.get("network_stream") if self.response else None
        connection = stream.get_extra_info("socket") if stream else None
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def open_session() -> Any:
    """An ``httpx.Client`` that reports each response to the calling thread's exchange.

    It does not follow redirects, which could lead to hosts that the configuration
    does not name, and it bypasses proxies for loopback addresses.
    """
    import httpx

    return httpx.Client(
        event_hooks={"response": [_note_response]},
        follow_redirects=False,
        mounts={f"all://{host}": None for host in ("127.0.0.1", "localhost", "[::1]")},
    )


def _note_response(response: Any) -> None:
    exchange = getattr(_current, "exchange", None)
    if exchange is not None:
        exchange.response = response
        if exchange.aborted.is_set():
            exchange.abort()


def run_bounded(work: Callable[[], T], exchange: Exchange, seconds: float) -> T:
    """Run ``work`` in a thread; return its result or raise its error.

    After ``seconds`` it aborts the exchange and raises ``DeadlineExceeded``.
    """
    box: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()

    def run() -> None:
        _current.exchange = exchange
        try:
            box.put((True, work()))
        except BaseException as error:  # noqa: BLE001  (the caller raises it again)
            box.put((False, error))

    _start_thread(run)
    try:
        succeeded, value = take(box, seconds)
    except queue.Empty:
        exchange.abort()
        raise DeadlineExceeded from None
    except BaseException:
        exchange.abort()
        raise
    if succeeded:
        return value  # type: ignore[no-any-return]
    raise value


def run_interruptibly(work: Callable[[], T]) -> T:
    """Run ``work``, and on Ctrl-C do not wait for its end: its thread is abandoned.

    For native code, during which an interrupt would go unnoticed.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    return run_bounded(work, Exchange(), math.inf)


def iterate_bounded(
    open_stream: Callable[[], Iterator[T]], exchange: Exchange, silence: float, total: float
) -> Generator[T, None, None]:
    """Open and read a stream in a thread, and yield its items.

    Raises ``DeadlineExceeded`` after ``silence`` seconds without an item, or ``total``
    seconds in all. Closing the generator shuts the connection down.
    """
    box: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def run() -> None:
        _current.exchange = exchange
        try:
            for item in open_stream():
                if exchange.aborted.is_set():
                    return
                box.put(("item", item))
            box.put(("end", None))
        except BaseException as error:  # noqa: BLE001  (the caller raises it again)
            box.put(("error", error))

    _start_thread(run)
    finished = False
    end = time.monotonic() + total
    try:
        while time.monotonic() < end:
            kind, value = take(box, silence)
            finished = kind != "item"
            if kind == "error":
                raise value
            if kind == "end":
                return
            yield value
        raise DeadlineExceeded
    except queue.Empty:
        raise DeadlineExceeded from None
    finally:
        if not finished:
            exchange.abort()


def take(box: queue.SimpleQueue[T], seconds: float) -> T:
    """The next item of the queue; raises ``queue.Empty`` after ``seconds``.

    It waits in short turns, because an interrupt that arrives just before a wait is
    noticed only after it.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            return box.get(timeout=max(0.0, min(_POLL_S, end - time.monotonic())))
        except queue.Empty:
            if time.monotonic() >= end:
                raise


def _start_thread(run: Callable[[], None]) -> None:
    # A daemon, so that a server that never answers cannot keep the process alive.
    threading.Thread(target=run, name="model-call", daemon=True).start()
