"""``foundry eval``: the group and the table of its commands."""

from __future__ import annotations

import click

from foundry.cli.call import common_options
from foundry.cli.commands import Entry
from foundry.cli.lazy import LazyGroup

ENTRIES = {
    "run": Entry(
        "foundry.cli.eval.run", "Commands", "Ask the stored questions and measure the answers."
    ),
    "runs": Entry(
        "foundry.cli.eval.runs", "Commands", "List the runs, or show one with its figures."
    ),
    "compare": Entry(
        "foundry.cli.eval.compare", "Commands", "Compare two runs, question by question."
    ),
    "add": Entry("foundry.cli.eval_add", "Questions", "Add a question with its known answer."),
    "import": Entry(
        "foundry.cli.eval_import", "Questions", "Import questions from files or from feedback."
    ),
    "draft": Entry(
        "foundry.cli.eval_draft", "Questions", "Draft questions from the sources, for review."
    ),
    "list": Entry("foundry.cli.eval_list", "Questions", "List the stored questions."),
    "show": Entry("foundry.cli.eval_show", "Questions", "Show a question whole."),
    "accept": Entry(
        "foundry.cli.eval_accept", "Questions", "Accept drafted questions, or reject them."
    ),
    "remove": Entry("foundry.cli.eval_remove", "Questions", "Remove questions, or a whole set."),
    "export": Entry("foundry.cli.eval_export", "Questions", "Write questions to a file for git."),
    "report": Entry(
        "foundry.cli.eval.report", "Commands", "Write runs as one page with plots, or as Markdown."
    ),
    "dataset": Entry(
        "foundry.cli.eval.dataset", "Commands", "Measure search on a data set in BEIR form."
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
    """Measure search and answers on questions with known answers."""
