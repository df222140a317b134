"""What requests to models cost, and the limits that stop them before they are made.

A request is entered in the ledger with the most it can take (the tokens of its prompt and the most of
its reply) and settled with what the provider counted. Processes that share a database share its
ledger, so a limit per day is that of the project. A price that LiteLLM does not know is unknown, not
zero: such a request counts tokens only.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from foundry.clock import find_day, get_now, get_start
from foundry.config import SpendingConfig
from foundry.errors import (
    KeyMissing,
    ModelRejected,
    ModelUnreachable,
    SpendingLimitReached,
    StoreError,
)
from foundry.records import CallSum, ModelCall, Usage

_UNBILLED = (ModelRejected, ModelUnreachable, KeyMissing)


class Ledger(Protocol):
    """What the meter needs of a store: the requests to models, and a lock between processes."""

    def save_call(self, call: ModelCall) -> int: ...

    def settle_call(self, number: int, call: ModelCall) -> None: ...

    def sum_calls(self, *, since: datetime) -> list[CallSum]: ...

    def lock(self, name: str, /) -> AbstractContextManager[None]: ...


@dataclass(slots=True)
class Charge:
    """A request that is being made; ``usage`` is the most it can take until it is settled."""

    usage: Usage
    estimated: bool = True
    started: bool = False
    """Whether part of the reply has arrived: then a failure does not make it free."""

    def settle(self, usage: Usage) -> None:
        """What the provider counted; one that did not count leaves the estimate."""
        if usage.prompt_tokens or usage.completion_tokens:
            self.usage, self.estimated = usage, False


@dataclass
class Meter:
    """Counts the requests of one run, and refuses those beyond a limit; safe in threads.

    Without a ``ledger`` only the limits of a run apply.
    """

    command: str = "python"
    limits: SpendingConfig = field(default_factory=SpendingConfig)
    ledger: Ledger | None = None
    _run: list[float] = field(default_factory=lambda: [0.0, 0], init=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)

    @contextlib.contextmanager
    def charge(self, model: str, host: str, estimate: Callable[[], Usage]) -> Iterator[Charge]:
        """Enter a request before it is made, and settle it afterwards.

        ``estimate`` says the most that it can take; it is asked only if that matters.

        Raises ``SpendingLimitReached`` if it could exceed a limit.
        """
        most = estimate() if self._is_limited() else Usage()
        call = ModelCall(get_now(), self.command, model, host, most, estimated=True)
        number = self._enter(call) if self._is_limited() else None
        charge = Charge(most)
        try:
            yield charge
        except _UNBILLED:
            if not charge.started:
                charge.usage, charge.estimated = Usage(), False
            raise
        finally:
            if charge.estimated and not self._is_limited():
                charge.usage = estimate()
            with self._lock:
                self._add(most, sign=-1)
                self._add(charge.usage)
            self._save(number, replace(call, usage=charge.usage, estimated=charge.estimated))

    @property
    def limits_cost(self) -> bool:
        """Whether a limit of cost is set, which needs the price of a model."""
        return self.limits.cost_per_run is not None or self.limits.cost_per_day is not None

    def _enter(self, call: ModelCall) -> int | None:
        with self._lock, self._lock_day():
            run = Usage(prompt_tokens=int(self._run[1]), cost=self._run[0])
            self._require_room("cost_per_run", "tokens_per_run", run, call)
            if self._limits_day():
                assert self.ledger is not None
                today = sum_usage(self.ledger.sum_calls(since=self._start_day()))
                self._require_room("cost_per_day", "tokens_per_day", today, call)
            self._add(call.usage)
            # A disk that cannot be written to, or an older database: the run still counts it.
            with contextlib.suppress(StoreError):
                if self.ledger is not None:
                    return self.ledger.save_call(call)
        return None

    def _add(self, usage: Usage, sign: int = 1) -> None:
        self._run[0] += sign * (usage.cost or 0.0)
        self._run[1] += sign * count_tokens_of(usage)

    def _save(self, number: int | None, call: ModelCall) -> None:
        if self.ledger is None or (number is None and not call.usage.calls):
            return
        # What was asked is answered all the same; the entry before it stays.
        with contextlib.suppress(StoreError):
            if number is None:
                self.ledger.save_call(call)
            else:
                self.ledger.settle_call(number, call)

    def _is_limited(self) -> bool:
        limits = self.limits
        run, day = (limits.cost_per_run, limits.tokens_per_run), limits.cost_per_day
        return any(one is not None for one in (*run, day, limits.tokens_per_day))

    def _limits_day(self) -> bool:
        limits = self.limits
        limited = limits.cost_per_day is not None or limits.tokens_per_day is not None
        return limited and self.ledger is not None

    @contextlib.contextmanager
    def _lock_day(self) -> Iterator[None]:
        if not self._limits_day():
            yield
            return
        assert self.ledger is not None
        with self.ledger.lock("spending"):
            yield

    def _start_day(self) -> datetime:
        zone = self.limits.get_zone()
        return get_start(find_day(get_now(), zone), zone)

    def _require_room(self, cost_key: str, tokens_key: str, spent: Usage, call: ModelCall) -> None:
        estimate = call.usage
        most, tokens = getattr(self.limits, cost_key), getattr(self.limits, tokens_key)
        known = estimate.cost or 0.0
        if most is not None and estimate.cost != 0 and (spent.cost or 0.0) + known > most:
            raise SpendingLimitReached(
                "spending-stopped",
                where=f"spending.{cost_key}",
                model=call.model,
                limit=most,
                spent=spent.cost or 0.0,
                estimate=known,
            )
        if tokens is not None and count_tokens_of(spent) + count_tokens_of(estimate) > tokens:
            raise SpendingLimitReached(
                "spending-tokens-stopped",
                where=f"spending.{tokens_key}",
                model=call.model,
                limit=tokens,
                spent=count_tokens_of(spent),
                estimate=count_tokens_of(estimate),
            )


def sum_usage(sums: Iterable[CallSum]) -> Usage:
    """All requests together; requests without a known price add no cost."""
    total = Usage()
    for one in sums:
        total += one.usage
    return total


def count_tokens_of(usage: Usage) -> int:
    """The tokens sent and received."""
    return usage.prompt_tokens + usage.completion_tokens
