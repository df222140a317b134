"""Progress without a terminal: few lines, and never none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from foundry.cli.call import Call
from foundry.cli.progress import ProgressLines, show_progress
from foundry.messages import LANGUAGES, Language, use_language
from foundry.ports import Phase, Step, Unit


def lines(steps: list[Step], times: Iterator[float]) -> list[str]:
    written: list[str] = []
    show = ProgressLines(written.append, lambda: next(times))
    for step in steps:
        show(step)
    return written


def test_lines_come_every_few_seconds_and_at_the_end() -> None:
    steps = [Step("read", done, 100, "sources", f"f{done}") for done in range(1, 101)]
    written = lines(steps, (index / 10 for index in range(100)))
    assert len(written) == 5
    assert written[0] == "read: 1/100 sources  f1"
    assert written[-1] == "read: 100/100 sources  f100"


def test_the_end_of_a_phase_is_one_line() -> None:
    steps = [Step("read", done, 2, "sources") for done in (1, 2, 2, 2)]
    assert len(lines(steps, iter((0.0, 1.0, 2.0, 9.0)))) == 2


def test_a_line_shows_rate_and_time_left() -> None:
    steps = [Step("embed", 0, 90, "chunks"), Step("embed", 30, 90, "chunks")]
    assert lines(steps, iter((0.0, 10.0)))[-1] == "embed: 30/90 chunks, 3.0 chunks/s, 0:20 left"


def test_bytes_are_shown_in_megabytes() -> None:
    steps = [Step("read", 0, 30_000_000, "bytes", "a.pdf"), Step("read", 10**7, 3 * 10**7, "bytes")]
    written = lines(steps, iter((0.0, 10.0)))
    assert written == ["read: 0.0/30.0 MB  a.pdf", "read: 10.0/30.0 MB, 1.0 MB/s, 0:20 left"]


def test_each_phase_starts_with_a_line() -> None:
    steps = [Step("read", 1, 2, "sources"), Step("embed", 1, 9, "chunks")]
    assert len(lines(steps, iter((0.0, 0.1)))) == 2


def test_waiting_for_another_ingest_is_reported() -> None:
    assert lines([Step("wait", 0, 1, "", "another ingest runs")], iter((0.0,))) == [
        "wait: another ingest runs"
    ]


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress(Call(verbosity=-1)) as progress:
        progress(Step("read", 1, 1, "sources", "x"))
    assert capsys.readouterr().err == ""


def test_without_a_terminal_there_is_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress(Call()) as progress:
        progress(Step("read", 1, 1, "sources", "[bold]x"))
    assert capsys.readouterr().err == "read: 1/1 sources  [bold]x\n"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phase", get_args(Phase))
def test_every_phase_has_a_word_in_each_language(phase: Phase, language: Language) -> None:
    with use_language(language):
        assert "progress-" not in lines([Step(phase, 0, 1, "")], iter((0.0,)))[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unit", sorted(set(get_args(Unit)) - {""}))
def test_every_unit_has_a_word_in_each_language(unit: Unit, language: Language) -> None:
    with use_language(language):
        assert "progress-" not in lines([Step("read", 1, 2, unit)], iter((0.0,)))[0]
