"""``foundry eval``: the group and the table of its commands."""

from __future__ import annotations

import click

from foundry.cli.call import common_options
from foundry.cli.commands import CommandEntry, LazyGroup

_QUESTIONS = "foundry.cli.eval.questions"

ENTRIES = {
    "run": CommandEntry(
        "foundry.cli.eval.run", "Commands", "Ask the stored questions and measure the answers."
    ),
    "runs": CommandEntry(
        "foundry.cli.eval.runs", "Commands", "List the runs, or show one with its figures."
    ),
    "compare": CommandEntry(
        "foundry.cli.eval.compare", "Commands", "Compare two runs, question by question."
    ),
    "add": CommandEntry(
        _QUESTIONS, "Questions", "Add a question with its known answer.", "add_command"
    ),
    "import": CommandEntry(
        "foundry.cli.eval.import_", "Questions", "Import questions from files or from feedback."
    ),
    "draft": CommandEntry(
        "foundry.cli.eval.draft", "Questions", "Draft questions from the sources, for review."
    ),
    "list": CommandEntry(_QUESTIONS, "Questions", "List the stored questions.", "list_command"),
    "show": CommandEntry(_QUESTIONS, "Questions", "Show a question in full.", "show_command"),
    "accept": CommandEntry(
        _QUESTIONS, "Questions", "Accept drafted questions, or reject them.", "accept_command"
    ),
    "remove": CommandEntry(
        _QUESTIONS, "Questions", "Remove questions, or a whole set.", "remove_command"
    ),
    "export": CommandEntry(
        _QUESTIONS, "Questions", "Write questions to a file for git.", "export_command"
    ),
    "report": CommandEntry(
        "foundry.cli.eval.report", "Commands", "Write runs as one page with plots, or as Markdown."
    ),
    "dataset": CommandEntry(
        "foundry.cli.eval.dataset", "Commands", "Measure search on a data set in BEIR form."
    ),
    "calibrate": CommandEntry(
        "foundry.cli.eval.calibrate", "Commands", "Fit the gate to this project's own questions."
    ),
}


@click.group("eval", cls=LazyGroup, entries=ENTRIES)
@common_options
def command() -> None:
    """Measure search and answers on questions with known answers."""
