"""Hard limits on the time and the size of HTTP calls.

An HTTP time-out bounds a single read, so a server that sends a byte now and then
never runs into it. Here each attempt runs in a thread, and the caller waits no
longer than the deadline before shutting the connection down, which ends the
thread. A body is read up to a limit that counts decoded bytes, so that a small
compressed one cannot fill the memory. This module knows threads and connections,
but not models or LiteLLM.
"""

from __future__ import annotations

import contextlib
import math
import queue
import socket
import threading
import time
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

_current = threading.local()

_POLL_S = 0.2
"""Longest delay before an interrupt is noticed."""


class DeadlineExceeded(Exception):
    """The server did not answer within the deadline."""


class ReplyTooLarge(Exception):
    """The server sent more than it was asked for."""


class Exchange:
    """The HTTP side of one attempt: its latest response, and a way to abort it.

    ``limit`` is the most bytes of decoded body that are read; ``oversized`` is true once
    there were more.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.oversized = False
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

    It reads a body up to the exchange's limit. It does not follow redirects, which could
    lead to hosts that the configuration does not name, and it bypasses proxies for
    loopback addresses.
    """
    import httpx

    class BoundedBody(httpx.SyncByteStream):
        def __init__(self, body: Any, exchange: Exchange, encoding: str) -> None:
            self.body, self.exchange, self.encoding = body, exchange, encoding

        def __iter__(self) -> Iterator[bytes]:
            if self.encoding not in _ENCODINGS:
                raise httpx.DecodingError(f"Content-Encoding: {self.encoding!r}")
            yield from _read_bounded(self.body, self.exchange, packed=bool(self.encoding))

        def close(self) -> None:
            self.body.close()

    def note_response(response: Any) -> None:
        exchange = getattr(_current, "exchange", None)
        if exchange is None:
            return
        # Decoded here instead of by httpx, which decodes each piece whole, however long it gets.
        encoding = response.headers.pop("content-encoding", "").strip().lower()
        response.stream = BoundedBody(response.stream, exchange, encoding.replace("identity", ""))
        exchange.response = response
        if exchange.aborted.is_set():
            exchange.abort()

    return httpx.Client(
        event_hooks={"response": [note_response]},
        headers={"Accept-Encoding": "gzip, deflate"},
        follow_redirects=False,
        mounts={f"all://{host}": None for host in ("127.0.0.1", "localhost", "[::1]")},
    )


_ENCODINGS = ("", "gzip", "x-gzip", "deflate")
_GZIP_OR_ZLIB = 47
"""The window size by which zlib recognises either header."""


def _read_bounded(body: Iterable[bytes], exchange: Exchange, *, packed: bool) -> Iterator[bytes]:
    decoder = zlib.decompressobj(_GZIP_OR_ZLIB) if packed else None
    left = exchange.limit
    for piece in body:
        plain = decoder.decompress(piece, left + 1) if decoder else piece
        left -= len(plain)
        if left < 0:
            exchange.oversized = True
            raise ReplyTooLarge
        yield plain


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
    return run_bounded(work, Exchange(limit=0), math.inf)


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
