"""One try of a model call, under a deadline that holds whatever the server does.

HTTP time-outs bound a single read: a server that sends a byte now and then is
never late. So each try runs in a thread of its own and the caller waits for it
no longer than the deadline; then the connection is shut down, which frees the
thread. This module knows threads and connections, no models and no LiteLLM.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

_current = threading.local()

_POLL_S = 0.2
"""The longest that an interrupt goes unseen."""


class DeadlineExceeded(Exception):
    """The server did not answer within the deadline."""


class Exchange:
    """The HTTP side of one try: the last response, and a way to cut it off."""

    def __init__(self) -> None:
        self.response: Any = None
        self.aborted = threading.Event()

    @property
    def status(self) -> int | None:
        """The HTTP status that was really received, None where no response came."""
        return int(self.response.status_code) if self.response is not None else None

    @property
    def complete(self) -> bool:
        """True when a response arrived and its body was read to the end."""
        if self.response is None:
            return False
        try:
            return self.response.content is not None
        except Exception:  # noqa: BLE001  (httpx raises several kinds for an unread body)
            return False

    def abort(self) -> None:
        """Shut the connection down: the server sees it at once, a blocked read ends."""
        self.aborted.set()
        stream = self.response.extensions.get("network_stream") if self.response else None
        connection = stream.get_extra_info("socket") if stream else None
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def open_session() -> Any:
    """An ``httpx.Client`` that reports its responses to the exchange of the calling thread.

    Redirects are not followed: they would lead to hosts that the configuration
    does not name. Loopback addresses are reached without a proxy.
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
    """Run ``work`` in a thread and return its result, or raise its error.

    Raises ``DeadlineExceeded`` after ``parse_seconds``; the connection is then cut.
    """
    box: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()

    def run() -> None:
        _current.exchange = exchange
        try:
            box.put((True, work()))
        except BaseException as error:  # noqa: BLE001  (it is raised again by the caller)
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


def iterate_bounded(
    open_stream: Callable[[], Iterator[T]], exchange: Exchange, silence: float, total: float
) -> Generator[T, None, None]:
    """Yield what the stream yields; the stream is opened and read in a thread.

    Raises ``DeadlineExceeded`` when nothing came for ``silence`` seconds, or the
    stream lasts longer than ``total``. Closing the generator shuts the connection
    down.
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
        except BaseException as error:  # noqa: BLE001  (it is raised again by the caller)
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
    """The next item, waiting at most so long; raises ``queue.Empty``.

    Waits in short turns: an interrupt that comes just before a wait begins is only seen
    when the wait is over.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            return box.get(timeout=max(0.0, min(_POLL_S, end - time.monotonic())))
        except queue.Empty:
            if time.monotonic() >= end:
                raise


def _start_thread(run: Callable[[], None]) -> None:
    # A daemon: a server that never answers must not keep the process alive.
    threading.Thread(target=run, name="model-call", daemon=True).start()
