"""Lines without end: a question, a statement or a line of a source that repeats a piece of text.

Each piece makes some regular expression or reader start again and again: openings without an end,
digits, spaces, marks. What analyses text must stay within a bound, whatever is repeated.
"""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.faults.rows import Row
from foundry.analysis import analyse, analyse_query, detect_language, detect_query_language
from foundry.analysis import find_sentences as split
from foundry.craft.grounding.source_units import read_words
from foundry.craft.question import read_question
from foundry.errors import FoundryError
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.text.spotlight import escape_tags, mark_lines
from foundry.text.statements import MAX_STATEMENT, find_statements

QUESTION = 10_000
"""Characters of the longest question that Foundry takes."""
SOURCE = 100_000
BOUND_S = 10.0
"""Processor time for one text: what the longest statement may take to check."""

PIECES = (
    "a", "1", " ", "\xa0", ".", "-", "_", "*", "(", "[", "<", "`", "'", '"', ":", "|", "#", ">",
    "a ", "1 ", "1.", "1,", "1/", "1:", "-a", "a-", ". ", "- ", "* ", "> ", "A.", "A1", "é ", "\t",
    "a@a", "a.a", "a_", "www.", "http://", "[a](", "![", "[[", "<a ", "<?", "<!", "**a", "__a",
    "***a ", "[S1]", "[^1]", "[^1]:", "“a ", "said: ", "1 V ", "1 V, ", "1-", "1 to ", "10 % ", "€1 ",
    "1:1 ", "1. 1. ", "12 May ", "V1.", "not ", "and ", "I.", "A ", "A-aaa", "-aaa", "| a ", "a: ",
    "a = ", "a;", "1)", "(1", "(a) ", "\\", "&amp;", "~~", "$1", "…", "–", "、", "漢", "\u0301", "=",
)  # fmt: skip
QUICK = ("a", " ", "*", "a@a", "1:", "1. 1. ", "1 V, ", "[a](")
_PROSE = "The relay runs at 12 V."


@dataclass(frozen=True)
class _Step:
    """A step of the program, and the longest text that it is given."""

    name: str
    characters: int
    run: Callable[[str], object]


def _ask(text: str) -> None:
    read_question(text, detect_query_language(text))
    analyse_query(text, ("en", "nl"))
    escape_tags(text)


def _read(text: str, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        path.write_text(text, encoding="utf-8")
        find_statements(read(path, ReadOptions(name=path.name)), "en")


def _index(text: str) -> None:
    detect_language(text)
    split(text, "en")
    analyse(text, "en")
    mark_lines(text, "S1")


STEPS = (
    _Step("a question", QUESTION, _ask),
    _Step("a statement", MAX_STATEMENT, lambda text: read_words(text, "en")),
    _Step("a line of a source, indexed", SOURCE, _index),
    _Step("a line of Markdown, split into statements", SOURCE, lambda text: _read(text, ".md")),
    _Step("a line of text, split into statements", SOURCE, lambda text: _read(text, ".txt")),
)


def run(quick: bool) -> Iterator[Row]:
    """A row for each step, with the slowest of the pieces."""
    for step in STEPS:
        started = time.monotonic()
        times = {piece: _time(step, piece) for piece in (QUICK if quick else PIECES)}
        slowest = max(times, key=times.__getitem__)
        late = [piece for piece, seconds in times.items() if seconds > BOUND_S]
        outcome = f"slowest {slowest!r}: {times[slowest]:.1f} s" + (
            f"; too slow: {late}" if late else ""
        )
        seconds = time.monotonic() - started
        case = f"{step.name}, {step.characters:,} characters"
        yield Row("lines", case, outcome, not late, seconds, count=len(times))


def _time(step: _Step, piece: str) -> float:
    """Processor seconds for a text of that piece; stopped soon after the bound."""
    room = step.characters - len(_PROSE) - 1
    text = f"{(piece * (room // len(piece) + 1))[:room]} {_PROSE}"
    started = time.process_time()
    try:
        with _limit():
            step.run(text)
    except (TimeoutError, FoundryError):
        pass  # a text without words is refused
    return time.process_time() - started


@contextmanager
def _limit() -> Iterator[None]:
    """Interrupt what takes longer than the bound; regular expressions react to signals."""

    def stop(_signal: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, BOUND_S + 0.2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
