"""Progress of long work, on standard error.

A bar with rate and remaining time on a terminal, a line every few seconds elsewhere, nothing
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
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bar
from rich.table import Column

from foundry.cli.call import Call
from foundry.cli.output import say, strip_controls
from foundry.messages import Language, Message, get_language, use_language
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
    """Remove the bar from the terminal while something else is shown or asked there."""
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


@dataclass(slots=True)
class _Pace:
    """How fast the current phase goes, from its first step on."""

    phase: str = ""
    started: float = 0.0
    first: int = 0

    def measure(self, step: Step, now: float) -> str:
        """``12/40 files, 3.0 files/s, 0:09 left``; rate and time as soon as they are known."""
        if step.phase != self.phase:
            self.phase, self.started, self.first = step.phase, now, step.done
        if not step.unit:
            return ""
        elapsed = now - self.started
        rate = (step.done - self.first) / elapsed if elapsed > 0 else 0.0
        amounts = _describe_amounts(step)
        if rate <= 0 or step.done >= step.total:
            return str(amounts)
        left = _format_duration((step.total - step.done) / rate)
        rate_shown = _describe_rate(rate, step)
        return str(Message("progress-pace", amounts=amounts, rate=rate_shown, left=left))


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
        self._pace = _Pace()
        self._written, self._last = 0.0, ""
        # A step may be reported by another thread, which has no language of its own.
        self._language = get_language()

    def __call__(self, step: Step) -> None:
        with self._lock, use_language(self._language):
            now, is_new = self._now(), step.phase != self._pace.phase
            pace = self._pace.measure(step, now)
            is_due = now - self._written >= SECONDS_BETWEEN_LINES
            if not (is_new or is_due or step.done >= step.total):
                return
            text = f"{pace}  {step.item}".strip() if pace else str(step.item)
            line = f"{_name_phase(step)}: {text}"
            # A phase ends once, though each of its last files says so.
            if line != self._last or step.done < step.total:
                self._written, self._last = now, line
                self._write(line)


@dataclass(slots=True)
class _Bars:
    """Progress as one bar, that of the current phase."""

    bar: Bar
    task: TaskID | None = None
    pace: _Pace = field(default_factory=_Pace)
    language: Language = field(default_factory=get_language)

    def __call__(self, step: Step) -> None:
        with use_language(self.language):
            if step.phase == "note":
                # The bar goes at the end, and a note stays.
                say(f"{_name_phase(step)}: {step.item}")
            else:
                self._update(step)

    def _update(self, step: Step) -> None:
        if self.task is None or step.phase != self.pace.phase:
            if self.task is not None:
                self.bar.remove_task(self.task)
            self.task = self.bar.add_task(_name_phase(step), total=None, pace="", item="")
        self.bar.update(
            self.task,
            completed=step.done,
            # Without a unit there is nothing to count: the bar only moves.
            total=step.total if step.unit else None,
            pace=self.pace.measure(step, time.monotonic()),
            item=strip_controls(str(step.item)),
            refresh=not step.unit,
        )


def _build_bar() -> Bar:
    item = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    return Bar(
        TextColumn("{task.description:<6}", markup=False),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[pace]}", markup=False),
        # A file name may look like markup. The item gets the remaining width.
        TextColumn("{task.fields[item]}", markup=False, table_column=item),
        console=Console(stderr=True),
        expand=True,
        transient=True,
        # Results that are not for this terminal must not appear on it.
        redirect_stdout=sys.stdout.isatty(),
    )


def _name_phase(step: Step) -> str:
    return str(Message(f"progress-phase-{step.phase}"))


def _describe_amounts(step: Step) -> Message:
    size, unit = _choose_unit(step)
    code = "progress-amounts" if size == 1 else "progress-sizes"
    return Message(code, done=step.done / size, total=step.total / size, unit=unit)


def _choose_unit(step: Step) -> tuple[int, Message | str]:
    """The size and name of the unit to show: bytes are shown as kB or MB."""
    if step.unit != "bytes":
        return 1, Message(f"progress-unit-{step.unit}")
    return (1_000_000, "MB") if step.total >= 1_000_000 else (1_000, "kB")


def _describe_rate(value: float, step: Step) -> Message:
    size, unit = _choose_unit(step)
    value /= size
    code = "progress-rate" if value >= 10 else "progress-rate-low"
    return Message(code, value=value, unit=unit)


def _format_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
