"""What time it is, for all that is logged, leased or expires.

Times are kept in UTC and shown in local time. ``set_clock`` puts another clock in place. A duration
is measured by ``time.monotonic`` or ``time.perf_counter``, which never jump, and an order that
matters is that of a sequence: a clock may go back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, tzinfo

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2200, 1, 1)
"""The days that can be asked about: all machines compute with these, in every zone."""

Clock = Callable[[], datetime]


def _read_system_clock() -> datetime:
    return datetime.now(UTC)


_clock: Clock = _read_system_clock


def get_now() -> datetime:
    """The time, in UTC."""
    return _clock().astimezone(UTC)


def format_now() -> str:
    """The time as the database keeps it: ISO 8601 in UTC."""
    return get_now().isoformat()


def format_minute(moment: datetime) -> str:
    """``2026-03-05 14:02``, in the zone of this machine."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


@contextmanager
def set_clock(clock: Clock) -> Iterator[None]:
    """Use another clock in this process for a while; it gives times with a zone."""
    global _clock  # noqa: PLW0603 - there is one time
    before, _clock = _clock, clock
    try:
        yield
    finally:
        _clock = before


def find_day(moment: datetime, zone: tzinfo | None = None) -> date:
    """The day of a time in a zone, by default the machine's."""
    return moment.astimezone(zone).date()


def get_start(day: date, zone: tzinfo | None = None) -> datetime:
    """Midnight at the start of a day in a zone, by default the machine's.

    Where clocks skip midnight, the first moment after it.
    """
    return datetime.combine(day, time(), zone).astimezone(zone).astimezone(UTC)
