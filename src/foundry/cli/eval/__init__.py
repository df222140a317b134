"""``foundry eval``: the group and the table of its commands."""

from __future__ import annotations

import click

from foundry.cli.call import common_options
from foundry.cli.commands import CommandEntry, LazyGroup

_QUESTIONS = "foundry.cli.eval.questions"
_RUNS = "foundry.cli.eval.runs"

ENTRIES = {
    "run": CommandEntry(_RUNS, "Commands", "run_command"),
    "runs": CommandEntry(_RUNS, "Commands", "runs_command"),
    "compare": CommandEntry(_RUNS, "Commands", "compare_command"),
    "gate": CommandEntry("foundry.cli.eval.gate", "Commands"),
    "add": CommandEntry(_QUESTIONS, "Questions", "add_command"),
    "import": CommandEntry(_QUESTIONS, "Questions", "import_command"),
    "draft": CommandEntry(_QUESTIONS, "Questions", "draft_command"),
    "list": CommandEntry(_QUESTIONS, "Questions", "list_command"),
    "show": CommandEntry(_QUESTIONS, "Questions", "show_command"),
    "accept": CommandEntry(_QUESTIONS, "Questions", "accept_command"),
    "remove": CommandEntry(_QUESTIONS, "Questions", "remove_command"),
    "export": CommandEntry(_QUESTIONS, "Questions", "export_command"),
    "report": CommandEntry("foundry.cli.eval.report", "Commands"),
    "dataset": CommandEntry("foundry.cli.eval.dataset", "Commands"),
    "calibrate": CommandEntry("foundry.cli.eval.calibrate", "Commands"),
}


@click.group("eval", cls=LazyGroup, entries=ENTRIES)
@common_options
def command() -> None:
    pass
