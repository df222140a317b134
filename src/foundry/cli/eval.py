"""``foundry eval``: its commands, each in a module of its own."""

from __future__ import annotations

import click

from foundry.cli.call import common_options
from foundry.cli.commands import CommandEntry, LazyGroup

ENTRIES = {
    "run": CommandEntry(
        "foundry.cli.eval_run", "Commands", "Ask the stored questions and measure the answers."
    ),
    "runs": CommandEntry(
        "foundry.cli.eval_runs", "Commands", "List the runs, or show one with its figures."
    ),
    "compare": CommandEntry(
        "foundry.cli.eval_compare", "Commands", "Compare two runs, question by question."
    ),
    "add": CommandEntry(
        "foundry.cli.eval_add", "Questions", "Add a question with its known answer."
    ),
    "import": CommandEntry(
        "foundry.cli.eval_import", "Questions", "Import questions from files or from feedback."
    ),
    "draft": CommandEntry(
        "foundry.cli.eval_draft", "Questions", "Draft questions from the sources, for review."
    ),
    "list": CommandEntry("foundry.cli.eval_list", "Questions", "List the stored questions."),
    "show": CommandEntry("foundry.cli.eval_show", "Questions", "Show a question whole."),
    "accept": CommandEntry(
        "foundry.cli.eval_accept", "Questions", "Accept drafted questions, or reject them."
    ),
    "remove": CommandEntry(
        "foundry.cli.eval_remove", "Questions", "Remove questions, or a whole set."
    ),
    "export": CommandEntry(
        "foundry.cli.eval_export", "Questions", "Write questions to a file for git."
    ),
    "report": CommandEntry(
        "foundry.cli.eval_report", "Commands", "Write runs as one page with plots, or as Markdown."
    ),
    "dataset": CommandEntry(
        "foundry.cli.eval_dataset", "Commands", "Measure search on a data set in BEIR form."
    ),
    "calibrate": CommandEntry(
        "foundry.cli.eval_calibrate", "Commands", "Fit the gate to this project's own questions."
    ),
    "claims": CommandEntry(
        "foundry.cli.eval_claims", "Commands", "Measure the verifier on labelled claims."
    ),
    "conflicts": CommandEntry(
        "foundry.cli.eval_conflicts", "Commands", "Measure the detector of contradictions."
    ),
    "injection": CommandEntry(
        "foundry.cli.eval_injection", "Commands", "Count attack texts that escape their marks."
    ),
}


@click.group("eval", cls=LazyGroup, entries=ENTRIES)
@common_options
def command() -> None:
    """Measure search and answers on questions with known answers."""
