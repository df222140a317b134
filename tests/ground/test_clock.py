"""Days and times where clocks change, and one clock for everything that is kept."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from foundry.clock import find_day, format_now, get_now, get_start, set_clock

SOURCE = Path(__file__).parents[2] / "src" / "foundry"
AMSTERDAM = ZoneInfo("Europe/Amsterdam")
FILE_TIMES = {"models/e5/engines.py"}
"""Modules that compare the clock with the times of files, which have no other clock."""


@pytest.fixture
def amsterdam(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's own zone is Europe/Amsterdam."""
    monkeypatch.setenv("TZ", "Europe/Amsterdam")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_only_the_clock_asks_for_the_time() -> None:
    asks = re.compile(r"datetime\.now|utcnow|date\.today|time\.time\(")
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if asks.search(path.read_text(encoding="utf-8"))
    }
    assert found - FILE_TIMES == {"clock.py"}


def test_what_is_kept_is_in_utc() -> None:
    with set_clock(lambda: datetime(2026, 7, 1, 0, 30, tzinfo=AMSTERDAM)):
        assert format_now() == "2026-06-30T22:30:00+00:00"
    assert abs(get_now() - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("day", "start", "hours"),
    [
        (date(2026, 3, 29), datetime(2026, 3, 28, 23, tzinfo=UTC), 23),
        (date(2026, 10, 25), datetime(2026, 10, 24, 22, tzinfo=UTC), 25),
        (date(2026, 10, 26), datetime(2026, 10, 25, 23, tzinfo=UTC), 24),
    ],
)
def test_a_day_lasts_as_long_as_the_zone_says(
    amsterdam: None, day: date, start: datetime, hours: int
) -> None:
    for zone in (AMSTERDAM, None):
        assert get_start(day, zone) == start
        assert get_start(day + timedelta(days=1), zone) - start == timedelta(hours=hours)


def test_the_hour_that_comes_twice_is_of_one_day(amsterdam: None) -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    times = [first + timedelta(hours=hours) for hours in range(-3, 24)]
    days = [find_day(moment) for moment in times]
    assert days == sorted(days)
    assert days.count(date(2026, 10, 25)) == 25
