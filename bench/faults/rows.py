"""One row for each attack, the same for every part."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """What was done, how it ended, and whether that is how it should end.

    ``seconds`` is wall time, ``memory`` the peak of the process tree in MB, None if not measured.
    ``count`` is the number of attacks in the row, such as the kills of one trial.
    """

    part: str
    case: str
    outcome: str
    passed: bool
    seconds: float
    memory: float | None = None
    count: int = 1


Part = Callable[[bool], Iterator[Row]]
"""Runs the attacks of one kind and yields a row for each; True runs only the quick ones."""


def run_together(
    tasks: Iterable[Callable[[], Row]], *, workers: int | None = None
) -> Iterator[Row]:
    """The rows of the tasks in their order; as many run at once as there are workers, or cores."""
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        yield from pool.map(lambda task: task(), tasks)
