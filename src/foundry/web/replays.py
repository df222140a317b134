"""Repeated requests: the second gets the reply to the first, and nothing is done twice.

A client that lost the connection cannot know whether its request arrived. With the same header
``Idempotency-Key`` it may simply repeat it. Replies are kept in memory, for this server's life.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from copy import copy
from typing import Annotated, Any, TypeVar

from fastapi import Header

from foundry.errors import KeyReused
from foundry.ids import hash_text

Reply = TypeVar("Reply")
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]
"""A key that the client chooses, a random one for each request."""
KEPT = 1000
"""Replies that are kept (a guess): a client repeats within seconds."""


class Replays:
    """The replies of requests with a key."""

    def __init__(self) -> None:
        self.project = ""
        self._replies: OrderedDict[tuple[str, ...], tuple[str, Any]] = OrderedDict()
        self._running: dict[tuple[str, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    def limit_to(self, project: str) -> Replays:
        """Return the replies of one project on a server; those of all are kept together."""
        limited = copy(self)
        limited.project = project
        return limited

    def run(
        self,
        key: str | None,
        scope: tuple[str, ...],
        asked: Callable[[], str],
        make: Callable[[], Reply],
    ) -> Reply:
        """Return what ``make`` returns, or returned earlier for this key and scope; keeps no errors.

        ``asked`` returns the request as text. Raises ``KeyReused`` if the earlier one differed.
        """
        if key is None:
            return make()
        request = hash_text(asked())
        whole = (self.project, *scope, key)
        with self._lock:
            running = self._running.setdefault(whole, threading.Lock())
        with running:
            if whole not in self._replies:
                self._keep(whole, (request, make()))
            first, reply = self._replies[whole]
            if first != request:
                raise KeyReused("web-key-reused", where="Idempotency-Key")
            kept: Reply = reply
            return kept

    def _keep(self, key: tuple[str, ...], reply: tuple[str, object]) -> None:
        with self._lock:
            self._replies[key] = reply
            while len(self._replies) > KEPT:
                self._running.pop(self._replies.popitem(last=False)[0], None)
