"""The connections of a server: how many there may be, and how long one may be without a request.

A connection costs as much as a request, and needs no token. So one on which no request arrives in
time is closed, and there are no more of them than this process has files for.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0
"""Seconds for a request's head, for the rest of a body after its reply was sent, and for reading
part of a reply (a guess): a head is one packet."""
MOST = 1000
"""Connections of a process that may open enough files (a guess)."""
FILES = 65_536
"""Files of a process with several projects (a guess): a project has three for each thread that uses it."""
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Connection: close\r\nContent-Length: 0\r\nRetry-After: 10\r\n\r\n"
)


def choose_limit() -> int:
    """Return at most half of the files that this process may open: answers and uploads need some too."""
    try:
        import resource  # Windows has none.
    except ImportError:
        return MOST
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if soft == resource.RLIM_INFINITY else min(MOST, soft // 2)


def allow_files() -> None:
    """Raise the limit of open files as far as the system allows: open projects need many."""
    try:
        import resource  # Windows has none.
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@dataclass
class Room:
    """The number of a server's connections, and its limit."""

    limit: int = field(default_factory=choose_limit)
    head_s: float = HEAD_S
    taken: int = 0

    @property
    def is_crowded(self) -> bool:
        """Whether it is nearly full, so that monitoring still gets a reply."""
        return self.taken >= self.limit * 0.9


class BoundedProtocol(H11Protocol):
    """HTTP on one connection, within the limits of a ``Room``."""

    def __init__(self, room: Room, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._room, self._counted = room, False
        self._timer: asyncio.TimerHandle | None = None
        self._unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        if self._room.taken >= self._room.limit:
            transport.write(_FULL)
            transport.close()
            return
        self._room.taken += 1
        self._counted = True
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._counted:
            return
        self._room.taken -= 1
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch()

    def _end_reply(self) -> None:
        super().on_response_complete()
        self._watch()

    on_response_complete = _end_reply  # uvicorn's name for it

    def _watch(self) -> None:
        """Run the timer while the client keeps us waiting, for a request or to read a reply."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and not self.flow.write_paused:
            self._stop_watching()
        elif self._timer is None:
            self._timer = self.loop.call_later(self._room.head_s, self._end)

    def _stop_watching(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        """Close the connection, unless the client has read some of its reply meanwhile."""
        self._timer, before = None, self._unsent
        self._unsent = self.transport.get_write_buffer_size()
        if self._unsent not in {0, before}:
            self._watch()
        else:
            self.transport.abort()


class LoopLog:
    """Logs errors of the event loop, and failures to accept a connection at most once a second.

    Without a free file asyncio tries thousands of times a second, and would write each of them.
    """

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "accept()" not in context.get("message", ""):
            loop.default_exception_handler(context)
        elif loop.time() >= self._next:
            self._next = loop.time() + 1
            facts = {"cause": str(context.get("exception", ""))}
            logging.getLogger("foundry.web").error("not accepted", extra={"facts": facts})
