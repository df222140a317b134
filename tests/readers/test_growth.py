"""Texts made to take the square of their length are read in about its multiple."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from foundry.readers.text_files import read_text
from foundry.readers.web.markdown import read_markdown
from foundry.text.quantities import find_quantities
from tests.readers.office_files import options


def measure(work: Callable[[], object]) -> float:
    """Return the processor time of some work in seconds, at least a hundredth."""
    started = time.process_time()
    work()
    return max(time.process_time() - started, 0.01)


@pytest.mark.parametrize("words", ["12:30 ", "v1.2.3 ", "2026-03-05 "])
def test_finding_quantities_does_not_take_the_square_of_their_number(words: str) -> None:
    find_quantities(words, "en")
    few, many = words * 700, words * 5_600
    short = measure(lambda: find_quantities(few, "en"))
    # Eight times the text: 64 times as long before. The least of three, for a busy machine.
    long = min(measure(lambda n=n: find_quantities(f"{many}{n} m", "en")) for n in range(3))
    assert long < 30 * short


@pytest.mark.parametrize(("name", "part"), [("a.md", "<?"), ("a.txt", " ")])
def test_reading_does_not_take_the_square_of_the_length(
    tmp_path: Path, name: str, part: str
) -> None:
    path = tmp_path / name
    read = read_markdown if name.endswith(".md") else read_text
    times = []
    for count in (100, 8_000, 64_000):
        path.write_text(f"{part * count}x\n\nEnd.\n")
        times.append(measure(lambda: read(path, options(path))))
    assert times[2] < 30 * times[1]
