"""``foundry eval remove``."""

from __future__ import annotations

import sys

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.questions import set_option
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

    Earlier runs keep the questions as they were asked.
    """
    if bool(names) is (set_name is not None):
        raise UsageError("Which questions?", where="questions",
                         fix="Name ids, or use --set NAME.")  # fmt: skip
    with open_project(call) as workspace:
        chosen = choose_questions(workspace, names, set_name)
        if set_name is not None and not yes:
            _confirm(chosen, set_name)
        keys = [question.key for question in chosen]
        workspace.store.evaluation.remove_questions(keys)
    if call.json:
        show_json({"removed": keys})
    else:
        show(f"{format_count(len(keys), 'question')} removed.")


def _confirm(chosen: list[EvalQuestion], set_name: str) -> None:
    """Ask before removing a whole set. Raises ``RuleError`` without a yes."""
    fix = (
        f"Export a copy with `foundry eval export --set {set_name} --output FILE`, then use --yes."
    )
    if not sys.stdin.isatty():
        raise RuleError(
            f"This would remove {format_count(len(chosen), 'question')} of {set_name}.",
            where="--set",
            fix=fix,
        )
    if not click.confirm(
        f"Remove {format_count(len(chosen), 'question')} of {set_name}?", err=True
    ):
        raise RuleError("Nothing was removed.", where="--set", fix=fix)
