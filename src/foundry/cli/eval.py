"""``foundry eval``: its commands, each in a module of its own."""

from __future__ import annotations

import click

from foundry.cli.call import common_options
from foundry.cli.commands import Entry
from foundry.cli.lazy import LazyGroup

ENTRIES = {
    "dataset": Entry(
        "foundry.cli.eval_dataset", "Commands", "Measure search on a data set in BEIR form."
    ),
    "calibrate": Entry(
        "foundry.cli.eval_calibrate", "Commands", "Fit the gate to this project's own questions."
    ),
    "claims": Entry(
        "foundry.cli.eval_claims", "Commands", "Measure the verifier on labelled claims."
    ),
    "conflicts": Entry(
        "foundry.cli.eval_conflicts", "Commands", "Measure the detector of contradictions."
    ),
    "injection": Entry(
        "foundry.cli.eval_injection", "Commands", "Count attack texts that escape their marks."
    ),
}


@click.group("eval", cls=LazyGroup, entries=ENTRIES)
@common_options
def command() -> None:
    """Measure retrieval on questions with known answers."""
