"""``foundry eval remove``."""

from __future__ import annotations

import sys

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval_questions import set_option
from foundry.cli.output import format_count, show, show_json
from foundry.cli.workspace import open_project
from foundry.errors import RuleError, UsageError
from foundry.evaluation.questions import choose_questions
from foundry.records import EvalQuestion


@click.command("remove")
@click.argument("names", nargs=-1, metavar="[ID…]")
@set_option
@click.option("--yes", is_flag=True, help="Remove a whole set without asking.")
@common_options
@pass_call
def command(call: Call, *, names: tuple[str, ...], set_name: str | None, yes: bool) -> None:
    """Remove questions, or a whole set.

    Results of earlier runs keep the questions as they were asked.
    """
    if bool(names) is (set_name is not None):
        raise UsageError("It is not clear which questions are meant.", where="questions",
                         fix="Name ids, or --set NAME.")  # fmt: skip
    with open_project(call) as workspace:
        chosen = choose_questions(workspace, names, set_name)
        if set_name is not None and not yes:
            _agree(chosen, set_name)
        keys = [one.key for one in chosen]
        workspace.store.evaluation.remove_questions(keys)
    if call.json:
        show_json({"removed": keys})
    else:
        show(f"{format_count(len(keys), 'question')} removed.")


def _agree(chosen: list[EvalQuestion], set_name: str) -> None:
    """Ask before a whole set goes. Raises ``RuleError`` where nobody agrees."""
    fix = f"Keep a copy (foundry eval export --set {set_name} --output FILE), or give --yes."
    if not sys.stdin.isatty():
        raise RuleError(
            f"{format_count(len(chosen), 'question')} of {set_name} would go.",
            where="--set",
            fix=fix,
        )
    if not click.confirm(
        f"Remove {format_count(len(chosen), 'question')} of {set_name}?", err=True
    ):
        raise RuleError("Nothing was removed.", where="--set", fix=fix)
