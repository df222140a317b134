"""Progress of long work, on standard error.

Bars with rate and remaining time on a terminal, a line every few seconds elsewhere, nothing
with -q.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar
from rich.table import Column
from rich.text import Text

from foundry.cli.call import Call
from foundry.cli.output import say, strip_controls
from foundry.ports import Progress, Step

SECONDS_BETWEEN_LINES = 3.0
"""Often enough to show life, seldom enough for a log file."""


@contextlib.contextmanager
def show_progress(call: Call) -> Iterator[Progress]:
    """A ``Progress`` for the journeys, shown as the call and the terminal allow."""
    if call.quiet:
        yield _ignore_step
    elif sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with _build_bar() as bar:
            yield _Bars(bar)
    else:
        yield ProgressLines()


@contextlib.contextmanager
def pause_progress(progress: Progress) -> Iterator[None]:
    """Remove the bars from the terminal while a question is asked there."""
    if not isinstance(progress, _Bars):
        yield
        return
    progress.bar.stop()
    try:
        yield
    finally:
        progress.bar.start()


def _ignore_step(step: Step) -> None:
    """Show nothing."""


class ProgressLines:
    """Progress as lines: the first and last step of a phase, and one every few seconds."""

    def __init__(
        self,
        write: Callable[[str], None] = say,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write = write
        self._now = now
        self._lock = threading.Lock()
        self._phase = ""
        self._started = self._written = 0.0
        self._first = 0

    def __call__(self, step: Step) -> None:
        with self._lock:
            now = self._now()
            if step.phase != self._phase:
                self._phase, self._started, self._first = step.phase, now, step.done
            elif step.done < step.total and now - self._written < SECONDS_BETWEEN_LINES:
                return
            self._written = now
            self._write(self._line(step, now - self._started))

    def _line(self, step: Step, elapsed: float) -> str:
        if not step.unit:
            return f"{step.phase}: {step.item}"
        line = f"{step.phase}: {step.done}/{step.total} {step.unit}"
        rate = (step.done - self._first) / elapsed if elapsed > 0 else 0.0
        if rate > 0 and step.done < step.total:
            left = _format_duration((step.total - step.done) / rate)
            line += f", {_format_rate(rate)} {step.unit}/s, {left} left"
        return f"{line}  {step.item}".rstrip()


@dataclass(slots=True)
class _Bars:
    """Progress as bars, one per phase."""

    bar: Bar
    tasks: dict[str, TaskID] = field(default_factory=dict)

    def __call__(self, step: Step) -> None:
        task = self.tasks.get(step.phase)
        if task is None:
            task = self.bar.add_task(step.phase, total=step.total, unit=step.unit, item="")
            self.tasks[step.phase] = task
        self.bar.update(task, completed=step.done, total=step.total, item=strip_controls(step.item))


class _RateColumn(ProgressColumn):
    """Units per second, as Rich measures them."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        unit = task.fields["unit"]
        return Text(f"{unit}, {_format_rate(speed)}/s" if speed and unit else unit)


def _build_bar() -> Bar:
    return Bar(
        TextColumn("{task.description:<6}", markup=False),
        BarColumn(bar_width=16),
        MofNCompleteColumn(),
        _RateColumn(),
        TimeRemainingColumn(),
        # A file name may look like markup. The item gets the remaining width.
        TextColumn("{task.fields[item]}", markup=False, table_column=_build_item_column()),
        console=Console(stderr=True),
        expand=True,
        transient=True,
    )


def _build_item_column() -> Column:
    return Column(ratio=1, no_wrap=True, overflow="ellipsis")


def _format_rate(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _format_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
