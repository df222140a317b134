"""``foundry eval``: its commands, each in a module of its own."""

from __future__ import annotations

import click

from foundry.cli.call import common_options
from foundry.cli.commands import Entry
from foundry.cli.lazy import LazyGroup

ENTRIES = {
    "run": Entry(
        "foundry.cli.eval_run", "Commands", "Ask the stored questions and measure the answers."
    ),
    "runs": Entry(
        "foundry.cli.eval_runs", "Commands", "List the runs, or show one with its figures."
    ),
    "compare": Entry(
        "foundry.cli.eval_compare", "Commands", "Compare two runs, question by question."
    ),
    "dataset": Entry(
        "foundry.cli.eval_dataset", "Commands", "Measure search on a data set in BEIR form."
    ),
}


@click.group("eval", cls=LazyGroup, entries=ENTRIES)
@common_options
def command() -> None:
    """Measure retrieval on questions with known answers."""
