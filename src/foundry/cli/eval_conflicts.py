"""``foundry eval conflicts``."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import BinaryIO

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.labelled import file_argument, rate, read_input, rounded, status_of, strict_option
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.evaluation.labelled.conflicts import (
    ConflictFigures,
    TextPair,
    find_contradictions,
    measure_conflicts,
    read_pair,
)
from foundry.evaluation.lines import tell_skipped
from foundry.records import Conflict

_SHOWN = 20


@click.command("conflicts")
@file_argument
@strict_option
@common_options
@pass_call
def command(call: Call, *, file: BinaryIO, strict: bool) -> int:
    """Measure the detector of contradictions on pairs of texts.

    Each line of FILE.jsonl is {"a": text, "b": text, "label": true or false}, true where they
    contradict each other; - reads standard input. No project is needed. -v lists the pairs on
    which it is wrong.
    """
    pairs, skipped = read_input(file, read_pair)
    with show_progress(call) as progress:
        found = find_contradictions(pairs, progress)
    figures = measure_conflicts([one is not None for one in found], [one.label for one in pairs])
    if call.json:
        show_json(
            {
                "n": figures.n,
                "precision": rounded(figures.precision),
                "recall": rounded(figures.recall),
                "false_alarm_rate": rounded(figures.false_alarm_rate),
                "conflicts": figures.conflicts,
                "agreeing": figures.agreeing,
                "skipped": [line.as_dict() for line in skipped],
                "notices": list(tell_skipped(skipped)),
            }
        )
    else:
        say_notices(call, tell_skipped(skipped))
        _show(figures)
        if call.verbosity > 0:
            _show_wrong(pairs, found)
    return status_of(skipped, strict=strict)


def _show(figures: ConflictFigures) -> None:
    show(f"{figures.n:,} pairs, {figures.conflicts:,} of them contradict each other")
    show(f"  precision         {rate(figures.precision)}")
    show(f"  recall            {rate(figures.recall)}")
    show(f"  false alarm rate  {rate(figures.false_alarm_rate)}")


def _show_wrong(pairs: Sequence[TextPair], found: Sequence[Conflict | None]) -> None:
    wrong = [
        (pair, conflict)
        for pair, conflict in zip(pairs, found, strict=True)
        if pair.label != (conflict is not None)
    ]
    for pair, conflict in wrong[:_SHOWN]:
        said = f"reported: {' / '.join(conflict.values)}" if conflict else "not found"
        show(f"\n{said}\n  a: {shorten(pair.a, 160)}\n  b: {shorten(pair.b, 160)}")
    if len(wrong) > _SHOWN:
        show(f"\nand {len(wrong) - _SHOWN:,} more")
